import { fireEvent, render } from "@testing-library/svelte";
import { expect, it, vi } from "vitest";

import Actions from "../src/components/Actions.svelte";
import Rack from "../src/components/Rack.svelte";
import type { Game } from "../src/lib/game.svelte";
import { texts } from "../src/lib/i18n.svelte";
import { pressed } from "../src/lib/keys";
import type { Hand } from "../src/lib/pointer.svelte";
import { Moves } from "../src/lib/tableActions.svelte";
import { acted, begun, FakeSocket, view } from "./fakes";

it.each([
  ["R1", ["lay R10 > 2", "lay R1 > 3"], ["slot:0", "group:3"]],
  ["R1", ["lay R10 > 2"], null],
  ["*", ["lay R10 > 2", "lay *R5 > 1"], ["slot:0", "group:1"]],
])("lays off %s itself, of %j", (tile, lays, laid) => {
  const put = vi.fn();
  const layAll = vi.fn();
  const game = { options: { lays } } as unknown as Game;
  const moves = { tileAt: () => tile, put, layAll } as unknown as Moves;
  expect(pressed("l", "slot:0", game, moves, { held: null } as Hand)).toBe(true);
  expect(put.mock.calls).toEqual(laid ? [laid] : []);
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

it("leaves to the browser what another key makes of an arrow", async () => {
  await texts.use("en");
  const game = begun();
  FakeSocket.last.hear(view());
  const [moves, hand] = [new Moves(game), { held: null, dragged: null } as Hand];
  const rack = render(Rack, { game, hand, lit: new Set<string>() }).getByRole("grid");
  const bar = render(Actions, { game, moves, hand }).getByRole("toolbar");
  for (const place of [rack, bar])
    for (const more of ["altKey", "ctrlKey", "metaKey"])
      for (const key of ["ArrowLeft", "ArrowRight"]) {
        expect(await fireEvent.keyDown(place, { key })).toBe(false);
        expect(await fireEvent.keyDown(place, { key, [more]: true })).toBe(true);
      }
  game.close();
  vi.unstubAllGlobals();
});

it.each([0, 3])("throws the very tile that the focus is on, of twins: slot %i", (slot) => {
  const game = begun();
  FakeSocket.last.hear(view({ hand: "R7 B8 K9 R7" }));
  pressed("d", `slot:${slot}`, game, new Moves(game), {
    held: null,
    drop: () => undefined,
  } as Hand);
  const you = { seat: 0, hand: "B8 K9 R7", drawn: null };
  FakeSocket.last.hear(acted(8, 0, "discard R7", {}, { you }));
  expect(game.slots.flatMap((one, at) => (one ? [at] : []))).toEqual(
    [0, 1, 2, 3].filter((at) => at !== slot),
  );
  game.close();
  vi.unstubAllGlobals();
});
