"""A walk through a whole accounts' file in small steps, between which others use it.

It reads every row with all that is in it, and the lines of every index.
"""

from __future__ import annotations

import sqlite3
from typing import Final

from okey101.server.accounts.database import trees_in

__all__ = ["AccountsWalk"]

_ROWS: Final = 100


class AccountsWalk:
    """What was found so far; each :meth:`step` runs on the thread of the file's connection."""

    def __init__(self, rows_a_step: int = _ROWS) -> None:
        self.rows = 0
        """How many rows were looked at."""
        self.problems: list[str] = []
        """What is wrong, in English: a file that can't be read in full."""
        self.damaged = False
        self.over = False
        self._a_step = rows_a_step
        self._left: list[tuple[str, str | None]] | None = None
        self._at = -(2**63)

    def step(self, conn: sqlite3.Connection) -> None:
        """Look at the next rows, or at an index."""
        try:
            self._step(conn)
        except sqlite3.Error as error:
            self.problems.append(str(error))
            self.damaged = self.over = True

    def _step(self, conn: sqlite3.Connection) -> None:
        if self._left is None:
            self._left = trees_in(conn)
        if not self._left:
            self.over = True
            return
        table, index = self._left[0]
        if index is not None:
            conn.execute(f"SELECT count(*) FROM {table} INDEXED BY {index}").fetchone()
            found = []
        else:
            found = conn.execute(
                f"SELECT rowid, * FROM {table} NOT INDEXED WHERE rowid > ? ORDER BY rowid LIMIT ?",
                (self._at, self._a_step),
            ).fetchall()
            self.rows += len(found)
        if len(found) == self._a_step:
            self._at = int(found[-1][0])
        else:
            self._left.pop(0)
            self._at = -(2**63)
