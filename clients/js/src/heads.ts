/** Heads of a server's transparency log: what was shown once is held against what is shown later.

Proofs are those of Certificate Transparency (RFC 9162); docs/en/fairness.md tells more. */

import { bytesOf, hexOf, joined, words, type Digest } from "./fair.js";
import { Refusal } from "./refusal.js";

/** How many entries a log has, and the root of its tree. */
export interface Head {
  size: number;
  root: Uint8Array;
}

/** The newest checkpoint that was shown of a log, and the key of its signature. */
export interface Seen {
  checkpoint: string;
  key: string;
  /** Since when no newer head was told with a proof that it holds this one, in milliseconds. */
  unproved?: number;
  /** How often that was so, one after the other. */
  tries?: number;
}

/** What a log is looked at with: a request to its server, a hash, and a check of signatures. */
export interface Tools {
  ask: <T>(path: string) => Promise<T>;
  sha256: Digest;
  /** Ed25519; null where nothing can tell. */
  verify: (signature: Uint8Array, body: Uint8Array, key: Uint8Array) => Promise<boolean | null>;
}

/** A head that holds all of the one that was known; `signed`: whether its signature was checked. */
export interface Newest {
  seen: Seen;
  head: Head;
  signed: boolean;
}

const BODY = /^([!-~]{1,200}\n(0|[1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n)(?:\n((?:— .+\n)*))?$/u;
const FAULTS = {
  "bad-audit-file": "what was kept of the log is damaged",
  "bad-checkpoint": "a checkpoint is an origin, a size, a root and signatures",
  "log-key-changed": "the log is signed by another key than before",
  "log-rewritten": "the log is not the one that was shown before",
  "log-shortened": "the log has fewer entries than before",
  "log-unproved": "the server does not prove that its log holds what was shown before",
  "log-wrong-signature": "the head of the log is not signed by its key",
};
/** A server may have no time for its log, but not for a day, and more often than this. */
const DAY = 24 * 3600 * 1000;
const TRIES = 4;
const half = (n: number): number => Math.floor(n / 2);
const odd = (n: number): boolean => n % 2 === 1;
const same = (one: Uint8Array, other: Uint8Array): boolean => hexOf(one) === hexOf(other);

/** What a log shows to be wrong with it. */
export class LogFault extends Refusal {
  constructor(code: keyof typeof FAULTS) {
    super({ code, message: FAULTS[code], rule: null, details: {} });
  }
}

function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

/** The head that a checkpoint's text tells; null for what is none. */
export function headOf(text: string): Head | null {
  const found = BODY.exec(text);
  const size = Number(found?.[2]);
  return found && Number.isSafeInteger(size) ? { size, root: fromBase64(found[3] ?? "") } : null;
}

/** The hashes of a proof, from hex digits. */
export function hashesOf(proof: readonly string[]): Uint8Array[] {
  return proof.map(bytesOf);
}

/** The hash of an entry, which is a leaf of the tree. */
export function entryHash(entry: string, sha256: Digest): Uint8Array | Promise<Uint8Array> {
  return sha256(joined(Uint8Array.of(0), words.encode(entry)));
}

/** Goes up the tree from a place, one hash of the proof at a time; false where it ends elsewhere. */
async function climb(
  place: number,
  last: number,
  proof: Uint8Array[],
  take: (other: Uint8Array, left: boolean) => Promise<void>,
): Promise<boolean> {
  for (const other of proof) {
    if (last === 0) return false;
    const left = odd(place) || place === last;
    await take(other, left);
    if (left) while (place && !odd(place)) [place, last] = [half(place), half(last)];
    [place, last] = [half(place), half(last)];
  }
  return last === 0;
}

function pairs(sha256: Digest): (left: Uint8Array, right: Uint8Array) => Promise<Uint8Array> {
  return async (left, right) => sha256(joined(Uint8Array.of(1), left, right));
}

/** Whether a proof shows that an entry is at a place of a head's log. */
export async function isIncluded(
  entry: string,
  place: number,
  head: Head,
  proof: Uint8Array[],
  sha256: Digest,
): Promise<boolean> {
  if (place >= head.size) return false;
  const pair = pairs(sha256);
  let found = await entryHash(entry, sha256);
  const whole = await climb(place, head.size - 1, proof, async (other, left) => {
    found = await (left ? pair(other, found) : pair(found, other));
  });
  return whole && same(found, head.root);
}

/** Whether a proof shows that the later head's log begins with all of the earlier one's. */
export async function isExtended(
  old: Head,
  now: Head,
  proof: Uint8Array[],
  sha256: Digest,
): Promise<boolean> {
  if (old.size === now.size) return same(old.root, now.root) && !proof.length;
  if (old.size === 0) return !proof.length;
  if (old.size > now.size) return false;
  const pair = pairs(sha256);
  let [place, last] = [old.size - 1, now.size - 1];
  while (odd(place)) [place, last] = [half(place), half(last)];
  const rest = [...proof];
  // An earlier log that is a whole subtree needs no telling.
  const first = place ? rest.shift() : old.root;
  if (!first) return false;
  let [ofOld, ofNow] = [first, first];
  const whole = await climb(place, last, rest, async (other, left) => {
    if (left) ofOld = await pair(other, ofOld);
    ofNow = await (left ? pair(other, ofNow) : pair(ofNow, other));
  });
  return whole && same(ofOld, old.root) && same(ofNow, now.root);
}

/** Whether a verifier key, as signed notes have it, signed a checkpoint; null: nothing can tell. */
export async function isSigned({ checkpoint, key }: Seen, tools: Tools): Promise<boolean | null> {
  const [, name = "", print = "", code = ""] = /^([^+]*)\+(.{8})\+(.*)$/.exec(key) ?? [];
  const [, body = "", , , lines = ""] = BODY.exec(checkpoint) ?? [];
  const told = fromBase64(code);
  const id = (await tools.sha256(joined(words.encode(`${name}\n`), told))).slice(0, 4);
  if (told.length !== 33 || told[0] !== 1 || hexOf(id) !== print || !body.startsWith(`${name}\n`))
    return false;
  const line = lines.split("\n").find((one) => one.startsWith(`— ${name} `));
  const signed = fromBase64(line?.split(" ")[2] ?? "");
  if (signed.length !== 68 || !same(signed.slice(0, 4), id)) return false;
  return tools.verify(signed.slice(4), words.encode(body), told.slice(1));
}

/**
 * The newest head of a server's log, held against the one that was known. Rejects with a LogFault:
 * `log-shortened`, `log-rewritten`, `log-key-changed`, `log-wrong-signature`, `bad-checkpoint`,
 * `log-unproved` where the server tells a newer head and nothing more, `bad-audit-file` where the
 * known head is not that of its key, and whatever `ask` rejects with.
 */
export async function newest(known: Seen | null, tools: Tools): Promise<Newest> {
  const old = known && headOf(known.checkpoint);
  if (known && (!old || (await isSigned(known, tools)) === false))
    throw new LogFault("bad-audit-file");
  const { checkpoint, key } = await tools.ask<Seen>("/api/log/");
  const seen = { checkpoint, key };
  const head = headOf(checkpoint);
  if (!head) throw new LogFault("bad-checkpoint");
  if (known && known.key !== key) throw new LogFault("log-key-changed");
  const signed = await isSigned(seen, tools);
  if (signed === false) throw new LogFault("log-wrong-signature");
  if (old && head.size < old.size) throw new LogFault("log-shortened");
  if (old && !(await isExtended(old, head, await proofOf(old, head, tools), tools.sha256)))
    throw new LogFault("log-rewritten");
  return { seen, head, signed: signed === true };
}

async function proofOf(old: Head, now: Head, { ask }: Tools): Promise<Uint8Array[]> {
  if (!old.size || old.size === now.size) return [];
  const path = `/api/log/consistency?old=${old.size}&size=${now.size}`;
  try {
    return hashesOf((await ask<{ proof: string[] }>(path)).proof);
  } catch (error) {
    const none = error instanceof Refusal && error.code === "no-entry";
    throw new LogFault(none ? "log-rewritten" : "log-unproved");
  }
}

/** What is kept where no newer head came with a proof, and whether that has been so for long. */
export function unproved(known: Seen): { seen: Seen; long: boolean } {
  const now = Date.now();
  const { unproved: since = now, tries = 0 } = known;
  const seen = { ...known, unproved: Math.min(since, now), tries: tries + 1 };
  return { seen, long: now - since >= DAY && tries >= TRIES };
}
