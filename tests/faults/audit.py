"""The log of a server that is down, played through, against what clients were told."""

import asyncio
import contextlib
import json
import shutil
import sqlite3
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any, Final, NamedTuple

from conftest import aside
from game.random_play import check_state
from okey101.errors import OkeyError
from okey101.server.protocol.views import Called
from okey101.server.store import Row
from okey101.server.store.postgres import Database
from okey101.server.tables import log_entries as log, serialise
from okey101.server.tables.reduce import reduce
from okey101.server.tables.rows import read_first, state_hash
from okey101.server.tables.state import Stage, TableState
from server.model import Model

_ROW: Final = "table_id, seq, at_ms, entry, rules_version, state_hash, last"


class Mark(NamedTuple):
    """What tells one command from all others."""

    table: str
    user: str
    rid: str


class Seen(NamedTuple):
    """What somebody at a table knows; ``user`` is None for a spectator."""

    who: str
    table: str
    user: str | None
    model: Model


@contextlib.contextmanager
def copied(data: Path) -> Iterator[sqlite3.Connection]:
    """A copy of the log in a server's folder, opened as the next server would open it."""
    with tempfile.TemporaryDirectory(prefix="okey101-log-") as folder:
        for name in ("log.sqlite", "log.sqlite-wal", "log.sqlite-journal"):
            if (data / name).exists():
                shutil.copy(data / name, folder)
        with contextlib.closing(sqlite3.connect(Path(folder) / "log.sqlite")) as conn:
            yield conn


def copy_database(url: str, data: Path) -> None:
    """Have the rows of a PostgreSQL database in a folder's file, as :func:`put_rows` does."""
    put_rows(data, *aside(asyncio.run, _rows_of(url)))


def put_rows(
    data: Path, log: Sequence[tuple[Any, ...]], archive: Sequence[tuple[Any, ...]] = ()
) -> None:
    """Have rows in a folder's file, each after those before it.

    A file that is there goes on from where it was.
    """
    with contextlib.closing(sqlite3.connect(data / "log.sqlite")) as conn, conn:
        columns = _ROW.replace(",", " NOT NULL,")
        for name in ("log", "archive"):
            conn.execute(
                f"CREATE TABLE IF NOT EXISTS {name} (place INTEGER PRIMARY KEY AUTOINCREMENT, "
                f"{columns}, UNIQUE (table_id, seq))"
            )
        there = {(row[0], row[1]) for row in log}
        for table, seq in conn.execute("SELECT table_id, seq FROM log").fetchall():
            if (table, seq) not in there:
                conn.execute("DELETE FROM log WHERE table_id = ? AND seq = ?", (table, seq))
        for name, rows in (("log", log), ("archive", archive)):
            conn.executemany(f"INSERT OR IGNORE INTO {name} ({_ROW}) VALUES (?,?,?,?,?,?,?)", rows)


async def _rows_of(url: str) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    database = Database(url)
    conn = await database.connect()
    try:
        found = [
            await conn.fetch(f"SELECT {_ROW} FROM {name} ORDER BY table_id, seq")
            for name in ("log", "archive")
        ]
    finally:
        await conn.close()
        database.close()
    log, archive = ([tuple(row) for row in rows] for rows in found)
    return log, archive


class Audit:
    """Reads on where it stopped; everything that does not fit is a line of ``problems``."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.problems: list[str] = []
        self.states: dict[str, TableState] = {}
        """The last state of each table that is not closed."""
        self.closed: dict[str, int] = {}
        self.marks: dict[Mark, int] = {}
        self.matches: dict[str, tuple[int, ...]] = {}
        """The totals of each finished match."""
        self.kinds: Counter[str] = Counter()
        self.compared = 0
        """How often what a client knew was compared with the log."""
        self._names = names
        self._last = 0

    @property
    def rows(self) -> int:
        return sum(self.kinds.values())

    def seq_of(self, table: str) -> int:
        state = self.states.get(table)
        return self.closed.get(table, 0) if state is None else state.seq

    # Reading ----------------------------------------------------------------------------------

    def read(self, data: Path, seen: Iterable[Seen] = (), *, whole: bool = False) -> None:
        """Take the rows that are new, and compare what clients know at their seq."""
        wanted: defaultdict[tuple[str, int], list[Seen]] = defaultdict(list)
        for one in seen:
            wanted[one.table, one.model.seq].append(one)
        with copied(data) as conn:
            archived, count = self._counted(conn)
            for table in {table for table, _ in wanted}:
                self._compare(self.states.get(table), wanted)
            for table in archived:  # what left the log since it was read
                if table not in self.closed:
                    sql = " UNION ALL ".join(
                        f"SELECT {_ROW} FROM {where} WHERE table_id = ?1 AND seq > ?2"
                        for where in ("archive", "log")
                    )
                    ended = conn.execute(f"{sql} ORDER BY seq", (table, self.seq_of(table)))
                    self._rows(ended, wanted)
            sql = f"SELECT {_ROW}, rowid FROM log WHERE rowid > ? AND table_id <> '' ORDER BY rowid"
            found = conn.execute(sql, (self._last,)).fetchall()
            self._last = max([self._last, *(values[-1] for values in found)])
            self._rows((values for values in found if values[0] not in archived), wanted)
            if whole:
                for (line,) in conn.execute("PRAGMA integrity_check"):
                    if line != "ok":
                        self.problems.append(f"the file: {line}")
        if count != self.rows:
            self.problems.append(f"{count} rows in the log, of {self.rows} that were there")
        for one in (one for some in wanted.values() for one in some):
            if one.model.seq > self.seq_of(one.table):
                at = f"{one.model.seq}, and the log ends at {self.seq_of(one.table)}"
                self.problems.append(f"{one.who} was told of row {at}: lost")

    @staticmethod
    def _counted(conn: sqlite3.Connection) -> tuple[set[str], int]:
        """The tables that are in the archive, in part at least, and how many rows there are."""
        here = "SELECT count(*) FROM log WHERE table_id <> ''"  # others are digests of snapshots
        (count,) = conn.execute(f"SELECT ({here}) + (SELECT count(*) FROM archive)").fetchone()
        return {name for (name,) in conn.execute("SELECT DISTINCT table_id FROM archive")}, count

    def _rows(
        self, found: Iterable[Sequence[Any]], wanted: Mapping[tuple[str, int], list[Seen]]
    ) -> None:
        for values in found:
            row = Row._make((*values[:6], bool(values[6])))
            self._compare(self._row(row), wanted)

    def _row(self, row: Row) -> TableState | None:
        """The state after a row; None where it can't follow."""
        where = f"row {row.seq} of {row.table}"
        before = self.states.get(row.table)
        if row.seq != self.seq_of(row.table) + 1 or row.table in self.closed:
            self.problems.append(f"{where} follows row {self.seq_of(row.table)}")
            return None
        entry = log.read_entry(row.entry)
        self.kinds[str(entry.__struct_config__.tag)] += 1
        try:
            state = read_first(row) if before is None else reduce(before, entry, row.at_ms)
        except (OkeyError, ValueError) as error:
            self.problems.append(f"{where} can't follow row {row.seq - 1}: {error}")
            return None
        if state_hash(state) != row.state_hash:
            self.problems.append(f"{where}: the state differs")
        if state.deal is not None:
            try:
                check_state(state.deal)
            except AssertionError as error:
                self.problems.append(f"{where}: tiles are not conserved: {error}")
        self._mark(row, entry)
        if state.stage is Stage.OVER and before is not None and before.stage is not Stage.OVER:
            self.matches[f"{row.table}-{state.match}"] = state.totals
        if row.last:
            self.closed[row.table] = row.seq
            self.states.pop(row.table, None)
        else:
            self.states[row.table] = state
        return state

    def _mark(self, row: Row, entry: log.Entry) -> None:
        user, rid = getattr(entry, "user", None), getattr(entry, "rid", None)
        if user is None or rid is None:
            return
        mark = Mark(row.table, user, rid)
        if mark in self.marks:
            self.problems.append(f"{mark} is in rows {self.marks[mark]} and {row.seq}")
        self.marks[mark] = row.seq

    # Comparing --------------------------------------------------------------------------------

    def _compare(
        self, state: TableState | None, wanted: Mapping[tuple[str, int], list[Seen]]
    ) -> None:
        if state is None:
            return
        for one in wanted.get((state.table, state.seq), ()):
            self.compared += 1
            fresh = Model()
            fresh.take(json.loads(serialise.encode(self._view(state, one.user))))
            if not one.model.same(fresh):
                other = difference(one.model, fresh)
                self.problems.append(f"{one.who} knows another row {state.seq}: {other}")

    def _view(self, state: TableState, user: str | None) -> dict[str, object]:
        return {
            "type": "view",
            "seq": state.seq,
            "at": state.at_ms,
            "table": serialise.table_view(state, lambda user: Called(self._names.get(user))),
            "deal": serialise.deal_view(state),
            "you": serialise.you(state, state.seat_of(user)),
            "here": [],
        }

    def check(
        self, acknowledged: Mapping[Mark, int], refused: Mapping[Mark, str], closed: Iterable[str]
    ) -> None:
        """Every acknowledgement is true, and nothing that was refused is in the log."""
        for mark, seq in acknowledged.items():
            stored = self.marks.get(mark)
            if stored is None:
                self.problems.append(f"{mark} was acknowledged as row {seq}: lost")
            elif stored != seq:
                self.problems.append(f"{mark} was acknowledged as row {seq}, and is row {stored}")
        for mark, code in refused.items():
            if mark in self.marks:
                self.problems.append(f"{mark} was refused ({code}), and is in the log")
        for table in closed:
            if table not in self.closed:
                self.problems.append(f"{table} was closed: lost")


def difference(known: Model, true: Model) -> str:
    parts = [f"seq {known.seq}, not {true.seq}"] if known.seq != true.seq else []
    for name in ("table", "deal", "you"):
        one, other = getattr(known, name) or {}, getattr(true, name) or {}
        for key in sorted({*one, *other} - {"options"}):
            mine, others = one.get(key), other.get(key)
            if mine == others:
                continue
            if isinstance(mine, list) and isinstance(others, list):  # from where on
                pairs = zip(mine, others, strict=False)
                same = sum(1 for _ in takewhile(lambda two: two[0] == two[1], pairs))
                mine, others = mine[same:], others[same:]
            parts.append(f"{name}.{key} {mine}, not {others}")
    return "; ".join(parts)
