"""The accounts' file: opened, refused with a code, brought up to date, and copied."""

from __future__ import annotations

import contextlib
import glob
import os
import sqlite3
from collections.abc import Generator
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DatabaseError
from sqlalchemy.pool import StaticPool

from okey101.errors import OkeyError
from okey101.server.atomic_files import CHECK_MARK, publish, require_room, temporary
from okey101.server.sqlite_files import harden, make_private, marks_of, size_of

__all__ = [
    "REVISIONS", "copy_closed", "copy_database", "faults_in", "faults_of", "open_database",
    "raw_of", "trees_in",
]  # fmt: skip

REVISIONS: Final = ("0001", "0002", "0003", "0004", "0005")
"""The versions of the file, the newest last: the migrations' own names, which would have to be
imported with all of Alembic at every start.
"""
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
        _make(path)
        conn = sqlite3.connect(path, isolation_level=None, timeout=0)
    except (OSError, sqlite3.Error) as error:
        raise _refusal("accounts-unwritable", path, f"can't be opened: {error}") from None
    engine = _engine(conn)
    try:
        _prepare(conn, path)
        with engine.begin() as connection:
            old = _version(connection) != REVISIONS[-1]
            if old:
                _upgrade(connection)
        _finish(conn, path, migrated=old)
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


def _upgrade(connection: Connection) -> None:
    from okey101.server.accounts.migrating import upgrade

    upgrade(connection)


def copy_database(conn: sqlite3.Connection, path: Path) -> None:
    """Write a whole, compacted copy to a new file, forced to the disk.

    For a file that nobody uses meanwhile. Raises OkeyError ``backup-exists`` where there is one,
    ``store-no-space`` and ``backup-failed``.
    """
    path = path.absolute()
    part = temporary(path, ".part-")
    try:
        if path.exists():
            raise FileExistsError(path)
        require_room(path, size_of(conn))
        make_private(part)
        conn.execute("VACUUM INTO ?", (str(part),))
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        publish(part, path)
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

    It is copied as it is: opening it for use could bring it to a newer version first. Raises
    OkeyError as :func:`copy_database` does and, where the file can't be read, as
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


def _make(path: Path) -> None:
    """Make the file so that only its owner reads it."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _engine(conn: sqlite3.Connection) -> Engine:
    engine = create_engine(
        "sqlite://", creator=lambda: conn, poolclass=StaticPool, hide_parameters=True
    )

    # The driver would begin no transaction before a SELECT or a CREATE TABLE.
    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:  # pyright: ignore[reportUnusedFunction]
        connection.exec_driver_sql("BEGIN")

    return engine


def _prepare(conn: sqlite3.Connection, path: Path) -> None:
    """Lock the file and make sure that it is ours before anything is written.

    The lock is exclusive for the same reason as the log's: one connection, one writer, nobody else.
    """
    harden(conn)
    application, _, objects = marks_of(conn)
    if application != _APPLICATION and (application, objects) != (0, 0):
        raise _refusal("accounts-not-ours", path, "is another program's file")
    if objects:
        _require_known(conn, path)
    (mode,) = conn.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise _refusal("accounts-unwritable", path, "is on a disk without write-ahead logs")
    conn.execute("PRAGMA synchronous = FULL")
    conn.execute("PRAGMA fullfsync = ON")
    conn.execute("PRAGMA checkpoint_fullfsync = ON")
    conn.execute("PRAGMA secure_delete = ON")  # what people delete is gone from the file as well
    # A write even where nothing changes, to learn now whether the file can be written; off during
    # migrations, where rebuilding a table would delete the rows that refer to it.
    conn.execute(f"PRAGMA application_id = {_APPLICATION}")
    conn.execute("PRAGMA foreign_keys = OFF")


def _require_known(conn: sqlite3.Connection, path: Path) -> None:
    """Refuse what is damaged at its head, and what we can't read; the rest is looked through while
    the server runs (:mod:`okey101.server.accounts.walk`): reading all would take longer with every
    match ever kept.
    """
    for table, index in trees_in(conn):
        by = f"INDEXED BY {index}" if index else "NOT INDEXED"
        conn.execute(f"SELECT * FROM {table} {by} LIMIT 1").fetchone()
    try:
        found = [str(v) for (v,) in conn.execute("SELECT version_num FROM alembic_version")]
    except sqlite3.OperationalError:
        raise _refusal("accounts-corrupt", path, "does not say which version it has") from None
    if not {*found} <= {*REVISIONS}:
        raise _refusal("accounts-newer", path, "was written by a newer version")


def _version(connection: Connection) -> str | None:
    tables = connection.exec_driver_sql(
        "SELECT count(*) FROM sqlite_schema WHERE name = 'alembic_version'"
    )
    if not tables.scalar():
        return None
    found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return None if found is None else str(found)


def _finish(conn: sqlite3.Connection, path: Path, *, migrated: bool) -> None:
    if migrated and conn.execute("PRAGMA foreign_key_check").fetchone() is not None:
        raise _refusal("accounts-corrupt", path, "has rows that point nowhere")
    conn.execute("PRAGMA foreign_keys = ON")


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
