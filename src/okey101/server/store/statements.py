"""What a store promises, its tables, and what is asked of them, whichever database they are in.

People's tables are beside their classes; ``?`` and ``?1`` stand for values.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence, Sized
from functools import cache, partial
from pathlib import Path
from time import monotonic
from typing import Any, Final, TypeVar

import sqlalchemy as sa
from sqlalchemy.schema import CreateIndex, CreateTable

from okey101.server.ops.outages import Outage
from okey101.server.store.archive import CLOSED, archive_step
from okey101.server.store.base import (
    LINK_BYTES,
    Conn,
    Head,
    Row,
    StoreError,
    is_text,
)
from okey101.server.store.snapshots import NOTES, Found, Snapshot, put_snapshot, snapshots_in

T = TypeVar("T")
READ_AT_ONCE: Final = 1_000
"""After so many rows of a table whoever else waits has its turn."""

# By their bytes, as in SQLite: an order of words differs between systems and their versions.
TEXT: Final = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
INT: Final = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
BYTES: Final = sa.LargeBinary()

_METADATA: Final = sa.MetaData()


def _columns(*, key: bool = False, **types: sa.types.TypeEngine[Any]) -> list[sa.Column[Any]]:
    """Columns that always hold something, those of the key where they are."""
    return [sa.Column(name, of, primary_key=key, nullable=False) for name, of in types.items()]


_keys = partial(_columns, key=True)


def _table(name: str, *parts: sa.schema.SchemaItem, rowid: bool = True) -> sa.Table:
    return sa.Table(name, _METADATA, *parts, sqlite_strict=True, sqlite_with_rowid=rowid)


def partial_index(name: str, *columns: str, of: str, unique: bool = False) -> sa.Index:
    """An index of those rows alone for which something is true."""
    which = sa.text(of)
    return sa.Index(name, *columns, unique=unique, sqlite_where=which, postgresql_where=which)


def _rows(name: str, *indexes: sa.Index) -> sa.Table:
    # An ordinary table: rows lie in the order in which they came, and only the key's narrow index
    # is written here and there. WITHOUT ROWID would save that index and read a table's rows from
    # fewer pages, but wide rows put in between split pages: 1,000 tables wrote 1.6 times more
    # slowly.
    return _table(
        name,
        *_keys(table_id=TEXT, seq=INT),
        *_columns(
            at_ms=INT, entry=BYTES, rules_version=INT, state_hash=TEXT, last=INT, chain=BYTES
        ),
        sa.CheckConstraint("seq >= 1"),
        sa.CheckConstraint("last IN (0, 1)"),
        *indexes,
    )


SNAPSHOTS: Final = (
    _table(
        "snapshot",
        *_keys(table_id=TEXT, seq=INT),
        *_columns(version=TEXT, state_hash=TEXT, chain=BYTES, body=BYTES, parts=BYTES, noted=INT),
    ),
    _table("snapshot_part", *_keys(table_id=TEXT, name=BYTES), *_columns(data=BYTES)),
)
OTHERS: Final = _table("others", *_columns(seq=INT, link=BYTES, ended=INT))
TABLES: Final = (
    _rows(
        "log",
        # Every start asks which tables are running: these two hold one line for each table.
        partial_index("log_first", "at_ms", "table_id", of="seq = 1"),
        partial_index("log_last", "table_id", of="last = 1", unique=True),
    ),
    _rows("archive", partial_index("archive_whole", "at_ms", of="last = 1 AND length(entry) > 0")),
    OTHERS,
    _table(
        "lines",
        *_keys(n=INT),
        *_columns(kind=TEXT, data=BYTES),
        sa.Column("sealed", BYTES),
        sa.Index("lines_of_kind", "kind", "n"),
    ),
    _table(
        "public_entries",
        sa.Column("place", INT, primary_key=True, autoincrement=False),
        *_columns(entry=TEXT, at_ms=INT),
        sa.UniqueConstraint("entry"),
    ),
    _table("public_nodes", *_keys(level=INT, place=INT), *_columns(hash=BYTES), rowid=False),
    *SNAPSHOTS,
)


@cache
def definitions(
    dialect: sa.Dialect, tables: tuple[sa.Table, ...] = TABLES, *, if_missing: bool = False
) -> list[str]:
    """The statements that make tables and their indexes, each one thing."""
    made: list[CreateTable | CreateIndex] = []
    for table in tables:
        made.append(CreateTable(table, if_not_exists=if_missing))
        made += (
            CreateIndex(index, if_not_exists=if_missing)
            for index in sorted(table.indexes, key=lambda index: str(index.name))
        )
    return [str(one.compile(dialect=dialect)) for one in made]


COLUMNS: Final = "table_id, seq, at_ms, entry, rules_version, state_hash, last, chain"

_ROW: Final = "SELECT table_id, seq, at_ms, entry, rules_version, state_hash, last FROM"
_READ: Final = f"{_ROW} log WHERE table_id = ? AND seq > ? ORDER BY seq LIMIT ?"
HISTORY: Final = (
    f"SELECT {COLUMNS} FROM archive WHERE table_id = ?1 UNION ALL "
    f"SELECT {COLUMNS} FROM log WHERE table_id = ?1 ORDER BY seq"
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


STEPS: Final[tuple[Callable[[Conn], object], ...]] = ()
"""What takes the tables of each version to the next, in SQL that both databases understand."""
VERSION: Final = 1 + len(STEPS)
"""Of the tables, as :func:`make_tables` makes them."""


def upgrade(conn: Conn, version: int) -> None:
    """Take the tables of an earlier version to this one's, within a transaction."""
    for step in STEPS[max(0, version - 1) :]:
        step(conn)


def make_tables(conn: Conn, dialect: sa.Dialect) -> None:
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


def _rows_found(conn: Conn, sql: str, values: tuple[str | int, ...]) -> list[Row]:
    return [*map(row_in, conn.execute(sql, values))]


class Waiting:
    """A row that is to be stored, and who waits for it."""

    __slots__ = ("at", "done", "link", "row")

    def __init__(self, row: Row) -> None:
        self.row = row
        self.at = monotonic()
        self.link: bytes | None = None
        """What was inserted, or may have been."""
        self.done: asyncio.Future[Exception | None] = asyncio.get_running_loop().create_future()

    def answer(self, error: Exception | None = None) -> None:
        """Tell whoever waits, unless that one was cancelled."""
        if not self.done.done():
            self.done.set_result(error)


_MOST_FAILURES: Final = 3
_MOST_HEADS: Final = 65_536


class Store:
    """Where the tables' logs are kept: rows in order for each table, in one database or another.

    Calls come from one event loop. A caller that is cancelled while it waits may find its row
    stored later: it reads again, as after ``StoreError``.
    """

    _closed_sql = CLOSED
    """Finds a closed table that may leave the log."""
    most_waiting = 10_000
    """So many rows may wait for a commit; more are refused at once."""

    def __init__(
        self, path: Path, file: str, on_commit: Callable[[int, float], None] | None = None
    ) -> None:
        """``on_commit`` hears of every commit: its rows and seconds; 0 rows are one that failed."""
        self.path = path
        self._on_commit = on_commit
        self._rows: list[Waiting] = []
        self._batch: list[Waiting] = []
        """What is being stored."""
        self._heads: dict[str, Head] = {}
        """Where tables end, as far as known."""
        self._closing = False
        self._failed_in_a_row = 0
        self._outage = Outage(file)

    @property
    def healthy(self) -> bool:
        """Whether rows can be appended: False after three failed commits in a row, or damage."""
        return not self._closing and self._failed_in_a_row < _MOST_FAILURES

    @property
    def waiting(self) -> int:
        """How many rows wait to be stored."""
        return len(self._rows)

    @property
    def age(self) -> float:
        """For how many seconds the oldest row has been waiting; 0 for none.

        A commit that never returns fails nothing and fills no queue: this alone shows it.
        """
        oldest = next(iter(self._batch or self._rows), None)
        return 0.0 if oldest is None else max(monotonic() - oldest.at, 0.0)

    # Rows -----------------------------------------------------------------------------------------

    async def append(self, row: Row) -> None:
        """Store the next row of a table; it is durable when this returns.

        Raises ``Conflict`` where the row isn't the table's last + 1 or the table is closed (nothing
        is stored), and ``StoreError`` where it isn't known to be stored.
        """
        waiting = Waiting(row)
        self._queue(waiting)
        if (error := await waiting.done) is not None:
            raise error

    def _queue(self, waiting: Waiting) -> None:
        """Have a row stored; StoreError where it can't wait."""
        raise NotImplementedError

    def _require_room(self, waiting: Sized, what: str) -> None:
        self._require_open()
        if len(waiting) >= self.most_waiting:
            raise StoreError(f"{len(waiting)} {what}")

    def _require_open(self) -> None:
        if self._closing:
            raise StoreError("the store is closed")

    def _remember(self, heads: Mapping[str, Head]) -> None:
        if len(self._heads) + len(heads) > _MOST_HEADS:
            self._heads.clear()
        self._heads.update(heads)

    def _failed(self, error: BaseException, *, damage: bool = False) -> None:
        self._heads.clear()
        self._failed_in_a_row += _MOST_FAILURES if damage else 1
        self._outage.failed(error)

    def _worked(self) -> None:
        self._failed_in_a_row = 0
        self._outage.ended()

    async def close(self) -> None:
        """Finish what is queued and let go of the log; calling it again does nothing."""
        raise NotImplementedError

    # What is answered by one transaction ----------------------------------------------------------

    async def change(self, work: Callable[[Conn], T]) -> T:
        """What ``work`` returns, in a transaction of its own.

        What it has changed is durable when this returns; where this raises what ``work`` raises,
        nothing has changed. ``StoreError`` where the outcome is unknown.
        """
        raise NotImplementedError

    async def asked(self, work: Callable[[Conn], T]) -> T:
        """What ``work`` finds; it changes nothing."""
        return await self.change(work)

    async def archive(self, drop_before_ms: int | None = None) -> bool:
        """Do the next small step of moving closed tables out of the log; False: nothing to do.

        Those in the archive that were closed before ``drop_before_ms`` are deleted. StoreError
        where it could not be done: nothing is lost, and the next call tries again.
        """
        sql = self._closed_sql
        return await self.change(lambda conn: archive_step(conn, drop_before_ms, sql))

    async def keep(self, snapshot: Snapshot) -> bool:
        """Keep a snapshot of a row that is in the log; False where that row is another one.

        Older ones than the last two are deleted, and those of later rows. ``StoreError`` where it
        can't be written, which harms nothing.
        """
        return await self.change(lambda conn: put_snapshot(conn, snapshot))

    async def snapshots(self, table: str) -> Found:
        """The snapshots of a table; ``StoreError`` where they can't be read."""
        return await self.asked(lambda conn: snapshots_in(conn, table))

    async def closed(self, table: str) -> bool:
        """Whether a table's last row was marked ``last``, also if its rows are in the archive now.

        Raises ``StoreError`` where the log can't be read.
        """
        return is_text(table) and (await self.asked(lambda conn: head_in(conn, table))).closed

    async def running(self) -> list[str]:
        """The tables whose last row isn't marked ``last``, the oldest first row first.

        Raises ``StoreError`` where the log can't be read.
        """
        return await self.asked(running_in)

    async def tables(self, after: str = "") -> list[str]:
        """The next hundred tables at most, closed ones too, by their ids; ``StoreError``."""
        sql = _TABLES
        return await self.asked(lambda conn: [one for (one,) in conn.execute(sql, (after,))])

    async def history(self, table: str) -> list[Row]:
        """All rows of a table, those in the archive too, in order; ``StoreError``."""
        return await self.asked(partial(_rows_found, sql=HISTORY, values=(table,)))

    async def read(self, table: str, after: int = 0, most: int | None = None) -> list[Row]:
        """The rows of a table with a ``seq`` above ``after``, in order; none for an unknown table.

        With ``most`` only so many, up to 1,000.

        Those of a closed one may be in the archive: then there are none.

        Raises ``StoreError`` where the log can't be read.
        """
        at_once = READ_AT_ONCE if most is None else min(most, READ_AT_ONCE)
        if table == NOTES or not is_text(table):
            return []
        rows: list[Row] = []
        while True:
            above = rows[-1].seq if rows else min(max(after, 0), 2**63 - 1)
            some = await self.asked(partial(_rows_found, sql=_READ, values=(table, above, at_once)))
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
