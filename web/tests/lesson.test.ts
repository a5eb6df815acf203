import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { texts } from "../src/lib/i18n.svelte";
import { Lesson, STEPS } from "../src/lib/lesson.svelte";
import { settings } from "../src/lib/settings.svelte";

const OPEN = STEPS.findIndex(({ name }) => name === "open");

let lesson: Lesson;

function toOpening(): void {
  while (lesson.number < OPEN) lesson.next();
}

beforeAll(() => texts.use("en").then(() => texts.learn("learn")));

beforeEach(() => {
  vi.useFakeTimers();
  lesson = new Lesson();
});

afterEach(() => {
  lesson.close();
  settings.motion = "system";
  vi.useRealTimers();
});

describe("the turns between two steps of the lesson", () => {
  it("are seen one after the other, and nothing glows meanwhile", () => {
    toOpening();
    const turns: (number | undefined)[] = [];
    while (lesson.game.options === null) {
      expect([lesson.place(), lesson.game.myTurn]).toEqual([null, false]);
      turns.push(lesson.game.deal?.turns);
      vi.advanceTimersByTime(300);
    }
    expect(turns.length).toBeGreaterThan(5);
    expect(turns).toEqual([...new Set(turns)].sort((a = 0, b = 0) => a - b));
    expect(lesson.game.deal?.taken).toBeTruthy();
  });

  it("are left out where nothing is to move, and by a second press", () => {
    settings.motion = "none";
    toOpening();
    expect(lesson.game.options).not.toBeNull();
    settings.motion = "system";
    lesson = new Lesson();
    toOpening();
    lesson.next();
    expect(STEPS[lesson.number]?.name).toBe("fine");
    vi.runAllTimers();
    expect(lesson.game.deal?.groups.length).toBeGreaterThan(4);
    expect(vi.getTimerCount()).toBe(0);
  });
});
