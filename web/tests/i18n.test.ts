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

it("speaks the language that was chosen last, with all that was asked for", async () => {
  await texts.use("tr");
  await Promise.all([texts.learn("cards"), texts.use("en"), texts.learn("day")]);
  expect([texts.language, texts.say("day-begin")]).toEqual(["en", "Play"]);
  await Promise.all([texts.use("en"), texts.use("tr"), texts.learn("faces")]);
  expect([texts.language, texts.say("day-begin")]).toEqual(["tr", "Oyna"]);
  expect(texts.has("face-legend")).toBe(true);
});

it("says of an error what its details are enough for", async () => {
  await texts.use("en");
  await texts.refusals();
  const told = (details: object): string =>
    texts.error({ code: "too-many-tiles", message: "no", details: { ...details } });
  expect(told({ count: 3, tile: "R7" })).toBe("The game does not have 3 R7 tiles.");
  expect(told({ limit: 105 })).toBe("There are only 105 tiles to play with.");
  expect(told({})).toBe("no");
});
