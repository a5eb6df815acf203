import { cleanup, fireEvent, render } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { api, ApiError, type DealAnswer, type MatchLine } from "../src/lib/api";
import { texts } from "../src/lib/i18n.svelte";
import { OFFLINE } from "../src/lib/refusal";
import Replay from "../src/screens/Replay.svelte";
import { DEAL } from "./fakes";

const seats = ["Ayşe", "bot:greedy", "bot:greedy", "bot:greedy"];
const match = {
  id: "m-1",
  table: "m",
  number: 1,
  finished_ms: 0,
  preset: "",
  deals: 3,
  totals: [0, 0, 0, 0],
  places: [1, 2, 3, 4],
  seats,
  faces: seats.map(() => null),
  seat: 0,
} as MatchLine;

const told = (number: number): DealAnswer =>
  ({
    match: "m-1",
    number,
    rules: { preset: "altinstar" },
    players: null,
    deal: { ...DEAL, number, actions: [] },
    hands: ["R7 R8 R9", "", "", ""],
    steps: [],
    result: null,
    fair: null,
  }) as unknown as DealAnswer;

beforeEach(async () => {
  await texts.use("en");
  await texts.learn("review", "server", "game");
  vi.spyOn(api, "bots").mockRejectedValue(new ApiError(0, OFFLINE));
  vi.spyOn(api, "match").mockResolvedValue(match);
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it("stays where another deal does not come, and forgets that once one does", async () => {
  const asked = vi.spyOn(api, "deal");
  asked.mockImplementation((_, number) => Promise.resolve(told(number)));
  const { container } = render(Replay, { id: "m-1" });
  const seen = (): unknown[] => [
    container.querySelectorAll(".screen").length,
    container.querySelector<HTMLSelectElement>("header select")?.value,
    Boolean(container.querySelector("header [role=alert]")),
  ];
  const choose = async (deal: string): Promise<void> => {
    const select = container.querySelector("header select") as Element;
    await fireEvent.change(select, { target: { value: deal } });
  };
  await vi.waitFor(() => expect(seen()).toEqual([1, "0", false]));
  asked.mockRejectedValueOnce(new ApiError(0, OFFLINE));
  await choose("1");
  await vi.waitFor(() => expect(seen()).toEqual([1, "0", true]));
  await choose("2");
  await vi.waitFor(() => expect(seen()).toEqual([1, "2", false]));
});

it("shows the deal that was chosen last, whichever comes last", async () => {
  const asked = vi.spyOn(api, "deal");
  asked.mockImplementation((_, number) => Promise.resolve(told(number)));
  const { container } = render(Replay, { id: "m-1" });
  const select = (): HTMLSelectElement | null => container.querySelector("header select");
  await vi.waitFor(() => expect(select()?.value).toBe("0"));
  let late: (deal: DealAnswer) => void = () => undefined;
  asked.mockImplementationOnce(() => new Promise((come) => (late = come)));
  await fireEvent.change(select() as Element, { target: { value: "1" } });
  await fireEvent.change(select() as Element, { target: { value: "2" } });
  late(told(1));
  await new Promise((go) => setTimeout(go, 20));
  expect(select()?.value).toBe("2");
});

it("stands still where it can't be played on, so that the reason is read", async () => {
  const step = { seat: 0, action: "draw", deal: {}, hands: {} };
  vi.spyOn(api, "deal").mockResolvedValueOnce({ ...told(0), steps: [step, step, step] });
  const { container, getByLabelText, queryByLabelText } = render(Replay, { id: "m-1" });
  await vi.waitFor(() => expect(container.querySelector(".keys .main")).not.toBeNull());
  vi.spyOn(api, "deal").mockRejectedValue(new ApiError(0, OFFLINE));
  await fireEvent.click(getByLabelText(texts.say("page-run")));
  expect(queryByLabelText(texts.say("page-run"))).toBeNull();
  await fireEvent.change(container.querySelector("header select") as Element, {
    target: { value: "1" },
  });
  await vi.waitFor(() => expect(container.querySelector("header [role=alert]")).not.toBeNull());
  expect(queryByLabelText(texts.say("page-run"))).not.toBeNull();
});

it("leaves to the browser the keys that are its own", async () => {
  vi.spyOn(api, "deal").mockResolvedValue(told(0));
  const { container } = render(Replay, { id: "m-1" });
  await vi.waitFor(() => expect(container.querySelector(".keys .main")).not.toBeNull());
  const fold = container.appendChild(document.createElement("summary"));
  const pressed = (on: Element, key: string, altKey = false): Promise<boolean> =>
    fireEvent.keyDown(on, { key, altKey });
  expect(await pressed(container, "ArrowLeft")).toBe(false);
  expect(await pressed(container, "ArrowLeft", true)).toBe(true); // goes back
  expect(await pressed(fold, " ")).toBe(true); // opens what is folded
});
