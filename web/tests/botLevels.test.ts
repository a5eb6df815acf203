import { expect, test } from "vitest";

import { botLevels, levelHere } from "../src/lib/botLevels";

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
