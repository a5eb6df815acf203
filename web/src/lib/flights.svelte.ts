/** Tiles on their way across the table: pictures only, the table itself is ahead of them. */

import { tick } from "svelte";

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

  /**
   * Let a tile fly between two places, named by selectors; the second may come into being only with
   * what is just happening. The tile waits unseen at its place until it has arrived.
   */
  async launch(tile: string, from: string, to: string): Promise<void> {
    if (!mayMove() || document.hidden || this.list.length >= MOST) return;
    const start = document.querySelector(from)?.getBoundingClientRect();
    await tick();
    const place = document.querySelector(to);
    const end = place?.getBoundingClientRect();
    if (!start?.width || !end?.width || !place) return;
    const hidden = [{ opacity: 0 }, { opacity: 0 }];
    place.querySelector(":scope > .face")?.animate(hidden, { duration: FLIGHT });
    const flight = { id: ++this.#count, tile, from: start, to: end };
    this.list = [...this.list, flight];
    setTimeout(() => (this.list = this.list.filter((one) => one !== flight)), FLIGHT + 20);
  }
}

export const flights = new Flights();
