/** Round values for the lines of an axis: steps of 1, 2 or 5 times a power of ten. */

const ROUND = [1, 2, 5];

/** From the last round value at or below `low` to the first at or above `high`: two or more. */
export function ticks(low: number, high: number, most = 5): number[] {
  let n = 0;
  const step = (): number => (ROUND[n % ROUND.length] ?? 1) * 10 ** Math.floor(n / ROUND.length);
  while ((high - low) / step() > most) n += 1;
  const first = Math.floor(low / step());
  const last = Math.max(Math.ceil(high / step()), first + 1);
  return Array.from({ length: last - first + 1 }, (_, n) => (first + n) * step());
}
