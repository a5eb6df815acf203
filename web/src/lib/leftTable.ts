/** The seat that was left while its match was played: a bot keeps it there. */

import type { Game } from "./game.svelte";

const LEFT = "okey101.left";

/** Table, match and deal, which are the same where spectators are told of the deal later. */
function dealOf({ id, table }: Game): string {
  return `${id} ${table?.match} ${table?.scores.deals.length} `;
}

/** Remember the seat that one leaves in a running match: a bot keeps it for a while. */
export function rememberLeft(game: Game): void {
  localStorage.setItem(LEFT, dealOf(game) + (game.running ? game.seat : ""));
}

/** The table that was left last, if any. */
export function leftTable(): string | null {
  return localStorage.getItem(LEFT)?.split(" ")[0] ?? null;
}

/** The seat that was left last, where that was in the deal that is shown or played unseen. */
export function leftSeat(game: Game): number | null {
  const [here, kept] = [dealOf(game), localStorage.getItem(LEFT)];
  const seat = kept?.startsWith(here) ? kept.slice(here.length) : "";
  return seat === "" ? null : Number(seat);
}
