/** The server's transparency log: whether it still holds all that this browser was shown of it.

Heads and proofs are those of Certificate Transparency (RFC 9162); docs/en/fairness.md tells more. */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { get, set } from "idb-keyval";
import {
  hashesOf,
  isIncluded,
  isSigned,
  newest,
  type Seen,
  type Tools,
} from "../../../clients/js/src/heads";
import { ask, ApiError } from "./api";
import type { MatchRecord } from "./fairRecord";
import { canonical } from "./fairness";
import { OFFLINE, type Refusal } from "./refusal";
import { soon } from "./witness";
import type { InclusionProof } from "./answers";

/** What came of a look at the log; `later`: what it lacks may only be too new. */
export type LogState = "same" | "changed" | "lacks" | "later" | "unproved" | "unknown";

/** No texts: those name tables. */
const KEPT = ["public log"];
const AWAITED = ["lines that the public log lacked"];
const HOUR = 3600 * 1000;
const MONTH = 30 * 24 * HOUR;
/** As this page looks at a log: by libraries, since browsers check nothing over plain http. */
export const tools: Tools = {
  ask: (path) => ask("GET", path),
  sha256,
  verify: async (signature, body, key) => {
    // Only here: few people ask for it.
    const parts = Promise.all([import("@noble/ed25519"), import("./sha512")]);
    const [ed, { sha512 }] = await parts.catch(() => {
      throw new ApiError(0, OFFLINE); // which says nothing of the log
    });
    ed.hashes.sha512 = sha512;
    return ed.verify(signature, body, key);
  },
};

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

/** Whether something may still come: for an hour by the own clock, since the server's may be wrong. */
async function mayCome(name: string): Promise<boolean> {
  const now = Date.now();
  const known = (await soon(() => get<Record<string, number>>(AWAITED))) ?? {};
  const first = known[name] ?? now;
  const young = Object.entries(known).filter(([, at]) => at > now - MONTH);
  await soon(() => set(AWAITED, { ...Object.fromEntries(young), [name]: first }));
  return now - first < HOUR;
}

/** Compare the server's log with what was known of it, and look for entries that have to be there.

A head comes once a minute, so that the entries of what is `recent` may not be among its own. With
`match` they all come together: so long as one of that match lacks, nobody waits for others anew. */
export async function look(entries: string[], recent: boolean, match?: string): Promise<LogState> {
  let told = false;
  try {
    const known = await soon(() => get<Seen>(KEPT));
    const sound = known && (await isSigned(known, tools)) !== false; // else no server is accused
    const { seen, head } = await newest(sound ? known : null, tools);
    told = true;
    await soon(() => set(KEPT, seen));
    for (const entry of entries) {
      const asked = `/api/log/inclusion?entry=${encodeURIComponent(entry)}&size=${head.size}`;
      const { place, proof } = await tools.ask<InclusionProof>(asked);
      if (place === null) return recent && (await mayCome(match ?? entry)) ? "later" : "lacks";
      if (!(await isIncluded(entry, place, head, hashesOf(proof), sha256))) return "changed";
    }
    return "same";
  } catch (error) {
    const { code } = error as Partial<Refusal>;
    if (code === "log-unproved") return "unproved";
    // What it says can't even be read, or it has no such head.
    if (!(error instanceof ApiError) || code === "no-entry") return "changed";
    if (told || code !== OFFLINE.code) return "unproved";
    return tools.ask("/version").then(
      () => "unproved" as const, // it answers everything else
      () => "unknown",
    );
  }
}
