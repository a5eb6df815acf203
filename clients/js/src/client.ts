/** A person at a server, by a token: tables of one's own, and lines to them. */

import type { Around, Socket } from "./connection.js";
import { Refusal, type Refused } from "./refusal.js";
import { Table } from "./table.js";

/** Any constructor like that of browsers; `ws` for Node 20, which has none. */
export type SocketClass = new (url: string, options?: object) => unknown;

export interface ClientOptions {
  token?: string;
  WebSocket?: SocketClass;
  /** How long to wait before coming back, in milliseconds: the first time, and at most. */
  waits?: readonly [number, number];
}

const TRIES = 5;
const PAUSE = 300;

export class Client {
  readonly token: string | undefined;

  constructor(
    readonly url: string,
    private readonly options: ClientOptions = {},
  ) {
    this.token = options.token;
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

  /** A line to a table; close it when done. */
  join(table: string): Table {
    const around: Around = {
      open: (url) => this.#open(url),
      waits: this.options.waits,
    };
    const address = `${this.url.replace(/^http/, "ws")}/ws/${encodeURIComponent(table)}`;
    return new Table(table, address, () => this.#answers(), around);
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
        const answer = await fetch(this.url + path, sent);
        const data = (await answer.json()) as T & { error: Refused };
        if (!answer.ok) throw new Refusal(data.error);
        return data;
      } catch (error) {
        if (error instanceof Refusal || tries >= TRIES) throw error;
        await new Promise((resolve) => setTimeout(resolve, PAUSE * 2 ** tries));
      }
    }
  }
}
