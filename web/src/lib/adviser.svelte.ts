/** The table where somebody who has just learned the game plays with the adviser beside it. */

import "./storage";

const KEY = "okey101.adviser";

export const adviser = $state({ table: localStorage.getItem(KEY) });

export function advise(table: string | null): void {
  adviser.table = table;
  if (table === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, table);
}
