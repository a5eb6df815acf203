import { readFileSync } from "node:fs";

import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { Telling } from "../src/lib/announcer";
import { sentenceOf } from "../src/lib/characters";
import { Game } from "../src/lib/game.svelte";
import { texts } from "../src/lib/i18n.svelte";
import { choose } from "../src/lib/settings.svelte";
import type { What } from "../src/lib/protocol";
import { Moves } from "../src/lib/tableActions.svelte";
import { acted, FakeSocket, view } from "./fakes";

const DRAW = ["draw", "take", "discard K5", "meld R1 R2 R3", "lay K5 > 1"] as const;

/** What a bot says in a deal of so many moves of its own. */
function said(deal: number, seat: number): number[] {
  const open = { table: "t", match: 1, deal, actions: [] as string[] };
  return Array.from({ length: 30 }, (_, at) => DRAW[at % DRAW.length] ?? "").flatMap((action) => {
    open.actions = [...open.actions, `${seat}: ${action}`];
    const what: What = { kind: "act", seat, actions: [action], by: "bot" };
    const found = sentenceOf(seat, what, open);
    return found === null ? [] : [found];
  });
}

describe("a bot with a character", () => {
  it("speaks at most once in a deal, of all it has to say, and alike everywhere", () => {
    const deals = Array.from({ length: 100 }, (_, deal) => said(deal, 1));
    expect(Math.max(...deals.map((one) => one.length))).toBe(1);
    expect(new Set(deals.flat())).toEqual(new Set([1, 2, 3, 4, 5]));
    expect(said(7, 1)).toEqual(said(7, 1));
    expect(deals).not.toEqual(Array.from({ length: 100 }, (_, deal) => said(deal, 2)));
  });

  it.each(["tr", "en"])("has five sentences in %s, each short enough for its plate", (language) => {
    const path = `../src/okey101/i18n/${language}/faces.ftl`;
    const lines = readFileSync(path, "utf8").match(/^says-[0-7]-[1-5] = .+$/gm) ?? [];
    expect(lines).toHaveLength(40);
    for (const line of lines) expect(line.split(" = ")[1]?.length).toBeLessThan(35);
  });
});

describe("at the table", () => {
  const bots = [null, "greedy", "greedy", "greedy"];
  const seats = bots.map((bot) => ({ name: bot ? null : "Ayşe", bot }));
  const games: Game[] = [];

  /** What is said at a table, seen with a hand. */
  function heard(hand: string): unknown[] {
    vi.stubGlobal("WebSocket", FakeSocket);
    const game = new Game("t");
    games.push(game);
    new Telling(game, new Moves(game), () => false);
    FakeSocket.last.open();
    FakeSocket.last.hear(view({ seats, deal: { turn: 1 }, you: { seat: 0, hand } }));
    return Array.from({ length: 40 }, (_, at) => {
      FakeSocket.last.hear(acted(8 + at, 1 + (at % 3), "discard K5", { turn: 1 }));
      return Object.values(game.bubbles).map(({ words }) => words);
    });
  }

  beforeAll(async () => {
    await texts.use("en");
    await texts.learn("faces");
  });
  beforeEach(() => localStorage.clear());
  afterEach(() => {
    for (const game of games.splice(0)) game.close();
    choose({ chatter: true });
    vi.unstubAllGlobals();
  });

  it("says the same to twins who see other hands, and nothing when it is switched off", () => {
    const one = heard("R1 R2 R3");
    expect(one.flat()).not.toEqual([]);
    expect(heard("K9 K10 * F")).toEqual(one);
    choose({ chatter: false });
    expect(heard("R1 R2 R3").flat()).toEqual([]);
  });
});
