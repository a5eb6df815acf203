import { afterEach, expect, test, vi } from "vitest";
import { api, ApiError } from "../src/lib/api";

/** Answer requests one after the other; null is no answer. Returns the keys that were sent. */
function answering(answers: ([number, unknown] | null)[]): (string | undefined)[] {
  const keys: (string | undefined)[] = [];
  vi.stubGlobal("fetch", (_path: string, init: { headers?: Record<string, string> }) => {
    keys.push(init.headers?.["Idempotency-Key"]);
    const next = answers.shift();
    if (!next) return Promise.reject(new TypeError("failed to fetch"));
    return Promise.resolve(new Response(JSON.stringify(next[1]), { status: next[0] }));
  });
  return keys;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test("a table that was asked for without an answer is asked for by the same key", async () => {
  const table = { table: "t", seq: 2 };
  const keys = answering([null, null, [201, table], [201, table]]);
  await expect(api.play({ deals: 3 })).rejects.toThrow(ApiError);
  await expect(api.play({ deals: 3 })).rejects.toThrow(ApiError);
  await expect(api.play({ deals: 3 })).resolves.toEqual(table);
  await api.play({ deals: 3 });
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys.slice(1, 3)).toEqual([keys[0], keys[0]]);
  expect(keys[3]).not.toBe(keys[0]);
});

test("a limit that ends soon is waited for, but not with a password", async () => {
  const limited = (seconds: number): [number, unknown] => [
    429,
    {
      error: {
        code: "rate-limited",
        message: "",
        rule: null,
        details: { seconds, limit: "guests-per-minute" },
      },
    },
  ];
  const keys = answering([limited(0.02), [201, { id: "u" }], limited(11), limited(0.02)]);
  await expect(api.guest("Ali", "tr", 8)).resolves.toEqual({ id: "u" });
  await expect(api.guest("Ali", "tr", 8)).rejects.toMatchObject({ code: "rate-limited" });
  await expect(api.login("Ali", "x")).rejects.toMatchObject({ code: "rate-limited" });
  expect(keys).toHaveLength(4);
});

test("a refusal is an answer, and another wish another table", async () => {
  const refusal = { error: { code: "too-many-tables", message: "", rule: null, details: {} } };
  const keys = answering([[429, refusal], null, [201, { id: "t" }], [201, { id: "u" }]]);
  await expect(api.create({ deals: 3 })).rejects.toMatchObject({ code: "too-many-tables" });
  await expect(api.create({ deals: 3 })).rejects.toMatchObject({ code: "offline" });
  await api.create({ deals: 5 });
  await api.create({ deals: 3 });
  expect(new Set(keys).size).toBe(3);
  expect(keys[3]).toBe(keys[1]);
});

test("a proxy's word, or half of an answer, is none: it is asked for by the same key", async () => {
  const keys = answering([
    [201, undefined],
    [502, undefined],
    [504, undefined],
    [201, {}],
  ]);
  for (const status of [0, 502, 504])
    await expect(api.play({ deals: 7 })).rejects.toMatchObject({ status, code: "offline" });
  await api.play({ deals: 7 });
  expect(new Set(keys).size).toBe(1);
});
