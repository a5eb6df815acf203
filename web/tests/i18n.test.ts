import { expect, it } from "vitest";

import { texts } from "../src/lib/i18n.svelte";

it("speaks a catalogue to each of those who asked for it, once they may go on", async () => {
  await texts.use("tr");
  const others = [texts.learn("learn"), texts.learn("hint")];
  await texts.learn("hint");
  expect(texts.has("hint-follow")).toBe(true);
  await Promise.all(others);
  expect([texts.has("hint-follow"), texts.has("learn-skip")]).toEqual([true, true]);
});
