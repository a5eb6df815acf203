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

export class Refusal extends Error {
  constructor(readonly refusal: Refused) {
    super(refusal.message);
  }

  get code(): string {
    return this.refusal.code;
  }
}
