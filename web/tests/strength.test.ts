import { cleanup, fireEvent, render } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import type { Me, Profile } from "../src/lib/answers";
import { texts } from "../src/lib/i18n.svelte";
import { me } from "../src/lib/me.svelte";
import { router } from "../src/lib/router.svelte";
import Screen from "../src/screens/Profile.svelte";

const at = { match: "t_x-1", deal: 0, at_ms: 1 };
const strength = {
  rules: "altinstar 4",
  reference: "master/2",
  deals: 44,
  least: 30,
  points: [{ deals: 44, mean: -5.2, low: -11.5, high: 1.1, at }],
  like: "neural",
};
const profile = { matches: 3, deals: 12, figures: [], ledger: null, strength: null, beside: [] };
const own: Profile = { ...profile, waiting: 8, weighing: "shared", name: "Ayşe", own: true };
let answer: Profile;
const changes = vi.fn();

beforeEach(async () => {
  await texts.use("en");
  await texts.learn("account", "day", "review");
  answer = own;
  changes.mockClear();
  me.user = { id: "u1", name: "Ayşe", account: true, weighed: true } as unknown as Me;
  vi.stubGlobal("fetch", (path: string, { method, body }: RequestInit) => {
    if (method === "PATCH") changes(JSON.parse(String(body)));
    const found = path === "/api/me" ? { ...me.user, weighed: false } : { ...answer, lines: [] };
    return Promise.resolve(new Response(JSON.stringify(found)));
  });
  router.go("/profile");
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  me.user = null;
  router.go("/");
});

async function shown(told: Partial<Profile>): Promise<HTMLElement> {
  answer = { ...own, ...told };
  const { container } = render(Screen);
  await vi.waitFor(() => expect(container.querySelector(".who")).not.toBeNull());
  return container;
}

it("a strength is told in points with what may be wrong, and in words", async () => {
  const page = await shown({ strength });
  expect(page.textContent).toContain("-5.2 points a deal, give or take 6.3, after 44 deals");
  expect(page.textContent).toContain("Bots of this level play about like that: Hard");
  expect(page.textContent).toContain("not been weighed for it yet: 8.");
});

it.each([
  ["shared", "one after the other", ""],
  ["asked", "in the list of your matches", "okey101[all]"],
  ["off", "turned them off", "in the list of your matches"],
  ["numba", "okey101[all]", "in the list of your matches"],
] as const)("how deals come to be weighed is told: %s", async (weighing, told, not) => {
  const page = await shown({ weighing });
  expect(page.textContent).toContain(told);
  if (not) expect(page.textContent).not.toContain(not);
  cleanup();
  const others = await shown({ weighing, own: false, waiting: 0 });
  expect(others.textContent).not.toContain(told);
});

it("who wants no strength says so, and it goes", async () => {
  const page = await shown({ strength });
  answer = { ...own, waiting: 0 };
  const box = [...page.querySelectorAll("label")].find((one) =>
    one.textContent?.includes("Work out my strength"),
  );
  await fireEvent.click(box?.querySelector("input") as Element);
  await vi.waitFor(() => expect(page.textContent).not.toContain("points a deal"));
  expect(changes).toHaveBeenCalledWith({ weighed: false });
});
