/** The deals of a match for the check, out of its record (docs/en/record.md). */

import { findings, isOfDay, type Findings, type Here, type Told } from "./fairCheck";
import { isPutBack, PUT_BACK } from "./fairness";
import type { Seen, Witness } from "./witness";

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
  const earlier = record.deals.slice(0, number);
  const anew = earlier.some((one) => isPutBack(one.fair?.abandoned ?? []));
  const told = { fair, dealer, dice, indicator, hands, actions, before, anew };
  return { ...told, rules: record.rules, fines: null, left: null };
}

/** What was seen of a deal; next to nothing where it came anew since, as the server has told. */
function seenOf(told: Told, here: Here, witness: Witness | null): Seen | null {
  const seen = witness?.seen(here) ?? null;
  if (!seen || !(told.anew || seen.losses !== witness?.losses)) return seen;
  const rounds = [...(told.fair.abandoned ?? []), told.fair];
  const shown = Object.entries(seen.rounds);
  const stands = shown.every(
    ([at, { commitment }]) => rounds[Number(at)]?.commitment === commitment,
  );
  return stands ? seen : { ...seen, rounds: {}, played: {}, before: null, again: 1 };
}

/** All checks of a deal by somebody who was, or was not, at its table; null for nothing to check. */
export function checked(told: Told | null, here: Here, witness: Witness | null): Findings | null {
  try {
    if (told) {
      const seen = seenOf(told, here, witness);
      return findings(told, !seen && isOfDay(told) ? null : here, seen);
    }
  } catch {
    return { told: "differs" }; // what can't even be read opens no seal
  }
  const shown = Object.keys(witness?.seen(here)?.rounds ?? {});
  return shown.length > 0 ? { told: "differs" } : null;
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

/** How many rounds of a match were thrown away; `tooMany` where that is hardly by chance.

What this browser saw come anew counts also where the record tells of no files that were put back: it
was to an earlier match, or is a lie. Whatever was played after it comes anew once. */
export function thrown(
  record: MatchRecord,
  here: Omit<Here, "deal">,
  witness: Witness | null,
): { rounds: number; thrown: number; tooMany: boolean } {
  const fairs = record.deals.flatMap(({ fair }) => fair ?? []);
  const reasons = fairs.flatMap(({ abandoned }) => (abandoned ?? []).map(({ reason }) => reason));
  let due = 0; // how many may have come anew by now for what is counted already
  for (const [deal, { fair }] of record.deals.entries()) {
    const told = toldBy(record, deal);
    const again = (told && seenOf(told, { ...here, deal }, witness)?.again) ?? 0;
    for (let n = due; n < again; n++) reasons.push("restored");
    due = again || isPutBack(fair?.abandoned ?? []) ? again + 1 : 0;
  }
  const rounds = fairs.length + reasons.length;
  const putBack = reasons.filter((reason) => PUT_BACK.includes(reason)).length;
  const tooMany =
    atLeast(putBack, rounds, RATES.putBack) < CHANCE ||
    atLeast(reasons.length - putBack, rounds, RATES.unopened) < CHANCE;
  return { rounds, thrown: reasons.length, tooMany };
}
