/** The mistakes that are kept in this browser, and those of them that are due. */

/** Where a mistake was made, when it is asked again, and how many times it was mended by then. */
export interface Mistake {
  match: string;
  deal: number;
  action: number;
  /** Null once it was mended as many times as it is asked. */
  due: number | null;
  mended: number;
}

/** What they are kept under. */
export const KEPT = "okey101.mistakes";

/** All of them, the oldest first. */
export function kept(): Mistake[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(found) ? (found as Mistake[]) : [];
  } catch {
    return [];
  }
}

/** The mistakes that are due for being asked again; the one that has waited the longest first. */
export function dueMistakes(): Mistake[] {
  const due = kept().filter((one) => one.due !== null && one.due <= Date.now());
  return due.sort((one, other) => Number(one.due) - Number(other.due));
}
