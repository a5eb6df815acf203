/** The deals of a match for the check, out of its record (docs/en/record.md). */

import { findings, type Findings, type Told } from "./fairCheck";
import { contribution } from "./fairness";
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

/** All checks of a deal by somebody who was, or was not, at its table. */
export function checked(
  told: Told,
  here: { table: string; match: number } | null,
  witness: Witness | null,
): Findings {
  const { context } = told.fair;
  const seen = witness?.of(context) ?? null;
  // The place as this page knows it: a contribution for what somebody else names would be a gift.
  const place = { ...context, table: here?.table ?? "" };
  const gives = here !== null && seen !== null && seen.seat !== null;
  return findings(told, here, seen, gives ? contribution(place, seen.seat as number) : null);
}
