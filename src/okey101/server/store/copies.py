"""What is written beside the log after each commit: the mark, and the mirror if there is one."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

from okey101.errors import OkeyError
from okey101.server.logs import logger
from okey101.server.store.lost import Shortfall, add_finding, findings_in, missing, unmarked
from okey101.server.store.mark import MarkFile, TableEnd, mark_path
from okey101.server.store.mirror import Mirror, MirrorWhen
from okey101.server.store.rows import Linked, ends_of

__all__ = ["LogCopies"]

# Rows lie in the order in which they came, and nothing removes the last.
_TAIL: Final = (
    "SELECT coalesce(max(rowid), 0), "
    "(SELECT chain IS NOT NULL FROM log ORDER BY rowid DESC LIMIT 1) FROM log"
)

_log = logger(__name__)


class LogCopies:
    """The mark and the mirror of one log; for its thread."""

    def __init__(self, log: Path, mirror: Path | None, when: MirrorWhen) -> None:
        self.findings: list[Shortfall] = []
        """What was known to be missing when the log was opened."""
        self._path = log
        self._mirror_path = mirror
        self._when: MirrorWhen = when
        self._mirror: Mirror | None = None
        self._mirror_fails = False
        self._marks: MarkFile | None = None
        self._due: tuple[int, list[TableEnd]] | None = None
        """What is committed and not yet marked: nobody hears of it before."""
        self._unmirrored: tuple[int, list[Linked]] | None = None

    def open(self, conn: sqlite3.Connection) -> None:
        """Open what is not open yet.

        OkeyError ``mirror-differs`` where the mirror has rows that the log lacks, and
        ``store-unwritable``.
        """
        if self._mirror is None and self._mirror_path is not None:
            self._mirror = self._open_mirror(conn, self._mirror_path)
        if self._marks is None:
            self._marks = self._open_marks(conn)

    def close(self) -> None:
        """Let go of the files."""
        for file in (self._marks, self._mirror):
            if file is not None:
                file.close()

    def committed(self, position: int, rows: list[Linked]) -> None:
        """Mark a batch, and mirror it if that comes first; OSError where that fails."""
        self._due = position, ends_of(rows)
        self._unmirrored = position, rows
        self.catch_up()

    def left(self, position: int, end: TableEnd) -> None:
        """Mark that a table leaves the log; OSError where that fails."""
        self._due = position, [end]
        self.catch_up()

    def _open_mirror(self, conn: sqlite3.Connection, path: Path) -> Mirror:
        """The mirror, with everything the log has by now."""
        try:
            mirror = Mirror(path, self._when)
            mirror.require_same(conn, conn.execute(_TAIL).fetchone()[0])
            mirror.follow(conn)
        except OSError as error:
            message = f"{path} can't be written: {error}"
            raise OkeyError("store-unwritable", message, path=str(path)) from None
        return mirror

    def _open_marks(self, conn: sqlite3.Connection) -> MarkFile:
        """The mark, compared with the log's end; what it knows and the log lacks is kept."""
        path = mark_path(self._path)
        try:
            marks = MarkFile(path)
            position, chained = conn.execute(_TAIL).fetchone()
            found = missing(conn, marks.history, position)
            if marks.newest is None and chained:
                found = unmarked(conn)
            if found is not None:
                add_finding(self._path, found)  # before the mark says that all is as it should be
            if found is not None or (marks.newest is None and position):
                marks.write(position, [])
            self.findings = findings_in(self._path)
        except OSError as error:
            message = f"{path} can't be written: {error}"
            raise OkeyError("store-unwritable", message, path=str(path)) from None
        return marks

    def catch_up(self) -> None:
        """Mark what is committed and not marked yet; OSError where that fails."""
        if self._unmirrored is not None and self._when == "before":
            if self._mirror is not None:
                self._mirror.append(*self._unmirrored)
            self._unmirrored = None
        # After the mirror: a mark that were ahead of it would have a restore from it throw deals
        # away for rows that nobody had heard of.
        if self._due is not None:
            assert self._marks is not None
            self._marks.write(*self._due)
            self._due = None

    def later(self, conn: sqlite3.Connection) -> None:
        """Mirror what was acknowledged; where that fails, with the next batch."""
        if self._mirror is None or self._unmirrored is None:
            return
        try:
            if self._mirror_fails:
                self._mirror.follow(conn)
            else:
                self._mirror.append(*self._unmirrored)
        except (OSError, sqlite3.Error) as error:
            if not self._mirror_fails:
                _log.error("mirror-failing", reason=type(error).__name__)
            self._mirror_fails = True
        else:
            if self._mirror_fails:
                _log.warning("mirror-works-again")
            self._mirror_fails = False
        self._unmirrored = None
