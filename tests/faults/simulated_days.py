"""Days of a server in a simulated world: its own store, mark, archive, snapshots, restore and start
on a disk that fails, with people who play by script; then an independent look at what is left.

All of a day follows from its seed: the loop has a clock of its own, the store's thread runs when
the loop lets it, and what is drawn at random is drawn from one generator. On a sound day the disk
keeps what it has synced, whatever else happens: nothing that was acknowledged may be missing, and
nothing may be told to be missing. On a bad day it does not: what is missing must be told.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import gc
import hashlib
import json
import os
import random
import shutil
import sqlite3
import sys
import tempfile
import threading
import warnings
from collections import Counter
from collections.abc import Callable, Generator
from concurrent.futures import Future
from functools import cache, partial
from heapq import heappop
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, NamedTuple
from unittest import mock

import structlog.testing
from greenlet import greenlet  # type: ignore[import-untyped]
from sqlalchemy import Engine
from sqlalchemy.pool import StaticPool

from conftest import unwrap
from faults.audit import Audit, Mark, copied, difference
from faults.simulated_disk import Disk, Killed
from faults.tally import Outcome, Tally, asked, go_on, in_order
from okey101.errors import OkeyError
from okey101.server.hub import Hub
from okey101.server.ops.metrics import Metrics
from okey101.server.people import database
from okey101.server.people.database import engine_of
from okey101.server.people.models import FOREVER
from okey101.server.protocol import TableOptions, checked_options, client_messages as ask
from okey101.server.settings import Settings, load_settings
from okey101.server.store import SqliteStore, StoreError, file, lost, sqlite as store_module
from okey101.server.store.erased import erased_in, erasure_of
from okey101.server.store.restore import restore_log
from okey101.server.tables import clocks, command_handler
from okey101.server.tables.table import Table
from okey101.solver.tables import load_tables
from server.contributions import Contributions
from server.model import Model
from server.server_stories import wish
from server.simulation import VirtualLoop

__all__ = ["PLANTED", "Day", "folder", "main", "run"]

_EPOCH_MS: Final = 1_800_000_000_000
_PEOPLE: Final = 4
_REFUSED_STARTS: Final = frozenset(
    {"store-unwritable", "store-corrupt", "store-not-ours", "accounts-failed", "bad-admin-token"}
)

_NEWER: Final = "store-newer"
"""One bit of a file's head tells which version it is of."""


# Time and threads ---------------------------------------------------------------------------------


class _Thread:
    """A thread that runs only while the loop has handed over to it."""

    def __init__(self, loop: Loop, target: Callable[[], None]) -> None:
        self.loop = loop
        self.wakes_at: float | None = None
        """When it runs next; None while it waits to be woken."""
        self._target = target
        self._green = greenlet(self._run)

    @property
    def over(self) -> bool:
        return bool(self._green.dead)

    def start(self) -> None:
        self.wakes_at = self.loop.now
        self.loop.threads.append(self)

    def join(self) -> None:
        while not self.over:
            self.loop.step_threads()

    def slice(self) -> None:
        """Let it run until it waits; called by the loop."""
        self.loop.running = self
        self._green.switch()
        self.loop.running = None

    def pause(self, until: float | None) -> None:
        """Let others run; called by the thread."""
        self.wakes_at = until
        unwrap(self._green.parent).switch()
        if self.loop.disk.dead:
            raise Killed

    def _run(self) -> None:
        with contextlib.suppress(Killed):
            self._target()


class _Condition:
    """A condition of which no lock is needed: one thread runs at a time."""

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self._waiting: list[_Thread] = []

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        return None

    def wait(self) -> None:
        thread = self._loop.running
        assert thread is not None
        self._waiting.append(thread)
        thread.pause(None)

    def notify(self) -> None:
        if self._waiting:
            self._waiting.pop(0).wakes_at = self._loop.now


class _Inline:
    """An executor whose work is done at once."""

    def __init__(self, *_: object, **__: object) -> None:
        pass

    def submit(self, job: Callable[..., Any], *args: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(job(*args))
        except Exception as error:  # whoever waits for it is told
            done.set_exception(error)
        return done

    def shutdown(self, **_: object) -> None:
        """There is nothing to end."""


class Loop(VirtualLoop):
    """The loop of one process: what is ready in its order, and the threads in between."""

    def __init__(self, seed: int, disk: Disk, now: float) -> None:
        super().__init__(seed)
        self.now = now
        self.disk = disk
        self.threads: list[_Thread] = []
        self.running: _Thread | None = None
        """The thread that runs now, if any."""

    def sleep(self, seconds: float) -> None:
        if self.running is None:
            self.now += seconds
        else:
            self.running.pause(self.now + seconds)

    def run_in_executor(self, executor: object, func: Any, *args: Any) -> Any:  # type: ignore[override]
        """Do it in a turn of its own."""
        future = self.create_future()
        done = _Inline()

        def work() -> None:
            if future.cancelled():
                return
            outcome = done.submit(func, *args)
            error = outcome.exception()
            if error is None:
                future.set_result(outcome.result())
            else:
                future.set_exception(error)

        self.call_soon(work)
        return future

    def step_threads(self) -> None:
        """Let a thread run although the loop stands still."""
        self.threads = [one for one in self.threads if not one.over]
        waking = [one.wakes_at for one in self.threads if one.wakes_at is not None]
        assert waking, "a thread is waited for that nobody will wake"
        self.now = max(self.now, min(waking))
        self._slice()

    def _due(self) -> list[_Thread]:
        return [
            one
            for one in self.threads
            if not one.over and one.wakes_at is not None and one.wakes_at <= self.now
        ]

    def _slice(self) -> None:
        self.random.choice(self._due()).slice()
        if self.disk.dead:
            raise Killed

    def _run_once(self) -> None:
        timers = self._scheduled
        while timers and timers[0].cancelled():
            heappop(timers)
        due = self._due()
        if not self._ready and not due:
            times = [one.wakes_at for one in self.threads if not one.over and one.wakes_at]
            times += [timers[0].when()] if timers else []
            self.now = max(self.now, min(times))
            due = self._due()
        while timers and timers[0].when() <= self.now:
            self._ready.append(heappop(timers))
        if due and (not self._ready or self.random.random() < 0.5):
            self._slice()
        elif self._ready:
            handle = self._ready.popleft()
            if not handle.cancelled():
                handle._run()
        if self.disk.dead:
            raise Killed

    def end(self) -> None:
        """The process is gone: its threads end, and nothing of the loop runs any more."""
        self.disk.dead = True
        for thread in self.threads:
            while not thread.over:
                thread.slice()
        self.set_exception_handler(lambda *_: None)
        self._ready.clear()
        self._scheduled.clear()
        self.close()
        for task in asyncio.all_tasks(self):
            with contextlib.suppress(BaseException):  # it can't even end in good order
                task.get_coro().close()
        gc.collect()  # whatever comes later would act on the next process's disk


# What all lives have in common --------------------------------------------------------------------


_metrics: Final = cache(Metrics)


@cache
def _engine() -> Engine:
    made = engine_of(sqlite3.connect(":memory:"))
    made.connect().close()  # it learns what library it has
    return made


def _engine_over(conn: sqlite3.Connection) -> Engine:
    """As ``engine_of`` makes it; but each statement is compiled once, and not in each life."""
    made = copy.copy(_engine())
    made.pool = StaticPool(lambda: conn, reset_on_return=None, dialect=made.dialect)  # type: ignore[arg-type]
    return made


def warm_up() -> None:
    """Have what a first day leaves in memory there before the collector is told to leave it."""
    load_tables()
    run(0, short=True)
    gc.collect()


# People -------------------------------------------------------------------------------------------


class Player:
    """Somebody at one table, who believes what was told and sends again what was not answered."""

    def __init__(self, day: Day, table: str, user: str) -> None:
        self.table = table
        self.user: str | None = user
        self.options = False
        self.muted: set[str] = set()
        self.model = Model()
        self.host: Table | None = None
        self._day = day
        self._pending: ask.Logged | None = None
        self.contributions = Contributions(random.Random(day.random.random()), whims=True)

    def send(self, data: bytes) -> None:
        message = json.loads(data)
        if message["type"] == "frozen":
            self._day.frozen.add(self.table)
        self.model.take(message)
        told = self._day.told
        told[self.table] = max(told.get(self.table, 0), self.model.seq)

    def close(self, code: int, reason: str) -> None:
        self.host = None

    async def play(self, hub: Hub) -> None:
        """Play until the process ends."""
        rng = self._day.random
        self.host = None
        while True:
            await asyncio.sleep(rng.choice((0.01, 0.3, 1.0)) * rng.random())
            try:
                await self._turn(hub)
            except OkeyError as error:
                self._day.met[error.code] += 1
                self._day.gone |= {self.table} if error.code in _GONE else set()
                await asyncio.sleep(rng.choice((0.5, 3.0)))

    async def _turn(self, hub: Hub) -> None:
        rng = self._day.random
        if self.host is None:
            found = await hub.tables.get(self.table)
            await hub.names.learn([unwrap(self.user)])
            known = self.model.seq if self.model.seq >= 0 else None
            await found.catch_up(known, self.model.head)
            self.host = found
            try:
                found.attach(self, known, self.model.head)
            except OkeyError:
                self.host = None
                raise
        if rng.random() < 0.03:
            self.host.detach(self)
            self.host = None
            return
        self._pending = self._pending or wish(self, self._day.rid(), rng)
        await self.insist(self._pending)

    async def insist(self, command: ask.Logged) -> None:
        """Send a command; what is refused for now is sent again later, with its mark."""
        day, host, user = self._day, self.host, self.user
        assert host is not None
        assert user is not None
        mark = Mark(self.table, user, command.rid)

        def ack(seq: int) -> None:
            day.note(f"{mark} is {seq}")
            if day.acknowledged.setdefault(mark, seq) != seq:
                day.problem(f"{mark} was acknowledged as {day.acknowledged[mark]} and as {seq}")

        try:
            await host.command(user, command, ack, ask.digest_of(command))
        except OkeyError as error:
            if error.code in _LATER:
                raise
            self._pending = None
            if mark not in day.acknowledged and error.code != "rid-used":
                day.refused[mark] = error.code
            return
        self._pending = None


_ROWS: Final = " UNION ALL ".join(
    f"SELECT table_id, seq, entry, last FROM {where}" for where in ("log", "archive")
)
_MATCHES: Final = "SELECT id, record FROM matches"
_USERS: Final = "SELECT id, name, banned_until FROM users"
_LATER: Final = ("store-failed", "draining", "table-frozen", "table-closed")
_GONE: Final = ("no-table", "log-truncated", "table-closed", "table-frozen")


# The day ------------------------------------------------------------------------------------------


@cache
def _settings() -> Settings:
    return load_settings(
        {
            "bot_processes": 0, "bot_delay_ms": 100, "absence_s": 30.0, "deal_pause_s": 1.0,
            "first_deal_wait_s": 1.0, "dealing_s": 1.0,
        }
    )  # fmt: skip


class _There(NamedTuple):
    ends: dict[str, int]
    marks: dict[Mark, int]
    """The row of each command, -1 for more than one."""
    closed: set[str]
    people: dict[str, str]
    bans: dict[str, bool]
    matches: dict[str, bytes]


class Day:
    """What one seed makes of a server, and what is wrong with it in the end."""

    def __init__(self, seed: int, root: Path, plant: str = "", *, short: bool = False) -> None:
        self.plant, self.short = plant, short
        self.random = random.Random(seed)
        self.disk = Disk(root, self.random, self._sleep)
        self.root = root
        self.problems: list[str] = []
        self.acknowledged: dict[Mark, int] = {}
        self.refused: dict[Mark, str] = {}
        self.told: dict[str, int] = {}
        """The last row of each table that anybody was told of."""
        self.met: Counter[str] = Counter()
        self.ends: Counter[str] = Counter()
        self.gone: set[str] = set()
        """Tables that somebody was told can't be played any more."""
        self.frozen: set[str] = set()
        self.closed: set[str] = set()
        self.people: dict[str, str] = {}
        self.bans: dict[str, bool] = {}
        self.erased: set[str] = set()
        self.matches: dict[str, bytes] = {}
        """Records of matches that have to be there as they are, where that is looked at."""
        self.over: set[str] = set()
        """Matches that are over, once all rows were replayed."""
        self.players: list[Player] = []
        self.decays = self.random.random() < 0.25
        """Whether the disk may lie and lose bits."""
        self.bad = False
        """Whether it has: from then on losses have to be told."""
        self.untold = False
        """Whether something is lost of which nothing in the folder can tell."""
        self.refused_start = ""
        self.backups: list[Path] = []
        self.rows = 0
        """How many there were in the end, where they were replayed."""
        self.lacking: list[str] = []
        """What was missing before the last start."""
        self.noticed = False
        """Whether the server has told of any damage."""
        self._now = 0.0
        self._skew_ms = 0
        self._loop: Loop | None = None
        self._rids = 0
        self.story: list[str] = []
        """What happened, in order."""

    # What the world is asked ------------------------------------------------------------------

    def now_ms(self) -> int:
        now = self._now if self._loop is None else self._loop.now
        return _EPOCH_MS + self._skew_ms + int(now * 1000)

    def rid(self) -> str:
        self._rids += 1
        return f"r{self._rids}"

    def note(self, text: str) -> None:
        self.story.append(text)

    def problem(self, text: str) -> None:
        self.note(text)
        self.problems.append(text)

    @property
    def digest(self) -> str:
        return hashlib.blake2b("\n".join(self.story).encode(), digest_size=8).hexdigest()

    def _sleep(self, seconds: float) -> None:
        if self._loop is None:
            self._now += seconds
        else:
            self._loop.sleep(seconds)

    # Lives of the server ----------------------------------------------------------------------

    def run(self) -> None:
        rng = self.random
        with self.world():
            for _ in range(1 if self.short else rng.choice((1, 2, 2, 3))):
                self._trouble()
                if not self._live(rng.choice((1.0, 2.0) if self.short else (1.0, 3.0, 3.0, 12.0))):
                    break
                self._between()
            self.disk.faults = {}
            if not self.refused_start:
                self._last()

    def grow(self, yesterday: Path, *, lives: tuple[float, float] = (45.0, 60.0)) -> None:
        """Two lives without trouble; the folder is copied between them, the second is cut short."""
        with self.world():
            self._live(lives[0])
            shutil.copytree(self.root / "data", yesterday)
            self.disk.revive()
            self.disk.kill_at = 1_500
            self._live(lives[1])
        self.matches = self._there().matches

    def follow(self, other: Day) -> None:
        """Expect what another day has left, its disk having been damaged since."""
        for what in ("acknowledged", "told", "people", "bans", "closed", "matches", "erased"):
            setattr(self, what, copy.copy(getattr(other, what)))
        self._now, self._rids, self.bad = other._now, other._rids, True
        for one in other.players:
            player = Player(self, one.table, unwrap(one.user))
            player.model = copy.deepcopy(one.model)
            self.players.append(player)
        with self.world():
            self._last()

    @contextlib.contextmanager
    def world(self) -> Generator[None]:
        """Have the server's clocks, threads, disk and what is drawn be those of this day."""
        with structlog.testing.capture_logs() as lines, self._patched():
            yield
        for line in lines:
            if line.get("trace") or line.get("exc_info"):  # a fault of its own
                self.problem(f"the server logs {line}")

    @contextlib.contextmanager
    def _patched(self) -> Generator[None]:
        def monotonic() -> float:
            return self._now if self._loop is None else self._loop.now

        fake = SimpleNamespace(
            Condition=lambda: _Condition(self._here()),
            Thread=lambda target, **_: _Thread(self._here(), target),
            Event=threading.Event,
        )
        with contextlib.ExitStack() as stack:

            def change(target: object, name: str, value: object) -> None:
                stack.enter_context(mock.patch.object(target, name, value))

            change(store_module, "threading", fake)
            change(store_module, "Future", lambda: _Opened(self._here()))
            for name, module in [*sys.modules.items()]:
                if not name.startswith("okey101.server"):
                    continue
                for known, other in (
                    ("monotonic", monotonic), ("perf_counter", monotonic),
                    ("ThreadPoolExecutor", _Inline), ("utc_ms", self.now_ms),
                    ("step", lambda: None),  # what a killed process leaves has to be found
                ):  # fmt: skip
                    if known in vars(module):
                        change(module, known, other)
            for module in clocks, command_handler:  # what a row says, which any program replays
                change(module, "STAND_IN", "random")  # it thinks least
            change(os, "urandom", self.random.randbytes)
            change(random, "_urandom", self.random.randbytes)
            change(tempfile, "tempdir", str(self.root))
            change(database, "engine_of", _engine_over)
            change(sys, "unraisablehook", lambda _: None)
            stack.enter_context(warnings.catch_warnings(action="ignore"))
            if self.plant:
                change(*PLANTED[self.plant]())
            yield

    def _here(self) -> Loop:
        assert self._loop is not None
        return self._loop

    def _trouble(self) -> None:
        """What this life will meet."""
        rng, disk = self.random, self.disk
        disk.revive()
        kinds = ("error", "full", "short", "slow")
        disk.faults = {
            kind: rng.choice((0.001, 0.003, 0.02)) for kind in kinds if rng.random() < 0.25
        }
        if self.decays and rng.random() < 0.3:
            disk.faults["lie"] = rng.choice((0.01, 0.3))
            self.bad = True
        if rng.random() < 0.7:
            disk.kill_at = rng.choice((rng.randint(1, 60), rng.randint(1, 300)))
        self._skew_ms += rng.choice((0, 0, rng.randint(-20_000, 20_000), 86_400_000 * 200))

    def _live(self, seconds: float, *, last: bool = False) -> bool:
        """One process from its start to its end; False where it refuses to start for good."""
        loop = self._loop = Loop(self.random.randrange(2**32), self.disk, self._now)
        way = "ended"
        try:
            with self.disk.used():
                try:
                    loop.run_until_complete(self._process(seconds, last=last))
                except Killed:
                    way = "killed"
                except (OkeyError, StoreError) as error:
                    code = getattr(error, "code", "store-failed")
                    self.met[f"start refused: {code}"] += 1
                    way = "refused"
                    if code not in _REFUSED_STARTS and not (self.bad and code == _NEWER):
                        self.problem(f"the start fails: {error!r}")
                    if self.bad or last:
                        self.refused_start = code
                finally:
                    loop.end()
        finally:
            self._now = loop.now
            self._loop = None
        self.ends[way] += 1
        self.note(f"{way} at {loop.now:.3f}")
        return not self.refused_start

    async def _process(self, seconds: float, *, last: bool) -> None:
        settings = _settings().model_copy(update={"data": self.root / "data"})
        hub = await Hub.open(settings, _metrics())
        work = [asyncio.ensure_future(self._administer(hub))]
        work += [asyncio.ensure_future(one.play(hub)) for one in self._playing()]
        await asyncio.wait(work, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        for task in work:
            if task.done():
                task.result()
            task.cancel()
        if last:
            await self._look(hub)
        await hub.close()

    def _playing(self) -> list[Player]:
        return [one for one in self.players if one.table not in self.closed]

    # What people and the administrator do -----------------------------------------------------

    async def _administer(self, hub: Hub) -> None:
        """Have people come, tables opened and closed, somebody banned, copies made."""
        rng = self.random
        while True:
            await asyncio.sleep(rng.random())
            try:
                await self._deed(hub)
            except OkeyError as error:
                self.met[error.code] += 1
            if rng.random() < 0.02:
                self._skew_ms += rng.randint(-20_000, 20_000)

    async def _deed(self, hub: Hub) -> None:
        rng = self.random
        if len(self.people) < _PEOPLE:
            name = f"Oyuncu {len(self.people)} {self.rid()}"
            guest, _ = await hub.accounts.guest(name)
            self.people[guest.id] = name
            self.note(f"{guest.id} is {name}")
            return
        deed = rng.random()
        if deed < 0.01 or not self.erased:
            guest, _ = await hub.accounts.guest(f"Misafir {self.rid()}")
            await hub.accounts.delete(guest.id)
            self.erased.add(guest.id)
        elif len(self._playing()) < 6 or deed < 0.02:
            await self._open(hub)
        elif deed < 0.06:
            user = rng.choice([*self.people])
            on = not self.bans.get(user, False)
            self.bans.pop(user, None)  # until it is answered, either may be
            await hub.accounts.ban(user, FOREVER if on else None, "x" if on else None)
            self.bans[user] = on
        elif deed < 0.1 and self.players:
            table = rng.choice(self.players).table
            await hub.matches.close_table(hub.tables, table)
            self.closed.add(table)
        elif deed < 0.2:
            path = self.root / f"backup-{len(self.backups)}"
            await hub.store.backup(path)
            self.backups.append(path)

    async def _open(self, hub: Hub) -> None:
        rng = self.random
        players = rng.sample([*self.people], rng.choice((1, 2, 2)))
        bots = (None,) * len(players) + ("random",) * (2 - len(players))
        options = checked_options(
            TableOptions(
                rules={"preset": "wiki", "players": 2, "teams": False},
                deals=rng.choice((1, 1, 2)), clock=rng.choice((0, 5)), bots=bots,
            )
        )  # fmt: skip
        await hub.names.learn(players)
        table = (await hub.tables.create(players[0], options)).state.table
        self.told[table] = 1
        for user in players:
            player = Player(self, table, user)
            self.players.append(player)
            self._here().create_task(player.play(hub))

    # Between two lives ------------------------------------------------------------------------

    def _between(self) -> None:
        """The power goes, a disk decays, a copy is put back, or nothing of that happens."""
        rng, disk = self.random, self.disk
        if rng.random() < 0.5:
            disk.cut()
            self.note("cut")
            self.ends["power cut"] += 1
        if self.decays and rng.random() < 0.7:
            self._decay()
        if not self.bad:
            self.check()
        if self.backups and rng.random() < 0.3:
            self._restore()

    def _decay(self) -> None:
        rng = self.random
        files = [
            path
            for path in self.disk.paths()
            if path.parent.name == "data" and path.name.startswith("log.") and path.stat().st_size
        ]
        if not files:
            return
        path = rng.choice(files)
        at = rng.randrange(path.stat().st_size)

        def change(content: bytearray) -> None:
            if rng.random() < 0.5:
                content[at] ^= 1 << rng.randrange(8)
            else:
                content[at : at + 64] = bytes(len(content[at : at + 64]))

        self.disk.alter(path, change)
        self.bad = True
        self.ends["damage"] += 1
        self.note(f"damage {path.name} {at}")

    def _restore(self) -> None:
        """Put a copy back; what was there is not expected any more where that is told."""
        log = self.root / "data" / "log.sqlite"
        source = self.random.choice(self.backups)
        self.disk.revive()
        self.disk.faults = {}
        with self.disk.used():
            try:
                done = restore_log(source, log, self.root / f"aside-{self.rid()}")
            except OkeyError as error:
                self.met[f"restore: {error.code}"] += 1
                if not self.bad:
                    self.problem(f"a sound copy is refused: {error}")
                return
        self.ends["restore"] += 1
        self.note(f"restored {done}")
        there = self._there()
        if done.goes_on and not self.bad:
            self.check()
        lost = {table for table, seq in self.told.items() if there.ends.get(table, 0) < seq}
        for _, wanted, has in self._compared(there)[:-1]:
            for one in [one for one, value in wanted.items() if has.get(one) != value]:
                del wanted[one]
        self.refused.clear()
        self.told = {table: min(seq, there.ends.get(table, 0)) for table, seq in self.told.items()}
        self.closed &= there.closed
        self.players = [one for one in self.players if one.table in there.ends]
        for one in self.players:
            if one.table in lost:
                one.model = Model()
                one._pending = None

    # What is left -----------------------------------------------------------------------------

    def _there(self) -> _There:
        """What is there now, from a copy of the file; sqlite3.Error for a damaged one."""
        with copied(self.root / "data") as conn:
            known = {name for (name,) in conn.execute("SELECT name FROM sqlite_schema")}
            rows = conn.execute(_ROWS).fetchall() if {"log", "archive"} <= known else []
            people = conn.execute(_USERS).fetchall() if "users" in known else []
            matches = conn.execute(_MATCHES).fetchall() if "matches" in known else []
            found = _There({}, {}, set(), {}, {}, dict(matches))
        for table, seq, entry, last in rows:
            found.ends[table] = max(found.ends.get(table, 0), seq)
            if last:
                found.closed.add(table)
            if b'"rid"' in entry:
                said = json.loads(entry)
                mark = Mark(table, said["user"], said["rid"])
                found.marks[mark] = -1 if mark in found.marks else seq
        for user, name, until in people:
            found.people[user], found.bans[user] = name, until is not None
        return found

    def missing(self) -> list[str]:
        """What was acknowledged or told, and isn't there; sqlite3.Error for a damaged file."""
        if not (self.root / "data" / "log.sqlite").exists():
            return ["the file"] if self.acknowledged or self.people else []
        there, found = self._there(), list[str]()
        for what, wanted, has in self._compared(there):
            found += [
                f"{what} {one} is {value}, and there it is {has.get(one)}"
                for one, value in wanted.items()
                if has.get(one) != value
            ]
        for mark, code in self.refused.items():
            if mark in there.marks:
                found.append(f"{mark} was refused ({code}), and is row {there.marks[mark]}")
        ends = {table: there.ends.get(table, 0) for table in self.told}
        short = [table for table, seq in self.told.items() if ends[table] < seq]
        found += [
            f"row {self.told[one]} of {one} was told: it ends at {ends[one]}" for one in short
        ]
        found += [f"{table} was closed" for table in self.closed - there.closed]
        lost = self.over - {*there.matches}
        return found + [f"match {match} is over, and is not in the history" for match in lost]

    def _compared(self, there: _There) -> list[tuple[str, dict[Any, Any], dict[Any, Any]]]:
        """What has to be there as it is, by what it is: what was told of it, and what is there."""
        return [
            ("row of", self.acknowledged, there.marks), ("person", self.people, there.people),
            ("ban of", self.bans, there.bans), ("match", self.matches, there.matches),
        ]  # fmt: skip

    def unnoted(self) -> list[str]:
        """Who was erased and stands in no list; a start mends what could not be written."""
        noted = erased_in(self.root / "data" / "log.sqlite")
        return [f"{user} was erased" for user in self.erased if erasure_of(user) not in noted]

    def check(self) -> None:
        """On a sound day nothing may be missing."""
        for one in self.missing()[:5]:
            self.problem(one)

    def _last(self) -> None:
        """The last life, on a disk that works: what is missing by now has to be told."""
        self.disk.revive()
        try:
            self.lacking = self.missing() if self.bad else []
        # Rows may not be what they were.
        except (sqlite3.Error, TypeError, ValueError, KeyError) as error:
            self.lacking = [f"the file can't be read: {error}"]
        self._live(0.5 if self.short else 3.0, last=True)
        if self.refused_start:
            if not self.bad:
                self.problem(f"a sound folder is refused: {self.refused_start}")
            return
        if not self.bad:
            self._audit()
            self.check()

    async def _look(self, hub: Hub) -> None:
        """Look at the server from within and from outside."""
        while not hub.scan.over:  # noqa: ASYNC110  # it tells nobody of its end
            await asyncio.sleep(1.0)
        found = await hub.matches.make_again(hub.store) + await hub.store.check()
        frozen = {one.state.table for one in hub.tables if one.frozen is not None}
        frozen |= {*hub.tables.unreadable}
        whole = hub.findings.whole and not hub.scan.damaged
        if not self.bad:
            if found or frozen or not whole:
                self.problem(f"a sound file is said to be damaged: {found[:3]} {frozen} {whole}")
            for one in self.unnoted():
                self.problem(one)
            self._compare(hub)
        else:
            self.noticed = bool(found or frozen or not whole)
            if self.noticed:
                return
            if lost := self.unnoted() + (self.missing() if self.lacking else []):
                if self._nothing_knows():
                    self.untold = True
                else:
                    self.problem(f"lost in silence: {lost[:3]}")

    def _nothing_knows(self) -> bool:
        """Whether a power cut took what the log had and its mark knew of it, or what was told."""
        names = {Path(path).name for path in self.disk.forgot}
        log = any(name.startswith("log.sqlite") for name in names)
        return "log.lost" in names or ("log.mark" in names and log)

    def _compare(self, hub: Hub) -> None:
        """Who is at a table knows what it shows."""
        for player in self.players:
            host = player.host
            there = hub.tables.loaded(player.table)
            if host is None or host.frozen is not None or there is not host:
                continue
            fresh = Model()
            seat = host.state.seat_of(player.user)
            shown = host.state if seat is not None else host.audience.feed.shown
            fresh.take(json.loads(host.audience._view_at(shown, seat)))
            if not player.model.same(fresh):
                self.problem(f"{player.user} knows otherwise: {difference(player.model, fresh)}")

    def _audit(self) -> None:
        """All rows replayed by another program, and every match in its place."""
        audit = Audit({})
        audit.read(self.root / "data", whole=True)
        audit.check(self.acknowledged, self.refused, self.closed)
        self.rows = audit.rows
        for one in audit.problems[:5]:
            self.problem(one)
        self.over = {*audit.matches}


class _Opened(Future[None]):
    """What is known once a store is open; whoever waits lets its thread run."""

    def __init__(self, loop: Loop) -> None:
        super().__init__()
        self._world = loop

    def result(self, timeout: float | None = None) -> None:
        while not self.done():
            self._world.step_threads()
        return super().result(timeout)


@contextlib.contextmanager
def folder() -> Generator[Path]:
    """A folder in memory."""
    base = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(prefix="okey101-day-", dir=base) as made:
        yield Path(made)


def run(seed: int, plant: str = "", *, short: bool = False) -> Day:
    with folder() as root:
        day = Day(seed, root, plant, short=short)
        day.run()
    return day


# Faults that must be found ------------------------------------------------------------------------

_Change = tuple[object, str, object]


def _sync_left_out() -> _Change:
    """Rows are acknowledged before they are on the disk."""
    lax = tuple(one.replace("synchronous = FULL", "synchronous = NORMAL") for one in file._DURABLE)
    return file, "_DURABLE", lax


def _mark_before_the_commit() -> _Change:
    """What ends between the two is told to be lost, and was never there."""
    judged = SqliteStore._judge

    def judge(store: SqliteStore, conn: sqlite3.Connection, batch: Any) -> Any:
        rows, heads, answers = judged(store, conn, batch)
        if rows:
            position = file.position_in(conn) + len(rows)
            store._mark.committed(position, file.ends_of(rows))
        return rows, heads, answers

    return SqliteStore, "_judge", judge


PLANTED: Final[dict[str, Callable[[], _Change]]] = {
    "sync-left-out": _sync_left_out,
    "mark-before-commit": _mark_before_the_commit,
    # A file that ends too early is taken for one that ended there.
    "torn-end": lambda: (lost, "missing", lambda *_: None),
}


# Many days ----------------------------------------------------------------------------------------


def _outcome(seed: int, plant: str, *, short: bool) -> Outcome:
    day = run(seed, plant, short=short)
    counts = Counter({f"server {way}": count for way, count in day.ends.items()})
    counts.update({f"disk: {what}": count for what, count in day.disk.met.items()})
    counts["bad days"] += day.bad
    counts["untold"] += day.untold
    counts["commands acknowledged"] += len(day.acknowledged)
    counts["rows replayed"] += day.rows
    if day.refused_start:
        counts[f"start refused for good: {day.refused_start}"] += 1
    return Outcome(dict(counts), day.problems)


def _page(tally: Tally) -> str:
    counts = Counter(tally.counts)
    bad, untold = counts.pop("bad days", 0), counts.pop("untold", 0)
    rows = "".join(f"| {what} | {count:,} |\n" for what, count in sorted(counts.items()))
    return _PAGE.format(
        days=tally.done, sound=tally.done - bad, bad=bad, untold=untold, rows=rows,
        hours=tally.seconds / 3600, problems=len(tally.problems), lines=tally.told("seed"),
        made=", ".join(tally.revisions),
    )  # fmt: skip


_PAGE: Final = """\
# Simulated days

{days:,} days of a server, each from its seed. The server's own store, mark, archive, snapshots,
restore and start run on a simulated disk: SQLite's files through a VFS in the very library that the
store uses, all others by way of `os`. People play by script, an administrator opens, closes, bans
and copies. The process is killed at any step, the power goes and takes what was not synced in part
or as a whole, calls fail, the disk is full, writes are short, syncs hang, clocks jump.

On {sound:,} sound days the disk kept what it had synced. There nothing that was acknowledged or
told may be missing, nothing may be told to be missing, and every row is replayed by another
program. On {bad:,} bad days the disk lied about a sync, or bits of a file were changed. There what
is missing must be told. On {untold:,} of them nothing in the folder could tell it: the disk had
lied about the log and its mark, or about the note of a loss, before the power went.

Made by `cd tests && ../.venv/bin/python -m faults.simulated_days --many 100000 --write
../benchmarks/simulation.md`, which goes on where it stopped, in {hours:.1f} hours of processor, at
{made}. One day again: `python -m faults.simulated_days --one 7`.

| what | how often |
| --- | ---: |
{rows}| **days on which something was wrong** | **{problems}** |

{lines}"""


def main() -> int:
    """Live through many days, or once more through one; 1 where something was wrong."""
    parser = asked(main.__doc__)
    parser.add_argument("--short", action="store_true", help="shorter days")
    parser.add_argument("--plant", choices=PLANTED, default="", help="a fault that must be found")
    args = parser.parse_args()
    warm_up()
    if args.one is not None:
        day = run(args.one, args.plant, short=args.short)
        print("\n".join(day.story), day.digest, sep="\n")
        return bool(day.problems)
    work = partial(_outcome, plant=args.plant, short=args.short)
    return go_on(work, args, _page, until_found=bool(args.plant))


if __name__ == "__main__":
    in_order()
    sys.exit(main())
