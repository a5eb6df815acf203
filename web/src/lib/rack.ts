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

/** How many lines so many tiles may need, so that no group of theirs is broken. */
export function mostLines(count: number, line: number): number {
  if (line === SHELF) return count > SHELF ? 2 : 1;
  return 1 + [6, 13, 18].filter((most) => count > most).length;
}

/**
 * How many lines of the rack are shown: those that nothing lies in and nothing needs fall away. A
 * tile that is `coming` has its place already, so that nothing moves when it is drawn.
 */
export function linesFor(slots: Slots, line: number, coming = 0): number {
  const count = slots.filter((slot) => slot).length + coming;
  const most = mostLines(count, line);
  if (line === SHELF || most === SLOTS / line) return most;
  const end = slots.reduce((last, slot, index) => (slot ? index + 1 : last), 0);
  const used = Math.ceil(end / line);
  return Math.min(Math.max(Math.ceil((count + 1) / line), used), most);
}

/** The free slot nearest to one, on its shelf if it can be. */
function freeNear(slots: Slots, wanted: number, room = SLOTS): number {
  const shelf = Math.floor(wanted / SHELF);
  let best = -1;
  let distance = Infinity;
  for (const [index, slot] of slots.entries()) {
    if (slot || index >= room) continue;
    const far = Math.abs(index - wanted) + (Math.floor(index / SHELF) === shelf ? 0 : SLOTS);
    if (far < distance) [best, distance] = [index, far];
  }
  return best;
}

/** The last of the shown slots with at most one tile beside it on its line. */
function freeAside(slots: Slots, line: number, room: number): number {
  const apart = (at: number): boolean =>
    !slots[at] && (at % line === 0 || at % line === line - 1 || !slots[at - 1] || !slots[at + 1]);
  let at = room - 1;
  while (at >= 0 && !apart(at)) at -= 1;
  return at;
}

/** Where a new tile parts no groups: behind all others of the shelf used last, then of the other. */
function freeBehind(slots: Slots): number {
  const behind = (begin: number, end: number): number => {
    let at = end;
    while (at > begin && !slots[at - 1]) at -= 1;
    return at;
  };
  const lower = behind(SHELF, SLOTS);
  if (lower > SHELF && lower < SLOTS) return lower;
  const upper = behind(0, SHELF);
  if (upper < SHELF) return upper;
  return lower === SHELF ? SHELF : slots.findIndex((slot) => !slot);
}

/**
 * The slots with exactly the tiles of a hand: gone ones leave gaps, new ones go to `preferred`, or
 * into the `room` that is shown, where they part no groups. Of twins the one `given` away goes.
 */
export function reconciled(
  slots: Slots,
  hand: string,
  preferred: number | null = null,
  line = SHELF,
  room = SLOTS,
  given: string | null = null,
): Slots {
  const waiting = tilesIn(hand);
  const kept = (slot: RackTile | null | undefined): RackTile | null => {
    const at = slot ? waiting.indexOf(slot.tile) : -1;
    if (!slot || at < 0) return null;
    waiting.splice(at, 1);
    return slot;
  };
  const last = slots.findIndex((slot) => slot !== null && slot.id === given);
  const next = slots.map((slot, at) => (at === last ? null : kept(slot)));
  if (last >= 0) next[last] = kept(slots[last]);
  for (const tile of waiting) {
    const wanted = waiting.length === 1 ? preferred : null;
    let at = wanted === null ? freeBehind(next) : freeNear(next, wanted);
    if (at >= room && waiting.length === 1) {
      const shown = freeAside(next, line, room);
      if (shown >= 0) at = shown;
    }
    if (at < 0) continue;
    next[at] = named(tile, next);
    if (wanted !== null) return moved(next, at, wanted);
  }
  return next;
}

/**
 * A tile moved to a slot; on an occupied one it is inserted, and others shift to the nearest gap
 * among the `room` slots that are shown.
 */
export function moved(slots: Slots, from: number, to: number, room = SLOTS): Slots {
  const tile = slots[from];
  if (!tile || from === to || to < 0 || to >= SLOTS) return slots;
  const next = [...slots];
  next[from] = null;
  if (!next[to]) {
    next[to] = tile;
    return next;
  }
  const gap = freeNear(next, to, room);
  const step = gap > to ? -1 : 1;
  for (let at = gap; at !== to; at += step) next[at] = next[at + step] ?? null;
  next[to] = tile;
  return next;
}

/** Where each tile would lie, by name, were another put into a slot; `from` is -1 for a new one. */
export function parted(slots: Slots, from: number, to: number, room: number): Map<string, number> {
  const next = [...slots];
  let at = from;
  if (at < 0) {
    at = freeNear(next, to);
    next[at] = { id: "", tile: "" };
  }
  const places = moved(next, at, to, from < 0 ? SLOTS : room);
  return new Map(places.flatMap((slot, index) => (slot ? [[slot.id, index]] : [])));
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

type Block = (RackTile | null)[];

/** Blocks side by side, none of them broken at a line's end; null where that does not fit. */
function inTurn(blocks: Block[], rest: Block, line: number, room: number, gap: number) {
  const next = emptySlots();
  let at = 0;
  for (const block of blocks) {
    if ((at % line) + block.length > line) at = Math.ceil(at / line) * line;
    if (at + block.length > room) return null;
    for (const tile of block) next[at++] = tile;
    if (at % line) at += gap;
  }
  if (room - at < rest.length) return null;
  // On two shelves the rest has the lower one, if it can.
  const wide = room === SLOTS && line === SHELF && rest.length < SHELF;
  let slot = Math.min(wide ? Math.max(at, SHELF) : at, room - rest.length);
  for (const tile of rest) next[slot++] = tile;
  return next;
}

/** The longest blocks first, each in the first line with room; the rest fills what is left. */
function byLength(blocks: Block[], rest: Block, line: number, room: number) {
  const next = emptySlots();
  const used = Array.from({ length: room / line }, () => 0);
  for (const block of [...blocks].sort((a, b) => b.length - a.length)) {
    const at = used.findIndex((count) => count + block.length <= line);
    if (at < 0) return null;
    const start = at * line + (used[at] ?? 0);
    for (const [index, tile] of block.entries()) next[start + index] = tile;
    used[at] = start - at * line + block.length;
  }
  for (const tile of rest) {
    const at = next.findIndex((slot) => !slot);
    if (at < 0 || at >= room) return null;
    next[at] = tile;
  }
  return next;
}

function laidOut(blocks: Block[], rest: Block, line: number, room: number): Slots | null {
  return (
    inTurn(blocks, rest, line, room, 1) ??
    inTurn(blocks, rest, line, room, 0) ??
    byLength(blocks, rest, line, room)
  );
}

/** In pieces that fit a line; of a meld each piece is one by itself. */
function pieces<T>(block: T[], line: number): T[][] {
  const count = Math.ceil(block.length / line);
  const size = Math.ceil(block.length / count);
  return Array.from({ length: count }, (_, n) => block.slice(n * size, (n + 1) * size));
}

/** Groups side by side with gaps between, then the rest in order, in lines of the shown rack. */
export function arranged(
  slots: Slots,
  groups: string[][],
  rest: string[],
  okey: string,
  line = SHELF,
  room = SLOTS,
): Slots {
  const left = slots.flatMap((slot) => (slot ? [slot] : []));
  const take = (tile: string): RackTile | null => {
    const at = left.findIndex((candidate) => candidate.tile === tile);
    return at < 0 ? null : (left.splice(at, 1)[0] ?? null);
  };
  const blocks = groups.flatMap((tiles) => pieces(tiles.map(take), line));
  const ordered = [...rest].sort((a, b) => order(a, okey) - order(b, okey)).map(take);
  const next = laidOut(blocks, ordered, line, room);
  return next ? reconciled(next, slots.map((s) => s?.tile ?? "").join(" ")) : slots;
}

/** The same tiles in fewer slots: what touches stays together, as far as there is room. */
export function gathered(slots: Slots, line: number, room: number): Slots {
  const blocks: Block[] = [];
  for (const [index, slot] of slots.entries()) {
    if (!slot) continue;
    if (index % SHELF === 0 || !slots[index - 1]) blocks.push([]);
    blocks.at(-1)?.push(slot);
  }
  const whole = blocks.flatMap((block) => pieces(block, line));
  const next = laidOut(whole, [], line, room);
  if (next) return next;
  const all = slots.filter((slot) => slot);
  return emptySlots().map((_, index) => all[index] ?? null);
}

function order(tile: string, okey: string): number {
  const face = meaningOf(tile, okey);
  return face ? "RYBK".indexOf(face.colour) * 20 + face.number : 100;
}
