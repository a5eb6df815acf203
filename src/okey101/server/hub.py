"""What all parts of a running server share: its store, its people, its tables, its limits."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable
from hashlib import sha256
from typing import Final, Self

from msgspec import structs

from okey101 import __version__
from okey101.bots import searches_here
from okey101.errors import OkeyError
from okey101.server.accounts import Accounts, Session, User
from okey101.server.accounts.refused_names import read_refused_names
from okey101.server.accounts.walk import AccountsWalk
from okey101.server.allowances import Allowances
from okey101.server.archiving import archive
from okey101.server.bot_accounts import is_bot_account
from okey101.server.bot_thoughts import Thinkers
from okey101.server.clock import utc_ms
from okey101.server.close_codes import CLOSE_RESTART, CLOSE_SIGNED_OUT
from okey101.server.connections import Connections
from okey101.server.data_dir import Folder, open_folder
from okey101.server.departures import Departures, Times
from okey101.server.errors import refuse
from okey101.server.gc_tuning import step, sweep
from okey101.server.heartbeat import Heartbeat
from okey101.server.in_flight import Doings
from okey101.server.log_look import Look
from okey101.server.logs import logger
from okey101.server.match_keeper import MatchKeeper
from okey101.server.match_reviews import Reviews
from okey101.server.metrics import Metrics
from okey101.server.name_lookups import NameLookups
from okey101.server.protocol.client_messages import Logged, Sit
from okey101.server.reports import Reports
from okey101.server.served_bots import allow, searchers
from okey101.server.settings import Settings
from okey101.server.slow_store import SlowStore
from okey101.server.store import SqliteStore, StoreError
from okey101.server.store.lost import Shortfall, add_finding, findings_path
from okey101.server.store.walk import LogWalk
from okey101.server.tables.broadcast import slow_notice
from okey101.server.tables.heads import Heads
from okey101.server.tables.quick import QuickTables
from okey101.server.tables.registry import Tables
from okey101.server.tables.snapshots import Snapshots
from okey101.server.tables.surroundings import Loss, Surroundings
from okey101.server.tables.table import Table
from okey101.server.tasks import Tasks
from okey101.server.trail import SERVER, Trail
from okey101.server.worker import Worker

__all__ = ["RESTARTING", "Hub"]

RESTARTING: Final = "server-restarting"
"""The reason that goes with the close code of a restart."""
_PRUNE_S: Final = 6 * 3600.0
_REPLAYS_WAITING: Final = 64
_MOST_NAMED: Final = 100
_STUCK_S: Final = 1.0

_log = logger(__name__)


def _to_nobody(_: bool) -> None:  # the only thing there is to tell
    """Those at the tables play on without the accounts."""


class Hub:
    """A server's parts, opened together and closed together."""

    def __init__(
        self, settings: Settings, folder: Folder, store: SqliteStore, accounts: Accounts,
        metrics: Metrics, heart: Heartbeat,
    ) -> None:  # fmt: skip
        self.settings = settings
        self.folder = folder
        self.store = store
        self.accounts = accounts
        self.metrics = metrics
        self.heart = heart
        self.admin_token = folder.admin_token()
        self.trail = Trail(folder.path)
        self.reports = Reports(folder.path)
        self.device_key = sha256(b"device " + self.admin_token.encode()).digest()
        """Marks the browsers that an account knows."""
        self.draining = False
        self.findings = list(store.findings)
        """What is known to be missing from the log."""
        self._unwritten = 0
        """Findings whose file is not there yet: it is the file that says that nobody has looked."""
        for found in self.findings:
            tables = sorted(found.ends)[:_MOST_NAMED]
            if found.why == "log-truncated":
                _log.error("log-truncated", rows=found.rows, tables=tables)
            else:
                _log.warning("restored", rows=found.rows, tables=tables)
        self.names: dict[str, str | None] = {}
        """The names of everybody seen, by id; None for a person who is deleted."""
        self._lookups = NameLookups(accounts.names, self.names)
        self.allowances = Allowances(settings)
        self.connections = Connections()
        self.doings = Doings()
        self.tasks = Tasks()
        self.matches = MatchKeeper(accounts, self.tasks)
        self.replays = Worker("okey101-replays", 1, _REPLAYS_WAITING)
        """Where deals are gone through again, which would hold up the event loop."""
        self.reviews = Reviews(
            accounts, self.tasks, settings.review_processes, settings.review_worlds,
            settings.review_policy,
        )  # fmt: skip
        self.snapshots = Snapshots(
            store, on_kept=metrics.snapshot, on_refused=metrics.snapshot_refused
        )
        searches = settings.search == "on" and searches_here()
        if settings.search == "on" and not searches:
            _log.warning("search-missing")
        allow(settings.bots, search=searches)
        self.bots = Thinkers(settings.bot_processes, metrics.think)
        self.tables = self._tables()
        self._departures = Departures(folder.path)
        self.quick = QuickTables(self.tables, utc_ms, self._departures.read(), self._keep_left)
        self.slow_store = SlowStore(lambda: store.age, settings.store_slow_s, self._tell_slow)
        self.slow_accounts = SlowStore(
            lambda: accounts.age, settings.store_slow_s, _to_nobody, folder.accounts.name
        )
        self.log_look = Look("log", LogWalk(), store.look, metrics.log_looked)
        self.accounts_look = Look(
            "accounts", AccountsWalk(), accounts.look, metrics.accounts_looked
        )
        metrics.before_reading(self._gauge)

    def _tables(self) -> Tables:
        settings = self.settings
        return Tables(
            self._surroundings(),
            most=settings.max_tables,
            most_each=settings.max_tables_per_user,
            most_at=settings.max_tables_per_address,
            first_wait_ms=round(settings.first_deal_wait_s * 1000),
            pause_ms=round(settings.deal_pause_s * 1000),
            before_loading=self.learn_names,
            overloaded=self._overloaded,
            id_key=sha256(self.admin_token.encode()).digest(),
        )

    def _surroundings(self) -> Surroundings:
        settings, metrics = self.settings, self.metrics
        return Surroundings(
            store=self.store,
            now_ms=utc_ms,
            name_of=self.names.get,
            bot_delay=settings.bot_delay_ms / 1000,
            dealing=settings.dealing_s,
            absence=settings.absence_s,
            idle_close=settings.idle_close_s,
            on_match=self.matches.keep,
            on_closed=self._table_closed,
            may_close=self.matches.kept,
            bots=self.bots,
            on_row=step,
            on_events=metrics.events,
            heart=self.heart,
            snapshots=self.snapshots,
            heads=Heads(self.folder.heads_key()),
            lost=self._lost(),
            on_lost=self._rows_lost,
        )

    def _lost(self) -> dict[str, Loss]:
        """The last finding about each table."""
        return {
            table: Loss(found.why, end)
            for found in self.findings
            for table, end in found.ends.items()
        }

    def _rows_lost(self, table: str, end: int, seen: int) -> None:
        """A client has seen a row that the log lacks: remember it, lest a crash hide it again."""
        if any(found.ends.get(table) == end for found in self.findings):
            return
        _log.error("log-truncated", table=table, rows=max(seen - end, 1))
        found = Shortfall("log-truncated", utc_ms(), max(seen - end, 1), {table: end})
        self.findings.append(found)
        self._unwritten += 1
        self.tasks.spawn(self._note(found))

    async def _note(self, found: Shortfall) -> None:
        await asyncio.to_thread(add_finding, self.folder.log, found)
        self._unwritten -= 1

    @property
    def whole(self) -> bool:
        """Whether the log lacks nothing, as far as known, that nobody has looked into yet."""
        lost = any(found.why == "log-truncated" for found in self.findings)
        return not lost or not (self._unwritten or findings_path(self.folder.log).exists())

    @classmethod
    async def open(
        cls, settings: Settings, metrics: Metrics, heart: Heartbeat | None = None
    ) -> Self:
        """Open log and accounts, and begin to bring the tables back.

        ``heart`` begins to beat, and stops when the hub is closed.

        OkeyError where a file can't be used.
        """
        folder = open_folder(settings.data)
        store = await asyncio.to_thread(
            SqliteStore.open,
            folder.log,
            on_commit=metrics.commit,
            mirror=settings.mirror,
            mirror_when=settings.mirror_when,
        )
        try:
            refused = await asyncio.to_thread(read_refused_names, settings.refused_names)
            accounts = await Accounts.open(folder.accounts, refused=refused)
        except BaseException:
            await store.close()
            raise
        try:
            await accounts.invitations.load()
            hub = cls(settings, folder, store, accounts, metrics, heart or Heartbeat())
            await hub._bring_back()
        except BaseException:
            await store.close()
            await accounts.close()
            raise
        hub.heart.on_pause = hub._paused
        hub.heart.start()
        hub.tasks.spawn(hub._prune())
        hub.tasks.spawn(hub.slow_store.watch())
        hub.tasks.spawn(hub.slow_accounts.watch())
        hub.tasks.spawn(hub._look_through())
        hub.tasks.spawn(hub.snapshots.run())
        hub.tasks.spawn(hub._archive())
        hub.tasks.spawn(hub._drop_invitations())
        hub.tasks.spawn(sweep(lambda: hub.allowances.sockets.taken))
        async with hub.trail.noted("start", who=SERVER, version=__version__):
            return hub

    async def _bring_back(self) -> None:
        # Matches that the accounts lack are saved again by those who replay all rows.
        known = bool(await self.accounts.users("", 1, 0))
        self.snapshots.use = known
        try:
            await self.tables.bring_back()
        except StoreError as error:
            path = str(self.folder.log)
            raise OkeyError("store-corrupt", f"{path}: {error}", path=path) from error
        if len(self.tables) and not known:
            _log.warning("accounts-empty", tables=len(self.tables))

    async def _archive(self) -> None:
        await self.tables.brought()  # who wants to play goes first
        await archive(self.store.archive, self.settings.archive_days)

    async def _look_through(self) -> None:
        """Look through log and accounts, once the tables that people wait for are back."""
        await self.tables.brought()
        if searchers():
            self.bots.prepare()
        async with asyncio.TaskGroup() as group:
            group.create_task(self.log_look.run())
            group.create_task(self.accounts_look.run())

    # People -----------------------------------------------------------------------------------

    async def learn_names(self, people: Iterable[str]) -> None:
        """Have the names of people at hand."""
        await self._lookups.learn(people)

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
            if session.user.owner is not None and self.settings.bot_accounts == "off":
                refuse("bots-not-allowed")
            self.know(session.user)
        return session

    def checked_for_bots(self, user: str, command: Logged, table: Table) -> Logged:
        """A command as it is done; that of a bot to sit down leads to the seat it was invited to.

        OkeyError ``not-invited``, ``bot-needs-clock`` and ``too-many-seats``.
        """
        if not isinstance(command, Sit) or not is_bot_account(user):
            return command
        state = table.state
        if state.seat_of(user) is None:
            self.require_bot_room(user)
        if state.owner == user:
            return command
        invited = self.accounts.invitations.to(user, state.table)
        if invited is None or command.seat not in (None, invited.seat):
            refuse("not-invited")
        if not state.options.clock:
            refuse("bot-needs-clock")
        return structs.replace(command, seat=invited.seat)

    def require_bot_room(self, user: str) -> None:
        """OkeyError ``too-many-seats`` for a bot that plays at as many tables as it may."""
        limit = self.settings.bot_tables
        if is_bot_account(user) and len([*self.tables.of(user)]) >= limit:
            refuse("too-many-seats", limit=limit)

    async def shut_out_bot(self, bot: str) -> None:
        """Let a bot that was removed leave its seats, and end its sockets."""
        async with self.doings.shut(bot):
            await self.leave_everywhere(bot)
            self.names[bot] = None
            self.accounts.invitations.forget_bot(bot)
            self.connections.close(bot, CLOSE_SIGNED_OUT, "deleted")

    async def close_ended(self, user: str) -> None:
        """End the sockets of a person's sessions that have ended, pushed out by a new one."""
        if user in self.connections:
            alive = {session.id for session in await self.accounts.sessions(user)}
            self.connections.close_others(user, alive, CLOSE_SIGNED_OUT, "signed-out")

    async def renamed(self, user: User) -> None:
        """Have the tables where a person sits show the new name."""
        self.names[user.id] = user.name
        for table in self.tables.of(user.id):
            with contextlib.suppress(OkeyError):  # one that can't show it now shows it later
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

    # Tables -----------------------------------------------------------------------------------

    async def close_table(self, table: str) -> None:
        """Close a table for the administrator once its matches are kept.

        OkeyError as in :meth:`Tables.close`: ``accounts-failed`` where that takes long.
        """
        try:
            await self.tables.close(table)
        except OkeyError as error:
            if error.code != "accounts-failed":
                raise
            await self.matches.wait(table)
            await self.tables.close(table)

    def _table_closed(self, table: str) -> None:
        if (closed := self.tables.loaded(table)) is not None:
            self.quick.closed(closed)
        self.tables.forget(table)  # if its matches are not kept yet, that goes on
        if table in self.accounts.invitations.tables:
            self.tasks.spawn(self._drop_invitations())

    async def _drop_invitations(self) -> None:
        """Forget the invitations to tables that are no more; those that can't be now, later."""
        await self.tables.brought()
        found = self.accounts.invitations
        with contextlib.suppress(OkeyError):
            await found.forget_tables([one for one in found.tables if not self.tables.has(one)])

    def _keep_left(self, times: Times) -> None:
        self._departures.note(times)
        self.tasks.spawn(asyncio.to_thread(self._departures.write))

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
        here = {*self.connections}
        for table in self.tables:
            here.update(table.known)
        for user in [user for user in self.names if user not in here]:
            del self.names[user]

    def _overloaded(self) -> bool:
        """Whether those who play already would feel another table."""
        late = self.heart.lag * 1000 > self.settings.max_lag_ms
        return late or self.bots.behind > self.settings.max_bot_wait_s

    def _paused(self, _: float) -> None:
        self.tasks.spawn(self._after_pause())

    async def _after_pause(self) -> None:
        """Have every table whose clock runs tell of a pause, one after the other."""
        for table in self.tables:
            table.look()
            await asyncio.sleep(0)

    # Operations -------------------------------------------------------------------------------

    @property
    def ready(self) -> bool:
        """Whether the server can do all it should."""
        disk = self.store.healthy and not self.slow_store.slow and self.log_look.sound
        healthy = disk and self.accounts_answer
        return healthy and self.tables.back and self.whole and not self.draining

    @property
    def accounts_answer(self) -> bool:
        """Whether the accounts work, are sound as far as looked, and answer in time."""
        whole = self.accounts.healthy and self.accounts_look.sound
        return whole and not self.slow_accounts.slow

    def _gauge(self) -> None:
        stages, frozen, people, bots = self.tables.counts()
        self.metrics.tables(stages, frozen=frozen)
        self.metrics.seats(people=people, bots=bots)
        self.metrics.sockets(self.allowances.sockets.taken)
        self.metrics.log_queue(self.store.stats.waiting)
        self.metrics.log_whole(self.whole)
        self.metrics.log_age(self.store.age)
        self.metrics.accounts_age(self.accounts.age)

    def _tell_slow(self, slow: bool) -> None:  # the only thing there is to tell
        for table in self.tables:
            table.audience.send_all(slow_notice(slow=slow))

    @property
    def stuck(self) -> bool:
        """Whether the disk has left something waiting so long that nobody should wait with it."""
        return max(self.store.age, self.accounts.age) > min(_STUCK_S, self.settings.store_slow_s)

    def part(self) -> None:
        """Tell everybody that the server ends, without waiting for the disk."""
        for table in self.tables:
            for viewer in table.viewers:
                viewer.close(CLOSE_RESTART, RESTARTING)

    async def drain(self) -> None:
        """Store what was accepted, tell everybody, and take no more."""
        if self.draining:
            return
        self.draining = True
        async with self.trail.noted("drain", who=SERVER):
            await self.tables.drain()
        self.part()

    async def close(self) -> None:
        """Drain, and let go of the files."""
        await self.drain()
        self.heart.stop()
        await self.matches.wait()
        await self.tasks.cancel()
        await self.store.close()
        await self.replays.close()
        await self.bots.close()
        await self.matches.close()
        await self.accounts.close()
