/** The worst mistakes of one's reviewed matches: asked again after a day, a week, a month. */

import type { MatchReview } from "./answers";
import { KEPT, kept, type Mistake } from "./dueMistakes";

const DAY = 86_400_000;
const WAITS = [DAY, 7 * DAY, 30 * DAY] as const;
/** Of a match. */
const WORST = 3;
/** The oldest make room. */
const MOST = 300;

function keep(mistakes: readonly Mistake[]): void {
  localStorage.setItem(KEPT, JSON.stringify(mistakes.slice(-MOST)));
}

const same = (one: Mistake, other: Mistake): boolean =>
  one.match === other.match && one.deal === other.deal && one.action === other.action;

/** Keep the worst mistakes of a seat, once. */
export function keepMistakes(match: string, review: MatchReview, seat: number): void {
  const before = kept();
  if (before.some((one) => one.match === match)) return;
  const worst = review.deals
    .filter((deal) => deal.seat === seat)
    .flatMap(({ number, decisions }) =>
      decisions
        .filter(({ mark, actor }) => mark && (actor ?? "person") === "person")
        .map(({ action, loss }) => ({ deal: number, action, loss: loss.mean })),
    )
    .sort((one, other) => other.loss - one.loss)
    .slice(0, WORST);
  const due = Date.now() + WAITS[0];
  keep([...before, ...worst.map(({ deal, action }) => ({ match, deal, action, due, mended: 0 }))]);
}

/** Note how it went: mended, it is asked later each time; else after a day again. */
export function noteMistake(mistake: Mistake, right: boolean): void {
  const mended = right ? mistake.mended + 1 : 0;
  const wait = WAITS[mended];
  const due = wait === undefined ? null : Date.now() + wait;
  keep(kept().map((one) => (same(one, mistake) ? { ...one, mended, due } : one)));
}

/** Ask no more: its match can't be seen any more. */
export function dropMistake(mistake: Mistake): void {
  keep(kept().map((one) => (same(one, mistake) ? { ...one, due: null } : one)));
}
