/** A deal of a finished match that is played again, from a move on. */

import type { Applied } from "./answers";
import { ask } from "./api";
import { router } from "./router.svelte";

/** Sit down at it, against bots of the level that was chosen on the start page. */
export async function playAgain(match: string, deal: number, at: number): Promise<void> {
  const bot = localStorage.getItem("okey101.level") ?? "greedy";
  const path = `/api/matches/${match}/deals/${deal}/again`;
  router.go(`/t/${(await ask<Applied>("POST", path, { at, bot })).table}`);
}
