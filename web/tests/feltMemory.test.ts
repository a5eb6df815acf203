import { beforeEach, describe, expect, it } from "vitest";

import { feltLayout, type Laid } from "../src/lib/feltLayout";
import { FeltMemory } from "../src/lib/feltMemory";

const BOX = { width: 345, height: 318 };
const run = (tiles: string): Laid => ({ form: "run", tiles });
const set = (tiles: string): Laid => ({ form: "set", tiles });
/** As they are laid, one after the other; sorted, the last would be the first. */
const LAID = [run("K9 K10 K11"), run("B4 B5 B6"), set("R12 Y12 B12"), set("R2 Y2 B2")];

function grown(): FeltMemory {
  const memory = new FeltMemory();
  for (let count = 1; count <= LAID.length; count++)
    memory.layout("t 1 0", BOX, LAID.slice(0, count));
  return memory;
}

describe("how melds lie", () => {
  beforeEach(() => {
    sessionStorage.clear();
  });

  it("is the same after a reload, whatever size the felt has at first", () => {
    const places = grown().layout("t 1 0", BOX, LAID).places;
    expect(places).not.toEqual(feltLayout(BOX, LAID).places);
    const again = new FeltMemory();
    for (const height of [0, 200, 250, 300, 310])
      again.layout("t 1 0", { width: height && 345, height }, LAID);
    expect(again.layout("t 1 0", BOX, LAID).places).toEqual(places);
  });

  it("is the same after the screen was turned and turned back", () => {
    const memory = grown();
    const places = memory.layout("t 1 0", BOX, LAID).places;
    memory.layout("t 1 0", { width: 455, height: 158 }, LAID);
    const more = [...LAID, set("R7 Y7 B7")];
    expect(memory.layout("t 1 0", BOX, more).places.slice(0, LAID.length)).toEqual(places);
  });

  it("does not reach into another deal, nor trust what is not its own", () => {
    grown();
    const anew = feltLayout(BOX, LAID).places;
    expect(new FeltMemory().layout("t 1 1", BOX, LAID).places).toEqual(anew);
    for (const text of ["{", "null", "[1, 2]"]) {
      sessionStorage.setItem("okey101.felt", text);
      expect(new FeltMemory().layout("t 1 1", BOX, LAID).places).toEqual(anew);
    }
  });
});
