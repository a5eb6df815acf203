/** Whether the tiles that everybody showed in a deal are those that were dealt to them. */

import type { Told } from "./fairCheck";
import type { Dealt } from "./fairDeal";
import { tileOfPiece, tilesIn } from "./tiles";

/** After a short opening (P3), which its fine tells, the tiles have gone back to the hand. */
type Played = Pick<Told, "actions" | "left" | "fines"> & {
  rules: Pick<Told["rules"], "short_opening_fine">;
};

const OKEY = "*";

/** One action of a seat. */
interface Act {
  seat: number;
  verb: string;
  tiles: readonly string[];
  /** How many tiles are taken back. */
  count: number;
}

function read(line: string): Act {
  const [who = "", text = ""] = line.split(": ", 2);
  const [verb = "", ...rest] = (text.split(" > ")[0] ?? "").split(" ");
  const tiles = rest.filter((piece) => piece !== "/").map(tileOfPiece);
  return { seat: Number(who), verb, tiles, count: Number(rest[0]) };
}

/** What a seat takes from others' piles and the stock, which depends on nobody's hand. */
function supplied(acts: readonly Act[], dealt: Dealt): (string | undefined)[] {
  const piles: string[][] = dealt.hands.map(() => []);
  let drawn = 0;
  let taken = "";
  return acts.map(({ seat, verb, tiles }) => {
    const before = piles[(seat + piles.length - 1) % piles.length] ?? [];
    if (verb === "discard") piles[seat]?.push(...tiles);
    else if (verb === "draw") return dealt.stock[drawn++];
    else if (verb === "indicator") return dealt.indicator;
    else if (verb === "take") return (taken = before.pop() ?? "");
    else if (verb === "return") {
      before.push(taken);
      return taken;
    }
    return undefined;
  });
}

/** The hand of one seat, as its actions change it. */
class Hand {
  readonly #tiles: string[];
  /** What was put down in the running turn outside an opening, and may be taken back. */
  #placed: { tile: string; swapped: boolean }[] = [];
  #opened = false;

  /** `short`: how many of the seat's first melds were openings that fell short. */
  constructor(
    dealt: readonly string[],
    private short: number,
  ) {
    this.#tiles = [...dealt];
  }

  /** Play an action; whether the tiles for it were there. */
  play({ verb, tiles, count }: Act, come: string | undefined): boolean {
    switch (verb) {
      case "draw":
      case "take":
      case "indicator":
        this.#tiles.push(come ?? "");
        return come !== undefined;
      case "return":
        return this.#give([come ?? ""]);
      case "discard":
        this.#placed = [];
        return this.#give(tiles);
      case "meld":
        return this.#meld(tiles);
      case "lay":
        return this.#put(tiles, false);
      case "swap":
        return this.#put(tiles, true);
      case "back":
        return this.#back(count);
      default:
        return true;
    }
  }

  left(): string {
    return [...this.#tiles].sort().join(" ");
  }

  #meld(tiles: readonly string[]): boolean {
    if (!this.#opened && this.short > 0) {
      this.short -= 1;
      const hand = [...this.#tiles];
      const there = this.#give(tiles);
      this.#tiles.splice(0, this.#tiles.length, ...hand);
      return there;
    }
    if (this.#opened) return this.#put(tiles, false);
    this.#opened = true;
    return this.#give(tiles);
  }

  #put(tiles: readonly string[], swapped: boolean): boolean {
    if (!this.#give(tiles)) return false;
    for (const tile of tiles) this.#placed.push({ tile, swapped });
    if (swapped) this.#tiles.push(OKEY);
    return true;
  }

  #back(count: number): boolean {
    if (!(count >= 1 && count <= this.#placed.length)) return false;
    return this.#placed
      .splice(-count)
      .reverse()
      .every(({ tile, swapped }) => {
        this.#tiles.push(tile);
        return !swapped || this.#give([OKEY]);
      });
  }

  #give(tiles: readonly string[]): boolean {
    return tiles.every((tile) => {
      const at = this.#tiles.indexOf(tile);
      if (at >= 0) this.#tiles.splice(at, 1);
      return at >= 0;
    });
  }
}

/** What one seat's own player saw of its hand: after so many actions. */
interface Own {
  seat: number;
  hands: readonly (readonly [number, string])[];
}

/** Whether one seat's actions follow from its tiles, after so many openings that fell short. */
function follows(
  seat: number,
  short: number,
  acts: readonly Act[],
  come: readonly (string | undefined)[],
  dealt: Dealt,
  left: string | undefined,
  seen: Own["hands"],
): boolean {
  const hand = new Hand(dealt.hands[seat] ?? [], short);
  const is = (tiles: string) => hand.left() === tilesIn(tiles).sort().join(" ");
  const hands = new Map(seen);
  const shown = acts.every((act, at) => {
    const known = hands.get(at + 1);
    const can = act.seat !== seat || hand.play(act, come[at]);
    return can && (known === undefined || is(known));
  });
  return shown && (left === undefined || is(left));
}

/** Follow every hand tile by tile, from the deal to what was left of it; or the own one alone.

False where somebody showed or kept a tile that was not dealt or drawn. */
export function shownTiles(
  { actions, left, fines, rules }: Played,
  dealt: Dealt,
  own?: Own,
): boolean {
  const acts = actions.map(read);
  const come = supplied(acts, dealt);
  return dealt.hands.every((_, seat) => {
    if (own && own.seat !== seat) return true;
    const fined = fines?.filter((fine) => fine.seat === seat && fine.rule === "P3").length ?? 0;
    // Where nothing tells a short opening from one that stayed, one number of them must fit.
    const melds = acts.filter((act) => act.seat === seat && act.verb === "meld").length;
    const free = !fines || rules.short_opening_fine === 0;
    const ways = free ? Array.from({ length: melds + 1 }, (_, short) => short) : [fined];
    const hands = own?.hands ?? [];
    return ways.some((short) => follows(seat, short, acts, come, dealt, left?.[seat], hands));
  });
}
