import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { Telling } from "../src/lib/announcer";
import { flights } from "../src/lib/flights.svelte";
import type { Game } from "../src/lib/game.svelte";
import { texts } from "../src/lib/i18n.svelte";
import { moments } from "../src/lib/moments.svelte";
import * as sounds from "../src/lib/sounds";
import type { DealView } from "../src/lib/protocol";
import { Moves } from "../src/lib/tableActions.svelte";
import { actionWords, named } from "../src/lib/words";
import { acted, begun, DEAL, FakeSocket, settled, view } from "./fakes";

vi.mock(import("../src/lib/sounds"), () => ({ play: vi.fn() }));

let game: Game;
let moves: Moves;
let telling: Telling;
const dealt = vi.fn(() => true);
const fly = vi.spyOn(flights, "launch");
const show = vi.spyOn(moments, "show");

function hear(message: object): void {
  FakeSocket.last.hear(message);
}

function heard(): string[] {
  return vi.mocked(sounds.play).mock.calls.map(([sound]) => sound);
}

beforeAll(() => texts.use("en").then(() => texts.refusals()));

beforeEach(() => {
  vi.clearAllMocks();
  fly.mockReturnValue();
  show.mockReturnValue(false);
  game = begun();
  moves = new Moves(game);
  telling = new Telling(game, moves, dealt);
});

afterEach(() => {
  game.close();
  vi.unstubAllGlobals();
});

describe("a deal that is thrown away", () => {
  it.each(["log-truncated", "restored"])("is told in words: %s", (why) => {
    hear(view({ deal: { turn: 1 } }));
    hear({ type: "event", seq: 8, at: 0, what: { kind: "abandon", why }, deal: {} });
    expect(moves.notice).toContain("does not count");
    expect(game.deal).toBeNull();
  });
});

it("calls pairs pairs in the list of moves", () => {
  expect(actionWords("meld B1 B1 / R10 R10", "Ece", "K9")).toBe("Ece laid pairs.");
  expect(actionWords("meld B1 B1", "Ece", "K9")).toBe("Ece laid pairs.");
  expect(actionWords("meld R7 R8 *R9 / K1 Y1 R1", "Ece", "K9")).toBe("Ece laid melds.");
});

it("names the taken tile in the list of moves", () => {
  const actions = ["0: discard R2", "1: take", "1: return", "1: draw", "1: discard K5", "2: take"];
  const told = named({ ...DEAL, actions });
  expect([told[1], told[5]]).toEqual(["1: take R2", "2: take K5"]);
});

it.each([
  ["tr", "eksik açtı.", "seri açtı: 36!", "per indirdi.", "çift açtı: 2 çift!", "Seri açtınız: 6!"],
  [
    "en",
    "opened short.",
    "opened with melds: 36!",
    "laid melds.",
    "opened with 2 pairs!",
    "You opened with melds: 6!",
  ],
] as const)(
  "tells an opening in the list of moves from what is laid later: %s",
  async (...said) => {
    const [language, ...words] = said;
    await texts.use(language);
    const told = named({
      actions: [
        "3: meld R1 R2 R3", // which cost nothing under the rules of that table
        "1: meld R1 R2 R3",
        "1: meld R11 R12 *R13",
        "1: meld R1 R2 R3",
        "2: meld B1 B1 / *5 K5",
        "0: meld R1 R2 R3",
      ],
      fines: [{ seat: 1, rule: "P3", points: 101 }],
      opened: ["melds", "melds", "pairs", null],
      okey: "K9",
    }).map((line) => actionWords(line.slice(3), "Ece", "K9", line.startsWith("0") ? "yes" : "no"));
    const of = words.map((one, at) => (at < 4 ? `Ece ${one}` : one));
    expect(told).toEqual([of[0], ...of]);
    await texts.use("en");
  },
);

it.each([
  ["a short try for nothing", {}, "short open open meld short open"],
  ["one that was not high enough", { rising: true }, "short open short open short open"],
  ["nothing where no sum was enough", { open_points: 90 }, "open open meld meld short open"],
])("tells an opening from %s", (_, more, told) => {
  const actions = [
    "1: meld R1 R2 R3",
    "2: meld R10 Y10 B10",
    "1: meld R10 Y10 K10",
    "1: meld R11 Y11 B11",
    "3: meld R10 Y10 B10", // not the kind that this seat opened with
    "3: meld R1 R1 / R2 R2 / R3 R3 / R4 R4 / R5 R5",
  ];
  const rules = { open_points: 30, open_pairs: 5, short_opening_fine: 0, ...more };
  const opened: DealView["opened"] = [null, "melds", "melds", "pairs"];
  const found = named({ ...DEAL, actions, opened }, rules);
  expect(found.map((line) => line.split(" ")[1]).join(" ")).toBe(told);
});

describe.each([
  ["tr", "Siz dağıttınız", "Attınız: siyah 5."],
  ["en", "You dealt", "You discarded black 5."],
] as const)("one's own seat in %s", (language, dealing, thrown) => {
  beforeAll(() => texts.use(language));
  afterAll(() => texts.use("en"));

  it("is spoken to, and not of", () => {
    hear(view({ deal: { dealer: 0 } }));
    hear({ type: "event", seq: 8, at: 0, what: { kind: "deal" } });
    expect(moves.notice).toContain(dealing);
    expect(actionWords("discard K5", game.name(0), "K9", game.isYou(0))).toBe(thrown);
  });
});

describe("what stays to be read", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is what the left neighbour threw, until the own draw", () => {
    hear(view({ deal: { turn: 3 } }));
    hear(acted(8, 3, "discard K5", { turn: 0 }));
    const thrown = moves.notice;
    expect(thrown).toContain("black 5");
    moves.turn("It is your turn");
    expect([moves.line, moves.notice]).toEqual([thrown, "It is your turn"]);
    moves.say("Pick a tile first");
    expect(moves.line).toBe("Pick a tile first");
    vi.advanceTimersByTime(4100);
    expect(moves.line).toBe(thrown);
    hear(acted(9, 0, "draw", {}));
    expect(moves.line).not.toBe(thrown);
  });

  it("is told again after a reload", () => {
    const before = ["3: discard R1", "0: discard K1", "1: draw", "1: discard K2", "2: draw"];
    const then = ["2: lay B5 > 1", "2: discard Y3", "3: take", "3: discard K5"];
    hear(view({ deal: { turn: 0, actions: [...before, ...then] } }));
    expect(moves.line).toContain("black 5");
    hear(view({ seq: 8, deal: { turn: 0, actions: [...before, ...then, "0: draw"] } }));
    expect(moves.line).toBe("");
  });

  it("is nothing that was said for the turn that is over", () => {
    hear(view({ deal: { turn: 0 } }));
    moves.say("Pick a tile first");
    moves.passed();
    expect(moves.line).toBe("Pick a tile first"); // nothing was played yet
    hear(acted(8, 0, "discard K5", { turn: 1 }));
    moves.passed();
    expect([moves.line, moves.notice]).toEqual(["", ""]);
    hear(acted(9, 1, "draw", {}));
    moves.passed();
    expect(moves.line).toContain("drew");
  });

  it("is not what a card shows already: only a screen reader is told", () => {
    hear(view({ deal: { turn: 3 } }));
    hear(acted(8, 3, "discard K5", { turn: 0 }));
    const thrown = moves.line;
    moves.whisper("Draw from the stock.");
    expect([moves.line, moves.notice]).toEqual([thrown, "Draw from the stock."]);
    moves.say("Draw from the stock.");
    expect(moves.line.trim()).toBe("Draw from the stock.");
  });

  it("is that the clock has played, said once, until the left neighbour throws again", () => {
    hear(view({ deal: { turn: 0, actions: [] } }));
    const both = { by: "clock", actions: ["draw", "discard B5"] } as const;
    hear(acted(8, 0, "", { turn: 1 }, both));
    const told = texts.say("page-clock-played");
    expect([moves.line, moves.notice]).toEqual([told, told]);
    hear(acted(9, 1, "discard K5", { turn: 2 }));
    expect(moves.line).toBe(told);
    vi.advanceTimersByTime(4100);
    hear(acted(10, 2, "discard K6", { turn: 3 }));
    expect(moves.line).toContain("black 6");
    vi.advanceTimersByTime(4100);
    expect(moves.line).toBe(told);
    hear(acted(11, 3, "discard K7", { turn: 0 }));
    expect(moves.line).toContain("black 7");
  });

  it("is nothing that was said before what was done since", async () => {
    hear(view({ deal: { turn: 0 } }));
    moves.turn("It is your turn");
    moves.say("The taken tile must be used");
    void moves.act("return");
    hear(acted(8, 0, "return", {}));
    FakeSocket.last.reply("act", { type: "ack", seq: 8 });
    await vi.advanceTimersByTimeAsync(10);
    expect([moves.line, moves.notice, moves.alarm]).toEqual(["", "", ""]);
  });
});

describe("who comes and goes", () => {
  it.each([
    [{ kind: "leave", seat: 1 }, "Barış left; a bot plays on."],
    [{ kind: "away", seat: 1, on: true, why: "absent" }, "Barış is away; a bot plays meanwhile."],
    [{ kind: "away", seat: 1, on: false, why: "back" }, "Barış is back."],
  ])("is told: %o", (what, words) => {
    hear(view());
    hear({ type: "event", seq: 8, at: 0, what });
    expect(moves.notice).toBe(words);
  });
});

describe("what others do", () => {
  it("is said in words, heard, and seen to fly", () => {
    hear(view({ deal: { turn: 1 } }));
    hear(acted(8, 1, "discard K5"));
    expect(moves.notice).toBe("Barış discarded black 5.");
    expect(heard()).toEqual(["discard"]);
    expect(fly.mock.calls).toEqual([["K5", '[data-place="plate:1"]', '[data-place="pile:1"]']]);
  });

  it.each([
    ["draw", {}, "Barış drew.", ["", '[data-place="stock"]', '[data-place="plate:1"]']],
    [
      "take",
      { taken: "R2" },
      "Barış took the discard: red 2.",
      ["R2", '[data-place="pile:0"]', '[data-place="plate:1"]'],
    ],
    [
      "return",
      { taken: null },
      "Barış put the tile back.",
      ["Y2", '[data-place="plate:1"]', '[data-place="pile:0"]'],
    ],
    [
      "lay *R3 > 2",
      {},
      "Barış laid off okey as red 3.",
      ["*", '[data-place="plate:1"]', '[data-target="group:2"]'],
    ],
    ["pass", {}, "Barış passed.", null],
  ])("%s", (action, deal, words, flight) => {
    const actions = ["0: discard R2"];
    hear(view({ deal: { turn: 1, actions, taken: action === "return" ? "Y2" : null } }));
    hear(acted(8, 1, action, deal));
    expect(moves.notice).toBe(words);
    expect(fly.mock.calls).toEqual(flight ? [flight] : []);
  });

  it("tells an opening from melds that are laid later", () => {
    hear(view({ deal: { turn: 1 } }));
    const action = "meld R7 R8 R9 / K1 *K2 K3";
    hear(acted(8, 1, action, { opened: [null, "melds", null, null] }));
    expect(moves.notice).toBe("Barış opened with melds: 30!");
    expect(fly.mock.calls.map(([tile, , to]) => [tile, to])).toEqual([
      ["R7", '[data-target="group:1"]'],
      ["K1", '[data-target="group:2"]'],
    ]);
    hear(acted(9, 1, "meld B1 B2 B3"));
    expect(moves.notice).toBe("Barış laid melds.");
    expect(heard()).toEqual(["open", "lay"]);
  });

  it("lets the groups of an opening come one by one, while their sum grows", () => {
    show.mockReturnValue(true);
    hear(view({ deal: { turn: 1, okey: "R5" } }));
    hear(
      acted(8, 1, "meld R7 R8 R9 / K1 *K2 K3 / B5 F Y5", { opened: [null, "melds", null, null] }),
    );
    expect(show).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ kind: "opening", first: 1, sums: [24, 30, 45] }),
    );
    expect(fly).not.toHaveBeenCalled();
    expect(heard()).toEqual([]); // each group sounds as it lands
    hear(view({ deal: { turn: 1 } }));
    hear(acted(9, 1, "meld R1 R1 / *K2 K2", { opened: [null, "pairs", null, null] }));
    expect(show).toHaveBeenLastCalledWith(expect.objectContaining({ sums: [1, 2] }));
    expect(moves.notice).toBe("Barış opened with 2 pairs!");
  });

  it("lets no more than a few tiles of a long meld fly", () => {
    hear(view({ deal: { turn: 1 } }));
    hear(acted(8, 1, `meld ${Array.from({ length: 9 }, () => "R1 R1").join(" / ")}`));
    expect(fly).toHaveBeenCalledTimes(6);
  });
});

describe("what one does oneself", () => {
  const you = { seat: 0, hand: "R7 R8 R9" };

  it("is seen and not said", () => {
    hear(view());
    hear(acted(8, 0, "discard B5", {}, { you }));
    expect(moves.notice.trim()).toBe("");
    expect(heard()).toEqual([]);
    expect(fly.mock.calls).toEqual([["B5", '[data-source="slot:3"]', '[data-place="pile:0"]']]);
  });

  it("does not fly where it was carried, once", () => {
    hear(view());
    telling.carried = true;
    hear(acted(8, 0, "discard B5", {}, { you }));
    expect(fly).not.toHaveBeenCalled();
    expect(telling.carried).toBe(false);
  });

  it("shows the tile that was drawn, where it comes to stand", () => {
    hear(view());
    const drawn = { seat: 0, hand: "R7 R8 R9 B5 K4", drawn: "K4" };
    hear(acted(8, 0, "draw", {}, { you: drawn }));
    expect(fly.mock.calls).toEqual([["K4", '[data-place="stock"]', '[data-source="slot:4"]']]);
  });

  it("is said where the clock has done it", () => {
    hear(view());
    hear(acted(8, 0, "discard B5", {}, { you, by: "clock" }));
    expect(moves.notice).toBe("Time is up; your turn was played for you.");
  });
});

describe("besides", () => {
  const fines = [{ seat: 0, rule: "P2", points: 101 }];

  it("says the own fine at once, and another's in its place", () => {
    hear(view());
    hear(acted(8, 0, "discard B5", { fines }));
    expect(moves.alarm).toBe("Fine: +101, a playable tile was discarded");
    expect(show).toHaveBeenCalledExactlyOnceWith({ kind: "fine", seat: 0, points: 101 });
    expect([game.score(0), game.score(1)]).toEqual([101, 0]);
    expect(heard()).toContain("fine");
    hear(acted(9, 1, "discard B6", { fines: [...fines, { seat: 1, rule: "P1", points: 101 }] }));
    expect(moves.notice).toBe("Barış: +101, an okey was discarded");
    expect(moves.alarm).toContain("playable");
  });

  it("passes over fines of nothing, and those that were there", () => {
    hear(view({ deal: { fines } }));
    hear(acted(8, 0, "discard B5", { fines: [...fines, { seat: 0, rule: "P2", points: 0 }] }));
    expect(moves.alarm).toBe("");
  });

  it("counts the last tiles of the stock", () => {
    hear(view({ deal: { turn: 1 } }));
    hear(acted(8, 1, "draw", { stock: 4 }));
    expect(moves.notice).toBe("Barış drew.");
    hear(acted(9, 1, "draw", { stock: 3 }));
    expect(moves.notice).toBe("3 tiles left in the stock.");
    hear(acted(10, 1, "discard K1", { stock: 3 }));
    expect(moves.notice).toBe("Barış discarded black 1.");
  });

  it("passes on what is said, but for the own words", () => {
    hear(view());
    hear({ type: "said", seat: 0, phrase: "hello" });
    expect(moves.notice).toBe("");
    hear({ type: "said", seat: 1, phrase: "hello" });
    expect(moves.notice).toBe(`Barış: ${texts.say("phrase-hello")}`);
  });

  it("tells the ear alone what flies to a seat, and lays it at that plate", () => {
    hear(view());
    const phrase = "emoji-tea";
    hear({ type: "said", seat: 1, phrase, to: 0 });
    expect(moves.notice).toBe(`Barış sent you: ${texts.say("phrase-emoji-tea")}`);
    expect(moves.line).toBe("");
    expect(game.bubbles[0]).toMatchObject({ phrase, from: 1 });
    hear({ type: "said", seat: 0, phrase, to: 1 });
    expect(game.bubbles[1]).toMatchObject({ phrase, from: 0 });
  });

  it("calls when the tiles are dealt, and when a bot sits down for oneself", () => {
    hear(view());
    hear({ type: "event", seq: 8, at: 0, what: { kind: "deal" } });
    expect(dealt).toHaveBeenCalledOnce();
    hear({ type: "event", seq: 9, at: 0, what: { kind: "away", seat: 1, on: true, why: "late" } });
    expect(moves.alarm).toBe("");
    hear({ type: "event", seq: 10, at: 0, what: { kind: "away", seat: 0, on: true, why: "late" } });
    expect(moves.alarm).toBe("A bot plays for you.");
  });

  it("tells in words what was dealt where nobody sees it dealt", () => {
    dealt.mockReturnValueOnce(false);
    hear(view({ deal: { actions: [] } }));
    hear({ type: "event", seq: 8, at: 0, what: { kind: "deal" } });
    expect(heard()).toEqual(["deal"]);
    expect(moves.notice).toMatch(/^.+ dealt\. Okey: \w/);
  });

  it.each<[string, string, Partial<DealView>]>([
    ["draw", "draw", {}],
    ["discard", "discard K5", {}],
    ["lay", "lay R3 > 1", {}],
    ["lay", "meld R1 R2 R3", {}],
    ["open", "meld R1 R2 R3", { opened: [null, "melds", null, null] }],
    ["fine", "pass", { fines: [{ seat: 1, rule: "P1", points: 101 }] }],
  ])("has words, that stay for a while, for the sound %s", (sound, action, deal) => {
    hear(view({ deal: { turn: 1, opened: [null, action === "discard" ? null : "melds"] } }));
    if (sound === "open") hear(view({ deal: { turn: 1, opened: [null, null, null, null] } }));
    hear(acted(8, 1, action, deal));
    expect(heard()).toEqual([sound]);
    expect(moves.notice).toContain("Barış");
  });

  it("has words that are read at once for the sound of a refusal", async () => {
    hear(view());
    void moves.act("draw");
    const error = { type: "error", code: "already-drawn", message: "No.", details: {} };
    FakeSocket.last.reply("act", error);
    await settled();
    expect(heard()).toEqual(["error"]);
    expect([moves.notice, moves.alarm]).toEqual(Array(2).fill(texts.error(error)));
  });

  it("plays no victory to an onlooker where nobody has finished", () => {
    hear(view({ you: null, deal: { turn: 1 } }));
    const result = { end: "stock", winner: null, scores: [], fines: [], sheet: [], counts: true };
    hear(acted(8, 1, "discard B5", { result, stock: 0 } as unknown as Partial<DealView>));
    expect(heard()).toEqual(["discard", "end"]);
  });

  it.each([
    [0, "win"],
    [1, "end"],
    [null, "end"],
  ])("plays at the end: winner %s", (winner, sound) => {
    hear(view());
    const end = winner === null ? ("stock" as const) : ("finish" as const);
    const result = { end, winner, scores: [], fines: [], sheet: [], counts: true };
    const over = { hands: [] } as unknown as DealView["end"];
    hear(acted(8, 0, "discard B5", { result, end: over, stock: 2 }));
    expect(heard()).toEqual([sound]);
    const [title, text] = ["stock", "counted"].map((key) => texts.say(`page-end-${key}`));
    expect(moves.notice.trim()).toBe(winner === null ? `${title} ${text}` : "");
    if (winner === null) {
      const kind = "unfinished";
      expect(show).toHaveBeenCalledWith(expect.objectContaining({ kind, title, text }));
      return;
    }
    const sheet = [{ seat: winner, base: -101, factors: [], fines: 0, total: -101 }];
    const deals = [{ winner, sheet, fines: [] }];
    const scores = { ...view().table.scores, deals, places: [2, 1, 3, 4] };
    hear({
      ...acted(9, winner, "meld K5 F *K7", { result, stock: 2 }),
      table: { stage: "over", scores },
    });
    const won = `${winner === 0 ? "You" : game.name(winner)} finished, -101`;
    expect(moves.notice.trim()).toBe(won);
    const shown = { kind: "finish", title: won, tiles: ["K5", "F", "*K7"] };
    expect(show).toHaveBeenCalledWith(expect.objectContaining(shown));
  });
});
