"""A table as the rows of its log tell it: replayed from the first on, or from a snapshot."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from typing import Final

from msgspec import DecodeError

from okey101.errors import OkeyError
from okey101.server.logs import logger
from okey101.server.store.base import Row
from okey101.server.store.snapshots import Snapshot
from okey101.server.tables import log_entries as log
from okey101.server.tables.broadcast import Audience
from okey101.server.tables.command_handler import applied
from okey101.server.tables.losses import Losses
from okey101.server.tables.row_caps import Changes
from okey101.server.tables.running_clock import RunningClock
from okey101.server.tables.snapshot_form import TableSnapshot, encode_start
from okey101.server.tables.snapshots import EVERY
from okey101.server.tables.state import Stage, TableState
from okey101.server.tables.state_hash import SteadyTexts
from okey101.server.tables.surroundings import Surroundings
from okey101.server.tables.table_rows import fault_of

__all__ = ["Replayed"]

_AT_ONCE: Final = 8
"""How many rows are replayed before others have their turn; several tables load at a time."""

_log = logger(__name__)


class Replayed(ABC):
    """What rows make of a table: its state, and what else they leave behind."""

    def __init__(self, state: TableState, around: Surroundings) -> None:
        """Take the state after the first row, or after that of a snapshot."""
        self.state = state
        self.frozen: str | None = None
        """Why nothing moves any more: the row of the log that can't be replayed."""
        self._around = around
        self._clock = RunningClock(around.heart)
        self.audience = Audience(state, around.name_of, around.on_events, self._clock.now)
        self._changes = Changes()
        self._losses = Losses(state.table, around)
        self._hash = ""
        """What the last row has of the state."""
        self._since_snapshot = 0
        """Rows since the last snapshot was made, or was loaded from."""
        self._snapshot_at_ms = 0

    @abstractmethod
    def _swap(
        self,
        entry: log.Entry,
        after: TableState,
        age: float = 0.0,
        state_hash: str = "",
        *,
        later: bool = False,
    ) -> None:
        """The state after a row that has been in the log for ``age`` seconds."""

    async def _resumed(self, start: TableSnapshot, rows: list[Row]) -> bool:
        """Go on from a snapshot; False where the rows after it don't fit to it."""
        self._hash, self._snapshot_at_ms = start.state_hash, start.state.at_ms
        self._changes = Changes(start.changes)
        self._losses.resume(start.voids, start.told_at)
        self.audience.resume(start, self._losses.head(start.state, start.state_hash))
        try:
            fault = await self._taken(rows, later=True)
        except Exception as error:  # noqa: BLE001  # whether it is a fault, all rows tell
            fault = start.state.seq, type(error).__name__
        if fault is not None and self._around.snapshots is not None:
            self._around.snapshots.refused(start.state.table, start.state.seq, fault[1])
        return fault is None

    def _take_first(self, row: Row) -> None:
        self._hash = row.state_hash
        self.audience.head = self._losses.head(self.state, row.state_hash)

    async def _replay(self, rows: list[Row]) -> None:
        """Take the rows of a log, telling viewers of the last ones, or freeze."""
        fault = await self._taken(rows)
        if fault is not None:
            self._freeze(*fault)

    async def _taken(self, rows: list[Row], *, later: bool = False) -> tuple[int, str] | None:
        """Take rows up to the first that can't be; which one that is, and why.

        Others have their turn in between, however many rows there are. ``later`` writes what is
        told of them once somebody asks, which is for few rows: each keeps its state.
        """
        texts = SteadyTexts()
        if rows and rows[0].seq == 1:
            if (why := fault_of(rows[0], self.state)) is not None:
                return 1, why
            self._take_first(rows[0])
            rows = rows[1:]
        for number, row in enumerate(rows, 1):
            if number % _AT_ONCE == 0:
                await asyncio.sleep(0)
            try:
                entry = log.read_entry(row.entry)
                entry, after = applied(self.state, entry, row.at_ms, _no_secret)
            except (OkeyError, DecodeError, ValueError, AssertionError) as error:
                return row.seq, type(error).__name__
            if (why := fault_of(row, after, texts)) is not None:
                return row.seq, why
            age = (self._around.now_ms() - row.at_ms) / 1000
            self._swap(entry, after, max(age, 0.0), row.state_hash, later=later)
        return None

    def snapshot(self) -> Snapshot | None:
        """The table after its last row, for a load to begin from; None where none can be made.

        A match that is over has to be kept first: a load tells of those in the rows it replays.
        """
        state, now_ms = self.state, self._around.now_ms()
        if self.frozen is not None or state.stage is Stage.CLOSED:
            return None
        behind = state.options.spectators == "delayed"
        # Of two that are kept the older one is old enough to be shown to spectators.
        early = behind and self._snapshot_at_ms + 1000 * state.options.delay > now_ms
        if early or not self._around.may_close(state.table):
            return None
        self._since_snapshot, self._snapshot_at_ms = 0, state.at_ms
        shown = state if behind else self.audience.feed.shown
        return encode_start(
            TableSnapshot(
                state=state,
                state_hash=self._hash,
                shown=shown,
                shown_head=self.audience.head_of(shown.seq),
                changes=self._changes.counted,
                voids=self._losses.voids,
                told_at=self._losses.told_at,
                history=self.audience.seat_history.seats,
            )
        )

    def _freeze(self, seq: int, why: str) -> None:
        self.frozen = f"row {seq}: {why}"
        _log.error("table-frozen", table=self.state.table, seq=seq, why=why)
        self.audience.send_all({"type": "frozen", "code": "table-frozen"})
        if self.state.played and self.state.stage is not Stage.OVER:
            # Whatever happens, the deals that the log agrees on are kept for those who played them.
            self._around.on_match(self.state)

    def _keep(self) -> None:
        """Have a snapshot made where one is due."""
        if self._since_snapshot >= EVERY and self._around.snapshots is not None:
            self._around.snapshots.due(self)


def _no_secret() -> str:
    raise ValueError("a row that ends a deal lacks the secret of the next")
