import { cleanup, render } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import Waiting from "../src/components/Waiting.svelte";
import { texts } from "../src/lib/i18n.svelte";
import { router } from "../src/lib/router.svelte";

const one = { by: { user: "u2", name: "Ece", face: null }, name: "Karaca", table: "old" };

beforeEach(async () => {
  await texts.use("en");
  await texts.learn("account", "server", "game");
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  router.go("/");
});

it.each([
  ["karaca", 200, { table: "new", seq: 3 }, "/t/new"],
  ["karaca", 403, { error: { code: "blocked", message: "", details: {} } }, "/t/old"],
  [null, 200, { table: "old", seq: 3 }, "/t/old"],
])(
  "leads to where one has sat down: family %s, answer %i %o, to %s",
  async (family, status, answer, to) => {
    vi.stubGlobal("fetch", (path: string) => {
      const waiting = path === "/api/me/waiting";
      const told = JSON.stringify(waiting ? [{ ...one, family }] : answer);
      return Promise.resolve(new Response(told, { status: waiting ? 200 : status }));
    });
    const { findByText } = render(Waiting);
    (await findByText(texts.say("waits-come"))).click();
    await vi.waitFor(() => expect(router.path).toBe(to));
  },
);
