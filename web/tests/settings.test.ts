import { beforeEach, expect, it } from "vitest";

import { choose, chooseKind, settings } from "../src/lib/settings.svelte";

const NAME = "okey101.settings";
const kept = (): object => JSON.parse(localStorage.getItem(NAME) ?? "{}") as object;

beforeEach(() => localStorage.clear());

it("keeps what was chosen in another window meanwhile", () => {
  choose({ palette: "classic" });
  localStorage.setItem(NAME, JSON.stringify({ ...kept(), palette: "safe", off: ["sound-deal"] }));
  choose({ sound: false });
  expect(kept()).toMatchObject({ palette: "safe", sound: false, off: ["sound-deal"] });
  expect(settings.palette).toBe("safe");
  localStorage.setItem(NAME, JSON.stringify({ ...kept(), off: ["sound-deal", "sound-end"] }));
  chooseKind("motion-end", false);
  expect(settings.off).toEqual(["sound-deal", "sound-end", "motion-end"]);
});
