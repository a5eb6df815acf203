/** Names of people for bots, always with the mark in front that no person's name may have. */

import { t } from "./i18n.svelte";
import { OWN_BOTS } from "./vocabulary";

const NAMES = "Ayşe Emre Elif Murat Fatma Kemal Aslı Hasan Derya Selim Deniz Orhan".split(" ");
const MOST_SEATS = 4;

/** Letters alike with marks and without, large or small, in either alphabet. */
const plain = (text: string): string =>
  text.toLocaleLowerCase("tr").normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ı", "i");

/**
 * The name of the bot in a seat: the same for everybody at the table, and in its replay.
 *
 * `people` are the names in all seats, null for those of nobody: no bot has a word of one. A `bot`
 * that is none of ours is the host's, and goes by its own name.
 */
export function botName(
  table: string,
  seat: number,
  people: readonly (string | null | undefined)[] = [],
  bot?: string,
): string {
  if (bot && !OWN_BOTS.some((own) => own === bot)) return t("page-bot-named", { name: bot });
  let sum = 0;
  for (const letter of table) sum = (sum * 31 + letter.charCodeAt(0)) % 65_521;
  const names = NAMES.map((_, at) => NAMES[(sum + at * 5) % NAMES.length] ?? "");
  const words = people.flatMap((name) => plain(name ?? "").split(/\s+/));
  const taken = (name: string): boolean => words.includes(plain(name));
  // The seats' own names come first: whoever comes changes only the name that is the same.
  const spare = names.slice(MOST_SEATS).filter((name) => !taken(name));
  const before = names.slice(0, seat).filter(taken).length;
  const own = names[seat] ?? "";
  return t("page-bot-named", { name: taken(own) ? (spare[before] ?? own) : own });
}
