/** The table that was left while its match was played: a bot keeps the seat there. */

const LEFT = "okey101.left";

/** Remember the table whose running match one leaves: a bot keeps the seat for a while. */
export function rememberLeft(table: string): void {
  localStorage.setItem(LEFT, table);
}

/** The table that was left last, if any. */
export function leftTable(): string | null {
  return localStorage.getItem(LEFT);
}
