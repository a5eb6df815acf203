/** Taking a seat, for those who were never here too. */

import { ApiError } from "./api";
import type { Game } from "./game.svelte";
import { texts } from "./i18n.svelte";
import { keptName, me } from "./me.svelte";
import type { Moves } from "./tableActions.svelte";

let busy = false;

/** Sit down, as a new guest if need be; without a seat number, on the first free one. */
export async function sit(
  game: Game,
  moves: Moves,
  seat: number | null,
  name = keptName(),
): Promise<void> {
  if (busy) return;
  busy = true;
  try {
    if (me.user === null) {
      await me.become(name);
      game.again();
    }
    await moves.send({ type: "sit", seat });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    moves.alert(texts.error(error.refusal));
  } finally {
    busy = false;
  }
}
