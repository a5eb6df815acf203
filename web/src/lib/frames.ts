/** Work that is done piece by piece, so that a slow phone misses no frame over it. */

/** Do something in the next frame, where frames are drawn; returns what calls it off. */
export function nextFrame(act: () => void): () => void {
  if (document.hidden) {
    const timer = setTimeout(act);
    return () => clearTimeout(timer);
  }
  const frame = requestAnimationFrame(act);
  return () => cancelAnimationFrame(frame);
}

/** Do one thing a frame, from the next one on; returns what calls off the rest. */
export function oneAFrame(acts: readonly (() => unknown)[]): () => void {
  let stop = (): void => undefined;
  const go = (at: number): void => {
    const act = acts[at];
    if (!act) return;
    stop = nextFrame(() => {
      act();
      go(at + 1);
    });
  };
  go(0);
  return () => stop();
}
