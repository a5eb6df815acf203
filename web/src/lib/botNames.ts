/** Names of people for bots, always with the mark in front that no person's name may have. */

import { t } from "./i18n.svelte";

const NAMES = "Ayşe Emre Elif Murat Fatma Kemal Aslı Hasan Derya Selim Deniz Orhan".split(" ");

/** The name of the bot in a seat: the same for everybody at the table, and in its replay. */
export function botName(table: string, seat: number): string {
  let sum = 0;
  for (const letter of table) sum = (sum * 31 + letter.charCodeAt(0)) % 65_521;
  return t("page-bot-named", { name: NAMES[(sum + seat * 5) % NAMES.length] ?? "" });
}
