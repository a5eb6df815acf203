import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import {
  findings,
  verdict,
  type Check,
  type Findings,
  type Here,
  type Told,
} from "../src/lib/fairCheck";
import {
  dealtFrom,
  seatCommitmentOf,
  seedOf,
  transcriptOf,
  type Opened,
} from "../src/lib/fairDeal";
import {
  atLeast,
  checked as checkedBy,
  thrown,
  toldBy,
  type MatchRecord,
} from "../src/lib/fairRecord";
import { shownTiles } from "../src/lib/shownTiles";
import type { Played, Seen, Witness } from "../src/lib/witness";

interface RecordedDeal {
  fair: Told["fair"];
  dealer: number;
  seed: string;
  dice: number[];
  indicator: string;
  hands: string[];
  stock: string;
  result?: { end: string };
}
interface Recorded {
  _vector: string;
  _code?: string;
  rules: Told["rules"];
  deals: RecordedDeal[];
}

const file = `${process.cwd()}/../docs/fairness-vectors.json`;
const { records, rounds, matches, wrong } = JSON.parse(readFileSync(file, "utf-8")) as Record<
  "records" | "rounds" | "matches" | "wrong",
  Recorded[]
>;
const FAULTS: Record<string, Check> = {
  "fair-bot": "silent",
  "fair-opening": "opened",
  "fair-rounds": "rounds",
  "fair-round": "rounds",
  "fair-reason": "rounds",
  "fair-terms": "context",
};

const UNSEEN = { given: null, gave: false, transcript: null, opened: [] };

/** What a page in a seat would have seen of a deal that is honest in all but what it tells. */
function seenBy(seat: number, deal: RecordedDeal, before: Seen["before"] = null): Seen {
  const { fair } = deal;
  const rounds: Seen["rounds"] = {};
  fair.abandoned?.forEach(({ commitment }, number) => {
    rounds[number] = { ...UNSEEN, commitment };
  });
  const transcript = transcriptOf(fair);
  const gave = Boolean(fair.commitments[seat]);
  const { commitment } = fair;
  const given = fair.randomness[seat] ?? null;
  rounds[fair.context.round] = { ...UNSEEN, commitment, transcript, given, gave };
  const { match, deal: number, round } = fair.context;
  const hand = deal.hands[seat];
  const hands: Played["hands"] = hand === undefined ? [] : [[0, hand]];
  const { dealer, indicator } = deal;
  const played = { dealer, indicator, actions: [], seat, hands, changed: false };
  return { match, deal: number, round, rounds, played: { [round]: played }, before };
}

/** A deal without its actions, as the server tells it. */
function toldOf({ rules, deals }: Recorded, at = 0): Told {
  const { fair, dealer, dice, indicator } = deals[at] as RecordedDeal;
  return { fair, rules, dealer, dice, indicator, actions: [], fines: [], left: null };
}

/** The check of a page in a seat. */
function checked(record: Recorded, at: number, seat: number, change: Partial<Told> = {}): Findings {
  const deal = record.deals[at] as RecordedDeal;
  const last = record.deals[at - 1];
  const before = last ? { dealer: last.dealer, end: last.result?.end ?? "" } : null;
  const told = { ...toldOf(record, at), ...change };
  return findings(told, deal.fair.context, seenBy(seat, deal, before));
}

function faults(found: Findings | null): string[] {
  return Object.entries(found ?? {}).flatMap(([name, state]) =>
    state === "differs" ? [name] : [],
  );
}

describe("the check of a deal", () => {
  it.each([...records, ...rounds])("finds nothing wrong: $_vector", (record) => {
    for (const [seat] of (record.deals[0] as RecordedDeal).hands.entries()) {
      const found = checked(record, 0, seat);
      expect(faults(found)).toEqual([]);
      expect(found).toMatchObject({ secret: "proved", table: "proved", hand: "proved" });
    }
  });

  it.each(matches)("follows the dealer through a match: $_vector", (record) => {
    record.deals.forEach((_, at) => {
      const found = checked(record, at, 0);
      expect(faults(found)).toEqual([]);
      expect(found.dealer).toBe("proved");
    });
  });

  it.each([...records, ...rounds])("computes the seed and the tiles: $_vector", (record) => {
    const { fair, seed, dealer, hands, stock } = record.deals[0] as RecordedDeal;
    const found = seedOf(fair);
    expect(Buffer.from(found).toString("hex")).toBe(seed);
    const dealt = dealtFrom(found, dealer, record.rules);
    expect(dealt.stock.join(" ")).toBe(stock);
    const sorted = (tiles: readonly string[]): string => [...tiles].sort().join(" ");
    expect(dealt.hands.map(sorted)).toEqual(hands.map((hand) => sorted(hand.split(" "))));
  });

  it.each(wrong)("says what is wrong: $_vector", (record) => {
    const check = FAULTS[record._code ?? ""];
    for (const [seat] of (record.deals[0] as RecordedDeal).hands.entries()) {
      expect(faults(checked(record, 0, seat))).toContain(check);
    }
  });

  const whole = rounds[0] as Recorded;
  const deal = whole.deals[0] as RecordedDeal;

  it("has one word for a deal that was seen from its beginning", () => {
    expect(verdict(checked(whole, 0, 1))).toBe("proved");
    expect(verdict(checked({ ...whole, deals: [{ ...deal, hands: [] }] }, 0, 1))).toBe("unknown");
  });

  it.each<[string, Check, (fair: Opened) => Partial<Opened>]>([
    ["another secret", "secret", () => ({ secret: "00".repeat(32) })],
    ["another promise", "noted", () => ({ commitment: "00".repeat(32) })],
    [
      "my contribution left out",
      "mine",
      ({ randomness }) => ({ randomness: ["", ...randomness.slice(1)] }),
    ],
    [
      "another contribution of mine, with a commitment that fits",
      "shown",
      (fair) => {
        const randomness = ["5e".repeat(16), ...fair.randomness.slice(1)];
        const promised = seatCommitmentOf({ ...fair, randomness }, 0);
        return { randomness, commitments: [promised, ...fair.commitments.slice(1)] };
      },
    ],
    [
      "a deal of another table",
      "context",
      ({ context }) => ({ context: { ...context, table: "x" } }),
    ],
  ])("tells %s", (_, check, change) => {
    const seen = seenBy(0, deal);
    const { fair } = deal;
    const told = { ...toldOf(whole), fair: { ...fair, ...change(fair) } };
    const found = findings(told, fair.context, seen);
    expect(faults(found)).toContain(check);
    expect(verdict(found)).toBe("differs");
  });

  it.each<[Check, Partial<Told> & Partial<Seen>]>([
    ["table", { indicator: deal.indicator === "R1" ? "R2" : "R1" }],
    ["table", { dice: [7, 7] }],
    ["dealer", { dealer: (deal.dealer + 1) % 4 }],
  ])("tells another %s", (check, change) => {
    expect(faults(checked(whole, 0, 0, change))).toContain(check);
  });

  it("tells a hand, a drawn tile and a promise that are not those that were shown", () => {
    const { fair, dealer } = deal;
    const told = toldOf(whole);
    const seen = seenBy(0, deal);
    const [first = "", ...rest] = (deal.hands[0] ?? "").split(" ");
    const other = [first === "R1" ? "R2" : "R1", ...rest].join(" ");
    const wrongly = (change: Partial<Seen>): string[] =>
      faults(findings(told, fair.context, { ...seen, ...change }));
    const { round } = fair.context;
    const shown = (change: Partial<Played>): string[] =>
      wrongly({ played: { [round]: { ...(seen.played[round] as Played), ...change } } });
    expect(shown({ hands: [[0, other]] })).toEqual(["hand"]);
    expect(shown({ dealer: dealer + 1 })).toEqual(["same"]);
    expect(shown({ indicator: "F" })).toEqual(["same"]);
    expect(shown({ actions: ["1: draw"] })).toEqual(["same"]);
    expect(shown({ changed: true })).toEqual(["same"]);
    const hidden = { ...UNSEEN, commitment: "11".repeat(32) };
    expect(wrongly({ rounds: { ...seen.rounds, 1: hidden } })).toEqual(["rounds"]);
    const anew = findings(told, fair.context, { ...seen, again: 1 });
    expect([anew.rounds, verdict(anew)]).toEqual(["unknown", "unknown"]);
  });

  it("leaves a server nothing to choose tiles by once it knows all contributions", () => {
    const { fair } = deal;
    const { randomness, commitments, terms, seats } = fair;
    const { preset } = (terms as { rules: { preset: string } }).rules;
    const chosen = (more: Partial<typeof fair>): string[] =>
      faults(checked({ ...whole, deals: [{ ...deal, fair: { ...fair, ...more } }] }, 0, 0));
    expect(chosen({})).toEqual([]);
    expect(chosen({ randomness: [...randomness, ""] })).toContain("opened");
    expect(chosen({ randomness: randomness.slice(0, 1), seats, commitments })).toContain("opened");
    expect(chosen({ commitments: [...commitments, ""] })).toEqual(["opened"]);
    expect(chosen({ terms: { rules: { preset } } })).toContain("context");
    expect(faults(checked(whole, 0, 0, { actions: ["1: discard *", "1: discard *"] }))).toEqual([
      "others",
    ]);
  });

  it("tells a round that was dealt, and is said to have lacked an opening", () => {
    const record = rounds.find((one) => one._vector === "a seat did not reveal") as Recorded;
    const last = record.deals[0] as RecordedDeal;
    const told = toldBy(record as unknown as MatchRecord, 0) as Told;
    const seen = seenBy(0, last);
    const both = { ...seen.played, 0: seen.played[1] as Played };
    expect(findings(told, told.fair.context, seen).rounds).toBe("proved");
    expect(findings(told, told.fair.context, { ...seen, played: both }).rounds).toBe("differs");
  });

  it("is no fault where the server has told that files were put back, and never proved", () => {
    const { fair } = deal;
    const told = toldBy(whole as unknown as MatchRecord, 0) as Told;
    const kept = { ...seenBy(0, deal), losses: "0" };
    kept.rounds[fair.context.round] = { ...UNSEEN, commitment: "11".repeat(32) };
    const seen = (losses: string): Witness => ({ losses, seen: () => kept }) as unknown as Witness;
    const check = (one: Told, losses: string): Findings =>
      checkedBy(one, fair.context, seen(losses)) as Findings;
    expect(faults(check(told, "0"))).toContain("noted");
    for (const found of [check(told, "1"), check({ ...told, anew: true }, "0")]) {
      expect(found).toMatchObject({ noted: "unknown", rounds: "unknown" });
      expect(verdict(found)).toBe("unknown");
    }
  });

  it("is no proof where nobody can tell who had to deal", () => {
    const found = checked(whole, 0, 1);
    expect(verdict({ ...found, dealer: "unknown" })).toBe("unknown");
  });

  it("tells openings that were seen and are missing from a round that was thrown away", () => {
    const record = rounds.find((one) => one._vector === "a seat did not reveal") as Recorded;
    const last = record.deals[0] as RecordedDeal;
    const { fair } = last;
    const seen = seenBy(0, last);
    const check = (opened: (string | null)[]): Findings => {
      const first = { ...(seen.rounds[0] ?? UNSEEN), opened } as Seen["rounds"][number];
      const now = { ...seen, rounds: { ...seen.rounds, 0: first } };
      return findings(toldOf(record), fair.context, now);
    };
    const randomness = fair.abandoned?.[0]?.randomness ?? [];
    const seat = randomness.indexOf("");
    expect(check(randomness.map((given) => given || null)).rounds).toBe("proved");
    const all = randomness.map((given, at) => (at === seat ? "5e".repeat(32) : given));
    expect(check(all).rounds).toBe("differs");
  });

  it("warns of a round that was thrown away since files were put back", () => {
    const record = rounds.find((one) => one._vector === "three rounds before") as Recorded;
    const found = checked(record, 0, 0);
    expect([found.rounds, verdict(found)]).toEqual(["unknown", "unknown"]);
    const deal = record.deals[0] as RecordedDeal;
    const told = toldBy(record as unknown as MatchRecord, 0) as Told;
    const seen = seenBy(0, deal);
    const opened = [null, "5e".repeat(32)];
    const states = [0, 1, 2].map((at) => {
      const now = { ...seen.rounds, [at]: { ...(seen.rounds[at] ?? UNSEEN), opened } };
      return findings(told, told.fair.context, { ...seen, rounds: now as Seen["rounds"] }).rounds;
    });
    expect(states).toEqual(["unknown", "differs", "unknown"]); // who left has lost nothing
  });

  it("says what an onlooker, or a page that came late, can't tell", () => {
    const told = toldOf(whole);
    const found = findings(told, null, null);
    expect(faults(found)).toEqual([]);
    expect(found).toMatchObject({ noted: "unknown", shown: "unknown", context: "unknown" });
    expect(found.hand).toBeUndefined();
    expect(verdict(found)).toBe("unknown");
  });
});

describe("the tiles that were shown", () => {
  const told = toldOf(rounds[0] as Recorded);
  const { rules } = told;
  const dealt = dealtFrom(seedOf(told.fair), told.dealer, rules);
  const others = (actions: string[], left: string[][]): Findings["others"] =>
    findings({ ...told, actions, left: left.map((hand) => hand.join(" ")) }, null, null).others;

  it("are those that were dealt and drawn", () => {
    const starter = dealt.hands.findIndex((hand) => hand.length === 22);
    const next = (starter + 1) % 4;
    const [thrown = "", ...kept] = dealt.hands[starter] ?? [];
    const [drawn = ""] = dealt.stock;
    const actions = [`${starter}: discard ${thrown}`, `${next}: draw`, `${next}: discard ${drawn}`];
    const left = dealt.hands.map((hand, seat) => (seat === starter ? kept : hand));
    expect(others(actions, left)).toBe("proved");
    const own = (mine: string[]): boolean =>
      shownTiles({ ...told, actions }, dealt, { seat: next, hands: [[2, mine.join(" ")]] });
    expect(own([drawn, ...(dealt.hands[next] ?? [])])).toBe(true);
    expect(own([drawn === "R1" ? "R2" : "R1", ...(dealt.hands[next] ?? [])])).toBe(false);
    const foreign = `${next}: discard ${drawn === "R1" ? "R2" : "R1"}`;
    const absent = !dealt.hands[next]?.includes(foreign.slice(-2));
    if (absent) expect(others([...actions.slice(0, 2), foreign], left)).toBe("differs");
    const taken = [...actions.slice(0, 1), `${next}: take`, `${next}: return`, `${next}: draw`];
    const holding = left.map((hand, seat) => (seat === next ? [...hand, drawn] : hand));
    expect(others(taken, holding)).toBe("proved");
    expect(others(taken, left)).toBe("differs");
  });

  it("have gone back to the hand after a short opening", () => {
    const starter = dealt.hands.findIndex((hand) => hand.length === 22);
    const [one = "", two = "", three = ""] = dealt.hands[starter] ?? [];
    const actions = [`${starter}: meld ${one} ${two} ${three}`];
    const left = dealt.hands.map((hand) => hand.join(" "));
    const short = { ...told, actions, left };
    const check = (more: Partial<Told>): Findings["others"] =>
      findings({ ...short, ...more }, null, null).others;
    expect(check({})).toBe("differs");
    expect(check({ fines: [{ seat: starter, rule: "P3" }] })).toBe("proved");
    expect(check({ rules: { ...rules, short_opening_fine: 0 } })).toBe("proved");
  });

  it("go back to the hand when they are taken back, and an okey to its meld", () => {
    const starter = dealt.hands.findIndex((hand) => hand.length === 22);
    const [a = "", b = "", c = "", d = "", e = "", f = "", g = "", ...rest] =
      dealt.hands[starter] ?? [];
    const turn = (...actions: string[]): string[] => actions.map((one) => `${starter}: ${one}`);
    const opening = `meld ${a} ${b} ${c}`;
    const ends = (mine: string[], ...actions: string[]): Findings["others"] =>
      others(
        turn(...actions),
        dealt.hands.map((hand, seat) => (seat === starter ? mine : hand)),
      );
    expect(ends([d, e, f, g, ...rest], opening)).toBe("proved");
    expect(ends([d, e, f, g, ...rest], opening, `lay ${d} > 1`, "back 1")).toBe("proved");
    expect(ends([e, f, g, ...rest], opening, `lay ${d} > 1`, "back 1")).toBe("differs");
    const melds = [opening, `meld ${d} ${e} ${f}`];
    expect(ends([f, g, ...rest], ...melds, "back 1")).toBe("proved");
    expect(ends([d, e, f, g, ...rest], ...melds, "back 3")).toBe("proved");
    expect(ends([a, b, c, d, e, f, g, ...rest], ...melds, "back 6")).toBe("differs");
    expect(ends(["*", e, f, g, ...rest], opening, `swap ${d} > 1`)).toBe("proved");
    expect(ends([d, e, f, g, ...rest], opening, `swap ${d} > 1`)).toBe("differs");
    expect(ends([d, e, f, g, ...rest], opening, `swap ${d} > 1`, "back 1")).toBe("proved");
    // What was put down in an earlier turn stays.
    expect(ends([f, g, ...rest], ...melds, `discard ${f}`, "back 1")).toBe("differs");
  });

  it("are followed after openings that fell short, fined or free, and then a real one", () => {
    const starter = dealt.hands.findIndex((hand) => hand.length === 22);
    const [a = "", b = "", c = "", ...rest] = dealt.hands[starter] ?? [];
    const actions = [a, b, c].map((_, at) => `${starter}: meld ${[a, b, c].slice(at).join(" ")}`);
    const left = (mine: string[]): string[] =>
      dealt.hands.map((hand, seat) => (seat === starter ? mine : hand).join(" "));
    const check = (mine: string[], more: Partial<Told>): Findings["others"] =>
      findings({ ...told, actions, left: left(mine), ...more }, null, null).others;
    const fine = { seat: starter, rule: "P3" };
    expect(check([a, b, ...rest], { fines: [fine, fine] })).toBe("proved");
    expect(check([a, ...rest], { fines: [fine] })).toBe("differs");
    const free = { rules: { ...rules, short_opening_fine: 0 } };
    expect(check([a, b, ...rest], free)).toBe("proved");
    expect(check([a, ...rest], free)).toBe("differs");
  });
});

interface Golden {
  rules: Told["rules"];
  deals: (RecordedDeal & { actions: string[]; result: { fines: Told["fines"] } })[];
}
const GOLDEN = ["wiki", "altinstar", "pagat"].flatMap((name) => {
  const path = `${process.cwd()}/../tests/game/golden/${name}.okey.json`;
  const { rules, deals } = JSON.parse(readFileSync(path, "utf-8")) as Golden;
  return deals.map((deal, at) => ({ name: `${name} ${String(at + 1)}`, rules, deal }));
});

describe("real deals, with tiles taken back and openings that fell short", () => {
  it.each(GOLDEN)("are followed tile by tile: $name", ({ rules, deal }) => {
    const { actions, indicator } = deal;
    const hands = deal.hands.map((hand) => hand.split(" "));
    const dealt = { dice: [], indicator, hands, stock: deal.stock.split(" ") };
    const played = { actions, left: null, rules };
    expect(shownTiles({ ...played, fines: deal.result.fines }, dealt)).toBe(true);
    expect(shownTiles({ ...played, fines: null }, dealt)).toBe(true);
    const [thrown, tile] = actions.flatMap((one, at) => {
      const found = / discard ([RYBK]\d+)$/.exec(one)?.[1];
      return found ? [[at, found] as const] : [];
    })[0] ?? [0, ""];
    const seat = Number(actions[thrown]?.[0]);
    const foreign = ["R1", "Y1", "B1", "K1", "R13", "Y13"].find((one) => {
      return one !== tile && !hands[seat]?.includes(one) && !dealt.stock.includes(one);
    });
    if (!foreign) return;
    const changed = actions.map((one, at) => (at === thrown ? one.replace(tile, foreign) : one));
    expect(shownTiles({ ...played, actions: changed, fines: null }, dealt)).toBe(false);
  });
});

describe("the rounds that were thrown away in a match", () => {
  it("are too many where that is hardly by chance", () => {
    const deal = (reason?: string): MatchRecord["deals"][number] =>
      ({
        fair: { abandoned: reason ? [{ reason }] : [] },
      }) as unknown as MatchRecord["deals"][number];
    const match = (...reasons: (string | undefined)[]): MatchRecord =>
      ({ deals: reasons.map(deal) }) as unknown as MatchRecord;
    const here = { table: "t", match: 1 };
    const once = match("not-revealed", ...Array<undefined>(9));
    expect(thrown(once, here, null)).toEqual({ rounds: 11, thrown: 1, tooMany: false });
    const four = match(...Array<string>(4).fill("restored"), ...Array<undefined>(4));
    expect(thrown(four, here, null)).toEqual({ rounds: 12, thrown: 4, tooMany: true });
    expect(atLeast(9, 10, 0.5)).toBeCloseTo(0.010742, 6);
    // What was seen to come anew counts, but what follows files that were put back is of the same time.
    const seen = (...again: number[]): Witness =>
      ({ seen: ({ deal }: Here) => ({ rounds: {}, again: again[deal] }) }) as unknown as Witness;
    const [none, told] = [match(...Array<undefined>(5)), match(undefined, "restored", undefined)];
    expect(thrown(none, here, seen(1, 2, 3, 0, 0))).toMatchObject({ rounds: 6, thrown: 1 });
    expect(thrown(none, here, seen(1, 0, 1, 0, 1))).toMatchObject({ thrown: 3, tooMany: true });
    expect(thrown(none, here, seen(0, 0, 0, 9, 10))).toMatchObject({ thrown: 9, tooMany: true });
    expect(thrown(told, here, seen(0, 0, 1))).toMatchObject({ rounds: 4, thrown: 1 });
    expect(thrown(told, here, seen(0, 0, 3))).toMatchObject({ rounds: 6, thrown: 3 });
  });
});

describe("for whoever was not at the table", () => {
  const open = ["secret", "context", "opened", "rounds", "dealer", "table"].map((one) => [
    one,
    "proved",
  ]);
  const seen: Findings = { noted: "unknown", shown: "unknown" };
  const found = { ...seen, ...Object.fromEntries(open) } as Findings;

  it("only what was seen there is missing, and that is no warning", () => {
    expect(verdict(found, true)).toBe("away");
    expect(verdict(found)).toBe("unknown");
  });

  it.each([{ rounds: "unknown" }, { opened: "unknown" }, { mine: "unknown" }] as Findings[])(
    "it is one where more is: %o",
    (more) => {
      expect(verdict({ ...found, ...more }, true)).toBe("unknown");
    },
  );

  it("a fault is a fault", () => {
    expect(verdict({ ...found, secret: "differs" }, true)).toBe("differs");
  });
});

describe("the deals of a record", () => {
  it.each(matches)("are checked one by one: $_vector", (vector) => {
    const record = vector as unknown as MatchRecord;
    for (const [at, deal] of record.deals.entries()) {
      const told = toldBy(record, at);
      if (!told) throw new Error("a deal without what makes it fair");
      const here = told.fair.context;
      const found = checkedBy(told, here, null);
      expect(faults(found)).toEqual([]);
      expect(found).toMatchObject({ others: "proved", table: "proved", dealer: "proved" });
      const hands = [deal.hands[1], deal.hands[0], ...deal.hands.slice(2)] as string[];
      expect(faults(checkedBy({ ...told, hands }, here, null))).toEqual(["others"]);
      for (const other of [{ table: "x" }, { match: 9 }, { deal: 99 }])
        expect(faults(checkedBy(told, { ...here, ...other }, null))).toEqual(["context"]);
      const garbled = { ...told, fair: { ...told.fair, secret: "none" } };
      expect(checkedBy(garbled, here, null)).toEqual({ told: "differs" });
    }
  });

  it("of a day are told for the day, at whichever table, and none is dealt again", () => {
    const record = matches[0] as unknown as MatchRecord;
    const told = toldBy(record, 1) as Told;
    const context = { ...told.fair.context, table: "day-2026-11-27" };
    const before = { dealer: (told.dealer + 3) % 4, end: "all-pairs" };
    const day = { ...told, fair: { ...told.fair, context }, before };
    const here = { ...context, table: "k3wq8r5mzt2a" };
    const found = checkedBy(day, here, null);
    expect(found).toMatchObject({ context: "unknown", dealer: "proved" });
    const rules = { ...told.rules, starter: "nobody" };
    expect(checkedBy({ ...day, rules }, here, null)?.context).toBe("differs");
  });

  it("that have nothing to check are told so", () => {
    const record = matches[0] as unknown as MatchRecord;
    const bare = { ...record, deals: record.deals.map((deal) => ({ ...deal, fair: null })) };
    expect(toldBy(bare, 0)).toBeNull();
    expect(toldBy(record, 99)).toBeNull();
  });
});
