"""The log as a SQLite file: opened and refused with a code, copied whole."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Generator, Iterable
from itertools import chain
from pathlib import Path
from typing import Final, Literal, TypeAlias

from sqlalchemy.dialects import sqlite

from okey101.errors import OkeyError
from okey101.server.files.atomic_files import (
    ensure_private,
    make_private,
    remove_temporary,
    require_room,
)
from okey101.server.store.base import LINK_BYTES, Head
from okey101.server.store.mark import Mark, TableEnd
from okey101.server.store.sealed import keep_sealed, know_seals
from okey101.server.store.statements import (
    COLUMNS,
    KEPT_END,
    SNAPSHOTS,
    VERSION,
    definitions,
    make_tables,
    upgrade,
)

OTHERS: Final = ""
"""Stands in a mark, in place of a table, for all that is changed beside the rows of tables."""

_AT: Final = (
    "SELECT seq, last, chain FROM log WHERE table_id = ?1 AND seq = ?2 UNION ALL "
    "SELECT seq, last, chain FROM archive WHERE table_id = ?1 AND seq = ?2"
)
_OTHERS: Final = "SELECT seq, link FROM others"
"""How many changes there were beside the rows, and the mark of the last; ``ended`` is how many
tables are in the archive."""


def others_end(conn: sqlite3.Connection) -> TableEnd:
    """The last change beside the rows of tables; number 0 where the disk has changed its row."""
    seq, link = conn.execute(_OTHERS).fetchone()
    return TableEnd(OTHERS, seq if isinstance(seq, int) else 0, link)


def holds(conn: sqlite3.Connection, end: TableEnd) -> bool:
    """Whether a log has what a mark knows of it."""
    if end.table == OTHERS:
        last = others_end(conn)
        return last.seq > end.seq or last == end
    found = head_at(conn, end.table, end.seq)
    if found is not None and found.link == end.link:
        return True
    left = conn.execute(KEPT_END, (end.table,)).fetchone()
    return bool(left and left[2] and left[0] > end.seq)  # deleted since, all but its last row


def lacked(conn: sqlite3.Connection, marks: Iterable[Mark]) -> list[TableEnd]:
    """The last that marks, the newest first, know of each table whose log has not got it."""
    ends: dict[str, TableEnd] = {}
    for mark in marks:
        for end in mark.ends or ():
            ends.setdefault(end.table, end)
    return [end for end in ends.values() if not holds(conn, end)]


def change_others(conn: sqlite3.Connection) -> TableEnd:
    """Count, within its transaction, a change beside the rows of tables; what to mark of it."""
    link = os.urandom(LINK_BYTES)
    conn.execute("UPDATE others SET seq = seq + 1, link = ?", (link,))
    return others_end(conn)


COPYING: Final = "copying-"
"""What the name of a folder begins with in which a copy of an installation grows."""
_APPLICATION: Final = 0x6F6B3031  # "ok01": tells our files from those of other programs
DIALECT: Final = sqlite.dialect()
_STEP_PAGES: Final = 256
_END_ROWS: Final = 256
"""How many of the last rows are read before a log is used."""

_END: Final = (
    "SELECT sum(length(entry)), sum((SELECT count(*) FROM log AS m "
    "WHERE m.table_id = l.table_id AND m.seq = l.seq)) "
    "FROM (SELECT table_id, seq, entry FROM log ORDER BY rowid DESC LIMIT ?) AS l"
)

_BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})


_GUARDED: Final = (
    "PRAGMA trusted_schema = OFF", "PRAGMA cell_size_check = ON", "PRAGMA mmap_size = 0",
)  # fmt: skip
_ALONE: Final = ("PRAGMA locking_mode = EXCLUSIVE", "PRAGMA busy_timeout = 0", *_GUARDED)
_SHARED: Final = ("PRAGMA locking_mode = NORMAL", "PRAGMA busy_timeout = 5000", *_GUARDED)
_DURABLE: Final = (
    "PRAGMA synchronous = FULL",
    "PRAGMA fullfsync = ON",  # macOS: fsync alone stops at the drive's cache
    "PRAGMA checkpoint_fullfsync = ON",
    "PRAGMA secure_delete = ON",  # what is deleted is gone from the file as well
)


def open_log(path: Path, *, shared: bool = False) -> sqlite3.Connection:
    """The only connection to a log, made where there is none; for the calling thread alone.

    The file stays locked until the connection is closed, unless it is ``shared`` with a program
    that copies it. OkeyError ``store-in-use`` where another process holds it, ``store-not-ours``
    for another program's file, ``store-newer`` for one of a later version, ``store-corrupt`` for a
    damaged one, ``store-unwritable`` where it can't be made or written, and ``store-unfinished``
    where its folder is to become a copy.
    """
    # The whole path, lest a name such as ":memory:" mean something else to SQLite.
    path = path.absolute()
    if path.is_dir():
        raise refusal("store-unwritable", path, "is a folder, not a file")
    if any(path.parent.glob(f"{COPYING}*")):
        raise refusal("store-unfinished", path.parent, "is part of a copy")
    try:
        ensure_private(path)  # it holds hidden tiles
        conn = sqlite3.connect(path, isolation_level=None, timeout=0)
    except (OSError, sqlite3.Error) as error:
        raise refusal("store-unwritable", path, f"can't be opened: {error}") from None
    try:
        with damage_told(path):
            _prepare(conn, path, shared=shared)
    except OkeyError:
        conn.close()
        raise
    # What a killed check left behind: the lock says that none is running.
    remove_temporary(path)
    return conn


def copy_log(conn: sqlite3.Connection, target: Path, between: Callable[[], None]) -> None:
    """Copy the log into a new file, some pages at a time; ``publish`` forces it to the disk.

    ``between`` is called after each step and may read and write through ``conn``: SQLite brings
    what it changes into the copy. The copy is that of the moment it ends. Raises OkeyError
    ``store-no-space`` where the disk couldn't hold it, OSError, sqlite3.Error and what ``between``
    does; then nothing is left behind.
    """
    pages, size = (conn.execute(f"PRAGMA page_{of}").fetchone()[0] for of in ("count", "size"))
    require_room(target, pages * size)  # a copy that filled the disk would stop the log itself
    make_private(target)
    try:
        with contextlib.closing(sqlite3.connect(target, isolation_level=None)) as copy:
            # The whole file is forced to the disk at the end, and without it there is no copy.
            copy.execute("PRAGMA synchronous = OFF")
            copy.execute("PRAGMA journal_mode = MEMORY")
            conn.backup(copy, pages=_STEP_PAGES, progress=lambda *_: between())
    except BaseException:
        target.unlink(missing_ok=True)
        raise


FAILURES: Final = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises: what it says of a damaged file may hold bytes that are no text."""
Failure: TypeAlias = sqlite3.Error | UnicodeDecodeError


@contextlib.contextmanager
def damage_told(path: Path) -> Generator[None]:
    """Raise what SQLite finds wrong with a log that is being opened as :func:`open_log` does."""
    try:
        yield
    except FAILURES as error:
        raise _translated(error, path) from None


@contextlib.contextmanager
def transaction(conn: sqlite3.Connection) -> Generator[None]:
    """Have what is done within stay as a whole; nothing of it where that raises.

    Where it can't even be taken back, the connection is left in it.
    """
    try:
        conn.execute("BEGIN IMMEDIATE")
        yield
        conn.execute("COMMIT")
    except BaseException:
        # After a full disk SQLite may have rolled back by itself.
        if conn.in_transaction:
            with contextlib.suppress(sqlite3.Error):
                conn.execute("ROLLBACK")
        raise


def is_damage(error: Failure) -> bool:
    """Whether an error says that the file is damaged."""
    return _primary(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _prepare(conn: sqlite3.Connection, path: Path, *, shared: bool) -> None:
    # Exclusive before anything is read: whoever comes second finds the file busy. It also means
    # that nobody else writes or checkpoints. Before 3.51.3, SQLite could lose committed frames
    # where two connections did (the "WAL-reset" bug), and most systems still ship such a version.
    for statement in _SHARED if shared else _ALONE:
        conn.execute(statement)
    (application,) = conn.execute("PRAGMA application_id").fetchone()
    (version,) = conn.execute("PRAGMA user_version").fetchone()
    (objects,) = conn.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    new = (application, version, objects) == (0, 0, 0)
    if not new and application != _APPLICATION:
        raise refusal("store-not-ours", path, "is another program's file")
    if version > VERSION:
        raise refusal("store-newer", path, f"is of version {version}; this one reads {VERSION}")
    (mode,) = conn.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise refusal("store-unwritable", path, "is on a disk that can't hold a write-ahead log")
    for statement in _DURABLE:
        conn.execute(statement)
    conn.execute("BEGIN IMMEDIATE")
    if new:
        make_tables(conn, DIALECT)
        conn.execute(f"PRAGMA application_id = {_APPLICATION}")
    else:
        upgrade(conn, version)
        if version < VERSION and conn.execute("PRAGMA foreign_key_check").fetchone():
            raise refusal("store-corrupt", path, "names what is not there")
        conn.execute(f"SELECT {COLUMNS} FROM log")
        conn.execute(f"SELECT {COLUMNS} FROM archive LIMIT 1")
        if conn.execute(_OTHERS).fetchone() is None:
            raise refusal("store-corrupt", path, "lacks what it counts by")
        # Made anew where somebody has removed them.
        for statement in definitions(DIALECT, SNAPSHOTS, if_missing=True):
            conn.execute(statement)
    # Also where it changes nothing, to learn now whether the file can be written.
    conn.execute(f"PRAGMA user_version = {VERSION}")
    conn.execute("COMMIT")
    conn.execute("PRAGMA foreign_keys = ON")  # an upgrade may have to move what others name
    # Only the end, by the tree and by its index: reading all would take longer with every match
    # ever played. The rest is looked through while the server runs.
    conn.execute(_END, (_END_ROWS,)).fetchone()
    know_seals(conn)
    keep_sealed(conn)


def refusal(code: str, path: Path, what: str) -> OkeyError:
    """Why a file can't be used."""
    return OkeyError(code, f"{path} {what}", path=str(path))


def _translated(error: Failure, path: Path) -> OkeyError:
    code = _primary(error)
    if code in _BUSY:
        return refusal("store-in-use", path, "is in use by another server or program")
    if code == sqlite3.SQLITE_NOTADB:
        return refusal("store-not-ours", path, "is no log, or its beginning is damaged")
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR):
        return refusal("store-corrupt", path, f"is damaged: {error}")
    return refusal("store-unwritable", path, f"can't be written: {error}")


def _primary(error: Failure) -> int:
    """SQLite's primary error code; the driver's own errors have none."""
    if isinstance(error, UnicodeDecodeError):
        return sqlite3.SQLITE_CORRUPT
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & 0xFF


# How rows get into the log's file, and where each table's rows end there.

_ROW: Final = "(?, ?, ?, ?, ?, ?, ?, ?)"
_AT_ONCE: Final = 64
_INSERTS: Final = [f"INSERT INTO log VALUES {', '.join([_ROW] * n)}" for n in range(_AT_ONCE + 1)]
"""By the number of rows they write."""
_LAST_PLACE: Final = "SELECT coalesce(max(rowid), 0) FROM {}"
Linked: TypeAlias = tuple[str, int, int, bytes, int, str, bool, bytes]
"""A row as it is written: with its link."""


def head_at(conn: sqlite3.Connection, table: str, seq: int) -> Head | None:
    """A table as of one of its rows, or of none; None where that is not there, archived or not."""
    found = conn.execute(_AT, (table, seq)).fetchone() if seq else Head()
    return found and Head(found[0], bool(found[1]), found[2])


def position_in(conn: sqlite3.Connection, rows: Literal["log", "archive"] = "log") -> int:
    """The place of the last row; they lie in the order in which they came, and nothing removes the
    log's last.
    """
    (position,) = conn.execute(_LAST_PLACE.format(rows)).fetchone()
    return int(position)


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
