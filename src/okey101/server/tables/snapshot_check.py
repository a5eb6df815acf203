"""Whether the snapshots of a table hold what its rows lead to."""

from __future__ import annotations

from okey101.server.store.snapshots import Found
from okey101.server.tables import log_entries as log
from okey101.server.tables.losses import tells_of_loss
from okey101.server.tables.match_record import SeatHistory
from okey101.server.tables.row_caps import Changes
from okey101.server.tables.snapshot_form import SNAPSHOT_VERSION, TableSnapshot, decode_start
from okey101.server.tables.state import TableState, changed

__all__ = ["SnapshotCheck", "all_packed"]


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
        if tells_of_loss(entry):
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
