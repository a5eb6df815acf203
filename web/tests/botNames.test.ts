import { beforeAll, describe, expect, it } from "vitest";

import { botName } from "../src/lib/botNames";
import { texts } from "../src/lib/i18n.svelte";
import { seatWords, tableWords } from "../src/lib/rules";
import { OWN_BOTS } from "../src/lib/vocabulary";

describe("names of bots", () => {
  beforeAll(() => texts.use("tr"));

  it("are those of people, with the mark that no person may have", () => {
    const names = [0, 1, 2, 3].map((seat) => botName("abcdefgh2345", seat));
    expect(new Set(names).size).toBe(4);
    for (const name of names) expect(name).toMatch(/^Bot \p{Lu}\p{Ll}+$/u);
  });

  it("are never the name of somebody at the table, however that is spelled", () => {
    const alone = [0, 1, 2, 3].map((seat) => botName("t", seat));
    const [own = "", ...others] = alone.slice(1).map((name) => name.replace("Bot ", ""));
    for (const person of [own, own.toLocaleUpperCase("tr"), `${own} Yılmaz`]) {
      const names = [1, 2, 3].map((seat) => botName("t", seat, [person, null, null, null]));
      expect(names[0]).not.toBe(`Bot ${own}`);
      expect(names.slice(1)).toEqual(others.map((name) => `Bot ${name}`)); // nobody else is renamed
      expect(new Set(names).size).toBe(3);
    }
    const seats = [...alone.slice(0, 2).map((name) => name.replace("Bot ", "")), null, null];
    expect(new Set([0, 1, 2, 3].map((seat) => botName("t", seat, seats))).size).toBe(4);
    expect(botName("t", 0, ["Ayse", "ASLI"])).not.toMatch(/Ayşe|Aslı/u);
  });

  it("are the host's own where a bot is none of ours", () => {
    expect(botName("t", 1, [], "careful")).toBe("Bot careful");
    for (const own of OWN_BOTS) expect(botName("t", 1, [], own)).toBe(botName("t", 1));
    const seats = ["Ayşe", "bot:careful", "bot:steady", null];
    expect(seatWords(seats, "t", 1)).toBe("Bot careful");
    expect(seatWords(seats, "t", 2)).toBe(botName("t", 2, ["Ayşe"]));
    expect(tableWords(["bot:careful", "bot:careful", "Ayşe"], "t")).toBe("Bot careful × 2, Ayşe");
  });

  it("stay the same at a table, and differ between tables", () => {
    expect(botName("abc", 2)).toBe(botName("abc", 2));
    const tables = [..."abcdefghij"].map((table) => botName(table, 0));
    expect(new Set(tables).size).toBeGreaterThan(5);
  });
});
