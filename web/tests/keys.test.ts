import { expect, it, vi } from "vitest";

import type { Game } from "../src/lib/game.svelte";
import { pressed } from "../src/lib/keys";
import type { Hand } from "../src/lib/pointer.svelte";
import type { Moves } from "../src/lib/tableActions.svelte";

it.each([
  ["R1", ["lay R10 > 2", "lay R1 > 3"], ["R1", 3]],
  ["R1", ["lay R10 > 2"], null],
  ["*", ["lay R10 > 2", "lay *R5 > 1"], ["*", 1]],
])("lays off %s itself, of %j", (tile, lays, laid) => {
  const layOff = vi.fn();
  const layAll = vi.fn();
  const game = { options: { lays } } as unknown as Game;
  const moves = { tileAt: () => tile, layOff, layAll } as unknown as Moves;
  expect(pressed("l", "slot:0", game, moves, { held: null } as Hand)).toBe(true);
  expect(layOff.mock.calls).toEqual(laid ? [laid] : []);
  expect(layAll).toHaveBeenCalledTimes(laid ? 0 : 1);
});

it.each(["", "stock", "slot:0"])(
  "turns over the tile that the focus is on, with it on %j",
  (place) => {
    const flip = vi.fn();
    const game = { slots: [{ id: "R7", tile: "R7" }], flip } as unknown as Game;
    const moves = { tileAt: () => "R7" } as unknown as Moves;
    pressed("f", place, game, moves, { held: null } as Hand);
    expect(flip).toHaveBeenCalledTimes(place === "slot:0" ? 1 : 0);
  },
);
