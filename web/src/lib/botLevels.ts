/** The levels of bots that a host offers: those of every table, and the bots that search there. */

import { BOTS, OWN_BOTS, POINTS } from "./vocabulary";

/** From easy to expert; `others` are the bots that the host has besides. */
export function botLevels(others: readonly string[]): readonly string[] {
  return [...BOTS, ...OWN_BOTS.filter((bot) => others.includes(bot))];
}

/** The level somebody chose once, or the hardest of every table where this host has it no longer. */
export function levelHere(wanted: string, others: readonly string[]): string {
  return botLevels(others).includes(wanted) ? wanted : (BOTS.at(-1) ?? wanted);
}

/** The bots that a seat may have besides the levels: the host's, and those of others that sit. */
export function othersAt(
  others: readonly string[],
  seated: readonly (string | null)[],
): readonly string[] {
  const own: readonly string[] = OWN_BOTS;
  const theirs = seated.filter((bot) => bot !== null && !own.includes(bot)) as string[];
  return [...new Set([...others, ...theirs])];
}

/** How much better or worse than the middle level one was measured to be; null for other bots. */
export function levelPoints(bot: string): { way: string; points: number } | null {
  const points = (POINTS as Record<string, number | undefined>)[bot];
  if (points === undefined) return null;
  return { way: points > 0 ? "better" : points < 0 ? "worse" : "same", points: Math.abs(points) };
}
