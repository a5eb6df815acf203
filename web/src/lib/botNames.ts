/** Names of people for bots, always with the mark in front that no person's name may have. */

import { t } from "./i18n.svelte";
import { OWN_BOTS } from "./vocabulary";

/** In the order of their faces. */
const NAMES = "Hasan Emre Kemal Fatma Murat Derya Selim Aslı".split(" ");
const MOST_SEATS = 4;

/** Letters alike with marks and without, large or small, in either alphabet. */
const plain = (text: string): string =>
  text.toLocaleLowerCase("tr").normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ı", "i");

/**
 * Which of the eight the bot in a seat is: the same for everybody at the table, and in its replay.
 *
 * `people` are the names in all seats, null for those of nobody: no bot has a word of one.
 */
export function botOf(
  table: string,
  seat: number,
  people: readonly (string | null | undefined)[] = [],
): number {
  let sum = 0;
  for (const letter of table) sum = (sum * 31 + letter.charCodeAt(0)) % 65_521;
  const names = NAMES.map((_, at) => NAMES[(sum + at * 5) % NAMES.length] ?? "");
  const words = people.flatMap((name) => plain(name ?? "").split(/\s+/));
  const taken = (name: string): boolean => words.includes(plain(name));
  // The seats' own names come first: whoever comes changes only the name that is the same.
  const spare = names.slice(MOST_SEATS).filter((name) => !taken(name));
  const before = names.slice(0, seat).filter(taken).length;
  const own = names[seat] ?? "";
  return NAMES.indexOf(taken(own) ? (spare[before] ?? own) : own);
}

/** Its name; a `bot` that is none of ours is the host's, and goes by its own name. */
export function botName(
  table: string,
  seat: number,
  people: readonly (string | null | undefined)[] = [],
  bot?: string,
): string {
  if (bot && !OWN_BOTS.some((own) => own === bot)) return t("page-bot-named", { name: bot });
  return t("page-bot-named", { name: NAMES[botOf(table, seat, people)] ?? "" });
}
