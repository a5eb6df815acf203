import { cleanup, render } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import Fair from "../src/components/Fair.svelte";
import type { Game } from "../src/lib/game.svelte";
import { texts } from "../src/lib/i18n.svelte";
import { look } from "../src/lib/publicLog";
import { Witness } from "../src/lib/witness";

vi.mock(import("../src/lib/publicLog"), () => ({
  entriesOf: () => [],
  look: vi.fn(() => Promise.resolve("same" as const)),
}));

const MINUTE = 60_000;
const HERE = Date.UTC(2026, 10, 27, 12);

beforeEach(async () => {
  await texts.use("en");
  await texts.learn("fair", "server", "game");
  vi.useFakeTimers({ now: HERE, toFake: ["Date"] });
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.mocked(look).mockClear();
});

it.each([
  [-8, 1, 0, true],
  [8, 1, 0, true],
  [0, 1, 0, true],
  [0, 9, 0, false],
  [8, 9, 0, false],
  [0, 1, 59, true],
  [0, 1, 61, false], // whatever the server says of its end
])(
  "on a device %i min from the server's clock, a match of %i min ago, seen %i min ago, is recent: %s",
  async (off, ago, seen, recent) => {
    const at = seen && HERE - seen * MINUTE;
    vi.spyOn(Witness, "of").mockResolvedValue({ at, seen: () => null } as unknown as Witness);
    const server = HERE - off * MINUTE;
    vi.stubGlobal("fetch", () => {
      const headers = { Date: new Date(server).toUTCString() };
      const record = { rules: {}, deals: [{ actions: [], hands: [] }] };
      return Promise.resolve(new Response(JSON.stringify(record), { headers }));
    });
    const match = { seat: 0, finished_ms: server - ago * MINUTE };
    const { container } = render(Fair, { past: { id: "m-1", deal: 0, match }, deals: 1 });
    await vi.waitFor(() => expect(container.querySelector(".ask")).not.toBeNull());
    container.querySelector<HTMLElement>(".ask")?.click();
    await vi.waitFor(() => expect(look).toHaveBeenCalled());
    expect(vi.mocked(look).mock.calls[0]).toEqual([[], recent, "m-1"]);
  },
);

it.each([
  ["differs", "nothing", { 0: {} }, undefined],
  ["none", "nothing", {}, undefined],
  ["differs", "what can't be read", {}, { context: {} }],
])(
  "tells '%s' of a deal that tells %s, by the seals that were shown",
  async (state, _, rounds, fair) => {
    const witness = { seen: () => ({ rounds }) } as unknown as Witness;
    vi.spyOn(Witness, "of").mockResolvedValue(witness);
    const record = { rules: {}, deals: [{ actions: [], hands: [], fair }] };
    vi.stubGlobal("fetch", () => Promise.resolve(Response.json(record)));
    const match = { seat: 0, finished_ms: HERE };
    // At a table of a day what a deal came from is told once the day is closed.
    const day = state === "none" ? "2026-11-27" : undefined;
    const table = { match: 1, commitment: {}, options: {}, day };
    const game = {
      id: "m",
      table,
      deal: { number: 0, result: {}, end: { hands: [], fair } },
      witness,
    } as unknown;
    for (const props of [{ game: game as Game }, { past: { id: "m-1", deal: 0, match } }]) {
      const { container } = render(Fair, { ...props, deals: 1 });
      await vi.waitFor(() => expect(container.querySelector(`.ask.${state}`)).not.toBeNull());
      expect(container.textContent).not.toContain("Then you");
    }
  },
);
