/** What a deal comes from and leads to, computed as docs/en/fairness.md and docs/en/dealing.md say.

Written from those pages alone: the check of a deal shares nothing with the server that dealt it. */

import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import {
  BOT,
  commitmentBytes,
  contributionBytes,
  eight,
  sized,
  transcriptBytes,
  type Opened,
} from "./fairness";

export type { Opened };

/** The fields of a rule set by which tiles are dealt. */
export interface DealRules {
  players: number;
  starter: string;
  false_joker_indicator: string;
}

/** A dealt table; an okey is `*`. The stock's first tile is drawn first. */
export interface Dealt {
  dice: number[];
  indicator: string;
  hands: string[][];
  stock: string[];
}

const TILES = [..."RYBK"].flatMap((colour) =>
  Array.from({ length: 13 }, (_, number) => `${colour}${number + 1}`),
);

function digest(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes));
}

export function isBot(name: string): boolean {
  return name.startsWith(BOT);
}

/** The commitment that a round's secret opens. */
export function commitmentOf({ context, secret }: Opened): string {
  return digest(commitmentBytes(context, secret));
}

/** The commitment that a seat's contribution opens. */
export function seatCommitmentOf(
  { context, commitment, randomness }: Opened,
  seat: number,
): string {
  return digest(contributionBytes(context, commitment, seat, randomness[seat] ?? ""));
}

/** The digest of all that was shown before anything was revealed. */
export function transcriptOf({ context, commitment, seats, commitments, terms }: Opened): string {
  return digest(transcriptBytes(context, commitment, seats, commitments, terms));
}

/** The seed that secret and contributions give. */
export function seedOf(round: Opened): Uint8Array {
  const start = [utf8ToBytes("okey101 fair seed 1"), hexToBytes(transcriptOf(round))];
  const given = round.randomness.map((part) => sized(hexToBytes(part)));
  const message = concatBytes(...start, eight(given.length), ...given);
  return hmac(sha256, hexToBytes(round.secret), message);
}

/** Numbers below `n`, each equally likely, as they follow from a seed. */
function stream(seed: Uint8Array, words: string): (n: number) => number {
  let block = 0;
  let left: number[] = [];
  return (n) => {
    const limit = 2 ** 32 - (2 ** 32 % n);
    for (;;) {
      if (left.length === 0) {
        const bytes = sha256(concatBytes(seed, utf8ToBytes(words), eight(block++)));
        const numbers = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        left = Array.from({ length: 8 }, (_, word) => numbers.getUint32(4 * word));
      }
      const word = left.shift() as number;
      if (word < limit) return word % n;
    }
  };
}

/** Who deals first in a match. */
export function firstDealer(seed: Uint8Array, players: number): number {
  return stream(seed, "okey101 dealer 1")(players);
}

/** The okey's face; `F` where the indicator is a false joker. */
function okeyOf(indicator: string): string {
  if (indicator === "F") return "F";
  return `${indicator.slice(0, 1)}${(Number(indicator.slice(1)) % 13) + 1}`;
}

function shuffled(below: (n: number) => number): string[] {
  const tiles = [...TILES, "F"].flatMap((kind) => [kind, kind]);
  for (let i = tiles.length - 1; i > 0; i--) {
    const j = below(i + 1);
    [tiles[i], tiles[j]] = [tiles[j] as string, tiles[i] as string];
  }
  return tiles;
}

/** The table that a seed deals (rule D6). */
export function dealtFrom(seed: Uint8Array, dealer: number, rules: DealRules): Dealt {
  const { players } = rules;
  const below = stream(seed, "okey101 deal 1");
  const tiles = shuffled(below);
  const stacks = Array.from({ length: 15 }, (_, stack) => tiles.slice(7 * stack, 7 * stack + 7));
  const chosen = below(6);
  const dice = [chosen + 1];
  const marked = stacks[chosen] as string[];
  marked.push(tiles[105] as string);
  let indicator: string;
  do {
    dice.push(below(6) + 1);
    indicator = marked[(dice.at(-1) as number) - 1] as string;
  } while (indicator === "F" && rules.false_joker_indicator !== "riziko");
  marked.splice((dice.at(-1) as number) - 1, 1);
  const round = stacks.map((_, stack) => stacks[(chosen + 1 + stack) % 15] as string[]);
  const hands = Array.from({ length: players }, (): string[] => []);
  for (let stack = 0; stack < 3 * players; stack++) {
    hands[(dealer + 1 + stack) % players]?.push(...(round[stack] as string[]));
  }
  const stock = round.slice(3 * players).flatMap((stack) => [...stack].reverse());
  const starter = rules.starter === "dealer" ? dealer : (dealer + 1) % players;
  hands[starter]?.push(stock.shift() as string);
  const okey = okeyOf(indicator);
  const seen = (pile: string[]): string[] => pile.map((tile) => (tile === okey ? "*" : tile));
  return { dice, indicator, hands: hands.map(seen), stock: seen(stock) };
}
