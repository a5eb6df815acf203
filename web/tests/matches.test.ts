import { cleanup, fireEvent, render } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { api, ApiError, type MatchLine, type Me } from "../src/lib/api";
import { texts } from "../src/lib/i18n.svelte";
import { me } from "../src/lib/me.svelte";
import { OFFLINE } from "../src/lib/refusal";
import { router } from "../src/lib/router.svelte";
import Matches from "../src/screens/Matches.svelte";

const lines = (from: number, count: number): MatchLine[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `m-${from + at}`,
    table: "m",
    number: 1,
    finished_ms: 0,
    preset: "",
    deals: 1,
    totals: [0, 0],
    places: [1, 2],
    seats: ["Ayşe", "Barış"],
    faces: [null, null],
    seat: 0,
  }));

beforeEach(async () => {
  await texts.use("en");
  await texts.learn("review", "fair", "server", "game");
  me.user = { id: "u1", name: "Ayşe", account: false, tables: [] } as unknown as Me;
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  me.user = null;
});

it("shows each match once, however often more are asked for", async () => {
  const asked = vi.spyOn(api, "matches").mockResolvedValueOnce(lines(0, 20));
  const { container, findByText } = render(Matches);
  const more = await findByText(texts.say("page-show-more"));
  asked.mockRejectedValueOnce(new ApiError(0, OFFLINE));
  await fireEvent.click(more);
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
  asked.mockResolvedValue(lines(20, 5));
  void fireEvent.click(more);
  await fireEvent.click(more);
  await new Promise((go) => setTimeout(go, 50));
  expect(container.querySelectorAll("main > ul > li").length).toBe(25);
  expect(container.querySelector("[role=alert]")?.textContent).toBe("");
});

it("is as it was left for who comes back from a match, and else new", async () => {
  const asked = vi.spyOn(api, "matches").mockResolvedValueOnce(lines(0, 20));
  asked.mockResolvedValue(lines(20, 5));
  router.go("/matches");
  const first = render(Matches);
  await fireEvent.click(await first.findByText(texts.say("page-show-more")));
  await vi.waitFor(() => expect(first.container.querySelectorAll("ul > li").length).toBe(25));
  window.scrollTo(0, 700);
  await fireEvent.click(first.getAllByText(texts.say("page-watch-replay"))[22] as HTMLElement);
  expect([location.pathname, window.scrollY]).toEqual(["/m/m-22", 0]);
  cleanup();
  router.go("/matches");
  const back = render(Matches);
  await vi.waitFor(() => expect(window.scrollY).toBe(700));
  expect(back.container.querySelectorAll("ul > li").length).toBe(25);
  expect(asked).toHaveBeenCalledTimes(2);
  cleanup();
  router.go("/rules");
  router.go("/matches");
  render(Matches);
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(3));
  expect(window.scrollY).toBe(0);
});

it("tells somebody without a session that there is none, in words", async () => {
  me.user = null;
  const learnt = vi.spyOn(texts, "learn");
  const { findByText } = render(Matches);
  await findByText(texts.say("page-no-matches"));
  expect(learnt).toHaveBeenCalledWith("review", "fair");
});
