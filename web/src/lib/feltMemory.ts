/** How the melds of a deal lie, in each size that the felt has had: so they lie after a reload. */

import { type Box, feltLayout, type Laid, type Layout } from "./feltLayout";

const KEPT = "okey101.felt";
/** For how many sizes of the felt: upright, across, and what it has while the page is built up. */
const SIZES = 8;

export class FeltMemory {
  #layouts: readonly Layout[] = [];
  #deal = "";

  constructor() {
    try {
      const [deal, layouts] = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]") as unknown[];
      if (typeof deal !== "string" || !Array.isArray(layouts)) return;
      this.#deal = deal;
      this.#layouts = layouts as Layout[];
    } catch {
      sessionStorage.removeItem(KEPT);
    }
  }

  /** The layout of groups: what lay already stays where it was, as long as it can. */
  layout(deal: string, box: Box, groups: readonly Laid[]): Layout {
    if (deal !== this.#deal || groups.length === 0) this.#layouts = [];
    this.#deal = deal;
    const alike = this.#layouts.find(
      ({ box: one }) => one.width === box.width && one.height === box.height,
    );
    const before = alike ?? this.#layouts.at(-1) ?? null;
    const layout = feltLayout(box, groups, undefined, before);
    if (groups.length > 0 && box.width > 0) {
      this.#layouts = [...this.#layouts.filter((one) => one !== alike), layout].slice(-SIZES);
      sessionStorage.setItem(KEPT, JSON.stringify([deal, this.#layouts]));
    }
    return layout;
  }
}
