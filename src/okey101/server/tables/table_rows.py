"""The rows of a table's log: how they are made, and what the first of them says."""

from __future__ import annotations

from okey101.game.record import RULES_VERSION
from okey101.server.store.base import Row
from okey101.server.tables import log_entries as log
from okey101.server.tables.reduce import create
from okey101.server.tables.state import Stage, TableState
from okey101.server.tables.state_hash import (
    STATE_VERSION,
    SteadyTexts,
    agrees,
    state_hash,
    version_of,
)

__all__ = ["closing_row", "fault_of", "read_first", "row_of"]


def read_first(row: Row) -> TableState:
    """The state after the first row of a log; ValueError for one that is no first row."""
    entry = log.read_entry(row.entry)
    if not isinstance(entry, log.Created):
        raise ValueError("the first row creates the table")
    return create(row.table, entry, row.at_ms, row.rules_version)


def fault_of(row: Row, state: TableState, texts: SteadyTexts | None = None) -> str | None:
    """Why a state is not the one that a row led to, or can't be known to be; None where it is.

    ``texts`` has what is hashed of a table and seldom changes, for those who ask row after row.
    """
    if row.rules_version > RULES_VERSION:
        return "newer-rules"
    if version_of(row.state_hash) is None:
        return "newer-state"
    if row.seq != state.seq or not agrees(state, row.state_hash, texts):
        return "state-differs"
    return None


def row_of(state: TableState, entry: log.Entry, texts: SteadyTexts) -> Row:
    """The row of an entry that leads to a state."""
    return Row(
        table=state.table,
        seq=state.seq,
        at_ms=state.at_ms,
        entry=log.encode_entry(entry),
        rules_version=RULES_VERSION,
        state_hash=state_hash(state, STATE_VERSION, texts),
        last=state.stage is Stage.CLOSED,
    )


def closing_row(last: Row, at_ms: int) -> Row:
    """The row that closes a table whose state is not known."""
    return Row(
        table=last.table,
        seq=last.seq + 1,
        at_ms=max(at_ms, last.at_ms),
        entry=log.encode_entry(log.Closed(why="admin")),
        rules_version=last.rules_version,
        state_hash="",
        last=True,
    )
