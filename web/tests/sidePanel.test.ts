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

it("is put away by Escape, or by what the browser tells of a phone's Back", async () => {
  const shown = (): (() => void) => {
    const game = { seats: [], takeable: [], muted: new Set() } as unknown as Game;
    const [close, idle] = [vi.fn(), vi.fn()];
    render(SidePanel, {
      ...{ game, moves: new Moves(game), close, invite: idle, sheet: idle, turnOver: idle },
    });
    return close;
  };
  const close = shown();
  await fireEvent.keyDown(window, { key: "Enter" });
  expect(close).not.toHaveBeenCalled();
  await fireEvent.keyDown(window, { key: "Escape" });
  expect(close).toHaveBeenCalledOnce();
  cleanup();
  await fireEvent.keyDown(window, { key: "Escape" });
  expect(close).toHaveBeenCalledOnce();
  const watchers: { onclose?: () => void; destroyed?: boolean }[] = [];
  vi.stubGlobal(
    "CloseWatcher",
    class {
      onclose?: () => void;
      destroyed = false;
      constructor() {
        watchers.push(this);
      }
      destroy(): void {
        this.destroyed = true;
      }
    },
  );
  const back = shown();
  watchers[0]?.onclose?.();
  expect(back).toHaveBeenCalledOnce();
  cleanup();
  expect(watchers.map(({ destroyed }) => destroyed)).toEqual([true]);
  vi.unstubAllGlobals();
});
