/** The deals of a match for the check, out of its record (docs/en/record.md). */

import { findings, isOfDay, type Findings, type Here, type Told } from "./fairCheck";
import { PUT_BACK } from "./fairness";
import type { Witness } from "./witness";

export interface RecordedDeal {
  dealer: number;
  dice: readonly number[];
  indicator: string;
  hands: readonly string[];
  actions: readonly string[];
  result?: { end: string } | null;
  fair?: Told["fair"] | null;
}
export interface MatchRecord {
  rules: Told["rules"];
  deals: readonly RecordedDeal[];
}

/** What a record tells of a deal; null where it has nothing to check. */
export function toldBy(record: MatchRecord, number: number): Told | null {
  const deal = record.deals[number];
  const last = record.deals[number - 1];
  if (!deal?.fair) return null;
  const { fair, dealer, dice, indicator, hands, actions } = deal;
  const before = last?.result ? { dealer: last.dealer, end: last.result.end } : undefined;
  const told = { fair, dealer, dice, indicator, hands, actions, before };
  return { ...told, rules: record.rules, fines: null, left: null };
}

/** All checks of a deal by somebody who was, or was not, at its table; null for nothing to check. */
export function checked(told: Told | null, here: Here, witness: Witness | null): Findings | null {
  const seen = witness?.seen(here) ?? null;
  try {
    if (told) return findings(told, !seen && isOfDay(told) ? null : here, seen);
  } catch {
    return { told: "differs" }; // what can't even be read opens no seal
  }
  return Object.keys(seen?.rounds ?? {}).length > 0 ? { told: "differs" } : null;
}

/** So many rounds may be thrown away by chance, by docs/en/fairness.md. */
const RATES = { unopened: 1 / 50, putBack: 1 / 500 };
const CHANCE = 1e-4;

/** How likely `count` or more of `rounds` are, each with that rate by itself. */
export function atLeast(count: number, rounds: number, rate: number): number {
  if (count <= rounds * rate) return 1;
  let ways = count * Math.log(rate) + (rounds - count) * Math.log1p(-rate);
  for (let n = 0; n < count; n++) ways += Math.log((rounds - n) / (n + 1));
  let term = Math.exp(ways);
  let total = 0;
  for (let n = count; n <= rounds; n++) {
    total += term;
    term *= (((rounds - n) / (n + 1)) * rate) / (1 - rate);
  }
  return total;
}

/** How many rounds of a match were thrown away; `tooMany` where that is hardly by chance. */
export function thrown(record: MatchRecord): { rounds: number; thrown: number; tooMany: boolean } {
  const fairs = record.deals.flatMap(({ fair }) => fair ?? []);
  const reasons = fairs.flatMap(({ abandoned }) => (abandoned ?? []).map(({ reason }) => reason));
  const rounds = fairs.length + reasons.length;
  const putBack = reasons.filter((reason) => PUT_BACK.includes(reason)).length;
  const tooMany =
    atLeast(putBack, rounds, RATES.putBack) < CHANCE ||
    atLeast(reasons.length - putBack, rounds, RATES.unopened) < CHANCE;
  return { rounds, thrown: reasons.length, tooMany };
}
