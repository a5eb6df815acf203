"""Checks a whole log from outside: whether every open table replays to the same states."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from msgspec import DecodeError

from okey101.errors import OkeyError
from okey101.game import RULES_VERSION
from okey101.server.store.base import Row, Store
from okey101.server.tables.log_entries import read_entry
from okey101.server.tables.reduce import reduce
from okey101.server.tables.state_hash import agrees
from okey101.server.tables.table_rows import read_first

__all__ = ["audit", "problem_of"]


async def audit(store: Store) -> tuple[list[str], int]:
    """What is wrong with the tables that are not closed, in English, and how many there are.

    Tables are replayed in a thread, one after the other, so that a running server plays on.
    """
    tables = await store.running()
    problems: list[str] = []
    for table in tables:
        what = await asyncio.to_thread(problem_of, await store.read(table))
        if what is not None:
            problems.append(f"{table}: {what}")
    return problems, len(tables)


def problem_of(rows: Sequence[Row]) -> str | None:
    """The first row of a table's log that can't be replayed, and why; None for a sound log."""
    state = None
    for row in rows:
        try:
            if state is None:
                state = read_first(row)
            else:
                state = reduce(state, read_entry(row.entry), row.at_ms)
        except (OkeyError, DecodeError, ValueError, AssertionError) as error:
            return f"row {row.seq}: {type(error).__name__}"
        if row.rules_version > RULES_VERSION:
            return f"row {row.seq}: newer-rules"
        if row.seq != state.seq or not agrees(state, row.state_hash):
            return f"row {row.seq}: state-differs"
    return None
