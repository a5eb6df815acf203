import { describe, expect, it } from "vitest";

import {
  arranged,
  emptySlots,
  gathered,
  linesFor,
  moved,
  parted,
  reconciled,
  rowsOf,
  SHELF,
  SLOTS,
} from "../src/lib/rack";
import type { Slots } from "../src/lib/rack";

function rack(...tiles: string[]): Slots {
  return reconciled(emptySlots(), tiles.join(" "));
}

function shown(slots: Slots, count = 8): string {
  return slots
    .slice(0, count)
    .map((slot) => slot?.tile ?? "-")
    .join(" ");
}

describe("reconciled", () => {
  it("lays a new tile behind the groups, not between them", () => {
    const groups = [...emptySlots()];
    rack("R1", "R2", "R3").forEach((slot, at) => slot && (groups[at] = slot));
    rack("B5", "Y5", "K5").forEach((slot, at) => slot && (groups[at + 4] = slot));
    const hand = "R1 R2 R3 B5 Y5 K5";
    expect(reconciled(groups, `${hand} K9`)[7]?.tile).toBe("K9");
    groups[16] = { id: "K9.1", tile: "K9" };
    expect(reconciled(groups, `${hand} K9 K10`)[17]?.tile).toBe("K10");
    const full = reconciled(emptySlots(), Array<string>(16).fill("R1").join(" "));
    expect(reconciled(full, [...Array<string>(16).fill("R1"), "B9"].join(" "))[16]?.tile).toBe(
      "B9",
    );
  });

  it("fills the first free slots and names twins apart", () => {
    const slots = rack("R7", "R7", "K1");
    expect(shown(slots, 4)).toBe("R7 R7 K1 -");
    expect(new Set(slots.slice(0, 3).map((slot) => slot?.id)).size).toBe(3);
  });

  it("leaves a gap where a tile went, and everything else in its place", () => {
    expect(shown(reconciled(rack("R1", "R2", "R3"), "R1 R3"), 4)).toBe("R1 - R3 -");
  });

  it("gives away the one of two twins that was meant", () => {
    const twins = rack("R7", "K1", "R7");
    const left = (given?: string) =>
      shown(reconciled(twins, "R7 K1", null, 16, 32, twins[Number(given)]?.id ?? null), 4);
    expect(left("0")).toBe("- K1 R7 -");
    expect(left("2")).toBe("R7 K1 - -");
    expect(shown(reconciled(twins, "R7 K1 R7", null, 16, 32, twins[0]?.id), 4)).toBe("R7 K1 R7 -");
  });

  it("lays a new tile where the rack shows it, and beside one group at most", () => {
    const two = [...emptySlots()];
    for (const at of [0, 1, 2, 4, 5, 6, 7]) two[at] = { id: `R${at + 1}.1`, tile: `R${at + 1}` };
    const hand = two.flatMap((slot) => (slot ? [slot.tile] : [])).join(" ");
    expect(reconciled(two, `${hand} K9`, null, 8, 8)[8]?.tile).toBe("K9");
    two[3] = two[4] ?? null;
    two[4] = null;
    two[5] = null;
    expect(reconciled(two, hand.replace("R6 ", "") + " K9", null, 8, 8)[5]?.tile).toBe("K9");
  });

  it("puts a drawn tile where it was dropped", () => {
    expect(shown(reconciled(rack("R1"), "R1 B9", 5))).toBe("R1 - - - - B9 - -");
  });

  it("inserts a drawn tile that was dropped on another", () => {
    expect(shown(reconciled(rack("R1", "R2", "R3"), "R1 R2 R3 B9", 1))).toBe("R1 B9 R2 R3 - - - -");
  });

  it("holds 22 tiles and no more than the hand has", () => {
    const hand = Array.from({ length: 22 }, (_, index) => `Y${(index % 13) + 1}`).join(" ");
    expect(reconciled(emptySlots(), hand).filter(Boolean)).toHaveLength(22);
    expect(reconciled(reconciled(emptySlots(), hand), "").filter(Boolean)).toHaveLength(0);
  });
});

describe("moved", () => {
  it("goes to a free slot", () => {
    expect(shown(moved(rack("R1", "R2"), 0, 4))).toBe("- R2 - - R1 - - -");
  });

  it("inserts and shifts towards the nearest gap", () => {
    expect(shown(moved(rack("R1", "R2", "R3", "R4"), 3, 0))).toBe("R4 R1 R2 R3 - - - -");
    expect(shown(moved(rack("R1", "R2", "R3", "R4"), 0, 2))).toBe("R2 R3 R1 R4 - - - -");
  });

  it("changes nothing when nothing is moved", () => {
    const slots = rack("R1");
    expect(moved(slots, 3, 4)).toBe(slots);
    expect(moved(slots, 0, 0)).toBe(slots);
    expect(moved(slots, 0, SLOTS)).toBe(slots);
  });

  it("never loses a tile", () => {
    let slots = rack(...Array.from({ length: 22 }, (_, index) => `B${(index % 13) + 1}`));
    const ids = slots.flatMap((slot) => slot?.id ?? []).sort();
    for (let step = 0; step < 400; step++) {
      slots = moved(slots, (step * 7) % SLOTS, (step * 13 + 5) % SLOTS);
    }
    expect(slots.flatMap((slot) => slot?.id ?? []).sort()).toEqual(ids);
  });
});

describe("parted", () => {
  it("shows where tiles will lie once another is let go", () => {
    const slots = rack("R1", "R2", "R3", "R4");
    const after = moved(slots, 3, 1, SLOTS);
    expect(after.map((slot) => slot?.id)).toEqual(
      slots.map((_, at) => [...parted(slots, 3, 1, SLOTS)].find(([, to]) => to === at)?.[0]),
    );
  });

  it("makes room for a drawn tile where it will be inserted", () => {
    const slots = rack("R1", "R2", "R3");
    const after = reconciled(slots, "R1 R2 R3 B9", 1);
    for (const [id, to] of parted(slots, -1, 1, SLOTS)) if (id) expect(after[to]?.id).toBe(id);
    expect(parted(slots, -1, 1, SLOTS).get("R2.1")).toBe(2);
  });
});

describe("rows", () => {
  it("end at gaps and at the end of a shelf", () => {
    const slots = [...emptySlots()];
    for (const at of [0, 1, 3, SHELF - 1, SHELF]) slots[at] = { id: `${at}`, tile: `R${at + 1}` };
    expect(rowsOf(slots)).toEqual([["R1", "R2"], ["R4"], ["R16"], ["R17"]]);
  });
});

describe("arranged", () => {
  it("sets groups apart and keeps every tile", () => {
    const slots = rack("R1", "B9", "R2", "K4", "R3");
    const next = arranged(slots, [["R1", "R2", "R3"]], ["K4", "B9"], "R5");
    expect(rowsOf(next)[0]).toEqual(["R1", "R2", "R3"]);
    expect(rowsOf(next).flat().sort()).toEqual(["B9", "K4", "R1", "R2", "R3"]);
  });

  it("finds room for eight groups of three, without gaps if need be", () => {
    const groups = Array.from({ length: 7 }, (_, index) =>
      ["R", "Y", "B"].map((colour) => `${colour}${index + 1}`),
    );
    const slots = rack(...groups.flat(), "K13");
    const next = arranged(slots, groups, ["K13"], "R5");
    expect(next.filter(Boolean)).toHaveLength(22);
  });
});

describe("lines", () => {
  it("fall away where they are not needed", () => {
    const lines = (count: number, line: number): number =>
      linesFor(rack(...Array.from({ length: count }, () => "B1")), line);
    expect([0, 16, 17, 22].map((count) => lines(count, SHELF))).toEqual([1, 1, 2, 2]);
    expect([0, 6, 8, 13, 16, 18, 19, 22].map((count) => lines(count, 8))).toEqual([
      1, 1, 2, 2, 3, 3, 4, 4,
    ]);
    const apart = [...emptySlots()];
    apart[0] = { id: "a", tile: "R1" };
    apart[17] = { id: "b", tile: "R2" };
    expect(linesFor(apart, 8)).toBe(1);
    for (let count = 0; count < 22; count++) {
      const tiles = Array.from({ length: count }, () => "B1");
      expect(linesFor(rack(...tiles), 8, 1)).toBe(linesFor(rack(...tiles, "B1"), 8));
    }
  });

  it("never break what is arranged, and cut a run that is longer into two", () => {
    const run = Array.from({ length: 13 }, (_, index) => `K${index + 1}`);
    for (const lengths of [
      [13, 4, 5],
      [4, 5, 4, 5, 3],
      [7, 7, 7],
      [5, 3, 5, 3, 5],
      [3, 3, 3, 3, 3, 3, 3],
    ]) {
      const groups = lengths.map((length, at) =>
        length === 13 ? run : run.slice(0, length).map((tile) => "RYBRYBR"[at] + tile.slice(1)),
      );
      const rest = ["F", "F"].slice(0, 22 - groups.flat().length);
      const slots = arranged(rack(...groups.flat(), ...rest), groups, rest, "R5", 8, 32);
      const lines = [0, 8, 16, 24].map((at) =>
        slots
          .slice(at, at + 8)
          .map((slot) => slot?.tile ?? "-")
          .join(" "),
      );
      for (const group of groups) {
        const pieces = group.length > 8 ? [group.slice(0, 7), group.slice(7)] : [group];
        for (const piece of pieces)
          expect(
            lines.some((line) => line.includes(piece.join(" "))),
            `${piece} in ${lines}`,
          ).toBe(true);
      }
      expect(slots.filter(Boolean)).toHaveLength(groups.flat().length + rest.length);
    }
  });

  it("are left without losing a tile or parting what touches", () => {
    const slots = [...emptySlots()];
    for (const at of [0, 1, 2, 5, 17, 18, 19, 30])
      slots[at] = { id: `${at}`, tile: `R${(at % 13) + 1}` };
    const fewer = gathered(slots, SHELF, SHELF);
    expect(fewer.slice(SHELF).filter(Boolean)).toEqual([]);
    expect(rowsOf(fewer)).toEqual(rowsOf(slots));
    const full = gathered(rack(...Array.from({ length: 22 }, () => "B1")), 8, 24);
    expect(full.slice(0, 24).filter(Boolean)).toHaveLength(22);
  });
});
