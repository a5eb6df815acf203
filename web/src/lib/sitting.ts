/** Taking a seat, for those who were never here too. */

import { ApiError } from "./api";
import type { Game } from "./game.svelte";
import { t, texts } from "./i18n.svelte";
import { me } from "./me.svelte";
import type { Moves } from "./moves.svelte";

let busy = false;

/** The name this device's player was last called by. */
export function keptName(): string {
  return localStorage.getItem("okey101.name") ?? "";
}

/** Sit down, as a guest where one is nobody yet; without a seat, on the first that is free. */
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
      const number = Math.floor(100 + Math.random() * 900);
      await me.become(name.trim() || t("page-guest-name", { number }));
      game.again();
    }
    await moves.send("sit", { seat });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    moves.alert(texts.error(error.refusal));
  } finally {
    busy = false;
  }
}
