/** What this page itself was shown of each deal, kept for the check when the deal is over.

A server that tells another story afterwards is caught by this alone, so nothing is ever replaced:
what was shown first is what counts, in whichever window. It outlives its window, whatever is done
with it. */

import { del, entries, get, update } from "idb-keyval";
import { PUT_BACK, type Notes, type RoundNote, type Where } from "./fairness";
import type { DealView, ServerMessage, TableView, You } from "./protocol";

/** What one page has seen of a deal. */
export interface Seen {
  match: number;
  deal: number;
  /** Null for an onlooker. */
  seat: number | null;
  rounds: Record<number, RoundNote>;
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
  /** Whether this one or a later one had been begun before: the server has put back its files. */
  again?: boolean;
}

/** A row of the table's log, with the server's own word for it. */
export interface Row {
  seq: number;
  head: string;
}

/** What is kept of a table, and since when nothing was added. */
interface Kept {
  deals: Seen[];
  last: Row | null;
  /** The latest deal that was ever begun. */
  latest?: [match: number, deal: number];
  at: number;
}

/** As many deals as a long match has. */
const KEPT = 24;
const MONTH = 30 * 24 * 3600 * 1000;
/** A browser that keeps nothing may also never say so. */
const PATIENCE = 2000;

/** What a browser keeps, if it says so in time. */
export function soon<T>(work: () => Promise<T>): Promise<T | undefined> {
  const late = new Promise<undefined>((go) => setTimeout(() => go(undefined), PATIENCE));
  return Promise.race([Promise.resolve().then(work), late]).catch(() => undefined);
}

/** Add to what is noted here what was kept before by another window: that was shown first. */
function addKept(own: Seen, kept: Seen): void {
  const here = Object.keys(own.rounds).length;
  const there = Object.keys(kept.rounds).length;
  for (const [number, first] of Object.entries(kept.rounds)) {
    const note = (own.rounds[Number(number)] ??= first);
    const opened = Array.from(
      { length: Math.max(first.opened.length, note.opened.length) },
      (_, seat) => first.opened[seat] ?? note.opened[seat] ?? null,
    );
    note.commitment = first.commitment;
    note.given = first.given ?? note.given;
    note.gave ||= first.gave;
    note.transcript = first.transcript ?? note.transcript;
    note.opened = opened;
  }
  // Each round deals other tiles.
  if (there > here || (there === here && kept.hand !== null && kept.hand !== own.hand)) {
    const { seat, hand, drawn, stock, dealer } = kept;
    Object.assign(own, { seat, hand, drawn, stock, dealer });
  }
  own.end ??= kept.end;
}

async function forgetOld(): Promise<void> {
  for (const [key, { at }] of await entries<string, Kept>())
    if (at < Date.now() - MONTH) await del(key);
}

/** Whether a deal is not later than another. */
function isUpTo(
  [match, deal]: readonly [number, number],
  one: Pick<Seen, "match" | "deal">,
): boolean {
  return one.match < match || (one.match === match && one.deal <= deal);
}

export class Witness implements Notes {
  /** The last row that was shown before this page was opened. */
  before: Row | null = null;
  #deals: Seen[] = [];
  #table: TableView | null = null;
  #seat: number | null = null;
  /** The deal on the table, if it was seen from its beginning. */
  #now: Seen | null = null;

  #last: Row | null = null;
  #latest: [match: number, deal: number] = [0, 0];
  /** After which deal all is forgotten that is kept, at the next chance. */
  #forgotten: [match: number, deal: number] | null = null;

  private constructor(private readonly id: string) {}

  /** What this browser has seen of a table, in whichever window; nothing where it keeps nothing. */
  static async of(id: string): Promise<Witness> {
    const witness = new Witness(id);
    // What comes late is added all the same.
    await soon(async () => {
      const kept = await get<Kept>(id);
      witness.before = kept?.last ?? null;
      witness.#add(kept);
    });
    void forgetOld().catch(() => undefined);
    return witness;
  }

  /** What was seen of a deal, if anything. */
  seen(place: { match: number; deal: number }): Seen | null {
    return this.#deals.find((one) => one.match === place.match && one.deal === place.deal) ?? null;
  }

  hear(message: ServerMessage): void {
    if (message.type !== "view" && message.type !== "event") return;
    if (message.head !== undefined) this.#last = { seq: message.seq, head: message.head };
    if (message.type === "view") {
      this.#table = message.table;
      this.#seat = message.you?.seat ?? null;
    } else if (message.table && this.#table) {
      this.#table = { ...this.#table, ...message.table };
    }
    if (message.you) this.#seat = message.you.seat;
    if (message.deal) this.#hearDeal(message.deal, message.you ?? null, message);
  }

  note({ match, deal, round }: Where, first: RoundNote): RoundNote {
    const seen = this.seen({ match, deal }) ?? this.#begin(match, deal);
    if (!seen.rounds[round]) [seen.hand, seen.drawn] = [null, []];
    return (seen.rounds[round] ??= first);
  }

  forgetAfter(match: number, deal: number): void {
    this.#deals = this.#deals.filter((one) => isUpTo([match, deal], one));
    this.#forgotten = [match, deal];
  }

  /** Keep what is noted, with what other windows have kept: then it is noted here as well. */
  async save(): Promise<void> {
    await soon(() =>
      update<Kept>(this.id, (kept) => {
        this.#add(kept);
        this.#forgotten = null;
        return { deals: this.#deals, last: this.#last, latest: this.#latest, at: Date.now() };
      }),
    );
  }

  #add({ deals = [], last = null, latest = [0, 0] }: Partial<Kept> = {}): void {
    const until = this.#forgotten;
    for (const one of deals) {
      if (until && !isUpTo(until, one)) continue;
      const own = this.seen(one);
      if (own) addKept(own, one);
      else this.#deals.push(one);
    }
    this.#deals.sort((one, other) => one.match - other.match || one.deal - other.deal);
    this.#deals = this.#deals.slice(-KEPT);
    this.#last ??= last;
    const [m, d] = this.#latest;
    if (isUpTo(latest, { match: m, deal: d })) this.#latest = latest;
  }

  #begin(match: number, deal: number): Seen {
    const last = this.seen({ match, deal: deal - 1 });
    const known = last && last.dealer !== null && last.end !== null;
    const again = isUpTo(this.#latest, { match, deal });
    if (!again) this.#latest = [match, deal];
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
      again,
    };
    this.#deals = [...this.#deals, seen].slice(-KEPT);
    return seen;
  }

  #hearDeal(deal: Partial<DealView>, you: You | null, message: ServerMessage): void {
    if (deal.number !== undefined && this.#table) {
      this.#now = this.seen({ match: this.#table.match, deal: deal.number });
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
    // Perhaps while this page was away.
    if (deal.end?.fair?.abandoned?.some(({ reason }) => PUT_BACK.includes(reason)))
      this.forgetAfter(seen.match, seen.deal);
    void this.save();
  }
}
