"""A table as the rows of its log tell it: replayed from the first on, or from a snapshot."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from typing import Final

from msgspec import DecodeError

from okey101.errors import OkeyError
from okey101.server.ops.logs import logger
from okey101.server.store.base import Row
from okey101.server.store.lost import Loss
from okey101.server.store.snapshots import Snapshot
from okey101.server.tables import log_entries as log
from okey101.server.tables.broadcast import Audience
from okey101.server.tables.clocks import RunningClock
from okey101.server.tables.dependencies import Dependencies
from okey101.server.tables.reduce import applied
from okey101.server.tables.rows import Changes, SteadyTexts, fault_of
from okey101.server.tables.snapshots import TableSnapshot, encode_start
from okey101.server.tables.state import Stage, TableState

# What a table does about rows that its log lacks: it throws its running deal away, with words.


def tells_of_loss(entry: log.Entry) -> bool:
    """Whether a row tells that rows were lost."""
    return isinstance(entry, log.Abandoned) and entry.why in ("log-truncated", "restored")


class Losses:
    """What is known to be missing from one table's log, and whether its players have been told."""

    def __init__(self, table: str, deps: Dependencies) -> None:
        self._deps = deps
        self._known: Loss | None = deps.lost.get(table)
        self.voids = 0
        """How often this table has been told of lost rows."""
        self.told_at = 0
        """The last row that told of a loss."""

    def resume(self, voids: int, told_at: int) -> None:
        """Know what the rows before a snapshot told."""
        self.voids, self.told_at = voids, told_at

    def took(self, entry: log.Entry, seq: int) -> None:
        """Take notice of a row."""
        if tells_of_loss(entry):
            self.told_at = seq
            self.voids += 1

    def seen(self, state: TableState, seq: int, head: str, known: str | None) -> bool:
        """Whether a client has seen a row that the log lacks; ``known`` is that row's head here.

        A head from before the last loss was told says nothing new, nor does one of an earlier row
        that counts as many: it comes from a log that was put back before this one was.
        """
        tokens = self._deps.resume_tokens
        voids = None if tokens is None else tokens.voids_of(state.table, seq, head)
        if voids is None or voids < self.voids or (voids == self.voids and seq < self.told_at):
            return False
        lacks = voids > self.voids or seq > state.seq or known not in (None, head)
        if lacks:
            self._found(state, seq)
        return lacks

    def _found(self, state: TableState, seq: int) -> None:
        if self._known is None or self._known.end < self.told_at:
            self._known = Loss("log-truncated", state.seq)
            self._deps.on_lost(state.table, state.seq, seq)

    async def seen_before(self, state: TableState, seq: int, head: str) -> bool:
        """The same of a row from so long ago that its head has to be made again from the log.

        StoreError where it can't be read.
        """
        tokens = self._deps.resume_tokens
        if tokens is None or seq <= self.told_at or tokens.voids_of(state.table, seq, head) is None:
            return False
        rows = await self._deps.store.read(state.table, seq - 1, 1)
        lacks = (
            seq > self.told_at
            and bool(rows)
            and head != tokens.of(state.table, seq, self.voids, rows[0].state_hash)
        )
        if lacks:
            self._found(state, seq)
        return lacks

    def due(self, state: TableState) -> log.Entry | None:
        """The row that tells of a loss nobody was told of yet."""
        if self._known is None or self._known.end < self.told_at or state.stage is Stage.CLOSED:
            return None
        return log.Abandoned(why=self._known.why, secret=self._deps.secret())

    def after_start(self, state: TableState) -> log.Entry | None:
        """The row that a start needs: that of a loss, or of new clocks where a match runs."""
        if (due := self.due(state)) is not None:
            return due
        waits = state.stage is Stage.WAITING and state.options.quick > 0
        runs = state.stage in (Stage.DEALING, Stage.PLAYING)
        return log.Restarted() if waits or runs else None


_AT_ONCE: Final = 8
"""How many rows are replayed before others have their turn."""

_log = logger(__name__)


class Replayed(ABC):
    """What rows make of a table: its state, and what else they leave behind."""

    def __init__(self, state: TableState, deps: Dependencies) -> None:
        """Take the state after the first row, or after that of a snapshot."""
        self.state = state
        self.frozen: str | None = None
        """Why nothing moves any more: the row of the log that can't be replayed."""
        self._deps = deps
        self.clock = RunningClock(deps.heart)
        self.audience = Audience(
            state, deps.called, deps.on_events, self.clock.now, deps.resume_tokens
        )
        self._changes = Changes()
        self._losses = Losses(state.table, deps)
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
        self.audience.resume(start)
        try:
            fault = await self._taken(rows, later=True)
        except Exception as error:  # noqa: BLE001  # whether it is a fault, all rows tell
            fault = start.state.seq, type(error).__name__
        if fault is not None and self._deps.snapshots is not None:
            self._deps.snapshots.refused(start.state.table, start.state.seq, fault[1])
        return fault is None

    def _take_first(self, row: Row) -> None:
        self._hash = row.state_hash
        self.audience.mark(self.state, row.state_hash, 0)

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
        async with self._deps.replaying:
            for number, row in enumerate(rows):
                if number % _AT_ONCE == 0:  # before the first too: many may have come at once
                    await asyncio.sleep(0)
                if (fault := self._fault(row, texts, later=later)) is not None:
                    return row.seq, fault
        return None

    def _fault(self, row: Row, texts: SteadyTexts, *, later: bool) -> str | None:
        """Take a row; why it can't be, if so."""
        try:
            entry = log.read_entry(row.entry)
            entry, after = applied(self.state, entry, row.at_ms, _no_secret)
        except (OkeyError, DecodeError, ValueError, AssertionError) as error:
            return type(error).__name__
        if (why := fault_of(row, after, texts)) is None:
            age = (self._deps.now_ms() - row.at_ms) / 1000
            self._swap(entry, after, max(age, 0.0), row.state_hash, later=later)
        return why

    def snapshot(self) -> Snapshot | None:
        """The table after its last row, for a load to begin from; None where none can be made.

        A match that is over has to be kept first: a load tells of those in the rows it replays.
        """
        state, now_ms = self.state, self._deps.now_ms()
        if self.frozen is not None or state.stage is Stage.CLOSED:
            return None
        behind = state.options.spectators == "delayed"
        # Of two that are kept the older one is old enough to be shown to spectators.
        early = behind and self._snapshot_at_ms + 1000 * state.options.delay > now_ms
        if early or not self._deps.may_close(state.table):
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
            self._deps.on_match(self.state)


def _no_secret() -> str:
    raise ValueError("a row that ends a deal lacks the secret of the next")
