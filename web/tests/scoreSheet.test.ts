import { cleanup, render } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import ScoreSheet from "../src/components/ScoreSheet.svelte";
import type { Game } from "../src/lib/game.svelte";
import { texts } from "../src/lib/i18n.svelte";
import { OFFLINE } from "../src/lib/refusal";
import { Moves } from "../src/lib/tableActions.svelte";
import { begun, FakeSocket, view } from "./fakes";

let game: Game;
let moves: Moves;

beforeAll(() => texts.use("en").then(() => texts.refusals()));

beforeEach(() => {
  game = begun();
  moves = new Moves(game);
});

afterEach(() => {
  cleanup();
  game.close();
  vi.unstubAllGlobals();
});

/** A match of one deal that the player has finished. */
function shown(again: object | null = null): HTMLElement {
  const totals = [-101, 202, 30, 4];
  const sheet = totals.map((total, seat) => ({
    seat,
    base: total,
    factors: [],
    fines: 0,
    total,
  }));
  const over = view({ stage: "over" });
  const deals = [{ winner: 0, end: "finish", sheet, fines: [], counts: true }];
  const teams = [1313, -606];
  const scores = { ...over.table.scores, counted: 1, totals, teams, places: [1, 4, 3, 2], deals };
  FakeSocket.last.hear({ ...over, table: { ...over.table, scores, again } });
  const props = { game, moves, left: null, sit: vi.fn() };
  return render(ScoreSheet, props).container;
}

describe("between two deals", () => {
  it.each([
    [30, 12, "Next deal (12 seconds)", null],
    [0, 3000, "Next deal", "No clock runs at this table"],
  ])("counts down with a clock of %i, %i s before the next", (clock, left, button, told) => {
    const between = view({ stage: "dealing", options: { clock } });
    const deals = [{ winner: 0, end: "finish", sheet: [], fines: [], counts: true }];
    const scores = { ...between.table.scores, counted: 1, deals };
    FakeSocket.last.hear({ ...between, table: { ...between.table, scores } });
    const props = { game, moves: new Moves(game), left, sit: vi.fn() };
    const { container } = render(ScoreSheet, props);
    const main = container.querySelector(".main")?.textContent ?? "";
    expect(main.replace(/\s+/g, " ").trim()).toBe(button);
    if (told) expect(container.textContent).toContain(told);
    else expect(container.textContent).not.toContain("No clock runs");
  });
});

describe("the score sheet", () => {
  it("says who won the match, which is what the sound of the end says", () => {
    expect(shown().querySelector(".winner")?.textContent).toContain("You won");
  });

  it("says why a deal can't be played again once more", async () => {
    await texts.learn("review");
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("failed to fetch")));
    const sheet = shown({ match: "m-1", deal: 0, at: 3, scores: [0, 0, 0, 0] });
    const more = texts.say("page-again-more");
    const found = (): HTMLElement | undefined =>
      [...sheet.querySelectorAll("button")].find((one) => one.textContent === more);
    await vi.waitFor(() => expect(found()).toBeTruthy());
    found()?.click();
    await vi.waitFor(() => expect(moves.alarm).toBe(texts.error(OFFLINE)));
  });

  it("explains points below zero, and tells which column is one's own", () => {
    const sheet = shown();
    const [first, second] = sheet.querySelectorAll("tbody td");
    expect(first?.textContent).toMatch(/-101\s*finished/);
    expect(second?.textContent).not.toContain("finished");
    expect(sheet.querySelector(".how b")?.textContent).toMatch(/1313\D+-606/);
    expect(sheet.querySelector(".note")?.textContent).toContain("Fewest points win");
    expect([...sheet.querySelectorAll("thead .mine")].map((one) => one.textContent)).toEqual([
      "AyşeYou",
    ]);
  });
});
