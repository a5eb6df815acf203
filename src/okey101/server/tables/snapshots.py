"""Snapshots of the tables of a server: written beside their play, and found again at a start.

They are written one after the other, with long pauses: however busy the tables are, they take a
small share of the time, and fewer are written. A load that begins from one replays the rows after
it alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Final, Protocol

from okey101.server.logs import logger
from okey101.server.store.base import StoreError
from okey101.server.store.snapshots import Snapshot, SnapshotStore
from okey101.server.tables.snapshot_form import TableSnapshot, decode_start
from okey101.server.tables.state import TableState
from okey101.server.tracebacks import trace_of

__all__ = ["EVERY", "Kept", "Snapshots"]

EVERY: Final = 32
"""After so many rows a snapshot is due."""
_SHARE: Final = 24
"""How many times as long as it takes to make a snapshot the pause after it is."""
_LEAST_PAUSE_S: Final = 0.01
_AGAIN_S: Final = 30.0

_log = logger(__name__)


class Kept(Protocol):
    """A table that snapshots are made of."""

    def snapshot(self) -> Snapshot | None:
        """The table after its last row; None where none can or should be made now."""
        ...


def _unheard() -> None:
    return None


class Snapshots:
    """Writes the snapshots that are due, and finds those of a table."""

    def __init__(
        self,
        store: SnapshotStore,
        *,
        on_kept: Callable[[], None] = _unheard,
        on_refused: Callable[[], None] = _unheard,
        share: float = _SHARE,
    ) -> None:
        """``on_refused`` is called for each snapshot that could not be used."""
        self._store = store
        self._on_kept = on_kept
        self._on_refused = on_refused
        self._share = share
        self._due: dict[Kept, None] = {}
        self._wake = asyncio.Event()
        self._took = 0.0
        """How long the loop stood still for the last one."""
        self.use = True
        """Whether loads may begin from snapshots: not where accounts may lack finished matches."""

    def due(self, table: Kept) -> None:
        """Have a snapshot of a table written some time soon."""
        self._due[table] = None
        self._wake.set()

    async def run(self) -> None:
        """Write what is due until cancelled."""
        failed = False
        while True:
            await self._wake.wait()
            try:
                await self.write_next()
            except StoreError as error:
                if not failed:  # the rows are there, and nothing else matters
                    _log.warning("snapshot-failed", why=type(error.__cause__ or error).__name__)
                failed = True
                await asyncio.sleep(_AGAIN_S)
                continue
            except Exception as error:  # noqa: BLE001  # no fault of a snapshot stops the others
                _log.error("snapshot-not-made", trace=trace_of(error))
            else:
                failed = False
            await asyncio.sleep(max(self._took * self._share, _LEAST_PAUSE_S))

    async def write_next(self) -> bool:
        """Write the snapshot that has been due for longest; False where none is.

        StoreError where it can't be written.
        """
        table = next(iter(self._due), None)
        if table is None:
            self._wake.clear()
            return False
        del self._due[table]
        begun = monotonic()
        snapshot = table.snapshot()
        self._took = monotonic() - begun
        if snapshot is not None and await self._store.keep(snapshot):
            self._on_kept()
        return True

    async def find(self, table: str, now_ms: int) -> TableSnapshot | None:
        """What a table's load begins from, if anything; never fails."""
        if not self.use:
            return None
        try:
            found = await self._store.snapshots(table)
        except StoreError:
            self.refused(table, 0, "unreadable")
            return None
        for seq, why in found.refused.items():
            self.refused(table, seq, why)
        for snapshot in found.snapshots:
            try:
                start = decode_start(snapshot)
            except ValueError as error:
                self.refused(table, snapshot.seq, str(error))
                continue
            if shown_by(start.state, now_ms):
                return start
        return None

    def refused(self, table: str, seq: int, why: str) -> None:
        """A snapshot could not be used: the rows are replayed instead."""
        _log.warning("snapshot-refused", table=table, seq=seq, why=why)
        self._on_refused()


def shown_by(state: TableState, now_ms: int) -> bool:
    """Whether spectators may see a state by now, however far behind the table they are."""
    options = state.options
    return options.spectators != "delayed" or state.at_ms + 1000 * options.delay <= now_ms
