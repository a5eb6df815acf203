import { cleanup, render } from "@testing-library/svelte";
import { afterEach, expect, it, vi } from "vitest";

import HintCard from "../src/components/HintCard.svelte";
import type { Game } from "../src/lib/game.svelte";
import { texts } from "../src/lib/i18n.svelte";
import type { Hand } from "../src/lib/pointer.svelte";
import type { Answer } from "../src/lib/protocol";
import type { Moves } from "../src/lib/tableActions.svelte";

afterEach(cleanup);

it.each([
  ["lay *R5 > 1", "slot:1"],
  ["discard R7", "slot:0"],
])("lifts the tile that %s is about", async (action, place) => {
  await texts.use("en");
  await texts.learn("hint");
  const hold = vi.fn();
  const slots = [{ tile: "R7" }, { tile: "*" }];
  const game = { slots, okey: "B6", opened: "melds", myTurn: true } as unknown as Game;
  const moves = { whisper: vi.fn(), unsay: vi.fn() } as unknown as Moves;
  const answer = { what: "hint", action } as Answer;
  const hand = { hold } as unknown as Hand;
  render(HintCard, { game, moves, hand, answer, opening: vi.fn(), close: vi.fn() });
  expect(hold.mock.calls).toEqual([[place]]);
});
