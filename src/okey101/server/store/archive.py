"""Closed tables leave the log for a file beside it, in small steps: copied, noted, then deleted.

Each step is durable before the next begins, so that a crash between any two loses nothing: rows are
in the archive before the log notes that the table has left, that is marked before the first row is
deleted, and what was begun is gone on with. A table that is in both files is copied no second time.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Awaitable, Callable, Generator
from pathlib import Path
from time import monotonic
from typing import Any, Final

from okey101.server.files.atomic_files import ensure_private
from okey101.server.files.sqlite_files import harden, marks_of
from okey101.server.ops.logs import logger
from okey101.server.ops.utc import utc_ms
from okey101.server.store import file as archived
from okey101.server.store.base import Head, StoreError
from okey101.server.store.file import COLUMNS, DROPPED, DROPPING, KEPT, MOVING
from okey101.server.store.mark import TableEnd
from okey101.server.store.snapshots import drop_snapshots

_APPLICATION: Final = 0x6F6B3032  # "ok02"
_VERSION: Final = 1
_AT_ONCE: Final = 200
_MOST_PROBLEMS: Final = 100

_SCHEMA: Final = (
    """
    CREATE TABLE log (
        table_id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        entry BLOB NOT NULL,
        rules_version INTEGER NOT NULL,
        state_hash TEXT NOT NULL,
        last INTEGER NOT NULL,
        chain BLOB NOT NULL,
        PRIMARY KEY (table_id, seq)
    ) STRICT
    """,
    f"PRAGMA application_id = {_APPLICATION}",
    f"PRAGMA user_version = {_VERSION}",
)
# The log's last row stays: its place is what the mark counts by.
_CLOSED: Final = (
    "SELECT table_id FROM log INDEXED BY log_last "
    "WHERE last = 1 AND rowid < (SELECT max(rowid) FROM log) LIMIT 1"
)
_BUSY: Final = (
    "SELECT n, table_id, stage FROM archived INDEXED BY archived_busy "
    f"WHERE stage IN ({MOVING}, {DROPPING}) ORDER BY n LIMIT 1"
)
_OLD: Final = (
    "SELECT n FROM archived INDEXED BY archived_kept "
    f"WHERE stage = {KEPT} AND at_ms < ? ORDER BY at_ms LIMIT 1"
)
_END: Final = f"SELECT {COLUMNS} FROM log WHERE table_id = ? ORDER BY seq DESC LIMIT 1"
_LINK: Final = "SELECT chain FROM log WHERE table_id = ? AND seq = ?"
_SOME: Final = f"SELECT {COLUMNS} FROM log WHERE table_id = ? AND seq > ? ORDER BY seq LIMIT ?"
_INSERT: Final = "INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_DELETE: Final = (
    "DELETE FROM log WHERE rowid IN (SELECT rowid FROM log WHERE table_id = ? ORDER BY seq LIMIT ?)"
)


def archive_path(log: Path) -> Path:
    """Where the archive of a log is."""
    return log.with_suffix(".archive")


def files_of(log: Path) -> dict[str, str]:
    """The files of a log or of its copy, by what they are; before any table left it there is no
    archive.
    """
    archive = archive_path(log)
    return {"log": str(log)} | ({"archive": str(archive)} if archive.exists() else {})


class Archive:
    """The archive of one log; for the thread of the log's connection."""

    def __init__(self, log: Path) -> None:
        self.path = archive_path(log)
        self._conn: sqlite3.Connection | None = None

    @property
    def conn(self) -> sqlite3.Connection:
        """The only connection, made when it is first needed; sqlite3.Error, OSError."""
        if self._conn is None:
            self._conn = _opened(self.path)
        return self._conn

    def close(self) -> None:
        """Let go of the file."""
        if self._conn is not None:
            self._conn.close()
            self._conn = None

    def step(
        self, log: sqlite3.Connection, drop_before_ms: int | None, mark: Callable[[TableEnd], None]
    ) -> bool:
        """Do the next small thing there is to do; False where there is nothing.

        ``mark`` makes an archiving durable outside the log. Tables that were closed before
        ``drop_before_ms`` are deleted. sqlite3.Error and OSError where it could not be done.
        """
        try:
            return self._step(log, drop_before_ms, mark)
        finally:
            if self._conn is not None and self._conn.in_transaction:
                self.close()  # it can't roll back; what was committed is found by a new one

    def _step(
        self, log: sqlite3.Connection, drop_before_ms: int | None, mark: Callable[[TableEnd], None]
    ) -> bool:
        busy = log.execute(_BUSY).fetchone()
        if busy is not None:
            number, table, stage = busy
            if stage == MOVING:
                with _transaction(log):
                    if log.execute(_DELETE, (table, _AT_ONCE)).rowcount < _AT_ONCE:
                        _set(log, number, KEPT)
            else:
                with _transaction(self.conn):
                    gone = self.conn.execute(_DELETE, (table, _AT_ONCE)).rowcount < _AT_ONCE
                if gone:
                    with _transaction(log):
                        _set(log, number, DROPPED)
            return True
        if drop_before_ms is not None:
            old = log.execute(_OLD, (drop_before_ms,)).fetchone()
            if old is not None:
                with _transaction(log):
                    _set(log, old[0], DROPPING)
                return True
        closed = log.execute(_CLOSED).fetchone()
        if closed is None:
            return False
        self._move(log, closed[0], mark)
        return True

    def _move(self, log: sqlite3.Connection, table: str, mark: Callable[[TableEnd], None]) -> None:
        """Copy the next rows of a table, or note that all are there."""
        copied = self._copied(log, table)
        rows = log.execute(_SOME, (table, copied, _AT_ONCE)).fetchall()
        if rows:
            with _transaction(self.conn):
                self.conn.executemany(_INSERT, rows)
        if len(rows) == _AT_ONCE:
            return
        last = log.execute(_END, (table,)).fetchone()
        with _transaction(log):
            kept = archived.add(log, table, _head(last), last[2])
            drop_snapshots(log, table)
        mark(kept)

    def _copied(self, log: sqlite3.Connection, table: str) -> int:
        """The last row that the archive has of a table; what is of another story is deleted.

        A log that was put back to an earlier moment goes on otherwise than the archive knows.
        """
        last = self.conn.execute(_END, (table,)).fetchone()
        if last is None:
            return 0
        if log.execute(_LINK, (table, last[1])).fetchone() == (last[7],):
            return int(last[1])
        with _transaction(self.conn):
            self.conn.execute("DELETE FROM log WHERE table_id = ?", (table,))
        return 0

    def problems(self, log: sqlite3.Connection, after: int, most: int) -> tuple[int, list[str]]:
        """Tables after an archiving whose rows the archive lacks; how many were looked at."""
        sql = "SELECT table_id, seq, chain, stage FROM archived WHERE n > ? ORDER BY n LIMIT ?"
        found: list[str] = []
        rows = log.execute(sql, (after, most)).fetchall()
        for table, seq, link, stage in rows:
            if stage in (DROPPING, DROPPED):
                continue
            last = self.conn.execute(_END, (table,)).fetchone()
            if last is None or last[1] != seq or _head(last).link != link:
                found.append(f"table {table}: its rows are not in {self.path.name}")
        return len(rows), found[:_MOST_PROBLEMS]


def _head(last: tuple[Any, ...]) -> Head:
    """The end of a table by its last row."""
    return Head(last[1], closed=True, link=last[7])


def _set(log: sqlite3.Connection, number: int, stage: int) -> None:
    log.execute("UPDATE archived SET stage = ? WHERE n = ?", (stage, number))


@contextlib.contextmanager
def _transaction(conn: sqlite3.Connection) -> Generator[None]:
    conn.execute("BEGIN IMMEDIATE")
    try:
        yield
        conn.execute("COMMIT")
    except BaseException:
        if conn.in_transaction:  # after a full disk SQLite may have rolled back by itself
            with contextlib.suppress(sqlite3.Error):
                conn.execute("ROLLBACK")
        raise


def _opened(path: Path) -> sqlite3.Connection:
    ensure_private(path)  # it holds what people played
    conn = sqlite3.connect(path, isolation_level=None, timeout=0)
    try:
        harden(conn)
        marks = marks_of(conn)
        new = marks.new
        if not new and (marks.application != _APPLICATION or marks.version > _VERSION):
            raise sqlite3.DatabaseError(f"{path.name} is no archive that can be read")
        conn.execute("PRAGMA journal_mode = WAL")
        conn.execute("PRAGMA synchronous = FULL")
        conn.execute("PRAGMA fullfsync = ON")
        conn.execute("PRAGMA checkpoint_fullfsync = ON")
        conn.execute("PRAGMA secure_delete = ON")  # what is deleted is gone from the file as well
        if new:
            with _transaction(conn):
                for statement in _SCHEMA:
                    conn.execute(statement)
    except BaseException:
        conn.close()
        raise
    return conn


# Has closed tables leave the log, slowly: nobody who plays should feel it.


_LEAST_PAUSE_S: Final = 0.05
_SHARE: Final = 9
"""How many times as long as a step the pause after it is."""
_IDLE_S: Final = 30.0
_AGAIN_S: Final = 60.0
_DAY_MS: Final = 86_400_000

_log: Final = logger(__name__)


async def archive(
    step: Callable[[int | None], Awaitable[bool]], days: int, idle_s: float = _IDLE_S
) -> None:
    """Archive closed tables until cancelled, and delete them ``days`` after their end; 0: never."""
    failed = False
    while True:
        begun = monotonic()
        try:
            more = await step(utc_ms() - days * _DAY_MS if days else None)
        except StoreError as error:
            if not failed:  # the tables stay in the log, where nothing happens to them
                _log.error("archive-failed", why=type(error.__cause__ or error).__name__)
            failed = True
            await asyncio.sleep(_AGAIN_S)
            continue
        if failed:
            failed = False
            _log.warning("archive-works-again")
        pause = max((monotonic() - begun) * _SHARE, _LEAST_PAUSE_S)
        await asyncio.sleep(pause if more else idle_s)
