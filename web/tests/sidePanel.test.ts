import { cleanup, fireEvent, render } from "@testing-library/svelte";
import { afterEach, expect, it, vi } from "vitest";

import SidePanel from "../src/components/SidePanel.svelte";
import type { Game } from "../src/lib/game.svelte";
import { texts } from "../src/lib/i18n.svelte";
import { Moves } from "../src/lib/tableActions.svelte";

afterEach(cleanup);

it("asks no more whether to block somebody who has left the seat to another", async () => {
  await texts.use("en");
  await texts.learn("account");
  const seats = [{ name: "Ada" }, { name: "Can" }];
  const game = { seats, seat: 0, takeable: [], muted: new Set() } as unknown as Game;
  const moves = new Moves(game);
  const idle = vi.fn();
  const { getByText } = render(SidePanel, {
    ...{ game, moves, close: idle, invite: idle, sheet: idle, turnOver: idle },
  });
  await fireEvent.click(getByText(texts.say("friends-block-seat", { name: "Can" })));
  expect(moves.question?.text).toContain("Can");
  seats[1] = { name: "Efe" };
  expect(moves.question).toBeNull();
});
