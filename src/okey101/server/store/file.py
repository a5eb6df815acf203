"""The log as a SQLite file: opened and refused with a code, copied whole, checked for holes."""

from __future__ import annotations

import contextlib
import glob
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from itertools import chain, islice
from pathlib import Path
from typing import Final, TypeAlias

from okey101.errors import OkeyError
from okey101.server.files.atomic_files import CHECK_MARK, ensure_private, require_room
from okey101.server.files.sqlite_files import copy_in_steps, harden, marks_of, size_of
from okey101.server.store.base import LINK_BYTES, START, Head, Row, link_of
from okey101.server.store.mark import Mark, TableEnd
from okey101.server.store.snapshots import SNAPSHOTS

# What a log says of the tables that have left it: where each ended, chained one after the other.
#
# The rows themselves are in the archive, another file. A line stays here for ever, also when the
# archive lets go of the rows, so that no table begins a second time.


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


_APPLICATION: Final = 0x6F6B3031  # "ok01": tells our files from those of other programs
_VERSION: Final = 1
_MOST_PROBLEMS: Final = 100
_END_ROWS: Final = 256
"""How many of the last rows are read before a log is used."""

# An ordinary table: rows lie in the order in which they came, and only the key's narrow index is
# written here and there. WITHOUT ROWID would save that index and read a table's rows from fewer
# pages, but wide rows put in between split pages: 1,000 tables wrote 1.6 times more slowly.
_SCHEMA: Final = (
    """
    CREATE TABLE log (
        table_id TEXT NOT NULL,
        seq INTEGER NOT NULL CHECK (seq >= 1),
        at_ms INTEGER NOT NULL,
        entry BLOB NOT NULL,
        rules_version INTEGER NOT NULL,
        state_hash TEXT NOT NULL,
        last INTEGER NOT NULL CHECK (last IN (0, 1)),
        chain BLOB NOT NULL,
        PRIMARY KEY (table_id, seq)
    ) STRICT
    """,
    # Every start asks which tables are running: these two hold one line for each table.
    "CREATE INDEX log_first ON log (at_ms, table_id) WHERE seq = 1",
    "CREATE UNIQUE INDEX log_last ON log (table_id) WHERE last = 1",
    *ARCHIVED,
    f"PRAGMA application_id = {_APPLICATION}",
    f"PRAGMA user_version = {_VERSION}",
)

COLUMNS: Final = "table_id, seq, at_ms, entry, rules_version, state_hash, last, chain"

_HERE: Final = "table_id NOT IN (SELECT table_id FROM archived)"
"""Not on its way into the archive, when the first rows may be gone."""

_END: Final = (
    "SELECT sum(length(entry)), sum((SELECT count(*) FROM log AS m "
    "WHERE m.table_id = l.table_id AND m.seq = l.seq)) "
    "FROM (SELECT table_id, seq, entry FROM log ORDER BY rowid DESC LIMIT ?) AS l"
)

_BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})


def open_log(path: Path) -> sqlite3.Connection:
    """The only connection to a log, made where there is none; for the calling thread alone.

    The file stays locked until the connection is closed. OkeyError ``store-in-use`` where another
    process holds it, ``store-not-ours`` for another program's file, ``store-newer`` for one of a
    later version, ``store-corrupt`` for a damaged one, and ``store-unwritable`` where it can't be
    made or written.
    """
    # The whole path, lest a name such as ":memory:" mean something else to SQLite.
    path = path.absolute()
    if path.is_dir():
        raise _refusal("store-unwritable", path, "is a folder, not a file")
    try:
        ensure_private(path)  # it holds hidden tiles
        conn = sqlite3.connect(path, isolation_level=None, timeout=0)
    except (OSError, sqlite3.Error) as error:
        raise _refusal("store-unwritable", path, f"can't be opened: {error}") from None
    try:
        _prepare(conn, path)
    except sqlite3.Error as error:
        conn.close()
        raise _translated(error, path) from None
    except OkeyError:
        conn.close()
        raise
    _remove_leftovers(path)
    return conn


def copy_log(conn: sqlite3.Connection, target: Path, between: Callable[[], None]) -> None:
    """Copy the log into a new file, step by step; ``publish`` forces it to the disk.

    ``between`` is called between the steps and may read and write through ``conn``: SQLite brings
    what it changes into the copy. The copy is that of the moment it ends. Raises OkeyError
    ``store-no-space`` where the disk couldn't hold it, OSError and sqlite3.Error; a half-written
    file is removed.
    """
    # A copy that filled the disk would stop the log itself.
    require_room(target, size_of(conn))
    copy_in_steps(conn, target, between)


def problems_of(copy: Path, marks: Sequence[Mark] = ()) -> list[str]:
    """What is wrong with a finished copy of a log, in English: damage, missing and late rows, rows
    that don't continue the chain of their table, and rows that ``marks`` know of and the log lacks.

    Reads the file as one that nobody changes; never pass a log in use. The first 100 problems.
    """
    uri = f"{copy.absolute().as_uri()}?immutable=1"
    limit = f"LIMIT {_MOST_PROBLEMS}"
    try:
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as conn:
            checked = conn.execute(f"PRAGMA integrity_check({_MOST_PROBLEMS})").fetchall()
            found = [str(line) for (line,) in checked if line != "ok"]
            holes = conn.execute(
                f"SELECT table_id, count(*), max(seq) FROM log NOT INDEXED WHERE {_HERE} "
                "GROUP BY table_id "
                f"HAVING min(seq) <> 1 OR max(seq) <> count(*) {limit}"
            )
            found += [f"table {t}: {n} rows, the last is row {seq}" for t, n, seq in holes]
            late = conn.execute(
                "SELECT table_id, seq FROM log AS l WHERE last = 1 AND EXISTS (SELECT 1 FROM log "
                f"AS m WHERE m.table_id = l.table_id AND m.seq > l.seq) {limit}"
            )
            found += [f"table {t}: rows follow row {seq}, which closed it" for t, seq in late]
            found += islice(_torn(conn), _MOST_PROBLEMS)
            found += torn(conn)
            found += islice(_unmatched(conn, marks), _MOST_PROBLEMS)
    except sqlite3.DatabaseError as error:
        return [str(error)]
    return found[:_MOST_PROBLEMS]


def _torn(conn: sqlite3.Connection) -> Iterator[str]:
    """Rows that don't continue the chain of their table."""
    table, told, link = "", "", START
    sql = f"SELECT {COLUMNS} FROM log WHERE {_HERE} ORDER BY table_id, seq"
    for *values, digest in conn.execute(sql):
        row = Row._make((*values[:6], bool(values[6])))
        if row.table != table:
            table, link = row.table, START
        link = link_of(link, row)
        if link != digest and told != row.table:
            told = row.table
            yield f"table {row.table}: row {row.seq} does not follow the one before (chain)"


def _unmatched(conn: sqlite3.Connection, marks: Sequence[Mark]) -> Iterator[str]:
    """Rows that were marked and aren't there, or are others; one for a table."""
    looked: set[str] = set()
    for mark in marks:
        for end in mark.ends or ():
            if end.table in looked:
                continue
            looked.add(end.table)
            if holds(conn, end):
                continue
            if end.table == ARCHIVINGS:
                yield f"log-truncated: archiving {end.seq} was noted and is gone"
            else:
                yield f"table {end.table}: log-truncated: row {end.seq} was stored and is gone"


def is_damage(error: sqlite3.Error) -> bool:
    """Whether an error says that the file is damaged."""
    return _primary(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _prepare(conn: sqlite3.Connection, path: Path) -> None:
    # Exclusive before anything is read: whoever comes second finds the file busy. It also means
    # that nobody else writes or checkpoints. Before 3.51.3, SQLite could lose committed frames
    # where two connections did (the "WAL-reset" bug), and most systems still ship such a version.
    harden(conn)
    application, version, _ = marks = marks_of(conn)
    if not marks.new and application != _APPLICATION:
        raise _refusal("store-not-ours", path, "is another program's file")
    if version > _VERSION:
        raise _refusal("store-newer", path, f"is of version {version}; this one reads {_VERSION}")
    (mode,) = conn.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise _refusal("store-unwritable", path, "is on a disk that can't hold a write-ahead log")
    conn.execute("PRAGMA synchronous = FULL")
    conn.execute("PRAGMA fullfsync = ON")  # macOS: fsync alone stops at the drive's cache
    conn.execute("PRAGMA checkpoint_fullfsync = ON")
    conn.execute("BEGIN IMMEDIATE")
    if marks.new:
        for statement in _SCHEMA:
            conn.execute(statement)
    else:
        # Otherwise a write that changes nothing, to learn now whether the file can be written.
        conn.execute(f"PRAGMA user_version = {_VERSION}")
        conn.execute(f"SELECT {COLUMNS} FROM log")
        conn.execute("SELECT head FROM archived LIMIT 1")
    for statement in SNAPSHOTS:  # made anew where somebody has removed them
        conn.execute(statement)
    conn.execute("COMMIT")
    # Only the end, by the tree and by its index: reading all would take longer with every match
    # ever played. The rest is looked through while the server runs.
    conn.execute(_END, (_END_ROWS,)).fetchone()


def _remove_leftovers(path: Path) -> None:
    """Remove what a killed check left behind; the lock says that none is running."""
    for leftover in path.parent.glob(f"{glob.escape(path.name)}{CHECK_MARK}*"):
        with contextlib.suppress(OSError):
            leftover.unlink()


def _refusal(code: str, path: Path, what: str) -> OkeyError:
    return OkeyError(code, f"{path} {what}", path=str(path))


def _translated(error: sqlite3.Error, path: Path) -> OkeyError:
    code = _primary(error)
    if code in _BUSY:
        return _refusal("store-in-use", path, "is in use by another server or program")
    if code == sqlite3.SQLITE_NOTADB:
        return _refusal("store-not-ours", path, "is no log, or its beginning is damaged")
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR):
        return _refusal("store-corrupt", path, f"is damaged: {error}")
    return _refusal("store-unwritable", path, f"can't be written: {error}")


def _primary(error: sqlite3.Error) -> int:
    """SQLite's primary error code; the driver's own errors have none."""
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & 0xFF


# How rows get into the log's file, and where each table's rows end there.


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
    return Head(found[1], bool(found[6]), found[7]) if found else archived_head(conn, table)


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
