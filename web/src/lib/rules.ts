/** The fields of a rule set in words. */

import { t, texts } from "./i18n.svelte";

export type Value = string | number | boolean;

function dashed(name: string): string {
  return name.replaceAll("_", "-");
}

export function fieldWords(field: string): string {
  return t(`page-field-${dashed(field)}`);
}

/** A value of a field in words; a fine of nothing is none. */
export function valueWords(value: Value | undefined): string {
  if (typeof value === "boolean") return t(value ? "page-yes" : "page-no");
  const key = `page-value-${dashed(String(value))}`;
  return texts.has(key) ? t(key) : String(value);
}

/** Everybody at a table in one line; bots of one kind are counted. */
export function tableWords(seats: (string | null)[]): string {
  const names = seats.map(seatWords);
  return [...new Set(names)]
    .map((name) => {
      const count = names.filter((other) => other === name).length;
      return count > 1 ? `${name} × ${count}` : name;
    })
    .join(", ");
}

/** How a bot of the lists is called: they come as `bot:steady`. */
export function seatWords(seat: string | null | undefined): string {
  if (!seat) return t("page-empty-seat");
  return seat.startsWith("bot:") ? t("page-bot", { bot: seat.slice(4) }) : seat;
}
