import { afterEach, beforeEach, expect, it, vi } from "vitest";

import type { ReviewAnswer } from "../src/lib/answers";
import { api, ApiError } from "../src/lib/api";
import { texts } from "../src/lib/i18n.svelte";
import { OFFLINE } from "../src/lib/refusal";
import { Reviewing } from "../src/lib/reviewing.svelte";

const answer = (state: ReviewAnswer["state"]): ReviewAnswer =>
  ({ state, done: 0, total: 1 }) as ReviewAnswer;

beforeEach(async () => {
  await texts.learn("review", "server", "game");
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("looks again after a moment without the server, but not after a refusal", async () => {
  const review = vi.spyOn(api, "review").mockResolvedValueOnce(answer("working"));
  review.mockRejectedValueOnce(new ApiError(0, OFFLINE));
  review.mockRejectedValueOnce(new ApiError(503, { ...OFFLINE, code: "draining" }));
  review.mockResolvedValueOnce(answer("done"));
  const reviewing = new Reviewing("m-1");
  await reviewing.ask();
  await vi.advanceTimersByTimeAsync(1000);
  expect(reviewing.problem).not.toBe("");
  await vi.advanceTimersByTimeAsync(10_000);
  expect([reviewing.answer?.state, reviewing.problem]).toEqual(["done", ""]);
  review.mockRejectedValue(new ApiError(404, { ...OFFLINE, code: "no-match" }));
  await reviewing.ask();
  const asked = review.mock.calls.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(review.mock.calls.length).toBe(asked);
});

it("asks no more once it is closed", async () => {
  const review = vi.spyOn(api, "review").mockRejectedValue(new ApiError(0, OFFLINE));
  const reviewing = new Reviewing("m-1");
  const asked = reviewing.ask();
  reviewing.close();
  await asked;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(review).toHaveBeenCalledOnce();
});
