import { cleanup, fireEvent, render } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import type { DayAnswer } from "../src/lib/answers";
import { mixed } from "../src/lib/dayMix";
import { texts } from "../src/lib/i18n.svelte";
import { router } from "../src/lib/router.svelte";
import Day from "../src/screens/Day.svelte";
import { CHECKPOINT, KEY } from "./fakes";

const day = (date: string, challenge = false): DayAnswer =>
  ({
    date,
    challenge,
    state: "open",
    bots: [null, "greedy/1", "greedy/1", "greedy/1"],
    begin_until_ms: 0,
    closes_ms: 0,
    committed_ms: 0,
    digest: "5e",
    mixed: true,
    secrets: null,
    players: 0,
    own: null,
    sender: null,
    next: null,
  }) as unknown as DayAnswer;

const TODAY = "2026-11-27";
const wait = (ms: number): Promise<void> => new Promise((go) => setTimeout(go, ms));
let answers: Record<string, () => Promise<unknown>>;

beforeEach(async () => {
  await texts.use("en");
  await texts.learn("day", "server", "game");
  answers = {
    "/api/days/": () => Promise.resolve([day(TODAY)]),
    "/api/days/abc": () => Promise.resolve(day("abc", true)),
    [`/api/days/${TODAY}/mix`]: () => Promise.resolve({ digest: "6f", shares: [], mix: "" }),
  };
  vi.stubGlobal("fetch", async (path: string) => {
    const answer = answers[path];
    if (!answer) throw new TypeError("failed to fetch");
    return new Response(JSON.stringify(await answer()));
  });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  router.go("/");
});

it("shows what the address is of, whichever answer comes last", async () => {
  router.go("/day");
  const soon = answers["/api/days/"] as () => Promise<unknown>;
  answers["/api/days/"] = () => wait(60).then(soon);
  const { container } = render(Day);
  await wait(5);
  answers["/api/days/"] = soon;
  router.go("/c/abc");
  await wait(90);
  expect(container.querySelector("h1")?.textContent).toBe(texts.say("page-challenge"));
});

it("says of a challenge nothing that was said of a day, nor of a failure", async () => {
  router.go("/day");
  const { container } = render(Day);
  const wrong = texts.say("day-list-wrong");
  await vi.waitFor(() => expect(container.querySelector("details")).not.toBeNull());
  container.querySelector("details")?.dispatchEvent(new Event("toggle"));
  await vi.waitFor(() => expect(container.textContent).toContain(wrong), 3000);
  expect(container.querySelector("section [role=alert]")?.textContent).not.toBe("");
  router.go("/c/abc");
  await vi.waitFor(() =>
    expect(container.querySelector("h1")?.textContent).toBe(texts.say("page-challenge")),
  );
  await vi.waitFor(() => expect(container.querySelector("details")).not.toBeNull());
  expect(container.textContent).not.toContain(wrong);
  expect(container.querySelector("section [role=alert]")?.textContent).toBe("");
});

it("shows the totals that were asked for last, whichever answer comes last", async () => {
  router.go("/day");
  const total = (name: string): object => ({ name, face: null, place: 1, total: 1, average: 1 });
  const totals = (name: string): object => ({
    begins: TODAY,
    ends: TODAY,
    days: 1,
    streak: 0,
    lines: [total(name)],
  });
  const path = `/api/days/${TODAY}/totals?over=`;
  answers[`${path}week`] = () => Promise.resolve(totals("Ayşe"));
  answers[`${path}month`] = () => wait(40).then(() => totals("Barış"));
  const { container, findByText } = render(Day);
  await fireEvent.click(await findByText(texts.say("day-month")));
  await fireEvent.click(await findByText(texts.say("day-week")));
  await wait(80);
  expect(container.textContent).toContain("Ayşe");
  expect(container.textContent).not.toContain("Barış");
});

it("draws the spread of a day with more tries than are told, and one's own place in it", async () => {
  router.go("/day");
  const line = { bot: null, name: "Ali", face: null, points: [], matchpoints: [] };
  const own = { ...line, place: 4712, own: true, ranked: true, percent: 100 };
  const spread = [9, 0, 80, 700, 2000, 4000, 2000, 900, 300, 11];
  answers["/api/days/"] = () =>
    Promise.resolve([{ ...day(TODAY), own: { finished: true, ranked: true } }]);
  answers[`/api/days/${TODAY}/table`] = () =>
    Promise.resolve({ date: TODAY, ranked: 10_000, spread, lines: [], friends: [], own });
  const { container } = render(Day);
  await vi.waitFor(() => expect(container.querySelector(".spread")).not.toBeNull());
  const bars = [...container.querySelectorAll<HTMLElement>(".spread > *")];
  expect(bars.map((bar) => Number(bar.style.getPropertyValue("--share")))).toEqual(
    spread.map((count) => count / 4000),
  );
  expect(bars.map((bar) => bar.matches(".own"))).toEqual([...Array<boolean>(9).fill(false), true]);
  const rows = [...container.querySelectorAll("section details tbody tr")];
  expect(rows.map((row) => row.querySelector("td")?.textContent)).toEqual(
    spread.map((count) => count.toLocaleString("en-GB")),
  );
  expect(rows.map((row) => row.textContent.includes(texts.say("page-you")))).toEqual(
    bars.map((bar) => bar.matches(".own")),
  );
});

it.each([
  [2, false, ["bot", "me", "bot"]],
  [9, true, ["bot", "bot", "me"]],
])("puts one's own line at place %i by its place", async (place, ranked, order) => {
  router.go("/day");
  const line = { face: null, points: [], matchpoints: [], ranked: true, percent: 50 };
  const lines = [1, 2].map((number) => ({ ...line, place: number, bot: number, name: null }));
  const own = { ...line, place, ranked, bot: null, name: "Ali", own: true };
  answers["/api/days/"] = () => Promise.resolve([{ ...day(TODAY), own: { finished: true } }]);
  answers[`/api/days/${TODAY}/table`] = () =>
    Promise.resolve({ date: TODAY, ranked: 10, spread: [], lines, friends: [], own });
  const { container, findByText } = render(Day);
  await findByText(/Ali/u);
  const rows = [...container.querySelectorAll(".scroll tbody tr")];
  expect(rows.map((row) => (row.matches(".own") ? "me" : "bot"))).toEqual(order);
});

it("calls the figures of the week so where those of the month do not come", async () => {
  router.go("/day");
  answers[`/api/days/${TODAY}/totals?over=week`] = () =>
    Promise.resolve({ begins: TODAY, ends: TODAY, days: 1, streak: 0, lines: [] });
  const { container, findByText } = render(Day);
  const month = await findByText(texts.say("day-month"));
  await fireEvent.click(month);
  await vi.waitFor(() => expect(container.textContent).toContain(texts.say("error-offline")), 3000);
  expect(container.querySelector("#day-totals")?.textContent).toContain(texts.say("day-week"));
  expect(month.getAttribute("aria-pressed")).toBe("false");
});

it.each([
  ["5e", "a7", "483b7be489a543dd2caaf447893cc40152aeaa9037118eddaa8b85b4377fb3aa", []],
  [
    "a7",
    "5e",
    "127e09924cf5354e812c6a7800832a2a8a9981104745eef5fa80e42fd5b70f87",
    ["day-list-wrong"],
  ],
])("takes the contributions in ascending order alone: %s, %s", async (one, two, mix, words) => {
  const digest = "11".repeat(32);
  const shares = [one.repeat(32), two.repeat(32)];
  answers[`/api/days/${TODAY}/mix`] = () => Promise.resolve({ digest, shares, mix });
  expect(await mixed({ ...day(TODAY), digest })).toEqual({ count: 2, words });
});

it.each<[DayAnswer["state"], string[]]>([
  ["open", []], // its lines may be newer than the head
  ["closed", ["day-list-wrong"]],
])("looks for the lines of a day in the public log: %s", async (state, words) => {
  const digest = "11".repeat(32);
  const shares = ["5e".repeat(32), "a7".repeat(32)];
  const mix = "483b7be489a543dd2caaf447893cc40152aeaa9037118eddaa8b85b4377fb3aa";
  answers[`/api/days/${TODAY}/mix`] = () => Promise.resolve({ digest, shares, mix });
  answers["/api/log/"] = () => Promise.resolve({ checkpoint: CHECKPOINT, key: KEY });
  const line = encodeURIComponent(`day ${TODAY} ${digest}`);
  answers[`/api/log/inclusion?entry=${line}&size=3`] = () =>
    Promise.resolve({ place: null, proof: [] });
  expect(await mixed({ ...day(TODAY), digest, state })).toEqual({ count: 2, words });
});

it("tells no number of contributions before it is known", async () => {
  router.go("/day");
  const mix = `/api/days/${TODAY}/mix`;
  const there = answers[mix] as () => Promise<unknown>;
  answers[mix] = () => Promise.reject(new TypeError("failed to fetch"));
  const { container } = render(Day);
  await vi.waitFor(() => expect(container.querySelector("details")).not.toBeNull());
  const toggle = (): boolean | undefined =>
    container.querySelector("details")?.dispatchEvent(new Event("toggle"));
  const mixed = texts.say("day-mixed", { count: 0 });
  expect(container.textContent).not.toContain(mixed);
  toggle();
  const problem = (): string | null | undefined =>
    container.querySelector("details [role=alert]")?.textContent;
  await vi.waitFor(() => expect(problem()).toBe(texts.say("error-offline")));
  expect(container.textContent).not.toContain(mixed);
  answers[mix] = there;
  toggle();
  await vi.waitFor(() => expect(container.textContent).toContain(mixed), 3000);
  expect(problem()).toBe("");
});
