/**
 * Keeps the keyboard's focus where the next key works: where what had it goes away, it goes on to
 * what is done next, never to the page as a whole.
 */

import { nextFrame } from "./frames";

/** After a button of the turn: the tile that came, or what is pressed next. */
const TURN = [".rack button.drawn", ".actions .large.main", ".actions .large"];
/** Otherwise the player's place on the rack; before a match, and for an onlooker, a button. */
const TABLE = ["[role=grid] [tabindex='0']", ".room button.main", ".corner .more"];
/** What lies over the table, the uppermost first, and where the focus goes in it. */
const OVER = [
  [".panel", "header button"],
  [".sheet", "h2"],
] as const;

/** Whether something can still have the focus. */
function stands(element: Element): boolean {
  return element.isConnected && element.checkVisibility() && !element.matches(":disabled");
}

function first(inside: Element, queries: readonly string[]): HTMLElement | undefined {
  return queries
    .map((query) => inside.querySelector<HTMLElement>(query))
    .find((one) => one !== null && stands(one)) as HTMLElement | undefined;
}

/** Watch over the focus inside a table's screen, from now until that is gone. */
export function keepFocus(table: HTMLElement): () => void {
  let last: HTMLElement | null = null;
  let inTurn = false;
  // Whoever comes from another screen has pressed a button that is gone by now.
  let lost = navigator.userActivation?.hasBeenActive ?? false;

  const gained = (event: FocusEvent): void => {
    last = event.target as HTMLElement;
    inTurn = last.closest(".actions") !== null;
    lost = false;
  };
  // Where somebody points at the table itself, the keyboard's place is nobody's concern.
  const pointed = (): void => void (last = null);

  const look = (): void => {
    const active = document.activeElement;
    if (active && active !== document.body && stands(active)) return;
    if (!lost && (last === null || stands(last))) return;
    if (!document.hasFocus() || document.querySelector("dialog[open]")) return;
    for (const [layer, ...queries] of OVER) {
      const over = table.querySelector(layer);
      if (over) return first(over, queries)?.focus();
    }
    first(table, inTurn ? [...TURN, ...TABLE] : TABLE)?.focus({ preventScroll: true });
  };

  // To look for what stands has the page laid out: once a frame, when that is done anyway.
  let stop = (): void => undefined;
  const watch = new MutationObserver(() => {
    stop();
    stop = nextFrame(look);
  });
  watch.observe(table, { childList: true, subtree: true, attributeFilter: ["hidden", "disabled"] });
  table.addEventListener("focusin", gained);
  table.addEventListener("pointerdown", pointed, true);
  return () => {
    watch.disconnect();
    stop();
  };
}
