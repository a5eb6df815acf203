"""What is asked of the store's tables, whichever database it is; ``?``, ``?1`` are values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, TypeVar

from sqlalchemy import Dialect

from okey101.server.store.base import LINK_BYTES, Conn, Head, Row, is_text
from okey101.server.store.schema import definitions
from okey101.server.store.snapshots import NOTES, Found, snapshots_in

T = TypeVar("T")
_READ_AT_ONCE: Final = 1_000
"""After so many rows of a table whoever else waits has its turn."""

COLUMNS: Final = "table_id, seq, at_ms, entry, rules_version, state_hash, last, chain"

_ROW: Final = "SELECT table_id, seq, at_ms, entry, rules_version, state_hash, last FROM"
_READ: Final = f"{_ROW} log WHERE table_id = ? AND seq > ? ORDER BY seq LIMIT ?"
_HISTORY: Final = (
    f"{_ROW} archive WHERE table_id = ?1 UNION ALL {_ROW} log WHERE table_id = ?1 ORDER BY seq"
)
_SOME: Final = (
    "SELECT * FROM (SELECT DISTINCT table_id FROM {0} WHERE table_id > ?1 "
    "ORDER BY 1 LIMIT 100) AS {0}s"
)
_TABLES: Final = f"{_SOME.format('log')} UNION {_SOME.format('archive')} ORDER BY 1 LIMIT 100"
KEPT_END: Final = (
    "SELECT seq, chain, length(entry) = 0 FROM archive WHERE table_id = ? ORDER BY seq DESC LIMIT 1"
)
_RUNNING: Final = (
    "SELECT table_id FROM log AS l INDEXED BY log_first "
    f"WHERE seq = 1 AND table_id <> '{NOTES}' AND NOT EXISTS "
    "(SELECT 1 FROM log AS m INDEXED BY log_last WHERE m.table_id = l.table_id AND m.last = 1) "
    "ORDER BY at_ms, table_id"
)
HEAD: Final = f"SELECT {COLUMNS} FROM log WHERE table_id = ? ORDER BY seq DESC LIMIT 1"
_LAST_LINES: Final = "SELECT data FROM lines WHERE kind = ? ORDER BY n DESC LIMIT ?"
_OLD_LINES: Final = (
    "DELETE FROM lines WHERE kind = ?1 AND n <= "
    "(SELECT n FROM lines WHERE kind = ?1 ORDER BY n DESC LIMIT 1 OFFSET ?2)"
)


def make_tables(conn: Conn, dialect: Dialect) -> None:
    """Make all tables, within a transaction."""
    for statement in definitions(dialect):
        conn.execute(statement)
    conn.execute("INSERT INTO others VALUES (0, ?, 0)", (bytes(LINK_BYTES),))


_KINDS: Final = (str, int, int, bytes, int, str)


def row_in(values: Sequence[Any]) -> Row:
    """A row as it was read; of one in a damaged place nothing is left that could be replayed."""
    if tuple(map(type, values[:6])) != _KINDS:
        return Row(str(values[0]), values[1] if type(values[1]) is int else 0, 0, b"", 0, "")
    return Row._make((*values[:6], bool(values[6])))


def head_in(conn: Conn, table: str) -> Head:
    """The end of a table's log, also of one that is in the archive by now."""
    found = conn.execute(HEAD, (table,)).fetchone()
    if found:
        return Head(found[1], bool(found[6]), found[7])
    left = conn.execute(KEPT_END, (table,)).fetchone()
    return Head(left[0], closed=True, link=left[1]) if left else Head()


def running_in(conn: Conn) -> list[str]:
    """The tables that aren't closed, the oldest first row first.

    By the indexes of first and last rows alone: the log itself may be long.
    """
    return [table for (table,) in conn.execute(_RUNNING)]


def history_of(conn: Conn, table: str) -> list[Row]:
    """All rows of a table, those in the archive too, in order."""
    return [*map(row_in, conn.execute(_HISTORY, (table,)))]


def _rows_above(conn: Conn, values: tuple[str, int, int]) -> list[Row]:
    return [*map(row_in, conn.execute(_READ, values))]


class Questions:
    """What a store answers by one transaction of a database, whichever it is."""

    async def change(self, work: Callable[[Conn], T]) -> T:
        """What ``work`` returns, in a transaction of its own."""
        raise NotImplementedError

    async def asked(self, work: Callable[[Conn], T]) -> T:
        """What ``work`` finds; it changes nothing."""
        return await self.change(work)

    async def snapshots(self, table: str) -> Found:
        """The snapshots of a table; see ``SnapshotStore.snapshots``."""
        return await self.asked(lambda conn: snapshots_in(conn, table))

    async def closed(self, table: str) -> bool:
        """Whether a table is closed, in the archive as well; see ``Store.closed``."""
        return is_text(table) and (await self.asked(lambda conn: head_in(conn, table))).closed

    async def running(self) -> list[str]:
        """The tables that aren't closed; see ``Store.running``."""
        return await self.asked(running_in)

    async def tables(self, after: str = "") -> list[str]:
        """The next hundred tables at most, closed ones too, by their ids; ``StoreError``."""
        sql = _TABLES
        return await self.asked(lambda conn: [one for (one,) in conn.execute(sql, (after,))])

    async def history(self, table: str) -> list[Row]:
        """All rows of a table, those in the archive too, in order; ``StoreError``."""
        return await self.asked(lambda conn: history_of(conn, table))

    async def read(self, table: str, after: int = 0, most: int | None = None) -> list[Row]:
        """The rows of a table above ``after``, in order; see ``Store.read``."""
        at_once = _READ_AT_ONCE if most is None else min(most, _READ_AT_ONCE)
        if table == NOTES or not is_text(table):
            return []
        rows: list[Row] = []
        while True:
            above = rows[-1].seq if rows else min(max(after, 0), 2**63 - 1)
            values = (table, above, at_once)
            some = await self.asked(partial(_rows_above, values=values))
            rows += some
            if len(some) < at_once or most is not None:
                return rows

    async def note(self, kind: str, data: bytes, most: int) -> None:
        """Keep a line, and no more than ``most`` of its kind; ``StoreError``."""

        def work(conn: Conn) -> None:
            conn.execute("INSERT INTO lines (kind, data) VALUES (?, ?)", (kind, data))
            conn.execute(_OLD_LINES, (kind, most))

        await self.change(work)

    async def noted(self, kind: str, count: int) -> list[bytes]:
        """The last lines of a kind, the newest first; ``StoreError``."""
        sql, values = _LAST_LINES, (kind, count)
        return await self.asked(lambda conn: [data for (data,) in conn.execute(sql, values)])
