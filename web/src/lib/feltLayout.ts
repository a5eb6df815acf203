/**
 * Where the groups lie on the felt, and how large their tiles are: all of them always fit.
 *
 * The felt is divided into columns as wide as four tiles. A set has one to itself for good, a run as
 * many as it needs: what grows takes the free place beside it, or moves alone. Where nothing is
 * free, the fewest others make room; where that does not help, all stay where they are in smaller
 * tiles. Only what has another width, or gains much by it, is laid out anew.
 */

import { faceOf } from "./tiles";

export interface Box {
  readonly width: number;
  readonly height: number;
}

export interface Laid {
  readonly form: "pair" | "run" | "set";
  /** Pieces separated by blanks. */
  readonly tiles: string;
}

/** A group's place in pixels, its frame included; a long run has several lines of `line` tiles. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly line: number;
}

export interface Layout {
  /** The width of a tile. */
  readonly tile: number;
  readonly places: readonly Place[];
  readonly box: Box;
  /** The cells of each group in the columns; null where they are packed without columns. */
  readonly cells: readonly Cell[] | null;
  readonly groups: readonly Laid[];
  readonly most: number;
  /** The longest line where groups are packed. */
  readonly longest: number;
}

/** In halves of a column: pairs lie two in one, and a run may end in half of one. */
interface Cell {
  row: number;
  column: number;
  readonly width: number;
  readonly rows: number;
  readonly line: number;
}

/** The widths that tiles may have. */
export const SIZES = [
  72, 66, 60, 54, 50, 46, 42, 39, 36, 33, 30, 28, 26, 24, 23, 22, 21, 20, 19, 18,
] as const;
export const SMALLEST = 18;
/** How large they may be on a felt: a wide one is looked at from afar. */
const mostOn = ({ width }: Box): number => (width < 1000 ? 54 : SIZES[0]);
export const RATIO = 1.33;
/** The frame of a group, on each side. */
export const FRAME = 2;
/** Columns are worth a little of the size: below this share of it, tiles are packed. */
const COLUMNS_WORTH = 0.8;
const SPACIOUS_WORTH = 0.86;
/** So are places that stay where they are. */
const STAYING_WORTH = 0.8;
/** How many groups make room for another at most. */
const GIVE_WAY = 3;
/** Above this width room to grow is worth any of the size. */
const LARGE = 33;
const LONGEST = 13;

/** What a roomy layout leaves free: the place of a run that grew. */
const SPARE = { width: 4, rows: 1, line: 8 };

/** A size of tiles with which everything fits. */
interface Found {
  tile: number;
  cells: Cell[];
}

interface Grid {
  tile: number;
  gap: number;
  /** From one column to the next, and from one row to the next. */
  across: number;
  down: number;
  columns: number;
  rows: number;
  left: number;
}

const high = (tile: number): number => Math.ceil(tile * RATIO) + 2 * FRAME;

function gridOf(box: Box, tile: number): Grid {
  // As wide that two pairs fit a column, and a run of thirteen three.
  const gap = Math.max(1, Math.ceil((tile - 24) / 2));
  const below = Math.max(2, Math.round(tile / 8));
  const across = 4 * tile + 4 * FRAME + 2 + gap;
  const down = high(tile) + below;
  const columns = Math.floor((box.width + gap) / across);
  const rows = Math.floor((box.height + below) / down);
  const left = Math.max(0, Math.floor((box.width - columns * across + gap) / 2));
  return { tile, gap, across, down, columns, rows, left };
}

const sizeOf = (group: Laid): number => group.tiles.split(" ").length;

/** How a group fills cells, where `room` is how many tiles it gets at least; null if it does not. */
function shapeOf(group: Laid, grid: Grid, room = 0): Omit<Cell, "row" | "column"> | null {
  if (group.form === "pair") return { width: 1, rows: 1, line: 2 };
  const count = sizeOf(group);
  if (count <= 4 && room <= 4) return { width: 2, rows: 1, line: 4 };
  const most = Math.floor((grid.columns * grid.across - grid.gap - 2 * FRAME) / grid.tile);
  const rows = Math.ceil(count / most);
  const line =
    rows === 1 ? Math.min(Math.max(count, room), most, LONGEST) : Math.ceil(count / rows);
  // Each line is a run by itself.
  if (rows > 1 && count - (rows - 1) * line < 3) return null;
  const columns = Math.ceil((line * grid.tile + 2 * FRAME + 2 + grid.gap) / grid.across);
  // Half of the last one is as wide as a pair.
  const half = line * grid.tile <= (columns - 1) * grid.across + 2 * grid.tile;
  return { width: 2 * columns - Number(half), rows, line };
}

/** Which cells are taken. */
class Taken {
  readonly #cells: Uint8Array;
  readonly #across: number;

  constructor(
    private readonly rows: number,
    columns: number,
  ) {
    this.#across = 2 * columns;
    this.#cells = new Uint8Array(rows * this.#across);
  }

  clear(): void {
    this.#cells.fill(0);
  }

  free({ row, column, width, rows }: Cell): boolean {
    if (row + rows > this.rows || column + width > this.#across) return false;
    for (let down = row; down < row + rows; down++)
      for (let right = column; right < column + width; right++)
        if (this.#cells[down * this.#across + right]) return false;
    return true;
  }

  take({ row, column, width, rows }: Cell): void {
    for (let down = row; down < row + rows; down++) {
      const start = down * this.#across + column;
      this.#cells.fill(1, start, start + width);
    }
  }

  /** The first free place from a row on; pairs take what others can't. */
  find(shape: Omit<Cell, "row" | "column">, from = 0): Cell | null {
    const step = shape.width % 2 ? 1 : 2;
    const cell: Cell = { ...shape, row: from, column: 0 };
    for (; cell.row + cell.rows <= this.rows; cell.row++)
      for (cell.column = 0; cell.column + cell.width <= this.#across; cell.column += step)
        if (this.free(cell)) return cell;
    return null;
  }
}

/** Sets by number, then runs by colour and number, then pairs. */
function ordered(groups: readonly Laid[]): number[] {
  const key = ({ form, tiles }: Laid): number => {
    const plain = tiles.split(" ").find((tile) => faceOf(tile.replace("*", ""))) ?? "";
    const face = faceOf(plain.replace("*", ""));
    const number = face?.number ?? 0;
    if (form === "set") return number;
    return (form === "run" ? 100 + 20 * "RYBK".indexOf(face?.colour ?? "R") : 1000) + number;
  };
  return groups
    .map((_, index) => index)
    .sort((a, b) => key(groups[a] as Laid) - key(groups[b] as Laid) || a - b);
}

/** Everything in columns; with `spacious` runs begin a row of their own and have room to grow. */
function inColumns(groups: readonly Laid[], grid: Grid, spacious: boolean): Cell[] | null {
  if (grid.columns < 1 || grid.rows < 1) return null;
  const taken = new Taken(grid.rows, grid.columns);
  const cells: Cell[] = [];
  let from = 0;
  let below = 0;
  let form = "set";
  for (const index of ordered(groups)) {
    const group = groups[index] as Laid;
    if (spacious && group.form !== form) from = group.form === "run" ? below : from;
    form = group.form;
    const shape = shapeOf(group, grid, spacious && form === "run" ? sizeOf(group) + 1 : 0);
    const cell = shape && taken.find(shape, form === "pair" ? 0 : from);
    if (!cell) return null;
    taken.take(cell);
    cells[index] = cell;
    below = Math.max(below, cell.row + cell.rows);
  }
  return spacious && !taken.find(SPARE) ? null : cells;
}

type Shape = Omit<Cell, "row" | "column">;

function meet(a: Cell, b: Cell): boolean {
  const across = Math.min(a.column + a.width, b.column + b.width) - Math.max(a.column, b.column);
  return across > 0 && Math.min(a.row + a.rows, b.row + b.rows) > Math.max(a.row, b.row);
}

/**
 * What lies already stays; what is new, or has grown beyond its place, finds a free one. With
 * `tight` what lies gives up the room in which it could grow.
 */
function kept(groups: readonly Laid[], grid: Grid, before: Layout, tight: boolean): Cell[] | null {
  const taken = new Taken(grid.rows, grid.columns);
  const cells: Cell[] = [];
  const moving: [index: number, shape: Shape][] = [];
  for (const [index, group] of groups.entries()) {
    const shape = shapeOf(group, grid);
    if (!shape) return null;
    const old = before.cells?.[index];
    const same = old && before.groups[index]?.form === group.form && old.rows === shape.rows;
    const wide = same && old.line >= Math.min(shape.line, sizeOf(group));
    const stays = wide ? { ...old, ...(tight ? shape : shapeOf(group, grid, old.line)) } : null;
    if (stays && taken.free(stays)) {
      cells[index] = stays;
      taken.take(stays);
    } else {
      moving.push([index, shape]);
    }
  }
  for (const [index, shape] of moving) {
    const old = before.cells?.[index];
    const there = old && { ...shape, row: old.row, column: old.column };
    const cell = there && taken.free(there) ? there : taken.find(shape);
    if (cell) {
      taken.take(cell);
      cells[index] = cell;
    } else if (!givesWay(cells, index, shape, grid)) {
      return null;
    } else {
      taken.clear();
      for (const one of cells) if (one) taken.take(one);
    }
  }
  return cells;
}

/** Put a group where the fewest others, with the fewest tiles, have to go elsewhere for it. */
function givesWay(cells: Cell[], index: number, shape: Shape, grid: Grid): boolean {
  const ways: { cell: Cell; away: number[]; cost: number }[] = [];
  const step = shape.width % 2 ? 1 : 2;
  for (let row = 0; row + shape.rows <= grid.rows; row++)
    for (let column = 0; column + shape.width <= 2 * grid.columns; column += step) {
      const cell = { ...shape, row, column };
      const away = cells.flatMap((one, at) => (at !== index && meet(one, cell) ? [at] : []));
      const size = away.reduce((sum, at) => sum + (cells[at]?.line ?? 0), 0);
      if (away.length <= GIVE_WAY) ways.push({ cell, away, cost: 100 * away.length + size });
    }
  ways.sort((a, b) => a.cost - b.cost);
  const taken = new Taken(grid.rows, grid.columns);
  for (const { cell, away } of ways) {
    taken.clear();
    taken.take(cell);
    for (const [at, one] of cells.entries()) if (one && !away.includes(at)) taken.take(one);
    const found = new Map([[index, cell]]);
    const widest = [...away].sort((a, b) => (cells[b]?.width ?? 0) - (cells[a]?.width ?? 0));
    for (const at of widest) {
      const elsewhere = taken.find(cells[at] as Cell);
      if (!elsewhere) break;
      taken.take(elsewhere);
      found.set(at, elsewhere);
    }
    if (found.size <= away.length) continue;
    for (const [at, place] of found) cells[at] = place;
    return true;
  }
  return false;
}

function placesOf(groups: readonly Laid[], cells: readonly Cell[], grid: Grid): Place[] {
  return cells.map(({ row, column, rows, line }, index) => {
    const tiles = Math.min(line, sizeOf(groups[index] as Laid));
    return {
      x:
        grid.left +
        Math.floor(column / 2) * grid.across +
        (column % 2) * (2 * grid.tile + 2 * FRAME + 2),
      y: row * grid.down,
      width: tiles * grid.tile + 2 * FRAME,
      height: (rows - 1) * Math.ceil(grid.tile * RATIO) + high(grid.tile),
      line: tiles,
    };
  });
}

/** The size of a group of tiles where a run has lines of at most `longest`. */
function packedShape(group: Laid, tile: number, longest: number): Omit<Place, "x" | "y"> {
  const rows = Math.ceil(sizeOf(group) / longest);
  const line = Math.ceil(sizeOf(group) / rows);
  const height = (rows - 1) * Math.ceil(tile * RATIO) + high(tile);
  return { line, width: line * tile + 2 * FRAME, height };
}

/** Side by side without columns, the widest first, runs in lines of at most `longest`. */
function packed(groups: readonly Laid[], box: Box, tile: number, longest: number): Place[] | null {
  const gap = 2;
  const shapes = groups.map((group, index) => ({ index, ...packedShape(group, tile, longest) }));
  shapes.sort((a, b) => b.height - a.height || b.width - a.width || a.index - b.index);
  const lines: { y: number; height: number; x: number }[] = [];
  const places: Place[] = [];
  for (const { index, line, width, height } of shapes) {
    let at = lines.find((one) => one.height >= height && one.x + width <= box.width);
    if (!at) {
      const last = lines.at(-1);
      at = { y: last ? last.y + last.height + 1 : 0, height, x: 0 };
      if (width > box.width || at.y + height > box.height) return null;
      lines.push(at);
    }
    places[index] = { x: at.x, y: at.y, width, height, line };
    at.x += width + gap;
  }
  return places;
}

/** The same where groups were packed before: what has to move finds a gap, or a line below. */
function packedStill(groups: readonly Laid[], before: Layout): Place[] | null {
  const { box, tile, longest } = before;
  const places: Place[] = [];
  const shapes = groups.map((group) => packedShape(group, tile, longest));
  const fits = (one: Place): boolean =>
    one.x + one.width <= box.width &&
    one.y + one.height <= box.height &&
    places.every(
      (other) =>
        one.x >= other.x + other.width ||
        other.x >= one.x + one.width ||
        one.y >= other.y + other.height ||
        other.y >= one.y + one.height,
    );
  for (const [index, shape] of shapes.entries()) {
    const old = before.places[index];
    const there = old && { ...shape, x: old.x, y: old.y };
    // What has grown waits until all that have not are there.
    if (there && shape.width === old.width && shape.height === old.height) places[index] = there;
  }
  for (const [index, shape] of shapes.entries()) {
    if (places[index]) continue;
    const old = before.places[index];
    const there = old && { ...shape, x: old.x, y: old.y };
    const laid = places.filter(Boolean);
    const ways = [0, ...laid.map((one) => one.y), ...laid.map((one) => one.y + one.height + 1)]
      .flatMap((y) => [0, ...laid.map((one) => one.x + one.width + 2)].map((x) => ({ x, y })))
      .sort((a, b) => a.y - b.y || a.x - b.x)
      .map((at) => ({ ...shape, ...at }));
    const place = [...(there ? [there] : []), ...ways].find(fits);
    if (!place) return null;
    places[index] = place;
  }
  return places;
}

/**
 * The layout of groups in a box, with tiles of at most `most` pixels.
 *
 * `before` is what was shown last: as long as it can be, everything stays where it was.
 */
export function feltLayout(
  box: Box,
  groups: readonly Laid[],
  most: number = mostOn(box),
  before: Layout | null = null,
): Layout {
  const alike = before?.box.width === box.width && before.most === most && groups.length > 0;
  if (!before || !alike) return laidAnew(box, groups, most);
  const same = before.box.height === box.height;
  if (!before.cells) {
    const places = same ? packedStill(groups, before) : null;
    return places ? { ...before, groups, places } : laidAnew(box, groups, most);
  }
  const still = (tile: number): Layout | null => {
    const grid = gridOf(box, tile);
    const cells = kept(groups, grid, before, false) ?? kept(groups, grid, before, true);
    return cells && { ...before, tile, box, groups, cells, places: placesOf(groups, cells, grid) };
  };
  const now = same ? still(before.tile) : null;
  if (now) return now;
  const anew = laidAnew(box, groups, most);
  for (const tile of SIZES) {
    if (tile > before.tile || tile < anew.tile * STAYING_WORTH) continue;
    const found = still(tile);
    if (found) return found;
  }
  return anew;
}

function laidAnew(box: Box, groups: readonly Laid[], most: number): Layout {
  const done = (
    tile: number,
    cells: readonly Cell[] | null,
    places: readonly Place[],
    longest = LONGEST,
  ): Layout => ({ tile, places, box, cells, groups, most, longest });
  const sizes = SIZES.filter((size) => size <= Math.max(most, SMALLEST));
  let dense: Found | null = null;
  let airy: Found | null = null;
  for (const tile of sizes) {
    const grid = gridOf(box, tile);
    if (!dense) {
      const cells = inColumns(groups, grid, false);
      if (cells) dense = { tile, cells };
    }
    const cells = inColumns(groups, grid, true);
    if (cells) {
      airy = { tile, cells };
      break;
    }
  }
  const columns =
    airy && dense && airy.tile >= Math.min(LARGE, dense.tile * SPACIOUS_WORTH) ? airy : dense;
  for (const tile of sizes) {
    if (columns && (columns.tile >= 24 || columns.tile >= tile * COLUMNS_WORTH)) break;
    for (const longest of [LONGEST, 7, 5]) {
      const places = packed(groups, box, tile, longest);
      if (places) return done(tile, null, places, longest);
    }
  }
  if (columns) {
    return done(
      columns.tile,
      columns.cells,
      placesOf(groups, columns.cells, gridOf(box, columns.tile)),
    );
  }
  // Too little room for anything: what does not fit is scrolled to.
  const endless = { width: Math.max(box.width, 5 * SMALLEST + 2 * FRAME), height: Infinity };
  const depth = ({ places }: Layout): number =>
    Math.max(0, ...places.map((at) => at.y + at.height));
  return [LONGEST, 7, 5]
    .flatMap((longest) => {
      const places = packed(groups, endless, SMALLEST, longest);
      return places ? [done(SMALLEST, null, places, longest)] : [];
    })
    .reduce((best, way) => (depth(way) < depth(best) ? way : best));
}
