/** What was told last at the table, for the eye: lines that fade, and one that stays. */

/** How long words are shown, in milliseconds. */
export const LASTING = 4000;
/** How many lines are shown at most. */
export const LINES = 3;

interface Line {
  id: number;
  text: string;
}

export class Feed {
  lines = $state.raw<readonly Line[]>([]);
  /** What stays when other words have gone: the left neighbour's discard, or what the clock did. */
  stays = $state("");
  /** Whether nothing may be shown instead of it. */
  firm = $state(false);
  #count = 0;

  /** Show what somebody did, for a while. */
  tell(text: string): void {
    const line = { id: ++this.#count, text };
    this.lines = [...this.lines, line].slice(-LINES);
    setTimeout(() => (this.lines = this.lines.filter((one) => one !== line)), LASTING);
  }

  /** Show it until there is something else to keep, or the own move is done. */
  keep(text: string, firm = false): void {
    this.stays = text;
    this.firm = firm;
  }

  /** The own turn is over: what led to it need not be shown any more. */
  moved(): void {
    this.keep("");
  }
}
