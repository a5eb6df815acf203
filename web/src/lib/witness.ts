/** What this page itself was shown of each deal, kept for the check when the deal is over.

A server that tells another story afterwards is caught by this alone, so nothing is ever replaced:
what was shown first is what counts. It outlives a reload of its window. */

import { contribution, placeOf, seatCommitment } from "./fairness";
import type { DealView, ServerMessage, TableView, You } from "./protocol";

/** What was shown of a round before its tiles were dealt. */
export interface SeenRound {
  commitment: string;
  transcript: string | null;
  /** Whether this browser's own commitment was among those shown. */
  gave: boolean;
}

/** What one page has seen of a deal. */
export interface Seen {
  match: number;
  deal: number;
  /** Null for an onlooker. */
  seat: number | null;
  rounds: Record<number, SeenRound>;
  /** The hand as it was dealt; null where that was not seen. */
  hand: string | null;
  /** The own draws: which tile of the stock, counted from 0, and what it was. */
  drawn: [number, string][];
  /** How many tiles the stock began with. */
  stock: number | null;
  dealer: number | null;
  end: string | null;
  /** How the deal before ended, by which the dealer follows. */
  before: { dealer: number; end: string } | null;
}

/** As many deals as a long match has. */
const KEPT = 24;

export class Witness {
  #deals: Seen[] = [];
  #table: TableView | null = null;
  #seat: number | null = null;
  /** The deal on the table, if it was seen from its beginning. */
  #now: Seen | null = null;

  constructor(private readonly id: string) {
    try {
      const kept: unknown = JSON.parse(sessionStorage.getItem(this.#key) ?? "[]");
      if (Array.isArray(kept)) this.#deals = kept as Seen[];
    } catch {
      // nothing is kept here: the check says what it can't tell
    }
  }

  get #key(): string {
    return `okey101.seen.${this.id}`;
  }

  /** What was seen of a deal, if anything. */
  of(place: { match: number; deal: number }): Seen | null {
    return this.#deals.find((one) => one.match === place.match && one.deal === place.deal) ?? null;
  }

  hear(message: ServerMessage): void {
    if (message.type !== "view" && message.type !== "event") return;
    if (message.type === "view") {
      this.#table = message.table;
      this.#seat = message.you?.seat ?? null;
    } else if (message.table && this.#table) {
      this.#table = { ...this.#table, ...message.table };
    }
    if (message.you) this.#seat = message.you.seat;
    if (message.deal) this.#hearDeal(message.deal, message.you ?? null, message);
    this.#hearRound();
  }

  #hearRound(): void {
    const place = this.#table && placeOf(this.#table);
    const { commitment, round } = this.#table ?? {};
    if (!place || !commitment || !round) return;
    const seen = this.of(place) ?? this.#begin(place.match, place.deal);
    const now = (seen.rounds[place.round] ??= {
      commitment: commitment.value,
      transcript: null,
      gave: false,
    });
    if (round.shown && now.transcript === null) {
      const seat = (seen.seat = this.#seat);
      now.transcript = round.transcript;
      now.gave =
        seat !== null &&
        round.commitments[seat] === seatCommitment(place, seat, contribution(place, seat));
    }
    this.#keep();
  }

  #begin(match: number, deal: number): Seen {
    const last = this.of({ match, deal: deal - 1 });
    const known = last && last.dealer !== null && last.end !== null;
    const seen: Seen = {
      match,
      deal,
      seat: this.#seat,
      rounds: {},
      hand: null,
      drawn: [],
      stock: null,
      dealer: null,
      end: null,
      before: known ? { dealer: last.dealer as number, end: last.end as string } : null,
    };
    this.#deals = [...this.#deals, seen].slice(-KEPT);
    return seen;
  }

  #hearDeal(deal: Partial<DealView>, you: You | null, message: ServerMessage): void {
    if (deal.number !== undefined && this.#table) {
      this.#now = this.of({ match: this.#table.match, deal: deal.number });
    }
    const seen = this.#now;
    if (!seen) return;
    if (deal.indicator !== undefined && deal.actions?.length === 0 && !deal.end) {
      seen.seat = this.#seat;
      seen.hand = you?.hand ?? null;
      seen.drawn = [];
      seen.stock = deal.stock ?? null;
      seen.dealer = deal.dealer ?? null;
    }
    const what = message.type === "event" ? message.what : null;
    if (what?.kind === "act" && what.seat === this.#seat && what.actions.at(-1) === "draw") {
      if (you?.drawn && seen.stock !== null && deal.stock !== undefined) {
        seen.drawn.push([seen.stock - deal.stock - 1, you.drawn]);
      }
    }
    if (deal.result) seen.end = deal.result.end;
    this.#keep();
  }

  #keep(): void {
    try {
      sessionStorage.setItem(this.#key, JSON.stringify(this.#deals));
    } catch {
      // kept by this page alone
    }
  }
}
