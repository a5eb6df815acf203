"""A walk through a whole log in small steps, while rows go on being appended between them.

It sees what SQLite's own check would see of the pages, since it reads them all by the tree and by
the index of its keys, and beyond that whether every row follows the one before it in its table.
"""

from __future__ import annotations

import sqlite3
from typing import Any, Final

from okey101.server.store.archived import archived_head
from okey101.server.store.base import Row
from okey101.server.store.chain import START, link_of
from okey101.server.store.file import COLUMNS

__all__ = ["LogWalk"]

_ROWS: Final = 100
_KEPT: Final = 4_096
_MOST: Final = 100
_UNTIL: Final = "SELECT coalesce(max(rowid), 0) FROM log"
_SOME: Final = (
    f"SELECT rowid, {COLUMNS}, (SELECT count(*) FROM log AS m "
    "WHERE m.table_id = l.table_id AND m.seq = l.seq) "
    "FROM log AS l WHERE rowid > ? AND rowid <= ? ORDER BY rowid LIMIT ?"
)
_BEFORE: Final = f"SELECT {COLUMNS} FROM log WHERE table_id = ? AND seq = ?"


class LogWalk:
    """What was found so far; each :meth:`step` runs on the thread of the log's connection."""

    def __init__(self, rows_a_step: int = _ROWS, *, archive: bool = False) -> None:
        """``archive`` where it is the archive that is walked through."""
        self.rows = 0
        """How many rows were looked at."""
        self.problems: list[str] = []
        """What is wrong, in English: the first 100."""
        self.damaged = False
        """Whether the file itself can't be read in full: the walk ends there."""
        self.over = False
        self._a_step = rows_a_step
        self._archive = archive
        self._at = 0
        self._until: int | None = None
        self._ends: dict[str, tuple[int, bytes | None, bool]] = {}
        self._told: set[str] = set()

    def step(self, conn: sqlite3.Connection) -> None:
        """Look at the next rows."""
        try:
            self._step(conn)
        except sqlite3.Error as error:
            self.problems.append(str(error))
            self.damaged = self.over = True

    def _step(self, conn: sqlite3.Connection) -> None:
        if self._until is None:
            self._until = int(conn.execute(_UNTIL).fetchone()[0])
        found = conn.execute(_SOME, (self._at, self._until, self._a_step)).fetchall()
        for rowid, *values, chain, listed in found:
            row = Row._make((*values[:6], bool(values[6])))
            if not listed:
                self.damaged = True
                self._tell(row, "is not in the index")
            self._look(conn, row, chain)
            self._at = rowid
        self.rows += len(found)
        self.over = len(found) < self._a_step

    def _look(self, conn: sqlite3.Connection, row: Row, chain: bytes | None) -> None:
        before = self._ends.get(row.table)
        if before is None or before[0] != row.seq - 1 or before[1] is None:
            before = self._looked_up(conn, row)
        if before is None:
            if not self._archive and archived_head(conn, row.table).seq:
                return  # on its way into the archive
            self._tell(row, f"follows no row {row.seq - 1}")
        else:
            _, link, closed = before
            if closed:
                self._tell(row, "follows the row that closed the table")
            elif chain is None:
                # Rows from before there were chains have none, as have all before them.
                if link is not None and row.seq > 1 and _chained(conn, row):
                    self._tell(row, "has no chain")
            elif link_of(link or START, row) != chain:
                self._tell(row, "does not follow the one before (chain)")
        if len(self._ends) >= _KEPT:
            self._ends.clear()
        self._ends[row.table] = row.seq, chain, row.last

    def _looked_up(
        self, conn: sqlite3.Connection, row: Row
    ) -> tuple[int, bytes | None, bool] | None:
        if row.seq == 1:
            return 0, START, False
        found: tuple[Any, ...] | None = conn.execute(_BEFORE, (row.table, row.seq - 1)).fetchone()
        if found is None:
            return None
        before = Row._make((*found[:6], bool(found[6])))
        return before.seq, found[7] or link_of(START, before), before.last

    def _tell(self, row: Row, what: str) -> None:
        """One problem for a table: what follows it is wrong as well."""
        if row.table not in self._told and len(self.problems) < _MOST:
            self._told.add(row.table)
            self.problems.append(f"table {row.table}: row {row.seq} {what}")


def _chained(conn: sqlite3.Connection, row: Row) -> bool:
    """Whether the row before a row has a link."""
    found = conn.execute(_BEFORE, (row.table, row.seq - 1)).fetchone()
    return found is not None and found[7] is not None
