/** What the server refused, over the table's socket as over HTTP. */

import type { Refused } from "./messages.js";

export type { Refused } from "./messages.js";

/** What is said where no server answers at all. */
export const OFFLINE: Refused = {
  code: "offline",
  message: "no answer",
  rule: null,
  details: {},
};

/** What is said of an action whose moment is past, without asking the server. */
export const TURN_OVER: Refused = {
  code: "turn-over",
  message: "the turn this was meant for is over",
  rule: null,
  details: {},
};

/** The longest that is waited because a server says so, in seconds. */
export const LONGEST_WAIT = 60;

/** In how many seconds a server that refused for a limit listens again; 0 where it says nothing. */
export function toldToWait(error: unknown): number {
  if (!(error instanceof Refusal) || error.code !== "rate-limited") return 0;
  const seconds = Number(error.refusal.details["seconds"] ?? 0);
  return seconds <= LONGEST_WAIT ? seconds : 0;
}

export class Refusal extends Error {
  constructor(readonly refusal: Refused) {
    super(refusal.message);
  }

  get code(): string {
    return this.refusal.code;
  }
}
