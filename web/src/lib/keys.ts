/** The table by single keys, while the focus is somewhere inside it. */

import type { Game } from "./game.svelte";
import type { Hand } from "./pointer.svelte";
import type { Moves } from "./tableActions.svelte";
import { tileOfPiece } from "./tiles";

/** Whether another key makes something else of it, which is the browser's or the system's. */
export function altered({ altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return altKey || ctrlKey || metaKey;
}

/** Do what a key stands for; false where it means nothing here. */
export function pressed(key: string, place: string, game: Game, moves: Moves, hand: Hand): boolean {
  const slot = hand.held ?? place;
  const tile = slot.startsWith("slot:") ? moves.tileAt(slot) : null;
  switch (key.toLowerCase()) {
    case "1":
      moves.draw();
      break;
    case "2":
      moves.take();
      break;
    case "backspace":
      moves.putBack();
      break;
    case "d":
    case "delete":
      if (tile === null) return false;
      hand.drop();
      moves.put(slot, "discard");
      break;
    case "f": {
      const held = tile === null ? null : game.slots[Number(slot.slice(5))];
      if (held) game.flip(held.id);
      break;
    }
    case "o":
      void moves.open("melds");
      break;
    case "p":
      void moves.open("pairs");
      break;
    case "l": {
      const lays = game.options?.lays ?? [];
      const first = lays.find((lay) => tileOfPiece(lay.split(" ")[1] ?? "") === tile);
      if (first && tile !== null) moves.put(slot, `group:${first.split("> ")[1]}`);
      else void moves.layAll();
      break;
    }
    case "s":
      void moves.arrange("points");
      break;
    case "c":
      void moves.arrange("pairs");
      break;
    case "z":
      void moves.takeBack();
      break;
    default:
      return false;
  }
  return true;
}
