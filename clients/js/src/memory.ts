/** What a program takes part in fair deals with, where a page has its own. */

import type { Digest, Notes, RoundNote, Where } from "./fair.js";

/** The hash of browsers, over https alone, and of Node. */
export const sha256: Digest = async (bytes) =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

/** The notes of a program, which it forgets when it ends. */
export class Memory implements Notes {
  readonly sheets: Notes["sheets"] = new Map();
  losses = "";
  #notes = new Map<string, RoundNote>();

  note({ match, deal, round }: Where, first: RoundNote): RoundNote {
    const key = JSON.stringify([match, deal, round]);
    const found = this.#notes.get(key) ?? first;
    this.#notes.set(key, found);
    return found;
  }

  save(): Promise<void> {
    return Promise.resolve();
  }

  forgetAfter(match: number, deal: number): void {
    for (const key of [...this.#notes.keys()]) {
      const [m, d] = JSON.parse(key) as [number, number];
      if (m > match && this.#notes.get(key)?.transcript)
        throw new Error("a later match was shown already"); // no record would tell of it
      if (m > match || (m === match && d > deal)) this.#notes.delete(key);
    }
  }
}
