/** Putting away what lies over the table: by Escape, and by a phone's Back where that is told. */

/** TypeScript does not know it yet. */
type Watcher = new () => { onclose: (() => void) | null; destroy: () => void };

/** Call `close` when somebody puts it away, until the function that is returned was called. */
export function dismissing(close: () => void): () => void {
  const { CloseWatcher } = window as { CloseWatcher?: Watcher };
  const watcher = CloseWatcher && new CloseWatcher();
  if (watcher) watcher.onclose = close;
  // It hears nothing of a key that something else has used, as the rack does.
  const key = (event: KeyboardEvent): void => {
    if (event.key === "Escape") close();
  };
  window.addEventListener("keydown", key);
  return () => {
    window.removeEventListener("keydown", key);
    watcher?.destroy();
  };
}
