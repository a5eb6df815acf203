import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { MatchReview } from "../src/lib/answers";
import { dueMistakes } from "../src/lib/dueMistakes";
import { dropMistake, keepMistakes, noteMistake } from "../src/lib/mistakes";

const DAY = 86_400_000;

function reviewed(seat: number, ...losses: number[]): MatchReview {
  const decisions = losses.map((mean, action) => ({
    action,
    loss: { mean },
    mark: mean > 0 ? "small" : "",
    actor: action === 9 ? "bot" : null,
  }));
  return { deals: [{ seat, number: 2, decisions }] } as unknown as MatchReview;
}

describe("mistakes", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
    localStorage.clear();
  });
  afterEach(() => vi.useRealTimers());

  const actionDue = (): number | undefined => dueMistakes()[0]?.action;

  it("of a match are the three worst, which are one's own, kept once", () => {
    keepMistakes("m-1", reviewed(0, 1, 5, 0, 4, 3, 0, 0, 0, 0, 99), 0);
    keepMistakes("m-1", reviewed(0, 9), 0);
    keepMistakes("m-2", reviewed(3, 9), 0);
    expect(actionDue()).toBeUndefined();
    vi.setSystemTime(DAY);
    const found: (number | undefined)[] = [];
    for (let [mistake] = dueMistakes(); mistake; [mistake] = dueMistakes()) {
      found.push(mistake.action);
      dropMistake(mistake);
    }
    expect(found).toEqual([1, 3, 4]);
    keepMistakes("m-1", reviewed(0, 9), 0); // it was asked, and is not asked anew
    vi.setSystemTime(99 * DAY);
    expect(actionDue()).toBeUndefined();
  });

  it("come back after a day, a week and a month, and after a day where they are made again", () => {
    keepMistakes("m-1", reviewed(0, 5), 0);
    let now = 0;
    for (const [days, right] of [
      [1, true],
      [7, false],
      [1, true],
      [7, true],
      [30, true],
    ] as const) {
      vi.setSystemTime(now + days * DAY - 1);
      expect(dueMistakes()).toEqual([]);
      vi.setSystemTime((now += days * DAY));
      const [mistake] = dueMistakes();
      expect(mistake).toMatchObject({ match: "m-1", deal: 2, action: 0 });
      if (mistake) noteMistake(mistake, right);
    }
    vi.setSystemTime(now + 365 * DAY);
    expect(dueMistakes()).toEqual([]);
  });

  it("that were kept by nobody knows whom are none", () => {
    for (const text of ["{", "{}", "null"]) {
      localStorage.setItem("okey101.mistakes", text);
      expect(dueMistakes()).toEqual([]);
    }
  });
});
