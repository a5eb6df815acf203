import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Connection, type Ending, type Status } from "../src/lib/connection";
import { FakeSocket } from "./fakes";

let states: [Status, Ending | null][];
let seq: number | null;
let waits: [boolean, boolean][];
let why: "banned" | "none" | null;
let connection: Connection;

const last = (): FakeSocket => FakeSocket.last;

const VIEW = { type: "view", seq: 7, at: 0 };

/** The line stands, and the table is told. */
function stand(): void {
  last().open();
  last().hear(VIEW);
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.all = [];
  states = [];
  seq = null;
  why = null;
  waits = [];
  connection = new Connection("ws://here/ws/t", {
    message: (message) => {
      if (message.type === "view" || message.type === "event") seq = message.seq;
    },
    status: (status, ending) => states.push([status, ending]),
    waits: (silent, unanswered) => waits.push([silent, unanswered]),
    seq: () => seq,
    head: () => (seq === null ? null : "0.head"),
    why: () => Promise.resolve(why),
  });
});

afterEach(() => {
  connection.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a connection", () => {
  it("says hello, and again with the last seq", () => {
    last().open();
    expect(last().sent).toEqual([{ type: "hello", seq: null, options: true }]);
    last().hear(VIEW);
    expect(states.at(-1)).toEqual(["open", null]);
    last().close();
    expect(states.at(-1)).toEqual(["lost", null]);
    vi.advanceTimersByTime(1000);
    expect(FakeSocket.all).toHaveLength(2);
    last().open();
    expect(last().sent[0]).toMatchObject({ type: "hello", seq: 7, head: "0.head" });
  });

  it.each(["{", "null", ""])("asks anew for what it can't read: %s", (data) => {
    stand();
    const socket = last();
    socket.onmessage?.({ data });
    socket.hear({ type: "event", seq: 9, at: 0, what: {} }); // what came between is not known
    expect([socket.readyState, states.at(-1), seq]).toEqual([3, ["lost", null], 7]);
    vi.advanceTimersByTime(1000);
    last().open();
    expect(last().sent[0]).toMatchObject({ type: "hello", seq: 7 });
  });

  it("sends what was not acknowledged again, under the same mark", async () => {
    stand();
    const drawn = connection.command({ type: "act", action: "draw" });
    const first = last().sent.at(-1);
    last().close();
    vi.advanceTimersByTime(1000);
    last().open();
    expect(last().sent).toHaveLength(1);
    last().hear({ type: "resumed", seq: 7, at: 0, you: null, here: [] });
    expect(last().sent.at(-1)).toEqual(first);
    last().hear({ type: "ack", rid: first?.rid, seq: 8 });
    await expect(drawn).resolves.toBe(8);
    last().close();
    vi.advanceTimersByTime(5000);
    stand();
    expect(last().sent).toHaveLength(1);
  });

  it("sends what was not read again when the server says that it listens", async () => {
    stand();
    const drawn = connection.command({ type: "act", action: "draw" });
    const first = last().sent.at(-1);
    const limited = { code: "rate-limited", message: "", rule: null, details: { seconds: 3 } };
    last().hear({ type: "error", rid: null, ...limited });
    vi.advanceTimersByTime(2900);
    expect(last().sent).toHaveLength(2);
    vi.advanceTimersByTime(200);
    expect(last().sent.slice(2)).toEqual([first]);
    last().hear({ type: "ack", rid: first?.rid, seq: 8 });
    await expect(drawn).resolves.toBe(8);
    last().hear({ type: "error", rid: null, ...limited });
    last().close();
    vi.advanceTimersByTime(2900);
    expect(FakeSocket.all).toHaveLength(1);
    vi.advanceTimersByTime(200);
    expect(FakeSocket.all).toHaveLength(2);
  });

  describe("an action that got no answer", () => {
    const promised = (value: string, deal = 0, match = 1): object => ({
      table: { commitment: { value, match, deal, round: 0 } },
    });
    const RESUMED = { type: "resumed", seq: 7, at: 0, you: null, here: [] };
    let drawn: Promise<number | null>;

    beforeEach(() => {
      last().open();
      last().hear({ ...VIEW, ...promised("a") });
      drawn = connection.command({ type: "act", action: "draw", deal: 0, turn: 3 });
      drawn.catch(() => undefined);
      void connection.command({ type: "resume" }).catch(() => undefined);
      last().close();
      vi.advanceTimersByTime(1000);
      last().open();
    });

    it.each([
      ["the deal has another promise", { ...VIEW, seq: 12, ...promised("b") }],
      ["another match is played", { ...VIEW, seq: 40, ...promised("c", 0, 2) }],
      ["the table was thrown back", { ...VIEW, seq: 5, table: { commitment: null } }],
    ])("is not sent again where %s", async (_, view) => {
      last().hear(view);
      await expect(drawn).rejects.toMatchObject({ code: "turn-over" });
      expect(last().sent.map(({ type }) => type)).toEqual(["hello", "resume"]);
    });

    it("is not sent again after events that throw its deal away", async () => {
      const abandon = { kind: "abandon", why: "restored" };
      last().hear({ type: "event", seq: 8, at: 0, what: abandon, ...promised("b") });
      last().hear({ ...RESUMED, seq: 8 });
      await expect(drawn).rejects.toMatchObject({ code: "turn-over" });
      expect(last().latest("act")).toBeUndefined();
    });

    it.each([
      ["the same deal", RESUMED],
      ["the same deal, told as a whole", { ...VIEW, seq: 30, ...promised("a") }],
      ["the next deal, where it may have been done", { ...VIEW, seq: 30, ...promised("b", 1) }],
      ["the end of the match", { ...VIEW, seq: 30, table: { commitment: null } }],
    ])("is sent again in %s", async (_, message) => {
      last().hear(message);
      expect(last().latest("act")).toMatchObject({ action: "draw" });
      last().reply("act", { type: "ack", seq: 8 });
      await expect(drawn).resolves.toBe(8);
    });
  });

  it("keeps what was asked for before there was a connection", () => {
    void connection.command({ type: "ready" }).catch(() => undefined);
    stand();
    expect(last().sent.at(-1)).toMatchObject({ type: "ready" });
  });

  it("rejects what the server refuses, but waits where it could not store", async () => {
    stand();
    const answer = connection.command({ type: "act", action: "draw" });
    const rid = last().sent.at(-1)?.rid;
    last().hear({ type: "error", rid, code: "store-failed" });
    last().hear({ type: "error", rid, code: "not-your-turn" });
    await expect(answer).rejects.toMatchObject({ code: "not-your-turn" });
  });

  it.each(["store-failed", "accounts-busy"])("sends again what met %s", async (code) => {
    stand();
    const answer = connection.command({ type: "act", action: "draw" });
    const first = last().sent.at(-1);
    last().hear({ type: "error", rid: first?.rid, code });
    vi.advanceTimersByTime(900);
    expect(last().sent).toHaveLength(2);
    vi.advanceTimersByTime(200);
    expect(last().sent.slice(2)).toEqual([first]);
    last().hear({ type: "ack", rid: first?.rid, seq: 8 });
    await expect(answer).resolves.toBe(8);
  });

  it.each([
    [1011, "internal"],
    [1009, ""],
  ])("comes back once after %i, and again after an answer", async (code, reason) => {
    const fail = (): void => {
      stand();
      last().close(code, reason);
      vi.advanceTimersByTime(1000);
    };
    fail();
    expect(FakeSocket.all).toHaveLength(2);
    stand();
    const ready = connection.command({ type: "ready" });
    last().reply("ready", { type: "ack", seq: 8 });
    await ready;
    fail();
    const drawn = connection.command({ type: "act", action: "draw" });
    expect(FakeSocket.all).toHaveLength(3);
    fail();
    await expect(drawn).rejects.toMatchObject({ code: "offline" });
    expect(states.at(-1)).toEqual(["ended", "refused"]);
    expect(FakeSocket.all).toHaveLength(3);
  });

  it("comes back to a server that fails now and then, where somebody only watches", () => {
    const ready = { kind: "ready", seat: 0, by: "user" };
    for (const seq of [8, 9, 10]) {
      last().open();
      last().hear({ ...VIEW, seq: seq - 1 });
      last().hear({ type: "event", seq, at: 0, what: ready });
      last().close(1011, "internal");
      vi.advanceTimersByTime(1000);
    }
    expect(FakeSocket.all).toHaveLength(4);
  });

  it("refuses what still waits where the line ends for good, and what comes after", async () => {
    stand();
    const drawn = connection.command({ type: "act", action: "draw" });
    last().onclose?.({ code: 4001, reason: "replaced" });
    expect(states.at(-1)).toEqual(["ended", "replaced"]);
    await expect(drawn).rejects.toMatchObject({ code: "offline" });
    await expect(connection.command({ type: "ready" })).rejects.toMatchObject({ code: "offline" });
  });

  it("brings the answer to a question, and nothing where it is acknowledged alone", async () => {
    stand();
    const answer = connection.ask({ type: "ask", what: "check", action: "draw" });
    expect(last().sent.at(-1)).toMatchObject({ type: "ask", what: "check", action: "draw" });
    last().reply("ask", { type: "answer", what: "check", legal: true });
    await expect(answer).resolves.toMatchObject({ legal: true });
    const none = connection.ask({ type: "ask", what: "options" });
    last().reply("ask", { type: "ack", seq: 1 });
    await expect(none).rejects.toThrow(TypeError);
  });

  it("waits longer from time to time, but not for ever", () => {
    const waits: number[] = [];
    for (let time = 0; time < 8; time++) {
      const before = FakeSocket.all.length;
      last().close();
      let waited = 0;
      while (FakeSocket.all.length === before) {
        vi.advanceTimersByTime(50);
        waited += 50;
      }
      waits.push(waited);
    }
    expect(waits[0]).toBeLessThanOrEqual(550);
    expect(waits[4]).toBeGreaterThan(waits[0] as number);
    expect(Math.max(...waits)).toBeLessThanOrEqual(10_050);
  });

  it.each([
    [4001, "", "replaced"],
    [4002, "", "table-closed"],
    [4002, "no-table", "no-table"],
    [4003, "", "kicked"],
    [4401, "deleted", "deleted"],
    [4401, "session-changed", "session-changed"],
    [4003, "banned", "banned"],
    [4401, "a reason of tomorrow", "signed-out"],
  ])("ends for good on %i %s", (code, reason, ending) => {
    last().open();
    last().close(code, reason);
    expect(states.at(-1)).toEqual(["ended", ending]);
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
  });

  it("gives up a socket that has fallen silent", () => {
    stand();
    vi.advanceTimersByTime(40_000);
    expect(FakeSocket.all.length).toBeGreaterThan(1);
  });

  it("asks a silent server, says within 5 s that it is silent, and when it is back", () => {
    stand();
    vi.advanceTimersByTime(2900);
    expect(last().latest("ping")).toBeUndefined();
    vi.advanceTimersByTime(600);
    expect(last().latest("ping")).toBeDefined();
    expect(waits).toEqual([]);
    vi.advanceTimersByTime(1500);
    expect(waits).toEqual([[true, false]]);
    last().hear({ type: "pong" });
    vi.advanceTimersByTime(300);
    expect(waits.at(-1)).toEqual([false, false]);
    expect(FakeSocket.all).toHaveLength(1);
  });

  it("says within 2.5 s that a command is not answered, and that it keeps it while lost", async () => {
    stand();
    const drawn = connection.command({ type: "act", action: "draw" });
    vi.advanceTimersByTime(1500);
    last().hear({ type: "pong" }); // the server is there, its answer is not
    vi.advanceTimersByTime(1000);
    expect(waits).toEqual([[false, true]]);
    window.dispatchEvent(new Event("offline"));
    expect(states.at(-1)).toEqual(["lost", null]);
    expect(waits.at(-1)).toEqual([false, true]);
    vi.advanceTimersByTime(1000);
    last().open();
    last().hear({ type: "resumed", seq: 7, at: 0, you: null, here: [] });
    expect(waits.at(-1)).toEqual([false, false]);
    last().reply("act", { type: "ack", seq: 8 });
    await expect(drawn).resolves.toBe(8);
  });

  it("says at once that it keeps an action of somebody without a line", async () => {
    stand();
    last().close();
    void connection.ask({ type: "ask", what: "options" }).catch(() => undefined);
    expect(waits).toEqual([]);
    // An opening is looked at first, and lies when the line is back.
    const meld = { type: "ask", what: "check", action: "meld R7 R8 R9" } as const;
    void connection.ask(meld).catch(() => undefined);
    expect(waits).toEqual([[false, true]]);
    const drawn = connection.command({ type: "act", action: "draw" });
    await refuse(2);
    expect(waits.at(-1)?.[1]).toBe(true);
    stand();
    expect(waits.at(-1)).toEqual([false, false]);
    last().reply("act", { type: "ack", seq: 8 });
    await expect(drawn).resolves.toBe(8);
  });

  it("does not take its own sleep for the server's silence", () => {
    stand();
    vi.setSystemTime(Date.now() + 60_000);
    vi.advanceTimersByTime(1000);
    expect(waits).toEqual([]);
    expect(FakeSocket.all).toHaveLength(1);
  });

  it.each([
    ["banned", "banned", 3],
    ["none", "refused", 7],
  ] as const)("asks why no socket opens, and ends where it is %s", async (said, ending, tries) => {
    why = said;
    await refuse(tries - 1);
    expect(states.at(-1)?.[0]).not.toBe("ended");
    await refuse(1);
    expect(states.at(-1)).toEqual(["ended", ending]);
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(tries);
  });

  it("waits for a server that is away, and for one that takes it at last", async () => {
    await refuse(9);
    expect(states.at(-1)?.[0]).not.toBe("ended");
    why = "none";
    await refuse(4);
    stand();
    last().close();
    await vi.advanceTimersByTimeAsync(12_000);
    await refuse(4);
    expect(states.at(-1)?.[0]).not.toBe("ended");
  });

  it.each([1012, 1006])("comes back after a close with %i", (code) => {
    stand();
    last().close(code, "server-restarting");
    expect(states.at(-1)).toEqual(["lost", null]);
    vi.advanceTimersByTime(1000);
    expect(FakeSocket.all).toHaveLength(2);
  });
});

/** Refuse handshakes, as a server does with HTTP 403. */
async function refuse(times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    last().close();
    await vi.advanceTimersByTimeAsync(12_000);
  }
}
