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

/** Everybody at a table in one line, but who looks at it; free seats are counted. */
export function tableWords(
  seats: (string | null)[],
  table: string,
  own: number | null = null,
): string {
  const names = seats.map((_, at) => seatWords(seats, table, at)).filter((_, at) => at !== own);
  return [...new Set(names)]
    .map((name) => {
      const count = names.filter((other) => other === name).length;
      return count > 1 ? `${name} × ${count}` : name;
    })
    .join(", ");
}

export const isBot = (seat: string | null): boolean => seat?.startsWith("bot:") ?? false;

/** The name in a seat of the lists, where a bot comes as `bot:steady`. */
export function seatWords(seats: readonly (string | null)[], table: string, at: number): string {
  const seat = seats[at];
  if (!seat) return t("page-empty-seat");
  return isBot(seat)
    ? botName(
        table,
        at,
        seats.filter((one) => !isBot(one)),
        seat.slice("bot:".length),
      )
    : seat;
}
