import { beforeAll, describe, expect, it } from "vitest";

import { botName } from "../src/lib/botNames";
import { texts } from "../src/lib/i18n.svelte";

describe("names of bots", () => {
  beforeAll(() => texts.use("tr"));

  it("are those of people, with the mark that no person may have", () => {
    const names = [0, 1, 2, 3].map((seat) => botName("abcdefgh2345", seat));
    expect(new Set(names).size).toBe(4);
    for (const name of names) expect(name).toMatch(/^Bot \p{Lu}\p{Ll}+$/u);
  });

  it("stay the same at a table, and differ between tables", () => {
    expect(botName("abc", 2)).toBe(botName("abc", 2));
    const tables = [..."abcdefghij"].map((table) => botName(table, 0));
    expect(new Set(tables).size).toBeGreaterThan(5);
  });
});
