"""What is known to be missing from a log: found at a start or by a client, kept until it is seen.

The findings stand in a file beside the log, a line of JSON each. Whoever runs the server deletes
it once everything is understood: until then checks and ``/readyz`` go on telling it.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from okey101.server.files.atomic_files import append, contents
from okey101.server.ops.logs import logger, utc_ms
from okey101.server.store.erased import mend_erased
from okey101.server.store.file import OTHERS, holds, lacked, others_end, position_in, refusal
from okey101.server.store.mark import Mark, MarkFile, TableEnd, mark_path
from okey101.server.store.statements import head_in, running_in
from okey101.server.work.tasks import Tasks

Why: TypeAlias = Literal["log-truncated", "restored"]

_MOST_NAMED: Final = 100

_log = logger(__name__)


class Shortfall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rows that are gone, a log that was put there by hand, or a damaged list of erasures.

    ``ends`` has every table concerned with the row its log ends with by now, 0 for a table that is
    gone altogether; ``rows`` is how many rows of the log are missing at least.
    """

    why: Why | Literal["erasures-damaged"]
    at_ms: int
    rows: int
    ends: dict[str, int]

    def __str__(self) -> str:
        """One line for people, in English."""
        if self.why == "erasures-damaged":
            return f"{self.why}: who was erased and came back with a backup may be there again"
        tables = ", ".join(sorted(self.ends)[:20]) or "none that is known"
        rows = f"{self.why}: at least {self.rows} rows; tables concerned: {tables}"
        return f"{rows}; start the server once more, and delete log.lost when you know why"


class Loss(NamedTuple):
    """Why a table's deal is thrown away, and the row its log ended with when that was found out.

    0 for a table whose rows are all gone.
    """

    why: Why
    end: int


class Findings:
    """What is known to be missing from the log of a running server."""

    def __init__(self, log: Path, found: Iterable[Shortfall], tasks: Tasks) -> None:
        """``found`` is what was known at the start, which is told; ``tasks`` write the rest."""
        self._path = log
        self._found = list(found)
        self._tasks = tasks
        self._unwritten = 0
        """Findings whose file is not there yet: it is the file that says that nobody has looked."""
        for one in self._found:
            tables = sorted(one.ends)[:_MOST_NAMED]
            if one.why == "erasures-damaged":
                _log.error("erasures-damaged", told=str(one))
            elif one.why == "log-truncated":
                _log.error("log-truncated", rows=one.rows, tables=tables)
            else:
                _log.warning("restored", rows=one.rows, tables=tables)

    @property
    def by_table(self) -> dict[str, Loss]:
        """The last finding about each table."""
        return {
            table: Loss(found.why, end)
            for found in self._found
            if found.why != "erasures-damaged"
            for table, end in found.ends.items()
        }

    @property
    def whole(self) -> bool:
        """Whether the log lacks nothing, as far as known, that nobody has looked into yet."""
        lost = any(found.why != "restored" for found in self._found)
        return not lost or not (self._unwritten or findings_path(self._path).exists())

    def rows_lost(self, table: str, end: int, seen: int) -> None:
        """A client has seen a row that the log lacks: remember it, lest a crash hide it again."""
        if any(found.ends.get(table) == end for found in self._found):
            return
        _log.error("log-truncated", table=table, rows=max(seen - end, 1))
        found = Shortfall("log-truncated", utc_ms(), max(seen - end, 1), {table: end})
        self._found.append(found)
        self._unwritten += 1
        self._tasks.spawn(self._note(found))

    async def _note(self, found: Shortfall) -> None:
        await asyncio.to_thread(add_finding, self._path, found)
        self._unwritten -= 1


def findings_path(log: Path) -> Path:
    """Where the findings of a log are."""
    return log.with_suffix(".lost")


def findings_in(log: Path) -> list[Shortfall]:
    """What is known of a log; a line that can't be read counts as lost rows of no known table."""
    return [_read(line) for line in contents(findings_path(log)).splitlines() if line.strip()]


def _read(line: bytes) -> Shortfall:
    try:
        return msgspec.json.decode(line, type=Shortfall)
    except ValueError:  # no UTF-8 among it
        return Shortfall("log-truncated", 0, 0, {})


def add_finding(log: Path, finding: Shortfall) -> None:
    """Keep a finding, forced to the disk; OSError where that fails."""
    append(findings_path(log), msgspec.json.encode(finding) + b"\n")


def missing(conn: sqlite3.Connection, marks: Sequence[Mark], position: int) -> Shortfall | None:
    """What marks, the newest first, tell of a log whose last row is at ``position``.

    None where the log has everything that they know of its end.
    """

    def there(mark: Mark) -> bool:
        return mark.position <= position and all(holds(conn, end) for end in mark.ends or ())

    if not marks or there(marks[0]):
        return None
    known = {end.table for end in lacked(conn, marks)} - {OTHERS}
    last = next((mark for mark in marks if mark.ends is None or there(mark)), None)
    if last is None or not there(last):  # more tables are concerned than the marks name
        known.update(running_in(conn))
    gone = max(marks[0].position - position, 1)
    return Shortfall("log-truncated", utc_ms(), gone, _ends(conn, known))


def unmarked(conn: sqlite3.Connection) -> Shortfall:
    """A log without its mark: put there by hand, so nobody knows what followed its end."""
    return Shortfall("restored", utc_ms(), 0, _ends(conn, running_in(conn)))


def _ends(conn: sqlite3.Connection, tables: Iterable[str]) -> dict[str, int]:
    return {table: head_in(conn, table).seq for table in tables}


class LogMark:
    """The mark of one log, written after each commit and before anybody hears of it; for its
    thread.
    """

    def __init__(self, log: Path) -> None:
        self.findings: list[Shortfall] = []
        """What was known to be missing when the log was opened."""
        self._path = log
        self._marks: MarkFile | None = None
        self._due: tuple[int, list[TableEnd]] | None = None
        """What is committed and not yet marked."""

    def open(self, conn: sqlite3.Connection) -> None:
        """Compare the mark with the log's end, once; what it knows and the log lacks is kept.

        OkeyError ``store-in-use`` and ``store-unwritable``.
        """
        if self._marks is not None:
            return
        path = mark_path(self._path)
        try:
            marks = MarkFile(path)
            position = position_in(conn)
            found = missing(conn, marks.history, position)
            if not marks.history and (position or others_end(conn).seq):
                found = unmarked(conn)
            if found is not None:
                add_finding(self._path, found)  # before the mark says that all is as it should be
                marks.write(position, [])
            damaged = Shortfall("erasures-damaged", utc_ms(), 0, {})
            mend_erased(self._path, lambda: add_finding(self._path, damaged))
            self.findings += findings_in(self._path)
        except BlockingIOError:
            raise refusal("store-in-use", path, "is in use by another server") from None
        except OSError as error:
            raise refusal("store-unwritable", path, f"can't be written: {error}") from None
        self._marks = marks

    def close(self) -> None:
        """Let go of the file."""
        if self._marks is not None:
            self._marks.close()

    def committed(self, position: int, ends: list[TableEnd]) -> None:
        """Mark what has been committed; OSError where that fails."""
        self._due = position, ends
        self.catch_up()

    def catch_up(self) -> None:
        """Mark what is committed and not marked yet; OSError where that fails."""
        if self._due is not None:
            assert self._marks is not None
            self._marks.write(*self._due)
            self._due = None
