import { cleanup, render } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import Melds from "../src/components/Melds.svelte";
import SmallFelt from "../src/components/SmallFelt.svelte";
import { Game } from "../src/lib/game.svelte";
import { texts } from "../src/lib/i18n.svelte";
import { Hand } from "../src/lib/pointer.svelte";
import { DEAL, FakeSocket, view } from "./fakes";

beforeEach(async () => {
  await texts.use("en");
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(400);
  localStorage.clear();
  sessionStorage.clear();
  FakeSocket.all = [];
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

// Counted from oneself to the right: 0 below, 1 right, 2 above, 3 left, as the plates are.
it.each([
  [2, 0, [0, 2]],
  [2, 1, [2, 0]],
  [3, 0, [0, 1, 3]],
  [3, 2, [1, 3, 0]],
  [4, 3, [1, 2, 3, 0]],
])(
  "with %i players seat %i sees groups in the colours of the plates",
  async (count, seat, places) => {
    const game = new Game("t");
    FakeSocket.last.open();
    const told = view();
    const groups = Array.from({ length: count }, (_, owner) => {
      return { owner, form: "run" as const, tiles: `R${owner + 1} R${owner + 2} R${owner + 3}` };
    });
    FakeSocket.last.hear({
      ...told,
      table: { ...told.table, seats: told.table.seats.slice(0, count) },
      deal: { ...DEAL, groups },
      you: { seat, hand: "" },
    });
    const hand = new Hand({} as ConstructorParameters<typeof Hand>[0]);
    const { container } = render(Melds, { game, hand, targets: new Set<number>() });
    await vi.waitFor(() => expect(container.querySelectorAll(".group").length).toBe(count));
    const seen = [...container.querySelectorAll(".group")].map(({ className }) =>
      Number(/seat(\d)/.exec(className)?.[1]),
    );
    expect(seen).toEqual(places);
    game.close();
  },
);

it("shows every tile of a small felt with its number, an okey without a colour too", () => {
  const groups = ["R5 B5 *5", "*K9 K10 F"];
  const felt = { groups, sizes: [], tops: [], turn: 0, stock: 9, indicator: "R1" };
  const { container } = render(SmallFelt, { felt, words: "" });
  const shown = [...container.querySelectorAll("i")].map(
    ({ classList, dataset }) => `${classList[0]}${dataset.number}`,
  );
  expect(shown).toEqual(["R5", "B5", "K5", "K9", "K10", "K★"]);
});
