/** A table as a program plays at it, over a socket whose other end is told here. */

import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { Client } from "../../clients/js/src/client";
import type { Told } from "../../clients/js/src/fair";
import { Table } from "../../clients/js/src/table";
import { FakeSocket } from "./fakes";

beforeEach(() => {
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.all = [];
});

afterEach(() => vi.unstubAllGlobals());

const seats = [{ bot: "greedy" }, { bot: "greedy" }];
const scores = { deals: [{}] };
const shown = { id: "t", match: 1, stage: "playing", seats, round: null, commitment: null, scores };

/** A deal that is over, and what it is said to come from. */
function over(table: string): object {
  const context = { table, match: 1, deal: 0, round: 0 };
  const told = { commitment: "aa", secret: "", seats: [], commitments: [], randomness: [] };
  return { number: 0, indicator: "R1", actions: [], end: { fair: { ...told, context } } };
}

it("looks at a deal that comes anew as at the one before", async () => {
  const table = new Table("t", "ws://here/ws/t", () => Promise.resolve(null));
  const socket = FakeSocket.last;
  socket.open();
  const again = { commitment: { value: "bb", match: 1, deal: 0, round: 0 } };
  const first = { number: 0, actions: [], end: {} };
  const day = { ...shown, day: "2026-11-29" };
  socket.hear({ type: "view", seq: 1, at: 0, table: day, deal: first, you: null, here: [] });
  const what = { kind: "abandon", why: "restored" };
  socket.hear({ type: "event", seq: 2, at: 0, what, table: again, deal: {} });
  socket.hear({ type: "event", seq: 3, at: 0, what: { kind: "deal" }, deal: over("another") });
  const ended = table.until(() => false);
  await expect(ended).rejects.toMatchObject({ code: "unfair-deal" });
});

it("looks at a deal whose end was passed over by the record of its match", async () => {
  const file = `${process.cwd()}/../docs/fairness-vectors.json`;
  const { matches } = JSON.parse(readFileSync(file, "utf-8")) as {
    matches: { deals: { fair: Told }[] }[];
  };
  const { deals = [] } = matches[0] ?? {};
  const { context, terms, commitment: value = "" } = deals[0]?.fair ?? {};
  if (!context) throw new Error("no such vector");
  const { table: id, match } = context;
  let told: unknown = { deals: [{}] };
  const asked = vi.fn(() => Promise.resolve(Response.json(told)));
  vi.stubGlobal("fetch", asked);
  const passed = (): Table => {
    const table = new Table(id, "ws://here/ws/t", () => Promise.resolve(null));
    FakeSocket.last.open();
    const commitment = { value, ...context };
    const before = { ...shown, ...{ id, match, commitment, options: terms } };
    const view = { type: "view", at: 0, deal: null, you: null, here: [] };
    FakeSocket.last.hear({ ...view, seq: 1, table: { ...before, scores: { deals: [] } } });
    FakeSocket.last.hear({ ...view, seq: 2, table: { ...before, stage: "over" } });
    return table;
  };
  const client = new Client("http://here");
  const [lied, right] = [passed(), passed()];
  await expect(client.checkEnds(lied)).rejects.toMatchObject({ code: "unfair-deal" });
  expect(asked.mock.calls[0]?.at(0)).toBe(`http://here/api/matches/${id}-${String(match)}/record`);
  told = { deals };
  await client.checkEnds(right);
  expect([lied.unchecked, right.unchecked]).toEqual([[[match, 0]], []]);
});

it("ends with a code where a message makes no sense, and breaks no program", async () => {
  const table = new Table("t", "ws://here/ws/t", () => Promise.resolve(null));
  FakeSocket.last.open();
  FakeSocket.last.hear({ type: "view", seq: 1, at: 0, table: { id: "t" }, deal: 7, you: 7 });
  FakeSocket.last.hear({ type: "event", seq: 2, at: 0, table: shown, deal: {} });
  await expect(table.until(() => false)).rejects.toMatchObject({ code: "line-failed" });
});
