"""The accounts' file: made, opened, refused with a code, and copied."""

from __future__ import annotations

import asyncio
import contextlib
import glob
import sqlite3
from collections.abc import Awaitable, Callable, Generator
from pathlib import Path
from typing import Final, Protocol, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DatabaseError
from sqlalchemy.orm import Session as Db
from sqlalchemy.pool import StaticPool

from okey101.errors import OkeyError
from okey101.server.files.atomic_files import (
    CHECK_MARK,
    ensure_private,
    make_private,
    publish,
    require_room,
    temporary,
)
from okey101.server.files.sqlite_files import Marks, copy_in_steps, harden, marks_of, size_of
from okey101.server.people.models import Base
from okey101.server.work.threads import Worker

_VERSION: Final = 1
_APPLICATION: Final = 0x6F6B3132  # "ok12": the log has a number of its own
_MOST_FAULTS: Final = 100
_TABLES: Final = (
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
)
_INDEXES: Final = "SELECT name, partial FROM pragma_index_list(?) ORDER BY name"


def open_database(path: Path) -> Engine:
    """The engine of an accounts' file, made where there is none; for the calling thread alone.

    It holds the only connection, and the file stays locked until it is disposed of. OkeyError
    ``accounts-in-use`` where another process holds the file, ``accounts-not-ours``,
    ``accounts-newer``, ``accounts-corrupt`` and ``accounts-unwritable``.
    """
    path = path.absolute()
    if path.is_dir():
        raise _refusal("accounts-unwritable", path, "is a folder, not a file")
    try:
        ensure_private(path)
        conn = sqlite3.connect(path, isolation_level=None, timeout=0)
    except (OSError, sqlite3.Error) as error:
        raise _refusal("accounts-unwritable", path, f"can't be opened: {error}") from None
    engine = _engine(conn)
    try:
        new = _prepare(conn, path)
        with engine.begin() as connection:
            # A write even where nothing changes, to learn now whether the file can be written.
            connection.exec_driver_sql(f"PRAGMA application_id = {_APPLICATION}")
            connection.exec_driver_sql(f"PRAGMA user_version = {_VERSION}")
            if new:
                Base.metadata.create_all(connection)
        conn.execute("PRAGMA foreign_keys = ON")
    except sqlite3.Error as error:
        engine.dispose()
        raise _translated(error, path) from None
    except DatabaseError as error:
        engine.dispose()
        if not isinstance(error.orig, sqlite3.Error):
            raise
        raise _translated(error.orig, path) from None
    except BaseException:
        engine.dispose()
        raise
    for leftover in path.parent.glob(f"{glob.escape(path.name)}{CHECK_MARK}*"):
        with contextlib.suppress(OSError):
            leftover.unlink()  # of a check that was killed: the lock says that none is running
    return engine


def raw_of(engine: Engine) -> sqlite3.Connection:
    """The engine's only connection, for what SQL can't ask; use it on the thread that made it."""
    with engine.connect() as connection:
        raw = connection.connection.driver_connection
    assert isinstance(raw, sqlite3.Connection)
    return raw


def copy_database(conn: sqlite3.Connection, path: Path) -> None:
    """Write a whole, compacted copy to a new file, forced to the disk.

    For a file that nobody uses meanwhile. Raises OkeyError ``backup-exists`` where there is one,
    ``store-no-space`` and ``backup-failed``.
    """
    path = path.absolute()
    with _copy_of(path) as part:
        if path.exists():
            raise FileExistsError(path)
        require_room(path, size_of(conn))
        make_private(part)
        conn.execute("VACUUM INTO ?", (str(part),))
        publish(part, path)


@contextlib.contextmanager
def _copy_of(path: Path) -> Generator[Path]:
    """A new name beside a copy, which is gone in the end; what goes wrong gets the code of it."""
    part = temporary(path, ".part-")
    try:
        yield part
    except FileExistsError:
        message = f"{path} exists and stays as it is"
        raise OkeyError("backup-exists", message, path=str(path)) from None
    except (OSError, sqlite3.Error) as error:
        message = f"{path} can't be written: {error}"
        raise OkeyError("backup-failed", message, path=str(path)) from None
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def copy_closed(source: Path, path: Path) -> None:
    """Write such a copy of a file that no server has open.

    Raises OkeyError as :func:`copy_database` does and, where the file can't be read, as
    :func:`open_database` does.
    """
    try:
        with _closed_file(source) as conn:
            conn.execute("SELECT count(*) FROM sqlite_schema")  # what is wrong with it shows here
            copy_database(conn, path)
    except sqlite3.Error as error:
        raise _translated(error, source.absolute()) from None


def faults_of(path: Path) -> list[str]:
    """What is wrong with an accounts' file that no server has open, in English; only reads it.

    OkeyError ``accounts-in-use`` where one has.
    """
    if not path.is_file():
        return [f"{path.name} is missing: nobody could sign in, and matches would be gone"]
    try:
        with _closed_file(path) as conn:
            (application,) = conn.execute("PRAGMA application_id").fetchone()
            if application != _APPLICATION:
                return [f"{path.name} is empty, or was not made by okey101"]
            return faults_in(conn, "integrity_check")
    except sqlite3.Error as error:
        found = _translated(error, path)
        if found.code == "accounts-in-use":
            raise found from None
        return [found.message]


@contextlib.contextmanager
def _closed_file(path: Path) -> Generator[sqlite3.Connection]:
    """A file that no server has open, as it is; sqlite3.Error where it can't be opened."""
    address = f"{path.absolute().as_uri()}?mode=rw"
    conn = sqlite3.connect(address, uri=True, isolation_level=None, timeout=0)
    with contextlib.closing(conn):
        conn.execute("PRAGMA locking_mode = EXCLUSIVE")
        yield conn


def faults_in(conn: sqlite3.Connection, check: str = "quick_check") -> list[str]:
    """What is wrong with an open accounts' file, in English; sqlite3.Error if unknown."""
    checked = conn.execute(f"PRAGMA {check}({_MOST_FAULTS})").fetchall()
    found = [f"accounts: {line}" for (line,) in checked if line != "ok"]
    if not found and conn.execute("PRAGMA foreign_key_check").fetchone() is not None:
        found = ["accounts: rows point nowhere"]
    return found


def trees_in(conn: sqlite3.Connection) -> list[tuple[str, str | None]]:
    """Every table, quoted, and each of its indexes that has a line for all rows; sqlite3.Error."""
    found: list[tuple[str, str | None]] = []
    for (table,) in conn.execute(_TABLES).fetchall():
        found.append((_quoted(table), None))
        for index, partial in conn.execute(_INDEXES, (table,)).fetchall():
            if not partial:
                found.append((_quoted(table), _quoted(index)))
    return found


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _engine(conn: sqlite3.Connection) -> Engine:
    engine = create_engine(
        "sqlite://", creator=lambda: conn, poolclass=StaticPool, hide_parameters=True
    )

    # The driver would begin no transaction before a SELECT or a CREATE TABLE.
    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:  # pyright: ignore[reportUnusedFunction]
        connection.exec_driver_sql("BEGIN")

    return engine


def _prepare(conn: sqlite3.Connection, path: Path) -> bool:
    """Lock the file, make sure that it is ours before anything is written; whether it is new.

    The lock is exclusive for the same reason as the log's: one connection, one writer, nobody else.
    """
    harden(conn)
    marks = marks_of(conn)
    if not marks.new:
        _require_known(conn, marks, path)
    (mode,) = conn.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise _refusal("accounts-unwritable", path, "is on a disk without write-ahead logs")
    conn.execute("PRAGMA synchronous = FULL")
    conn.execute("PRAGMA fullfsync = ON")
    conn.execute("PRAGMA checkpoint_fullfsync = ON")
    conn.execute("PRAGMA secure_delete = ON")  # what people delete is gone from the file as well
    return marks.new


def _require_known(conn: sqlite3.Connection, marks: Marks, path: Path) -> None:
    """Refuse what is damaged at its head, and what we can't read.

    The rest is looked through while the server runs: reading all would take longer with every
    match ever kept.
    """
    if marks.application != _APPLICATION:
        raise _refusal("accounts-not-ours", path, "is another program's file")
    for table, index in trees_in(conn):
        by = f"INDEXED BY {index}" if index else "NOT INDEXED"
        conn.execute(f"SELECT * FROM {table} {by} LIMIT 1").fetchone()
    if marks.version > _VERSION:
        raise _refusal("accounts-newer", path, "was written by a newer version")
    if marks.version < _VERSION:
        raise _refusal("accounts-corrupt", path, "does not say which version it has")


def _refusal(code: str, path: Path, what: str) -> OkeyError:
    return OkeyError(code, f"{path} {what}", path=str(path))


def _translated(error: sqlite3.Error, path: Path) -> OkeyError:
    code = error.sqlite_errorcode & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return _refusal("accounts-in-use", path, "is in use by another server or program")
    if code == sqlite3.SQLITE_NOTADB:
        return _refusal("accounts-not-ours", path, "is no database of ours, or damaged")
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR):
        return _refusal("accounts-corrupt", path, f"is damaged: {error}")
    return _refusal("accounts-unwritable", path, f"can't be written: {error}")


# A walk through a whole accounts' file in small steps, between which others use it.
#
# It reads every row with all that is in it, and the lines of every index.


_ROWS: Final = 100


class AccountsScan:
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


# Copies of the accounts while they are in use: step by step, so that nobody waits for them.


class Copies:
    """Makes copies on the thread of the accounts' only connection, which does other work between.

    The copy is written by a connection of its own. Another one could not even read the accounts:
    theirs holds the file alone, lest two servers share it.
    """

    def __init__(self, path: Path, conn: Callable[[], sqlite3.Connection], worker: Worker) -> None:
        self._path = path
        self._conn = conn
        self._worker = worker
        self._copying = False  # the thread's own

    async def backup(self, path: Path) -> None:
        """Copy the accounts as they are when the copy ends.

        OkeyError ``backup-exists``, ``backup-running`` while another copy is being made,
        ``store-no-space`` where the disk would become too full, and ``backup-failed``.
        """
        with _copy_of(path) as part:
            await self._worker.run(lambda: self._copy(part, path), long=True)
            await asyncio.to_thread(publish, part, path)

    async def check(self) -> list[str]:
        """What is wrong with the accounts, in English; OkeyError as of :meth:`backup`.

        A copy beside them is looked at, as in a large file that takes long.
        """
        copy = temporary(self._path)
        try:
            await self._worker.run(lambda: self._copy(copy), long=True)
            return await asyncio.to_thread(_faults_of_copy, copy)
        except (OSError, sqlite3.Error) as error:
            return [f"accounts: {error}"]
        finally:
            with contextlib.suppress(OSError):
                copy.unlink(missing_ok=True)

    def _copy(self, target: Path, unless: Path | None = None) -> None:
        if unless is not None and unless.exists():
            raise FileExistsError(unless)
        if self._copying:
            message = "a copy of the accounts is being made; wait for its end"
            raise OkeyError("backup-running", message)
        self._copying = True
        try:
            conn = self._conn()
            require_room(target, size_of(conn))
            copy_in_steps(conn, target, self._worker.rest)
        finally:
            self._copying = False


def _faults_of_copy(path: Path) -> list[str]:
    address = f"{path.absolute().as_uri()}?immutable=1"
    with contextlib.closing(sqlite3.connect(address, uri=True)) as conn:
        return faults_in(conn)


# How the parts of the accounts get their work done, each piece in a transaction of its own.


T = TypeVar("T")


class Run(Protocol):
    """Does work on the database's thread; ``changed`` are the people whom it concerns.

    OkeyError ``accounts-busy``, ``accounts-failed`` and ``accounts-closed``.
    """

    def __call__(self, work: Callable[[Db], T], *changed: str) -> Awaitable[T]:
        """What the work returns."""
        ...
