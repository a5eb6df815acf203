/** A table as a program plays at it: what is shown, commands, and one's own turns. */

import { Connection, type Around, type Ending } from "./connection.js";
import { CheckedRounds } from "./ends.js";
import { isCounted, isOfAnother, lossesOf, PUT_BACK, type Told } from "./fair.js";
import { Memory, sha256 } from "./memory.js";
import type { Command, DealView, OptionsView, ServerMessage, TableView, You } from "./protocol.js";
import { OFFLINE, Refusal, TURN_OVER } from "./refusal.js";

function refusal(code: string, message: string): Refusal {
  return new Refusal({ code, message, rule: null, details: {} });
}

/** A moment in which one has to act, with the options that hold in it. */
export interface Turn {
  readonly options: OptionsView;
  readonly deal: DealView;
  readonly you: You;
  /**
   * Play an action in the notation; resolves once what came of it is shown. Rejects with a Refusal:
   * as the server refuses, or `turn-over` where the table has moved on, and then nothing is sent.
   */
  act(action: string): Promise<number>;
}

/**
 * A line to one table. It comes back by itself and sends again what got no answer; it commits,
 * checks and reveals for fair deals, and is ready for each deal of a running match.
 */
export class Table {
  seq: number | null = null;
  table: TableView | null = null;
  deal: DealView | null = null;
  you: You | null = null;
  /** Whether it is known to be no table of a day, nor one to play a deal again at. */
  promised = false;
  #head: string | null = null;
  #at = 0;
  #heard = 0;
  #changed = 0;
  #acting = false;
  #ended: Error | null = null;
  readonly #memory = new Memory();
  readonly #rounds: CheckedRounds;
  #checked = "";
  #steps = new Set<string>();
  #waiting = new Set<() => void>();
  readonly #connection: Connection;

  /** `why` says whether the server answers at all: `none` where it does, else null. */
  constructor(
    readonly id: string,
    url: string,
    why: () => Promise<"banned" | "none" | null>,
    around?: Around,
  ) {
    this.#rounds = new CheckedRounds(id, sha256, this.#memory);
    this.#connection = new Connection(
      url,
      {
        message: (message) => {
          try {
            this.#take(message);
          } catch (error) {
            this.end(
              refusal("line-failed", `what the server told can't be read: ${String(error)}`),
            );
          }
        },
        status: (status, ending) => {
          if (status === "lost") this.#rounds.away();
          if (ending) this.#end(refusal(ending, `the line is over: ${ending}`));
        },
        waits: () => undefined,
        seq: () => this.seq,
        head: () => (this.seq === null ? null : this.#head),
        why,
      },
      around,
    );
  }

  get stage(): string {
    return this.table?.stage ?? "";
  }

  get seat(): number | null {
    return this.you?.seat ?? null;
  }

  /**
   * Match and number of each deal that was over before its end was shown here: the line was away,
   * or the server passed over it. The match's record tells of it.
   */
  get unchecked(): [match: number, deal: number][] {
    return this.table ? this.#rounds.unchecked(this.table) : [];
  }

  /** Check one of those by what its match's record tells; rejects as the line ends where it is unfair. */
  async checkEnd(match: number, deal: number, fair: Told | undefined): Promise<void> {
    try {
      await this.#rounds.check(fair, { match, deal, options: this.table?.options });
    } catch (error) {
      throw this.#fail(error);
    }
  }

  /** Close the line; the seat stays one's own. */
  close(): void {
    this.end(refusal("line-closed", "the program has closed the line itself"));
  }

  /** Close the line for a reason, with which all that waits rejects. */
  end(why: Error): void {
    this.#connection.close();
    this.#end(why);
  }

  /** Wait until something holds of what is shown; rejects where the line is over first. */
  async until(holds: () => boolean): Promise<void> {
    for (;;) {
      if (this.#ended) throw this.#ended;
      if (holds()) return;
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** Send any command; resolves with its row once it is durable. */
  async command(command: Command): Promise<number | null> {
    if (this.#ended) throw this.#ended;
    try {
      return await this.#connection.command(command);
    } catch (error) {
      // Why the line ended says more than that nothing answers.
      throw error instanceof Refusal && error.code === OFFLINE.code
        ? (this.#ended ?? error)
        : error;
    }
  }

  /** Each moment in which one has to act, once, until the match is over; a refused one again. */
  async *turns(): AsyncGenerator<Turn, void, undefined> {
    let done = "";
    const due = () => !this.#acting && this.you?.options !== undefined && this.#moment !== done;
    const over = () => this.stage === "over" || this.stage === "closed";
    for (;;) {
      await this.until(() => over() || (this.stage === "playing" && due()));
      if (over()) return;
      const wait = this.#holds;
      if (wait > 0) {
        setTimeout(() => this.#tell(), Math.min(wait, 1000));
        await new Promise<void>((resolve) => this.#waiting.add(resolve));
        continue;
      }
      const { deal, you } = this;
      if (!deal || !you?.options) continue;
      const moment = (done = this.#moment);
      let refused = false;
      const act = async (action: string): Promise<number> => {
        if (this.#moment !== moment) throw new Refusal(TURN_OVER);
        try {
          return await this.#act(action);
        } catch (error) {
          refused = true;
          throw error;
        }
      };
      yield { options: you.options, deal, you, act };
      if (refused) done = "";
    }
  }

  async #act(action: string): Promise<number> {
    if (this.#acting) throw refusal("act-pending", "an action still waits for its answer");
    this.#acting = true;
    try {
      const { number, turns } = this.deal ?? {};
      const seq = await this.command({
        type: "act",
        action,
        deal: number,
        turn: turns,
      });
      await this.until(() => (this.seq ?? 0) >= (seq ?? 0));
      return seq ?? 0;
    } finally {
      this.#acting = false;
      this.#tell();
    }
  }

  /** Where the deal stands: what is chosen for one moment is worth nothing in another. */
  get #moment(): string {
    return `${this.table?.match} ${this.deal?.number} ${this.#changed}`;
  }

  /** How long the dealing is still shown, in milliseconds. */
  get #holds(): number {
    if (!this.table || !this.deal || this.deal.actions.length) return 0;
    return this.table.turn_since - this.#at - (Date.now() - this.#heard);
  }

  #tell(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const go of waiting) go();
  }

  #end(why: Error): void {
    this.#ended ??= why;
    this.#tell();
  }

  #take(message: ServerMessage): void {
    if (isOfAnother(message, this.id)) {
      this.#fail(new Error("a view of another table"));
      return;
    }
    if (message.type === "view") {
      ({ table: this.table, deal: this.deal, you: this.you } = message);
      this.#steps.clear(); // the server may have files of before: deals come anew
      this.#changed = message.seq;
      this.#reached(message);
    } else if (message.type === "event") {
      if (this.seq === null || !this.table || message.seq > this.seq + 1) {
        this.seq = null; // something is missing: a fresh view, please
        this.#connection.again();
        return;
      }
      if (message.seq <= this.seq) return;
      this.table = { ...this.table, ...message.table };
      this.#patch(message);
      this.#reached(message);
    } else if (message.type === "resumed") {
      this.you = message.you;
      this.#reached(message);
    } else {
      return;
    }
    if (this.promised && (this.table?.day ?? this.table?.again) !== undefined)
      this.#fail(new Error("the table is said to be one without promises"));
    if (message.type === "event" && message.what.kind === "abandon") {
      this.#steps.clear();
      const { why } = message.what;
      const { match = 0, commitment } = this.table ?? {};
      try {
        if (PUT_BACK.includes(why)) this.#rounds.putBack(match, commitment?.deal ?? Infinity);
      } catch (error) {
        this.#fail(error);
        return;
      }
    }
    // Each on its own: a step waits for nothing, or it would look at what was. What the end of a deal
    // tells of files that were put back comes before a step for the next one.
    for (const work of [this.#check(), this.#attend()])
      work.catch((error: unknown) => this.#fail(error));
    this.#tell();
  }

  /** What does not fit a promise ends the line. */
  #fail(error: unknown): Refusal {
    const reason = error instanceof Error ? error.message : String(error);
    const why = refusal("unfair-deal", `the deal does not fit what was promised: ${reason}`);
    this.end(why);
    return why;
  }

  #reached(message: { seq: number; at: number; head?: string }): void {
    this.seq = message.seq;
    this.#at = message.at;
    this.#heard = Date.now();
    this.#head = message.head ?? this.#head;
    this.#memory.losses = lossesOf(this.#head ?? undefined);
  }

  #patch(message: Extract<ServerMessage, { type: "event" }>): void {
    const patch = message.deal;
    if (patch) {
      this.#changed = message.seq;
      if ("indicator" in patch) this.deal = patch as DealView;
      else if (!Object.keys(patch).length || !this.deal) this.deal = null;
      else {
        const what = message.what;
        const done = what.kind === "act" ? what.actions.map((a) => `${what.seat}: ${a}`) : [];
        const actions = [...this.deal.actions, ...done];
        this.deal = { ...this.deal, ...(patch as Partial<DealView>), actions };
      }
      if (this.you) {
        const { seat, hand, drawn } = this.you;
        this.you = { seat, hand, drawn };
      }
    }
    if (message.you) this.you = message.you;
  }

  async #check(): Promise<void> {
    const { match = 0, commitment, scores, options, day, again } = this.table ?? {};
    const { number: deal = NaN, end = null } = this.deal ?? {};
    if (this.table) this.#rounds.compare(this.table);
    if (commitment) this.#rounds.shown(commitment);
    const over = (scores?.deals.length ?? 0) - deal;
    if (this.table && this.deal && !isCounted(this.table, this.deal))
      throw new Error("the deals are not counted one by one");
    if (this.deal && !over && commitment) this.#rounds.played(commitment);
    const which = `${match} ${deal} ${end?.fair?.commitment}`; // the deal may come anew
    // Once its scores are told it is over, whether its end is told or not.
    if (over !== 1 || this.#checked === which) return;
    this.#checked = which;
    const free = day !== undefined || again !== undefined;
    await this.#rounds.check(end?.fair, { match, deal, options, free });
  }

  /** What a seated program owes the table besides its turns. */
  async #attend(): Promise<void> {
    const { table, seat } = this;
    const own = seat === null ? undefined : table?.seats[seat];
    if (!table || seat === null || !own) return;
    const place = `${table.match} ${table.scores.deals.length} ${table.round?.number}`;
    if (own.away) this.#once(`${this.seq} resume`, { type: "resume" });
    if (table.stage === "dealing") {
      const step = await this.#rounds.step(table, seat);
      if (step) this.#once(`${place} ${step.type}`, step);
      if (!own.ready) this.#once(`${place} ready`, { type: "ready" });
    } else if (table.stage === "playing" && this.#holds > 0 && !own.ready) {
      this.#once(`${place} ${this.deal?.number} seen`, { type: "ready" });
    }
  }

  #once(step: string, command: Command): void {
    if (this.#steps.has(step)) return;
    this.#steps.add(step);
    this.command(command).catch(() => undefined); // it came too late
  }
}

export type { Ending };
