import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { runInNewContext } from "node:vm";

import { beforeEach, expect, it } from "vitest";

const SOURCE = readFileSync(resolve(import.meta.dirname, "../public/sw.js"), "utf8");
const HERE = "https://okey.test";
const subscribed = (name: string): object => ({
  endpoint: `https://push.test/${name}`,
  toJSON: () => ({
    endpoint: `https://push.test/${name}`,
    expirationTime: null,
    keys: { p256dh: `key of ${name}`, auth: `word of ${name}` },
  }),
});

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
let told: unknown[];
let waits: Promise<unknown>[];
/** How this browser is reached by now. */
let subscription: object | null;
/** Whether there is no room for anything more. */
let full: boolean;

function keyOf(request: Asked | string): string {
  return typeof request === "string" ? request : new URL(request.url).pathname;
}

/** A worker that has been there before; `settled` lets it put the page aside. */
function begin(): void {
  listeners = {};
  const caches = {
    keys: () => Promise.resolve([...stores.keys()]),
    delete: (name: string) => Promise.resolve(stores.delete(name)),
    match: (request: Asked | string) => {
      const found = [...stores.values()].map((store) => store.get(keyOf(request)));
      return Promise.resolve(found.find((answer) => answer)?.clone());
    },
    open: (name: string) => {
      const store = stores.get(name) ?? new Map<string, Response>();
      stores.set(name, store);
      return Promise.resolve({
        match: (request: Asked | string) => Promise.resolve(store.get(keyOf(request))?.clone()),
        put: (request: Asked | string, answer: Response) =>
          full
            ? Promise.reject(new DOMException("no room", "QuotaExceededError"))
            : Promise.resolve(void store.set(keyOf(request), answer)),
      });
    },
  };
  const self = {
    location: new URL(HERE),
    clients: {
      claim: () => Promise.resolve(),
      matchAll: () => Promise.resolve([{ postMessage: (word: unknown) => told.push(word) }]),
    },
    skipWaiting: () => undefined,
    registration: {
      pushManager: {
        getSubscription: () => Promise.resolve(subscription),
        subscribe: () =>
          subscription
            ? Promise.reject(new DOMException("of another key", "InvalidStateError"))
            : Promise.resolve(subscribed("asked")),
      },
    },
    addEventListener: (name: string, listener: Listener) => (listeners[name] = listener),
  };
  const fetch = (asked: Asked, more?: RequestInit): Promise<Response> => {
    fetched.push(keyOf(asked));
    if (more?.method === "PUT") told.push(JSON.parse(more.body as string));
    return network ? network(asked) : Promise.reject(new TypeError("no network"));
  };
  runInNewContext(SOURCE, { self, caches, fetch, URL, Promise, Intl, Uint8Array, btoa });
}

/** A visit whose page is shown and, behind it, kept. */
async function visit(path: string): Promise<string | undefined> {
  const shown = await ask(path, "navigate");
  await settled();
  return shown;
}

/** What the worker answers; undefined where it leaves the request alone. */
async function ask(path: string, mode = "no-cors", method = "GET"): Promise<string | undefined> {
  let answer: Promise<Response> | undefined;
  listeners.fetch?.({
    request: { url: HERE + path, method, mode },
    respondWith: (given: Promise<Response>) => (answer = given),
    waitUntil: (work: Promise<unknown>) => waits.push(work),
  });
  return (await answer)?.text();
}

/** Let what goes on behind an answer come to its end. */
async function settled(): Promise<void> {
  for (const work of waits.splice(0)) await work;
}

function page(text: string, kind = "text/html; charset=utf-8"): () => Promise<Response> {
  return () => Promise.resolve(new Response(text, { headers: { "Content-Type": kind } }));
}

beforeEach(() => {
  stores = new Map();
  fetched = [];
  told = [];
  waits = [];
  subscription = null;
  network = null;
  full = false;
  begin();
});

it("shows the page that is kept at once, and tells when there is a newer one", async () => {
  network = page("old");
  expect(await visit("/")).toBe("old");
  expect(await visit("/")).toBe("old");
  expect(told).toEqual([]);
  network = page("new");
  expect(await visit("/t/abc")).toBe("old");
  expect(told).toEqual(["renewed"]);
  expect(fetched.at(-1)).toBe("/");
  network = null;
  expect(await visit("/rules")).toBe("new");
});

it("has the page from its first moment, for a second visit without a network", async () => {
  network = page("page");
  listeners.install?.({ waitUntil: (work: Promise<unknown>) => waits.push(work) });
  await settled();
  network = null;
  expect([await visit("/"), fetched, told]).toEqual(["page", ["/", "/"], []]);
});

it("keeps the page itself, not that of a table with its words for messengers", async () => {
  network = (asked) => page(`page of ${keyOf(asked)}`)();
  expect(await visit("/t/abc")).toBe("page of /t/abc");
  network = null;
  expect(await visit("/t/abc")).toBe("page of /");
});

it("keeps no broken answer, and asks the network for what is no screen", async () => {
  network = page("old");
  await visit("/");
  network = () => Promise.resolve(new Response("oh", { status: 503 }));
  expect(await visit("/")).toBe("old");
  network = page("{}", "application/json");
  expect(await visit("/new")).toBe("old");
  expect(await visit("/docs")).toBe("{}");
  network = null;
  expect([await visit("/"), await visit("/docs"), told]).toEqual(["old", "old", []]);
});

it("has the rules that were read for when there is no network", async () => {
  network = page("rules", "application/json");
  expect(await ask("/api/rules/wiki")).toBe("rules");
  network = page("new rules", "application/json");
  expect(await ask("/api/rules/wiki")).toBe("new rules");
  network = null;
  expect(await ask("/api/rules/wiki")).toBe("new rules");
});

it("fetches a file with a hashed name once", async () => {
  network = page("code", "text/javascript");
  await ask("/assets/index-abcdefgh.js");
  await ask("/assets/index-abcdefgh.js");
  expect(fetched).toEqual(["/assets/index-abcdefgh.js"]);
});

it("shows what came where the device has no room to keep it", async () => {
  full = true;
  network = page("code", "text/javascript");
  expect(await ask("/assets/index-abcdefgh.js")).toBe("code");
  expect(await ask("/api/rules/wiki")).toBe("code");
  expect(await ask("/icon.svg")).toBe("code");
});

it("leaves the API and everything that changes something alone", async () => {
  network = page("x");
  expect(await ask("/api/me")).toBeUndefined();
  expect(await ask("/api/matches/1/record", "navigate")).toBeUndefined();
  expect(await ask("/", "navigate", "POST")).toBeUndefined();
});

it("keeps the files of the build before, and throws older ones away", async () => {
  const before = new Map([["/assets/texts-abcdefgh.js", new Response("words")]]);
  stores.set("okey101-page", new Map());
  stores.set("okey101-page-0123456789ab", before);
  stores.set("somebody-else", new Map());
  network = page("page");
  await ask("/", "navigate");
  listeners.activate?.({ waitUntil: (work: Promise<unknown>) => waits.push(work) });
  await Promise.all(waits);
  expect([...stores.keys()].sort()).toEqual([
    "okey101-page-0123456789ab",
    "okey101-page-BUILD",
    "somebody-else",
  ]);
  network = null;
  expect(await ask("/assets/texts-abcdefgh.js")).toBe("words");
});

it.each([
  ["old", "old", "given", "given"],
  ["old", "old", null, "asked"],
  ["old", null, null, "asked"],
  ["another", "old", "given", undefined],
  [null, "old", "given", undefined],
])(
  "told at %s, and of %s that is now %s, has the server tell it at %s",
  async (known, old, now, then) => {
    const endpoint = known && `https://push.test/${known}`;
    network = page(JSON.stringify({ key: "k", endpoint, quiet_from: 22, quiet_to: 8 }));
    listeners.pushsubscriptionchange?.({
      oldSubscription: old && subscribed(old),
      newSubscription: now && subscribed(now),
      waitUntil: (work: Promise<unknown>) => waits.push(work),
    });
    await settled();
    const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
    const where = { endpoint: `https://push.test/${then}`, quiet_from: 22, quiet_to: 8, zone };
    const keys = { p256dh: `key of ${then}`, auth: `word of ${then}` };
    expect(told).toEqual(then ? [{ ...where, ...keys }] : []);
  },
);

it.each([
  ["of another key", "old", [1, 2], "asked"],
  ["of the server's key", "old", [4, 255, 254], undefined],
  ["of a key that is not told", "old", null, undefined],
  ["of somebody else", "another", [1, 2], undefined],
])("subscribes anew, whichever page is opened, where it is %s", async (_, known, key, then) => {
  const options = { applicationServerKey: key && Uint8Array.from(key).buffer };
  const unsubscribe = (): void => void (subscription = null);
  subscription = { ...subscribed("old"), options, unsubscribe };
  const endpoint = `https://push.test/${known}`;
  network = page(JSON.stringify({ key: "BP_-", endpoint, quiet_from: 22, quiet_to: 8 }));
  await visit("/matches");
  expect(told).toEqual(
    then ? [expect.objectContaining({ endpoint: `https://push.test/${then}` })] : [],
  );
  network = null;
  await visit("/matches");
});
