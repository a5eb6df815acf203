/**
 * Moments that are shown large: an opening, a fine, the end of a deal and of a match. Pictures only,
 * the table itself is ahead of them; what they show is said elsewhere too.
 */

import { mayMove } from "./settings.svelte";

/** Groups come to lie one by one, while their sum grows. */
export interface Opening {
  kind: "opening";
  /** The first of the new groups, by number, and the sum after each. */
  first: number;
  sums: readonly number[];
  enough: number;
  /** Where they come from, by a selector. */
  from: string;
}

/** Points fly from the tile to the score of a seat. */
export interface Fine {
  kind: "fine";
  seat: number;
  points: number;
}

/** Something flies from one seat to another. */
export interface Gift {
  kind: "gift";
  seat: number;
  to: number;
  phrase: string;
}

/** Somebody has finished: the table stands still for it. */
export interface Finish {
  kind: "finish";
  seat: number;
  title: string;
  face: number;
  /** What was laid and thrown last. */
  tiles: readonly string[];
}

/** A deal is over that nobody has finished. */
export interface Unfinished {
  kind: "unfinished";
  title: string;
  /** What comes of it. */
  text: string;
  faces: readonly number[];
}

/** Somebody has won the match. */
export interface Won {
  kind: "won";
  title: string;
  faces: readonly number[];
}

export type Moment = Opening | Fine | Gift | Finish | Unfinished | Won;
type Shown = Moment & { id: number };

/** From one group to the next, and how long the sum stays, in milliseconds. */
export const STEP = 300;
const STAYS = 1300;
const LENGTHS = { fine: 3000, gift: 900, finish: 2500, unfinished: 2500, won: 2200 } as const;

/** Whether all of the table is given to it. */
function onStage(one: Shown): one is Shown & (Finish | Unfinished | Won) {
  return one.kind === "finish" || one.kind === "unfinished" || one.kind === "won";
}

class Moments {
  list = $state.raw<readonly Shown[]>([]);
  #count = 0;

  /** What the score sheet waits for. */
  stage = $derived(this.list.find(onStage) ?? null);

  /** Show a moment, unless such things are not to move; says whether it is shown. */
  show(moment: Moment): boolean {
    const shown = { ...moment, id: ++this.#count };
    if (!mayMove(onStage(shown) ? "motion-end" : "motion-tiles") || document.hidden) return false;
    // A deal's end is not looked at through what was opened in the same turn.
    const goesOn = (one: Shown) => !onStage(shown) || one.kind !== "opening";
    this.list = [...this.list.filter(goesOn), shown];
    const length =
      moment.kind === "opening" ? moment.sums.length * STEP + STAYS : LENGTHS[moment.kind];
    // What waits for another begins when that is over.
    const before = moment.kind === "won" && this.stage !== shown ? LENGTHS.finish : 0;
    setTimeout(() => this.end(shown.id), before + length);
    return true;
  }

  /** It was seen: whatever comes after it is next. */
  end(id: number): void {
    this.list = this.list.filter((one) => one.id !== id);
  }

  clear(): void {
    this.list = [];
  }
}

export const moments = new Moments();
