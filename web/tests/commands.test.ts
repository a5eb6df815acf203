import { describe, expect, it } from "vitest";

import { readCommand } from "../src/lib/commands";

describe("the command line", () => {
  it.each([
    ["çek", "draw", ""],
    ["Ç", "draw", ""],
    ["yerden çek", "draw", ""],
    ["y", "take", ""],
    ["yandan al", "take", ""],
    ["geri bırak", "return", ""],
    ["geri al", "back", ""],
    ["ga 2", "back", "2"],
    ["at r9", "discard", "R9"],
    ["aç", "open", ""],
    ["ÇİFT AÇ", "open-pairs", ""],
    ["çift", "open-pairs", ""],
    ["çift diz", "sort-pairs", ""],
    ["seri", "sort-melds", ""],
    ["İşle k5 > 3", "lay", "K5 > 3"],
    ["işle tümü", "lay-all", ""],
    ["ser R7 R8 *R9 / K1 Y1 B1", "meld", "R7 R8 *R9 / K1 Y1 B1"],
    ["değiş R8 > 3", "swap", "R8 > 3"],
    ["okey al R8 > 3", "swap", "R8 > 3"],
    ["geç", "pass", ""],
    ["söyle", "announce", ""],
    ["gösterge", "indicator", ""],
    ["ıstaka", "rack", ""],
    ["el", "rack", ""],
    ["at kırmızı 5", "discard", "R5"],
    ["at Sahte Okey", "discard", "F"],
    ["işle okey 3", "lay", "* 3"],
    ["ser red 7 KIRMIZI 8 r9 / siyah 1", "meld", "R7 R8 R9 / K1"],
    ["?", "help", ""],
    ["  draw ", "draw", ""],
    ["DISCARD R9", "discard", "R9"],
    ["lay all", "lay-all", ""],
    ["open pairs", "open-pairs", ""],
  ])("reads %s in Turkish", (line, verb, rest) => {
    expect(readCommand(line, "tr")).toEqual({ verb, rest });
  });

  it("keeps the single letters of Turkish out of English", () => {
    expect(readCommand("y", "en")).toBeNull();
    expect(readCommand("t", "en")).toEqual({ verb: "take", rest: "" });
  });

  it("knows no other words", () => {
    expect(readCommand("zıpla", "tr")).toBeNull();
  });
});
