/** How long after a failure it is tried again: in milliseconds, twice as long each time. */
const FIRST = 500;
const LONGEST = 8000;

/**
 * A part of the page that is loaded once, and again and again until it is there: at the table nobody
 * can ask for it a second time.
 */
export function retried<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  const attempt = async (pause: number): Promise<T> => {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
      return attempt(Math.min(2 * pause, LONGEST));
    }
  };
  return () => (loading ??= attempt(FIRST));
}
