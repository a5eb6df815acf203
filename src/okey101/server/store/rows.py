"""How rows get into the log's file, and where each table's rows end there."""

from __future__ import annotations

import sqlite3
from itertools import chain
from typing import Any, Final, TypeAlias

from okey101.server.store.archived import archived_head
from okey101.server.store.base import Head, Row
from okey101.server.store.chain import START, link_of
from okey101.server.store.file import COLUMNS
from okey101.server.store.mark import TableEnd

__all__ = ["HEAD", "Linked", "ends_of", "head_in", "insert"]

_ROW: Final = "(?, ?, ?, ?, ?, ?, ?, ?)"
_AT_ONCE: Final = 64
_INSERTS: Final = [f"INSERT INTO log VALUES {', '.join([_ROW] * n)}" for n in range(_AT_ONCE + 1)]
"""By the number of rows they write."""
HEAD: Final = f"SELECT {COLUMNS} FROM log WHERE table_id = ? ORDER BY seq DESC LIMIT 1"
Linked: TypeAlias = tuple[str, int, int, bytes, int, str, bool, bytes]
"""A row as it is written: with its link."""


def head_in(conn: sqlite3.Connection, table: str) -> Head:
    """The end of a table's log, also of one that is in the archive by now."""
    found = conn.execute(HEAD, (table,)).fetchone()
    return _head_of(found) if found else archived_head(conn, table)


def _head_of(found: tuple[Any, ...]) -> Head:
    """The end of a table's log by its last row; one from before there were links begins a chain."""
    row = Row._make((*found[:6], bool(found[6])))
    return Head(row.seq, row.last, found[7] or link_of(START, row))


def ends_of(rows: list[Linked]) -> list[TableEnd]:
    """The last row of each table."""
    return [*{row[0]: TableEnd(row[0], row[1], row[7]) for row in rows}.values()]


def insert(conn: sqlite3.Connection, rows: list[Linked]) -> int | None:
    """Write rows with as few statements as possible; the place of the last one, None for none.

    During each the thread lets go of the interpreter, and has to wait for it again while the loop
    is busy: with a statement for each row that cost more than the rows themselves.
    """
    position: int | None = None
    for start in range(0, len(rows), _AT_ONCE):
        some = rows[start : start + _AT_ONCE]
        position = conn.execute(_INSERTS[len(some)], [*chain.from_iterable(some)]).lastrowid
    return position
