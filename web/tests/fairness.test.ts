import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { CheckedRounds } from "../../clients/js/src/ends";
import { Memory, sha256 } from "../../clients/js/src/memory";
import { seatCommitmentOf, transcriptOf, type Opened } from "../src/lib/fairDeal";
import { isOfAnother, type Abandoned, type Notes } from "../src/lib/fairness";
import type { ServerMessage, TableView } from "../src/lib/protocol";
import { ROUND, view } from "./fakes";

const file = `${process.cwd()}/../docs/fairness-vectors.json`;
const { rounds } = JSON.parse(readFileSync(file, "utf-8")) as {
  rounds: { _vector: string; deals: [{ fair: Opened & { abandoned?: Abandoned[] } }] }[];
};
const PROMISE = { value: "00".repeat(32), match: 1, deal: 0, round: 0 };
const OPTIONS = view().table.options;

/** A table whose first deal is prepared; bots have the last two seats. */
function prepared(round: Partial<TableView["round"] & object> = {}, more = {}): TableView {
  const told = { stage: "dealing" as const, deal: null, commitment: PROMISE, ...more };
  return view({ ...told, round: { ...ROUND, ...round } }).table as TableView;
}

/** The rounds as a program takes part in them. */
const program = (table: string): CheckedRounds => new CheckedRounds(table, sha256, new Memory());

const SAT = ["a0", "b1", "bot:steady/1", "bot:steady/1"];

/** What is shown before anything is revealed. */
function shown(commitments: (string | null)[], seats = SAT): Partial<TableView["round"] & object> {
  const context = { table: "t", match: 1, deal: 0, round: 0 };
  const told = { context, commitment: PROMISE.value, seats, terms: OPTIONS, secret: "" };
  const texts = commitments.map((text) => text ?? "");
  const transcript = transcriptOf({ ...told, commitments: texts, randomness: [] });
  return { shown: true, commitments, seats, transcript };
}

describe("what a seat gives to fair deals", () => {
  it.each(rounds)("is as in the vector: $_vector", ({ deals: [{ fair }] }) => {
    fair.randomness.forEach((random, seat) => {
      if (random) expect(seatCommitmentOf(fair, seat)).toBe(fair.commitments[seat]);
    });
  });

  it.each(rounds)("is checked in every client: $_vector", async ({ deals: [{ fair }] }) => {
    const own = program(fair.context.table);
    await own.check(fair, fair.context);
    const other = program("another");
    await expect(other.check(fair, fair.context)).rejects.toThrow("another deal");
  });

  it.each([
    [0, "restored"],
    [1, "left"],
    [2, "log-truncated"],
  ])("is lost by files that were put back alone: round %i, %s", async (round, reason) => {
    const { fair } = rounds.find((one) => one._vector === "three rounds before")?.deals[0] ?? {};
    if (!fair) throw new Error("no such vector");
    const forgotten: number[][] = [];
    const notes: Notes = {
      sheets: new Map(),
      losses: "",
      note: (where, first) =>
        where.round === round ? { ...first, opened: [null, "5e".repeat(32)] } : first,
      save: () => Promise.resolve(),
      forgetAfter: (...at) => forgotten.push(at),
    };
    const found = new CheckedRounds(fair.context.table, sha256, notes).check(fair, fair.context);
    if (reason === "left") await expect(found).rejects.toThrow("another contribution");
    else await found;
    expect(forgotten).toEqual([[fair.context.match, fair.context.deal]]);
  });

  it("is fresh in every round, and bound to what the server has promised", async () => {
    const commits = new Set<string>();
    for (const value of ["00", "00", "11", "11"]) {
      const table = prepared({}, { commitment: { ...PROMISE, value: value.repeat(32) } });
      const step = await program("t").step(table, 0);
      commits.add(step?.type === "commit" ? step.commitment : "");
    }
    expect(commits.size).toBe(4);
  });

  it("is asked for only while a deal is prepared", async () => {
    for (const other of [
      { ...prepared(), stage: "playing" as const },
      { ...prepared(), round: null },
      { ...prepared(), commitment: null },
    ]) {
      expect(await program("t").step(other, 0)).toBeNull();
    }
  });

  it.each<[string, (table: TableView) => TableView]>([
    [
      "another promise",
      (table) => ({ ...table, commitment: { ...PROMISE, value: "11".repeat(32) } }),
    ],
    ["other rules", (table) => ({ ...table, options: { ...table.options, deals: 9 } })],
    [
      "another bot",
      (table) => ({
        ...table,
        seats: table.seats.map((seat, at) => (at === 2 ? { ...seat, bot: "champion" } : seat)),
      }),
    ],
    [
      "another person",
      (table) => ({
        ...table,
        seats: table.seats.map((seat, at) => (at === 1 ? { ...seat, id: "c9" } : seat)),
      }),
    ],
    ["a round that begins again", () => prepared()],
  ])("is not revealed where the table shows %s", async (_, change) => {
    const own = program("t");
    const step = await own.step(prepared(), 0);
    const mine = step?.type === "commit" ? step.commitment : "";
    const table = prepared(shown([mine, null, null, null]));
    expect(await own.step(table, 0)).toMatchObject({ type: "reveal" });
    await expect(own.step(change(table), 0)).rejects.toThrow();
  });

  it("tells of a deal whose end was passed over", async () => {
    const own = program("t");
    own.shown(PROMISE);
    expect(own.unchecked(prepared())).toEqual([]);
    const after = { ...prepared(), match: 2 };
    expect(own.unchecked(after)).toEqual([[1, 0]]);
    const { fair } = rounds[0]?.deals[0] ?? {};
    if (!fair) throw new Error("no such vector");
    const { table, match, deal, round } = fair.context;
    const other = program(table);
    other.shown({ match, deal, round, value: fair.commitment });
    const later = { ...prepared(), match: match + 1 };
    expect(other.unchecked(later)).toEqual([[match, deal]]);
    await other.check(fair, fair.context);
    expect(other.unchecked(later)).toEqual([]);
    other.putBack(match, deal);
    expect(other.unchecked(later)).toEqual([[match, deal]]);
    await expect(other.check(fair, fair.context)).rejects.toThrow("as it was before");
  });

  it("is not missed by who has left the seat, and is shown late what was before", async () => {
    const own = program("t");
    await own.step(prepared(shown([null, null, null, null])), 0);
    expect(await own.step(prepared(), null)).toBeNull();
    await expect(own.step(prepared(), 0)).rejects.toThrow("begins again");
  });

  it("goes on where somebody has left since", async () => {
    const table = prepared(shown([null, null, null, null]));
    const seats = table.seats.map((seat, at) => (at === 1 ? { name: null, bot: "steady" } : seat));
    expect(await program("t").step({ ...table, seats }, 0)).toBeNull();
  });

  it("takes who came and left as told where the line was broken meanwhile", async () => {
    const own = program("t");
    await own.step(prepared(), 0);
    const left = prepared(shown([null, null, null, null], ["a0", "b1", "c9", "bot:steady/1"]));
    await expect(own.step(left, 0)).rejects.toThrow("others sit here");
    own.away();
    expect(await own.step(left, 0)).toBeNull();
  });

  it("is not forgotten for an earlier match once it was shown", async () => {
    for (const round of [shown([null, null, null, null]), {}]) {
      const own = program("t");
      await own.step(prepared(round), 0);
      own.putBack(9, Infinity); // what never was takes nothing away
      const other = prepared(round, { commitment: { ...PROMISE, value: "11".repeat(32) } });
      await expect(own.step(other, 0)).rejects.toThrow("has changed its commitment");
      const forget = () => own.putBack(0, Infinity);
      if (round.shown) expect(forget).toThrow("later match");
      else expect(forget).not.toThrow();
    }
  });

  it("is forgotten where an earlier deal is told with other scores: its files were put back", async () => {
    const memory = new Memory();
    const own = new CheckedRounds("t", sha256, memory);
    const next = (points: number, value = "00") => {
      const sheet = { scores: [points, 0, 0, 0] };
      const scores = { ...prepared().scores, deals: [sheet] } as unknown as TableView["scores"];
      const commitment = { ...PROMISE, deal: 1, value: value.repeat(32) };
      return { ...prepared({}, { commitment }), scores };
    };
    own.shown(PROMISE);
    expect(await own.step(next(7), 0)).toMatchObject({ type: "commit" });
    await expect(own.step(next(8, "11"), 0)).rejects.toThrow("other scores");
    memory.losses = "1"; // the server tells that rows were lost
    expect(await own.step(next(8, "11"), 0)).toMatchObject({ type: "commit" });
    await expect(own.step(next(8, "22"), 0)).rejects.toThrow("has changed its commitment");
  });

  it("is nothing for a view of another table", () => {
    expect(isOfAnother(view() as ServerMessage, "t")).toBe(false);
    expect(isOfAnother(view() as ServerMessage, "u")).toBe(true);
    const patch = { type: "event", seq: 1, at: 0, what: { kind: "start" }, table: { id: "u" } };
    expect(isOfAnother(patch as ServerMessage, "t")).toBe(true);
  });
});
