/** What a bot with a character says now and then, of what lies open for everybody. */

import type { What } from "./protocol";

/** How many sentences each of the eight has. */
const SENTENCES = 5;
/** Of so many events that might be remarked on, one is. */
const RARE = 4;

/** What one may remark on, by the word of the action. */
const EVENTS = ["take", "meld", "discard"] as const;

/** The same number on every device for the same words. */
export function hashOf(words: string): number {
  let sum = 2_166_136_261;
  for (const letter of words) sum = Math.imul(sum ^ letter.charCodeAt(0), 16_777_619);
  // The last letters have to reach the low bits too.
  sum ^= sum >>> 15;
  return Math.imul(sum, 2_246_822_519) >>> 7;
}

/** What everybody is shown of the moment: the table, the match, the deal and its moves so far. */
export interface Open {
  table: string;
  match: number;
  deal: number;
  actions: readonly string[];
}

/**
 * The sentence, by number, of the bot that just acted; null where it says nothing. It follows from
 * what is open alone: a bot speaks at most once in a deal, at its first lucky event.
 */
export function sentenceOf(seat: number, what: What, open: Open): number | null {
  if (what.kind !== "act" || what.seat !== seat) return null;
  const seed = `${open.table} ${open.match} ${open.deal} ${seat}`;
  const own = `${seat}: `;
  const lucky = open.actions.flatMap((line, at) => {
    const word = line.slice(own.length).split(" ")[0];
    const one = line.startsWith(own) && EVENTS.some((event) => event === word);
    return one && hashOf(`${seed} ${at} ${line}`) % RARE === 0 ? [at] : [];
  });
  const [first] = lucky;
  if (first === undefined || first < open.actions.length - what.actions.length) return null;
  return 1 + (hashOf(`${seed} says ${first}`) % SENTENCES);
}
