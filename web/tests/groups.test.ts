import { describe, expect, it } from "vitest";

import { asMeld, meldsIn, pairsIn } from "../src/lib/groups";

const OKEY = "R5";

function melds(...rows: string[]): { points: number; groups: string[] } {
  const found = meldsIn(
    rows.map((row) => row.split(" ")),
    OKEY,
  );
  return { points: found.points, groups: found.groups.map((group) => group.text) };
}

function pairs(okey: string, ...rows: string[]): string[] {
  return pairsIn(
    rows.map((row) => row.split(" ")),
    okey,
  ).groups.map((group) => group.text);
}

describe("one meld", () => {
  it.each([
    ["R7 R8 R9", "run", "R7 R8 R9", 24],
    ["R9 R8 R7", "run", "R7 R8 R9", 24],
    ["K1 K2 K3 K4", "run", "K1 K2 K3 K4", 10],
    ["K11 K12 K13", "run", "K11 K12 K13", 36],
    ["R7 Y7 B7", "set", "R7 Y7 B7", 21],
    ["R7 Y7 B7 K7", "set", "R7 Y7 B7 K7", 28],
    ["R7 * R9", "run", "R7 *R8 R9", 24],
    ["* R8 R9", "run", "*R7 R8 R9", 24],
    ["R12 R13 *", "run", "*R11 R12 R13", 36],
    ["* R1 R2", "run", "R1 R2 *R3", 6],
    ["* * R12 R13", "run", "*R10 *R11 R12 R13", 46],
    ["R12 R13 * *", "run", "*R10 *R11 R12 R13", 46],
    ["R13 * *", "set", "R13 *13 *13", 39],
    ["R4 F R6", "run", "R4 F R6", 15],
    ["Y5 F B5", "set", "Y5 F B5", 15],
    ["R7 Y7 *", "set", "R7 Y7 *7", 21],
    ["R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13", "run", null, 91],
  ])("%s", (tiles, kind, text, points) => {
    const group = asMeld(tiles.split(" "), OKEY);
    expect(group).toMatchObject({ kind, points });
    if (text) expect(group?.text).toBe(text);
  });

  it.each([
    "R7 R8",
    "R7 R8 R10",
    "R7 R8 Y9",
    "R12 R13 R1",
    "R7 R7 Y7",
    "R7 Y7 B7 K7 *",
    "R7 Y7 R7",
    "Y4 F Y6",
    "R7",
  ])("is not %s", (tiles) => {
    expect(asMeld(tiles.split(" "), OKEY)).toBeNull();
  });
});

describe("rows on the rack", () => {
  it("counts touching groups apart", () => {
    expect(melds("B1 B2 B3 R2 Y2 B2")).toEqual({ points: 12, groups: ["B1 B2 B3", "R2 Y2 B2"] });
  });

  it("takes three equal runs for three runs, not for thirteen sets", () => {
    expect(melds("R1 R2 R3 Y1 Y2 Y3 B1 B2 B3").points).toBe(18);
  });

  it("leaves alone what stands between", () => {
    expect(melds("K9 R7 R8 R9 Y1")).toEqual({ points: 24, groups: ["R7 R8 R9"] });
  });

  it("reads an okey on the side where it is worth more", () => {
    expect(melds("R7 R8 R9 *").points).toBe(34);
    expect(melds("R7 R8 R9 * Y4 Y3").points).toBe(24 + 12);
    expect(melds("R3 R2 R1 * K12 K13").points).toBe(6 + 36);
  });

  it("never cuts a group across two rows", () => {
    expect(melds("R7 R8", "R9 R10").points).toBe(0);
  });

  it("counts a long run whole", () => {
    expect(melds("Y3 Y4 Y5 Y6 Y7 Y8")).toEqual({ points: 33, groups: ["Y3 Y4 Y5 Y6 Y7 Y8"] });
  });

  it("looks at every stretch of a full row once", () => {
    const seen: string[] = [];
    const row: string[] = Array.from({ length: 16 }, (_, n) => (n % 3 ? "*" : "R7"));
    row.slice = (start = 0, end = row.length) => {
      seen.push(`${start}-${end}`);
      return Array.prototype.slice.call(row, start, end) as string[];
    };
    meldsIn([row], OKEY);
    const lengths = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13];
    expect(seen.length).toBe(lengths.reduce((sum, length) => sum + 17 - length, 0));
    expect(new Set(seen).size).toBe(seen.length);
  });
});

describe("pairs", () => {
  it("finds twins, okeys, and the false joker beside its kind", () => {
    expect(pairs("R5", "R7 R7 K1 K1")).toEqual(["R7 R7", "K1 K1"]);
    expect(pairs("R5", "R7 *")).toEqual(["R7 *R7"]);
    expect(pairs("R5", "* B9")).toEqual(["B9 *B9"]);
    expect(pairs("R5", "F F")).toEqual(["F F"]);
    expect(pairs("R5", "R7 Y7")).toEqual([]);
    expect(pairs("R5", "R7 R7 R7")).toHaveLength(1);
  });

  it("pairs two okeys", () => {
    expect(pairs("R5", "* *")).toHaveLength(1);
  });

  it("pairs the indicator's announced twin with any tile, once", () => {
    const row = ["B12", "R9", "Y3", "R1", "R1"];
    expect(pairsIn([row], "B13", "B12").points).toBe(2);
    expect(pairsIn([row], "B13").points).toBe(1);
    expect(pairsIn([["Y3", "B12"]], "B13", "B12").groups[0]?.text).toBe("Y3 B12");
    expect(pairsIn([["B12", "F"]], "B13", "B12").points).toBe(1);
    expect(pairsIn([["*", "B12"]], "B13", "B12").groups[0]?.text).toBe("B12 *B12");
    // Whoever drew the indicator itself to finish holds both.
    expect(
      pairsIn(
        [
          ["B12", "R9"],
          ["Y3", "B12"],
        ],
        "B13",
        "B12",
      ).points,
    ).toBe(1);
  });
});
