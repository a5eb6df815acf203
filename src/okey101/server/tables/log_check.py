"""Checks a whole log from outside: whether every open table replays to the same states."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence

from okey101.server.store.base import Row, StoreError
from okey101.server.store.snapshots import Found
from okey101.server.store.statements import Store
from okey101.server.tables import log_entries as log
from okey101.server.tables.rows import LeftBehind, followed
from okey101.server.tables.snapshots import SNAPSHOT_VERSION, TableSnapshot, decode_start
from okey101.server.tables.state import Stage, TableState


async def audit(store: Store) -> tuple[list[str], int]:
    """What is wrong with the tables that are not closed, in English, and how many there are.

    Tables are replayed in a thread, one after the other, so that a running server plays on, and
    their snapshots are compared with that.
    """
    problems: list[str] = []
    try:
        tables = await store.running()
    except StoreError as error:
        return [f"the open tables are unknown: {error}"], 0
    for table in tables:
        try:
            # First: those of rows that are written meanwhile would be missing from the replay.
            found = await store.snapshots(table)
            rows = await store.read(table)
        except StoreError as error:
            problems.append(f"{table}: {error}")
            continue
        problems += [f"{table}: {what}" for what in await asyncio.to_thread(_looked, rows, found)]
    return problems, len(tables)


async def tables_of(store: Store, user: str) -> list[str]:
    """The open tables at which a person sits, as far as they can be replayed; StoreError."""

    def sits(rows: Sequence[Row]) -> bool:
        last = deque(_replayed(rows, []), maxlen=1)
        return any(state.place_of(user) is not None for _, state in last)

    return [
        table
        for table in await store.running()
        if await asyncio.to_thread(sits, await store.read(table))
    ]


def _looked(rows: Sequence[Row], found: Found) -> list[str]:
    """What is wrong with the rows of a table, and with its snapshots, in English."""
    wrong = [f"snapshot {seq}: {why}" for seq, why in found.refused.items()]
    starts: dict[int, TableSnapshot] = {}
    for snapshot in found.snapshots:
        if snapshot.version == SNAPSHOT_VERSION:  # no load begins from another
            try:
                starts[snapshot.seq] = decode_start(snapshot)
            except ValueError as error:
                wrong.append(f"snapshot {snapshot.seq}: {error}")
    problems, left, before = list[str](), LeftBehind(), None
    for entry, state in _replayed(rows, problems):
        left.take(before or state, state, entry)
        before = state
        start = starts.get(state.seq)
        if start is not None and (start.state, start.left) != (state, left):
            wrong.append(f"snapshot {state.seq}: is not what the rows lead to")
    return problems + wrong


def _replayed(rows: Sequence[Row], problems: list[str]) -> Iterator[tuple[log.Entry, TableState]]:
    """The rows of a table's log, each with the state after it, up to one that can't be replayed.

    Why that one can't be is added to the ``problems``.
    """
    state = None
    for row in rows:
        found = followed(state, row)
        if isinstance(found, str):
            problems.append(f"row {row.seq}: {found}")
            return
        _, state = found
        yield found


def matches_begun(rows: Sequence[Row]) -> int:
    """How many matches began at a table, of whose rows the first are those there are."""
    kinds = (b'{"kind":"start"', b'{"kind":"rematch"')
    return sum(row.entry.startswith(kinds) and b'"secret":' in row.entry for row in rows)


def matches_in(rows: Sequence[Row]) -> list[TableState]:
    """The states in which the matches of a table were over.

    The last one is not over where its rows can't be replayed to the end, and some deals of it can.
    """
    found, problems = list[TableState](), list[str]()
    over, state = False, None
    for _, state in _replayed(rows, problems):
        if state.stage is Stage.OVER and not over:
            found.append(state)
        over = state.stage is Stage.OVER
    if problems and state is not None and state.played and not over:
        found.append(state)
    return found
