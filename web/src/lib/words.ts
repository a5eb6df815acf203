/** Tiles and places in words, for screen readers and messages. */

import { t } from "./i18n.svelte";
import type { DealView, TableView } from "./protocol";
import { SHELF } from "./rack";
import { faceOf, meaningOf, tilesIn } from "./tiles";

/** A tile in words: `kırmızı 7`. */
export function tileWords(tile: string, okey: string): string {
  const okeys = tile.startsWith("*");
  const stands = faceOf(tile.replace("*", ""));
  const face = stands ?? (okeys ? faceOf(okey) : null);
  const named = face && t("page-tile", { ...face });
  if (!okeys) return named ?? t("page-tile-joker");
  return named
    ? t(`page-tile-okey-${stands ? "for" : "as"}`, { tile: named })
    : t("page-tile-okey");
}

/** Tiles in words: `kırmızı 7, kırmızı 8`; those of another group after a semicolon. */
export function tilesWords(tiles: string, okey: string): string {
  const groups = tiles.split(" / ").map(tilesIn);
  return groups.map((group) => group.map((tile) => tileWords(tile, okey)).join(", ")).join("; ");
}

/** An action of the notation in words: `Ayşe attı: kırmızı 7.`, or `Attınız: kırmızı 7.` */
export function actionWords(
  action: string,
  name: string,
  okey: string,
  you: "yes" | "no" = "no",
): string {
  const [word = "", tile = "", , next = "/"] = action.split(" ");
  const pairs = next === "/";
  if (word === "open") {
    const sum = sumsOf(action, okey).at(-1) ?? 0;
    return t(`page-did-open-${pairs ? "pairs" : "melds"}`, { name, you, sum });
  }
  const what = word === "meld" && pairs ? "pairs" : word;
  return t(`page-did-${what}`, { name, you, tile: tile ? tileWords(tile, okey) : "" });
}

/** What the groups of an opening are worth together, after each of them: points, or pairs. */
export function sumsOf(action: string, okey: string): number[] {
  let sum = 0;
  return action
    .slice(5)
    .split(" / ")
    .map((group) => {
      const pieces = tilesIn(group);
      for (const piece of pieces.length > 2 ? pieces : ["1"]) {
        const stands = piece.replace("*", "");
        sum += meaningOf(stands, okey)?.number ?? Number(stands);
      }
      return sum;
    });
}

/**
 * The actions of a deal for the eye: a take names its tile too, which is the one thrown last, and
 * an opening is `open`, one that fell short `short`. That shows in the seat's fines, or in the sum
 * where it costs nothing, or while the seat has not opened.
 */
export function named(
  { actions, fines, opened, okey }: Pick<DealView, "actions" | "fines" | "opened" | "okey">,
  rules: TableView["options"]["rules"] = {},
): string[] {
  const fell = fines.filter(({ rule }) => rule === "P3").map(({ seat }) => seat);
  const need = { melds: Number(rules.open_points), pairs: Number(rules.open_pairs) };
  /** Where each seat's opening is. */
  const first: number[] = [];
  for (const [at, line] of actions.entries()) {
    const seat = Number(line[0]);
    const how = opened[seat];
    if (!how || first[seat] !== undefined || !line.startsWith("meld", 3)) continue;
    const fined = fell.indexOf(seat);
    const kind = (line.split(" ")[4] ?? "/") === "/" ? "pairs" : "melds";
    const sum = sumsOf(line.slice(3), okey).at(-1) ?? 0;
    if (fined >= 0) fell.splice(fined, 1);
    else if (kind === how && (rules.short_opening_fine !== 0 || sum >= need[how])) {
      first[seat] = at;
      if (rules.rising) need[how] = Math.max(need[how], sum + 1);
    }
  }
  let thrown = "";
  return actions.map((line, at) => {
    const [, seat, action] = /^(\d): (\S+)/.exec(line) ?? [];
    if (action === "discard") thrown = line.slice(11);
    if (action === "take") return `${line} ${thrown}`;
    if (action !== "meld") return line;
    // A partner may have opened with less.
    const own = first[Number(seat)] ?? actions.findIndex((one) => one.startsWith(`${seat}: meld`));
    const told = at > own ? "meld" : at === own ? "open" : "short";
    return line.replace(action, opened[Number(seat)] ? told : "short");
  });
}

/** A slot of the rack in words. */
export function slotWords(index: number): string {
  return t("page-slot", { shelf: index < SHELF ? "upper" : "lower", number: (index % SHELF) + 1 });
}
