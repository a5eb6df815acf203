"""What the server's SQLite files share: being private, one connection, and copies in steps."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from okey101.server.files.atomic_files import make_private

_STEP_PAGES: Final = 256


class Marks(NamedTuple):
    """Whose file it is: the application and the version it says, and the things in it."""

    application: int
    version: int
    objects: int

    @property
    def new(self) -> bool:
        """Whether nobody has written to the file yet."""
        return self == (0, 0, 0)


def harden(conn: sqlite3.Connection) -> None:
    """Take the file for this connection alone, and trust nothing in it."""
    conn.execute("PRAGMA locking_mode = EXCLUSIVE")
    conn.execute("PRAGMA trusted_schema = OFF")
    conn.execute("PRAGMA cell_size_check = ON")
    conn.execute("PRAGMA mmap_size = 0")


def marks_of(conn: sqlite3.Connection) -> Marks:
    """Whose file it is; sqlite3.Error where it can't be read."""
    (application,) = conn.execute("PRAGMA application_id").fetchone()
    (version,) = conn.execute("PRAGMA user_version").fetchone()
    (objects,) = conn.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    return Marks(application, version, objects)


def size_of(conn: sqlite3.Connection) -> int:
    """How many bytes a copy of the file takes."""
    pages, size = (conn.execute(f"PRAGMA page_{of}").fetchone()[0] for of in ("count", "size"))
    return int(pages) * int(size)


def copy_in_steps(conn: sqlite3.Connection, target: Path, between: Callable[[], None]) -> None:
    """Copy a file to a new one, some pages at a time, calling ``between`` after each step.

    OSError, sqlite3.Error, or what ``between`` raises; then nothing is left behind.
    """
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
