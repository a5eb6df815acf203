/** What this browser contributes to the deals of the next day, and whether it was mixed in.

docs/en/fairness.md tells how a day's contributions are hashed. */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { bytesOf, eight, joined, sized } from "../../../clients/js/src/fair";
import type { DayAnswer, DayBegun, DayMix } from "./answers";
import { ask } from "./api";
import { look } from "./publicLog";
import { randomHex } from "./random";

const BYTES = 32;
const kept = (date: string): string => `okey101.share.${date}`;

/** What was contributed to a day from here, and to which seal. */
interface Share {
  digest: string;
  value: string;
}

export function shareOf(date: string): Share | null {
  return JSON.parse(localStorage.getItem(kept(date)) ?? "null") as Share | null;
}

/** Begin a try of a day, or go on with it, with a contribution to the day after if one is taken. */
export async function begin({ date, own, next }: DayAnswer): Promise<string> {
  const share = next && !own ? { digest: next.digest, value: randomHex(BYTES) } : undefined;
  const begun = await ask<DayBegun>("POST", `/api/days/${date}/play`, share);
  if (next && share && begun.shared) localStorage.setItem(kept(next.date), JSON.stringify(share));
  return begun.table;
}

/** What can be said of the contributions to a day: their number, and the words for the rest. */
export async function mixed(day: DayAnswer): Promise<{ count: number; words: string[] }> {
  const { digest, shares, mix } = await ask<DayMix>("GET", `/api/days/${day.date}/mix`);
  const given = shares.map(bytesOf);
  const inOrder = shares.every((share, at) => at === 0 || (shares[at - 1] ?? "") <= share);
  const date = sized(utf8ToBytes(day.date));
  const hashed = sha256(
    joined(utf8ToBytes("okey101 day mix 1"), date, bytesOf(digest), eight(given.length), ...given),
  );
  const lines = [`day ${day.date} ${digest}`, `mixed ${day.date} ${mix}`];
  const logged = await look(lines, day.state !== "closed");
  const follows = inOrder && digest === day.digest && bytesToHex(hashed) === mix;
  const right = follows && logged !== "changed" && logged !== "lacks";
  const own = shareOf(day.date);
  const there = own && own.digest === digest && shares.includes(own.value);
  return {
    count: shares.length,
    words: [
      ...(right ? [] : ["day-list-wrong"]),
      ...(own ? [there ? "day-share-in" : "day-share-missing"] : []),
    ],
  };
}
