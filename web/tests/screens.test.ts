import { describe, expect, it } from "vitest";

import { shortAgent } from "../src/lib/userAgent";
import { screenOf } from "../src/lib/screens";

describe("an address", () => {
  it.each([
    ["/", "start", ""],
    ["/t/abc", "table", "abc"],
    ["/m/abc-1", "replay", "abc-1"],
    ["/day", "day", ""],
    ["/day/2026-11-26", "day", "2026-11-26"],
    ["/new", "create", ""],
    ["/f/a_b-c", "family", "a_b-c"],
    ["/rules/", "rules", ""],
    ["/t", "nowhere", ""],
    ["/t/abc/more", "nowhere", ""],
    ["/rules/abc", "nowhere", "abc"],
    ["/wp-login.php", "nowhere", ""],
    ["/constructor", "nowhere", ""],
    ["/constructor/abc", "nowhere", "abc"],
  ])("%s is the screen %s", (path, screen, id) => {
    expect(screenOf(path)).toEqual({ screen, id });
  });
});

describe("a browser's name", () => {
  const kit = "AppleWebKit/537.36 (KHTML, like Gecko)";
  it.each([
    [`Mozilla/5.0 (X11; Linux x86_64) ${kit} Chrome/140.0 Safari/537.36`, "Chrome · Linux"],
    [
      `Mozilla/5.0 (Linux; Android 15) ${kit} Chrome/140.0 Mobile Safari/537.36`,
      "Chrome · Android",
    ],
    [`Mozilla/5.0 (Windows NT 10.0) ${kit} Chrome/140.0 Safari/537.36 Edg/140.0`, "Edge · Windows"],
    ["Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox · Windows"],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Safari/604.1",
      "Safari · iPhone",
    ],
    ["okey101-bot 1.0", "okey101-bot 1.0"],
    ["", ""],
  ])("is short: %s", (agent, short) => {
    expect(shortAgent(agent)).toBe(short);
  });
});
