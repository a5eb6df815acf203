/** Whether the tiles that everybody showed in a deal are those that were dealt to them. */

import type { Dealt } from "./fairDeal";
import { tileOfPiece, tilesIn } from "./tiles";

interface Played {
  actions: readonly string[];
  left: readonly string[] | null;
  /** The fines of the deal: after a short opening (P3) the tiles have gone back to the hand. */
  fines: readonly { seat: number; rule: string }[];
  rules: { short_opening_fine?: number | string | boolean };
}

/** The hands of a deal, as the actions change them. */
class Hands {
  readonly #hands: string[][];
  readonly #piles: string[][];
  readonly #taken: (string | undefined)[] = [];
  /** Seats that can't be followed: tiles were taken back, or an okey was reclaimed. */
  readonly lost = new Set<number>();
  #drawn = 0;

  constructor(private readonly dealt: Dealt) {
    this.#hands = dealt.hands.map((hand) => [...hand]);
    this.#piles = dealt.hands.map(() => []);
  }

  /** Play an action; whether the seat had the tiles for it. */
  play(seat: number, verb: string, tiles: readonly string[]): boolean {
    const hand = this.#hands[seat] ?? [];
    const before = this.#piles[(seat + this.#piles.length - 1) % this.#piles.length] ?? [];
    switch (verb) {
      case "draw":
        hand.push(this.dealt.stock[this.#drawn++] ?? "");
        return true;
      case "take":
        this.#taken[seat] = before.pop();
        hand.push(this.#taken[seat] ?? "");
        return true;
      case "return": {
        const tile = this.#taken[seat] ?? "";
        before.push(tile);
        return this.#give(seat, tile);
      }
      case "indicator":
        hand.push(this.dealt.indicator);
        return true;
      case "discard":
        this.#piles[seat]?.push(...tiles);
        return tiles.every((tile) => this.#give(seat, tile));
      case "meld":
      case "lay":
        return tiles.every((tile) => this.#give(seat, tile));
      case "back":
      case "swap":
        this.lost.add(seat);
        return true;
      default:
        return true;
    }
  }

  #give(seat: number, tile: string): boolean {
    const hand = this.#hands[seat] ?? [];
    const at = hand.indexOf(tile);
    if (at >= 0) hand.splice(at, 1);
    return at >= 0 || this.lost.has(seat);
  }

  leaves(seat: number, tiles: readonly string[]): boolean {
    const hand = this.#hands[seat] ?? [];
    return this.lost.has(seat) || [...hand].sort().join(" ") === [...tiles].sort().join(" ");
  }
}

/** Follow every hand from the deal to what was left of it.

False where somebody showed or kept a tile that was not dealt or drawn; null where no hand can be
followed to its end. */
export function shownTiles(played: Played, dealt: Dealt): boolean | null {
  const { actions, left, fines, rules } = played;
  const hands = new Hands(dealt);
  for (const { seat, rule } of fines) if (rule === "P3") hands.lost.add(seat);
  for (const line of actions) {
    const [who = "", text = ""] = line.split(": ", 2);
    const [verb = "", ...rest] = (text.split(" > ")[0] ?? "").split(" ");
    const tiles = rest.filter((piece) => piece !== "/").map(tileOfPiece);
    // Where a short opening is free, nothing tells it from one that stayed.
    if (verb === "meld" && rules.short_opening_fine === 0) hands.lost.add(Number(who));
    if (!hands.play(Number(who), verb, tiles)) return false;
  }
  if (hands.lost.size === dealt.hands.length) return null;
  return dealt.hands.every((_, seat) => hands.leaves(seat, tilesIn(left?.[seat] ?? "")));
}
