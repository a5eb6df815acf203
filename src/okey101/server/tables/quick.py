"""Quick tables: whoever asks is seated where somebody waits or plays, or opens a table.

Who sits where is in the tables' logs, and so is who left one while it was played: after a restart
the open tables tell both again. Of closed ones the server's file tells who left.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from operator import itemgetter
from typing import Final

import msgspec

from okey101.errors import OkeyError
from okey101.server.errors import refuse
from okey101.server.ops.journal import Keeper, Lines
from okey101.server.ops.logs import logger
from okey101.server.protocol import client_messages as ask
from okey101.server.protocol.options import Applied, TableOptions, checked_options
from okey101.server.tables.registry import Tables
from okey101.server.tables.state import Stage
from okey101.server.tables.table import Table
from okey101.server.work.tasks import Tasks

QUICK_S: Final = 8
"""How long a quick table waits for people."""
MOST_LEFT: Final = 3
"""Whoever left so many quick tables within :data:`WITHIN_MS` waits before the next one."""
WITHIN_MS: Final = 3_600_000
PENANCE_MS: Final = 300_000
"""From the last time on."""
NEAR_END: Final = 12
"""A deal with so many tiles left in the stock is soon over: longer nobody waits for the next."""
_ELSEWHERE: Final = frozenset({
    "kicked", "match-ended", "not-playing", "other-hand", "seat-taken", "table-closed",
    "table-frozen", "table-full", "too-many-changes",
})  # fmt: skip
"""Why somebody can't sit down at one table that says nothing of the others."""

_log = logger(__name__)


def quick_options() -> TableOptions:
    """How every quick table is played: by the standard rules, and watched one turn behind."""
    return checked_options(TableOptions(listed=True, spectators="turn", quick=QUICK_S))


class Sat(msgspec.Struct, frozen=True):
    """A quick table where somebody sits, if any, and when they ``left`` others, in UTC ms."""

    at: Applied | None = None
    left: Sequence[int] = ()


class QuickTables:
    """Finds everybody a seat at a quick table, one person at a time where a table is opened."""

    def __init__(
        self, tables: Tables, now_ms: Callable[[], int], tasks: Tasks, keeper: Keeper
    ) -> None:  # fmt: skip
        """``keeper`` has, as one line, who left tables that are closed, of all nodes."""
        self._tables = tables
        self._now_ms = now_ms
        self._opening = asyncio.Lock()
        self._tasks = tasks
        self._line = Lines(keeper, "quick-left", dict[str, list[int]], 1)
        self._left: dict[str, list[int]] = {}
        """When people left quick tables that are closed, in UTC milliseconds, by their ids."""

    async def load(self) -> None:
        """Know again who left tables that are closed; without it somebody waits less."""
        self._remember(*await self._line.last(1))

    async def seat(
        self, user: str, open_one: Callable[[], Awaitable[Table]], left: Sequence[int] = (),
        apart: Collection[str] = (),
    ) -> Table:  # fmt: skip
        """The table where a person has a seat from now on, or from the next deal on.

        Who asks again has that table again. ``open_one`` opens a table with
        :func:`quick_options` where nobody waits and no bot's seat is to be had. ``left``: when
        they left tables of other nodes, in UTC ms; ``apart``: whom they are not to meet.
        OkeyError ``left-often`` with ``seconds`` and ``count``; ``draining``, ``store-failed``,
        and what ``open_one`` raises.
        """
        await self._tables.all_back()
        found = await self._own(user)
        if found is None:
            self._require_patience(user, left)
            found = await self._joined(user, apart)
        if found is not None:
            return found
        async with self._opening:  # two strangers who ask at the same time are to meet
            return await self._own(user) or await self._joined(user, apart) or await open_one()

    async def sat(self, user: str) -> Sat:
        """What the node that seats people has to know of a table of this one; as :meth:`seat`."""
        await self._tables.all_back()
        found = await self._own(user)
        at = None if found is None else Applied(found.state.table, found.state.seq)
        return Sat(at, self._times_left(user))

    async def _own(self, user: str) -> Table | None:
        """The quick table where somebody sits; a match that is over is left behind."""
        for table in self._quick():
            if table.state.place_of(user) is None:
                continue
            if table.state.stage is not Stage.OVER:
                return table
            await table.remove(user)
        return None

    async def _joined(self, user: str, apart: Collection[str]) -> Table | None:
        ranks = (
            _rank(table, user) for table in self._quick() if table.state.hosts.isdisjoint(apart)
        )
        for *_, table in sorted((r for r in ranks if r is not None), key=itemgetter(0, 1)):
            try:
                await table.command(user, ask.Sit(rid=f"quick-{secrets.token_hex(8)}"))
            except OkeyError as error:
                if error.code == "already-seated":
                    return table
                if error.code not in _ELSEWHERE:
                    raise
            else:
                return table
        return None

    def _quick(self) -> Iterator[Table]:
        return (t for t in self._tables if t.state.options.quick and t.frozen is None)

    # Who leaves too often -----------------------------------------------------------------------

    def _times_left(self, user: str) -> list[int]:
        times = [at for at in self._left.get(user, ()) if self._counts(at)]
        for table in self._quick():  # each has the last time alone
            times += [at for who, at in table.state.quits if who == user and self._counts(at)]
        return times

    def _counts(self, at: int) -> bool:
        """Whether a time is of this hour; one long to come is of a clock that was set back."""
        return abs(self._now_ms() - at) < WITHIN_MS

    def _require_patience(self, user: str, elsewhere: Sequence[int]) -> None:
        """OkeyError ``left-often`` for somebody who leaves one table after the other."""
        now = self._now_ms()
        times = {*self._times_left(user), *elsewhere}  # nodes may have read the same line
        if len(times) < MOST_LEFT:
            return
        wait_ms = max(times) + PENANCE_MS - now
        if wait_ms > 0:
            refuse("left-often", count=len(times), seconds=-(-wait_ms // 1000))

    def closed(self, table: Table) -> None:
        """Remember who left a table that is closed."""
        self._remember({user: [at] for user, at in table.state.quits})
        if table.state.quits:
            self._tasks.spawn(self._keep())

    def _remember(self, *lines: dict[str, list[int]]) -> None:
        for line in lines:
            for user, times in line.items():
                self._left[user] = sorted({*self._left.get(user, ()), *times})
        kept = {user: [*filter(self._counts, times)] for user, times in self._left.items()}
        self._left = {user: times[-MOST_LEFT:] for user, times in kept.items() if times}

    async def _keep(self) -> None:
        """Keep who left in place of what was kept; that this fails is told in the log alone."""
        try:
            await self.load()  # another node may have kept more since
            await self._line.add(self._left)
        except Exception as error:  # noqa: BLE001  # whatever the keeper raises
            _log.warning("leavers-unwritten", reason=type(error).__name__)


def _rank(table: Table, user: str) -> tuple[int, int, Table] | None:
    """How good a table is for somebody; None where nobody plays, or no seat is to be had.

    The least is best. 0: people wait there; 1: a deal is prepared; 2: one is nearly over, and
    another follows. Then how long somebody would wait.
    """
    state = table.state
    if user in state.sent_away or any(who == user for who, _ in state.quits):
        return None
    if state.stage is Stage.WAITING:
        free = sum(seat.free for seat in state.seats)
        return (0, free, table) if free and state.people else None
    if not table.audience.seated or not any(seat.human for seat in state.seats):
        return None
    numbered = enumerate(state.seats)
    if not any(seat.bot is not None and state.comer(n) is None for n, seat in numbered):
        return None
    if not state.dealing:
        return (1, 0, table) if state.stage is Stage.DEALING else None
    if state.last_deal:
        return None
    stock = state.deal.public.stock_count if state.stage is Stage.PLAYING and state.deal else 200
    return (2, stock, table) if stock <= NEAR_END else None
