import { cleanup, fireEvent, render } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import type { Me } from "../src/lib/api";
import { texts } from "../src/lib/i18n.svelte";
import { me } from "../src/lib/me.svelte";
import { router } from "../src/lib/router.svelte";
import Family from "../src/screens/Family.svelte";

const wait = (ms: number): Promise<void> => new Promise((go) => setTimeout(go, ms));
const lists = { regulars: [], sits: [], week: [], year: [] };
const family = (name: string): object => ({ name, link: name, own: true, options: {}, ...lists });
let slow: string;

beforeEach(async () => {
  await texts.use("en");
  await texts.learn("account", "setup", "server", "game");
  vi.stubGlobal("fetch", async (path: string, { method }: RequestInit) => {
    if (slow === `${method} ${path}`) await wait(60);
    return new Response(JSON.stringify(family(path.split("/").at(-1) ?? "")));
  });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  router.go("/");
});

it.each(["GET", "PATCH"])(
  "shows the family that the address is of, though another's %s is answered later",
  async (method) => {
    slow = `${method} /api/families/karaca`;
    router.go("/f/karaca");
    const { container } = render(Family);
    const title = (): string | null | undefined => container.querySelector("h1")?.textContent;
    if (method === "PATCH") {
      await vi.waitFor(() => expect(title()).toBe("karaca"));
      await fireEvent.submit(container.querySelector("form") as Element);
    } else await wait(10);
    router.go("/f/aydin");
    await wait(120);
    expect(title()).toBe("aydin");
    expect(container.querySelector<HTMLInputElement>("form input")?.value).toBe("aydin");
  },
);

it("says why a new guest can't sit down, though the family is looked at anew meanwhile", async () => {
  slow = "";
  router.go("/f/karaca");
  const { container, getByText } = render(Family);
  const sit = await vi.waitFor(() => getByText(texts.say("family-sit")));
  vi.spyOn(me, "become").mockImplementation(() => {
    me.user = { id: "u-1", name: "Ada", account: null } as unknown as Me;
    return Promise.resolve();
  });
  vi.stubGlobal("fetch", async (_: string, { method }: RequestInit) => {
    if (method === "GET") await wait(20);
    const error = { code: "table-full", message: "", rule: null, details: {} };
    return new Response(JSON.stringify(method === "GET" ? family("karaca") : { error }), {
      status: method === "GET" ? 200 : 409,
    });
  });
  await fireEvent.click(sit);
  await wait(60);
  expect(container.querySelector("[role=alert]")?.textContent).not.toBe("");
  me.user = null;
});
