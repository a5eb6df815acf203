/** Hints and openings in words. */

import { t } from "./i18n.svelte";
import type { Answer } from "./protocol";
import { tilesWords, tileWords } from "./words";

/**
 * What to do and why: `Atın: kırmızı 5. Hiçbir gruba ya da seriye yaramıyor.`
 *
 * What opens is not named tile by tile where it is `ready` on the rack.
 */
export function hintWords(
  { action = "", reason }: Answer,
  okey: string,
  opened: boolean,
  ready = false,
): string {
  const [verb = "", ...rest] = (action.split(" > ")[0] ?? "").split(" ");
  const words = tilesWords(rest.join(" "), okey);
  const tile = words || (reason?.tile ? tileWords(reason.tile, okey) : "");
  const opens = verb === "meld" && !opened;
  const told = opens ? (ready ? "open-ready" : "open") : verb;
  const said = [t("hint-do", { verb: told, tile, tiles: words })];
  if (reason) {
    const { code, points, need, safe } = reason;
    const named = reason.tile ? tileWords(reason.tile, okey) : "";
    said.push(t(`hint-why-${code}`, { tile: named, points, need }));
    if (safe) said.push(t("hint-safe"));
  }
  return said.join(" ");
}

/** What the arrangement now on the rack is good for. */
export function openingWords({ form, opening, points = 0, pairs = 0 }: Answer): string {
  if (!opening) return t("hint-opening-later");
  const { need_points, need_pairs } = opening;
  if (!form) {
    return t("hint-opening-short", { points, need: need_points, pairs, needPairs: need_pairs });
  }
  const [have, need] = form === "melds" ? [points, need_points] : [pairs, need_pairs];
  return t("hint-opening-found", { form, points: have, need });
}
