/** Tiles and places in words, for screen readers and messages. */

import { t } from "./i18n.svelte";
import { SHELF } from "./rack";
import { faceOf } from "./tiles";

/** A tile in words: `kırmızı 7`. */
export function tileWords(tile: string, okey: string): string {
  const stands = tile.startsWith("*") ? faceOf(tile.slice(1)) : null;
  if (stands) {
    const named = t("page-tile", { colour: stands.colour, number: stands.number });
    return t("page-tile-okey-for", { tile: named });
  }
  if (tile.startsWith("*")) {
    const face = faceOf(okey);
    return face
      ? t("page-tile-okey-as", {
          tile: t("page-tile", { colour: face.colour, number: face.number }),
        })
      : t("page-tile-okey");
  }
  const face = faceOf(tile);
  return face ? t("page-tile", { colour: face.colour, number: face.number }) : t("page-tile-joker");
}

/** An action of the notation in words: `Ayşe attı: kırmızı 7.`, or `Attınız: kırmızı 7.` */
export function actionWords(
  action: string,
  name: string,
  okey: string,
  you: "yes" | "no" = "no",
): string {
  const [word = "", tile = "", , next = "/"] = action.split(" ");
  const what = word === "meld" && next === "/" ? "pairs" : word;
  return t(`page-did-${what}`, { name, you, tile: tile ? tileWords(tile, okey) : "" });
}

/** The actions of a deal, where a take names its tile too: it is the one thrown last. */
export function named(actions: readonly string[]): string[] {
  let thrown = "";
  return actions.map((action) => {
    thrown = /discard (\S+)$/.exec(action)?.[1] ?? thrown;
    return action.endsWith("take") ? `${action} ${thrown}` : action;
  });
}

/** A slot of the rack in words. */
export function slotWords(index: number): string {
  return t("page-slot", { shelf: index < SHELF ? "upper" : "lower", number: (index % SHELF) + 1 });
}
