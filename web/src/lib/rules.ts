/** The fields of a rule set in words. */

import { botName } from "./botNames";
import { t, texts } from "./i18n.svelte";

export type Value = string | number | boolean;

export function fieldWords(field: string): string {
  return t(`field-${field}`);
}

/** A value of a field in words, numbers as they are. */
export function valueWords(value: Value | undefined): string {
  const word = typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
  const key = `field-value-${word}`;
  return texts.has(key) ? t(key) : word;
}

/** Everybody at a table in one line; free seats are counted. */
export function tableWords(seats: (string | null)[], table: string): string {
  const names = seats.map((seat, at) => seatWords(seat, table, at));
  return [...new Set(names)]
    .map((name) => {
      const count = names.filter((other) => other === name).length;
      return count > 1 ? `${name} × ${count}` : name;
    })
    .join(", ");
}

/** The name of a bot in the lists, where it comes as `bot:steady`. */
export function seatWords(seat: string | null | undefined, table: string, at: number): string {
  if (!seat) return t("page-empty-seat");
  return seat.startsWith("bot:") ? botName(table, at) : seat;
}
