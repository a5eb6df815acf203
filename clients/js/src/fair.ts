/** One's own part in fair deals, computed as docs/en/fairness.md says. */

import type { RoundView } from "./messages.js";
import type { TableView } from "./protocol.js";

const words = new TextEncoder();

function joined(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function eight(n: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(n));
  return bytes;
}

function sized(bytes: Uint8Array): Uint8Array {
  return joined([eight(bytes.length), bytes]);
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function sha256(...parts: Uint8Array[]): Promise<string> {
  return hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", joined(parts))));
}

/** Which round a promise belongs to. */
interface Where {
  table: string;
  match: number;
  deal: number;
  round: number;
}

function context(where: Where): Uint8Array {
  const numbers = [where.match, where.deal, where.round].map(eight);
  return joined([sized(words.encode(where.table)), ...numbers]);
}

/** What a seat publishes of its contribution. */
export function seatCommitment(random: string, where: Where, seat: number): Promise<string> {
  const label = words.encode("okey101 fair contribution 1");
  return sha256(label, context(where), eight(seat), bytesOf(random));
}

/** The digest of all that was shown before anything is revealed. */
export function transcript(promised: string, where: Where, round: RoundView): Promise<string> {
  const seats = round.commitments.flatMap((given, seat) => [
    eight(round.bots?.[seat] ? 1 : 0),
    sized(bytesOf(given ?? "")),
  ]);
  const label = words.encode("okey101 fair transcript 1");
  const count = eight(round.commitments.length);
  return sha256(label, context(where), bytesOf(promised), count, ...seats);
}

/** The contributions of one person at one table. */
export class FairRounds {
  #given = new Map<string, string>();
  #promised = new Map<string, string>();

  /**
   * The next command in the round that is shown, null for none; throws where what is shown is not
   * what was given, and then nothing is revealed.
   */
  async step(
    table: TableView,
    seat: number,
  ): Promise<{ type: "commit"; commitment: string } | { type: "reveal"; random: string } | null> {
    const { commitment: promise, round } = table;
    if (!promise || !round || promise.round !== round.number) return null;
    const { match, deal } = promise;
    const where = { table: table.id, match, deal, round: round.number };
    const key = JSON.stringify(where);
    const before = this.#promised.get(key) ?? promise.value;
    this.#promised.set(key, before);
    if (before !== promise.value) throw new Error("the server has changed its commitment");
    const shown = round.commitments[seat] ?? null;
    let mine = this.#given.get(key);
    if (!round.shown) {
      if (shown !== null || round.left_out.includes(seat)) return null;
      mine ??= hexOf(crypto.getRandomValues(new Uint8Array(32)));
      this.#given.set(key, mine);
      return {
        type: "commit",
        commitment: await seatCommitment(mine, where, seat),
      };
    }
    if (mine === undefined || shown === null || round.randomness[seat] !== null) return null;
    if (shown !== (await seatCommitment(mine, where, seat)))
      throw new Error("another commitment is shown for this seat");
    if ((await transcript(promise.value, where, round)) !== round.transcript)
      throw new Error("the transcript is not that of the commitments");
    return { type: "reveal", random: mine };
  }
}
