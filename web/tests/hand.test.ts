import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Hand } from "../src/lib/pointer.svelte";

const drop = vi.fn<(source: string, target: string) => boolean>();
const tap = vi.fn<(source: string) => boolean>();
const again = vi.fn<(source: string) => boolean>();
const rest = vi.fn<(source: string) => void>();
const fling = vi.fn<(source: string) => void>();
let hand: Hand;
let under: Element[] = [];
/** What lies in slot 5. */
let fifth: string | null = null;
/** How often it was asked what is under the finger. */
let asked = 0;

function place(attributes: Record<string, string>): HTMLElement {
  const element = document.createElement("button");
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  document.body.append(element);
  return element;
}

function point(type: string, x: number, y: number, at: number): PointerEvent {
  const event = new MouseEvent(type, { clientX: x, clientY: y, button: 0, bubbles: true });
  Object.defineProperties(event, { pointerId: { value: 1 }, timeStamp: { value: at } });
  return event as unknown as PointerEvent;
}

function press(element: HTMLElement, x = 0, y = 0, at = 1000): void {
  element.addEventListener("pointerdown", (event) => hand.down(event as PointerEvent), {
    once: true,
  });
  element.dispatchEvent(point("pointerdown", x, y, at));
}

function go(type: "pointermove" | "pointerup" | "pointercancel", x: number, y: number, at = 1400) {
  window.dispatchEvent(point(type, x, y, at));
}

function frame(): Promise<unknown> {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}

beforeEach(() => {
  document.body.replaceChildren();
  for (const mock of [drop, tap, again, rest, fling]) mock.mockReset();
  drop.mockReturnValue(true);
  tap.mockReturnValue(false);
  again.mockReturnValue(true);
  document.elementsFromPoint = () => under;
  document.elementFromPoint = () => ((asked += 1), under[0] ?? null);
  under = [];
  asked = 0;
  hand = new Hand({
    drop,
    tap,
    again,
    rest,
    fling,
    tileOf: (source) => (source === "slot:9" ? null : source === "slot:5" ? fifth : "R7"),
  });
});

afterEach(() => hand.drop());

describe("dragging", () => {
  it("begins after a little way, and drops on what is under the finger", async () => {
    const target = place({ "data-target": "discard" });
    press(place({ "data-source": "slot:1" }));
    go("pointermove", 3, 3);
    expect(hand.dragged).toBeNull();
    under = [target];
    go("pointermove", 40, 0);
    expect(hand.dragged).toBe("slot:1");
    await frame();
    expect(hand.over).toBe("discard");
    expect(target.hasAttribute("data-over")).toBe(true);
    go("pointerup", 40, 0);
    expect(drop).toHaveBeenCalledExactlyOnceWith("slot:1", "discard");
    expect(hand.ghost).toBeNull();
    expect(target.hasAttribute("data-over")).toBe(false);
  });

  it("puts down what was picked up, and no tile that lies there by now", () => {
    for (const target of ["discard", ""]) {
      fifth = "K1";
      under = target ? [place({ "data-target": target })] : [];
      press(place({ "data-source": "slot:5" }), 0, 200);
      go("pointermove", 0, 150, 1390);
      fifth = "R7"; // a tile that was drawn meanwhile moved the others aside
      go("pointerup", 0, 50);
    }
    expect([drop.mock.calls, fling.mock.calls]).toEqual([[], []]);
  });

  it("finds the target beneath what is none", () => {
    under = [place({}), place({ "data-target": "felt" })];
    press(place({ "data-source": "slot:1" }));
    go("pointermove", 40, 0);
    go("pointerup", 40, 0);
    expect(drop).toHaveBeenCalledExactlyOnceWith("slot:1", "felt");
  });

  it("follows the finger, and looks what is under it once a frame", async () => {
    const ghost = place({});
    press(place({ "data-source": "slot:1" }));
    go("pointermove", 40, 0);
    const shown = hand.ghost;
    const away = hand.carry(ghost);
    expect(ghost.style.transform).toContain("translate(40px, 0px)");
    for (let x = 41; x <= 60; x += 1) go("pointermove", x, 5);
    expect(asked).toBe(0);
    await frame();
    expect(asked).toBe(1);
    expect(ghost.style.transform).toContain("translate(60px, 5px)");
    expect(hand.ghost).toBe(shown);
    away();
    go("pointermove", 70, 5);
    await frame();
    expect(ghost.style.transform).toContain("translate(60px, 5px)");
  });

  it("drops where the finger was lifted, whatever the last frame showed", async () => {
    const [one, two] = [place({ "data-target": "felt" }), place({ "data-target": "left" })];
    press(place({ "data-source": "slot:1" }));
    under = [one];
    go("pointermove", 40, 0);
    await frame();
    go("pointermove", 80, 0);
    under = [two];
    go("pointerup", 80, 0);
    expect(drop).toHaveBeenCalledExactlyOnceWith("slot:1", "left");
    await frame();
    expect(hand.over).toBeNull();
  });

  it("lets go where there is nothing", () => {
    press(place({ "data-source": "slot:1" }));
    go("pointermove", 40, 0);
    go("pointerup", 40, 0, 4000);
    expect(drop).not.toHaveBeenCalled();
    expect(fling).not.toHaveBeenCalled();
  });

  it("throws upwards when it is quick", () => {
    press(place({ "data-source": "slot:1" }), 0, 300, 1000);
    go("pointermove", 0, 250, 1040);
    go("pointerup", 0, 180, 1090);
    expect(fling).toHaveBeenCalledExactlyOnceWith("slot:1");
  });

  it("throws over the felt where the finger is still fast, and lays where it has come to rest", () => {
    under = [place({ "data-target": "felt" })];
    for (const lifted of [1080, 1500]) {
      press(place({ "data-source": "slot:1" }), 0, 300, 1000);
      go("pointermove", 0, 180, 1070);
      go("pointerup", 0, 175, lifted);
    }
    expect(fling).toHaveBeenCalledExactlyOnceWith("slot:1");
    expect(drop).toHaveBeenCalledExactlyOnceWith("slot:1", "felt");
  });

  it("is called off by the browser", () => {
    press(place({ "data-source": "slot:1" }));
    go("pointermove", 40, 0);
    go("pointercancel", 40, 0);
    expect(hand.dragged).toBeNull();
    go("pointerup", 40, 0);
    expect(drop).not.toHaveBeenCalled();
  });

  it("does not lift an empty slot", () => {
    press(place({ "data-source": "slot:9" }));
    go("pointermove", 40, 0);
    expect(hand.dragged).toBeNull();
  });
});

describe("tapping", () => {
  it("picks up, and puts down where it is tapped next", () => {
    hand.touch("slot:1");
    expect(hand.held).toBe("slot:1");
    hand.touch("slot:9");
    expect(drop).toHaveBeenCalledExactlyOnceWith("slot:1", "slot:9");
    expect(hand.held).toBeNull();
  });

  it("lets go of what is tapped again", () => {
    hand.touch("slot:1");
    hand.touch("slot:1");
    expect(hand.held).toBeNull();
    expect(drop).not.toHaveBeenCalled();
  });

  it("picks up the next tile where the drop meant nothing", () => {
    drop.mockReturnValue(false);
    hand.touch("slot:1");
    hand.touch("slot:2");
    expect(hand.held).toBe("slot:2");
  });

  it("chooses another tile in place of one that a hint holds", () => {
    hand.hold("slot:1");
    hand.touch("slot:2");
    expect(drop).not.toHaveBeenCalled();
    expect(hand.held).toBe("slot:2");
    hand.touch("discard");
    expect(drop).toHaveBeenCalledExactlyOnceWith("slot:2", "discard");
  });

  it("holds nothing once another tile, or none, lies there: the next tap picks up", () => {
    for (const now of [null, "K4"]) {
      fifth = "B2";
      hand.touch("slot:5");
      expect(hand.held).toBe("slot:5");
      fifth = now;
      expect(hand.held).toBeNull();
      hand.touch("slot:1");
      expect(hand.held).toBe("slot:1");
      hand.drop();
    }
    expect(drop).not.toHaveBeenCalled();
  });

  it("acts at once on what is not a tile to hold", () => {
    tap.mockReturnValue(true);
    hand.touch("stock");
    expect(hand.held).toBeNull();
  });

  /** A finger on slot 1, down and up again. */
  function tapped(at: number): void {
    press(place({ "data-source": "slot:1" }), 0, 0, at);
    go("pointerup", 0, 0, at + 20);
  }

  it("again on what is chosen throws it, unless it was a double tap", () => {
    for (const at of [1000, 1200, 1500]) tapped(at);
    expect(again).not.toHaveBeenCalled();
    expect(hand.held).toBe("slot:1");
    tapped(1870);
    expect(again).toHaveBeenCalledExactlyOnceWith("slot:1");
    expect(hand.held).toBeNull();
    expect(drop).not.toHaveBeenCalled();
  });

  it("is no click on what comes under the finger by it, such as a question", () => {
    const answer = place({});
    const clicked = vi.fn();
    answer.addEventListener("click", clicked);
    tapped(1000);
    answer.dispatchEvent(point("click", 0, 0, 1030));
    expect(clicked).not.toHaveBeenCalled();
    answer.dispatchEvent(point("click", 0, 0, 1500));
    tapped(2000);
    press(answer, 0, 0, 2040);
    answer.dispatchEvent(point("click", 0, 0, 2060));
    expect(clicked).toHaveBeenCalledTimes(2);
  });

  it("again puts the tile down where it can't be thrown", () => {
    again.mockReturnValue(false);
    for (const at of [1000, 1500]) tapped(at);
    expect(hand.held).toBeNull();
  });

  it("again throws at once what was chosen by other means", () => {
    hand.hold("slot:1");
    tapped(1000);
    expect(again).toHaveBeenCalledExactlyOnceWith("slot:1");
  });

  it("long turns the tile over, and is no tap; where the finger moves it is a drag", () => {
    vi.useFakeTimers();
    try {
      press(place({ "data-source": "slot:1" }));
      go("pointermove", 40, 0);
      vi.advanceTimersByTime(700);
      expect(rest).not.toHaveBeenCalled();
      go("pointerup", 40, 0);
      press(place({ "data-source": "slot:1" }));
      vi.advanceTimersByTime(700);
      expect(rest).toHaveBeenCalledExactlyOnceWith("slot:1");
      go("pointerup", 0, 0, 1720);
      expect(hand.held).toBeNull();
      expect(again).not.toHaveBeenCalled();
    } finally {
      vi.useRealTimers();
    }
  });
});
