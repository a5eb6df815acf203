import { beforeEach, describe, expect, it, vi } from "vitest";

import type { RoundNote } from "../src/lib/fairness";
import type { ServerMessage } from "../src/lib/protocol";
import { Game } from "../src/lib/game.svelte";
import { Witness } from "../src/lib/witness";
import { DEAL, FakeSocket, ROUND, acted, settled, view } from "./fakes";

const PROMISE = "aa".repeat(32);
const PLACE = { table: "t", match: 1, deal: 0, round: 0 };
const commitment = { value: PROMISE, match: 1, deal: 0, round: 0 };

function event(message: object): ServerMessage {
  return { type: "event", seq: 9, at: 0, ...message } as ServerMessage;
}

const dealt = (hand: string): ServerMessage =>
  event({
    what: { kind: "deal" },
    table: { stage: "playing" },
    deal: { ...DEAL, actions: [], stock: 21, number: 0 },
    you: { seat: 0, hand, drawn: null },
  });

const KEPT = new Map<string, unknown>();
vi.mock("idb-keyval", () => ({
  get: (key: string) => Promise.resolve(structuredClone(KEPT.get(key))),
  set: (key: string, value: unknown) => Promise.resolve(KEPT.set(key, structuredClone(value))),
  del: (key: string) => Promise.resolve(KEPT.delete(key)),
  entries: () => Promise.resolve([...KEPT]),
}));

beforeEach(() => KEPT.clear());

const first = (more: Partial<RoundNote> = {}): RoundNote => ({
  commitment: PROMISE,
  given: null,
  gave: false,
  transcript: null,
  opened: [],
  ...more,
});

describe("what a page was shown of a deal", () => {
  async function prepared(): Promise<Witness> {
    const witness = await Witness.of("t");
    witness.hear(view({ stage: "dealing", deal: null, commitment, round: ROUND }) as ServerMessage);
    witness.note(PLACE, first({ given: "5e".repeat(32) }));
    return witness;
  }

  it("is what came first: promise, seals, hand and draws", async () => {
    const witness = await prepared();
    witness.note(PLACE, first({ commitment: "00".repeat(32) }));
    witness.hear(dealt("R1 R2"));
    const you = { seat: 0, hand: "R1 R2 Y3", drawn: "Y3" };
    witness.hear(acted(10, 0, "draw", { stock: 17 }, { you }) as ServerMessage);
    expect(witness.seen(PLACE)).toMatchObject({
      seat: 0,
      hand: "R1 R2",
      drawn: [[3, "Y3"]],
      rounds: { 0: { commitment: PROMISE } },
    });
  });

  it("outlives its window, the contribution with it", async () => {
    await (await prepared()).save();
    const reloaded = await Witness.of("t");
    const kept = reloaded.note(PLACE, first({ commitment: "00".repeat(32) }));
    expect(kept).toMatchObject({ commitment: PROMISE, given: "5e".repeat(32) });
    expect((await Witness.of("u")).seen(PLACE)).toBeNull();
  });

  it("has the last row that was shown, for the server that lacks it", async () => {
    const witness = await prepared();
    expect(witness.before).toBeNull();
    witness.hear({ ...view({ seq: 50 }), head: "0.5e" } as ServerMessage);
    await witness.save();
    expect((await Witness.of("t")).before).toEqual({ seq: 50, head: "0.5e" });
  });

  it("shows the server its own word, once, where a table is behind it", async () => {
    KEPT.set("t", { deals: [], last: { seq: 50, head: "0.5e" }, at: Date.now() });
    vi.stubGlobal("WebSocket", FakeSocket);
    const game = new Game("t");
    FakeSocket.last.open();
    FakeSocket.last.hear(view());
    await settled();
    FakeSocket.last.open();
    expect(FakeSocket.last.latest("hello")).toMatchObject({ seq: 50, head: "0.5e" });
    FakeSocket.last.hear(view({ seq: 9 }));
    await settled();
    expect([FakeSocket.all.length, game.seq]).toEqual([2, 9]);
    game.close();
    vi.unstubAllGlobals();
  });

  it("is forgotten a month after the last deal", async () => {
    await (await prepared()).save();
    const at = Date.now() - 31 * 24 * 3600 * 1000;
    KEPT.set("old", { deals: [], at });
    await Witness.of("t");
    await vi.waitFor(() => expect([...KEPT.keys()]).toEqual(["t"]));
  });

  it("remembers how the deal before ended", async () => {
    const witness = await prepared();
    witness.hear(dealt("R1"));
    const result = { end: "finish", winner: 0, scores: [], fines: [], sheet: [], counts: true };
    witness.hear(
      event({
        what: { kind: "act", seat: 0, actions: ["discard R1"], by: "user" },
        deal: { result, end: {} },
      }),
    );
    const next = { match: 1, deal: 1 };
    witness.note({ ...PLACE, ...next }, first());
    expect(witness.seen(next)?.before).toEqual({ dealer: 3, end: "finish" });
    witness.forgetAfter(1, 0);
    expect(witness.seen(next)).toBeNull();
  });

  it("forgets what came after a deal once that tells of files that were put back", async () => {
    const witness = await prepared();
    const next = { match: 1, deal: 1 };
    witness.note({ ...PLACE, ...next }, first());
    witness.hear(dealt("R1"));
    const told = { what: { kind: "act", seat: 1, actions: ["discard R1"], by: "bot" } };
    const ended = (reason: string) => ({ end: { fair: { abandoned: [{ reason }] } } });
    witness.hear(event({ ...told, deal: ended("left") }));
    expect(witness.seen(next)).not.toBeNull();
    witness.hear(event({ ...told, deal: ended("restored") }));
    expect([witness.seen(PLACE), witness.seen(next)]).toMatchObject([{ hand: "R1" }, null]);
  });

  it.each<[string, (witness: Witness) => void]>([
    ["files that were put back", (witness) => witness.forgetAfter(0, 0)],
    [
      "more deals than are kept",
      (witness) => {
        for (let deal = 50; deal < 80; deal++) witness.note({ ...PLACE, deal }, first());
      },
    ],
  ])("is not taken for the first after %s", async (_, forget) => {
    const witness = await prepared();
    expect(witness.seen(PLACE)?.again).toBe(false);
    forget(witness);
    expect(witness.seen(PLACE)).toBeNull();
    await witness.save();
    const reloaded = await Witness.of("t");
    reloaded.note(PLACE, first({ commitment: "00".repeat(32) }));
    expect(reloaded.seen(PLACE)?.again).toBe(true);
  });

  it("forgets the tiles of a deal that was thrown away", async () => {
    const witness = await prepared();
    witness.hear(dealt("R1"));
    witness.note({ ...PLACE, round: 1 }, first({ commitment: "dd".repeat(32) }));
    witness.hear(dealt("B9"));
    expect(witness.seen(PLACE)).toMatchObject({ hand: "B9", rounds: { 0: {}, 1: {} } });
  });
});
