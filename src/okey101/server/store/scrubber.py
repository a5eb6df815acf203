"""Everything in the server's file looked at: a copy at once, or in small steps while rows come."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import Final

from okey101.server.ops.logs import logger
from okey101.server.store.archive import archive_problem
from okey101.server.store.base import Head, Row, StoreError, link_of
from okey101.server.store.file import OTHERS, head_at, lacked, position_in
from okey101.server.store.mark import Mark, TableEnd
from okey101.server.store.sealed import know_seals, look_at_seals, sealed_in
from okey101.server.store.statements import COLUMNS

_LEAST_PAUSE_S: Final = 0.02
_SHARE: Final = 9
"""How many times as long as a step the pause after it is."""
_MOST_TOLD: Final = 20
_ROWS: Final = 100
_KEPT: Final = 4_096
_MOST: Final = 100
_SOME: Final = (
    f"SELECT rowid, {COLUMNS}, (SELECT count(*) FROM {{0}} AS m "
    "WHERE m.table_id = l.table_id AND m.seq = l.seq) "
    "FROM {0} AS l WHERE rowid > ? AND rowid <= ? ORDER BY rowid LIMIT ?"
)
_NOWHERE: Final = f"SELECT * FROM pragma_foreign_key_check LIMIT {_MOST}"

_log: Final = logger(__name__)


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
            found += map(_gone, lacked(conn, marks))
            found += filter(None, [archive_problem(conn)])
    except sqlite3.DatabaseError as error:
        return [str(error)]
    return found[:_MOST]


def _gone(end: TableEnd) -> str:
    if end.table == OTHERS:
        return f"log-truncated: change {end.seq} beside the tables was stored and is gone"
    return f"table {end.table}: log-truncated: row {end.seq} was stored and is gone"


def _after(before: int, number: int) -> int:
    """The number of the row that comes next; ValueError where it is none.

    A damaged file may lead from a row to one before it, again and again.
    """
    if number <= before:
        raise ValueError(f"row {number} comes after row {before}")
    return number


class LogScan:
    """What was found so far; each :meth:`step` runs on the thread of the log's connection.

    What is wrong is told in the log, by figures and, for a damaged file, by ``/readyz``. A row of
    the log that is not what it was stops its table alone, when that is replayed.
    """

    def __init__(self, rows_a_step: int = _ROWS) -> None:
        self.rows = 0
        """How many rows were looked at."""
        self.problems: list[str] = []
        """What is wrong, in English: the first 100."""
        self.damaged = False
        """Whether rows can't be read, or no replay would show that they are not what they were."""
        self.over = False
        self._a_step = rows_a_step
        self._steps = self._walked()
        self._ends: dict[str, Head] = {}
        self._told: set[str] = set()

    def step(self, conn: sqlite3.Connection) -> None:
        """Look at the next rows."""
        self._conn = conn
        try:
            looked = next(self._steps, None)
            self.over = looked is None
            self.rows += looked or 0
        except (sqlite3.Error, TypeError, ValueError, AttributeError) as error:
            self.problems.append(f"a row can't be read: {error}")  # or holds what no row does
            self.damaged = self.over = True

    def _walked(self) -> Iterator[int]:
        """Look at some rows, and tell how many, again and again."""
        # The archive last: rows that go there meanwhile were in the log at the beginning.
        for table in ("log", "archive"):
            some, at, until = _SOME.format(table), 0, position_in(self._conn, table)
            while found := self._conn.execute(some, (at, until, self._a_step)).fetchall():
                for number, *values, chain, listed in found:
                    at = _after(at, number)
                    row = Row._make((*values[:6], bool(values[6])))
                    if not listed:
                        self.damaged = True
                        self._tell(row, "is not in the index")
                    self._look(row, chain)
                yield len(found)
        for table, columns in sealed_in(self._conn).items():
            some, at = look_at_seals(self._conn, table, columns), 0
            while found := self._conn.execute(some, (at, self._a_step)).fetchall():
                for number, sound in found:
                    at = _after(at, number)
                    if not sound:
                        self.damaged = True
                        self.problems.append(f"{table}: row {at} is not what was written")
                del self.problems[_MOST:]
                yield len(found)

    def _look(self, row: Row, chain: bytes) -> None:
        before: Head | None = self._ends.get(row.table, Head())
        if before and before.seq != row.seq - 1:
            before = head_at(self._conn, row.table, row.seq - 1)
        if row.last and not row.entry:
            pass  # what is left of a table that was deleted
        elif before is None:
            self._tell(row, f"follows no row {row.seq - 1}")
        elif before.closed:
            self._tell(row, "follows the row that closed the table")
        elif link_of(before.link, row) != chain:
            self._tell(row, "does not follow the one before (chain)")
        if len(self._ends) >= _KEPT:
            self._ends.clear()
        self._ends[row.table] = Head(row.seq, row.last, chain)

    def _tell(self, row: Row, what: str) -> None:
        """One problem for a table: what follows it is wrong as well."""
        if row.table not in self._told and len(self.problems) < _MOST:
            self._told.add(row.table)
            self.problems.append(f"table {row.table}: row {row.seq} {what}")

    async def run(
        self,
        look: Callable[[LogScan], Awaitable[None]],
        tell: Callable[[int, int], None],
        least_pause_s: float = _LEAST_PAUSE_S,
    ) -> None:
        """Look at all, slowly: nobody who plays should feel it; once the store stops, at no more.

        ``tell`` hears of the rows looked at, -1 in a damaged file, and of the problems found.
        """
        started = monotonic()
        while not self.over:
            begun = monotonic()
            try:
                await look(self)
            except StoreError:
                return
            tell(-1 if self.damaged else self.rows, len(self.problems))
            await asyncio.sleep(max((monotonic() - begun) * _SHARE, least_pause_s))
        told = {"rows": self.rows, "seconds": round(monotonic() - started, 3)}
        if self.problems:
            _log.error("log-unsound", **told, problems=self.problems[:_MOST_TOLD])
        else:
            _log.info("log-sound", **told)
