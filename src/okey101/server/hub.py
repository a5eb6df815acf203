"""What all parts of a running server share: its store, its people, its tables, its limits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final, Self

from okey101 import __version__
from okey101.server.cluster.links import App
from okey101.server.cluster.nodes import Cluster, Parts
from okey101.server.files.data_dir import Folder, Keys, open_folder
from okey101.server.net.heartbeat import Heartbeat
from okey101.server.net.limits import Connections
from okey101.server.net.web_push import PushService
from okey101.server.ops.gc_tuning import step, sweep
from okey101.server.ops.journal import SERVER, Journal, Reports
from okey101.server.ops.logs import logger, utc_ms
from okey101.server.ops.metrics import Metrics
from okey101.server.ops.outages import SlowStore
from okey101.server.people.allowances import Allowances, InFlight
from okey101.server.people.days import Days
from okey101.server.people.families import Waiting
from okey101.server.people.match_keeper import MatchKeeper
from okey101.server.people.match_reviews import Reviews
from okey101.server.people.names import read_refused_names
from okey101.server.people.persons import NameLookups
from okey101.server.people.service import Accounts
from okey101.server.presence import Presence
from okey101.server.settings import Settings
from okey101.server.store import AnyStore, open_store
from okey101.server.store.archive import archive
from okey101.server.store.lost import Findings
from okey101.server.store.public_log import LogKey, PublicLog
from okey101.server.store.scrubber import LogScan
from okey101.server.tables.broadcast import ResumeTokens
from okey101.server.tables.dependencies import Dependencies
from okey101.server.tables.quick import QuickTables
from okey101.server.tables.registry import Tables
from okey101.server.tables.snapshots import Snapshots
from okey101.server.work.bot_thoughts import Thinkers
from okey101.server.work.served_bots import ServedBots
from okey101.server.work.tasks import Tasks, Worker

_log = logger(__name__)
_REPLAYS_WAITING: Final = 64


class Hub:
    """A server's parts, opened together and closed together."""

    def __init__(
        self, settings: Settings, folder: Folder, store: AnyStore, accounts: Accounts,
        metrics: Metrics, heart: Heartbeat, keys: Keys, cluster: Cluster | None,
    ) -> None:  # fmt: skip
        self.settings = settings
        self.folder = folder
        self.store = store
        self.accounts = accounts
        self.metrics = metrics
        self.heart = heart
        self.admin_token = folder.admin_token()
        self.journal = Journal(store)
        self.reports = Reports(store)
        self.keys = keys
        self.cluster = cluster
        self.draining = False
        self.names = NameLookups(accounts.names)
        self.allowances = Allowances(settings)
        self.connections = Connections(*([partial(cluster.tell, "closed")] if cluster else []))
        push = PushService(keys.push, settings.push_hosts, settings.public_url)
        self.push = push if settings.web_push == "on" else None
        self.in_flight = InFlight()
        self.tasks = Tasks()
        self.waiting = Waiting(accounts.families, self.names, self.tasks, self.push)
        self.findings = Findings(folder.log, store.findings, self.tasks)
        self.public_log = PublicLog(store, LogKey(*keys.log), utc_ms, alone=cluster is None)
        self.matches = MatchKeeper(accounts, self.tasks, self.public_log.add, self.connections.near)
        self.days = Days(accounts, self.matches, store, self.public_log, self.tasks, settings)
        self.replays = Worker("okey101-replays", 1, _REPLAYS_WAITING)
        """Where deals are gone through again, which would hold up the event loop."""
        self.reviews = Reviews(
            accounts, self.tasks, settings.review_processes, settings.review_worlds,
            settings.review_policy, cluster, share=settings.strength_share,
        )  # fmt: skip
        self.snapshots = Snapshots(
            store, on_kept=metrics.snapshot, on_refused=metrics.snapshot_refused
        )
        served = ServedBots(settings.bots, search=settings.search == "on")
        if settings.search == "on" and not served.searchers:
            _log.warning("search-missing")
        self.bots = Thinkers(settings.bot_processes, metrics.think, served)
        self.tables = Tables(
            self._dependencies(), settings, before_loading=self.names.learn, id_key=keys.server
        )
        self._forget_invitations = partial(
            accounts.invitations.forget_closed, self.tables, store, alone=cluster is None
        )
        self.quick = QuickTables(self.tables, utc_ms, self.tasks, store)
        self.presence = Presence(
            self.tables, self.quick, self.connections, self.names, cluster, self.checks,
            self.allowances.sockets, self.matches.wait,
        )  # fmt: skip
        self.slow_store = SlowStore(lambda: store.age, settings.store_slow_s, self.tables.tell_slow)
        self.scan = LogScan()

    def _dependencies(self) -> Dependencies:
        settings, metrics = self.settings, self.metrics
        return Dependencies(
            store=self.store,
            now_ms=utc_ms,
            called=self.names.called,
            bot_delay=settings.bot_delay_ms / 1000,
            dealing=settings.dealing_s,
            absence=settings.absence_s,
            idle_close=settings.idle_close_s,
            on_match=self.matches.keep,
            on_round=self.matches.round_begun,
            on_sat=self.waiting.sat,
            on_closed=self._table_closed,
            may_close=self.matches.kept,
            bots=self.bots,
            on_events=metrics.events,
            on_round_over=metrics.round,
            on_step=step,
            heart=self.heart,
            snapshots=self.snapshots,
            resume_tokens=ResumeTokens(self.keys.heads),
            lost=self.findings.by_table,
            on_lost=self.findings.rows_lost,
            **({} if self.cluster is None else self.cluster.hooks()),
        )

    @classmethod
    async def open(
        cls, settings: Settings, metrics: Metrics, heart: Heartbeat | None = None
    ) -> Self:
        """Open the files, and begin to bring the tables back.

        ``heart`` begins to beat, and stops when the hub is closed. OkeyError where a file can't be
        used.
        """
        folder = open_folder(settings.data)
        keys = folder.keys()
        store = await open_store(
            settings.database, folder.log,
            on_commit=metrics.commit, shared=settings.litestream == "on",
        )  # fmt: skip
        cluster = None
        try:
            refused = await asyncio.to_thread(read_refused_names, settings.refused_names)
            alone = settings.database is None
            accounts = await Accounts.open(store, refused=refused, alone=alone, now_ms=utc_ms)
            if settings.database is not None:
                cluster, keys = await Cluster.open(settings, keys, store)
            folder.keep(keys)  # all nodes' own, so that any folder can go on alone
            hub = cls(
                settings, folder, store, accounts, metrics, heart or Heartbeat(), keys, cluster,
            )  # fmt: skip
            await hub.quick.load()
            if cluster is None:
                await hub.tables.bring_back()
        except BaseException:
            if cluster is not None:
                await cluster.close()
            await store.close()
            raise
        hub.heart.on_pause = lambda _: hub.tasks.spawn(hub.tables.look())
        hub.heart.start()
        for work in (
            partial(accounts.prune_often, hub.presence.forget_names), hub.slow_store.watch,
            hub.snapshots.run, hub.public_log.run,
            partial(sweep, lambda: hub.allowances.sockets.taken), hub.days.run,
            *((hub.reviews.weigh,) if hub.reviews.weighing == "shared" else ()),
        ):  # fmt: skip
            hub.tasks.keep(work)
        hub.tasks.spawn(hub._look_through())
        hub.tasks.spawn(hub._forget_invitations())
        async with hub.journal.noted("start", who=SERVER, version=__version__):
            return hub

    async def join(self, app: App) -> None:
        """Be one of the nodes of a cluster, if there is one; OkeyError as :meth:`Cluster.join`."""
        if self.cluster is not None:
            parts = Parts(
                self.tables, self.connections, self.names, self.presence.answered,
                self.reviews.possible, self.in_flight.shut,
            )  # fmt: skip
            await self.cluster.join(app, parts)

    def checks(self) -> dict[str, bool]:
        """What all has to hold for a server that can do all it should."""
        node = {} if self.cluster is None else {"node": self.cluster.membership.alive}
        return node | {
            "log": self.store.healthy and not self.slow_store.slow and not self.scan.damaged,
            "tables": self.tables.back,
            "whole": self.findings.whole,
            "open": not self.draining,
        }

    async def _look_through(self) -> None:
        """Archive, and look through the file, once the tables people wait for are back."""
        await self.tables.brought()
        for table in self.tables:
            self.matches.round_begun(table.state)
        self.tasks.keep(partial(archive, self.days.archive_step, self.settings.archive_days))
        if self.bots.served.searchers:
            self.bots.searcher.start()
        await self.scan.run(self.store.look, self.metrics.log_scrubbed)
        if self.scan.damaged or not self.findings.whole:
            await self.matches.make_again(self.store)

    def _table_closed(self, table: str) -> None:
        if (closed := self.tables.loaded(table)) is not None:
            self.quick.closed(closed)
        if self.cluster is not None:
            self.cluster.closed(table)
        self.tables.forget(table)  # if its matches are not kept yet, that goes on
        self.tasks.spawn(self._forget_invitations([table]))

    async def drain(self, shut: Callable[[], None] = lambda: None) -> None:
        """Store what was accepted, tell everybody, and take no more.

        ``shut`` has the server take no more connections, where other nodes do.
        """
        if self.draining:
            return
        self.draining = True
        async with self.journal.noted("drain", who=SERVER):
            if self.cluster is not None:
                await self.cluster.hand_over(shut)
            await self.tables.drain()
        if self.cluster is not None:
            await self.cluster.membership.leave()
        self.tables.part()

    async def close(self) -> None:
        """Drain, and let go of the files."""
        await self.drain()
        self.heart.stop()
        if self.cluster is not None:
            await self.cluster.close()
        await self.matches.wait()
        await self.tasks.cancel()
        await self.accounts.close()
        await self.store.close()
        await self.replays.close()
        await self.bots.close()
        await self.matches.records.close()
