/** Tiles on their way across the table: pictures only, the table itself is ahead of them. */

import { mayMove } from "./settings.svelte";

export interface Flight {
  id: number;
  tile: string;
  from: DOMRect;
  to: DOMRect;
}

export const FLIGHT = 260;
const MOST = 12;

class Flights {
  list = $state.raw<readonly Flight[]>([]);
  #count = 0;
  #leaving: { tile: string; from: DOMRect; to: string }[] = [];

  /**
   * Let a tile fly between two places, named by selectors; the second may come into being only with
   * what is just happening. The tile waits unseen at its place until it has arrived.
   */
  launch(tile: string, from: string, to: string): void {
    if (!mayMove("motion-tiles") || document.hidden) return;
    if (this.list.length + this.#leaving.length >= MOST) return;
    const start = document.querySelector(from)?.getBoundingClientRect();
    if (!start?.width) return;
    this.#leaving.push({ tile, from: start, to });
    if (this.#leaving.length === 1) requestAnimationFrame(this.#leave);
  }

  // All tiles that leave in one frame start together, just before it is drawn: measuring places one
  // by one, each after adding a tile, would force a layout every time.
  #leave = (): void => {
    const gone: Flight[] = [];
    const places: Element[] = [];
    for (const { tile, from, to } of this.#leaving.splice(0)) {
      const place = document.querySelector(to);
      const end = place?.getBoundingClientRect();
      if (!place || !end?.width) continue;
      places.push(place);
      gone.push({ id: ++this.#count, tile, from, to: end });
    }
    const hidden = [{ opacity: 0 }, { opacity: 0 }];
    for (const place of places) {
      place.querySelector(":scope > .face")?.animate(hidden, { duration: FLIGHT });
    }
    if (gone.length === 0) return;
    this.list = [...this.list, ...gone];
    setTimeout(() => (this.list = this.list.filter((one) => !gone.includes(one))), FLIGHT + 20);
  };
}

export const flights = new Flights();
