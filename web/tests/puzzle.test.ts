import { cleanup, fireEvent, render } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { api, ApiError, type DealAnswer, type MatchLine, type Me } from "../src/lib/api";
import { dueMistakes } from "../src/lib/dueMistakes";
import { texts } from "../src/lib/i18n.svelte";
import type { Decision, PositionAnswer, PuzzleAnswer } from "../src/lib/answers";
import { me } from "../src/lib/me.svelte";
import { OFFLINE } from "../src/lib/refusal";
import { router } from "../src/lib/router.svelte";
import { Story } from "../src/lib/story.svelte";
import Position from "../src/screens/Position.svelte";
import Puzzle from "../src/screens/Puzzle.svelte";
import { DEAL, settled } from "./fakes";

const mistake = (match: string) => ({ match, deal: 0, action: 1, due: 0, mended: 0 });

/** A puzzle, the only one that there is. */
const puzzles = (number = ""): Promise<PuzzleAnswer> => {
  const best = { action: "draw", verb: "draw", tile: "", tiles: "", points: null };
  const lost = (mean: number) => ({ loss: { mean, low: mean, high: mean } });
  const weighed = [
    { ...best, ...lost(0) },
    { ...best, ...lost(5), action: "take", verb: "take" },
  ];
  const decision = { action: 0, played: best, best, weighed, loss: {} } as unknown as Decision;
  const puzzle = { number: 4, theme: "taking", rules: {}, deal: DEAL, hand: "R7", decision };
  return Promise.resolve((number === "/4" ? puzzle : { themes: { taking: [4] } }) as PuzzleAnswer);
};

beforeEach(async () => {
  router.go("/puzzle");
  await texts.use("en");
  await texts.learn("review", "server", "game");
  const due = ["m-1", "m-2", "m-3"].map(mistake);
  localStorage.setItem("okey101.mistakes", JSON.stringify(due));
  vi.spyOn(api, "puzzles").mockResolvedValue({ themes: {} });
  vi.spyOn(api, "deal").mockReturnValue(new Promise(() => undefined));
  vi.spyOn(api, "askReview").mockReturnValue(new Promise(() => undefined));
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  localStorage.clear();
  sessionStorage.clear();
});

it.each([
  [0, "offline", 3],
  [401, "unauthorised", 3],
  [429, "rate-limited", 3],
  [503, "draining", 3],
  [404, "no-match", 0],
])(
  "with %i, %s, for an answer leaves so many mistakes to be asked: %i",
  async (status, code, left) => {
    const asked = vi.spyOn(api, "match");
    const details = { limit: "replays", seconds: 9 };
    asked.mockRejectedValue(new ApiError(status, { ...OFFLINE, code, details }));
    render(Puzzle);
    await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(3 - left || 1));
    await new Promise((go) => setTimeout(go, 20));
    expect(dueMistakes().length).toBe(left);
  },
);

it("asks for a position while a mistake can't be shown", async () => {
  vi.spyOn(api, "puzzles").mockImplementation(puzzles);
  vi.spyOn(api, "match").mockRejectedValue(new ApiError(503, OFFLINE));
  const { container } = render(Puzzle);
  await vi.waitFor(() => expect(container.querySelectorAll(".screen").length).toBe(1));
});

it("leads on where there is no position of the number, and knows the theme again", async () => {
  localStorage.clear();
  const none = new ApiError(404, { ...OFFLINE, code: "no-puzzle" });
  const asked = vi.spyOn(api, "puzzles");
  asked.mockImplementation((number = "") =>
    ["/999", "/7"].includes(number) ? Promise.reject(none) : puzzles(number),
  );
  location.hash = "#999";
  const { container } = render(Puzzle);
  await vi.waitFor(() => expect(container.querySelectorAll(".screen").length).toBe(1));
  expect(location.hash).toBe("#4");
  location.hash = "#7";
  await vi.waitFor(() => expect(location.hash).toBe("#4"));
  expect(container.querySelectorAll(".screen").length).toBe(1);
  const theme = (): HTMLSelectElement => document.querySelector("select") as HTMLSelectElement;
  expect(theme().value).toBe("");
  await fireEvent.change(theme(), { target: { value: "taking" } });
  cleanup();
  render(Puzzle);
  await vi.waitFor(() => expect(theme()?.value).toBe("taking"));
});

it("follows the address to another position", async () => {
  localStorage.clear();
  const asked = vi.spyOn(api, "puzzles").mockImplementation(puzzles);
  const { container } = render(Puzzle);
  await vi.waitFor(() => expect(container.querySelectorAll(".screen").length).toBe(1));
  asked.mockRejectedValue(new ApiError(404, OFFLINE));
  location.hash = "#7";
  await vi.waitFor(() => expect(asked).toHaveBeenCalledWith("/7"));
});

it("leads to another position, and tells the answer, which is not rated", async () => {
  localStorage.clear();
  vi.spyOn(api, "puzzles").mockImplementation(async (number = "") => ({
    ...(await puzzles("/4")),
    themes: { taking: [4, 5] },
    number: Number(number.slice(1)),
  }));
  const rated = vi.spyOn(api, "answerPuzzle");
  me.user = { id: "u-1", name: "Ada" } as Me;
  const { container, findByText, queryByText } = render(Puzzle);
  await findByText(texts.say("puzzle-choices"));
  const first = location.hash;
  await fireEvent.click(await findByText(texts.say("puzzle-skip")));
  await vi.waitFor(() =>
    expect(["#4", "#5"].filter((one) => one !== first)).toContain(location.hash),
  );
  await fireEvent.click(await findByText(texts.say("puzzle-give")));
  const said = container.querySelector(".coach [role=status]")?.textContent;
  expect(said).toBe(texts.say("puzzle-shown", { best: "draw from the stock" }));
  const kept = JSON.parse(localStorage.getItem("okey101.puzzles") ?? "") as object;
  expect([Object.values(kept), rated.mock.calls]).toEqual([[false], []]);
  expect(queryByText(texts.say("puzzle-give"))).toBeNull();
  me.user = null;
});

it("says on which group the best lays a tile that several take", async () => {
  localStorage.clear();
  const lay = { verb: "lay" as const, tile: "R7", tiles: "", points: 0 };
  const weighed = [0, 5].map((mean, at) => ({
    ...{ ...lay, action: `lay R7 > ${at + 1}` },
    loss: { mean, low: mean, high: mean },
  }));
  const groups = ["R4 R5 R6", "Y7 B7 K7"].map((tiles) => ({ form: "run", owner: 1, tiles }));
  vi.spyOn(api, "puzzles").mockImplementation(async (number = "") => {
    const found = await puzzles(number);
    if (number === "") return found;
    const decision = { ...found.decision, best: weighed[0], weighed };
    return { ...found, deal: { ...DEAL, groups }, decision } as PuzzleAnswer;
  });
  const { findByText } = render(Puzzle);
  await fireEvent.click(await findByText(texts.say("puzzle-give")));
  await findByText(/lay off red 7 \(red 4, red 5, red 6\)/);
});

it("keeps what was answered in another window meanwhile", async () => {
  localStorage.clear();
  vi.spyOn(api, "puzzles").mockImplementation(puzzles);
  const shown = vi.spyOn(Story.prototype, "show");
  render(Puzzle);
  await vi.waitFor(() => expect(shown).toHaveBeenCalled());
  localStorage.setItem("okey101.puzzles", '{"9":false}');
  await (shown.mock.contexts[0] as Story).command({ type: "act", action: "draw" });
  await vi.waitFor(() =>
    expect(JSON.parse(localStorage.getItem("okey101.puzzles") ?? "")).toEqual({
      4: true,
      9: false,
    }),
  );
});

it("asks a mistake again another time while its match is reviewed anew", async () => {
  vi.spyOn(api, "puzzles").mockImplementation(puzzles);
  vi.spyOn(api, "match").mockResolvedValue({ seat: 0 } as MatchLine);
  vi.spyOn(api, "deal").mockResolvedValue({} as DealAnswer);
  vi.mocked(api.askReview).mockResolvedValue({ state: "waiting" });
  const { container } = render(Puzzle);
  await vi.waitFor(() => expect(container.querySelectorAll(".screen").length).toBe(1));
  expect(dueMistakes().length).toBe(3);
});

it("takes one answer, however the tiles are moved afterwards", async () => {
  localStorage.clear();
  vi.spyOn(api, "puzzles").mockImplementation(puzzles);
  const shown = vi.spyOn(Story.prototype, "show");
  const { container } = render(Puzzle);
  await vi.waitFor(() => expect(shown).toHaveBeenCalled());
  const { game } = shown.mock.contexts[0] as Story;
  const said = (): string => container.querySelector(".coach [role=status]")?.textContent ?? "";
  await game.act("take");
  await vi.waitFor(() => expect(said()).toContain("5.0"));
  await expect(game.act("draw")).rejects.toThrow(texts.say("page-replay-look"));
  await settled();
  expect(said()).toContain("5.0");
});

it.each([
  ["puzzle", Puzzle],
  ["position", Position],
])("of %s, what comes late leaves the address of another screen alone", async (name, screen) => {
  localStorage.clear();
  let answer: (of: unknown) => void = () => undefined;
  const late = new Promise((done) => (answer = done));
  const position = vi.spyOn(api, "position").mockReturnValue(late as Promise<never>);
  const asked = name === "position" ? position : vi.mocked(api.puzzles);
  asked.mockReturnValue(late as Promise<never>);
  router.go(`/${name}#4`);
  render(screen);
  await vi.waitFor(() => expect(asked.mock.calls.length).toBe(1));
  router.go("/rules");
  answer({ ...(await puzzles("/4")), themes: {}, hands: [] });
  await new Promise((go) => setTimeout(go, 20));
  expect(location.hash).toBe("");
});

it("shows the position that was asked for last, whichever answer comes first", async () => {
  const answer = { deal: { ...DEAL, stock: 57 }, hands: [] } as unknown as PositionAnswer;
  let late: (of: PositionAnswer) => void = () => undefined;
  const first = new Promise<PositionAnswer>((done) => (late = done));
  const asked = vi.spyOn(api, "position");
  asked.mockImplementation((line) => (line === "4" ? first : Promise.resolve(answer)));
  router.go("/position#4");
  const { container } = render(Position);
  await vi.waitFor(() => expect(asked).toHaveBeenCalledWith("4"));
  location.hash = "5";
  await vi.waitFor(() => expect(container.textContent).toContain("57"));
  late({ ...answer, deal: { ...answer.deal, stock: 34 } });
  await new Promise((go) => setTimeout(go, 20));
  expect([container.textContent?.includes("57"), location.hash]).toEqual([true, "#5"]);
});
