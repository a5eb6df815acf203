import { expect, test } from "vitest";

import { botLevels, levelHere, levelPoints, othersAt } from "../src/lib/botLevels";

test("every host has the levels up to hard, and expert where its bot searches", () => {
  expect(botLevels([])).toEqual(["novice", "greedy", "neural"]);
  expect(botLevels(["zeki", "search"])).toEqual(["novice", "greedy", "neural", "search"]);
});

test("a level that a host has no longer becomes its hardest of every table", () => {
  expect(levelHere("greedy", [])).toBe("greedy");
  expect(levelHere("search", ["search"])).toBe("search");
  expect(levelHere("search", [])).toBe("neural");
  expect(levelHere("steady", ["search"])).toBe("neural");
});

test("a seat may have what the host has, expert too, and what sits there already", () => {
  expect(othersAt(["champion", "zeki"], [null, "neural", "gone"])).toEqual([
    "champion",
    "zeki",
    "gone",
  ]);
  expect(othersAt([], ["steady", null])).toEqual([]);
});

test("what a level was measured to be is told against the middle one", () => {
  expect(levelPoints("novice")?.way).toBe("worse");
  expect(levelPoints("greedy")).toEqual({ way: "same", points: 0 });
  expect(levelPoints("champion")?.way).toBe("better");
  expect(levelPoints("steady")).toBeNull();
});
