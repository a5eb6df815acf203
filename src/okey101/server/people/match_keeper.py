"""Finished matches are kept in the accounts, and tried again until they are."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final

import msgspec

from okey101.errors import OkeyError
from okey101.game.record.verification import public_entries
from okey101.server.ops.logs import logger
from okey101.server.people.day_tries import deal_points
from okey101.server.people.history import match_id
from okey101.server.people.models import MatchSeat
from okey101.server.people.profile import deeds_of
from okey101.server.people.service import Accounts
from okey101.server.store import AnyStore, Row, StoreError
from okey101.server.store.public_log import round_entries
from okey101.server.tables.log_check import matches_begun, matches_in
from okey101.server.tables.match_record import match_record, shown_from_ms
from okey101.server.tables.registry import Tables
from okey101.server.tables.state import Stage, TableState
from okey101.server.work.tasks import Tasks, Worker

_RECORDS_WAITING: Final = 10_000
_SAVE_AGAIN_S: Final = 5.0
_JUST_ENDED_MS: Final = 60_000
_SAVING_S: Final = 2.0
_PATIENCE_S: Final = 5.0
"""How long closing a table, or the server, waits for matches to be kept."""

_log = logger(__name__)


class MatchKeeper:
    """Saves finished matches; a table whose matches are not all kept must stay open."""

    def __init__(
        self, accounts: Accounts, tasks: Tasks, tell: Callable[..., Coroutine[Any, Any, None]],
        near: Callable[[Sequence[str | None]], Sequence[int]] = lambda _: (),
    ) -> None:  # fmt: skip
        """``tell`` adds entries to the transparency log, and returns once they are kept; ``near``
        says which of the people of a match share an address now, see :class:`MatchSeat`.
        """
        self.records = Worker("okey101-records", 1, _RECORDS_WAITING)
        """Where records are written, so that they wait for no replay."""
        self._accounts = accounts
        self._tell = tell
        self._near = near
        self._tasks = tasks
        self._saves: dict[str, set[asyncio.Task[None]]] = {}

    def round_begun(self, state: TableState) -> None:
        """Tell of a round before a deal; of a deal that is played again nothing is told."""
        if state.commitment is not None and state.again is None:
            self._tasks.spawn(self._tell(*round_entries(state.commitment, state.thrown)))

    def keep(self, state: TableState) -> None:
        """Begin to save the match that has ended at a table."""
        saves = self._saves.setdefault(state.table, set())
        near = self._near([seat.user for seat in state.seats])
        task = self._tasks.spawn(self._save(state, near))
        saves.add(task)
        task.add_done_callback(lambda task: self._saved(state.table, task))

    def kept(self, table: str) -> bool:
        """Whether a table's matches are all kept; a closed table is not looked at again."""
        return table not in self._saves

    async def wait(self, table: str | None = None) -> None:
        """Wait a while for the matches of a table, or of all, to be kept."""
        saves = [*self._saves.values()] if table is None else [self._saves.get(table, set())]
        saving = [task for tasks in saves for task in tasks]
        if saving:
            await asyncio.wait(saving, timeout=_PATIENCE_S)

    async def close_table(self, tables: Tables, table: str) -> None:
        """Close a table for the administrator once its matches are kept.

        OkeyError as in :meth:`Tables.close`: ``accounts-failed`` where that takes long.
        """
        try:
            await tables.close(table)
        except OkeyError as error:
            if error.code != "accounts-failed":
                raise
            await self.wait(table)
            await tables.close(table)

    async def make_again(self, store: AnyStore) -> list[str]:
        """Keep what is missing of finished matches, or isn't what was written, from their rows.

        Looks at every table, those in the archive too, but those of which a day makes the records
        once it is closed; what was found, in English.
        """
        found, after = list[str](), ""
        try:
            later = await self._accounts.days.unclosed()
            while tables := await store.tables(after):
                after = tables[-1]
                for table in (one for one in tables if one not in later):
                    rows = await store.history(table)
                    if self.kept(table):  # not before: a match may have ended meanwhile
                        found += await self.made_again(table, rows)
        except (StoreError, OkeyError) as error:
            found.append(f"matches can't be compared with their rows: {error}")
        return found

    async def made_again(self, table: str, rows: list[Row]) -> list[str]:
        """The same of one table."""
        kept = await self._accounts.sound_matches(table)
        if len(kept) >= matches_begun(rows):
            return []
        found: list[str] = []
        for state in await self.records.run(lambda: matches_in(rows)):
            key = match_id(table, state.match)
            if key not in kept and state.again is None:
                if self._accounts.now_ms() - state.at_ms < _JUST_ENDED_MS:
                    await asyncio.sleep(_SAVING_S)  # another node may be saving it
                    if key in await self._accounts.sound_matches(table):
                        continue
                await self._accounts.forget_match(key)
                await self._save(state)
                _log.warning("match-made-again", match=key)
                found.append(f"match {key} was missing or changed, and is made again")
        return found

    def _saved(self, table: str, task: asyncio.Task[None]) -> None:
        saves = self._saves[table]
        saves.discard(task)
        if not saves:
            del self._saves[table]

    async def _save(self, state: TableState, near: Sequence[int] = ()) -> None:
        """Keep a finished match; the log has it whatever happens here, but not who was ``near``.

        Nothing is kept of a deal that was played again.
        """
        if state.again is not None:
            return
        record, entries, deeds = b"", list[str](), list[str]()
        while True:
            try:
                if state.day is not None:
                    now = self._accounts.now_ms()
                    if state.seats[0].user is not None and state.stage is Stage.OVER:
                        points = [deal_points(played.deal.result) for played in state.played]
                        await self._accounts.days.finish(state.table, points, now)
                    if now < state.day.closes_ms:
                        return  # its tiles are told once the day is closed
                if not record:
                    record, entries, deeds = await self.records.run(lambda: _written(state))
                await self._tell(*entries)  # first: what is kept is not looked at again
                await self._accounts.save_match(
                    table_id=state.table,
                    number=state.match,
                    finished_ms=state.at_ms,
                    rules=state.rules,
                    deals=len(state.played),
                    seats=[
                        MatchSeat(seat.user, seat.bot, near[n] if near else 0)
                        for n, seat in enumerate(state.seats)
                    ],
                    totals=state.totals,
                    record=record,
                    deeds=deeds,
                    shown_ms=shown_from_ms(state),
                )
            except OkeyError as error:
                if error.code == "accounts-closed":
                    return  # it is saved when the table comes back
                _log.error("match-not-saved", table=state.table, code=error.code)
                await asyncio.sleep(_SAVE_AGAIN_S)
            else:
                return


def _written(state: TableState) -> tuple[bytes, list[str], list[str]]:
    """A match as it is kept, what the public log has of it, and what each seat did."""
    record = match_record(state)
    deeds = deeds_of(state.rules, (played.deal.whole for played in state.played))
    return msgspec.json.encode(record.to_dict()), public_entries(record), deeds
