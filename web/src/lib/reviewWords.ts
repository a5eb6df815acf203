/** What a review says, in words and numbers. */

import type { Cause, Decision, DealReview, Move, SeatSummary } from "./answers";
import { t, texts } from "./i18n.svelte";
import { tilesWords } from "./words";

export const TERMS = ["par", "deal", "draws", "others", "skill", "residual"] as const;

/** Points with one digit behind the point, as the language writes them. */
export function points(value: number, signed = false): string {
  return new Intl.NumberFormat(texts.locale, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    useGrouping: false,
    signDisplay: signed ? "exceptZero" : "auto",
  }).format(value || 0); // no minus before a zero
}

/** Points as people say them: whole, and one at the least. */
export function whole(value: number): number {
  return Math.max(1, Math.round(value));
}

/** What was done: `kırmızı 5 atmak`; with the group or the tiles if `other` would read alike. */
export function choiceWords(move: Move, okey: string, other?: Move): string {
  const { action, verb, tile, tiles, points } = move;
  const [, piece = "", , group = ""] = verb === "lay" ? action.split(" ") : ["", tile];
  const what = tilesWords(tiles, okey);
  const said = t("review-action", { verb, tile: tilesWords(piece, okey), tiles: what, points });
  if (!other || other.action === action || choiceWords(other, okey) !== said) return said;
  return `${said} (${group ? t("review-group", { group }) : what})`;
}

/** What would have been better, and by how much: `Siyah 2 yerine kırmızı 13 atsaydınız ...`. */
export function insteadWords({ played, best, loss }: Decision, okey: string): string {
  if (best.verb === played.verb && best.tile === played.tile)
    return t("review-better-by", {
      best: choiceWords(best, okey, played),
      points: whole(loss.mean),
    });
  const verb = best.verb === "discard" && played.verb === "discard" ? "discard-discard" : best.verb;
  return t("review-instead", {
    verb,
    played: tilesWords(played.tile, okey),
    tile: tilesWords(best.tile, okey),
    worth: best.points,
    points: whole(loss.mean),
  });
}

/** What was luck and what was play, in one sentence; of another seat with its name. */
export function luckWords(
  { balance, lost }: Pick<DealReview, "balance" | "lost">,
  name: string | null,
): string {
  const luck = Math.round(balance.deal.mean);
  const cost = Math.round(lost.mean);
  return t(name === null ? "review-luck" : "review-luck-of", {
    name: name ?? "",
    deal: luck < 0 ? "helped" : luck > 0 ? "hurt" : "even",
    luck: Math.abs(luck),
    play: cost > 0 ? "lost" : "even",
    lost: cost,
  });
}

/** Keep what a whole match's review says of the own play, for the sheet of that match. */
export function keepLuck(match: string, { balance, lost }: SeatSummary): void {
  localStorage.setItem(`okey101.luck.${match}`, JSON.stringify({ balance, lost }));
}

/** The sentence on a match that was reviewed on this device; empty for any other. */
export async function keptLuck(match: string): Promise<string> {
  const kept = localStorage.getItem(`okey101.luck.${match}`);
  if (kept === null) return "";
  await texts.learn("review");
  return luckWords(JSON.parse(kept) as SeatSummary, null);
}

/** Why something else was better. */
export function whyWords({ code, tile, other, points, need }: Cause, okey: string): string {
  const tiles = { tile: tilesWords(tile, okey), other: tilesWords(other, okey) };
  return t(`review-why-${code}`, { ...tiles, points, need });
}

/** What only the open tiles tell of a choice. */
export function laterWords({ played, mark, hindsight }: Decision, okey: string): string[] {
  if (!hindsight) return [];
  const { taken, fed, loss } = hindsight;
  const said: string[] = [];
  if (taken) {
    const worth = { points: points(fed.mean), reach: points(fed.high - fed.mean) };
    const key = fed.low > 0 ? "review-later-fed" : "review-later-taken";
    said.push(t(key, { tile: tilesWords(played.tile, okey), ...worth }));
  }
  if (mark) {
    const worth = { points: points(loss.mean, true), reach: points(loss.high - loss.mean) };
    said.push(t("review-later-loss", worth));
  }
  return said;
}
