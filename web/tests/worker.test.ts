import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { runInNewContext } from "node:vm";

import { beforeEach, expect, it } from "vitest";

const SOURCE = readFileSync(resolve(import.meta.dirname, "../public/sw.js"), "utf8");
const HERE = "https://okey.test";

interface Asked {
  url: string;
  method: string;
  mode: string;
}
type Listener = (event: Record<string, unknown>) => void;

let stores: Map<string, Map<string, Response>>;
let network: ((asked: Asked) => Promise<Response>) | null;
let listeners: Record<string, Listener>;
let fetched: string[];

function keyOf(request: Asked | string): string {
  return typeof request === "string" ? request : new URL(request.url).pathname;
}

function begin(): void {
  listeners = {};
  const caches = {
    keys: () => Promise.resolve([...stores.keys()]),
    delete: (name: string) => Promise.resolve(stores.delete(name)),
    open: (name: string) => {
      const store = stores.get(name) ?? new Map<string, Response>();
      stores.set(name, store);
      return Promise.resolve({
        match: (request: Asked | string) => Promise.resolve(store.get(keyOf(request))?.clone()),
        put: (request: Asked | string, answer: Response) =>
          Promise.resolve(void store.set(keyOf(request), answer)),
      });
    },
  };
  const self = {
    location: new URL(HERE),
    clients: { claim: () => Promise.resolve() },
    skipWaiting: () => undefined,
    addEventListener: (name: string, listener: Listener) => (listeners[name] = listener),
  };
  const fetch = (asked: Asked): Promise<Response> => {
    fetched.push(keyOf(asked));
    return network ? network(asked) : Promise.reject(new TypeError("no network"));
  };
  runInNewContext(SOURCE, { self, caches, fetch, URL, Promise });
}

/** What the worker answers; undefined where it leaves the request alone. */
async function ask(path: string, mode = "no-cors", method = "GET"): Promise<string | undefined> {
  let answer: Promise<Response> | undefined;
  listeners.fetch?.({
    request: { url: HERE + path, method, mode },
    respondWith: (given: Promise<Response>) => (answer = given),
  });
  return (await answer)?.text();
}

function page(text: string, kind = "text/html; charset=utf-8"): () => Promise<Response> {
  return () => Promise.resolve(new Response(text, { headers: { "Content-Type": kind } }));
}

beforeEach(() => {
  stores = new Map();
  fetched = [];
  network = null;
  begin();
});

it("never shows an old page while there is a network", async () => {
  network = page("old");
  expect(await ask("/", "navigate")).toBe("old");
  network = page("new");
  expect(await ask("/t/abc", "navigate")).toBe("new");
  network = null;
  expect(await ask("/rules", "navigate")).toBe("new");
});

it("keeps nothing but the page under the page's name", async () => {
  network = page("page");
  await ask("/", "navigate");
  network = page("{}", "application/json");
  expect(await ask("/version", "navigate")).toBe("{}");
  network = null;
  expect(await ask("/", "navigate")).toBe("page");
});

it("fetches a file with a hashed name once", async () => {
  network = page("code", "text/javascript");
  await ask("/assets/index-abcdefgh.js");
  await ask("/assets/index-abcdefgh.js");
  expect(fetched).toEqual(["/assets/index-abcdefgh.js"]);
});

it("leaves the API and everything that changes something alone", async () => {
  network = page("x");
  expect(await ask("/api/me")).toBeUndefined();
  expect(await ask("/api/matches/1/record", "navigate")).toBeUndefined();
  expect(await ask("/", "navigate", "POST")).toBeUndefined();
});

it("throws the files of other builds away", async () => {
  stores.set("okey101-page", new Map());
  stores.set("okey101-page-0123456789ab", new Map());
  stores.set("somebody-else", new Map());
  network = page("page");
  await ask("/", "navigate");
  const waits: Promise<unknown>[] = [];
  listeners.activate?.({ waitUntil: (work: Promise<unknown>) => waits.push(work) });
  await Promise.all(waits);
  expect([...stores.keys()].sort()).toEqual(["okey101-page-BUILD", "somebody-else"]);
});
