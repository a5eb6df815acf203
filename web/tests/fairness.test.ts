import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { contribution, nextStep, placeOf, seatCommitment, transcript } from "../src/lib/fairness";
import type { TableView } from "../src/lib/protocol";
import { ROUND, view } from "./fakes";

interface Fair {
  commitment: string;
  context: { table: string; match: number; deal: number; round: number };
  seats: string[];
  commitments: string[];
  randomness: string[];
}

const file = `${process.cwd()}/../docs/fairness-vectors.json`;
const { rounds } = JSON.parse(readFileSync(file, "utf-8")) as {
  rounds: { _vector: string; deals: [{ fair: Fair }] }[];
};

const PLACE = { table: "t", match: 1, deal: 0, round: 0 };

beforeEach(() => localStorage.clear());

describe("what a seat gives to fair deals", () => {
  it.each(rounds)("is as in the vector: $_vector", ({ deals: [{ fair }] }) => {
    fair.randomness.forEach((random, seat) => {
      if (!random) return;
      expect(seatCommitment(fair.context, seat, random)).toBe(fair.commitments[seat]);
    });
  });

  it("has the transcript that the library computes", () => {
    // From `okey101.game.fair.rounds.transcript`, for a round with bots and seats without a commitment.
    const bots = [false, true, false, true];
    const commitments = ["0d".repeat(32), "", "13".repeat(32), null];
    expect(transcript({ ...PLACE, table: "salon" }, "43".repeat(32), bots, commitments)).toBe(
      "0fd69366c2a140f21ec824e0237f1f817271263c4f2be833c16bac9cb81c0474",
    );
  });

  it("is the same after a reload, and another for each seat, round and browser", () => {
    const first = contribution(PLACE, 0);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(contribution(PLACE, 0)).toBe(first);
    const others = [
      contribution(PLACE, 1),
      contribution({ ...PLACE, round: 1 }, 0),
      contribution({ ...PLACE, deal: 1 }, 0),
      contribution({ ...PLACE, table: "u" }, 0),
    ];
    localStorage.clear();
    expect(new Set([first, ...others, contribution(PLACE, 0)]).size).toBe(6);
  });

  it("is there where the browser keeps nothing", () => {
    const refuse = (): never => {
      throw new DOMException("denied", "SecurityError");
    };
    vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse });
    expect(contribution(PLACE, 0)).toBe(contribution(PLACE, 0));
    vi.unstubAllGlobals();
  });

  it("is asked for only while a deal is prepared", () => {
    const commitment = { value: "00".repeat(32), match: 1, deal: 0, round: 0 };
    const prepared = view({ stage: "dealing", deal: null, commitment, round: ROUND })
      .table as TableView;
    expect(placeOf(prepared)).toEqual(PLACE);
    for (const other of [
      { ...prepared, stage: "playing" as const },
      { ...prepared, round: null },
      { ...prepared, commitment: null },
    ]) {
      expect([placeOf(other), nextStep(other, 0, new Map())]).toEqual([null, null]);
    }
  });
});
