/**
 * What a row of touching tiles on the rack is worth, read as the player arranged it.
 *
 * A preview while tiles are moved: the server says whether it may be laid, and why not.
 */

import { meaningOf } from "./tiles";

export interface Group {
  kind: "run" | "set" | "pair";
  /** The tiles as they stand on the rack. */
  tiles: string[];
  /** The group in the notation: okeys of runs and sets say what they stand for. */
  text: string;
  points: number;
}

export interface Arrangement {
  groups: Group[];
  points: number;
}

const OKEY = "*";

/** A run in ascending order; okeys stand where they are, unless that is beyond 13 or before 1. */
function asRun(tiles: string[], okey: string): Group | null {
  const first = tiles.findIndex((tile) => tile !== OKEY);
  if (tiles.length < 3 || tiles.length > 13 || first < 0) return null;
  const face = meaningOf(tiles[first] as string, okey);
  if (!face) return null;
  let start = face.number - first;
  const ordered = [...tiles];
  while (start + ordered.length - 1 > 13 && ordered.at(-1) === OKEY) {
    ordered.pop();
    ordered.unshift(OKEY);
    start -= 1;
  }
  while (start < 1 && ordered[0] === OKEY) {
    ordered.shift();
    ordered.push(OKEY);
    start += 1;
  }
  if (start < 1 || start + ordered.length - 1 > 13) return null;
  let points = 0;
  const pieces: string[] = [];
  for (const [index, tile] of ordered.entries()) {
    const number = start + index;
    points += number;
    if (tile === OKEY) {
      pieces.push(`*${face.colour}${number}`);
      continue;
    }
    const meaning = meaningOf(tile, okey);
    if (!meaning || meaning.colour !== face.colour || meaning.number !== number) return null;
    pieces.push(tile);
  }
  return { kind: "run", tiles, text: pieces.join(" "), points };
}

function asSet(tiles: string[], okey: string): Group | null {
  if (tiles.length < 3 || tiles.length > 4) return null;
  let number = 0;
  const seen = new Set<string>();
  for (const tile of tiles) {
    if (tile === OKEY) continue;
    const meaning = meaningOf(tile, okey);
    if (!meaning || seen.has(meaning.colour) || (number && meaning.number !== number)) return null;
    number = meaning.number;
    seen.add(meaning.colour);
  }
  if (!number) return null;
  const text = tiles.map((tile) => (tile === OKEY ? `*${number}` : tile)).join(" ");
  return { kind: "set", tiles, text, points: number * tiles.length };
}

/** Two tiles of a kind; an announced twin of the indicator goes with any other. */
function asPair(tiles: string[], okey: string, twin: string | null): Group | null {
  const [one, two] = tiles;
  if (tiles.length !== 2 || one === undefined || two === undefined) return null;
  const plain = one === OKEY ? two : one;
  const meaning = meaningOf(plain, okey);
  if (plain === OKEY) {
    const own = meaningOf("F", okey);
    const number = own ? own.number : 1;
    return { kind: "pair", tiles, text: `*${number} *${number}`, points: 0 };
  }
  if (!meaning) return null;
  if (one !== OKEY && two !== OKEY) {
    const other = meaningOf(two, okey);
    const alike = other?.colour === meaning.colour && other.number === meaning.number;
    if (!alike && one !== twin && two !== twin) return null;
    return { kind: "pair", tiles, text: `${one} ${two}`, points: 0 };
  }
  return { kind: "pair", tiles, text: `${plain} *${meaning.colour}${meaning.number}`, points: 0 };
}

/** One group, as a run upwards or downwards, or as a set. */
export function asMeld(tiles: string[], okey: string): Group | null {
  return asSet(tiles, okey) ?? asRun(tiles, okey) ?? asRun([...tiles].reverse(), okey);
}

/** The best way to cut rows of touching tiles into groups; with the fewest groups among equals. */
function cut(
  rows: string[][],
  lengths: readonly number[],
  read: (tiles: string[]) => Group | null,
  worth: (group: Group) => number,
): Group[] {
  const found: Group[] = [];
  for (const row of rows) {
    const best: { value: number; groups: Group[] }[] = [{ value: 0, groups: [] }];
    for (let end = 1; end <= row.length; end++) {
      let choice = best[end - 1] as { value: number; groups: Group[] };
      for (const length of lengths) {
        const before = best[end - length];
        if (length > end || !before) continue;
        const group = read(row.slice(end - length, end));
        if (!group) continue;
        const value = before.value + worth(group);
        const fewer = before.groups.length + 1 < choice.groups.length;
        if (value > choice.value || (value === choice.value && fewer)) {
          choice = { value, groups: [...before.groups, group] };
        }
      }
      best.push(choice);
    }
    found.push(...(best.at(-1) as { groups: Group[] }).groups);
  }
  return found;
}

const MELD_LENGTHS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13];

/** The sets and runs that stand on the rack, and their points. */
export function meldsIn(rows: string[][], okey: string): Arrangement {
  const groups = cut(
    rows,
    MELD_LENGTHS,
    (tiles) => asMeld(tiles, okey),
    (group) => group.points,
  );
  return { groups, points: groups.reduce((sum, group) => sum + group.points, 0) };
}

/** The pairs that stand on the rack, and how many there are; `twin` as announced, or null. */
export function pairsIn(rows: string[][], okey: string, twin: string | null = null): Arrangement {
  const found = cut(
    rows,
    [2],
    (tiles) => asPair(tiles, okey, twin),
    () => 1,
  );
  // The twin goes with any other once, though the indicator itself may be there as well (O6).
  const [, ...more] = found.filter(({ tiles }) => !asPair(tiles, okey, null));
  const groups = found.filter((group) => !more.includes(group));
  return { groups, points: groups.length };
}
