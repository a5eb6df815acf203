"""What a log says of the tables that have left it: where each ended, chained one after the other.

The rows themselves are in the archive, another file. A line stays here for ever, also when the
archive lets go of the rows, so that no table begins a second time.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from hashlib import blake2b
from typing import Final

from okey101.server.store.base import Head
from okey101.server.store.chain import LINK_BYTES, START
from okey101.server.store.mark import TableEnd

__all__ = [
    "ARCHIVED",
    "ARCHIVINGS",
    "DROPPED",
    "DROPPING",
    "KEPT",
    "MOVING",
    "add",
    "archived_head",
    "holds",
    "torn",
]

MOVING, KEPT, DROPPING, DROPPED = range(4)
"""Copied, but not all rows are gone from the log; in the archive; being deleted there; deleted."""

ARCHIVINGS: Final = ""
"""Stands for all archivings in a mark, where there is a table otherwise."""

ARCHIVED: Final = (
    """
    CREATE TABLE archived (
        n INTEGER PRIMARY KEY,
        table_id TEXT NOT NULL UNIQUE,
        seq INTEGER NOT NULL,
        chain BLOB NOT NULL,
        at_ms INTEGER NOT NULL,
        stage INTEGER NOT NULL,
        head BLOB NOT NULL
    ) STRICT
    """,
    f"CREATE INDEX archived_busy ON archived (n) WHERE stage IN ({MOVING}, {DROPPING})",
    f"CREATE INDEX archived_kept ON archived (at_ms) WHERE stage = {KEPT}",
)

_LINK: Final = "SELECT chain FROM log WHERE table_id = ? AND seq = ?"
_ENDED: Final = "SELECT seq, chain FROM archived WHERE table_id = ?"


def archived_head(conn: sqlite3.Connection, table: str) -> Head:
    """The end of a table that has left the log; one without rows for any other."""
    found = conn.execute(_ENDED, (table,)).fetchone()
    return Head() if found is None else Head(found[0], closed=True, link=found[1])


def holds(conn: sqlite3.Connection, end: TableEnd) -> bool:
    """Whether a log has what a mark knows of it, or had it when the table left."""
    if end.table == ARCHIVINGS:
        found = conn.execute("SELECT head FROM archived WHERE n = ?", (end.seq,)).fetchone()
        return bool(found == (end.link,))
    if conn.execute(_LINK, (end.table, end.seq)).fetchone() == (end.link,):
        return True
    left = archived_head(conn, end.table)
    return left.seq > end.seq or (left.seq == end.seq and left.link == end.link)


def add(conn: sqlite3.Connection, table: str, end: Head, at_ms: int) -> TableEnd:
    """Note, within a transaction, that a table leaves the log; what the mark has to keep of it."""
    last = conn.execute("SELECT n, head FROM archived ORDER BY n DESC LIMIT 1").fetchone()
    number, before = (1, START) if last is None else (last[0] + 1, last[1])
    head = _head(before, number, table, end.seq, end.link)
    values = (number, table, end.seq, end.link, at_ms, MOVING, head)
    conn.execute("INSERT INTO archived VALUES (?, ?, ?, ?, ?, ?, ?)", values)
    return TableEnd(ARCHIVINGS, number, head)


def torn(conn: sqlite3.Connection) -> Iterator[str]:
    """What is wrong with the chain of archivings: one line at most."""
    before = START
    rows = conn.execute("SELECT n, table_id, seq, chain, head FROM archived ORDER BY n")
    for expected, (number, table, seq, link, head) in enumerate(rows, 1):
        if number != expected or head != _head(before, number, table, seq, link):
            yield f"archiving {number} of table {table} does not follow the one before (chain)"
            return
        before = head


def _head(before: bytes, number: int, table: str, seq: int, link: bytes) -> bytes:
    whole = b"%d %d %d %d " % (len(before), number, seq, len(table.encode()))
    whole += before + table.encode() + link
    return blake2b(whole, digest_size=LINK_BYTES, person=b"okey101 archive").digest()
