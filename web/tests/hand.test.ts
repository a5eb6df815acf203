import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Hand } from "../src/lib/pointer.svelte";

const drop = vi.fn<(source: string, target: string) => boolean>();
const tap = vi.fn<(source: string) => boolean>();
const doubleTap = vi.fn<(source: string) => void>();
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
  for (const mock of [drop, tap, doubleTap, fling]) mock.mockReset();
  drop.mockReturnValue(true);
  tap.mockReturnValue(false);
  document.elementsFromPoint = () => under;
  document.elementFromPoint = () => ((asked += 1), under[0] ?? null);
  under = [];
  asked = 0;
  hand = new Hand({
    drop,
    tap,
    doubleTap,
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

  it("twice in a row flips, and holds nothing", () => {
    const tile = place({ "data-source": "slot:1" });
    press(tile, 0, 0, 1000);
    go("pointerup", 0, 0, 1050);
    expect(hand.held).toBe("slot:1");
    press(tile, 0, 0, 1200);
    go("pointerup", 0, 0, 1250);
    expect(doubleTap).toHaveBeenCalledExactlyOnceWith("slot:1");
    expect(hand.held).toBeNull();
    expect(drop).not.toHaveBeenCalled();
  });

  it("is not twice on a tile that came to where another was tapped and put away", () => {
    const slot = place({ "data-source": "slot:1" });
    press(slot, 0, 0, 1000);
    go("pointerup", 0, 0, 1020);
    hand.touch("discard");
    expect(drop).toHaveBeenCalledExactlyOnceWith("slot:1", "discard");
    press(slot, 0, 0, 1200);
    go("pointerup", 0, 0, 1220);
    expect(doubleTap).not.toHaveBeenCalled();
    expect(hand.held).toBe("slot:1");
  });
});
