/** A deal of a finished match that is played again, from a move on. */

import type { Applied } from "./answers";
import { ask } from "./api";
import { router } from "./router.svelte";

/** Sit down at it, against bots of a level. */
export async function playAgain(
  match: string,
  deal: number,
  at: number,
  bot: string,
): Promise<void> {
  const path = `/api/matches/${match}/deals/${deal}/again`;
  router.go(`/t/${(await ask<Applied>("POST", path, { at, bot })).table}`);
}
