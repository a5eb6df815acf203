/** The server's addresses over HTTP; the session travels in a cookie. */

import { texts } from "./i18n.svelte";
import { randomHex } from "./random";
import { OFFLINE, Refusal, toldToWait, type Refused } from "./refusal";
import type {
  Applied,
  BotsHere,
  DealAnswer,
  ErrorAnswer,
  LogHead,
  MatchLine,
  Me,
  NoticeAnswer,
  PositionAnswer,
  PuzzleRated,
  PuzzlesAnswer,
  PlayBody,
  ReportBody,
  ReviewAnswer,
  RulesAnswer,
  SessionView,
  TableAnswer,
  TableLine,
  TableOptions,
  VersionAnswer,
  Whoami,
} from "./answers";

export type * from "./answers";

/** What the server refused, or `offline` where it did not answer. */
export class ApiError extends Refusal {
  constructor(
    readonly status: number,
    refusal: Refused,
  ) {
    super(refusal);
  }
}

const unanswered = new Map<string, string>();

/** Creates something only once, however often the request is repeated for want of an answer. */
async function make<T>(path: string, body: unknown): Promise<T> {
  const wanted = `${path} ${JSON.stringify(body)}`;
  const key = unanswered.get(wanted) ?? randomHex(16);
  unanswered.set(wanted, key);
  try {
    const made = await ask<T>("POST", path, body, { "Idempotency-Key": key });
    unanswered.delete(wanted);
    return made;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== OFFLINE.code) unanswered.delete(wanted);
    throw error;
  }
}

/** How long a person waits without being told why, in seconds, and what is told at once. */
const PATIENT = 10;
const PASSWORDS = ["/api/login", "/api/me/account", "/api/me/password"];

/** How far the server's clock is ahead of this one by its last answer, in milliseconds. */
let ahead = 0;

/** The time by the server's clock, to a second or so: a device's own may be minutes off. */
export const serverNow = (): number => Date.now() + ahead;

/** What is done once the server says that there is no session, or no longer. */
export const onRefusal = { unauthorised: (): void => undefined };

/** Ask an address, again after a limit that ends soon; ApiError with what is refused. */
export async function ask<T>(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  tries = 3,
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
    throw new ApiError(0, OFFLINE);
  }
  const told = Date.parse(response.headers.get("Date") ?? "");
  if (told) ahead = told - Date.now();
  if (response.status === 204) return undefined as T;
  const data: unknown = await response.json().catch(() => undefined);
  if (response.ok && data === undefined) throw new ApiError(0, OFFLINE); // its end got lost
  if (!response.ok) {
    await texts.refusals();
    const refusal = (data as Partial<ErrorAnswer> | null | undefined)?.error;
    const error = new ApiError(
      response.status,
      refusal ?? { ...OFFLINE, message: response.statusText },
    );
    if (error.code === "unauthorised") onRefusal.unauthorised();
    const wait = toldToWait(error);
    if (tries <= 1 || wait === 0 || wait > PATIENT || PASSWORDS.includes(path)) throw error;
    await new Promise((resolve) => setTimeout(resolve, wait * 1000));
    return ask(method, path, body, headers, tries - 1);
  }
  return data as T;
}

export const api = {
  session: (language = "tr") => ask<Whoami>("GET", `/api/session?language=${language}`),
  guest: (name: string, language: string, face: number) =>
    ask<Me>("POST", "/api/guests", { name, language, face }),
  rename: (name: string) => ask<Me>("PATCH", "/api/me", { name }),
  wear: (face: number) => ask<Me>("PATCH", "/api/me", { face }),
  setLanguage: (language: string) => ask<Me>("PATCH", "/api/me", { language }),
  upgrade: (name: string, password: string) =>
    ask<Me>("POST", "/api/me/account", { name, password }),
  changePassword: (old: string, fresh: string) =>
    ask<undefined>("PUT", "/api/me/password", { old, new: fresh }),
  /** `fresh` is the new password that replaces an administrator's code. */
  login: (name: string, password: string, fresh?: string) =>
    ask<Me>("POST", "/api/login", { name, password, new: fresh }),
  logout: () => ask<undefined>("POST", "/api/logout"),
  sessions: () => ask<SessionView[]>("GET", "/api/me/sessions"),
  endSession: (id: string) =>
    ask<undefined>("DELETE", `/api/me/sessions/${encodeURIComponent(id)}`),
  exportMe: () => ask<unknown>("GET", "/api/me/export"),
  deleteMe: () => ask<undefined>("DELETE", "/api/me"),
  bots: () => ask<BotsHere>("GET", "/api/bots"),
  tables: () => ask<TableLine[]>("GET", "/api/tables"),
  table: (id: string) => ask<TableAnswer>("GET", `/api/tables/${encodeURIComponent(id)}`),
  create: (options: TableOptions) => make<TableLine>("/api/tables", options),
  play: (wanted: PlayBody) => make<Applied>("/api/play", wanted),
  quick: () => ask<Applied>("POST", "/api/quick"),
  report: (id: string, told: ReportBody) =>
    ask<undefined>("POST", `/api/tables/${encodeURIComponent(id)}/reports`, told),
  matches: (before?: string) =>
    ask<MatchLine[]>(
      "GET",
      `/api/matches/${before ? `?before=${encodeURIComponent(before)}` : ""}`,
    ),
  match: (id: string) => ask<MatchLine>("GET", `/api/matches/${encodeURIComponent(id)}`),
  deal: (id: string, number: number) =>
    ask<DealAnswer>("GET", `/api/matches/${encodeURIComponent(id)}/deals/${number}`),
  /** What a position's line of text tells. */
  position: (text: string) => ask<PositionAnswer>("POST", "/api/position", { text }),
  /** The positions to solve that there are, or one of them with its answer. */
  puzzles: <T = PuzzlesAnswer>(number = "") => ask<T>("GET", `/api/puzzles${number}`),
  /** What a position and oneself are rated after one's first answer to it. */
  answerPuzzle: (number: number, action: string) =>
    ask<PuzzleRated>("POST", `/api/puzzles/${number}/answer`, { action }),
  /** What there is of a match's review. */
  review: (id: string) => ask<ReviewAnswer>("GET", `/api/matches/${encodeURIComponent(id)}/review`),
  /** Have a match reviewed. */
  askReview: (id: string) =>
    ask<ReviewAnswer>("POST", `/api/matches/${encodeURIComponent(id)}/review`),
  /** The record of a match that is over, or of the finished deals of the one at a table. */
  record: <T>(of: "matches" | "tables", id: string) =>
    ask<T>("GET", `/api/${encodeURIComponent(of)}/${encodeURIComponent(id)}/record`),
  notice: (language: string) => ask<NoticeAnswer>("GET", `/api/privacy?language=${language}`),
  rules: (preset: string, language: string) =>
    ask<RulesAnswer>("GET", `/api/rules/${encodeURIComponent(preset)}?language=${language}`),
  /** The newest head of the server's transparency log, and the key that signs it. */
  log: () => ask<LogHead>("GET", "/api/log/"),
  version: () => ask<VersionAnswer>("GET", "/version"),
};
