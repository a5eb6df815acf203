import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { api } from "../src/lib/api";
import { seatCommitmentOf, transcriptOf } from "../src/lib/fairDeal";
import { Game } from "../src/lib/game.svelte";
import { texts } from "../src/lib/i18n.svelte";
import type { RoundView } from "../src/lib/protocol";
import { acted, begun, DEAL, FakeSocket, OPTIONS, ROUND, settled, view } from "./fakes";

const PLACE = { table: "t", match: 1, deal: 0, round: 0 };
const PROMISE = { value: "00".repeat(32), match: 1, deal: 0, round: 0 };
const OPENED = { seats: [], commitments: [], randomness: [], secret: "22".repeat(32) };
const BEFORE = { ...OPENED, commitment: PROMISE.value, reason: "left" };
const SECOND = { number: 1, abandoned: [BEFORE] };
const LATER = { value: "11".repeat(32), match: 1, deal: 0, round: 1 };

const OPTIONS_SHOWN = view().table.options;

let game: Game;

const socket = (): FakeSocket => FakeSocket.last;

function rack(): string[] {
  return game.slots.flatMap((slot) => (slot ? [slot.tile] : []));
}

beforeAll(() => texts.use("en").then(() => texts.refusals()));

beforeEach(() => {
  vi.useFakeTimers();
  game = begun();
});

afterEach(() => {
  game.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a table", () => {
  it("is as the view says, the own hand on the rack", () => {
    socket().hear(view());
    expect([game.seq, game.seat, game.okey, game.myTurn]).toEqual([7, 0, "B13", true]);
    expect(rack()).toEqual(["R7", "R8", "R9", "B5"]);
    expect(game.melds.points).toBe(24);
  });

  it("takes the parts of an event in place, and keeps the actions", () => {
    socket().hear(view());
    socket().hear(acted(8, 0, "discard B5", { turn: 1, phase: "draw" }));
    expect(game.deal).toMatchObject({ turn: 1, phase: "draw", stock: 40, okey: "B13" });
    expect(game.deal?.actions.at(-1)).toBe("0: discard B5");
    expect(game.myTurn).toBe(false);
  });

  it("knows the server's clock by what is new, not by what was missed", () => {
    socket().hear(view());
    const told = (seq: number, ago: number): object => ({
      ...acted(seq, 0, "draw"),
      at: Date.now() - ago,
    });
    socket().hear(told(8, 0));
    socket().close();
    vi.advanceTimersByTime(20_000);
    socket().open();
    socket().hear(told(9, 18_000));
    socket().hear({ type: "resumed", seq: 9, at: Date.now() - 18_000, you: null, here: [] });
    expect(game.ahead).toBe(0);
  });

  it("knows the server's clock from what was asked before, where the view's row is old", async () => {
    const date = new Date(Date.now() - 90_000).toUTCString();
    const answer = { ok: true, status: 204, headers: new Headers({ Date: date }) };
    vi.stubGlobal("fetch", () => Promise.resolve(answer));
    await api.logout();
    for (const [at, ahead] of [
      [Date.now() - 100_000, -90_000],
      [Date.now() - 80_000, -80_000],
    ] as const) {
      const other = new Game("t");
      socket().open();
      socket().hear({ ...view(), at });
      expect(Math.abs(other.ahead - ahead)).toBeLessThan(1001);
      other.close();
    }
    answer.headers = new Headers({ Date: new Date().toUTCString() });
    await api.logout();
  });

  it("knows the server's clock again after it was told late", () => {
    socket().hear(view());
    socket().hear({ ...acted(8, 0, "draw"), at: Date.now() - 15_000 });
    socket().hear({ type: "pong", n: 0, at: Date.now() + 500 });
    expect(game.ahead).toBe(500);
    // Who is shown the table late has its deadlines late, too.
    socket().hear(view({ seq: 9, you: null }));
    socket().hear({ ...acted(10, 0, "draw"), at: Date.now() - 60_000 });
    socket().hear({ type: "pong", n: 0, at: Date.now() });
    expect(game.ahead).toBe(-60_000);
  });

  it("brings the tiles together that an opening leaves, but not under a finger", () => {
    const opened = { groups: [{ form: "run" as const, tiles: "R7 R8 R9", owner: 0 }] };
    const left = { you: { seat: 0, hand: "K1 B5 B6", drawn: null } };
    const places = (): (string | undefined)[] => game.slots.slice(0, 10).map((one) => one?.tile);
    for (const gripped of [false, true]) {
      socket().hear(view({ hand: "K1 R7 R8 R9 B5 B6" }));
      for (const [from, to] of [
        [5, 9],
        [4, 8],
      ] as const)
        game.move(from, to);
      game.gripped = gripped;
      socket().hear(acted(8, 0, "meld R7 R8 R9", opened, left));
      const none = undefined;
      expect(places()).toEqual(
        gripped
          ? ["K1", none, none, none, none, none, none, none, "B5", "B6"]
          : ["K1", none, "B5", "B6", none, none, none, none, none, none],
      );
      game.slots = game.slots.map(() => null);
    }
  });

  it("keeps the rack's height until the turn is over, so that no button moves away", () => {
    game.line = 8;
    const hand = "R1 R2 R3 R4 R5 R6 R7 R8 R9 B1 B2 B3 B4 B5 B6 B7 B8 B9 K1 K2 K3 K4";
    socket().hear(view({ hand, deal: { turns: 5 } }));
    expect(game.room).toBe(32);
    const you = { seat: 0, hand: "K4", drawn: null };
    socket().hear(acted(8, 0, "meld R1 R2 R3", {}, { you }));
    expect([rack(), game.room]).toEqual([["K4"], 32]);
    socket().hear(acted(9, 0, "discard R4", { turn: 1, turns: 6 }, { you }));
    game.fit();
    expect(game.room).toBe(8);
  });

  it("says that the dealing was seen, while play waits for that", () => {
    const start = view({ deal: { actions: [], turns: 0 } });
    socket().hear(start);
    game.dealingSeen();
    expect(socket().latest("ready")).toBeUndefined();
    const table = { ...start.table, turn_since: Date.now() + 4000 };
    socket().hear({ ...start, seq: 8, table });
    game.dealingSeen();
    expect(socket().latest("ready")).toMatchObject({ type: "ready" });
  });

  it("hears no event twice", () => {
    socket().hear(view());
    socket().hear(acted(7, 1, "draw", { stock: 1 }));
    expect(game.deal?.stock).toBe(40);
  });

  it("begins a deal anew with an indicator, and has none after an empty one", () => {
    socket().hear(view());
    game.flip("R7.1");
    socket().hear({ ...acted(8, 0, "draw"), deal: { ...DEAL, indicator: "R1", actions: [] } });
    expect(game.deal?.actions).toEqual([]);
    expect(game.faceDown.size).toBe(0);
    expect(game.okey).toBe(DEAL.okey);
    socket().hear({ type: "event", seq: 9, at: 0, what: { kind: "start" }, deal: {} });
    expect(game.deal).toBeNull();
    expect(game.okey).toBe("F");
  });

  it("deals onto an empty rack, whatever lay where before", () => {
    socket().hear(view());
    game.move(0, 20); // R7, which is dealt again
    const you = { seat: 0, hand: "R1 R7 B5" };
    const deal = { ...DEAL, indicator: "R1", actions: [] };
    socket().hear({ ...acted(8, 0, "draw"), deal, you });
    expect(game.slots.slice(0, 3).map((slot) => slot?.tile)).toEqual(["R1", "R7", "B5"]);
    expect(game.slots.filter(Boolean)).toHaveLength(3);
  });

  it("gives nobody a turn while a bot plays the seat", () => {
    const [own, ...others] = view().table.seats;
    socket().hear(view({ seats: [{ ...own, away: true } as (typeof others)[0], ...others] }));
    expect([game.away, game.myTurn]).toEqual([true, false]);
    const what = { kind: "away", seat: 0, on: false };
    socket().hear({ type: "event", seq: 8, at: 0, what, table: { seats: view().table.seats } });
    expect(game.myTurn).toBe(true);
  });

  it("gives nobody a turn in a deal that has ended", () => {
    socket().hear(view());
    expect(game.myTurn).toBe(true);
    const end = { hands: [] } as unknown as NonNullable<typeof DEAL.end>;
    socket().hear(acted(8, 0, "discard R7", { end }));
    expect(game.myTurn).toBe(false);
  });

  it("forgets what may be done as soon as the deal goes on", () => {
    socket().hear(view({ own: { draw: true } }));
    expect(game.options?.draw).toBe(true);
    socket().hear({ type: "event", seq: 8, at: 0, what: { kind: "ready", seat: 1, on: true } });
    expect(game.options?.draw).toBe(true);
    socket().hear(acted(9, 0, "draw", { stock: 39 }));
    expect(game.options).toBeNull();
    const you = { seat: 0, hand: "R7", options: { ...OPTIONS, take: true } };
    socket().hear(acted(10, 3, "discard K2", {}, { you }));
    expect(game.options?.take).toBe(true);
  });

  it("tells of what happens with what was before", () => {
    socket().hear(view());
    const told = vi.fn();
    game.onWhat = told;
    socket().hear(acted(8, 0, "draw", { stock: 39 }, { you: { seat: 0, hand: "R7 R8 R9 B5 K4" } }));
    const [what, before] = told.mock.calls[0] as [object, { deal: object; slots: object[] }];
    expect(what).toMatchObject({ kind: "act", seat: 0, actions: ["draw"] });
    expect(before.deal).toMatchObject({ stock: 40 });
    expect(before.slots.filter(Boolean)).toHaveLength(4);
    expect(game.newest).toBe("K4.1");
  });

  describe("a deal that is prepared", () => {
    /** Without those that were sent again after a view. */
    const sent = (type: string): object[] =>
      [...new Map(socket().sent.map((one) => [one.rid, one])).values()].filter(
        (one) => one.type === type,
      );
    const hear = async (message: object): Promise<void> => {
      socket().hear(message);
      await settled();
    };
    const preparing = (round: RoundView, more = {}): object =>
      view({ stage: "dealing", deal: null, commitment: PROMISE, round, ...more });
    const committed = (): (string | null)[] => [
      String(socket().latest("commit")?.commitment),
      null,
      null,
      null,
    ];
    const shown = (commitments: (string | null)[], commitment = PROMISE.value): RoundView => {
      const seats = ["a0", "b1", "bot:steady/1", "bot:steady/1"];
      const texts = commitments.map((text) => text ?? "");
      const told = { context: PLACE, commitment, seats, commitments: texts, terms: OPTIONS_SHOWN };
      const transcript = transcriptOf({ ...told, randomness: [], secret: "" });
      return { ...ROUND, shown: true, commitments, seats, transcript };
    };

    it("commits once, and reveals what it committed to once all is shown", async () => {
      await hear(preparing(ROUND));
      await hear(preparing(ROUND));
      expect(sent("commit")).toHaveLength(1);
      expect(sent("reveal")).toHaveLength(0);
      const commitments = committed();
      expect(commitments[0]).toMatch(/^[0-9a-f]{64}$/);
      await hear(preparing({ ...ROUND, commitments }));
      expect(sent("reveal")).toHaveLength(0);
      await hear(preparing(shown(commitments)));
      const random = String(socket().latest("reveal")?.random);
      const own = { context: PLACE, commitment: PROMISE.value, randomness: [random], secret: "" };
      const opened = { ...own, terms: {}, seats: [], commitments: [] };
      expect(seatCommitmentOf(opened, 0)).toBe(commitments[0]);
      expect(sent("commit")).toHaveLength(1);
      expect(game.unfair).toBe(false);
    });

    it("reveals nothing where something else is shown than was promised", async () => {
      await hear(preparing(ROUND));
      const commitments = committed();
      const another = { ...PROMISE, value: "11".repeat(32) };
      for (const [round, more] of [
        [shown(["22".repeat(32), null, null, null]), {}],
        [{ ...shown(commitments), transcript: "33".repeat(32) }, {}],
        [{ ...shown(commitments), seats: null }, {}],
        [shown(commitments, another.value), { commitment: another }],
      ] as [RoundView, object][]) {
        game.unfair = false;
        await hear(preparing(round, more));
        expect(game.unfair).toBe(true);
      }
      expect(sent("reveal")).toHaveLength(0);
    });

    it("takes no alarm at what another device of the same person has committed to", async () => {
      await hear(preparing(shown(["22".repeat(32), null, null, null])));
      expect([game.unfair, game.leftOut]).toEqual([false, false]);
      expect(sent("reveal")).toHaveLength(0);
    });

    it("says so where the deal is made without its contribution", async () => {
      await hear(preparing(ROUND));
      expect(game.leftOut).toBe(false);
      await hear(preparing(shown([null, null, null, null])));
      expect(game.leftOut).toBe(true);
      await hear(preparing({ ...ROUND, ...SECOND, left_out: [0] }, { commitment: LATER }));
      expect(game.leftOut).toBe(true);
      expect(sent("commit")).toHaveLength(1); // that of the first round
      const round = { ...ROUND, ...SECOND, shown: true, left_out: [0] };
      const others = ["1: draw", "1: discard R7"];
      await hear(view({ round, deal: { actions: others } }));
      expect(game.leftOut).toBe(true);
      await hear(view({ round, deal: { actions: [...others, "0: draw"] } }));
      expect(game.leftOut).toBe(false);
    });

    it("gives another contribution in another round", async () => {
      await hear(preparing(ROUND));
      await hear(preparing({ ...ROUND, ...SECOND }, { commitment: LATER }));
      const [first, second] = sent("commit") as { commitment: string }[];
      expect(sent("commit")).toHaveLength(2);
      expect(first?.commitment).not.toBe(second?.commitment);
    });
  });

  it("drops a view of another table, and says so", () => {
    socket().hear(view());
    const other = view({ seq: 9, hand: "K1" });
    socket().hear({ ...other, table: { ...other.table, id: "next" } });
    expect([game.unfair, game.seq, rack()[0]]).toEqual([true, 7, "R7"]);
  });

  it("lets those who only watch neither commit nor play", () => {
    const round = { ...ROUND };
    socket().hear(view({ stage: "dealing", deal: null, you: null, commitment: PROMISE, round }));
    expect(socket().latest("commit")).toBeUndefined();
    expect([game.seat, game.myTurn, game.takeable]).toEqual([null, false, [2, 3]]);
  });

  it("offers nobody a deal after the last, but the own hand to who left it", () => {
    const round = { ...ROUND, shown: true };
    for (const [left, deals, stage, offered] of [
      ["", 1, "playing", []],
      ["", 1, "dealing", []],
      ["", 2, "playing", [2, 3]],
      ["t 1 0 2", 1, "playing", [2]],
      ["t 1 0 2", 2, "playing", [2, 3]],
      ["t 1 1 2", 1, "playing", []],
      ["u 1 0 2", 1, "playing", []],
      ["t 1 0 1", 1, "dealing", [1]], // what is played is shown later: the own name is still there
    ] as const) {
      localStorage.setItem("okey101.left", left);
      const options = { ...OPTIONS_SHOWN, deals };
      socket().hear(view({ stage, round, options, you: null }));
      expect([left, game.takeable]).toEqual([left, offered]);
      socket().hear(view({ stage, round, options }));
      expect([game.takeable, game.inviting]).toEqual([[], deals > 1]);
    }
    localStorage.removeItem("okey101.left");
  });

  it("gives every bot a name of its own, and names an empty seat", () => {
    socket().hear(view({ seats: [{ name: null, bot: null }, ...view().table.seats.slice(1)] }));
    expect([0, 1, 2, 3].map((seat) => game.name(seat))).toEqual([
      "Free seat",
      "Barış",
      "Bot Selim",
      "Bot Fatma",
    ]);
  });
});

describe("what may be laid", () => {
  const answer = (opening: object | null, kinds: string[]): void =>
    socket().reply("ask", { type: "answer", what: "options", options: null, opening, kinds });
  const asked = (): number => socket().sent.filter(({ what }) => what === "options").length;

  it("is asked off turn too, and again when somebody has opened", async () => {
    socket().hear(view({ deal: { turn: 1 }, own: null }));
    expect([game.need, game.kinds, asked()]).toEqual([null, ["melds", "pairs"], 1]);
    answer({ need_points: 101, need_pairs: 5 }, ["melds", "pairs"]);
    await settled();
    expect(game.need).toEqual({ need_points: 101, need_pairs: 5 });
    socket().hear(acted(8, 1, "draw"));
    expect(asked()).toBe(1);
    socket().hear(acted(9, 1, "meld R7 R8 R9", { opened: [null, "melds", null, null] }));
    expect(asked()).toBe(2);
    answer({ need_points: 121, need_pairs: 5 }, ["melds", "pairs"]);
    await settled();
    expect(game.need?.need_points).toBe(121);
  });

  it("is asked by who takes the seat back, whose view was a spectator's", () => {
    socket().hear(view({ deal: { turn: 1 }, you: null }));
    expect(asked()).toBe(0);
    const what = { kind: "sit", seat: 0 };
    socket().hear({
      type: "event",
      seq: 8,
      at: 0,
      what,
      you: { seat: 0, hand: "R7", drawn: null },
    });
    expect(asked()).toBe(1);
  });

  it("is as the own turn's options say, and unknown in a new deal", async () => {
    const opening = { need_points: 121, need_pairs: 6, best_points: 0, best_pairs: 0 };
    socket().hear(view({ own: { opening } }));
    expect(game.need).toMatchObject({ need_points: 121, need_pairs: 6 });
    answer(null, ["pairs"]);
    await settled();
    expect(game.kinds).toEqual(["pairs"]);
    socket().hear({ ...acted(8, 0, "draw"), deal: { ...DEAL, indicator: "R1" } });
    expect([game.need, game.kinds, asked()]).toEqual([null, ["melds", "pairs"], 2]);
  });

  it("is not asked by those who only watch, nor after the deal's end", () => {
    socket().hear(view({ you: null }));
    socket().hear(view({ stage: "dealing", own: null }));
    expect(asked()).toBe(0);
    socket().hear(view());
    socket().reply("ask", { type: "error", code: "not-playing", message: "", details: {} });
    expect(game.laying).toBeNull();
  });
});

describe("the own tiles", () => {
  it("come to the slot that was asked for", () => {
    socket().hear(view());
    game.preferred = 20;
    socket().hear(acted(8, 0, "draw", {}, { you: { seat: 0, hand: "R7 R8 R9 B5 K4" } }));
    expect(game.slots[20]?.tile).toBe("K4");
    expect(game.preferred).toBeNull();
  });

  it("stay where they were put, in another window too", () => {
    socket().hear(view());
    game.move(0, 9);
    const again = new Game("t");
    expect(again.slots[9]?.tile).toBe("R7");
    again.close();
  });

  it("are arranged as the server says, gaps between groups", async () => {
    socket().hear(view());
    const done = game.arrange("points");
    expect(socket().latest("ask")).toMatchObject({ what: "arrange", aim: "points" });
    socket().reply("ask", { type: "answer", what: "arrange", groups: ["R7 R8 R9"], left: "B5" });
    await done;
    expect(game.slots.slice(0, 4).map((slot) => slot?.tile)).toEqual(["R7", "R8", "R9", undefined]);
    expect(rack()).toEqual(["R7", "R8", "R9", "B5"]);
  });

  it("take in what was drawn as they are sorted, until the player moves one", async () => {
    socket().hear(view());
    const done = game.tidy();
    expect(socket().latest("ask")).toMatchObject({ what: "arrange", aim: "points" });
    socket().reply("ask", { type: "answer", what: "arrange", groups: ["R7 R8 R9"], left: "B5" });
    await done;
    game.move(0, 9);
    await game.tidy();
    const again = new Game("t");
    await again.tidy();
    again.close();
    expect(rack()).toEqual(["R8", "R9", "B5", "R7"]);
    expect(socket().sent.filter((one) => one.what === "arrange")).toHaveLength(0);
  });

  it("stay as the player moved them while the server was asked how to sort in", async () => {
    socket().hear(view());
    const done = game.tidy();
    game.move(0, 9);
    socket().reply("ask", { type: "answer", what: "arrange", groups: ["R7 R8 R9"], left: "B5" });
    await done;
    expect([game.slots[9]?.tile, game.sorted]).toEqual(["R7", null]);
  });

  it("count an announced twin as half of an odd pair, for its own seat before opening", () => {
    const hand = "B12 R9 K1 K1";
    for (const [deal, pairs] of [
      [{ announced: 0 }, 2],
      [{ announced: null }, 1],
      [{ announced: 1 }, 1],
      [{ announced: 0, opened: ["pairs", null, null, null] }, 1],
    ] as [Partial<typeof DEAL>, number][]) {
      socket().hear(view({ hand, deal }));
      expect(game.pairs.points).toBe(pairs);
    }
  });
});

describe("a command", () => {
  it("is done when what came of it is on the table", async () => {
    socket().hear(view());
    let done = false;
    void game.act("draw").then(() => (done = true));
    socket().reply("act", { type: "ack", seq: 8 });
    await settled();
    expect(done).toBe(false);
    socket().hear(acted(8, 0, "draw"));
    await settled();
    expect(done).toBe(true);
  });

  it("is done after a while where the event does not come", async () => {
    socket().hear(view());
    const done = game.act("draw");
    socket().reply("act", { type: "ack", seq: 8 });
    await vi.advanceTimersByTimeAsync(4000);
    await expect(done).resolves.toBe(8);
  });
});

describe("people", () => {
  it("are heard for a moment, the last word alone", () => {
    socket().hear(view());
    const heard = vi.fn();
    game.onSaid = heard;
    socket().hear({ type: "said", seat: 1, phrase: "hello" });
    vi.advanceTimersByTime(3000);
    socket().hear({ type: "said", seat: 1, phrase: "thanks" });
    vi.advanceTimersByTime(3000);
    expect(game.bubbles[1]?.phrase).toBe("thanks");
    vi.advanceTimersByTime(3000);
    expect(game.bubbles).toEqual({});
    expect(heard.mock.calls).toEqual([
      [1, "hello", undefined],
      [1, "thanks", undefined],
    ]);
  });

  it("come and go, and are muted until the next view says who is", () => {
    socket().hear(view());
    socket().hear({ type: "presence", seat: 1, here: false });
    expect(game.here).toEqual([true, false, false, false]);
    socket().hear({ type: "muted", seats: [1] });
    expect(game.muted.has(1)).toBe(true);
    socket().hear(view());
    expect(game.muted.size).toBe(0);
  });
});
