/** What this page itself was shown of each deal, kept for the check when the deal is over.

A server that tells another story afterwards is caught by this alone, so nothing is ever replaced:
what was shown first is what counts, in whichever window. It outlives its window, whatever is done
with it. */

import { del, entries, get, update } from "idb-keyval";
import { isPutBack, lossesOf, type Notes, type RoundNote, type Where } from "./fairness";
import type { DealView, ServerMessage, TableView, What, You } from "./protocol";

/** What was shown of a deal while it was played; nothing of it may be another thing later. */
export interface Played {
  dealer: number;
  indicator: string;
  /** As many as were shown. */
  actions: readonly string[];
  /** The own seat; null for an onlooker. */
  seat: number | null;
  /** The own hand after so many actions, whenever it had changed. */
  hands: [number, string][];
  /** Whether it was shown once as this and once as that. */
  changed: boolean;
}

/** What one page has seen of a deal. */
export interface Seen {
  match: number;
  deal: number;
  /** The round that was shown last. */
  round: number;
  rounds: Record<number, RoundNote>;
  /** What was dealt from each round. */
  played: Record<number, Played>;
  /** How the deal before ended, by which the dealer follows. */
  before: { dealer: number; end: string } | null;
  /** How many deals began in a row that had begun before, or a later one: files were put back. */
  again?: number;
  /** After which loss it was shown last. */
  losses?: string;
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
  sheets?: [deal: string, sheet: [string, string]][];
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

/** Whether no round of a deal was promised in two ways. */
function promisesSame(own: Seen, kept: Seen): boolean {
  return Object.entries(kept.rounds).every(
    ([number, { commitment }]) =>
      (own.rounds[Number(number)]?.commitment ?? commitment) === commitment,
  );
}

/** Add to what is noted here what was kept before by another window: that was shown first. */
function addKept(own: Seen, kept: Seen): void {
  own.again ||= kept.again;
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
  for (const [number, first] of Object.entries(kept.played))
    addPlayed((own.played[Number(number)] ??= first), first);
}

/** The same of a deal while it was played: two windows that were shown other tiles tell of it. */
function addPlayed(own: Played, kept: Played): void {
  own.changed ||= kept.changed;
  addShown(own, kept);
  for (const [count, hand] of kept.hands) addHand(own, count, kept.seat, hand);
  own.hands.sort(([one], [other]) => one - other);
}

/** Note what lies open. */
function addShown(own: Played, shown: Pick<Played, "dealer" | "indicator" | "actions">): void {
  const { dealer, indicator, actions } = shown;
  const goesOn = begins(actions, own.actions) || begins(own.actions, actions);
  own.changed ||= !goesOn || own.dealer !== dealer || own.indicator !== indicator;
  if (actions.length > own.actions.length) own.actions = actions;
}

/** Note the own hand. */
function addHand(own: Played, count: number, seat: number | null, hand: string): void {
  const known = own.hands.find(([at]) => at === count)?.[1];
  if (known === undefined && own.hands.at(-1)?.[1] !== hand) own.hands.push([count, hand]);
  own.seat ??= seat;
  own.changed ||= own.seat !== seat || (known ?? hand) !== hand;
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
  /** When something was kept before. */
  at = 0;
  readonly sheets: Notes["sheets"] = new Map();
  #deals: Seen[] = [];
  #seq = -1;
  #table: TableView | null = null;
  #deal: DealView | null = null;
  /** The last deal that was seen to be over. */
  #over: { match: number; deal: number; dealer: number; end: string } | null = null;
  #last: Row | null = null;
  #latest: [match: number, deal: number] = [0, 0];
  #again = 0;
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

  get losses(): string {
    return lossesOf(this.#last?.head);
  }

  /** What was seen of a deal, if anything. */
  seen(place: { match: number; deal: number }): Seen | null {
    return this.#deals.find((one) => one.match === place.match && one.deal === place.deal) ?? null;
  }

  hear(message: ServerMessage): void {
    if (message.type === "resumed" && this.#table && this.#deal)
      this.#hearDeal(this.#table, this.#deal, message.you ?? null);
    if (message.type !== "view" && message.type !== "event") return;
    if (message.head !== undefined) this.#last = { seq: message.seq, head: message.head };
    if (message.type === "view") {
      ({ table: this.#table, deal: this.#deal } = message);
    } else {
      if (message.seq <= this.#seq || !this.#table) return; // it was told before
      this.#table = { ...this.#table, ...message.table };
      if (message.deal) this.#deal = patched(this.#deal, message.deal, message.what);
    }
    this.#seq = message.seq;
    if (this.#deal && (message.deal || message.you))
      this.#hearDeal(this.#table, this.#deal, message.you ?? null);
  }

  note({ match, deal, round }: Where, first: RoundNote): RoundNote {
    const seen = this.#shown({ match, deal, round }, first.commitment) ?? this.#begin(match, deal);
    seen.round = round;
    return (seen.rounds[round] ??= first);
  }

  /** What was seen of a deal; it comes anew where it is promised otherwise and a loss was told since. */
  #shown({ match, deal, round }: Omit<Where, "table">, promised: string): Seen | null {
    const seen = this.seen({ match, deal });
    if (!seen) return null;
    const is = (seen.rounds[round]?.commitment ?? promised) === promised;
    if (is) seen.losses = this.losses;
    if (is || seen.losses === this.losses) return seen;
    this.forgetAfter(match, deal - 1);
    return this.#begin(match, deal);
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
        const sheets = [...this.sheets].slice(-KEPT);
        const told = { deals: this.#deals, last: this.#last, latest: this.#latest, sheets };
        return { ...told, at: Date.now() };
      }),
    );
  }

  #add(kept: Partial<Kept> = {}): void {
    const { deals = [], last = null, latest = [0, 0], sheets = [], at = 0 } = kept;
    const until = this.#forgotten;
    this.at = at;
    for (const one of deals) {
      if (until && !isUpTo(until, one)) continue;
      const own = this.seen(one);
      if (!own) this.#deals.push(one);
      else if (own.losses === one.losses || promisesSame(own, one)) addKept(own, one);
      // It came anew, and one of them is from before.
      else if (own.losses !== this.losses) this.#deals[this.#deals.indexOf(own)] = one;
      else own.again ||= 1;
    }
    this.#deals.sort((one, other) => one.match - other.match || one.deal - other.deal);
    this.#deals = this.#deals.slice(-KEPT);
    this.#last ??= last;
    for (const [deal, sheet] of sheets) if (!this.sheets.has(deal)) this.sheets.set(deal, sheet);
    const [m, d] = this.#latest;
    if (isUpTo(latest, { match: m, deal: d })) this.#latest = latest;
  }

  #begin(match: number, deal: number): Seen {
    const over = this.#over;
    const follows = over && over.match === match && over.deal === deal - 1;
    this.#again = isUpTo(this.#latest, { match, deal }) ? this.#again + 1 : 0;
    if (!this.#again) this.#latest = [match, deal];
    const seen: Seen = {
      match,
      deal,
      round: 0,
      rounds: {},
      played: {},
      before: follows ? { dealer: over.dealer, end: over.end } : null,
      again: this.#again,
      losses: this.losses,
    };
    this.#deals = [...this.#deals, seen].slice(-KEPT);
    return seen;
  }

  #hearDeal({ match, commitment }: TableView, deal: DealView, you: You | null): void {
    const { number, dealer, indicator, actions, result, end } = deal;
    if (result) this.#over = { match, deal: number, dealer, end: result.end };
    const now = commitment?.match === match && commitment.deal === number ? commitment : null;
    const seen = now ? this.#shown(now, now.value) : this.seen({ match, deal: number });
    if (!seen) return;
    if (now) seen.round = now.round;
    const played = (seen.played[seen.round] ??= {
      ...{ dealer, indicator, actions, hands: [] },
      ...{ seat: null, changed: false },
    });
    addShown(played, deal);
    // Once it is over one may have another seat.
    if (!result && you?.hand !== undefined) addHand(played, actions.length, you.seat, you.hand);
    // Perhaps while this page was away.
    if (isPutBack(end?.fair?.abandoned ?? [])) this.forgetAfter(seen.match, seen.deal);
    void this.save();
  }
}

/** A deal with what an event changes of it: one that begins is told as a whole, none is empty. */
export function patched(
  deal: DealView | null,
  patch: Partial<DealView>,
  what: What,
): DealView | null {
  if (patch.indicator !== undefined) return patch as DealView;
  if (!deal || Object.keys(patch).length === 0) return null;
  const done = what.kind === "act" ? what.actions.map((act) => `${what.seat}: ${act}`) : [];
  return { ...deal, ...patch, actions: [...deal.actions, ...done] };
}

/** Whether a list begins with all of another one. */
export function begins(all: readonly string[], first: readonly string[]): boolean {
  return first.every((one, at) => all[at] === one);
}
