import { describe, expect, it } from "vitest";

import { feltLayout, FRAME, RATIO, SMALLEST, type Laid, type Layout } from "../src/lib/feltLayout";

const COLOURS = ["R", "Y", "B", "K"];

function run(colour: string, from: number, to: number): Laid {
  const tiles = Array.from({ length: to - from + 1 }, (_, index) => `${colour}${from + index}`);
  return { form: "run", tiles: tiles.join(" ") };
}

function set(number: number, count = 4): Laid {
  const tiles = COLOURS.slice(0, count).map((colour) => `${colour}${number}`);
  return { form: "set", tiles: tiles.join(" ") };
}

function pair(number: number): Laid {
  return { form: "pair", tiles: `K${number} K${number}` };
}

/** 26 melds and 4 pairs: all 105 tiles that can lie. */
const SETS = [...Array(26).keys()].map((n) => set((n % 13) + 1, n < 19 ? 4 : 3));
const EVERYTHING: [string, Laid[]][] = [
  ["sets", [...SETS, pair(1), pair(2), pair(3), pair(4)]],
  ["long runs", [...COLOURS, ...COLOURS].map((colour, n) => run(colour, 1, n < 7 ? 13 : 12))],
  [
    "runs of all lengths",
    COLOURS.flatMap((c) => [
      run(c, 1, 8),
      run(c, 9, 13),
      run(c, 1, 5),
      run(c, 6, 8),
      run(c, 9, 13),
    ]),
  ],
  ["pairs", [...SETS.slice(0, 13), ...[...Array(26).keys()].map((n) => pair((n % 13) + 1))]],
];
/** The felt of a small phone in both positions, of a phone, a tablet and desktops. */
const BOXES: [number, number][] = [
  [455, 158],
  [345, 318],
  [600, 205],
  [380, 420],
  [700, 560],
  [900, 430],
  [1300, 560],
];

function faults({ tile, places, box }: Layout, groups: readonly Laid[]): string[] {
  const found: string[] = [];
  if (places.length !== groups.length) found.push("something has no place");
  for (const [one, a] of places.entries()) {
    const count = groups[one]?.tiles.split(" ").length ?? 0;
    const rows = Math.ceil(count / a.line);
    if (a.width !== Math.min(a.line, count) * tile + 2 * FRAME) found.push(`width of ${one}`);
    if (a.height !== rows * Math.ceil(tile * RATIO) + 2 * FRAME) found.push(`height of ${one}`);
    if (rows > 1 && count - (rows - 1) * a.line < 3) found.push(`${one} ends in no run`);
    if (a.x < 0 || a.y < 0 || a.x + a.width > box.width || a.y + a.height > box.height)
      found.push(`${one} is outside`);
    for (const [other, b] of places.entries()) {
      if (other <= one) continue;
      const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
      const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
      if (across > 0 && down > 0) found.push(`${one} lies on ${other}`);
    }
  }
  return found;
}

describe("feltLayout", () => {
  for (const [width, height] of BOXES)
    for (const [name, groups] of EVERYTHING)
      it(`shows all that can lie: ${name} on ${width}x${height}`, () => {
        const layout = feltLayout({ width, height }, groups);
        expect(layout.tile).toBeGreaterThanOrEqual(SMALLEST);
        expect(faults(layout, groups)).toEqual([]);
      });

  it("makes tiles as large as they may be where little lies", () => {
    const groups = [set(5), run("R", 1, 3)];
    expect(feltLayout({ width: 900, height: 400 }, groups).tile).toBe(54);
    expect(feltLayout({ width: 900, height: 400 }, groups, 30).tile).toBe(30);
    expect(feltLayout({ width: 300, height: 130 }, groups).tile).toBeGreaterThan(30);
  });

  it("puts sets and runs in columns, by colour and number", () => {
    const groups = [run("K", 1, 3), set(9), run("R", 5, 8), set(2)];
    const { places } = feltLayout({ width: 700, height: 400 }, groups);
    const at = (index: number): number => 1000 * (places[index]?.y ?? 0) + (places[index]?.x ?? 0);
    expect(at(3)).toBeLessThan(at(1));
    expect(at(1)).toBeLessThan(at(2));
    expect(at(2)).toBeLessThan(at(0));
  });

  it("lays short runs side by side on a tablet, with room for a tile beside each", () => {
    const groups = ["R", "Y", "B", "K"].map((colour) => run(colour, 4, 7));
    const before = feltLayout({ width: 752, height: 648 }, groups);
    expect([before.tile, new Set(before.places.map(({ y }) => y)).size]).toEqual([54, 2]);
    const grown = groups.map((_, at) => run(COLOURS[at] ?? "", 4, 8));
    const after = feltLayout(before.box, grown, undefined, before);
    expect(after.places.map(({ x, y }) => [x, y])).toEqual(before.places.map(({ x, y }) => [x, y]));
    expect(faults(after, grown)).toEqual([]);
  });

  it("moves nothing else when a group grows", () => {
    let groups: Laid[] = [run("R", 4, 6), set(9, 3), run("B", 1, 3), set(2, 3), pair(7)];
    const box = { width: 700, height: 260 };
    let layout = feltLayout(box, groups);
    for (const [index, grown] of [
      [0, run("R", 4, 7)],
      [1, set(9)],
      [0, run("R", 3, 7)],
      [0, run("R", 1, 8)],
      [2, run("B", 1, 5)],
    ] as [number, Laid][]) {
      const before = layout;
      groups = groups.map((group, at) => (at === index ? grown : group));
      layout = feltLayout(box, groups, undefined, before);
      expect(faults(layout, groups)).toEqual([]);
      expect(layout.tile).toBe(before.tile);
      for (const [at, place] of layout.places.entries())
        if (at !== index) expect(place).toEqual(before.places[at]);
    }
  });

  it("gives what is new a free place while there is one", () => {
    const box = { width: 600, height: 210 };
    const groups = [set(9), run("B", 1, 3)];
    const before = feltLayout(box, groups, 36);
    const layout = feltLayout(box, [...groups, set(1), pair(3)], 36, before);
    expect(layout.tile).toBe(before.tile);
    expect(layout.places.slice(0, 2)).toEqual(before.places);
  });

  /** How many groups that lay there before have another place. */
  function moved(before: Layout, after: Layout): number {
    return before.places.filter(({ x, y }, at) => {
      const now = after.places[at];
      return before.tile !== after.tile || now?.x !== x || now.y !== y;
    }).length;
  }

  it("lets the fewest others make room where no free place is wide enough", () => {
    const box = { width: 400, height: 100 };
    // Two half-filled rows: pairs stand in the way of a run in both.
    const groups = [set(1), pair(1), set(2), pair(2)];
    let layout = feltLayout(box, groups, 24);
    const grown = [run("R", 1, 7)];
    const before = layout;
    const more = [...groups, ...grown];
    layout = feltLayout(box, more, 24, before);
    expect(faults(layout, more)).toEqual([]);
    expect(layout.tile).toBe(before.tile);
    expect(moved(before, layout)).toBeLessThanOrEqual(2);
  });

  it("gives up room to grow before it moves what lies", () => {
    const box = { width: 380, height: 252 };
    const first = [run("R", 6, 8), run("Y", 6, 9), run("Y", 11, 13), run("K", 10, 13)];
    const second = [set(9, 3), run("R", 11, 13), run("Y", 10, 12), run("B", 1, 3)];
    let before = feltLayout(box, first);
    for (let count = 1; count <= second.length; count++) {
      const groups = [...first, ...second.slice(0, count)];
      const layout = feltLayout(box, groups, undefined, before);
      expect(faults(layout, groups)).toEqual([]);
      expect(layout.tile).toBe(before.tile);
      expect(layout.places.slice(0, -1)).toEqual(before.places);
      before = layout;
    }
  });

  it("keeps every column and row where tiles have to become smaller", () => {
    const box = { width: 600, height: 210 };
    let groups: Laid[] = [];
    let layout = feltLayout(box, groups);
    let smaller = 0;
    for (const more of SETS) {
      const before = layout;
      groups = [...groups, more];
      layout = feltLayout(box, groups, undefined, before);
      expect(faults(layout, groups)).toEqual([]);
      if (layout.tile < before.tile && layout.cells && before.cells) {
        const at = (cells: Layout["cells"]): number[][] =>
          (cells ?? []).map(({ row, column }) => [row, column]);
        const stayed = at(before.cells).filter(
          (one, index) => String(at(layout.cells)[index]) === String(one),
        ).length;
        if (stayed === before.cells.length) smaller += 1;
      }
    }
    expect(smaller).toBeGreaterThan(2);
  });

  it("moves little while a whole table comes to lie, and keeps all in sight", () => {
    for (const [width, height] of BOXES)
      for (const [, all] of EVERYTHING) {
        let groups: Laid[] = [];
        let layout = feltLayout({ width, height }, groups);
        let anew = 0;
        for (const more of all) {
          const before = layout;
          groups = [...groups, more];
          layout = feltLayout({ width, height }, groups, undefined, before);
          expect(faults(layout, groups)).toEqual([]);
          expect(layout.tile).toBeGreaterThanOrEqual(SMALLEST);
          // Where columns take too much room, or lines, all is packed anew: once each.
          if (layout.tile === before.tile && moved(before, layout) > 3) anew += 1;
          if (layout.cells && layout.tile === before.tile) expect(anew).toBe(0);
        }
        expect(anew).toBeLessThan(3);
      }
  });

  it("stays when a line of the rack falls away and gives the felt more height", () => {
    const groups = [set(9), run("B", 1, 3), set(1), pair(3), run("K", 4, 9), run("R", 4, 9)];
    const before = feltLayout({ width: 500, height: 180 }, groups);
    const higher = feltLayout({ width: 500, height: 200 }, groups, undefined, before);
    expect(moved(before, higher)).toBe(0);
    const highest = feltLayout({ width: 500, height: 420 }, groups, undefined, higher);
    expect(highest.tile).toBeGreaterThan(before.tile);
    const lower = feltLayout({ width: 500, height: 170 }, groups, undefined, highest);
    expect(faults(lower, groups)).toEqual([]);
  });

  it("shows a run that is longer than the line as two", () => {
    const { places } = feltLayout({ width: 250, height: 300 }, [run("Y", 1, 13)]);
    expect(places[0]?.line).toBeLessThan(13);
    expect(13 - (places[0]?.line ?? 0)).toBeGreaterThanOrEqual(3);
  });

  it("has no place where there is no group, and scrolls where there is no room", () => {
    expect(feltLayout({ width: 300, height: 100 }, []).places).toEqual([]);
    const { tile, places } = feltLayout({ width: 150, height: 20 }, SETS);
    expect(tile).toBe(SMALLEST);
    expect(places).toHaveLength(SETS.length);
    const long = feltLayout({ width: 300, height: 40 }, [run("R", 5, 11), set(1), set(2), set(3)]);
    expect(long.places[0]).toMatchObject({ y: 0, line: 7 });
  });
});
