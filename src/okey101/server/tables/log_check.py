"""Checks a whole log from outside: whether every open table replays to the same states."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from msgspec import DecodeError

from okey101.errors import OkeyError
from okey101.game import RULES_VERSION
from okey101.server.store.base import Row, Store
from okey101.server.store.snapshots import Found, SnapshotStore
from okey101.server.tables.log_entries import Entry, read_entry
from okey101.server.tables.reduce import reduce
from okey101.server.tables.snapshot_check import SnapshotCheck
from okey101.server.tables.state import TableState
from okey101.server.tables.state_hash import agrees
from okey101.server.tables.table_rows import read_first

__all__ = ["audit", "problem_of"]


async def audit(store: Store, kept: SnapshotStore | None = None) -> tuple[list[str], int]:
    """What is wrong with the tables that are not closed, in English, and how many there are.

    Tables are replayed in a thread, one after the other, so that a running server plays on, and
    their snapshots in ``kept`` are compared with that.
    """
    tables = await store.running()
    problems: list[str] = []
    for table in tables:
        # First: those of rows that are written meanwhile would be missing from the replay.
        found = Found([], {}) if kept is None else await kept.snapshots(table)
        rows = await store.read(table)
        problems += [f"{table}: {what}" for what in await asyncio.to_thread(_looked, rows, found)]
    return problems, len(tables)


def _looked(rows: Sequence[Row], found: Found) -> list[str]:
    check = SnapshotCheck(found)
    what = problem_of(rows, check.take)
    return ([] if what is None else [what]) + check.problems


def _unheard(_entry: Entry, _state: TableState) -> None:
    return None


def problem_of(
    rows: Sequence[Row], take: Callable[[Entry, TableState], None] = _unheard
) -> str | None:
    """The first row of a table's log that can't be replayed, and why; None for a sound log.

    ``take`` is given every row before that one, with the state after it.
    """
    state = None
    for row in rows:
        try:
            entry = read_entry(row.entry)
            state = read_first(row) if state is None else reduce(state, entry, row.at_ms)
        except (OkeyError, DecodeError, ValueError, AssertionError) as error:
            return f"row {row.seq}: {type(error).__name__}"
        if row.rules_version > RULES_VERSION:
            return f"row {row.seq}: newer-rules"
        if row.seq != state.seq or not agrees(state, row.state_hash):
            return f"row {row.seq}: state-differs"
        take(entry, state)
    return None
