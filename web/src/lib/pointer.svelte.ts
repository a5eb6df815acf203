/**
 * What the player holds: one state machine for dragging and for tapping twice.
 *
 * A source and a target are texts, as the elements carry them in `data-source` and `data-target`:
 * `slot:5`, `stock`, `left`, `group:2`, `felt`, `discard`.
 */

import { buzz } from "./sounds";

const THRESHOLD = 7;
/** How long a finger rests on a tile to turn it over, in milliseconds. */
const LONG = 600;
/** Two taps that are closer than this are one that slipped: nothing is thrown by them. */
const DOUBLE_TAP = 350;
/** How fast a tile is thrown, in pixels a millisecond over the end of its way. */
const FLING = 0.9;
const END = 100;
/** The longest time between lifting a finger and its click. */
const CLICK = 100;

/** The tile drawn under the finger; only this file knows where it is. */
export interface Ghost {
  width: number;
  height: number;
  tile: string | null;
}

export interface HandEvents {
  /** Something was put somewhere; true if that meant anything. */
  drop: (source: string, target: string) => boolean;
  /** A source was tapped with nothing held; true if that was all. */
  tap: (source: string) => boolean;
  /** What was picked up is tapped again, not at once; true if that was all. */
  again: (source: string) => boolean;
  /** A finger rests on a source. */
  rest: (source: string) => void;
  /** A tile was thrown upwards. */
  fling: (source: string) => void;
  /** The tile that is drawn under the finger. */
  tileOf: (source: string) => string | null;
}

const TARGET = "[data-target]";

/** What something can be dropped on here; mostly the topmost element, or one that contains it. */
function targetAt(x: number, y: number): HTMLElement | null {
  const top = document.elementFromPoint(x, y)?.closest<HTMLElement>(TARGET);
  if (top) return top;
  for (const element of document.elementsFromPoint(x, y)) {
    const target = element.closest<HTMLElement>(TARGET);
    if (target) return target;
  }
  return null;
}

export class Hand {
  #held = $state.raw<{ source: string; tile: string | null } | null>(null);
  /** What was picked up by no hand; another tile is chosen in its place. */
  #offered: string | null = null;
  ghost = $state.raw<Ghost | null>(null);
  dragged = $state<string | null>(null);

  #pointer: number | null = null;
  #source: string | null = null;
  #start = { x: 0, y: 0 };
  /** Where the finger was, and when. */
  #way: { y: number; at: number }[] = [];
  #resting: ReturnType<typeof setTimeout> | undefined;
  #offset = { x: 0, y: 0 };
  #at = { x: 0, y: 0 };
  #frame: number | null = null;
  #carried: HTMLElement | null = null;
  #aimed = $state.raw<HTMLElement | null>(null);
  #upAt = -Infinity;
  #lastTap = { source: "", at: 0 };
  #size = { width: 0, height: 0 };

  constructor(private readonly events: HandEvents) {}

  /**
   * The source that was picked up by a tap or by the keyboard; none once another tile, or none at
   * all, lies there: what was played or sorted meanwhile must not turn into something else.
   */
  get held(): string | null {
    const held = this.#held;
    return held !== null && this.events.tileOf(held.source) === held.tile ? held.source : null;
  }

  #pick(source: string | null): void {
    this.#offered = null;
    this.#held = source === null ? null : { source, tile: this.events.tileOf(source) };
  }

  /** Pick up what something else than a finger points at. */
  hold(source: string): void {
    this.#pick(source);
    this.#offered = source;
  }

  /** What a drag would be dropped on; its element has the attribute `data-over`. */
  get over(): string | null {
    return this.#aimed?.dataset.target ?? null;
  }

  /** Attach the element that shows the ghost: it follows the finger from now on. */
  carry = (element: HTMLElement): (() => void) => {
    this.#carried = element;
    this.#follow();
    return () => (this.#carried = null);
  };

  down = (event: PointerEvent): void => {
    this.#upAt = -Infinity;
    if (event.button !== 0 || this.#pointer !== null) return;
    const element = (event.target as Element).closest<HTMLElement>("[data-source]");
    if (!element) return;
    const box = element.getBoundingClientRect();
    this.#pointer = event.pointerId;
    this.#source = element.dataset.source ?? null;
    this.#start = { x: event.clientX, y: event.clientY };
    this.#way = [{ y: event.clientY, at: event.timeStamp }];
    this.#resting = setTimeout(this.#rest, LONG);
    this.#offset = { x: event.clientX - box.left, y: event.clientY - box.top };
    this.#size = { width: box.width, height: box.height };
    window.addEventListener("pointermove", this.#move);
    window.addEventListener("pointerup", this.#up);
    window.addEventListener("pointercancel", this.#cancel);
  };

  /** Pick up, put down, or act, by tap or key. */
  touch(place: string): void {
    // After a tap elsewhere, another tile may lie where one was tapped.
    if (place !== this.#lastTap.source) this.#lastTap = { source: "", at: 0 };
    const held = this.held;
    const rather = held === this.#offered && place.startsWith("slot:") && this.events.tileOf(place);
    if (held !== null && held !== place && !rather) {
      this.#pick(null);
      if (this.events.drop(held, place)) return;
    }
    if (held === place) {
      this.#pick(null);
      return;
    }
    if (this.events.tap(place)) return;
    if (this.events.tileOf(place) !== null) this.#pick(place);
  }

  /**
   * The click of what a finger has just done here is no act of its own: it meets whatever lies there
   * by now, such as the answer to a question that the tap has raised.
   */
  #clicked = (click: MouseEvent): void => {
    if (click.timeStamp - this.#upAt >= CLICK) return;
    click.stopPropagation();
    click.preventDefault();
  };

  drop(): void {
    this.#pick(null);
    this.#end();
  }

  #move = (event: PointerEvent): void => {
    if (event.pointerId !== this.#pointer || this.#source === null) return;
    this.#at = { x: event.clientX, y: event.clientY };
    this.#way.push({ y: event.clientY, at: event.timeStamp });
    if (this.dragged === null) {
      const far = Math.hypot(this.#at.x - this.#start.x, this.#at.y - this.#start.y);
      const tile = this.events.tileOf(this.#source);
      if (far < THRESHOLD || tile === null) return;
      clearTimeout(this.#resting);
      buzz();
      this.dragged = this.#source;
      this.#pick(null);
      this.ghost = { ...this.#size, tile };
    }
    this.#frame ??= requestAnimationFrame(this.#show);
  };

  // None of this is reactive: redrawing at every move of a finger would be too slow. The
  // target is looked up before anything moves, while the browser knows where everything is.
  #show = (): void => {
    this.#frame = null;
    this.#aim(targetAt(this.#at.x, this.#at.y));
    this.#follow();
  };

  #follow(): void {
    if (!this.#carried) return;
    const x = this.#at.x - this.#offset.x;
    const y = this.#at.y - this.#offset.y;
    this.#carried.style.transform = `translate(${x}px, ${y}px) scale(1.06)`;
  }

  #aim(target: HTMLElement | null): void {
    if (target === this.#aimed) return;
    if (target) buzz();
    this.#aimed?.removeAttribute("data-over");
    target?.setAttribute("data-over", "");
    this.#aimed = target;
  }

  #up = (event: PointerEvent): void => {
    if (event.pointerId !== this.#pointer) return;
    this.#upAt = event.timeStamp;
    window.addEventListener("click", this.#clicked, { capture: true, once: true });
    const source = this.#source;
    const dragged = this.dragged;
    const under = dragged === null ? null : targetAt(event.clientX, event.clientY);
    const target = under?.dataset.target ?? null;
    const flung = this.#flung(event);
    const carried = this.ghost?.tile;
    this.#end();
    if (source === null) return;
    if (dragged === null) {
      this.#tapped(source, event.timeStamp);
    } else if (this.events.tileOf(source) !== carried) {
      return; // something else lies there by now: it is not what was carried
    } else if (flung && (target === null || target === "felt" || target === source)) {
      this.events.fling(source);
    } else if (target !== null && target !== source) {
      this.events.drop(source, target);
    }
  };

  /** Whether the finger was still going up fast when it left. */
  #flung({ clientY, timeStamp }: PointerEvent): boolean {
    const from = this.#way.find(({ at }) => timeStamp - at <= END);
    if (!from || this.#start.y - clientY < 60) return false;
    return (from.y - clientY) / Math.max(timeStamp - from.at, 1) > FLING;
  }

  #tapped(source: string, at: number): void {
    const held = this.held === source;
    const twice = this.#lastTap.source === source && at - this.#lastTap.at < DOUBLE_TAP;
    this.#lastTap = { source, at };
    if (held && twice) return;
    buzz();
    if (held && this.events.again(source)) this.#pick(null);
    else this.touch(source);
  }

  #rest = (): void => {
    const source = this.#source;
    if (source === null || this.events.tileOf(source) === null) return;
    this.#end();
    this.#pick(null);
    buzz();
    this.events.rest(source);
  };

  #cancel = (): void => this.#end();

  #end(): void {
    clearTimeout(this.#resting);
    this.#pointer = null;
    this.#source = null;
    this.dragged = null;
    this.ghost = null;
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
    this.#aim(null);
    window.removeEventListener("pointermove", this.#move);
    window.removeEventListener("pointerup", this.#up);
    window.removeEventListener("pointercancel", this.#cancel);
  }
}
