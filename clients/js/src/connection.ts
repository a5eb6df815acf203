/**
 * The socket of a table, of the page as of programs: says hello with the last seq, comes back by itself, and sends what was not
 * acknowledged again under the same mark, but no action whose deal was thrown away.
 */

import type { Answer, Command, Question, ServerMessage, TableView } from "./protocol.js";
import { LONGEST_WAIT, OFFLINE, Refusal, TURN_OVER } from "./refusal.js";
import { CLOSE } from "./closeCodes.js";

export type Status = "connecting" | "open" | "lost" | "ended";

/** Why the connection is over for good; the page has words for each. */
const ENDINGS = [
  "replaced",
  "table-closed",
  "no-table",
  "kicked",
  "spectators-off",
  "signed-out",
  "session-changed",
  "banned",
  "deleted",
  "refused",
] as const;
export type Ending = (typeof ENDINGS)[number];

const FINAL: Record<number, Ending> = {
  [CLOSE.REPLACED]: "replaced",
  [CLOSE.GONE]: "table-closed",
  [CLOSE.KICKED]: "kicked",
  [CLOSE.UNSEEN]: "spectators-off",
  [CLOSE.SIGNED_OUT]: "signed-out",
};
/** How many handshakes fail before asking why: a browser does not show a script the status. */
const REFUSALS = 3;
/** How often the server may answer that nothing is wrong while it refuses every socket. */
const RIDDLES = 5;
const WAITS = [400, 8000] as const;
/** How long the server may say nothing: then it is asked, it is called silent, it is given up. */
const IDLE = 3_000;
const SILENT = 4_500;
const GIVEN_UP = 20_000;
/** How long an answer may take before that is said. */
const SLOW = 2_000;
const LOOK = 250;
/** What the server can't do now but will be asked again. */
const LATER = ["store-failed", "draining", "accounts-busy"];

type Done = Extract<ServerMessage, { type: "ack" | "answer" }>;

/** Where a table is: its last row, and the promise by which its deal is known. */
interface Place {
  readonly seq: number;
  readonly promise: TableView["commitment"];
}

/** Whether the deal that an action was meant for is no more, though another may be in its place. */
function thrownAway(meant: Place, now: Place): boolean {
  const [was, is] = [meant.promise, now.promise];
  if (now.seq < meant.seq) return true; // the server has lost rows
  if (!was || !is) return false;
  return was.match !== is.match || (was.deal === is.deal && was.value !== is.value);
}

/** A message of the server; null for what can't be one. */
function read(text: string): ServerMessage | null {
  try {
    return JSON.parse(text) as ServerMessage | null;
  } catch {
    return null;
  }
}

interface Waiting {
  text: string;
  /** What an action, or the question whether it may be, is meant for; null for anything else. */
  meant: Place | null;
  since: number;
  resolve: (done: Done) => void;
  reject: (error: unknown) => void;
}

/** What is used of a WebSocket. */
export interface Socket {
  readonly readyState: number;
  onopen: (() => void) | null;
  onmessage: ((event: { data: string }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  send(text: string): void;
  close(): void;
}

/** What a connection is told by where it runs; browsers need none of it. */
export interface Around {
  /** Open a socket; programs outside of a browser send their token as a header here. */
  open: (url: string) => Socket;
  /** How long to wait before coming back, in milliseconds: the first time, and at most. */
  waits?: readonly [number, number];
}

const BROWSER: Around = { open: (url) => new WebSocket(url) as Socket };
const OPEN = 1;

export interface Events {
  message: (message: ServerMessage) => void;
  status: (status: Status, ending: Ending | null) => void;
  /** Whether the server says nothing, and whether something that was asked waits for its answer. */
  waits: (silent: boolean, unanswered: boolean) => void;
  /** The last seq that was taken in, null for none. */
  seq: () => number | null;
  /** What came with that row, by which the server knows its own word; null for nothing. */
  head: () => string | null;
  /** Why the server might refuse sockets: `none` as far as it says, null where it says nothing. */
  why: () => Promise<"banned" | "none" | null>;
}

export class Connection {
  #socket: Socket | null = null;
  #waiting = new Map<string, Waiting>();
  #count = 0;
  #tries = 0;
  #refusals = 0;
  #riddles = 0;
  /** How often the server has failed since all was answered: what is sent again may be why. */
  #failed = 0;
  #heard = 0;
  #pinged = 0;
  #looked = 0;
  #silent = false;
  #unanswered = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #watch: ReturnType<typeof setInterval> | undefined;
  /** When the server has said that it listens again, and what is sent once more by then. */
  #later = 0;
  #dues: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  #place: Place = { seq: 0, promise: null };
  readonly #mark = Math.random().toString(36).slice(2, 8);

  constructor(
    private readonly url: string,
    private readonly events: Events,
    private readonly around = BROWSER,
  ) {
    for (const [where, name, heard] of this.#heeded()) where?.addEventListener(name, heard);
    this.#open();
  }

  /** Send a command; resolves when it is durable, rejects with a Refusal. */
  async command(command: Command): Promise<number | null> {
    const done = await this.#answered(command);
    return done.type === "ack" ? done.seq : null;
  }

  /** Ask something; resolves with the answer, rejects with a Refusal. */
  async ask(question: Question): Promise<Answer> {
    const done = await this.#answered(question);
    if (done.type !== "answer") throw new TypeError(`no answer to ${question.what}`);
    return done;
  }

  #answered(message: Command | Question): Promise<Done> {
    const { type, ...fields } = message;
    const rid = `${this.#mark}.${++this.#count}`;
    const text = JSON.stringify({ type, rid, ...fields });
    if (this.#closed) return Promise.reject(new Refusal(OFFLINE));
    return new Promise((resolve, reject) => {
      const moves = type === "act" || (message.type === "ask" && message.what === "check");
      const meant = moves ? this.#place : null;
      this.#waiting.set(rid, { text, meant, since: Date.now(), resolve, reject });
      this.#send(text);
      if (this.#tries) this.#tell(this.#silent, this.#unheard());
    });
  }

  /** Open a new socket: somebody has signed in since. */
  again(): void {
    const old = this.#socket;
    this.#socket = null;
    old?.close();
    clearTimeout(this.#timer);
    if (!this.#closed) this.#open();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#dues);
    clearInterval(this.#watch);
    for (const [where, name, heard] of this.#heeded()) where?.removeEventListener(name, heard);
    this.#socket?.close();
    this.#refuse();
  }

  /** Nothing answers any more what still waits. */
  #refuse(): void {
    for (const waiting of this.#waiting.values()) waiting.reject(new Refusal(OFFLINE));
    this.#waiting.clear();
  }

  /** What a browser tells of the network and of the page. */
  #heeded(): [EventTarget | undefined, string, () => void][] {
    const { window, document } = globalThis as Partial<typeof globalThis>;
    return [
      [window, "online", this.#now],
      [window, "offline", this.#offline],
      [document, "visibilitychange", this.#now],
    ];
  }

  #now = (): void => {
    if (document.visibilityState === "visible" && !this.#socket && !this.#closed) {
      clearTimeout(this.#timer);
      this.#open();
    }
  };

  /** The device has no network: no need to wait until that shows. */
  #offline = (): void => this.#drop();

  #send(text: string): void {
    if (this.#socket?.readyState === OPEN) this.#socket.send(text);
  }

  #open(): void {
    this.events.status(this.#tries ? "lost" : "connecting", null);
    const socket = this.around.open(this.url);
    let opened = false;
    this.#socket = socket;
    this.#heard = this.#looked = Date.now();
    socket.onopen = () => {
      this.#refusals = 0;
      this.#riddles = 0;
      opened = true;
      const head = this.events.head() ?? undefined;
      const seq = this.events.seq();
      socket.send(JSON.stringify({ type: "hello", seq, head, options: true }));
    };
    socket.onmessage = (event) => {
      if (this.#socket !== socket) return;
      this.#heard = Date.now();
      const message = read(event.data);
      if (message) this.#take(message);
      else this.#drop(); // what it said is asked for anew
    };
    socket.onclose = (event) => {
      if (this.#socket !== socket) return;
      if (!opened) this.#refusals += 1;
      this.#gone(event);
    };
    clearInterval(this.#watch);
    this.#watch = setInterval(() => this.#look(), LOOK);
  }

  /** Notice what doesn't come: neither browser nor network need say that a server is silent. */
  #look(): void {
    const now = Date.now();
    if (now - this.#looked > IDLE) this.#heard = now; // the page itself was asleep
    this.#looked = now;
    const quiet = now - this.#heard;
    if (quiet > GIVEN_UP) {
      this.#drop();
      return;
    }
    if (quiet > IDLE && now - this.#pinged > IDLE) {
      this.#pinged = now;
      this.#send('{"type":"ping"}');
    }
    this.#tell(quiet > SILENT, this.#unheard());
  }

  /** Whether something waits for its answer too long, or an action for the line to come back. */
  #unheard(): boolean {
    const late = ({ meant, since }: Waiting) => (this.#tries ? meant : Date.now() - since > SLOW);
    return [...this.#waiting.values()].some(late);
  }

  #tell(silent: boolean, unanswered: boolean): void {
    if (silent === this.#silent && unanswered === this.#unanswered) return;
    this.#silent = silent;
    this.#unanswered = unanswered;
    this.events.waits(silent, unanswered);
  }

  /** Follow where the table is. */
  #follow(message: Extract<ServerMessage, { seq: number; at: number }>): void {
    const { seq } = this.#place;
    if (message.type === "event" && message.seq <= seq) return;
    const told = message.type === "resumed" ? undefined : message.table?.commitment;
    const promise = told === undefined ? this.#place.promise : told;
    this.#place = { seq: message.seq, promise };
  }

  /** Send what got no answer once more, or refuse it where it is too late. */
  #sendAgain(unanswered: [string, Waiting][]): void {
    for (const [rid, { text, meant, reject }] of unanswered) {
      if (!meant || !thrownAway(meant, this.#place)) {
        this.#send(text);
        continue;
      }
      this.#waiting.delete(rid);
      reject(new Refusal(TURN_OVER));
    }
  }

  #take(message: ServerMessage): void {
    if (message.type === "view" || message.type === "resumed" || message.type === "event") {
      this.#follow(message);
    }
    if (message.type === "event" && this.#waiting.size === 0) this.#failed = 0;
    if (message.type === "view" || message.type === "resumed") {
      this.#tries = 0;
      this.#tell(false, false);
      const unanswered = [...this.#waiting];
      this.events.status("open", null);
      this.events.message(message);
      this.#sendAgain(unanswered);
      return;
    }
    if (message.type === "ack" || message.type === "answer") {
      this.#failed = 0;
      const waiting = this.#waiting.get(message.rid);
      this.#waiting.delete(message.rid);
      waiting?.resolve(message);
      return;
    }
    if (message.type === "error" && message.rid) {
      if (LATER.includes(message.code)) {
        this.#putOff(1); // the line stays, so nothing else sends it again
        return;
      }
      const waiting = this.#waiting.get(message.rid);
      this.#waiting.delete(message.rid);
      waiting?.reject(new Refusal(message));
      return;
    }
    if (message.type === "error" && message.code === "rate-limited") {
      this.#putOff(Number(message.details["seconds"] ?? 1));
    }
    this.events.message(message);
  }

  /** The server has not read it, for it was told too much at once, or can't do it yet. */
  #putOff(seconds: number): void {
    this.#later = Date.now() + Math.min(seconds, LONGEST_WAIT) * 1000;
    clearTimeout(this.#dues);
    this.#dues = setTimeout(() => this.#sendAgain([...this.#waiting]), this.#later - Date.now());
  }

  /** Let a socket go that is of no use: the browser itself would wait for its end. */
  #drop(): void {
    const socket = this.#socket;
    if (!socket) return;
    this.#socket = null;
    socket.close();
    this.#gone({ code: 1006, reason: "" });
  }

  #gone(event: { code: number; reason: string }): void {
    this.#socket = null;
    clearInterval(this.#watch);
    this.#tell(false, false);
    if (this.#closed) return;
    // A table that nobody may watch refuses the socket itself.
    const refused = event.code === CLOSE.POLICY && event.reason === "spectators-off";
    // A silent line is closed with the code of a failure, for another reason.
    const failed = event.code === CLOSE.FAILED && event.reason === "internal";
    if (failed || event.code === CLOSE.TOO_LARGE) this.#failed += 1;
    const ending =
      (refused ? "spectators-off" : FINAL[event.code]) ?? (this.#failed > 1 ? "refused" : null);
    if (ending) {
      this.#end(ENDINGS.find((known) => known === event.reason) ?? ending);
      return;
    }
    if (this.#refusals >= REFUSALS) void this.#wonder();
    this.#tries += 1;
    this.#tell(false, this.#unheard());
    this.events.status("lost", null);
    const [first, longest] = this.around.waits ?? WAITS;
    const wait = Math.min(first * 2 ** (this.#tries - 1), longest);
    const told = this.#later - Date.now();
    const pause = Math.max(wait * (0.75 + Math.random() / 2), told);
    this.#timer = setTimeout(() => this.#open(), pause);
  }

  #end(ending: Ending): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#dues);
    clearInterval(this.#watch);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.events.status("ended", ending);
    this.#refuse();
  }

  /** Find out why no socket opens; a server that is merely away is waited for. */
  async #wonder(): Promise<void> {
    const reason = await this.events.why();
    if (this.#closed || this.#refusals < REFUSALS) return;
    if (reason === "banned") this.#end("banned");
    else if (reason === null) this.#riddles = 0;
    else if (++this.#riddles >= RIDDLES) this.#end("refused");
  }
}
