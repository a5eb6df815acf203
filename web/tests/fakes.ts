/** A server's end of the socket, and a table as it describes it. */

import { vi } from "vitest";

import { Game } from "../src/lib/game.svelte";
import type {
  DealView,
  RoundView,
  SeatView,
  ViewMessage,
  You,
} from "../../clients/js/src/messages";

type Sent = Record<string, unknown>;

export class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: Sent[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }

  /** The socket that was opened last. */
  static get last(): FakeSocket {
    return FakeSocket.all.at(-1) as FakeSocket;
  }

  /** What was sent last of a kind. */
  latest(type: string): Sent | undefined {
    return this.sent.filter((message) => message.type === type).at(-1);
  }

  /** Answer what was sent last of a kind. */
  reply(type: string, message: object): void {
    this.hear({ rid: this.latest(type)?.rid, ...message });
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Sent);
  }

  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
  }

  hear(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  close(code = 1006, reason = ""): void {
    this.readyState = 3;
    this.onclose?.({ code, reason });
  }
}

export const DEAL: DealView = {
  number: 0,
  dealer: 3,
  starter: 0,
  dice: [3],
  indicator: "B12",
  okey: "B13",
  turn: 0,
  phase: "play",
  turns: 4,
  stock: 40,
  sizes: [22, 21, 21, 21],
  groups: [],
  opened: [null, null, null, null],
  discards: ["", "", "", "K9"],
  known: ["", "", "", ""],
  announced: null,
  highest: { points: 0, pairs: 0 },
  taken: null,
  placed: [],
  placed_at: [],
  new_opening: false,
  result: null,
  backs: 0,
  must_finish: false,
  fines: [],
  actions: ["0: discard K1", "1: draw", "1: discard K2"],
  end: null,
};

export const OPTIONS: NonNullable<You["options"]> = {
  draw: false,
  take: false,
  return: false,
  announce: false,
  pass: false,
  indicator: false,
  opening: { need_points: 101, need_pairs: 5, best_points: 0, best_pairs: 0 },
  melds: [],
  lays: [],
  swaps: [],
  backs: [],
  discards: [],
};

const SEATS: SeatView[] = [
  { name: "Ayşe", bot: null, id: "a0", owner: true },
  { name: "Barış", bot: null, id: "b1" },
  { name: null, bot: "steady" },
  { name: null, bot: "steady" },
];

/** A round in which nobody has committed yet. */
export const ROUND: RoundView = {
  number: 0,
  shown: false,
  commitments: [null, null, null, null],
  seats: null,
  transcript: null,
  randomness: [null, null, null, null],
  left_out: [],
  abandoned: [],
};

interface Changes {
  seq?: number;
  stage?: ViewMessage["table"]["stage"];
  seats?: SeatView[];
  commitment?: ViewMessage["table"]["commitment"];
  round?: ViewMessage["table"]["round"];
  options?: ViewMessage["table"]["options"];
  deal?: Partial<DealView> | null;
  hand?: string;
  own?: Partial<NonNullable<You["options"]>> | null;
  you?: You | null;
}

/** A running table on the turn of seat 0, with changes. */
export function view(changes: Changes = {}): ViewMessage {
  const { deal = {}, hand = "R7 R8 R9 B5", own = {} } = changes;
  return {
    type: "view",
    seq: changes.seq ?? 7,
    at: 0,
    table: {
      id: "t",
      stage: changes.stage ?? "playing",
      options: {
        rules: { preset: "altinstar", take_back_fine: 101 },
        late: true,
        spectators: "live",
        ...changes.options,
      },
      seats: changes.seats ?? SEATS,
      match: 1,
      deadline: null,
      turn_since: 0,
      commitment: changes.commitment ?? null,
      round: changes.round ?? null,
      scores: { counted: 0, totals: [0, 0, 0, 0], teams: null, places: [1, 1, 1, 1], deals: [] },
    },
    deal: deal && { ...DEAL, ...deal },
    you:
      changes.you === undefined
        ? { seat: 0, hand, drawn: null, ...(own && { options: { ...OPTIONS, ...own } }) }
        : changes.you,
    here: [true, true, false, false],
  };
}

/** A game whose line stands, in a browser that keeps nothing yet. */
export function begun(): Game {
  vi.stubGlobal("WebSocket", FakeSocket);
  localStorage.clear();
  FakeSocket.all = [];
  const game = new Game("t");
  FakeSocket.last.open();
  return game;
}

/** One action of a seat as an event, and the parts that it changes. */
export function acted(
  seq: number,
  seat: number,
  action: string,
  deal: Partial<DealView> = {},
  more: { you?: You; by?: "user" | "bot" | "clock" } = {},
): object {
  const { by = "user", ...rest } = more;
  const what = { kind: "act", seat, actions: [action], by };
  return { type: "event", seq, at: 0, what, deal: { turns: 5, ...deal }, ...rest };
}

/** A log's head, made by the server's code with a key of the bytes 0 to 31. */
export const KEY = "okey101/log+20bbf8b3+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4";
export const CHECKPOINT =
  "okey101/log\n3\nlPvQ3YNvUDAWkubQ6t5yjuGexSv/8WBu2AfIV11aqhk=\n\n— okey101/log ILv4s47r2DVL/ZyDAjMo401G3ZduSBrcnUEjjsDbzcK6fhBa5ImXA6DNUM2VWv4Em+oX2s7ZeqXdRA2pcfHc/uS4GQg=\n";

/** Let what waits for promises go on. */
export async function settled(): Promise<void> {
  for (let round = 0; round < 60; round++) await Promise.resolve();
}
