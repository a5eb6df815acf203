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
