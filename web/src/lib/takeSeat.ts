/** Taking a seat, for those who were never here too. */

import type { Game } from "./game.svelte";
import { keptName, me } from "./me.svelte";
import { refused } from "./refused";
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
  const why = await refused(async () => {
    if (me.user === null) {
      await me.become(name);
      game.again();
    }
    await moves.send({ type: "sit", seat });
  }).finally(() => (busy = false));
  if (why) moves.alert(why);
}
