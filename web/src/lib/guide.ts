/** Where on the table the next thing to do is, for whoever is shown how to play. */

import type { Game } from "./game.svelte";
import { tileOfPiece, tilesIn } from "./tiles";

/** The same groups, however they and their tiles are ordered. */
export function sameAction(one: string, two: string): boolean {
  const plain = (action: string): string => {
    const [verb = "", ...pieces] = action.split(" ");
    const groups = pieces.join(" ").split(" / ");
    return `${verb} ${groups
      .map((group) => group.split(" ").sort().join(" "))
      .sort()
      .join(" / ")}`;
  };
  return plain(one) === plain(two);
}

function at(query: string): Element | null {
  return document.querySelector(query);
}

/** The button of the row below the felt that does something. */
export function buttonFor(what: string): Element | null {
  return at(`.actions [data-act="${what}"]`);
}

/** A tile on the rack. */
export function slotWith(tile: string, game: Game): Element | null {
  return at(`[data-source="slot:${game.slots.findIndex((slot) => slot?.tile === tile)}"]`);
}

/** What is to be touched next for an action; null where no one touch leads to it. */
export function placeOf(action: string, game: Game): Element | null {
  const [verb = "", piece = "", , group = ""] = action.split(" ");
  if (verb === "draw") return at('[data-source="stock"]');
  if (verb === "take") return at('[data-source="left"]');
  if (verb === "meld") {
    const kind = game.kinds.find((one) => {
      const groups = game[one].groups.map(({ text }) => text).join(" / ");
      return sameAction(`meld ${groups}`, action);
    });
    if (kind) return buttonFor(kind);
    // One opens with what is on the rack, by the same button.
    const pairs = tilesIn(action.split(" / ")[0] ?? "").length === 3;
    return game.opened === null ? buttonFor(pairs ? "pairs" : "melds") : null;
  }
  if (verb !== "discard" && verb !== "lay") return buttonFor(verb);
  const tile = tileOfPiece(piece);
  const held = at('[data-source^="slot:"][aria-pressed="true"]') as HTMLElement | null;
  const holds = game.slots[Number(held?.dataset.source?.slice(5) ?? -1)]?.tile === tile;
  if (!holds) return slotWith(tile, game);
  return at(`[data-target="${verb === "lay" ? `group:${group}` : "discard"}"]`);
}
