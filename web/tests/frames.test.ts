import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { oneAFrame } from "../src/lib/frames";

let hidden = false;
const waiting: FrameRequestCallback[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("requestAnimationFrame", (act: FrameRequestCallback) => waiting.push(act));
  vi.stubGlobal("cancelAnimationFrame", (frame: number) => waiting.splice(frame - 1, 1));
  vi.spyOn(document, "hidden", "get").mockImplementation(() => hidden);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  waiting.length = 0;
  hidden = false;
});

const frame = (): void => waiting.splice(0).forEach((act) => act(0));

describe("work that is done piece by piece", () => {
  it("is done once a frame until it is called off", () => {
    const done: number[] = [];
    const stop = oneAFrame([0, 1, 2].map((at) => () => done.push(at)));
    expect(done).toEqual([]);
    frame();
    expect(done).toEqual([0]);
    frame();
    stop();
    frame();
    expect(done).toEqual([0, 1]);
  });

  it("goes on where no frames are drawn", () => {
    hidden = true;
    const done: number[] = [];
    oneAFrame([0, 1, 2].map((at) => () => done.push(at)));
    vi.runAllTimers();
    expect(done).toEqual([0, 1, 2]);
    expect(waiting).toEqual([]);
  });
});
