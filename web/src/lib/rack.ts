/** The player's arrangement: two shelves of sixteen slots, where empty ones have a meaning. */

import { meaningOf, tilesIn } from "./tiles";

export const SHELF = 16;
export const SLOTS = 2 * SHELF;

/** A tile with a unique name, so that twins can be told apart: `R7` and its `copy`. */
export interface RackTile {
  id: string;
  tile: string;
}

export type Slots = readonly (RackTile | null)[];

export function emptySlots(): (RackTile | null)[] {
  return Array.from({ length: SLOTS }, () => null);
}

function named(tile: string, slots: Slots): RackTile {
  const taken = new Set(slots.flatMap((slot) => (slot ? [slot.id] : [])));
  let copy = 1;
  while (taken.has(`${tile}.${copy}`)) copy += 1;
  return { id: `${tile}.${copy}`, tile };
}

/** The free slot nearest to one, on its shelf if it can be. */
function freeNear(slots: Slots, wanted: number): number {
  const shelf = Math.floor(wanted / SHELF);
  let best = -1;
  let distance = Infinity;
  for (const [index, slot] of slots.entries()) {
    if (slot) continue;
    const far = Math.abs(index - wanted) + (Math.floor(index / SHELF) === shelf ? 0 : SLOTS);
    if (far < distance) [best, distance] = [index, far];
  }
  return best;
}

function firstFree(slots: Slots): number {
  return slots.findIndex((slot) => !slot);
}

/** The slots with exactly the tiles of a hand: gone ones leave gaps, new ones go to `preferred`. */
export function reconciled(slots: Slots, hand: string, preferred: number | null = null): Slots {
  const waiting = tilesIn(hand);
  const next = slots.map((slot) => {
    const at = slot ? waiting.indexOf(slot.tile) : -1;
    if (!slot || at < 0) return null;
    waiting.splice(at, 1);
    return slot;
  });
  for (const tile of waiting) {
    const wanted = waiting.length === 1 ? preferred : null;
    const at = wanted === null ? firstFree(next) : freeNear(next, wanted);
    if (at < 0) continue;
    next[at] = named(tile, next);
    if (wanted !== null) return moved(next, at, wanted);
  }
  return next;
}

/** A tile moved to a slot; on an occupied one it is inserted, and others shift to the nearest gap. */
export function moved(slots: Slots, from: number, to: number): Slots {
  const tile = slots[from];
  if (!tile || from === to || to < 0 || to >= SLOTS) return slots;
  const next = [...slots];
  next[from] = null;
  if (!next[to]) {
    next[to] = tile;
    return next;
  }
  const gap = freeNear(next, to);
  const step = gap > to ? -1 : 1;
  for (let at = gap; at !== to; at += step) next[at] = next[at + step] ?? null;
  next[to] = tile;
  return next;
}

/** The rows of touching tiles, shelf by shelf. */
export function rowsOf(slots: Slots): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [index, slot] of slots.entries()) {
    if (index % SHELF === 0 || !slot) {
      if (row.length) rows.push(row);
      row = [];
    }
    if (slot) row.push(slot.tile);
  }
  if (row.length) rows.push(row);
  return rows;
}

/** Groups side by side with gaps between, then the rest in order; shelves are filled in turn. */
export function arranged(slots: Slots, groups: string[][], rest: string[], okey: string): Slots {
  const left = slots.flatMap((slot) => (slot ? [slot] : []));
  const take = (tile: string): RackTile | null => {
    const at = left.findIndex((candidate) => candidate.tile === tile);
    return at < 0 ? null : (left.splice(at, 1)[0] ?? null);
  };
  const blocks = groups.map((tiles) => tiles.map(take));
  const ordered = [...rest].sort((a, b) => order(a, okey) - order(b, okey)).map(take);
  for (const gap of [1, 0]) {
    const next = emptySlots();
    let at = 0;
    let fits = true;
    for (const block of blocks) {
      if ((at % SHELF) + block.length > SHELF) at = Math.ceil(at / SHELF) * SHELF;
      if (at + block.length > SLOTS) fits = false;
      for (const tile of block) next[at++] = tile;
      if (at % SHELF) at += gap;
    }
    if (SLOTS - at < ordered.length) fits = false;
    if (!fits) continue;
    let slot = Math.max(at, SLOTS - ordered.length <= SHELF ? at : Math.max(at, SHELF));
    if (slot + ordered.length > SLOTS) slot = SLOTS - ordered.length;
    for (const tile of ordered) next[slot++] = tile;
    return reconciled(next.slice(0, SLOTS), slots.map((s) => s?.tile ?? "").join(" "));
  }
  return slots;
}

function order(tile: string, okey: string): number {
  const face = meaningOf(tile, okey);
  return face ? "RYBK".indexOf(face.colour) * 20 + face.number : 100;
}
