/** A person at a server, by a token: tables of one's own, and lines to them. */

import type {
  Applied,
  DayAnswer,
  DayBegun,
  DayMix,
  DayTable,
  DayTotals,
  FamilyAnswer,
  FamilyLine,
  Friends,
  Ladder,
  LuckTable,
  PlayBody,
  Profile,
  PuzzleAnswer,
  PuzzleRated,
  PuzzlesAnswer,
  ReviewAnswer,
  TableLine,
  TableOptions,
  Waiting,
} from "./answers.js";
import type { Around, Socket } from "./connection.js";
import type { Told } from "./fair.js";
import { LogFault, newest, unproved, type Seen, type Tools } from "./heads.js";
import { sha256 } from "./memory.js";
import { Refusal, toldToWait, type Refused } from "./refusal.js";
import { Table } from "./table.js";

/** Any constructor like that of browsers; `ws` for Node 20, which has none. */
export type SocketClass = new (url: string, options?: object) => unknown;

/** Where the newest head of each server's log is kept, such as a Map; one of your own for longer. */
export interface Heads {
  get: (url: string) => Seen | undefined | Promise<Seen | undefined>;
  set: (url: string, seen: Seen) => unknown;
}

export interface ClientOptions {
  token?: string;
  heads?: Heads;
  WebSocket?: SocketClass;
  /** How long to wait before coming back, in milliseconds: the first time, and at most. */
  waits?: readonly [number, number];
}

/** A contribution to a day: the `digest` of it, and 64 random hex digits. */
export interface Share {
  digest: string;
  value: string;
}

/** An address from its parts, each encoded, and what is asked beside it. */
function path(words: (string | number)[], asked: Record<string, string | number | undefined> = {}) {
  const given = Object.entries(asked).filter(([, value]) => value !== undefined);
  const query = given.map(([name, value]) => `${name}=${encodeURIComponent(value ?? "")}`);
  const place = ["/api", ...words.map((word) => encodeURIComponent(word))].join("/");
  return query.length ? `${place}?${query.join("&")}` : place;
}

const TRIES = 5;
const PAUSE = 300;

/** Null where this runtime can't check a signature. */
const verify: Tools["verify"] = async (signature, body, key) => {
  try {
    const [signed, told] = [signature.slice(), body.slice()];
    const made = await crypto.subtle.importKey("raw", key.slice(), "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", made, signed, told);
  } catch {
    return null;
  }
};

export class Client {
  readonly token: string | undefined;
  readonly #heads: Heads;
  /** Tables whose deals have to be promised, since they were made for that. */
  readonly #promised = new Set<string>();

  constructor(
    readonly url: string,
    private readonly options: ClientOptions = {},
  ) {
    this.token = options.token;
    this.#heads = options.heads ?? new Map<string, Seen>();
  }

  /** Become a guest; keep `token` to come back as the same. */
  static async guest(url: string, name: string, options: ClientOptions = {}): Promise<Client> {
    const body = { name, bearer: true };
    const me = await new Client(url).#call<{ token: string }>("POST", path(["guests"]), body);
    return new Client(url, { ...options, token: me.token });
  }

  /** Sit down against bots, and the match begins; resolves with the table's id. */
  async againstBots(fields: PlayBody = {}): Promise<string> {
    return this.#known((await this.#call<Applied>("POST", path(["play"]), fields)).table);
  }

  /** Open a table; resolves with its id. */
  async create(fields: TableOptions = {}): Promise<string> {
    return this.#known((await this.#call<TableLine>("POST", path(["tables"]), fields)).id);
  }

  #known(table: string): string {
    this.#promised.add(table);
    return table;
  }

  /** The days whose deals are played now, today's first. */
  days(): Promise<DayAnswer[]> {
    return this.#call("GET", path(["days", ""]));
  }

  /** A day by its date, or a challenge by its name, here and below. */
  day(date: string): Promise<DayAnswer> {
    return this.#call("GET", path(["days", date]));
  }

  /** What was contributed to a day. */
  dayMix(date: string): Promise<DayMix> {
    return this.#call("GET", path(["days", date, "mix"]));
  }

  /** Make a challenge: four deals for whoever knows its `date`, for three days. */
  challenge(bot = "neural"): Promise<DayAnswer> {
    return this.#call("POST", path(["days", ""]), { bot }, true);
  }

  /** Begin one's try, perhaps with a contribution to the `next` day, or go on with it; its table. */
  async playDay(date: string, share?: Share): Promise<string> {
    return (await this.#call<DayBegun>("POST", path(["days", date, "play"]), share)).table;
  }

  /** Who has played a day how: a hundred lines from `first` on. */
  dayTable(date: string, first = 0): Promise<DayTable> {
    return this.#call("GET", path(["days", date, "table"], { first }));
  }

  /** What people have in the closed days of the week or the month around a day. */
  dayTotals(date: string, over: "week" | "month" = "week"): Promise<DayTotals> {
    return this.#call("GET", path(["days", date, "totals"], { over }));
  }

  /** The ladder of a season, as `2026-4`, or of the one that runs. */
  ladder(season?: string): Promise<Ladder> {
    return this.#call("GET", path(["ladder"], { season }));
  }

  /** One's own profile, or that of an account by its name. */
  profile(name?: string): Promise<Profile> {
    return this.#call("GET", path(name === undefined ? ["me", "profile"] : ["profiles", name]));
  }

  /** One's friends, who asks to be one, who is asked, who was met, and who is blocked. */
  friends(): Promise<Friends> {
    return this.#call("GET", path(["friends"]));
  }

  /** Ask somebody to be a friend, or agree to who has asked. */
  befriend(whom: { user: string } | { name: string }): Promise<void> {
    return this.#call("POST", path(["friends"]), whom);
  }

  /** Be no friends any more, withdraw what one has asked, or refuse who has asked. */
  part(user: string): Promise<void> {
    return this.#call("DELETE", path(["friends", user]));
  }

  /** Keep apart from a person, who is not told. */
  block(user: string): Promise<void> {
    return this.#call("POST", path(["blocks"]), { user });
  }

  /** Block a person no more. */
  unblock(user: string): Promise<void> {
    return this.#call("DELETE", path(["blocks", user]));
  }

  /** Call a friend to a table where one sits, for as long as one sits there. */
  call(table: string, user: string): Promise<void> {
    return this.#call("PUT", path(["tables", table, "invitations", user]));
  }

  /** The tables where somebody waits for oneself: friends who call, families that sit. */
  waiting(): Promise<Waiting[]> {
    return this.#call("GET", path(["me", "waiting"]));
  }

  /** Decline a friend's call to a table. */
  decline(table: string): Promise<void> {
    return this.#call("DELETE", path(["me", "invitations", table]));
  }

  /** The unluckiest of the week, of those who have opened their profile. */
  luck(): Promise<LuckTable> {
    return this.#call("GET", path(["luck"]));
  }

  /** The family tables where one is a regular. */
  families(): Promise<FamilyLine[]> {
    return this.#call("GET", path(["families"]));
  }

  /** The family table of a link. */
  family(link: string): Promise<FamilyAnswer> {
    return this.#call("GET", path(["families", link]));
  }

  /** A family table of one's own. */
  makeFamily(name: string, options: TableOptions = {}): Promise<FamilyAnswer> {
    return this.#call("POST", path(["families"]), { name, options }, true);
  }

  /** Change the name or the rules of one's family table, or with `fresh` its link. */
  changeFamily(
    link: string,
    change: { name?: string; options?: TableOptions; fresh?: boolean },
  ): Promise<FamilyAnswer> {
    return this.#call("PATCH", path(["families", link]), change);
  }

  /** Have a person be no regular any more: oneself, or of one's own family table another. */
  leaveFamily(link: string, user: string): Promise<void> {
    return this.#call("DELETE", path(["families", link, "regulars", user]));
  }

  /** End one's family table; matches stay. */
  endFamily(link: string): Promise<void> {
    return this.#call("DELETE", path(["families", link]));
  }

  /** Sit down at a family's table, opened where there is none; resolves with the table's id. */
  async sitWithFamily(link: string): Promise<string> {
    return this.#known((await this.#call<Applied>("POST", path(["families", link, "sit"]))).table);
  }

  /** The numbers of the positions to solve by what they are about, all or under a rule set. */
  async puzzles(rules?: string): Promise<PuzzlesAnswer["themes"]> {
    return (await this.#call<PuzzlesAnswer>("GET", path(["puzzles"], { rules }))).themes;
  }

  /** A position to solve, with its answer. */
  puzzle(number: number): Promise<PuzzleAnswer> {
    return this.#call("GET", path(["puzzles", number]));
  }

  /** Answer a position with an action: what it and oneself are rated after one's first answer. */
  answerPuzzle(number: number, action: string): Promise<PuzzleRated> {
    return this.#call("POST", path(["puzzles", number, "answer"]), { action });
  }

  /** Play a deal of one's own again, from the action `at` on; both count from 0; its table. */
  async again(match: string, deal: number, at = 0, bot = "greedy"): Promise<string> {
    const place = path(["matches", match, "deals", deal, "again"]);
    return (await this.#call<Applied>("POST", place, { at, bot }, true)).table;
  }

  /** What there is of a match's review. */
  review(match: string): Promise<ReviewAnswer> {
    return this.#call("GET", path(["matches", match, "review"]));
  }

  /** Have a match reviewed, unless it was. */
  askReview(match: string): Promise<ReviewAnswer> {
    return this.#call("POST", path(["matches", match, "review"]));
  }

  /**
   * Hold the server's log to what was seen of it, and keep its newest head: true where its signature
   * was checked as well, false where nothing here can, null where no server answers or nothing is known
   * of its log, or where for less than a day or five tries it answers all but its head, or tells
   * heads without proof. Rejects with a LogFault.
   */
  async compareHeads(): Promise<boolean | null> {
    let known: Seen | null = null;
    try {
      known = (await this.#heads.get(this.url)) ?? null;
      const { seen, signed } = await newest(known, {
        ask: (place) => this.#answer(place),
        sha256,
        verify,
      });
      await this.#heads.set(this.url, seen);
      return signed;
    } catch (error) {
      if (error instanceof LogFault && error.code !== "log-unproved") throw error;
      if (!known || !(error instanceof Refusal || (await this.#answers()))) return null;
      const { seen, long } = unproved(known);
      await this.#heads.set(this.url, seen);
      if (!long) return null;
      throw new LogFault("log-unproved");
    }
  }

  /**
   * Check the deals that a table has `unchecked`, by the records of their matches. Rejects with
   * `unfair-deal` as at the table, and with `no-match` before the match is over.
   */
  async checkEnds(table: Table): Promise<void> {
    for (const [match, deal] of table.unchecked) {
      const place = path(["matches", `${table.id}-${match}`, "record"]);
      const { deals } = await this.#call<{ deals: { fair?: Told }[] }>("GET", place);
      await table.checkEnd(match, deal, deals[deal]?.fair);
    }
  }

  /** A line to a table; close it when done. A log that was changed ends it. */
  join(table: string): Table {
    const around: Around = {
      open: (url) => this.#open(url),
      waits: this.options.waits,
    };
    const address = `${this.url.replace(/^http/, "ws")}/ws/${encodeURIComponent(table)}`;
    const joined = new Table(table, address, () => this.#answers(), around);
    joined.promised = this.#promised.has(table);
    this.compareHeads().catch((error: LogFault) => joined.end(error));
    return joined;
  }

  #open(url: string): Socket {
    const Made = this.options.WebSocket ?? (globalThis.WebSocket as unknown as SocketClass);
    // Only programs have a token: in browsers a cookie says who one is.
    const headers = { Authorization: `Bearer ${this.token}` };
    const socket = (this.token ? new Made(url, { headers }) : new Made(url)) as Socket & {
      onerror: () => void;
    };
    socket.onerror = () => undefined; // the close that follows says all
    return socket;
  }

  async #answers(): Promise<"none" | null> {
    return fetch(`${this.url}/version`).then(
      (answer) => (answer.ok ? "none" : null),
      () => null,
    );
  }

  /** With `once` it isn't sent again where the line breaks: it may have been done by then. */
  async #call<T>(method: string, place: string, body?: object, once = false): Promise<T> {
    const headers: Record<string, string> = {};
    if (method === "POST") headers["Idempotency-Key"] = crypto.randomUUID(); // it makes one table
    if (body) headers["Content-Type"] = "application/json";
    if (this.token) headers["Authorization"] = `Bearer ${this.token}`;
    const sent = { method, headers, body: body ? JSON.stringify(body) : null };
    for (let tries = 1; ; tries++) {
      try {
        return await this.#answer(place, sent);
      } catch (error) {
        const told = toldToWait(error);
        if ((error instanceof Refusal ? !told : once) || tries >= TRIES) throw error;
        const wait = Math.max(PAUSE * 2 ** tries, told * 1000);
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  }

  async #answer<T>(place: string, sent?: RequestInit): Promise<T> {
    const answer = await fetch(this.url + place, sent);
    if (answer.status === 204) return undefined as T;
    const data = (await answer.json()) as T & { error: Refused };
    if (!answer.ok) throw new Refusal(data.error);
    return data;
  }
}
