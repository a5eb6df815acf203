import { cleanup, render } from "@testing-library/svelte";
import { afterEach, expect, it, vi } from "vitest";

import type { Me } from "../src/lib/api";
import { texts } from "../src/lib/i18n.svelte";
import { me } from "../src/lib/me.svelte";
import Profile from "../src/screens/Profile.svelte";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  me.user = null;
});

it("says why it does not come, though what stands beside it does", async () => {
  await texts.use("en");
  await texts.learn("account", "day", "review", "server", "game");
  me.user = { id: "u1", name: "Ayşe", account: true, tables: [] } as unknown as Me;
  vi.stubGlobal("fetch", async (path: string) => {
    if (path === "/api/me/profile") throw new TypeError("failed to fetch");
    await new Promise((go) => setTimeout(go, 10));
    return new Response(JSON.stringify({ lines: [] }));
  });
  const { container } = render(Profile);
  await new Promise((go) => setTimeout(go, 50));
  expect(container.querySelector("[role=alert]")?.textContent).toBe(texts.say("error-offline"));
});

it("shows all who had as bad luck as each other", async () => {
  await texts.use("en");
  await texts.learn("account", "day", "review", "server", "game");
  me.user = { id: "u1", name: "Ayşe", account: true, tables: [] } as unknown as Me;
  const none = { figures: [], ledger: null, strength: null, beside: [], matches: 0, deals: 0 };
  const line = { place: 1, face: null, own: false, deals: 20, tenths: 31 };
  const lines = ["Barış", "Ece", "Derya"].map((name) => ({ ...line, name }));
  vi.stubGlobal("fetch", (path: string) => {
    const answer = path === "/api/luck" ? { begins: "2026-11-23", lines } : none;
    return Promise.resolve(new Response(JSON.stringify(answer)));
  });
  const { container } = render(Profile);
  await vi.waitFor(() => {
    const rows = [...container.querySelectorAll("tbody tr")].map((row) => row.textContent);
    expect(rows.map((row) => /Barış|Ece|Derya/.exec(row)?.[0])).toEqual(["Barış", "Ece", "Derya"]);
  });
});
