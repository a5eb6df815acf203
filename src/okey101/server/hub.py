"""What all parts of a running server share: its store, its people, its tables, its limits."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Coroutine, Iterable
from hashlib import sha256
from typing import Final, Protocol, Self

import msgspec

from okey101.errors import OkeyError
from okey101.game.match import totals_of
from okey101.server.accounts import Accounts, MatchSeat, Session, User
from okey101.server.clock import utc_ms
from okey101.server.close_codes import CLOSE_RESTART, CLOSE_SIGNED_OUT
from okey101.server.data_dir import Folder, open_folder
from okey101.server.gc_tuning import step, sweep
from okey101.server.in_flight import Doings
from okey101.server.limits import Limiter, Quota
from okey101.server.logs import logger
from okey101.server.metrics import Metrics
from okey101.server.settings import Settings
from okey101.server.store import SqliteStore, StoreError
from okey101.server.tables.match_record import match_record, shown_from_ms
from okey101.server.tables.registry import Tables
from okey101.server.tables.state import TableState
from okey101.server.tables.surroundings import Surroundings
from okey101.server.tracebacks import trace_of
from okey101.server.worker import Worker

__all__ = ["RESTARTING", "Hub"]

RESTARTING: Final = "server-restarting"
"""The reason that goes with the close code of a restart."""
_PRUNE_S: Final = 6 * 3600.0
_PEOPLE_AT_AN_ADDRESS: Final = 4
_RENAMES_PER_S: Final = 0.1
_RENAMES_AT_ONCE: Final = 6
_EXPORTS_PER_S: Final = 0.05
_EXPORTS_AT_ONCE: Final = 5
_EXPORTS_RUNNING: Final = 2
_REPLAYS_PER_S: Final = 5.0
_REPLAYS_AT_ONCE: Final = 40
_REPLAYS_WAITING: Final = 64
_RECORDS_WAITING: Final = 10_000
_PHRASES_PER_S: Final = 0.5
_PHRASES_AT_ONCE: Final = 4
_SAVE_AGAIN_S: Final = 5.0

_log = logger(__name__)


class Connection(Protocol):
    """A socket, whatever it is used for."""

    @property
    def user(self) -> str | None: ...
    @property
    def session(self) -> str | None: ...
    def close(self, code: int, reason: str) -> None: ...


def _encoded(state: TableState) -> bytes:
    return msgspec.json.encode(match_record(state).to_dict())


class Hub:
    """A server's parts, opened together and closed together."""

    def __init__(
        self, settings: Settings, folder: Folder, store: SqliteStore, accounts: Accounts,
        metrics: Metrics,
    ) -> None:  # fmt: skip
        self.settings = settings
        self.folder = folder
        self.store = store
        self.accounts = accounts
        self.metrics = metrics
        self.admin_token = folder.admin_token()
        self.draining = False
        self.doings = Doings()
        self.names: dict[str, str | None] = {}
        """The names of everybody seen, by id; None for a person who is deleted."""
        clock = time.monotonic
        self.sockets = Quota(settings.max_sockets, settings.max_sockets_per_address)
        rate, burst = settings.handshakes_per_second, settings.handshake_burst
        self.handshakes = Limiter(rate, burst, clock=clock)
        # By person, or by address: coming back on a new socket brings no new allowance.
        rate, burst = settings.messages_per_second, settings.message_burst
        self.messages = Limiter(rate, burst, clock=clock)
        self.phrases = Limiter(_PHRASES_PER_S, _PHRASES_AT_ONCE, clock=clock)
        requests = settings.requests_per_second
        self.requests = Limiter(requests, settings.request_burst, clock=clock)
        guests, logins = settings.guests_per_minute / 60, settings.logins_per_minute / 60
        self.new_guests = Limiter(guests, settings.guest_burst, clock=clock)
        self.logins = Limiter(logins, settings.login_burst, clock=clock, strict=True)
        tables = settings.tables_per_minute / 60
        self.new_tables = Limiter(tables, settings.table_burst, clock=clock)
        # A house behind one address has several people, but not any number.
        each = _PEOPLE_AT_AN_ADDRESS
        self.new_tables_at = Limiter(tables * each, settings.table_burst * each, clock=clock)
        self.renames = Limiter(_RENAMES_PER_S, _RENAMES_AT_ONCE, clock=clock)
        self.export_requests = Limiter(_EXPORTS_PER_S, _EXPORTS_AT_ONCE, clock=clock)
        self.exports = Quota(_EXPORTS_RUNNING, 1)
        """Who is being told all that is kept of him, by person."""
        self.replay_requests = Limiter(_REPLAYS_PER_S, _REPLAYS_AT_ONCE, clock=clock)
        self.replays = Worker("okey101-replays", 1, _REPLAYS_WAITING)
        """Where deals are gone through again, which would hold up the event loop."""
        self.records = Worker("okey101-records", 1, _RECORDS_WAITING)
        """Where the records of finished matches are written, which wait for no replay."""
        self._connections: dict[str, set[Connection]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._saves: dict[str, set[asyncio.Task[None]]] = {}
        self.tables = Tables(
            Surroundings(
                store=store,
                now_ms=utc_ms,
                name_of=self.names.get,
                bot_delay=settings.bot_delay_ms / 1000,
                absence=settings.absence_s,
                idle_close=settings.idle_close_s,
                on_match=self._match_over,
                on_closed=self._table_closed,
                may_close=self._may_close,
                on_think=metrics.think,
                on_row=step,
                on_events=metrics.events,
            ),
            most=settings.max_tables,
            most_each=settings.max_tables_per_user,
            most_at=settings.max_tables_per_address,
            first_wait_ms=round(settings.first_deal_wait_s * 1000),
            pause_ms=round(settings.deal_pause_s * 1000),
            before_loading=self.learn_names,
            id_key=sha256(self.admin_token.encode()).digest(),
        )
        metrics.before_reading(self._gauge)

    @classmethod
    async def open(cls, settings: Settings, metrics: Metrics) -> Self:
        """Open log and accounts, and begin to bring the tables back.

        OkeyError where a file can't be used.
        """
        folder = open_folder(settings.data)
        store = await asyncio.to_thread(SqliteStore.open, folder.log, on_commit=metrics.commit)
        try:
            accounts = await Accounts.open(folder.accounts)
        except BaseException:
            await store.close()
            raise
        try:
            hub = cls(settings, folder, store, accounts, metrics)
            await hub._bring_back()
        except BaseException:
            await store.close()
            await accounts.close()
            raise
        hub.spawn(hub._prune())
        hub.spawn(sweep(lambda: hub.sockets.taken))
        return hub

    async def _bring_back(self) -> None:
        try:
            await self.tables.bring_back()
            running = await self.store.running()
        except StoreError as error:
            path = str(self.folder.log)
            raise OkeyError("store-corrupt", f"{path}: {error}", path=path) from error
        if running and not await self.accounts.users("", 1, 0):
            _log.warning("accounts-empty", tables=len(running))

    def spawn(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        """Run something beside everything else, until it is done or the server ends."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            _log.error("task-failed", trace=trace_of(error))

    # People -----------------------------------------------------------------------------------

    async def learn_names(self, people: Iterable[str]) -> None:
        """Have the names of people at hand."""
        unknown = [user for user in people if user not in self.names]
        if unknown:
            self.names.update(await self.accounts.names(unknown))

    def know(self, user: User) -> None:
        """Have a person's name at hand; whoever was deleted since it was looked up has none."""
        if self.names.get(user.id, "") is not None:
            self.names[user.id] = user.name

    async def session(self, token: str | None, *, even_banned: bool = False) -> Session | None:
        """The session of a token; OkeyError ``banned``, unless ``even_banned``."""
        if not token:
            return None
        session = await self.accounts.session(token, even_banned=even_banned)
        if session is not None:
            self.know(session.user)
        return session

    def enter(self, connection: Connection) -> None:
        """Have a socket closed when its session, or its person, is shut out."""
        if connection.user is not None:
            self._connections.setdefault(connection.user, set()).add(connection)

    def leave(self, connection: Connection) -> None:
        """A socket is gone."""
        own = self._connections.get(connection.user or "")
        if own is not None:
            own.discard(connection)
            if not own and connection.user is not None:
                del self._connections[connection.user]

    def disconnect(
        self, user: str, code: int, reason: str, *, only: str | None = None, but: str | None = None
    ) -> None:
        """End every socket of a person: ``only`` of one session, or of all ``but`` one."""
        for connection in [*self._connections.get(user, ())]:
            if connection.session != but and only in (None, connection.session):
                connection.close(code, reason)

    async def close_ended(self, user: str) -> None:
        """End the sockets of a person's sessions that have ended, pushed out by a new one."""
        if user in self._connections:
            alive = {session.id for session in await self.accounts.sessions(user)}
            for connection in [*self._connections.get(user, ())]:
                if connection.session not in alive:
                    connection.close(CLOSE_SIGNED_OUT, "signed-out")

    async def renamed(self, user: User) -> None:
        """Have the tables where a person sits show the new name."""
        self.names[user.id] = user.name
        for table in self.tables.of(user.id):
            with contextlib.suppress(OkeyError):  # one that can't tell it now shows it later
                await table.renamed(user.id)

    async def leave_everywhere(self, user: str) -> None:
        """Give up every seat of a person, at tables that are still being loaded as well.

        OkeyError ``draining``, or ``store-failed`` where some table can't store it now: then the
        seats at the others are given up all the same. A frozen table stays as it is.
        """
        await self.tables.wait_back()
        failed: OkeyError | None = None
        for table in self.tables.of(user):
            try:
                await table.remove(user)
            except OkeyError as error:
                if error.code not in ("table-frozen", "table-closed"):
                    failed = error
        if failed is not None:
            raise failed

    # Matches ----------------------------------------------------------------------------------

    def _match_over(self, state: TableState) -> None:
        saves = self._saves.setdefault(state.table, set())
        task = self.spawn(self._save(state))
        saves.add(task)
        task.add_done_callback(lambda task: self._saved(state.table, task))

    def _saved(self, table: str, task: asyncio.Task[None]) -> None:
        saves = self._saves[table]
        saves.discard(task)
        if not saves:
            del self._saves[table]

    async def close_table(self, table: str) -> None:
        """Close a table for the administrator once its matches are kept.

        OkeyError as of :meth:`Tables.close`: ``accounts-failed`` where that takes long.
        """
        try:
            await self.tables.close(table)
        except OkeyError as error:
            if error.code != "accounts-failed":
                raise
            if saves := self._saves.get(table):
                await asyncio.wait([*saves], timeout=_SAVE_AGAIN_S)
            await self.tables.close(table)

    def _may_close(self, table: str) -> bool:
        """Whether a table's matches are all kept; a closed table is not looked at again."""
        return table not in self._saves

    async def _save(self, state: TableState) -> None:
        """Keep a finished match; the log has it whatever happens here."""
        record = b""
        results = tuple(p.deal.result for p in state.played if p.deal.result is not None)
        while True:
            try:
                record = record or await self.records.run(lambda: _encoded(state))
                await self.accounts.save_match(
                    table_id=state.table,
                    number=state.match,
                    finished_ms=state.at_ms,
                    preset=state.rules.preset_name,
                    deals=len(state.played),
                    seats=[MatchSeat(user=s.user, bot=s.bot) for s in state.seats],
                    totals=totals_of(state.rules, results),
                    record=record,
                    shown_ms=shown_from_ms(state),
                )
            except OkeyError as error:
                if error.code == "accounts-closed":
                    return  # it is saved when the table comes back
                _log.error("match-not-saved", table=state.table, code=error.code)
                await asyncio.sleep(_SAVE_AGAIN_S)
            else:
                return

    def _table_closed(self, table: str) -> None:
        self.tables.forget(table)  # its matches are still being kept, if they are not yet

    async def _prune(self) -> None:
        while True:
            await asyncio.sleep(_PRUNE_S)
            try:
                await self.accounts.prune()
            except OkeyError as error:
                _log.warning("prune-failed", code=error.code)
            if self.tables.back:
                self.forget_names()

    def forget_names(self) -> None:
        """Let go of the names of those who are neither connected nor at a table any more."""
        here = {*self._connections}
        for table in self.tables:
            here.update(table.known)
        for user in [user for user in self.names if user not in here]:
            del self.names[user]

    # Operations -------------------------------------------------------------------------------

    @property
    def ready(self) -> bool:
        """Whether the server can do all it should."""
        healthy = self.store.healthy and self.accounts.healthy
        return healthy and self.tables.back and not self.draining

    def _gauge(self) -> None:
        stages, frozen, people, bots = self.tables.counts()
        self.metrics.tables(stages, frozen=frozen)
        self.metrics.seats(people=people, bots=bots)
        self.metrics.sockets(self.sockets.taken)
        self.metrics.log_queue(self.store.stats.waiting)

    async def drain(self) -> None:
        """Store what was accepted, tell everybody, and take no more."""
        if self.draining:
            return
        self.draining = True
        await self.tables.drain()
        for table in self.tables:
            for viewer in table.viewers:
                viewer.close(CLOSE_RESTART, RESTARTING)

    async def close(self) -> None:
        """Drain, and let go of the files."""
        await self.drain()
        saving = [task for saves in self._saves.values() for task in saves]
        if saving:
            await asyncio.wait(saving, timeout=_SAVE_AGAIN_S)
        for task in [*self._tasks]:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.store.close()
        await self.replays.close()
        await self.records.close()
        await self.accounts.close()
