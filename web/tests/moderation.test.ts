import { cleanup, render } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import Moderation from "../src/components/Moderation.svelte";
import { texts } from "../src/lib/i18n.svelte";

const report = {
  at: 0,
  by: "u2",
  of: "u1",
  reason: "name",
  deal: 0,
  by_name: "Ece",
  of_name: "Barış",
  reporters: 1,
  settled: false,
  muted_until: null,
};
const table = (id: string, ...users: (string | null)[]): object => ({
  id,
  seats: users.map((user) => ({ user, bot: null, name: user, face: null })),
});
let tables: object[];
const kicked: string[] = [];

beforeEach(async () => {
  await texts.use("en");
  await texts.learn("account", "server", "game");
  kicked.length = 0;
  vi.stubGlobal("fetch", (path: string, { method, body }: RequestInit) => {
    if (method === "POST") {
      kicked.push(`${path} ${String(body)}`);
      return Promise.resolve(new Response(null, { status: 204 }));
    }
    const found = path.startsWith("/api/admin/tables") ? tables : [report];
    return Promise.resolve(new Response(JSON.stringify(found)));
  });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("removes a person from where that person sits by then, and nobody else", async () => {
  tables = [table("a", "u1", "u2"), table("b", "u3", "u1"), table("c", "u1")];
  const { container, findByText } = render(Moderation);
  (await findByText(texts.say("moderate-kick"))).click();
  tables = [table("a", "u2", "u1"), table("b", "u3", "u4")];
  await vi.waitFor(() => expect(container.querySelector("dialog .danger")).not.toBeNull());
  container.querySelector<HTMLElement>("dialog .danger")?.click();
  await vi.waitFor(() => expect(kicked).toEqual(['/api/admin/tables/a/kick {"seat":1}']));
  await new Promise((go) => setTimeout(go, 20));
  expect(kicked.length).toBe(1);
});
