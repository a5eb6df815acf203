/** The server's transparency log: whether it still holds all that this browser was shown of it.

Heads and proofs are those of Certificate Transparency (RFC 9162); docs/en/fairness.md tells more. */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { get, set } from "idb-keyval";
import { api, ask, ApiError } from "./api";
import type { MatchRecord } from "./fairRecord";
import { canonical } from "./fairness";
import { soon } from "./witness";
import type { ConsistencyProof, InclusionProof } from "./answers";

/** How many entries a log has, and the root of its tree. */
export interface Head {
  size: number;
  root: Uint8Array;
}

/** What is kept of a log between visits. */
interface Known {
  checkpoint: string;
  key: string;
}

/** What came of a look at the log; `later`: what it lacks may only be too new. */
export type LogState = "same" | "changed" | "lacks" | "later" | "unknown";

const KEPT = "public log";
const BODY = /^([!-~]{1,200}\n(0|[1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n)(?:\n((?:— .+\n)*))?$/u;
const same = (one: Uint8Array, other: Uint8Array): boolean => bytesToHex(one) === bytesToHex(other);
const pair = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  sha256(concatBytes(Uint8Array.of(1), left, right));
const half = (n: number): number => Math.floor(n / 2);
const odd = (n: number): boolean => n % 2 === 1;

/** The hash of an entry, which is a leaf of the tree. */
export const entryHash = (entry: string): Uint8Array =>
  sha256(concatBytes(Uint8Array.of(0), utf8ToBytes(entry)));

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/** The head that a checkpoint's text tells; null for what is none. */
export function headOf(text: string): Head | null {
  const found = BODY.exec(text);
  const size = Number(found?.[2]);
  return found && Number.isSafeInteger(size) ? { size, root: bytesOf(found[3] ?? "") } : null;
}

/** Goes up the tree from a place, one hash of the proof at a time; false where it ends elsewhere. */
function climb(
  place: number,
  last: number,
  proof: Uint8Array[],
  take: (other: Uint8Array, left: boolean) => void,
): boolean {
  for (const other of proof) {
    if (last === 0) return false;
    const left = odd(place) || place === last;
    take(other, left);
    if (left) while (place && !odd(place)) [place, last] = [half(place), half(last)];
    [place, last] = [half(place), half(last)];
  }
  return last === 0;
}

/** Whether a proof shows that an entry is at a place of a head's log. */
export function isIncluded(entry: string, place: number, head: Head, proof: Uint8Array[]): boolean {
  let found = entryHash(entry);
  const whole =
    place < head.size &&
    climb(place, head.size - 1, proof, (other, left) => {
      found = left ? pair(other, found) : pair(found, other);
    });
  return whole && same(found, head.root);
}

/** Whether a proof shows that the later head's log begins with all of the earlier one's. */
export function isExtended(old: Head, now: Head, proof: Uint8Array[]): boolean {
  if (old.size === now.size) return same(old.root, now.root) && !proof.length;
  if (old.size === 0) return !proof.length;
  if (old.size > now.size) return false;
  let [place, last] = [old.size - 1, now.size - 1];
  while (odd(place)) [place, last] = [half(place), half(last)];
  const rest = [...proof];
  // An earlier log that is a whole subtree needs no telling.
  const first = place ? rest.shift() : old.root;
  if (!first) return false;
  let [ofOld, ofNow] = [first, first];
  const whole = climb(place, last, rest, (other, left) => {
    if (left) ofOld = pair(other, ofOld);
    ofNow = left ? pair(other, ofNow) : pair(ofNow, other);
  });
  return whole && same(ofOld, old.root) && same(ofNow, now.root);
}

/** Whether a checkpoint is signed by a verifier key, as signed notes have both. */
export async function isSigned(checkpoint: string, verifier: string): Promise<boolean> {
  const [name = "", print = "", code = ""] = verifier.split(/\+(.{8})\+/);
  const [, body = "", , , lines = ""] = BODY.exec(checkpoint) ?? [];
  const told = bytesOf(code);
  const id = sha256(concatBytes(utf8ToBytes(`${name}\n`), told)).slice(0, 4);
  if (told[0] !== 1 || bytesToHex(id) !== print || !body.startsWith(`${name}\n`)) return false;
  const line = lines.split("\n").find((one) => one.startsWith(`— ${name} `));
  const signed = bytesOf(line?.split(" ")[2] ?? "");
  // Only here: browsers have no such check over plain http, and few people ask for it.
  const [ed, { sha512 }] = await Promise.all([import("@noble/ed25519"), import("./sha512")]);
  ed.hashes.sha512 = sha512;
  if (signed.length !== 68 || !same(signed.slice(0, 4), id)) return false;
  return ed.verify(signed.slice(4), utf8ToBytes(body), told.slice(1));
}

const proved = (hashes: string[]): Uint8Array[] => hashes.map((one) => hexToBytes(one));

/** What the log has of a match: its rounds, and the match itself once it is over. */
export function entriesOf(record: MatchRecord, over: boolean): string[] {
  const fair = record.deals.flatMap((deal) => deal.fair ?? []);
  const found = fair.flatMap((one) => [
    ...(one.abandoned ?? []).map((other) => `thrown ${other.commitment}`),
    `commitment ${one.commitment}`,
  ]);
  if (!over) return found;
  const unnamed = Object.fromEntries(Object.entries(record).filter(([name]) => name !== "players"));
  return [...found, `match ${bytesToHex(sha256(utf8ToBytes(canonical(unnamed))))}`];
}

/** Compare the server's log with what was known of it, and look for entries that have to be there.

A head comes once a minute, so that the entries of what is `recent` may not be among its own. */
export async function look(entries: string[], recent: boolean): Promise<LogState> {
  try {
    const told = await api.log();
    const now = headOf(told.checkpoint);
    const known = await soon(() => get<Known>(KEPT));
    const before = known ? headOf(known.checkpoint) : { size: 0, root: sha256(new Uint8Array()) };
    if (!now || !before || !(await isSigned(told.checkpoint, told.key))) return "changed";
    if (now.size < before.size || (known && known.key !== told.key)) return "changed";
    const path = `/api/log/consistency?old=${before.size}&size=${now.size}`;
    const { proof } = await ask<ConsistencyProof>("GET", path);
    if (!isExtended(before, now, proved(proof))) return "changed";
    await soon(() => set(KEPT, { checkpoint: told.checkpoint, key: told.key }));
    for (const entry of entries) {
      const asked = `/api/log/inclusion?entry=${encodeURIComponent(entry)}&size=${now.size}`;
      const found = await ask<InclusionProof>("GET", asked);
      if (found.place === null) return recent ? "later" : "lacks";
      if (!isIncluded(entry, found.place, now, proved(found.proof))) return "changed";
    }
    return "same";
  } catch (error) {
    // What it says can't even be read, or it refuses to prove what it says.
    const refused = error instanceof ApiError && error.refusal.code !== "no-entry";
    return refused ? "unknown" : "changed";
  }
}
