/** The server's addresses over HTTP; the session travels in a cookie. */

import { randomHex } from "./random";
import type { SeatView, TableOptions } from "./protocol";

export interface Refusal {
  code: string;
  message: string;
  rule: string | null;
  details: Record<string, unknown>;
}

/** What the server refused, or `offline` where it did not answer. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly refusal: Refusal,
  ) {
    super(refusal.message);
  }

  get code(): string {
    return this.refusal.code;
  }
}

export interface Me {
  id: string;
  name: string | null;
  account: boolean;
  language: string;
  tables: string[];
}

export interface TableLine {
  id: string;
  stage: string;
  seats: (string | null)[];
  free: number;
  options: TableOptions;
  counted: number;
  spectators: number;
}

export interface MatchLine {
  id: string;
  table: string;
  number: number;
  finished_ms: number;
  preset: string;
  deals: number;
  totals: number[];
  seats: (string | null)[];
  seat: number | null;
}

/** What a field of the rules may be, and is in a rule set. */
export interface RuleField {
  rule: string;
  value: string | number | boolean;
  options?: (string | number | boolean)[];
  low?: number;
  high?: number;
  /** Another field that has to be true for this one. */
  needs?: string;
}

export interface RulesOf {
  preset: string;
  fields: Record<string, RuleField>;
  sections: {
    title: string;
    lines: string[];
    table: { head: string[]; rows: string[][] } | null;
  }[];
}

const unanswered = new Map<string, string>();

/** Has something made once, however often it is asked for while no answer comes. */
async function make<T>(path: string, body: unknown): Promise<T> {
  const wanted = `${path} ${JSON.stringify(body)}`;
  const key = unanswered.get(wanted) ?? randomHex(16);
  unanswered.set(wanted, key);
  try {
    const made = await ask<T>("POST", path, body, { "Idempotency-Key": key });
    unanswered.delete(wanted);
    return made;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 0) unanswered.delete(wanted);
    throw error;
  }
}

async function ask<T>(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      credentials: "same-origin",
      ...(body === undefined
        ? {}
        : {
            body: JSON.stringify(body),
            headers: { "Content-Type": "application/json", ...headers },
          }),
    });
  } catch {
    throw new ApiError(0, { code: "offline", message: "no answer", rule: null, details: {} });
  }
  if (response.status === 204) return undefined as T;
  const data: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    const refusal = (data as { error?: Refusal } | null)?.error;
    throw new ApiError(
      response.status,
      refusal ?? { code: "offline", message: response.statusText, rule: null, details: {} },
    );
  }
  return data as T;
}

export const api = {
  session: () => ask<{ user: Me | null }>("GET", "/api/session"),
  guest: (name: string, language: string) => ask<Me>("POST", "/api/guests", { name, language }),
  rename: (name: string) => ask<Me>("PATCH", "/api/me", { name }),
  setLanguage: (language: string) => ask<Me>("PATCH", "/api/me", { language }),
  upgrade: (name: string, password: string) =>
    ask<Me>("POST", "/api/me/account", { name, password }),
  login: (name: string, password: string) => ask<Me>("POST", "/api/login", { name, password }),
  logout: () => ask<undefined>("POST", "/api/logout"),
  sessions: () =>
    ask<{ id: string; seen_ms: number; agent: string; current: boolean }[]>(
      "GET",
      "/api/me/sessions",
    ),
  endSession: (id: string) =>
    ask<undefined>("DELETE", `/api/me/sessions/${encodeURIComponent(id)}`),
  exportMe: () => ask<Record<string, unknown>>("GET", "/api/me/export"),
  deleteMe: () => ask<undefined>("DELETE", "/api/me"),
  tables: () => ask<TableLine[]>("GET", "/api/tables"),
  table: (id: string) =>
    ask<{ seat: number | null; table: { stage: string; seats: SeatView[] } }>(
      "GET",
      `/api/tables/${encodeURIComponent(id)}`,
    ),
  create: (options: Partial<TableOptions>) => make<TableLine>("/api/tables", options),
  play: (wanted: {
    rules?: Record<string, unknown>;
    deals?: number;
    clock?: number;
    bot?: string;
  }) => make<{ table: string; seq: number }>("/api/play", wanted),
  matches: (before?: string) =>
    ask<MatchLine[]>(
      "GET",
      `/api/matches/${before ? `?before=${encodeURIComponent(before)}` : ""}`,
    ),
  match: (id: string) => ask<MatchLine>("GET", `/api/matches/${encodeURIComponent(id)}`),
  deal: (id: string, number: number) =>
    ask<Record<string, unknown>>("GET", `/api/matches/${encodeURIComponent(id)}/deals/${number}`),
  rules: (preset: string, language: string) =>
    ask<RulesOf>("GET", `/api/rules/${encodeURIComponent(preset)}?language=${language}`),
  version: () =>
    ask<{ version: string; rules_version: number; protocol: number }>("GET", "/version"),
};
