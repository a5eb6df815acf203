import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { get, set } from "idb-keyval";
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { MatchRecord } from "../src/lib/fairRecord";
import { ApiError } from "../src/lib/api";
import * as heads from "../../clients/js/src/heads";
import { entriesOf, look, tools } from "../src/lib/publicLog";
import { CHECKPOINT, KEY } from "./fakes";

vi.mock("idb-keyval", () => ({ get: vi.fn(), set: vi.fn() }));

const { headOf } = heads;
type Head = heads.Head;

const entryHash = (entry: string) => heads.entryHash(entry, sha256) as Uint8Array;
const isIncluded = (entry: string, place: number, head: Head, proof: Uint8Array[]) =>
  heads.isIncluded(entry, place, head, proof, sha256);
const isExtended = (old: Head, now: Head, proof: Uint8Array[]) =>
  heads.isExtended(old, now, proof, sha256);
const isSigned = (checkpoint: string, key: string) => heads.isSigned({ checkpoint, key }, tools);

/** The next, by the same key. */
const NEWER =
  "okey101/log\n4\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n— okey101/log ILv4s4Ray6Jm6AWPGmHoc7Ih2dyur1WOBDCgNKQ+BgaKa80sLQR46X0V8WjJj0ZGrAAGPGDUUfvaP4hanHsMa14UtA8=\n";
const MOST = 20;
const entries = Array.from({ length: MOST }, (_, n) => `entry ${n}`);

/** Root and proofs by their definition, slowly: the largest power of two below the size is left. */
function root(some: string[]): Uint8Array {
  if (!some.length) return sha256(new Uint8Array());
  const [first = ""] = some;
  if (some.length === 1) return entryHash(first);
  const left = leftOf(some.length);
  const both = [root(some.slice(0, left)), root(some.slice(left))];
  return sha256(concatBytes(Uint8Array.of(1), ...both));
}

function leftOf(size: number): number {
  let left = 1;
  while (2 * left < size) left *= 2;
  return left;
}

function inclusion(place: number, some: string[]): Uint8Array[] {
  if (some.length === 1) return [];
  const left = leftOf(some.length);
  return place < left
    ? [...inclusion(place, some.slice(0, left)), root(some.slice(left))]
    : [...inclusion(place - left, some.slice(left)), root(some.slice(0, left))];
}

function consistency(old: number, some: string[], whole = true): Uint8Array[] {
  if (old === some.length) return whole ? [] : [root(some)];
  const left = leftOf(some.length);
  return old <= left
    ? [...consistency(old, some.slice(0, left), whole), root(some.slice(left))]
    : [...consistency(old - left, some.slice(left), false), root(some.slice(0, left))];
}

const head = (size: number): Head => ({ size, root: root(entries.slice(0, size)) });

describe("the public log", () => {
  it("proves every entry of every head, and no other", async () => {
    for (let size = 1; size <= MOST; size++) {
      for (const [place, entry] of entries.slice(0, size).entries()) {
        const proof = inclusion(place, entries.slice(0, size));
        expect(await isIncluded(entry, place, head(size), proof)).toBe(true);
        expect(await isIncluded("another", place, head(size), proof)).toBe(false);
        expect(await isIncluded(entry, place + 1, head(size), proof)).toBe(false);
        expect(await isIncluded(entry, place, head(size), [...proof, entryHash("")])).toBe(false);
      }
    }
  });

  it("proves every later head, and no shorter or changed one", async () => {
    for (let now = 0; now <= MOST; now++) {
      for (let old = 0; old <= now; old++) {
        const proof = old ? consistency(old, entries.slice(0, now)) : [];
        expect(await isExtended(head(old), head(now), proof)).toBe(true);
        if (old < now) expect(await isExtended(head(now), head(old), proof)).toBe(false);
        const changed = { size: old, root: entryHash("changed") };
        if (old) expect(await isExtended(changed, head(now), proof)).toBe(false);
        if (old)
          expect(await isExtended(head(old), head(now), [...proof, entryHash("")])).toBe(false);
      }
    }
  });

  it("looks for the same entries as the server makes", () => {
    const file = `${process.cwd()}/../docs/fairness-vectors.json`;
    const { matches } = JSON.parse(readFileSync(file, "utf-8")) as { matches: [MatchRecord] };
    const [commitment] = entriesOf(matches[0], false);
    expect(commitment?.slice(0, 19)).toBe("commitment 84080019");
    // What okey101.game.record.verification.public_entries gives for it.
    const match = "match 2786d4df02b171fa9fe2f303cdf1d8555917e6cefa3029114e56e51354906069";
    expect(entriesOf({ ...matches[0], players: ["Ada"] } as MatchRecord, true)[3]).toBe(match);
  });

  it("reads a signed head, and believes its key alone", async () => {
    const text = CHECKPOINT;
    expect(headOf(text)?.size).toBe(3);
    expect(await isSigned(text, KEY)).toBe(true);
    expect(await isSigned(text.replace("\n3\n", "\n4\n"), KEY)).toBe(false);
    expect(await isSigned(text.split("\n\n")[0] + "\n", KEY)).toBe(false);
    expect(await isSigned(text, KEY.replace("okey101/log", "okey101/dog"))).toBe(false);
    for (const bad of ["", "a\n01\n", "a b\n1\n"]) expect(headOf(bad)).toBeNull();
  });

  it("reads a key whose code looks as if it held another print", async () => {
    // Made with a key of 31 zeros and 228: one key in a hundred and fifty has such a code.
    const key = "okey101/log+881410e5+AR+utYCOx7m+/XWCUOj5lxd20HxotjPGfNlbatU5zXZV";
    const signature =
      "iBQQ5ac/4r0uPTtYC5sJuCEWc+HJOKpOqp0VCTAaOFjN8AP1mrWasm8r23WJhOpxDbRkzlhFwBHuWMXaBLdi/1A2Zwg=";
    const text = `okey101/log\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n— okey101/log ${signature}\n`;
    expect(await isSigned(text, key)).toBe(true);
  });
});

describe("a look at the log", () => {
  const log = (checkpoint = CHECKPOINT): void => {
    vi.spyOn(tools, "ask").mockImplementation(() =>
      Promise.resolve({ checkpoint, key: KEY } as never),
    );
  };

  afterEach(() => {
    vi.restoreAllMocks();
    vi.doUnmock("@noble/ed25519");
  });

  it("accuses nobody where a part of the page can't be loaded", async () => {
    log();
    expect(await look([], false)).toBe("same");
    vi.doMock("@noble/ed25519", () => {
      throw new TypeError("Failed to fetch dynamically imported module");
    });
    expect(await look([], false)).toBe("unproved");
  });

  it("accuses nobody where what was kept is damaged, and asks for nothing", async () => {
    log();
    const damaged = { checkpoint: CHECKPOINT, key: KEY.replace("OhB7", "OhB8") };
    await expect(heads.newest(damaged, tools)).rejects.toMatchObject({ code: "bad-audit-file" });
    expect(tools.ask).not.toHaveBeenCalled();
    vi.mocked(get).mockResolvedValueOnce(damaged);
    expect(await look([], false)).toBe("same");
  });

  it.each([
    ["/api/log/", "rate-limited", "unproved"],
    ["/api/log/consistency", "rate-limited", "unproved"],
    ["/api/log/consistency", "offline", "unproved"],
    ["/api/log/consistency", "no-entry", "changed"],
    ["/api/log/inclusion", "rate-limited", "unproved"],
  ])("tells a proof that is refused from a server that is away: %s, %s", async (at, code, said) => {
    const refused = new ApiError(429, { code, message: "", rule: null, details: {} });
    const newer = at === "/api/log/consistency";
    const told = { checkpoint: newer ? NEWER : CHECKPOINT, key: KEY };
    vi.spyOn(tools, "ask").mockImplementation((path) =>
      path.split("?")[0] === at ? Promise.reject(refused) : Promise.resolve(told as never),
    );
    vi.mocked(get).mockResolvedValueOnce({ checkpoint: CHECKPOINT, key: KEY });
    expect(await look(["commitment 0"], false)).toBe(said);
  });

  it("tells a log whose line alone is broken from a server that is away", async () => {
    const offline = new ApiError(0, { code: "offline", message: "", rule: null, details: {} });
    const ask = vi.spyOn(tools, "ask").mockRejectedValue(offline);
    expect(await look([], false)).toBe("unknown");
    ask.mockImplementation((path) =>
      path.startsWith("/api/log/") ? Promise.reject(offline) : Promise.resolve({} as never),
    );
    expect(await look([], false)).toBe("unproved");
  });

  it("keeps its head where no table's name can overwrite it", async () => {
    log();
    await look([], false);
    expect(vi.mocked(set).mock.calls.map(([key]) => typeof key)).not.toContain("string");
  });

  it("waits for a line by its own clock, whatever the server's says", async () => {
    const kept = new Map<string, unknown>();
    vi.mocked(get).mockImplementation((key) => Promise.resolve(kept.get(`${key as string}`)));
    vi.mocked(set).mockImplementation((key, value) => {
      kept.set(`${key as string}`, value);
      return Promise.resolve();
    });
    vi.spyOn(tools, "ask").mockResolvedValue({ checkpoint: CHECKPOINT, key: KEY, place: null });
    expect(await look(["match 0"], true)).toBe("later");
    expect(await look(["match a"], true, "t-1")).toBe("later");
    const now = Date.now();
    vi.spyOn(Date, "now").mockReturnValue(now + 600_000);
    expect([await look(["match 0"], true), await look(["match 1"], true)]).toEqual(
      Array(2).fill("later"),
    );
    vi.mocked(Date.now).mockReturnValue(now + 3_700_000);
    expect(await look(["match 0"], true)).toBe("lacks");
    expect(await look(["match 1"], true)).toBe("later");
    expect(await look(["match b"], true, "t-1")).toBe("lacks"); // another record each time
    vi.mocked(get).mockReset();
    vi.mocked(set).mockReset();
  });

  it("says so where the head is no head", async () => {
    log("none");
    expect(await look([], false)).toBe("changed");
  });
});
