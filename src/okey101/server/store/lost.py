"""What is known to be missing from a log: found at a start or by a client, kept until it is seen.

The findings stand in a file beside the log, a line of JSON each. Whoever runs the server deletes
it once everything is understood: until then checks and ``/readyz`` go on telling it.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec

from okey101.server.atomic_files import sync_folder
from okey101.server.clock import utc_ms
from okey101.server.store.archived import ARCHIVINGS, holds
from okey101.server.store.mark import Mark

__all__ = ["Shortfall", "Why", "add_finding", "findings_in", "findings_path", "missing", "unmarked"]

Why: TypeAlias = Literal["log-truncated", "restored"]

_END: Final = "SELECT seq FROM log WHERE table_id = ? ORDER BY seq DESC LIMIT 1"
_ENDS: Final = (
    "SELECT table_id, (SELECT max(seq) FROM log AS e WHERE e.table_id = l.table_id) "
    "FROM log AS l INDEXED BY log_first WHERE seq = 1 AND NOT EXISTS "
    "(SELECT 1 FROM log AS m INDEXED BY log_last WHERE m.table_id = l.table_id AND m.last = 1)"
)
"""By the indexes of first and last rows alone: the log itself may be long."""


class Shortfall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rows that are gone, or a log that was put there by hand.

    ``ends`` has every table concerned with the row its log ends with by now, 0 for a table that is
    gone altogether; ``rows`` is how many rows of the log are missing at least.
    """

    why: Why
    at_ms: int
    rows: int
    ends: dict[str, int]

    def __str__(self) -> str:
        """One line for people, in English."""
        tables = ", ".join(sorted(self.ends)[:20]) or "none that is known"
        return f"{self.why}: at least {self.rows} rows; tables concerned: {tables}"


def findings_path(log: Path) -> Path:
    """Where the findings of a log are."""
    return log.with_suffix(".lost")


def findings_in(log: Path) -> list[Shortfall]:
    """What is known of a log; a line that can't be read counts as lost rows of no known table."""
    try:
        lines = findings_path(log).read_bytes().splitlines()
    except FileNotFoundError:
        return []
    return [_read(line) for line in lines if line.strip()]


def _read(line: bytes) -> Shortfall:
    try:
        return msgspec.json.decode(line, type=Shortfall)
    except msgspec.DecodeError:
        return Shortfall("log-truncated", 0, 0, {})


def add_finding(log: Path, finding: Shortfall) -> None:
    """Keep a finding, forced to the disk; OSError where that fails."""
    path = findings_path(log)
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(file, msgspec.json.encode(finding) + b"\n")
        os.fsync(file)
    finally:
        os.close(file)
    sync_folder(path.parent)


def missing(conn: sqlite3.Connection, marks: Sequence[Mark], position: int) -> Shortfall | None:
    """What marks, the newest first, tell of a log whose last row is at ``position``.

    None where the log has everything that they know of its end.
    """
    if not marks:
        return None
    newest = marks[0]
    gone = max(newest.position - position, 0)
    if not gone and _all_there(conn, newest):
        return None
    known: set[str] = set()
    whole = False
    for mark in marks:
        if mark.position <= position and _all_there(conn, mark):
            whole = True
            break
        if mark.ends is None:
            break
        for end in mark.ends:
            if end.table != ARCHIVINGS and not holds(conn, end):
                known.add(end.table)
    ends = {table: _end(conn, table) for table in known} if whole else _running(conn, known)
    return Shortfall("log-truncated", utc_ms(), max(gone, 1), ends)


def unmarked(conn: sqlite3.Connection) -> Shortfall:
    """A log without its mark: put there by hand, so nobody knows what followed its end."""
    return Shortfall("restored", utc_ms(), 0, _running(conn, ()))


def _running(conn: sqlite3.Connection, known: Iterable[str]) -> dict[str, int]:
    return dict.fromkeys(known, 0) | dict(conn.execute(_ENDS).fetchall())


def _end(conn: sqlite3.Connection, table: str) -> int:
    found = conn.execute(_END, (table,)).fetchone()
    return int(found[0]) if found else 0


def _all_there(conn: sqlite3.Connection, mark: Mark) -> bool:
    return all(holds(conn, end) for end in mark.ends or ())
