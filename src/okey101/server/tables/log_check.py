"""Checks a whole log from outside: whether every open table replays to the same states."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from msgspec import DecodeError

from okey101.errors import OkeyError
from okey101.server.store.base import Row, Store, StoreError
from okey101.server.store.snapshots import Found, SnapshotStore
from okey101.server.tables import log_entries as log
from okey101.server.tables.match_record import SeatHistory
from okey101.server.tables.reduce import reduce
from okey101.server.tables.rows import Changes, fault_of, read_first
from okey101.server.tables.snapshots import SNAPSHOT_VERSION, TableSnapshot, decode_start
from okey101.server.tables.state import Stage, TableState, changed

# Whether the snapshots of a table hold what its rows lead to.


def all_packed(state: TableState) -> TableState:
    """The state with its finished deals in little memory: so it compares with another such one."""
    return changed(state, played=tuple(played.packed() for played in state.played))


class SnapshotCheck:
    """Compares snapshots with a replay that passes by."""

    def __init__(self, found: Found) -> None:
        """Take the snapshots of one table."""
        self.problems = [f"snapshot {seq}: {why}" for seq, why in found.refused.items()]
        """What is wrong, in English."""
        self._starts: dict[int, TableSnapshot] = {}
        for snapshot in found.snapshots:
            if snapshot.version != SNAPSHOT_VERSION:
                continue  # no load begins from it
            try:
                self._starts[snapshot.seq] = decode_start(snapshot)
            except ValueError as error:
                self.problems.append(f"snapshot {snapshot.seq}: {error}")
        self._changes = Changes()
        self._history: SeatHistory | None = None
        self._voids = self._told_at = 0
        self._before: TableState | None = None

    def take(self, entry: log.Entry, state: TableState) -> None:
        """Take a row and the state after it."""
        if self._history is None or self._before is None:
            self._history = SeatHistory(state)
        else:
            self._history.tell(self._before, state)
        self._changes.take(entry)
        if log.tells_of_loss(entry):
            self._voids, self._told_at = self._voids + 1, state.seq
        self._before = state
        start = self._starts.pop(state.seq, None)
        if start is None:
            return
        same = (
            all_packed(start.state) == all_packed(state)
            and dict(start.changes) == dict(self._changes.counted)
            and dict(start.history) == dict(self._history.seats)
            and (start.voids, start.told_at) == (self._voids, self._told_at)
        )
        if not same:
            self.problems.append(f"snapshot {state.seq}: is not what the rows lead to")


async def audit(store: Store, kept: SnapshotStore | None = None) -> tuple[list[str], int]:
    """What is wrong with the tables that are not closed, in English, and how many there are.

    Tables are replayed in a thread, one after the other, so that a running server plays on, and
    their snapshots in ``kept`` are compared with that.
    """
    problems: list[str] = []
    try:
        tables = await store.running()
    except StoreError as error:
        return [f"the open tables are unknown: {error}"], 0
    for table in tables:
        try:
            # First: those of rows that are written meanwhile would be missing from the replay.
            found = Found([], {}) if kept is None else await kept.snapshots(table)
            rows = await store.read(table)
        except StoreError as error:
            problems.append(f"{table}: {error}")
            continue
        problems += [f"{table}: {what}" for what in await asyncio.to_thread(_looked, rows, found)]
    return problems, len(tables)


async def tables_of(store: Store, user: str) -> list[str]:
    """The open tables at which a person sits, as far as they can be replayed; StoreError."""

    def sits(rows: Sequence[Row]) -> bool:
        last: list[TableState] = []

        def take(_: log.Entry, state: TableState) -> None:
            last[:] = [state]

        problem_of(rows, take)
        return any(state.place_of(user) is not None for state in last)

    return [
        table
        for table in await store.running()
        if await asyncio.to_thread(sits, await store.read(table))
    ]


def _looked(rows: Sequence[Row], found: Found) -> list[str]:
    check = SnapshotCheck(found)
    what = problem_of(rows, check.take)
    return ([] if what is None else [what]) + check.problems


def problem_of(
    rows: Sequence[Row], take: Callable[[log.Entry, TableState], None] = lambda _entry, _state: None
) -> str | None:
    """The first row of a table's log that can't be replayed, and why; None for a sound log.

    ``take`` is given every row before that one, with the state after it.
    """
    state = None
    for row in rows:
        try:
            entry = log.read_entry(row.entry)
            state = read_first(row) if state is None else reduce(state, entry, row.at_ms)
        except (OkeyError, DecodeError, ValueError, AssertionError) as error:
            return f"row {row.seq}: {type(error).__name__}"
        if (fault := fault_of(row, state)) is not None:
            return f"row {row.seq}: {fault}"
        take(entry, state)
    return None


def matches_begun(rows: Sequence[Row]) -> int:
    """How many matches began at a table, of whose rows the first are those there are."""
    kinds = (b'{"kind":"start"', b'{"kind":"rematch"')
    return sum(row.entry.startswith(kinds) and b'"secret":' in row.entry for row in rows)


def matches_in(rows: Sequence[Row]) -> list[TableState]:
    """The states in which the matches of a table were over, as far as its rows can be replayed."""
    found: list[TableState] = []
    over = False

    def take(_: log.Entry, state: TableState) -> None:
        nonlocal over
        if state.stage is Stage.OVER and not over:
            found.append(state)
        over = state.stage is Stage.OVER

    problem_of(rows, take)
    return found
