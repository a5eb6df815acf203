import { describe, expect, it } from "vitest";

import { ticks } from "../src/lib/ticks";

describe("the lines of an axis", () => {
  it.each([
    [0, 1, [0, 1]],
    [0, 0, [0, 1]],
    [-12, 96, [-50, 0, 50, 100]],
    [0, 101, [0, 50, 100, 150]],
    [-202, 0, [-250, -200, -150, -100, -50, 0]],
    [-101, 808, [-200, 0, 200, 400, 600, 800, 1000]],
    [0, 9.5, [0, 2, 4, 6, 8, 10]],
  ])("from %s to %s", (low, high, values) => {
    expect(ticks(low, high)).toEqual(values);
  });
});
