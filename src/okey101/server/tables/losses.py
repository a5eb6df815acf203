"""What a table does about rows that its log lacks: it throws its running deal away, with words."""

from __future__ import annotations

from okey101.server.tables import log_entries as log
from okey101.server.tables.rounds import FAIR
from okey101.server.tables.state import Stage, TableState
from okey101.server.tables.surroundings import Loss, Surroundings

__all__ = ["Losses", "tells_of_loss"]


def tells_of_loss(entry: log.Entry) -> bool:
    """Whether a row tells that rows were lost."""
    return isinstance(entry, log.Abandoned) and entry.why in ("log-truncated", "restored")


class Losses:
    """What is known to be missing from one table's log, and whether its players have been told."""

    def __init__(self, table: str, around: Surroundings) -> None:
        self._around = around
        self._known: Loss | None = around.lost.get(table)
        self.voids = 0
        """How often this table has been told of lost rows."""
        self.told_at = 0
        """The last row that told of a loss."""

    def resume(self, voids: int, told_at: int) -> None:
        """Know what the rows before a snapshot told."""
        self.voids, self.told_at = voids, told_at

    def head(self, state: TableState, state_hash: str) -> str | None:
        """The head of the row that led to a state."""
        heads = self._around.heads
        if heads is None:
            return None
        return heads.of(state.table, state.seq, self.voids, state_hash)

    def took(self, entry: log.Entry, seq: int) -> None:
        """Take notice of a row."""
        if tells_of_loss(entry):
            self.told_at = seq
            self.voids += 1

    def seen(self, state: TableState, seq: int, head: str, known: str | None) -> bool:
        """Whether a client has seen a row that the log lacks; ``known`` is that row's head here.

        A head from before the last loss was told says nothing new.
        """
        heads = self._around.heads
        voids = None if heads is None else heads.voids_of(state.table, seq, head)
        if voids is None or voids < self.voids:
            return False
        lacks = voids > self.voids or seq > state.seq or known not in (None, head)
        if lacks:
            self._found(state, seq)
        return lacks

    def _found(self, state: TableState, seq: int) -> None:
        if self._known is None or self._known.end < self.told_at:
            self._known = Loss("log-truncated", state.seq)
            self._around.on_lost(state.table, state.seq, seq)

    async def seen_before(self, state: TableState, seq: int, head: str) -> bool:
        """The same of a row from so long ago that its head has to be made again from the log.

        StoreError where it can't be read.
        """
        heads = self._around.heads
        if heads is None or seq <= self.told_at or heads.voids_of(state.table, seq, head) is None:
            return False
        rows = await self._around.store.read(state.table, seq - 1, 1)
        lacks = (
            seq > self.told_at
            and bool(rows)
            and head != heads.of(state.table, seq, self.voids, rows[0].state_hash)
        )
        if lacks:
            self._found(state, seq)
        return lacks

    def due(self, state: TableState) -> log.Entry | None:
        """The row that tells of a loss nobody was told of yet."""
        if self._known is None or self._known.end < self.told_at or state.stage is Stage.CLOSED:
            return None
        return log.Abandoned(why=self._known.why, secret=self._around.secret())

    def after_start(self, state: TableState) -> log.Entry | None:
        """The row that a start needs: that of a loss, or of new clocks where a match runs."""
        if (due := self.due(state)) is not None:
            return due
        if state.stage is Stage.DEALING:
            # The log may have been copied, and who has the copy knows the old secret.
            return log.Restarted(secret=self._around.secret(), fair=FAIR)
        waits = state.stage is Stage.WAITING and state.options.quick > 0
        return log.Restarted() if waits or state.stage is Stage.PLAYING else None
