"""What a table does about rows that its log lacks: it throws its running deal away, with words."""

from __future__ import annotations

from okey101.server.tables import log_entries as log
from okey101.server.tables.rounds import FAIR
from okey101.server.tables.state import Stage, TableState
from okey101.server.tables.surroundings import Loss, Surroundings

__all__ = ["Losses"]


class Losses:
    """What is known to be missing from one table's log, and whether its players have been told."""

    def __init__(self, table: str, around: Surroundings) -> None:
        self._around = around
        self._known: Loss | None = around.lost.get(table)
        self._voids = 0
        """How often this table has been told of lost rows."""
        self._told_at = 0
        """The last row that told of a loss."""

    def head(self, state: TableState, state_hash: str) -> str | None:
        """The head of the row that led to a state."""
        heads = self._around.heads
        if heads is None:
            return None
        return heads.of(state.table, state.seq, self._voids, state_hash)

    def took(self, entry: log.Entry, seq: int) -> None:
        """Take notice of a row."""
        if isinstance(entry, log.Abandoned) and entry.why in ("log-truncated", "restored"):
            self._told_at = seq
            self._voids += 1

    def seen(self, state: TableState, seq: int, head: str, known: str | None) -> bool:
        """Whether a client has seen a row that the log lacks; ``known`` is that row's head here.

        A head from before the last loss was told says nothing new.
        """
        heads = self._around.heads
        voids = None if heads is None else heads.voids_of(state.table, seq, head)
        if voids is None or voids < self._voids:
            return False
        lacks = voids > self._voids or seq > state.seq or known not in (None, head)
        if lacks and (self._known is None or self._known.end < self._told_at):
            self._known = Loss("log-truncated", state.seq)
            self._around.on_lost(state.table, state.seq, seq)
        return lacks

    def due(self, state: TableState) -> log.Entry | None:
        """The row that tells of a loss nobody was told of yet."""
        if self._known is None or self._known.end < self._told_at or state.stage is Stage.CLOSED:
            return None
        return log.Abandoned(why=self._known.why, secret=self._around.secret())

    def after_start(self, state: TableState) -> log.Entry | None:
        """The row that a start needs: that of a loss, or of new clocks where a match runs."""
        if (due := self.due(state)) is not None:
            return due
        if state.stage is Stage.DEALING:
            # The log may have been copied, and who has the copy knows the old secret.
            return log.Restarted(secret=self._around.secret(), fair=FAIR)
        return log.Restarted() if state.stage is Stage.PLAYING else None
