/** A table as this page knows it: the last view with every event since, and the player's
arrangement. */

import { api, ApiError, serverNow } from "./api";
import { botName, botOf } from "./botNames";
import { Connection, type Ending, type Events, type Status } from "./connection";
import { faceOfPerson } from "./faces";
import { isCounted, isOfAnother, PUT_BACK, roundsOf } from "./fairness";
import { meldsIn, pairsIn } from "./groups";
import { t } from "./i18n.svelte";
import { leftSeat } from "./leftTable";
import type {
  Answer,
  Command,
  DealView,
  OptionsView,
  Question,
  ServerMessage,
  TableView,
  What,
  You,
} from "./protocol";
import {
  arranged,
  emptySlots,
  moved,
  reconciled,
  rowsOf,
  type Slots,
  gathered,
  linesFor,
  mostLines,
  SHELF,
} from "./rack";
import { tileOfPiece, tilesIn } from "./tiles";
import { patched, Witness, type Row } from "./witness";

/** What the table was like before something happened. */
export interface Before {
  deal: DealView | null;
  seats: TableView["seats"];
  slots: Slots;
}

/** Something a person at the table has just said. */
export interface Bubble {
  phrase: string;
  /** What a bot says of itself, in place of a phrase. */
  words?: string;
  /** The seat that sent it to the one where it is shown. */
  from?: number;
  until: number;
}

/** The groups that have a button of their own: sets and runs, or pairs. */
export type GroupKind = NonNullable<Answer["kinds"]>[number];

/** What an opening needs, null after it, and which groups may be laid: as the server last said. */
export interface Laying {
  opening: Answer["opening"];
  kinds: GroupKind[];
}

const BUBBLE = 4500;
const PATIENCE = 4000;

/** Why the server might refuse the socket of a table, as far as it says. */
async function why(): Promise<"banned" | "none" | null> {
  try {
    await api.session();
    return "none";
  } catch (error) {
    return error instanceof ApiError && error.code === "banned" ? "banned" : null;
  }
}

/** What a game needs of its connection. */
export type Line = Pick<Connection, "command" | "ask" | "again" | "close">;

function addressOf(table: string): string {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return `${scheme}://${location.host}/ws/${encodeURIComponent(table)}`;
}

function kept(table: string): string {
  return `okey101.rack.${table}`;
}

export class Game {
  status = $state<Status>("connecting");
  ending = $state<Ending | null>(null);
  seq = $state<number | null>(null);
  table = $state.raw<TableView | null>(null);
  deal = $state.raw<DealView | null>(null);
  you = $state.raw<You | null>(null);
  here = $state<boolean[]>([]);
  /** Asked anew whenever somebody has opened: until then it holds. */
  laying = $state.raw<Laying | null>(null);
  frozen = $state(false);
  /** Whether the server has said nothing for seconds although it was asked. */
  silent = $state(false);
  /** Whether something that was asked has waited for its answer too long. */
  unanswered = $state(false);
  /** Whether moves wait, since the server's disk does not answer. */
  slowStore = $state(false);
  /** What was shown before a deal can't be what was promised: nothing was revealed. */
  unfair = $state(false);
  /** Why a message of the server could not be read. */
  broken = $state.raw<unknown>(null);
  slots = $state.raw<Slots>(emptySlots());
  /** How many slots a line of the rack has, as it is shown. */
  line = $state(SHELF);
  faceDown = $state<Set<string>>(new Set());
  /** What was said recently, by seat. */
  bubbles = $state.raw<Readonly<Record<number, Bubble>>>({});
  /** The seats of muted people, as the server lists them after each view and change. */
  muted = $state.raw<ReadonlySet<number>>(new Set());
  /** The bot's seat that one has from the next deal on. */
  coming = $state<number | null>(null);
  /** Whether it is a deal of the past, looked at from any seat. */
  watched = false;
  /** How far the server's clock is ahead of this one, in milliseconds. */
  ahead = $state(serverNow() - Date.now());
  /** How the rack is sorted; null once the player has moved a tile by hand. */
  sorted: "points" | "pairs" | null = "points";
  /** How often it was sorted without a word of the player. */
  tidied = $state(0);
  /** Whether the seat that is shown is the viewer's own: a replay shows others' as well. */
  mine = $state(true);
  /** Whether a tile is in the player's hand: the rack keeps its place meanwhile. */
  gripped = false;
  /** Whether groups were just laid. */
  laid = $state(false);
  /** The tile that came last, by its unique name. */
  newest = $state<string | null>(null);
  preferred: number | null = null;
  /** The tile of the rack that is given away, by its unique name. */
  given: string | null = null;
  onWhat: ((what: What, before: Before) => void) | null = null;
  /** The table was told as a whole: the page was just opened, or away for long. */
  onView: (() => void) | null = null;
  onSaid: ((seat: number, phrase: string, to?: number) => void) | null = null;

  /** What this browser was shown of each deal, for the check when it is over. */
  readonly witness: Promise<Witness>;
  readonly #rounds: Promise<ReturnType<typeof roundsOf>>;
  readonly #connection: Line;
  /** What came with the last row. */
  #head: string | null = null;
  #headShown = false;
  /** Whether its deals are promised at all. */
  #promised = false;
  #seen: { seq: number; go: () => void }[] = [];
  /** What was sent last for a deal that is prepared. */
  #given: string | null = null;

  /** `connect` makes the line to the table: a socket, unless something else tells its story. */
  constructor(
    readonly id: string,
    connect: (events: Events) => Line = (events) => new Connection(addressOf(id), events),
  ) {
    this.witness = Witness.of(id);
    this.#rounds = this.witness.then((witness) => roundsOf(id, witness));
    this.#connection = connect({
      message: (message) => {
        try {
          this.#take(message);
          const { table, deal } = this;
          this.#promised ||= Boolean(table?.commitment);
          if (this.#promised && table && deal && !isCounted(table, deal)) this.unfair = true;
        } catch (error) {
          this.broken = error;
        }
      },
      status: (status, ending) => {
        this.status = status;
        this.ending = ending;
        if (status === "lost") void this.#rounds.then((rounds) => rounds.away());
      },
      waits: (silent, unanswered) => {
        this.silent = silent;
        this.unanswered = unanswered;
      },
      seq: () => this.seq,
      head: () => this.#head,
      why,
    });
    this.#restore();
  }

  close(): void {
    this.#connection.close();
  }

  /** Connect again, as the person this is by now. */
  again(): void {
    this.#connection.again();
  }

  // What follows from it ------------------------------------------------------------------------

  seat = $derived(this.you?.seat ?? null);
  seats = $derived(this.table?.seats ?? []);
  options: OptionsView | null = $derived(this.you?.options ?? null);
  /** What may be laid off but okeys: where one of those goes, its owner says. */
  plainLays = $derived((this.options?.lays ?? []).filter((lay) => !lay.startsWith("lay *")));
  okey = $derived(this.deal?.okey ?? "F");
  running = $derived(this.table?.stage === "playing");
  away = $derived(this.seat !== null && (this.seats[this.seat]?.away ?? false));
  /** Whether one has to act: not while a bot plays the own seat. */
  myTurn = $derived(
    this.running &&
      this.seat !== null &&
      this.deal?.turn === this.seat &&
      !this.deal.end &&
      !this.away,
  );
  /** Whether the deal is made without one's own contribution, told until the first own move. */
  leftOut = $derived.by(() => {
    const round = this.table?.round;
    const own = `${String(this.seat)}: `;
    if (this.seat === null || !round) return false;
    if (this.running && this.deal?.actions.some((action) => action.startsWith(own))) return false;
    return round.left_out.includes(this.seat) || (round.shown && !round.commitments[this.seat]);
  });
  /** Whether one has the deal's first turn. */
  starting = $derived(this.myTurn && this.deal?.turns === 0);
  /** Identifies the moment of the match: different after every action. */
  moment = $derived(`${this.table?.scores.counted ?? 0} ${this.deal?.actions.length ?? ""}`);
  opened = $derived(this.seat === null ? null : (this.deal?.opened[this.seat] ?? null));
  /** What an opening needs now; null after the own, and while the server has yet to say. */
  need = $derived(this.options?.opening ?? this.laying?.opening ?? null);
  /** The groups that may be laid at all. */
  kinds: GroupKind[] = $derived(this.laying?.kinds ?? ["melds", "pairs"]);
  /** The indicator's twin, where the player announced it for an opening. */
  twin = $derived(
    this.deal?.announced === this.seat && this.opened === null
      ? (this.deal?.indicator ?? null)
      : null,
  );
  /** The tile that one's next draw brings; until then its place is kept free. */
  #coming = $derived(this.myTurn && this.options && !this.options.draw ? 0 : 1);
  /** The most slots that were needed since the turn began. */
  #needed = $state(0);
  /** How many slots of the rack are shown; within a turn nothing moves away under the finger. */
  room = $derived(
    this.line *
      Math.max(linesFor(this.slots, this.line, this.#coming), Math.ceil(this.#needed / this.line)),
  );
  /** How many there may be, so that nothing that is arranged is broken. */
  most = $derived(
    this.line * mostLines(this.slots.filter((slot) => slot).length + this.#coming, this.line),
  );
  melds = $derived(meldsIn(rowsOf(this.slots), this.okey));
  pairs = $derived(pairsIn(rowsOf(this.slots), this.okey, this.twin));
  /** In a running match, whether the table lets people take over the seats of bots. */
  #late = $derived(
    (this.table?.options.late ?? false) && ["dealing", "playing"].includes(this.table?.stage ?? ""),
  );
  /** Those that anybody may take: whoever has to wait for the next deal needs that there is one. */
  botSeats = $derived.by(() => {
    const { options, round, scores } = this.table ?? {};
    const last = (scores?.counted ?? 0) + 1 >= (options?.deals ?? 5);
    if (!this.#late || (last && (this.running || round?.shown))) return [];
    return this.seats.flatMap((seat, index) =>
      seat.bot === null || seat.name || seat.coming !== undefined ? [] : [index],
    );
  });
  /** The seat that one left in the running deal and may take back at once. */
  ownSeat = $derived.by(() => {
    const seat = leftSeat(this);
    // Spectators may be told later that one has left it.
    return this.#late && seat !== null && this.seats[seat]?.coming === undefined ? seat : null;
  });
  /** Those that a spectator may take. */
  takeable = $derived.by(() => {
    if (this.seat !== null || this.coming !== null || this.status !== "open") return [];
    const all = [...this.seats.keys()];
    return all.filter((seat) => seat === this.ownSeat || this.botSeats.includes(seat));
  });
  /** Whether the address of the table leads a friend to a bot's seat. */
  inviting = $derived(
    this.seat !== null && this.botSeats.length > 0 && this.table?.options.spectators !== "off",
  );

  /** Whether one may ask what to do: not among strangers, and where the owner allows it. */
  hints = $derived.by(() => {
    const options = this.table?.options;
    const people = this.seats.filter((seat) => seat.bot === null && seat.name !== null).length;
    const helped = options?.hints !== false && options?.assisted && !(options.listed && people > 1);
    return this.seat !== null && this.running && Boolean(helped);
  });

  /** The seat at a place on the screen: 0 is the player, 1 the right neighbour, who plays next. */
  seatAt(place: number): number {
    return ((this.seat ?? 0) + place) % Math.max(this.seats.length, 1);
  }

  /** On which side of the screen a seat is: 0 below, 1 on the right, 2 above, 3 on the left. */
  sideOf(seat: number): number {
    const count = Math.max(this.seats.length, 1);
    const place = (seat - (this.seat ?? 0) + count) % count;
    if (place > 0 && count === 2) return 2;
    return place > 0 && place === count - 1 ? 3 : place;
  }

  /** The name shown for a seat; that of a bot says that it is one. */
  name(seat: number): string {
    const at = this.seats[seat];
    if (at?.name) return at.name;
    const people = this.seats.map((one) => one.name);
    return at?.bot ? botName(this.id, seat, people, at.bot) : t("page-empty-seat");
  }

  /** The name for the eye, where a sign beside it says that it is a bot. */
  called(seat: number): string {
    const name = this.name(seat);
    return name.startsWith(this.mark) ? name.slice(this.mark.length) : name;
  }

  /** Whether it is whoever looks at the table, in the words that sentences take. */
  isYou(seat: number): "yes" | "no" {
    return seat === this.seat && !this.watched ? "yes" : "no";
  }

  /** What stands before the name of a bot. */
  private readonly mark = $derived(t("page-bot-named", { name: "" }));

  /** The face of who sits there. */
  face(seat: number): number {
    const at = this.seats[seat];
    if (at?.name) return faceOfPerson(at.name, at.face);
    return botOf(
      this.id,
      seat,
      this.seats.map((one) => one.name),
    );
  }

  /** The points of a seat, with the fines of the running deal. */
  score(seat: number): number {
    const { deal, table } = this;
    const fines = (!deal || deal.end ? [] : deal.fines).filter((fine) => fine.seat === seat);
    return fines.reduce((sum, fine) => sum + fine.points, table?.scores.totals[seat] ?? 0);
  }

  now(): number {
    return Date.now() + this.ahead;
  }

  // Commands ------------------------------------------------------------------------------------

  /** Play an action; resolves when its result is on the table. */
  async act(action: string): Promise<number | null> {
    // What waits for the line to come back must not be done in a later turn.
    const { number, turns } = this.deal ?? {};
    const act: Command = { type: "act", action, deal: number, turn: turns };
    const seq = await this.#connection.command(act);
    if (seq !== null) await this.#shown(seq);
    return seq;
  }

  /** The dealing was shown or skipped: play begins once it was for everybody. */
  dealingSeen(): void {
    const waits = this.running && this.deal?.actions.length === 0;
    if (!waits || this.seat === null || this.seats[this.seat]?.ready) return;
    if ((this.table?.turn_since ?? 0) <= this.now()) return;
    this.send({ type: "ready" }).catch(() => undefined); // it begins in a moment all the same
  }

  #shown(seq: number): Promise<void> {
    if ((this.seq ?? 0) >= seq) return Promise.resolve();
    return new Promise((resolve) => {
      this.#seen.push({ seq, go: resolve });
      setTimeout(resolve, PATIENCE);
    });
  }

  send(command: Command): Promise<number | null> {
    return this.#connection.command(command);
  }

  /** The solver's arrangement of the hand, laid on the rack. */
  async arrange(aim: "points" | "pairs"): Promise<void> {
    const answer = await this.ask({ type: "ask", what: "arrange", aim });
    this.sorted = aim;
    this.putOnRack(answer);
  }

  /** Sort in what was drawn, where the rack still lies as it was sorted. */
  async tidy(): Promise<void> {
    const { sorted } = this;
    if (sorted === null) return;
    const answer = await this.ask({ type: "ask", what: "arrange", aim: sorted });
    if (this.sorted !== sorted) return; // it was asked for otherwise, or a tile moved, meanwhile
    this.putOnRack(answer);
    this.tidied += 1;
  }

  /** An answer's groups side by side on the rack, the rest behind them. */
  putOnRack(answer: Answer): void {
    const groups = (answer.groups ?? []).flatMap((group) =>
      typeof group === "string" ? [tilesIn(group).map(tileOfPiece)] : [],
    );
    const left = tilesIn(answer.left ?? "");
    const within = (room: number) => arranged(this.slots, groups, left, this.okey, this.line, room);
    const shown = within(this.room); // so that nothing moves, where that is enough
    this.#setSlots(shown === this.slots ? within(this.most) : shown);
  }

  /** Bring the tiles together where the rack has fewer lines than they lie in. */
  fit(): void {
    const { slots, line, most } = this;
    if (slots.some((slot, index) => slot && index >= most))
      this.#setSlots(gathered(slots, line, most));
  }

  ask(question: Question): Promise<Answer> {
    return this.#connection.ask(question);
  }

  /** What an action would lead to, groups judged as if it were the player's turn to lay. */
  check(action: string): Promise<Answer> {
    return this.ask({ type: "ask", what: "check", action });
  }

  /** In which ways a tile may join a group of the table. */
  places(tile: string, group: number): Promise<Answer> {
    return this.ask({ type: "ask", what: "places", tile, group });
  }

  #askLaying(): void {
    if (this.seat === null || !this.running || !this.deal || this.deal.end) return;
    this.#connection.ask({ type: "ask", what: "options" }).then(
      ({ opening, kinds = [] }) => (this.laying = { opening, kinds }),
      () => undefined, // the deal has ended meanwhile
    );
  }

  move(from: number, to: number): void {
    this.sorted = null;
    this.#setSlots(moved(this.slots, from, to, this.room));
  }

  flip(id: string): void {
    const next = new Set(this.faceDown);
    if (!next.delete(id)) next.add(id);
    this.faceDown = next;
  }

  // Messages ------------------------------------------------------------------------------------

  #take(message: ServerMessage): void {
    if (isOfAnother(message, this.id)) {
      this.unfair = true; // dropped: a promise for another table would be a gift
      return;
    }
    this.witness
      .then((witness) => witness.hear(message))
      .catch((error: unknown) => (this.broken = error));
    if (message.type === "view" || message.type === "event" || message.type === "resumed") {
      void this.witness.then(({ before }) => this.#showHead(before, message.seq));
      if (message.type !== "event" || message.seq > (this.seq ?? 0)) {
        this.#head = message.head ?? null;
      }
    }
    switch (message.type) {
      case "view":
        this.slowStore = false; // the server says so anew where it still is
        this.ahead = Math.max(message.at - Date.now(), this.ahead);
        this.seq = message.seq;
        this.table = message.table;
        this.deal = message.deal;
        this.here = [...message.here];
        this.muted = new Set();
        this.coming = null;
        this.#setYou(message.you);
        this.#needed = 0;
        this.#takePart(message.table);
        this.#askLaying();
        this.onView?.();
        break;
      case "event": {
        if (this.seq !== null && message.seq <= this.seq) return;
        this.seq = message.seq;
        const { seat } = this;
        const before: Before = { deal: this.deal, seats: this.seats, slots: this.slots };
        // What was missed is told late: until all of it is here, it says nothing of the clock.
        if (this.status === "open") this.ahead = message.at - Date.now();
        if (message.table && this.table) this.table = { ...this.table, ...message.table };
        if (message.deal) this.#patchDeal(message.deal, message.what);
        if (message.you) this.#setYou(message.you, message.what.kind === "act");
        else if (this.you?.options && message.deal) this.you = { ...this.you, options: undefined };
        if (this.deal?.turns !== before.deal?.turns && !this.gripped) this.#needed = 0;
        this.onWhat?.(message.what, before);
        if (message.what.kind === "abandon") this.#hearAbandoned(message.what.why);
        if (message.table?.round && this.table) this.#takePart(this.table);
        if (message.deal?.opened || this.seat !== seat) this.#askLaying();
        for (const waiting of this.#seen) if (waiting.seq <= message.seq) waiting.go();
        this.#seen = this.#seen.filter((waiting) => waiting.seq > message.seq);
        break;
      }
      case "resumed":
        this.slowStore = false;
        this.seq = message.seq;
        this.here = [...message.here];
        this.muted = new Set();
        this.coming = null;
        if (message.you) this.#setYou(message.you);
        break;
      case "pong":
        // Who only watches may be shown everything late, the deadlines too.
        if (this.seat !== null) this.ahead = message.at - Date.now();
        break;
      case "muted":
        this.muted = new Set(message.seats);
        break;
      case "coming":
        this.coming = message.seat;
        break;
      case "presence":
        this.here = this.here.map((here, seat) => (seat === message.seat ? message.here : here));
        break;
      case "said":
        this.#hear(message.seat, message.phrase, message.to);
        break;
      case "notice":
        this.slowStore = message.on;
        break;
      case "frozen":
        this.frozen = true;
        break;
      default:
        break;
    }
  }

  #hear(seat: number, phrase: string, to?: number): void {
    const from = to === undefined ? undefined : seat;
    const at = to ?? seat;
    this.#show(at, { phrase, from, until: Date.now() + BUBBLE });
    this.onSaid?.(seat, phrase, to);
  }

  /** A bot says something, for the eye alone. */
  mutter(seat: number, words: string): void {
    this.#show(seat, { phrase: "", words, until: Date.now() + BUBBLE });
  }

  #show(at: number, bubble: Bubble): void {
    this.bubbles = { ...this.bubbles, [at]: bubble };
    setTimeout(() => {
      if (this.bubbles[at] !== bubble) return;
      const rest = Object.entries(this.bubbles).filter(([key]) => key !== String(at));
      this.bubbles = Object.fromEntries(rest);
    }, BUBBLE);
  }

  #patchDeal(patch: Partial<DealView>, what: What): void {
    this.deal = patched(this.deal, patch, what);
    if (patch.indicator === undefined) return;
    this.laying = null;
    this.faceDown = new Set();
    this.sorted = "points";
    this.slots = emptySlots(); // how another hand was arranged is of no use to this one
  }

  #setYou(you: You | null, acted = false): void {
    const { line, room } = this;
    this.you = you;
    const before = new Set(this.slots.map((slot) => slot?.id));
    if (this.preferred !== null) this.sorted = null;
    let next = reconciled(this.slots, you?.hand ?? "", this.preferred, line, room, this.given);
    // What was laid leaves no holes between the rest, unless a finger is on a tile of it.
    this.laid = acted && this.slots.filter((slot) => slot && !next.includes(slot)).length > 1;
    if (this.laid && !this.gripped) next = gathered(next, line, room);
    this.#setSlots(next);
    const come = this.slots.filter((slot) => slot && !before.has(slot.id));
    if (come.length > 0) this.newest = come.length === 1 ? (come[0]?.id ?? null) : null;
    else if (!this.slots.some((slot) => slot?.id === this.newest)) this.newest = null;
    this.preferred = this.given = null;
  }

  /** Commit this seat to a contribution for a deal that is being prepared, or reveal it. */
  #takePart(table: TableView): void {
    const { seat } = this;
    const step = this.#rounds.then((rounds) => rounds.step(table, seat));
    step.then(
      (found) => {
        const sent = JSON.stringify(found);
        if (!found || this.#given === sent) return; // on its way
        this.#given = sent;
        this.send(found).catch(() => (this.#given = null));
      },
      () => (this.unfair = true), // what was shown can't be: nothing is revealed
    );
  }

  /** A row that this browser was shown and the table lacks: the server is shown its own word. */
  #showHead(before: Row | null, seq: number): void {
    if (this.#headShown || !before) return; // it may come late
    this.#headShown = true;
    if (before.seq <= seq) return;
    this.seq = before.seq;
    this.#head = before.head;
    this.#connection.again();
  }

  #hearAbandoned(why: string): void {
    const { match = 0, commitment } = this.table ?? {};
    if (PUT_BACK.includes(why))
      void this.#rounds.then((rounds) => rounds.putBack(match, commitment?.deal ?? Infinity));
  }

  #setSlots(slots: Slots): void {
    this.#needed = Math.max(this.#needed, this.room);
    this.slots = slots;
    localStorage.setItem(kept(this.id), JSON.stringify({ slots, sorted: this.sorted }));
  }

  #restore(): void {
    try {
      const found = localStorage.getItem(kept(this.id)) ?? "{}";
      const { slots, sorted } = JSON.parse(found) as Partial<Pick<Game, "slots" | "sorted">>;
      if (!Array.isArray(slots) || slots.length !== emptySlots().length) return;
      this.slots = slots as Slots;
      this.sorted = sorted ?? null;
    } catch {
      localStorage.removeItem(kept(this.id));
    }
  }
}
