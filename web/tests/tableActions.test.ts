import { cleanup, render } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import Actions from "../src/components/Actions.svelte";
import { command } from "../src/lib/commandLine";
import type { Game } from "../src/lib/game.svelte";
import { texts } from "../src/lib/i18n.svelte";
import type { Hand } from "../src/lib/pointer.svelte";
import { Moves } from "../src/lib/tableActions.svelte";
import { acted, begun, DEAL, FakeSocket, settled, view } from "./fakes";

let game: Game;
let moves: Moves;

/** What the server would say of groups that may be laid. */
const FREE = { type: "answer", what: "check", wait: null, error: null, fine: null };
const NOT_YET = { code: "not-your-turn", rule: "D2", message: "", details: { turn: 1 } };

function table(changes: Parameters<typeof view>[0] = {}): void {
  FakeSocket.last.hear(view(changes));
}

function acts(): unknown[] {
  return FakeSocket.last.sent.filter(({ type }) => type === "act").map(({ action }) => action);
}

/** The questions of a kind, by what they ask about. */
function asks(what = "check"): unknown[] {
  const asked = FakeSocket.last.sent.filter((sent) => sent.type === "ask" && sent.what === what);
  return asked.map(({ action, tile, group }) => action ?? `${String(tile)} > ${String(group)}`);
}

async function answered(answer: object): Promise<void> {
  FakeSocket.last.reply("ask", answer);
  await settled();
}

beforeAll(() => texts.use("en").then(() => texts.refusals()));

beforeEach(() => {
  game = begun();
  moves = new Moves(game);
});

afterEach(() => {
  cleanup();
  game.close();
  vi.unstubAllGlobals();
});

describe("opening", () => {
  it("lays what is arranged once the server allows it", async () => {
    table();
    void moves.open("melds");
    expect(asks()).toEqual(["meld R7 R8 R9"]);
    expect(acts()).toEqual([]);
    await answered(FREE);
    expect(acts()).toEqual(["meld R7 R8 R9"]);
    expect(moves.question).toBeNull();
  });

  it("asks the server once, however often it is tapped", async () => {
    table();
    void moves.open("melds");
    void moves.open("melds");
    await answered(FREE);
    expect([asks().length, acts().length]).toEqual([1, 1]);
    void moves.open("melds");
    expect(asks()).toHaveLength(2);
  });

  it("says why not, and why not yet", async () => {
    table({ deal: { turn: 1 }, own: null });
    const details = { value: 24, need: 101 };
    const error = { code: "below-threshold", rule: "O1", message: "", details };
    void moves.open("melds");
    await answered({ ...FREE, wait: NOT_YET, error });
    expect(moves.notice).toBe("It is not your turn. Your opening is worth 24, but 101 are needed.");
    expect(acts()).toEqual([]);
  });

  it("asks before a fine, and keeps quiet after a no", async () => {
    table();
    void moves.open("melds");
    await answered({ ...FREE, fine: { rule: "P3", points: 101 }, have: 24, need: 101 });
    expect(moves.question?.text).toBe(
      "Arranged 24, needed 101 points. A short opening costs 101 points. Open anyway?",
    );
    expect(acts()).toEqual([]);
    moves.question?.yes();
    expect(acts()).toEqual(["meld R7 R8 R9"]);
  });

  it("asks no longer when something was played meanwhile", async () => {
    table();
    void moves.open("melds");
    await answered({ ...FREE, fine: { rule: "P3", points: 101 }, have: 24, need: 101 });
    FakeSocket.last.hear(acted(8, 0, "discard B5", { turn: 1, phase: "draw" }));
    expect(moves.question).toBeNull();
  });

  it("needs something on the rack to ask about", async () => {
    table({ hand: "R1 Y5 B9" });
    await moves.open("pairs");
    expect(asks()).toEqual([]);
    expect(moves.notice).toBe("There is no pair on your rack.");
  });

  it("tells what went wrong with the question itself", async () => {
    table();
    void moves.open("melds");
    const details = { limit: "messages-per-second", seconds: 2 };
    await answered({ type: "error", code: "rate-limited", message: "", rule: null, details });
    expect(moves.alarm).toBe(texts.error({ code: "rate-limited", details }));
    void moves.open("melds");
    expect(asks()).toHaveLength(2);
  });
});

it("tells why the line is over, not that nothing answers", async () => {
  table();
  FakeSocket.last.close(4001, "replaced");
  await moves.act("draw");
  expect(moves.alarm).toBe(texts.say("page-ended-replaced"));
});

describe("laying", () => {
  it("opens with all that is arranged, and later lays the one group", () => {
    table();
    moves.put("slot:0", "felt");
    expect(asks()).toEqual(["meld R7 R8 R9"]);
    table({ deal: { opened: ["melds", null, null, null] } });
    moves.put("slot:1", "felt");
    expect(acts()).toEqual(["meld R7 R8 R9"]);
    moves.put("slot:3", "felt");
    expect(moves.notice).toBe("This tile isn't in a group.");
  });

  it.each(["lay R7 > 1", "swap R7 > 1"])(
    "puts a tile to a group as the server says: %s",
    async (way) => {
      table({ hand: "R7 *" });
      moves.put("slot:0", "group:1");
      expect(asks("places")).toEqual(["R7 > 1"]);
      expect(acts()).toEqual([]);
      await answered({ type: "answer", what: "places", actions: [way], error: null });
      expect(acts()).toEqual([way]);
      expect(moves.question).toBeNull();
    },
  );

  it("asks which tile an okey stands for where it may be two", async () => {
    table({ hand: "R7 *" });
    void moves.layOff("*", 1);
    void moves.layOff("*", 1);
    expect(asks("places")).toEqual(["* > 1"]);
    const actions = ["lay *R3 > 1", "lay *R7 > 1"];
    await answered({ type: "answer", what: "places", actions, error: null });
    expect(acts()).toEqual([]);
    expect(moves.question?.text).toBe("Which tile does the okey stand for?");
    const choices = moves.question?.choices ?? [];
    expect(choices.map(({ text, piece }) => [text, piece])).toEqual([
      ["red 3", "*R3"],
      ["red 7", "*R7"],
    ]);
    choices[1]?.go();
    expect(acts()).toEqual(["lay *R7 > 1"]);
  });

  it("says why a tile has no place, in the server's words", async () => {
    table({ hand: "R7 *" });
    void moves.layOff("R7", 1);
    const details = { piece: "R7", group: 1 };
    const error = { code: "does-not-fit", rule: "M4", message: "", details };
    await answered({ type: "answer", what: "places", actions: [], error });
    expect(acts()).toEqual([]);
    expect(moves.alarm).toBe("red 7 does not fit group 1.");
  });

  it("lays pairs beside melds where the server says that they may be laid (X8)", async () => {
    table({ hand: "R7 R8 R9 B5 B5", deal: { opened: ["melds", "pairs", null, null] } });
    await answered({ type: "answer", what: "options", opening: null, kinds: ["melds"] });
    moves.put("slot:3", "felt");
    expect(moves.notice).toBe("This tile isn't in a group.");
    FakeSocket.last.hear(acted(8, 1, "draw", { opened: ["melds", "pairs", null, null] }));
    await answered({ type: "answer", what: "options", opening: null, kinds: ["melds", "pairs"] });
    moves.put("slot:3", "felt");
    expect(acts()).toEqual(["meld B5 B5"]);
  });

  it("lays all off, one after the other, until nothing is left to lay", async () => {
    table({ own: { lays: ["lay R7 > 1", "lay R8 > 1"] } });
    const done = moves.layAll();
    table({ seq: 8, own: { lays: ["lay R8 > 1"] } });
    FakeSocket.last.reply("act", { type: "ack", seq: 8 });
    await settled();
    table({ seq: 9, own: { lays: [] } });
    FakeSocket.last.reply("act", { type: "ack", seq: 9 });
    await done;
    expect(new Set(acts())).toEqual(new Set(["lay R7 > 1", "lay R8 > 1"]));
  });

  it("keeps the okey, which is laid by hand alone, as at the terminal", async () => {
    const okeys = ["lay *R6 > 1", "lay *R9 > 1"];
    const deal: Partial<typeof DEAL> = { opened: ["melds", null, null, null] };
    const options = { ...view().table.options, assisted: true };
    table({ options, deal, hand: "R7 R8 *", own: { lays: [...okeys, "lay R7 > 1"] } });
    const bar = render(Actions, { game, moves, hand: { held: null } as Hand });
    bar.getByText(texts.say("page-lay-all", { count: 1 }));
    const done = moves.layAll();
    table({ options, deal, seq: 8, hand: "R8 *", own: { lays: okeys } });
    FakeSocket.last.reply("act", { type: "ack", seq: 8 });
    await done;
    const laid = acts();
    expect(new Set(laid)).toEqual(new Set(["lay R7 > 1"]));
    bar.getByText(texts.say("page-lay-all", { count: 0 }));
    await moves.layAll();
    expect(moves.answer || moves.notice).toBe(texts.say("page-only-okey-fits"));
    expect(acts()).toEqual(laid);
  });

  it("stops at the first that is refused", async () => {
    table({ own: { lays: ["lay R7 > 1"] } });
    const done = moves.layAll();
    FakeSocket.last.reply("act", {
      type: "error",
      code: "no-group",
      message: "",
      details: { group: 1 },
    });
    await done;
    expect(acts()).toHaveLength(1);
    expect(moves.alarm).toBe("There is no group 1 on the table.");
  });

  it("names who plays now where a discard came twice", async () => {
    table();
    moves.discard("B5");
    expect(moves.throwing).toBe(true);
    FakeSocket.last.hear(acted(8, 0, "discard B5", { turn: 1, phase: "draw" }));
    FakeSocket.last.reply("act", { type: "ack", seq: 8 });
    await settled();
    expect(moves.throwing).toBe(false);
    moves.discard("B5");
    FakeSocket.last.reply("act", { type: "error", ...NOT_YET });
    await settled();
    expect([moves.notice, moves.alarm]).toEqual(["It is Barış's turn now.", ""]);
  });

  it("says so where there is nothing to lay, or no turn", async () => {
    table();
    await moves.layAll();
    expect(moves.notice).toBe("You have no tile to lay off.");
    table({ deal: { turn: 1 }, own: null });
    await moves.layAll();
    expect(moves.notice).toBe("It is Barış's turn now.");
  });
});

describe("what is refused", () => {
  it("names tiles in words: the notation's K is no colour to a player", async () => {
    table();
    const details = { tile: "K9" };
    moves.discard("R7");
    FakeSocket.last.reply("act", {
      type: "error", code: "taken-not-used", rule: "U2", message: "", details,
    }); // prettier-ignore
    await settled();
    expect(moves.notice).toContain("black 9");
    expect(moves.notice).not.toContain("K9");
  });
});

describe("what costs", () => {
  it("is asked before a tile is thrown, and thrown at once where it is free", () => {
    const discards = [
      { tile: "R7", rule: "P2", points: 101 },
      { tile: "B5", rule: null, points: 0 },
    ];
    table({ own: { discards } });
    moves.discard("R7");
    expect(moves.question?.text).toContain(
      "A playable tile (red 7): discarding it costs 101 points.",
    );
    expect(acts()).toEqual([]);
    moves.discard("B5");
    expect(acts()).toEqual(["discard B5"]);
  });

  it.each([
    ["discard R7", () => moves.discard("R7")],
    ["back 1", () => moves.takeBack()],
  ])("is asked of the server after what is underway: %s", async (action, go) => {
    const discards = [{ tile: "R7", rule: null, points: 0 }];
    table({ own: { discards, backs: [{ action: "back 1", points: 0 }] } });
    void moves.act("back 1");
    void go();
    expect(asks()).toEqual([action]);
    await answered({ ...FREE, fine: { rule: "P4", points: 101 } });
    expect(acts()).toEqual(["back 1"]);
    expect(moves.question?.text).toContain("101");
    moves.question = null;
    void go();
    await answered(FREE);
    expect(acts()).toEqual(["back 1", action]);
  });

  it("is asked before taking back for the second time", () => {
    table({ own: { backs: [{ action: "back 1", points: 101 }] } });
    expect(moves.backCost).toBe(101);
    moves.takeBack();
    expect(acts()).toEqual([]);
    moves.question?.yes();
    expect(acts()).toEqual(["back 1"]);
    table({ own: { backs: [{ action: "back 1", points: 0 }] } });
    moves.takeBack();
    expect(acts().at(-1)).toBe("back 1");
    expect(moves.question?.text).toContain("101");
  });

  it("is asked before a running match is left, and left at once where none runs", () => {
    const left = vi.fn();
    table();
    moves.leave(left);
    expect(moves.question?.text).toContain("a bot plays for you");
    expect(FakeSocket.last.latest("leave")).toBeUndefined();
    table({ stage: "over" });
    expect(moves.question).toBeNull();
    moves.leave(left);
    expect(FakeSocket.last.latest("leave")).toBeDefined();
  });

  it.each([
    ["/rules", 0],
    ["/t/t", 1],
  ])(
    "leaves without the server, and goes on from %s when the table closes: %i",
    async (by, goes) => {
      const left = vi.fn();
      table({ stage: "over" });
      history.replaceState(null, "", "/t/t");
      moves.leave(left);
      history.replaceState(null, "", by);
      game.close();
      await settled();
      expect(left).toHaveBeenCalledTimes(goes);
    },
  );
});

describe("a gesture", () => {
  it("draws and takes to the slot it ends on", () => {
    table({ own: { draw: true, take: true } });
    moves.put("stock", "slot:20");
    expect([acts().at(-1), game.preferred]).toEqual(["draw", 20]);
    moves.put("left", "slot:21");
    expect([acts().at(-1), game.preferred]).toEqual(["take", 21]);
    expect(moves.tileAt("left")).toBe("K9");
  });

  it("moves tiles on the rack without the server", () => {
    table();
    expect(moves.put("slot:0", "slot:9")).toBe(true);
    expect(game.slots[9]?.tile).toBe("R7");
    expect(moves.put("stock", "discard")).toBe(false);
  });

  it("puts only the taken tile back", () => {
    table({ deal: { taken: "B5" } });
    moves.put("slot:0", "left");
    expect(acts()).toEqual([]);
    moves.put("slot:3", "left");
    expect(acts()).toEqual(["return"]);
  });

  it("tells whoever starts what to do, when the server lets nothing be drawn", async () => {
    table({ deal: { turns: 0 } });
    expect(game.starting).toBe(true);
    for (const draw of [moves.draw.bind(moves), moves.take.bind(moves)]) {
      draw();
      moves.alarm = "";
      const error = { type: "error", code: "already-drawn", rule: "D5", message: "", details: {} };
      FakeSocket.last.reply("act", error);
      await settled();
      expect(moves.alarm).toBe("Open if you like; you discard first.");
    }
    expect(acts()).toEqual(["draw", "take"]);
  });

  it("says the same words in such a way that they are read again", () => {
    moves.say("twice");
    moves.say("twice");
    expect(moves.notice).not.toBe("twice");
    expect(moves.notice.trim()).toBe("twice");
  });
});

describe("the command line", () => {
  it.each([
    ["lay K5 3", "lay K5 > 3"],
    ["swap R8 3", "swap R8 > 3"],
    ["back 2", "back 2"],
    ["pass", "pass"],
    ["discard b5", "discard B5"],
    ["open r7 r8 r9 / k1 y1 b1", "meld R7 R8 R9 / K1 Y1 B1"],
    ["open pairs r7 r7", "meld R7 R7"],
    ["zzz", "zzz"],
  ])("plays %s as %s", (line, action) => {
    table();
    void command(moves, line);
    expect(acts()).toEqual([action]);
  });

  it("opens, sorts and gets ready with words of its own", () => {
    table();
    void command(moves, "open");
    void command(moves, "sort pairs");
    void command(moves, "ready");
    const sent = FakeSocket.last.sent.filter(({ type }) => type !== "hello");
    expect(sent).toMatchObject([
      { type: "ask", what: "options" },
      { type: "ask", what: "check" },
      { type: "ask", what: "arrange", aim: "pairs" },
      { type: "ready" },
    ]);
  });

  it("shows how a command is written in the words of the language", async () => {
    table();
    const wrong = { type: "error", code: "bad-action", message: "", details: { shape: "back 2" } };
    const done = command(moves, "undo x");
    expect(acts()).toEqual(["back X"]);
    FakeSocket.last.reply("act", wrong);
    await done;
    expect(moves.alarm).toBe("Write it like this: back 2.");
    await texts.use("tr");
    const again = command(moves, "işle K5 > x");
    FakeSocket.last.reply("act", wrong);
    await again;
    expect(moves.alarm).toContain("işle K5 > 3");
    await texts.use("en");
  });

  it.each(["sort pairs K5", "lay all K5", "ready now", "rack 2"])(
    "refuses what follows %s",
    (line) => {
      table();
      const before = FakeSocket.last.sent.length;
      void command(moves, line);
      expect(FakeSocket.last.sent).toHaveLength(before);
      expect(moves.alarm).toBe(`Write it like this: ${line.replace(/ \S+$/, "")}.`);
    },
  );

  it("lays all off where no tile is named", () => {
    table({ own: { lays: ["lay R7 > 1"] } });
    void command(moves, "işle");
    expect(acts()).toEqual(["lay R7 > 1"]);
  });

  it("keeps its answer until the player does something else", async () => {
    table();
    void command(moves, "hand");
    expect(moves.answer).toContain("red 7");
    moves.say("Bot Elif drew from the stock."); // what others do is told as well
    expect([moves.notice, moves.answer]).not.toContain("");
    expect(moves.answer).toContain("red 7");
    const thrown = command(moves, "discard red 7");
    expect(moves.answer).toBe("");
    await settled();
    FakeSocket.last.hear(acted(8, 0, "discard R7", { turn: 1 }));
    FakeSocket.last.reply("act", { type: "ack", seq: 8 });
    await thrown;
    moves.say("Bot Elif drew from the stock.");
    expect(moves.answer).toBe("Done.");
    moves.discard("R8").catch(() => undefined);
    expect(moves.answer).toBe("");
  });

  it("keeps why something was refused", async () => {
    table();
    const thrown = command(moves, "at x");
    FakeSocket.last.reply("act", { type: "error", code: "no-deal", message: "", rule: null });
    await thrown;
    moves.say("Bot Elif drew from the stock.");
    expect(moves.answer).not.toBe("");
  });

  it("reads hand and table out", () => {
    const groups = [{ owner: 1, form: "run" as const, tiles: "R4 R5 *R6" }];
    table({ hand: "R7 F", deal: { groups } });
    void command(moves, "hand");
    expect(moves.notice).toBe("red 7, false joker");
    void command(moves, "table");
    expect(moves.notice).toBe("1: red 4, red 5, okey as red 6");
  });
});
