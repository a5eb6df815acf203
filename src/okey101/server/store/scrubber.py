"""Everything in the server's file looked at: a copy at once, or in small steps while rows come."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Any, Final

from okey101.server.ops.logs import logger
from okey101.server.store.archive import archive_problem
from okey101.server.store.base import START, Row, StoreError, link_of
from okey101.server.store.file import COLUMNS, OTHERS, holds
from okey101.server.store.mark import Mark
from okey101.server.store.sealed import know_seals, look_at_seals, sealed_in

_ROWS: Final = 100
_KEPT: Final = 4_096
_MOST: Final = 100
_CHAINED: Final = ("log", "archive")
_UNTIL: Final = "SELECT coalesce(max(rowid), 0) FROM {}"
_SOME: Final = (
    f"SELECT rowid, {COLUMNS}, (SELECT count(*) FROM {{0}} AS m "
    "WHERE m.table_id = l.table_id AND m.seq = l.seq) "
    "FROM {0} AS l WHERE rowid > ? AND rowid <= ? ORDER BY rowid LIMIT ?"
)
_NOWHERE: Final = f"SELECT * FROM pragma_foreign_key_check LIMIT {_MOST}"
_BEFORE: Final = (
    "SELECT seq, chain, last FROM log WHERE table_id = ?1 AND seq = ?2 UNION ALL "
    "SELECT seq, chain, last FROM archive WHERE table_id = ?1 AND seq = ?2"
)


def problems_of(copy: Path, marks: Sequence[Mark] = ()) -> list[str]:
    """What is wrong with a finished copy of a log, in English: damage, missing and late rows, rows
    that don't continue the chain of their table, and what ``marks`` know of and the log lacks.

    Reads the file as one that nobody changes; never pass a log in use. The first 100 problems.
    """
    uri = f"{copy.absolute().as_uri()}?immutable=1"
    walk = LogScan()
    try:
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as conn:
            know_seals(conn)
            checked = conn.execute(f"PRAGMA integrity_check({_MOST})").fetchall()
            found = [str(line) for (line,) in checked if line != "ok"]
            while not walk.over:
                walk.step(conn)
            found += walk.problems
            found += [f"{t}: row {n} points nowhere" for t, n, *_ in conn.execute(_NOWHERE)]
            found += islice(_unmatched(conn, marks), _MOST)
            found += filter(None, [archive_problem(conn)])
    except sqlite3.DatabaseError as error:
        return [str(error)]
    return found[:_MOST]


def _unmatched(conn: sqlite3.Connection, marks: Sequence[Mark]) -> Iterator[str]:
    """What was marked and isn't there, or is otherwise; one line for a table."""
    looked: set[str] = set()
    for mark in marks:
        for end in mark.ends or ():
            if end.table in looked:
                continue
            looked.add(end.table)
            if holds(conn, end):
                continue
            if end.table == OTHERS:
                yield f"log-truncated: change {end.seq} beside the tables was stored and is gone"
            else:
                yield f"table {end.table}: log-truncated: row {end.seq} was stored and is gone"


class LogScan:
    """What was found so far; each :meth:`step` runs on the thread of the log's connection."""

    def __init__(self, rows_a_step: int = _ROWS) -> None:
        self.rows = 0
        """How many rows were looked at."""
        self.problems: list[str] = []
        """What is wrong, in English: the first 100."""
        self.damaged = False
        """Whether rows can't be read, or no replay would show that they are not what they were."""
        self.over = False
        self._a_step = rows_a_step
        # The archive last: rows that go there meanwhile were in the log at the beginning.
        self._left = ["log", "archive"]
        self._begun = False
        self._at = 0
        self._until: int | None = None
        self._ends: dict[str, tuple[int, bytes, bool]] = {}
        self._told: set[str] = set()

    def step(self, conn: sqlite3.Connection) -> None:
        """Look at the next rows."""
        try:
            self._step(conn)
        except (sqlite3.Error, TypeError, ValueError, AttributeError) as error:
            self.problems.append(f"a row can't be read: {error}")  # or holds what no row does
            self.damaged = self.over = True

    def _step(self, conn: sqlite3.Connection) -> None:
        if not self._begun:
            self._left += sealed_in(conn)
            self._begun = True
        source = self._left[0]
        if source not in _CHAINED:
            self._next(self._look_at_seals(conn, source))
            return
        if self._until is None:
            self._until = int(conn.execute(_UNTIL.format(source)).fetchone()[0])
        some = _SOME.format(source)
        found = conn.execute(some, (self._at, self._until, self._a_step)).fetchall()
        for rowid, *values, chain, listed in found:
            row = Row._make((*values[:6], bool(values[6])))
            if not listed:
                self.damaged = True
                self._tell(row, "is not in the index")
            self._look(conn, row, chain)
            self._at = rowid
        self._next(len(found))

    def _next(self, looked: int) -> None:
        self.rows += looked
        if looked < self._a_step:
            self._left.pop(0)
            self._at, self._until = 0, None
            self.over = not self._left

    def _look_at_seals(self, conn: sqlite3.Connection, table: str) -> int:
        found = conn.execute(look_at_seals(conn, table), (self._at, self._a_step)).fetchall()
        for rowid, sound in found:
            self._at = rowid
            if not sound:
                self.damaged = True
                if len(self.problems) < _MOST:
                    self.problems.append(f"{table}: row {rowid} is not what was written")
        return len(found)

    def _look(self, conn: sqlite3.Connection, row: Row, chain: bytes) -> None:
        before = self._ends.get(row.table)
        if before is None or before[0] != row.seq - 1:
            before = self._looked_up(conn, row)
        if row.last and not row.entry:
            pass  # what is left of a table that was deleted
        elif before is None:
            self._tell(row, f"follows no row {row.seq - 1}")
        else:
            _, link, closed = before
            if closed:
                self._tell(row, "follows the row that closed the table")
            elif link_of(link, row) != chain:
                self._tell(row, "does not follow the one before (chain)")
        if len(self._ends) >= _KEPT:
            self._ends.clear()
        self._ends[row.table] = row.seq, chain, row.last

    def _looked_up(self, conn: sqlite3.Connection, row: Row) -> tuple[int, bytes, bool] | None:
        if row.seq == 1:
            return 0, START, False
        found: tuple[Any, ...] | None = conn.execute(_BEFORE, (row.table, row.seq - 1)).fetchone()
        return None if found is None else (found[0], found[1], bool(found[2]))

    def _tell(self, row: Row, what: str) -> None:
        """One problem for a table: what follows it is wrong as well."""
        if row.table not in self._told and len(self.problems) < _MOST:
            self._told.add(row.table)
            self.problems.append(f"table {row.table}: row {row.seq} {what}")


# The look through a whole file that follows a start, slowly: nobody who plays should feel it.


_LEAST_PAUSE_S: Final = 0.02
_SHARE: Final = 9
"""How many times as long as a step the pause after it is."""
_MOST_TOLD: Final = 20

_log: Final = logger(__name__)


class Scrubber:
    """Looks at all rows once; what is wrong is told in the log, by figures and, for a damaged file,
    by ``/readyz``. A row of the log that is not what it was stops its table alone, when that is
    replayed.
    """

    def __init__(
        self,
        step: Callable[[LogScan], Awaitable[None]],
        tell: Callable[[int, int], None],
        least_pause_s: float = _LEAST_PAUSE_S,
    ) -> None:
        """``tell`` hears of the rows looked at, -1 in a damaged file, and of the problems found."""
        self._walk = LogScan()
        self._step = step
        self._tell = tell
        self._pause = least_pause_s

    @property
    def sound(self) -> bool:
        """Whether the file can be read, as far as known."""
        return not self._walk.damaged

    async def run(self) -> None:
        """Look at all; returns at the end of the file, or of what reads it."""
        walk, started = self._walk, monotonic()
        while not walk.over:
            begun = monotonic()
            try:
                await self._step(walk)
            except StoreError:
                return
            self._tell(-1 if walk.damaged else walk.rows, len(walk.problems))
            await asyncio.sleep(max((monotonic() - begun) * _SHARE, self._pause))
        told = {"rows": walk.rows, "seconds": round(monotonic() - started, 3)}
        if walk.problems:
            _log.error("log-unsound", **told, problems=walk.problems[:_MOST_TOLD])
        else:
            _log.info("log-sound", **told)
