/** What this seat gives to fair deals, by docs/en/fairness.md: a commitment, and what opens it.

The hashes come from a library, since browsers offer their own only over https. */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { RoundView, TableView } from "./protocol";
import { randomHex } from "./random";

/** Table, match, deal and round. */
export interface Place {
  table: string;
  match: number;
  deal: number;
  round: number;
}

/** What a seat does next for a deal that is prepared. */
export type Step =
  | { type: "commit"; commitment: string }
  | { type: "reveal"; random: string }
  /** Something was shown that can't be: nothing is revealed. */
  | { type: "mismatch" };

const KEY = "okey101.fairness";

function numbered(n: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(n));
  return bytes;
}

function sized(bytes: Uint8Array): Uint8Array {
  return concatBytes(numbered(bytes.length), bytes);
}

function digest(label: string, ...parts: Uint8Array[]): string {
  return bytesToHex(sha256(concatBytes(utf8ToBytes(label), ...parts)));
}

function context({ table, match, deal, round }: Place): Uint8Array {
  return concatBytes(sized(utf8ToBytes(table)), ...[match, deal, round].map(numbered));
}

/** The commitment of a seat to its contribution, in hexadecimal digits. */
export function seatCommitment(place: Place, seat: number, random: string): string {
  const label = "okey101 fair contribution 1";
  return digest(label, context(place), numbered(seat), hexToBytes(random));
}

/** A digest of all that is shown before anything is revealed. */
export function transcript(
  place: Place,
  commitment: string,
  bots: readonly boolean[],
  commitments: readonly (string | null)[],
): string {
  const seats = bots.flatMap((bot, seat) => [
    numbered(bot ? 1 : 0),
    sized(hexToBytes(commitments[seat] ?? "")),
  ]);
  return digest(
    "okey101 fair transcript 1",
    context(place),
    hexToBytes(commitment),
    numbered(bots.length),
    ...seats,
  );
}

let forgetful: string | null = null;

/** A key of this browser, from which every contribution follows: it outlives a reload, and two
pages of one person agree. */
function ownKey(): string {
  if (forgetful) return forgetful;
  try {
    const kept = localStorage.getItem(KEY);
    if (kept && /^[0-9a-f]{64}$/.test(kept)) return kept;
    const made = randomHex(32);
    localStorage.setItem(KEY, made);
    return made;
  } catch {
    return (forgetful = randomHex(32));
  }
}

/** This browser's contribution for a seat in a round. */
export function contribution(place: Place, seat: number): string {
  return digest("okey101 page contribution", hexToBytes(ownKey()), context(place), numbered(seat));
}

/** Where a deal that is prepared stands; null while none is. */
export function placeOf(table: TableView): Place | null {
  const { commitment, round } = table;
  if (table.stage !== "dealing" || !commitment || !round) return null;
  return { table: table.id, match: commitment.match, deal: commitment.deal, round: round.number };
}

/** What a seat has to do, given what was promised before; null for nothing. */
export function nextStep(table: TableView, seat: number, promised: Promises): Step | null {
  const place = placeOf(table);
  const { commitment, round } = table;
  if (!place || !commitment || !round) return null;
  const name = JSON.stringify(place);
  const first = promised.get(name) ?? commitment.value;
  promised.set(name, first);
  if (first !== commitment.value) return { type: "mismatch" };
  const own = `${name} ${String(seat)}`;
  if (!round.shown) {
    if (round.commitments[seat] || round.left_out.includes(seat)) return null;
    const commitment = seatCommitment(place, seat, contribution(place, seat));
    promised.set(own, commitment);
    return { type: "commit", commitment };
  }
  const mine = round.commitments[seat];
  if (!mine || round.randomness[seat]) return null;
  const random = contribution(place, seat);
  if (mine !== seatCommitment(place, seat, random)) {
    // Another device of this person committed, unless this one did.
    return promised.has(own) ? { type: "mismatch" } : null;
  }
  return isRight(round, place, first) ? { type: "reveal", random } : { type: "mismatch" };
}

function isRight(round: RoundView, place: Place, commitment: string): boolean {
  if (!round.bots) return false;
  return round.transcript === transcript(place, commitment, round.bots, round.commitments);
}

/** What the server promised first, by round, and what this page did, by round and seat. */
export type Promises = Map<string, string>;
