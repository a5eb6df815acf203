import { beforeEach, describe, expect, it, vi } from "vitest";

import { roundsOf, type RoundNote } from "../src/lib/fairness";
import { Game } from "../src/lib/game.svelte";
import type { ServerMessage, TableView } from "../src/lib/protocol";
import { Witness } from "../src/lib/witness";
import { DEAL, FakeSocket, ROUND, acted, settled, view } from "./fakes";

const PROMISE = "aa".repeat(32);
const PLACE = { table: "t", match: 1, deal: 0, round: 0 };
const commitment = { value: PROMISE, match: 1, deal: 0, round: 0 };

let seq = 9;
function event(message: object): ServerMessage {
  return { type: "event", seq: seq++, at: 0, ...message } as ServerMessage;
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
  get: vi.fn((key: string) => Promise.resolve(structuredClone(KEPT.get(key)))),
  set: (key: string, value: unknown) => Promise.resolve(KEPT.set(key, structuredClone(value))),
  update: (key: string, change: (old: unknown) => unknown) =>
    Promise.resolve(KEPT.set(key, structuredClone(change(structuredClone(KEPT.get(key)))))),
  del: (key: string) => Promise.resolve(KEPT.delete(key)),
  entries: () => Promise.resolve([...KEPT]),
}));

beforeEach(() => {
  KEPT.clear();
  seq = 9;
});

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
    const moves = ["0: draw"];
    const hands = [
      [0, "R1 R2"],
      [1, "R1 R2 Y3"],
    ];
    const seen = { rounds: { 0: { commitment: PROMISE } } };
    const played = { seat: 0, hands, actions: moves, changed: false };
    const playing = { stage: "playing" as const, commitment };
    const hear = (actions: string[], own: typeof you | null): void =>
      witness.hear(view({ ...playing, deal: { actions }, you: own }) as ServerMessage);
    expect(witness.seen(PLACE)).toMatchObject({ ...seen, played: { 0: played } });
    hear([], null); // as who has left the seat is shown it late
    hear(moves, you);
    expect(witness.seen(PLACE)?.played[0]).toMatchObject(played);
    hear([], { ...you, hand: "B1 B2" });
    expect(witness.seen(PLACE)?.played[0]).toMatchObject({ ...played, changed: true });
  });

  it.each<[string, object]>([
    ["a row that changes nothing", { type: "event", seq: 10, what: { kind: "ready", seat: 0 } }],
    ["a line that has come back", { type: "resumed", seq: 9, here: [] }],
  ])("keeps in mind that there were other tiles after %s", async (_, message) => {
    const witness = await prepared();
    witness.hear(dealt("R1 R2"));
    const told = (hand: string) => ({ at: 0, ...message, you: { seat: 0, hand, drawn: null } });
    witness.hear(told("R1 R2") as ServerMessage);
    expect(witness.seen(PLACE)?.played[0]?.changed).toBe(false);
    witness.hear({ ...told("B1 B2"), seq: 11 } as ServerMessage);
    expect(witness.seen(PLACE)?.played[0]?.changed).toBe(true);
  });

  it("takes no alarm at the next seat's tiles once a deal is over", async () => {
    const witness = await prepared();
    witness.hear(dealt("R1 R2"));
    const deal = { result: { end: "finish" }, end: {} };
    const what = { kind: "act", seat: 1, actions: ["discard B1"], by: "bot" };
    witness.hear(event({ what, deal, you: { seat: 2, hand: "K1", drawn: null } }));
    expect(witness.seen(PLACE)?.played[0]).toMatchObject({ seat: 0, changed: false });
  });

  it.each<[string, string[], object]>([
    ["another move", ["1: draw"], {}],
    ["another dealer", [], { dealer: 1 }],
    ["another indicator", [], { indicator: "K9" }],
  ])("keeps in mind that there was %s", async (_, actions, more) => {
    const witness = await prepared();
    witness.hear(dealt("R1 R2"));
    witness.hear(acted(10, 0, "draw", {}) as ServerMessage);
    expect(witness.seen(PLACE)?.played[0]?.changed).toBe(false);
    const deal = { ...DEAL, number: 0, actions, ...more };
    witness.hear(view({ stage: "playing", commitment, deal }) as ServerMessage);
    expect(witness.seen(PLACE)?.played[0]?.changed).toBe(true);
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

  it.each([0, 3000])("shows the server its word, once, if kept words come in %i ms", async (ms) => {
    KEPT.set("t", { deals: [], last: { seq: 50, head: "0.5e" }, at: Date.now() });
    vi.stubGlobal("WebSocket", FakeSocket);
    FakeSocket.all = [];
    vi.useFakeTimers();
    const { get } = await import("idb-keyval");
    vi.mocked(get).mockImplementationOnce(async (key) => {
      if (ms) await new Promise((go) => setTimeout(go, ms));
      return KEPT.get(key as string);
    });
    const game = new Game("t");
    FakeSocket.last.open();
    FakeSocket.last.hear(view());
    await vi.advanceTimersByTimeAsync(ms);
    if (ms) FakeSocket.last.hear(acted(8, 1, "draw"));
    vi.useRealTimers();
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
    expect([witness.seen(PLACE), witness.seen(next)]).toMatchObject([{ deal: 0 }, null]);
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
    const other = await Witness.of("t");
    const witness = await prepared();
    expect(witness.seen(PLACE)?.again).toBe(0);
    forget(witness);
    expect(witness.seen(PLACE)).toBeNull();
    await witness.save();
    const reloaded = await Witness.of("t");
    const tries = [1, 2, 3].map(() => {
      reloaded.note(PLACE, first({ commitment: "00".repeat(32) }));
      const { again } = reloaded.seen(PLACE) ?? {};
      reloaded.forgetAfter(0, 0);
      return again;
    });
    expect(tries).toEqual([1, 2, 3]);
    reloaded.note({ ...PLACE, deal: 90 }, first());
    expect(reloaded.seen({ match: 1, deal: 90 })?.again).toBe(0);
    reloaded.note(PLACE, first());
    await reloaded.save();
    other.note(PLACE, first()); // another window was shown nothing but what came anew
    expect(other.seen(PLACE)?.again).toBe(0);
    await other.save();
    expect(other.seen(PLACE)?.again).toBe(1);
  });

  it("is what either of two windows was shown first, and gets one contribution", async () => {
    const [one, other, third] = await Promise.all(["t", "t", "t"].map((id) => Witness.of(id)));
    if (!one || !other || !third) throw new Error("three were asked for");
    const shown = (value: string) =>
      view({
        stage: "dealing",
        deal: null,
        commitment: { ...commitment, value },
        round: ROUND,
      }).table as TableView;
    const mine = await roundsOf("t", one).step(shown(PROMISE), 0);
    expect(await roundsOf("t", other).step(shown(PROMISE), 0)).toEqual(mine);
    const changed = roundsOf("t", third).step(shown("00".repeat(32)), 0);
    await expect(changed).rejects.toThrow("something else");
    one.hear(view({ stage: "dealing", deal: null, commitment, round: ROUND }) as ServerMessage);
    one.hear(dealt("R1 R2"));
    other.hear(view({ stage: "dealing", deal: null, commitment, round: ROUND }) as ServerMessage);
    other.hear(dealt("B9"));
    other.note({ ...PLACE, deal: 1 }, first());
    await other.save();
    await one.save();
    const kept = await Witness.of("t");
    expect(kept.seen(PLACE)?.played[0]).toMatchObject({ changed: true });
    expect(kept.seen({ match: 1, deal: 1 })).not.toBeNull();
  });

  describe("of a deal that came anew while no window was open", () => {
    const NEW = "dd".repeat(32);
    const told = (
      head: string,
      place: { match: number; deal: number },
      more = {},
    ): ServerMessage => {
      const { match, deal } = place;
      const promise = { ...commitment, value: NEW, match, deal };
      const message = view({ stage: "dealing", deal: null, commitment: promise, round: ROUND });
      const deals = Array.from({ length: deal }, () => ({ scores: [101, 0, 0, 0] }));
      const scores = { ...message.table.scores, deals } as unknown as TableView["scores"];
      const table = { ...message.table, match, scores, ...more };
      return { ...message, head, table } as ServerMessage;
    };
    const shown = async (message: ServerMessage): Promise<unknown> => {
      const witness = await Witness.of("t");
      witness.hear(message);
      return roundsOf("t", witness).step((message as { table: TableView }).table, 0);
    };
    const before = (place: { match: number; deal: number }): ServerMessage =>
      told("0.5e", place, { commitment: { ...commitment, ...place } });

    it.each([
      { match: 1, deal: 1 },
      { match: 2, deal: 0 },
    ])("%o", async (place) => {
      await shown(before(place));
      await expect(shown(told("0.5f", place))).rejects.toThrow("has changed its commitment");
      // The server has told of lost rows: files were put back, perhaps to an earlier match.
      expect(await shown(told("1.5f", place))).toMatchObject({ type: "commit" });
      const again = (await Witness.of("t")).seen(place);
      expect(again).toMatchObject({ again: 1, rounds: { 0: { commitment: NEW } } });
      const other = told("1.60", place, { commitment: { ...commitment, ...place } });
      await expect(shown(other)).rejects.toThrow("has changed its commitment");
    });

    it("and is played by now", async () => {
      await shown(before({ match: 2, deal: 0 }));
      const witness = await Witness.of("t");
      const played = { ...DEAL, number: 0, actions: [] };
      witness.hear({ ...told("1.5f", { match: 2, deal: 0 }), deal: played } as ServerMessage);
      const seen = witness.seen({ match: 2, deal: 0 });
      expect(seen).toMatchObject({ again: 1, rounds: {}, played: { 0: { changed: false } } });
    });

    it("while this window had no line, and another one saw it", async () => {
      const place = { match: 1, deal: 1 };
      const [one, other] = await Promise.all([Witness.of("t"), Witness.of("t")]);
      const saw = async (witness: Witness, message: ServerMessage, tiles: string) => {
        const { table } = message as { table: TableView };
        witness.hear(message);
        await roundsOf("t", witness).step(table, 0);
        const deal = { ...DEAL, number: 1, actions: [] };
        const playing = { ...table, stage: "playing" };
        const you = { seat: 0, hand: tiles, drawn: null };
        witness.hear({ ...message, table: playing, deal, you } as ServerMessage);
        await witness.save();
      };
      await saw(one, before(place), "R1 R2");
      other.hear(told("1.5f", { match: 1, deal: 0 }));
      await saw(other, told("1.60", place), "B1 B2");
      one.hear(told("1.61", { match: 1, deal: 3 }));
      await one.save();
      for (const witness of [one, await Witness.of("t")])
        expect(witness.seen(place)).toMatchObject({
          again: 1, // it is never proved
          rounds: { 0: { commitment: NEW } },
          played: { 0: { changed: false, hands: [[0, "B1 B2"]] } },
        });
    });

    it("accuses a server that tells other scores of it and of no lost rows", async () => {
      await shown(told("0.5e", { match: 1, deal: 1 }));
      const other = (head: string): ServerMessage => {
        const message = told(head, { match: 1, deal: 1 });
        const { table } = message as { table: TableView };
        const deals = [{ scores: [202, 0, 0, 0] }];
        return { ...message, table: { ...table, scores: { ...table.scores, deals } } } as never;
      };
      await expect(shown(other("0.5f"))).rejects.toThrow("other scores");
      expect(await shown(other("1.5f"))).toMatchObject({ type: "commit" });
    });
  });

  it("is kept, and known in the end, where the browser takes long to say so", async () => {
    await (await prepared()).save();
    vi.useFakeTimers();
    const { get } = await import("idb-keyval");
    let say = (): void => undefined;
    vi.mocked(get).mockImplementationOnce(
      (key) => new Promise((go) => (say = () => go(structuredClone(KEPT.get(key as string))))),
    );
    const opening = Witness.of("t");
    await vi.advanceTimersByTimeAsync(2000);
    const late = await opening;
    vi.useRealTimers();
    const note = late.note(PLACE, first({ commitment: "00".repeat(32) }));
    say();
    await settled();
    expect(note).toMatchObject({ commitment: PROMISE, given: "5e".repeat(32) });
    await late.save();
    expect((await Witness.of("t")).seen(PLACE)?.rounds[0]?.commitment).toBe(PROMISE);
  });

  it("keeps the tiles of a deal that was thrown away apart", async () => {
    const witness = await prepared();
    witness.hear(dealt("R1"));
    const value = "dd".repeat(32);
    const table = { commitment: { ...commitment, value, round: 1 } };
    witness.hear(event({ what: { kind: "abandon", why: "restored" }, table, deal: {} }));
    witness.note({ ...PLACE, round: 1 }, first({ commitment: value }));
    witness.hear(dealt("B9"));
    expect(witness.seen(PLACE)).toMatchObject({
      played: { 0: { hands: [[0, "R1"]] }, 1: { hands: [[0, "B9"]] } },
      rounds: { 0: {}, 1: {} },
    });
  });
});
