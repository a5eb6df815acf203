/** One's own part in fair deals, as docs/en/fairness.md says: for programs and for the page. */

import type { DealView, ServerMessage, TableView } from "./protocol.js";

/** Which round a promise belongs to. */
export interface Where {
  table: string;
  match: number;
  deal: number;
  round: number;
}

/** What was shown of a round first, and what was given to it: kept until the deal is checked. */
export interface RoundNote {
  commitment: string;
  /** The own contribution, if one was drawn. */
  given: string | null;
  /** Whether its commitment was among those shown. */
  gave: boolean;
  transcript: string | null;
  /** What each seat was seen to reveal. */
  opened: (string | null)[];
  /** Whether it was dealt: then no opening was missing. */
  dealt?: boolean;
}

/** Where the notes of a table are kept; `note` gives the same object until it is forgotten. */
export interface Notes {
  /** How each deal was told to have ended, by match and number, and after which loss. */
  readonly sheets: Map<string, [sheet: string, losses: string]>;
  /** Which loss of rows the server has told of last at this table. */
  readonly losses: string;
  note(where: Where, first: RoundNote): RoundNote;
  /** Resolves once they are kept; a note may then have what another window was shown before. */
  save(): Promise<void>;
  /** The server has files of before: what came after that deal comes anew. */
  forgetAfter(match: number, deal: number): void;
}

/** A round as it was opened: what was promised, given and revealed. */
export interface Opened {
  commitment: string;
  context: Where;
  terms: unknown;
  seats: readonly string[];
  commitments: readonly string[];
  randomness: readonly string[];
  secret: string;
}
export interface Abandoned extends Omit<Opened, "context" | "terms"> {
  reason: string;
}

/** What a deal tells of its fairness. */
export type Told = Opened & { abandoned?: readonly Abandoned[] };

type Bytes = Uint8Array<ArrayBuffer>;
export type Digest = (bytes: Bytes) => Uint8Array | Promise<Uint8Array>;

export const BOT = "bot:";
/** Reasons to throw a round away: an opening is missing, or the server's files were put back. */
const UNOPENED = ["not-revealed", "left"];
export const PUT_BACK = ["log-truncated", "restored"];
export const words = new TextEncoder();

export function joined(...parts: Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export function eight(n: number): Bytes {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(n));
  return bytes;
}

export function sized(bytes: Uint8Array): Bytes {
  return joined(eight(bytes.length), bytes);
}

export function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** JSON in one form: names in order, no blanks. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [two]) => (one < two ? -1 : 1)))
      : part,
  );
}

function labelled(label: string, where: Where, ...parts: Uint8Array[]): Bytes {
  const numbers = [where.match, where.deal, where.round].map(eight);
  const name = sized(words.encode(where.table));
  return joined(words.encode(`okey101 fair ${label} 1`), name, ...numbers, ...parts);
}

/** What the server's commitment is the SHA-256 of. */
export function commitmentBytes(where: Where, secret: string): Bytes {
  return labelled("commitment", where, bytesOf(secret));
}

/** The same of a seat's commitment. */
export function contributionBytes(
  where: Where,
  promised: string,
  seat: number,
  random: string,
): Bytes {
  return labelled("contribution", where, bytesOf(promised), eight(seat), bytesOf(random));
}

/** The same of the transcript: all that was shown before anything is revealed. */
export function transcriptBytes(
  where: Where,
  promised: string,
  seats: readonly string[],
  commitments: readonly (string | null)[],
  terms: unknown,
): Bytes {
  const each = seats.flatMap((who, seat) => [
    sized(words.encode(who)),
    sized(bytesOf(commitments[seat] ?? "")),
  ]);
  const shown = sized(words.encode(canonical(terms)));
  return labelled("transcript", where, bytesOf(promised), shown, eight(seats.length), ...each);
}

/** Whether there was a reason to throw a round away: a complete one is dealt. */
export function hasReason({ reason, commitments, randomness }: Abandoned): boolean {
  const missing = commitments.some((shown, seat) => shown && !randomness[seat]);
  return PUT_BACK.includes(reason) || (UNOPENED.includes(reason) && missing);
}

/** Which loss of rows a head tells of last, as a text. */
export function lossesOf(head: string | undefined): string {
  return head?.split(".")[0] ?? "";
}

/** Whether files were put back in one of these rounds, which may have lost what was shown. */
export function isPutBack(rounds: readonly { reason: string }[]): boolean {
  return rounds.some(({ reason }) => PUT_BACK.includes(reason));
}

/** What is noted of a round when it is first heard of. */
export function noteOf(commitment: string): RoundNote {
  return { commitment, given: null, gave: false, transcript: null, opened: [] };
}

export type Promised = NonNullable<TableView["commitment"]>;

/** Whether a message shows another table than one's own: a promise for that one would be a gift. */
export function isOfAnother(message: ServerMessage, table: string): boolean {
  const shown = message.type === "view" || message.type === "event" ? message.table?.id : undefined;
  return shown !== undefined && shown !== table;
}

/** Whether a seat is shown as the transcript has it, or its person has left since: was that one `seen`? */
function sits(who: string, seat: TableView["seats"][number] | undefined, seen: boolean): boolean {
  if (who.startsWith(BOT)) return who.slice(BOT.length).split("/")[0] === seat?.bot;
  return seat !== undefined && (seat.id === who || (seat.bot !== null && seen));
}

/** Whether a deal comes after those that are over, or is the last of them. */
export function isCounted({ scores }: TableView, { number, result }: DealView): boolean {
  return scores.deals.length - number === (result ? 1 : 0);
}

/** The contributions of one person at one table; whatever does not fit is thrown as an Error. */
export class FairRounds {
  /** Who was seen in which seat, by promise, from before all had committed. */
  #people = new Map<string, Set<string>>();

  constructor(
    protected readonly table: string,
    private readonly hash: Digest,
    protected readonly notes: Notes,
  ) {}

  protected async digest(bytes: Bytes): Promise<string> {
    return hexOf(await this.hash(bytes));
  }

  /**
   * The next command of a seat in the round that is shown, null for none; without a seat it is
   * only looked at. Throws where what is shown is not what was: nothing is revealed then.
   */
  async step(
    table: TableView,
    seat: number | null,
  ): Promise<{ type: "commit"; commitment: string } | { type: "reveal"; random: string } | null> {
    const { commitment: promise, round } = table;
    this.compare(table);
    if (!promise || !round || promise.round !== round.number) return null;
    if (table.stage !== "dealing") return null;
    if (
      promise.match !== table.match ||
      promise.deal !== table.scores.deals.length ||
      round.number !== round.abandoned.length
    )
      throw new Error("matches, deals and rounds are not counted one by one");
    const where = {
      table: this.table,
      match: promise.match,
      deal: promise.deal,
      round: round.number,
    };
    if (isPutBack(round.abandoned)) this.putBack(where.match, where.deal);
    const note = this.notes.note(where, noteOf(promise.value));
    if (note.commitment !== promise.value) throw new Error("the server has changed its commitment");
    if (!round.shown && !this.#people.has(promise.value))
      this.#people.set(promise.value, new Set());
    for (const [at, { id }] of table.seats.entries())
      this.#people.get(promise.value)?.add(`${at} ${id}`);
    const shown = seat === null ? null : (round.commitments[seat] ?? null);
    if (!round.shown) {
      // Who has left the seat may be shown late what was before.
      if (note.transcript !== null && seat === null) return null;
      if (note.transcript !== null) throw new Error("a round that was shown begins again");
      const asked = seat !== null && shown === null && !round.left_out.includes(seat);
      if (asked) note.given ??= hexOf(crypto.getRandomValues(new Uint8Array(32)));
      await this.#keep(note, promise.value);
      if (!asked || note.given === null) return null;
      const bytes = contributionBytes(where, note.commitment, seat, note.given);
      return { type: "commit", commitment: await this.digest(bytes) };
    }
    await this.#look(table, where, note);
    if (seat === null || note.given === null || shown === null) return null;
    const bytes = contributionBytes(where, note.commitment, seat, note.given);
    if (shown !== (await this.digest(bytes)))
      throw new Error("another commitment is shown for this seat");
    note.gave = true;
    await this.notes.save();
    return round.randomness[seat] ? null : { type: "reveal", random: note.given };
  }

  /** Deals with other scores than were shown came anew, where the server has told of a loss since. */
  compare({ match, scores }: TableView): void {
    const { sheets, losses } = this.notes;
    for (const [deal, sheet] of scores.deals.entries()) {
      const [key, told] = [`${match} ${deal}`, canonical(sheet)];
      const [was, after] = sheets.get(key) ?? [told];
      if (was !== told) {
        if (after === losses) throw new Error("a deal that is over is told with other scores");
        this.putBack(match, deal);
      }
      sheets.set(key, [told, losses]);
    }
  }

  /** The line is broken: who comes and leaves meanwhile is not seen. */
  away(): void {
    this.#people.clear();
  }

  /** What is shown to all has to be what its transcript covers, and what was shown before. */
  async #look({ round, seats, options }: TableView, where: Where, note: RoundNote): Promise<void> {
    const sat = round?.seats ?? [];
    const shown = round?.commitments ?? [];
    const people = this.#people.get(note.commitment);
    const seen = (who: string, at: number) => people?.has(`${at} ${who}`) ?? true;
    if (sat.length !== seats.length || !sat.every((who, at) => sits(who, seats[at], seen(who, at))))
      throw new Error("others sit here than the transcript says");
    const told = await this.digest(transcriptBytes(where, note.commitment, sat, shown, options));
    if (told !== round?.transcript || told !== (note.transcript ?? told))
      throw new Error("the transcript is not that of what is shown");
    note.transcript = told;
    note.opened = round.randomness.map((given, seat) => note.opened[seat] ?? given);
    await this.#keep(note, note.commitment, told);
  }

  /** Keep a note: whoever keeps it may know by now that something else was shown before. */
  async #keep(note: RoundNote, promised: string, told?: string): Promise<void> {
    await this.notes.save();
    if (note.commitment !== promised || (told !== undefined && note.transcript !== told))
      throw new Error("another window was shown something else");
  }

  /** The server has files of before: what came after that deal comes anew, and its own end does. */
  putBack(match: number, deal: number): void {
    this.notes.forgetAfter(match, deal);
  }
}
