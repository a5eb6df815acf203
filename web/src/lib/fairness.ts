/** What this seat gives to fair deals: the rounds of every client, with this page's hash and notes.

The hash comes from a library, since browsers offer their own only over https. */

import { sha256 } from "@noble/hashes/sha2.js";
import { FairRounds, type Notes } from "../../../clients/js/src/fair";

export * from "../../../clients/js/src/fair";

/** The rounds of a table as this page takes part in them. */
export function roundsOf(table: string, notes: Notes): FairRounds {
  return new FairRounds(table, sha256, notes);
}
