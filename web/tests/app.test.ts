import { cleanup, render } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import App from "../src/App.svelte";
import { texts } from "../src/lib/i18n.svelte";
import { router } from "../src/lib/router.svelte";
import { FakeSocket, settled, view } from "./fakes";

beforeEach(async () => {
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("matchMedia", () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("away")));
  FakeSocket.all.length = 0;
  router.go("/t/t");
  await texts.use("en");
});

afterEach(() => {
  cleanup();
  router.go("/");
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it.each([
  ["no options", { ...view(), table: { ...view().table, options: null } }],
  ["no actions", { ...view(), deal: { ...view().deal, actions: null } }],
  ["no table", { ...view(), table: null }],
  ["nobody here", { ...view(), here: null }],
])("says so where a view can't be drawn: %s", async (_, told) => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { findByText } = render(App);
  await vi.waitFor(() => expect(FakeSocket.all.length).toBeGreaterThan(0), 5000);
  FakeSocket.last.open();
  FakeSocket.last.hear(told);
  await settled();
  await findByText(texts.say("page-unreadable"));
});
