/** A person at a server, by a token: tables of one's own, and lines to them. */

import type { Around, Socket } from "./connection.js";
import { sha256 } from "./fair.js";
import { LogFault, newest, type Seen, type Tools } from "./heads.js";
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
    const me = await new Client(url).#call<{ token: string }>("/api/guests", body);
    return new Client(url, { ...options, token: me.token });
  }

  /** Sit down against bots, and the match begins; resolves with the table's id. */
  async againstBots(fields: Record<string, unknown> = {}): Promise<string> {
    return (await this.#call<{ table: string }>("/api/play", fields)).table;
  }

  /** Open a table; resolves with its id. */
  async create(fields: Record<string, unknown> = {}): Promise<string> {
    return (await this.#call<{ id: string }>("/api/tables", fields)).id;
  }

  /**
   * Hold the server's log to what was seen of it, and keep its newest head: true where its signature
   * was checked as well, false where nothing here can, null where the server tells no head now.
   * Rejects with a LogFault.
   */
  async compareHeads(): Promise<boolean | null> {
    try {
      const known = (await this.#heads.get(this.url)) ?? null;
      const { seen, signed } = await newest(known, {
        ask: (path) => this.#answer(path),
        sha256,
        verify,
      });
      await this.#heads.set(this.url, seen);
      return signed;
    } catch (error) {
      if (error instanceof LogFault) throw error;
      return null;
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

  async #call<T>(path: string, body: object): Promise<T> {
    const headers: Record<string, string> = {
      "Content-Type": "application/json",
      "Idempotency-Key": crypto.randomUUID(), // sent again, it makes one table
    };
    if (this.token) headers["Authorization"] = `Bearer ${this.token}`;
    for (let tries = 1; ; tries++) {
      try {
        const sent = { method: "POST", headers, body: JSON.stringify(body) };
        return await this.#answer(path, sent);
      } catch (error) {
        const told = toldToWait(error);
        if ((error instanceof Refusal && !told) || tries >= TRIES) throw error;
        const wait = Math.max(PAUSE * 2 ** tries, told * 1000);
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  }
  async #answer<T>(path: string, sent?: RequestInit): Promise<T> {
    const answer = await fetch(this.url + path, sent);
    const data = (await answer.json()) as T & { error: Refused };
    if (!answer.ok) throw new Refusal(data.error);
    return data;
  }
}
