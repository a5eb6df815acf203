/** Whether a deal that is over was fair: what this page was shown, against what follows from it. */

import {
  commitmentOf,
  dealtFrom,
  firstDealer,
  isBot,
  seatCommitmentOf,
  seedOf,
  transcriptOf,
  type DealRules,
  type Opened,
} from "./fairDeal";
import { hasReason, isPutBack, type Abandoned } from "./fairness";
import { shownTiles } from "./shownTiles";
import { tilesIn } from "./tiles";
import { begins, type Played, type Seen } from "./witness";

/** What is checked, in the order in which it is told. */
export const CHECKS = [
  "told",
  "noted",
  "secret",
  "context",
  "shown",
  "mine",
  "shares",
  "opened",
  "silent",
  "rounds",
  "dealer",
  "table",
  "hand",
  "drawn",
  "others",
  "same",
] as const;
export type Check = (typeof CHECKS)[number];
/** `differs` is a fault; `unknown` is what nobody can tell from what there is. */
export type State = "proved" | "differs" | "unknown";
export type Findings = Partial<Record<Check, State>>;

/** A finished deal as the server tells it. */
export interface Told {
  fair: Opened & { abandoned?: readonly Abandoned[] };
  rules: DealRules & { empty_stock: string; short_opening_fine?: number };
  dealer: number;
  dice: readonly number[];
  indicator: string;
  /** Every action with its seat, as `2: draw`. */
  actions: readonly string[];
  /** Null where only those that stand are told. */
  fines: readonly { seat: number; rule: string }[] | null;
  /** The hands that were left at the end; null where they are not told. */
  left: readonly string[] | null;
  /** The hands as they were dealt, and how the deal before ended, where a record tells them. */
  hands?: readonly string[];
  before?: { dealer: number; end: string };
  /** Whether the files were put back in a deal before, so that this one may have come anew. */
  anew?: boolean;
}

/** The table and the numbers of its match and deal, as this page knows them by itself. */
export interface Here {
  table: string;
  match: number;
  deal: number;
}

function state(good: boolean | null): State {
  return good === null ? "unknown" : good ? "proved" : "differs";
}

function sameTiles(one: readonly string[], two: readonly string[]): boolean {
  return [...one].sort().join(" ") === [...two].sort().join(" ");
}

/** The rounds of a deal, those that were abandoned first. */
function roundsOf(fair: Told["fair"]): Opened[] {
  const before = (fair.abandoned ?? []).map((round, number) => ({
    ...round,
    terms: fair.terms,
    context: { ...fair.context, round: number },
  }));
  return [...before, fair];
}

/** Whether each contribution opens its commitment, and in the round that was dealt none is missing.

The seed follows from how many there are too: one more or less would be another deal. */
function opens(round: Opened, dealt: boolean): boolean {
  const { seats, commitments, randomness } = round;
  if (commitments.length !== seats.length || randomness.length !== seats.length) return false;
  return randomness.every((given, seat) => {
    const shown = commitments[seat];
    return given ? shown === seatCommitmentOf(round, seat) : !dealt || !shown;
  });
}

/** Whether no bot gave anything. */
function silent({ seats, commitments, randomness }: Opened): boolean {
  return seats.every((name, seat) => !isBot(name) || !(commitments[seat] || randomness[seat]));
}

/** Whether a deal is one of a day, promised for the day: which table has it nobody can tell here. */
export function isOfDay({ fair }: Told): boolean {
  return fair.context.table.startsWith("day-");
}

/** Rule D3: the right neighbour deals next, but after a deal that does not count the same again.

A day's deals are not dealt again. */
function dealerIsRight(told: Told, seed: Uint8Array, seen: Seen | null): boolean | null {
  const { fair, rules, dealer, before: last } = told;
  if (fair.context.deal === 0) return dealer === firstDealer(seed, rules.players);
  const before = seen?.before ?? last;
  if (!before) return null;
  const { empty_stock } = rules;
  const isVoid =
    before.end === "all-pairs" || (before.end === "stock" && empty_stock === "void_but_okeys");
  const again = isVoid && !isOfDay(told);
  return dealer === (again ? before.dealer : (before.dealer + 1) % rules.players);
}

/** Whether every round that this browser was shown for the deal is told as it was. */
function roundsStand(seen: Seen, rounds: readonly Opened[]): boolean {
  // Files that were put back may have lost what was shown last.
  const isLost = (number: number): boolean =>
    isPutBack(rounds.slice(0, -1).slice(number, number + 1) as unknown as Abandoned[]);
  const dealt = Object.keys(seen.played).map(Number);
  const stands = Object.entries(seen.rounds).every(([key, { commitment, transcript, opened }]) => {
    const number = Number(key);
    const told = rounds[number];
    if (told?.commitment !== commitment) return false;
    const thrown = number < rounds.length - 1;
    if (thrown && transcript !== null && transcript !== transcriptOf(told)) return false;
    const lost = isLost(number) ? "" : null;
    return opened.every((given, seat) => {
      const now = told.randomness[seat];
      return given === null || given === now || now === lost;
    });
  });
  return stands && dealt.every((number) => number === rounds.length - 1 || isLost(number));
}

/** What is to be told of the rounds that were thrown away. */
function roundsState({ fair }: Told, seen: Seen | null, rounds: readonly Opened[]): State {
  const abandoned = fair.abandoned ?? [];
  const right =
    rounds.slice(0, -1).every((round) => commitmentOf(round) === round.commitment) &&
    fair.context.round === abandoned.length &&
    abandoned.every(hasReason) &&
    (!seen || roundsStand(seen, rounds));
  return state(right && (seen?.again || isPutBack(abandoned) ? null : true));
}

/** The rules by which tiles are dealt. */
const DEALING = ["players", "starter", "false_joker_indicator"] satisfies (keyof DealRules)[];

/** Whether the rules are those that were shown before anything was revealed, with all that deals. */
function sameRules({ fair, rules }: Told): boolean {
  const shown = (fair.terms as { rules?: Record<string, unknown> } | undefined)?.rules ?? {};
  const now = rules as unknown as Record<string, unknown>;
  const there = DEALING.every((name) => name in shown && name in now);
  return there && Object.entries(shown).every(([name, was]) => !(name in now) || now[name] === was);
}

/** Whether the deal is told as this browser saw it. */
function isSame({ dealer, indicator, actions }: Told, played: Played): boolean {
  const begun = played.dealer === dealer && played.indicator === indicator;
  return begun && !played.changed && begins(actions, played.actions);
}

/** All checks of a deal, by what this browser has seen of it, if it has. */
export function findings(told: Told, here: Here | null, seen: Seen | null): Findings {
  const { fair, rules } = told;
  const rounds = roundsOf(fair);
  const last = seen?.rounds[fair.context.round] ?? null;
  const played = seen?.played[fair.context.round] ?? null;
  const seed = seedOf(fair);
  const dealt = dealtFrom(seed, told.dealer, rules);
  const { table, match, deal } = fair.context;
  const isHere = here && here.table === table && here.match === match && here.deal === deal;
  const found: Findings = {
    noted: state(last && last.commitment === fair.commitment),
    secret: state(commitmentOf(fair) === fair.commitment),
    context: state(sameRules(told) && isHere),
    shown: state(last?.transcript ? last.transcript === transcriptOf(fair) : null),
    shares: state(fair.randomness.some((given) => given !== "") || null),
    opened: state(rounds.every((round) => opens(round, round === fair))),
    silent: state(rounds.every(silent)),
    rounds: roundsState(told, seen, rounds),
    dealer: state(dealerIsRight(told, seed, seen)),
    table: state(told.indicator === dealt.indicator && `${told.dice}` === `${dealt.dice}`),
  };
  const seat = played?.seat ?? null;
  if (last?.given || seat !== null) {
    const there = last?.given && fair.randomness.includes(last.given);
    found.mine = state(there ? true : last?.gave ? false : null);
    const [, hand] = played?.hands.find(([at]) => at === 0) ?? [];
    const own = seat === null ? [] : dealt.hands[seat];
    found.hand = state(hand === undefined ? null : sameTiles(tilesIn(hand), own ?? []));
  }
  if (played) {
    if (seat !== null) found.drawn = state(shownTiles(told, dealt, { seat, hands: played.hands }));
    found.same = state(isSame(told, played));
  }
  const same = told.hands?.every((hand, seat) => sameTiles(tilesIn(hand), dealt.hands[seat] ?? []));
  found.others = state(same !== false && shownTiles(told, dealt));
  return found;
}

/** What only the device of somebody at the table can tell. */
const SEEN: readonly Check[] = ["noted", "shown", "mine", "hand"];
/** What a deal is proved by. */
const NEEDED: readonly Check[] = [
  ...SEEN,
  ...(["secret", "context", "opened", "rounds", "dealer", "table"] as const),
];

/** One word for all: `differs` where anything does, `proved` where all that counts is.

For whoever was not at the table it is `away` where nothing is missing but what was seen there. */
export function verdict(found: Findings, visiting = false): State | "away" {
  if (Object.values(found).includes("differs")) return "differs";
  const missing = NEEDED.filter((check) => found[check] !== "proved");
  if (missing.length === 0) return "proved";
  const away = visiting && !found.mine && missing.every((check) => SEEN.includes(check));
  return away ? "away" : "unknown";
}
