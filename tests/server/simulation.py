"""A table in a simulated world: an event loop with a clock of its own, a store that fails as told,
and clients that believe only what they are sent.

Everything comes from one seed, so that a schedule that shows a fault can be run again.
"""

from __future__ import annotations

import asyncio
import copy
import dataclasses
import functools
import heapq
import inspect
import json
import random
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Mapping, Sequence
from hashlib import blake2b
from typing import Any, TypeVar

import structlog.testing

from conftest import unwrap
from game.random_play import check_state
from okey101.errors import OkeyError
from okey101.game import Phase
from okey101.server.protocol import client_messages as ask
from okey101.server.protocol.bot_labels import is_bot_account
from okey101.server.protocol.views import Called
from okey101.server.store import Row, StoreError
from okey101.server.tables import log_entries as log
from okey101.server.tables.clocks import rest_of_turn
from okey101.server.tables.dependencies import Dependencies
from okey101.server.tables.reduce import reduce
from okey101.server.tables.rows import read_first, state_hash
from okey101.server.tables.state import Stage, TableState
from okey101.server.tables.table import Table
from server.contributions import Contributions
from server.model import Model
from server.server_stories import EPOCH_MS, PEOPLE, Moment, story, table_options
from server.store.memory import MemoryStore, Step
from server.tables.table_stories import TABLE

T = TypeVar("T")
_SPINS = 50_000


class Stuck(AssertionError):
    """Nobody will ever wake the loop, or its clock stands still."""


class VirtualLoop(asyncio.BaseEventLoop):
    """Runs what is ready in a random order; its clock jumps to the next timer and never waits."""

    _ready: deque[asyncio.Handle]
    _scheduled: list[asyncio.TimerHandle]

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.random = random.Random(seed)
        self.now = 0.0
        self.failures: list[str] = []
        self._spins = 0
        self.set_exception_handler(self._failed)

    def time(self) -> float:
        return self.now

    def _failed(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.failures.append(f"{context['message']}: {context.get('exception')!r}")

    def call_at(  # type: ignore[override]  # as uvloop returns it, though asyncio promises more
        self, when: float, callback: Any, *args: Any, context: Any = None
    ) -> asyncio.Handle:
        """What is due already gets a handle that does not know its time."""
        if when <= self.now:
            return self.call_soon(callback, *args, context=context)
        return super().call_at(when, callback, *args, context=context)

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Cancelled timers are dropped once their time has come."""

    def _write_to_self(self) -> None:
        """There is no selector to wake."""

    def _run_once(self) -> None:
        """Run one handle: asyncio's order within a turn is one of many that could be."""
        timers = self._scheduled
        while timers and timers[0].cancelled():
            heapq.heappop(timers)
        self._spins += 1
        if not self._ready:
            if not timers:
                raise Stuck("nobody will ever wake this loop")
            if timers[0].when() > self.now:
                self.now = timers[0].when()
                self._spins = 0
        while timers and timers[0].when() <= self.now:
            self._ready.append(heapq.heappop(timers))
        if self._spins > _SPINS:
            raise Stuck("the clock stands still")
        chosen = self.random.randrange(len(self._ready))
        handle = self._ready[chosen]
        del self._ready[chosen]
        if not handle.cancelled():
            handle._run()


def stall(seconds: float) -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    loop.now += seconds


def simulate(main: Callable[[], Coroutine[Any, Any, T]], seed: int) -> T:
    """Run a coroutine in a simulated loop; AssertionError where something failed unheard."""
    loop = VirtualLoop(seed)
    with structlog.testing.capture_logs() as lines:
        try:
            result = loop.run_until_complete(main())
        finally:
            close(loop)
    heard(loop, lines)
    return result


def lent(
    test: Callable[..., object], run: Callable[..., None], count: int = 1
) -> Callable[..., None]:
    """``run`` as a test, in place of ``test``, to which it lends that many first arguments."""
    known = inspect.signature(test)
    functools.update_wrapper(run, test)
    vars(run)["__signature__"] = known.replace(parameters=[*known.parameters.values()][count:])
    return run


def close(loop: VirtualLoop) -> None:
    """End what still runs in a loop, and the loop."""
    while left := asyncio.all_tasks(loop):  # what ends may begin something
        for task in left:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
    loop.close()


def heard(loop: VirtualLoop, lines: Sequence[Mapping[str, object]]) -> None:
    """Fail for an exception that nobody caught, and for anything logged as an error."""
    assert not loop.failures, loop.failures
    errors = [line for line in lines if line["log_level"] in ("error", "critical")]
    assert not errors, errors


class FlakyStore(MemoryStore):
    """A log in memory whose steps take a while, and some of which fail.

    ``slow`` is the longest wait in seconds, ``trouble`` the chance that an append or a read fails;
    half of the appends that fail are stored all the same. A caller that is cancelled while it waits
    leaves its row on the way, as with a writing thread.
    """

    def __init__(self, rng: random.Random, *, slow: float = 0.0) -> None:
        super().__init__(self._waits)
        self.slow = slow
        self.trouble = 0.0
        self._random = rng
        self._writing: set[asyncio.Future[None]] = set()

    async def _waits(self, step: Step) -> None:
        await asyncio.sleep(self._random.random() * self.slow if self.slow else 0)
        if step == "read" and self._random.random() < self.trouble:
            raise StoreError("the log can't be read")

    async def append(self, row: Row) -> None:
        if self._random.random() < self.trouble:
            self.fail_next(stored=self._random.random() < 0.5)
        writing = asyncio.ensure_future(super().append(row))
        self._writing.add(writing)
        writing.add_done_callback(self._written)
        await asyncio.shield(writing)

    def _written(self, writing: asyncio.Future[None]) -> None:
        self._writing.discard(writing)
        if not writing.cancelled():
            writing.exception()  # whoever waited has heard of it

    async def read(self, table: str, after: int = 0, most: int | None = None) -> list[Row]:
        if self._writing:  # a row that was queued before is read
            await asyncio.wait([*self._writing])
        return await super().read(table, after, most)


class Client:
    """A socket that keeps what it is told as the page would, and protests at a gap."""

    def __init__(
        self, world: World, host: Table, name: str, *, options: bool, old: Client | None
    ) -> None:
        self.model: Model = copy.deepcopy(old.model) if old else Model()
        self.model.coming = None
        self.name = name
        self.user = None if name.startswith("s") else name
        self.options = options
        self.muted: set[str] = set()
        self.host = host
        self.closed: int | None = None
        self._world = world
        self.contributions: Contributions = (
            old.contributions if old else Contributions(random.Random(name), whims=True)
        )

    def send(self, data: bytes) -> None:
        """Take a message as the page would."""
        assert self.closed is None, "something was sent after the end"
        self._world.note(f"{self.name} {data.decode()}")
        message = json.loads(data)
        assert message["type"] in ("view", "event", "resumed", "presence", "coming"), message
        if "seq" in message:
            assert message["seq"] <= len(self._world.store.log), "told before it was stored"
        self.model.take(message)

    def close(self, code: int, reason: str) -> None:
        """The table ends the connection."""
        assert reason
        assert self.closed is None
        self.closed = code
        self._world.note(f"{self.name} closed {code}")
        self._world.hung_up(self)

    def check(self) -> None:
        """Compare with a fresh view of the same seq."""
        known = self.model
        state = self.host.state
        seat = state.seat_of(self.user)
        assert known.coming == state.coming_to(self.user)
        shown = self.host.audience.feed.shown if seat is None else state
        assert known.seq == shown.seq, f"at {known.seq}, the table shows {shown.seq}"
        fresh = json.loads(self.host.audience._view_at(shown, seat))
        assert known.table == fresh["table"]
        assert known.deal == fresh["deal"]
        to_act = seat is not None and state.deal is not None and state.deal.turn == seat
        mine, true = dict(known.you or {}), dict(fresh["you"] or {})
        if not to_act or state.stage is not Stage.PLAYING:  # they were for an earlier moment
            mine["options"] = true["options"] = None
        assert mine == true
        if seat is not None:
            for number, sitting in enumerate(fresh["table"]["seats"]):
                assert sitting["name"] is None or known.here[number] == fresh["here"][number]


class World:
    """One table, its store, and the people who come and go; all of it driven by one generator."""

    def __init__(self, rng: random.Random, *, kind: type[Table] = Table, slow: float = 0.0) -> None:
        self.random = rng
        self.kind = kind
        self.store = FlakyStore(rng, slow=slow)
        self.skew_ms = 0
        self.clients: dict[str, Client] = {}
        """Who is connected, by name."""
        self.acked: dict[tuple[str, str], int] = {}
        self.refused: Counter[str] = Counter()
        self.matches: list[TableState] = []
        self._known: dict[str, Client] = {}
        self.down = False
        """Whether a server is about to come up."""
        self.alone = True
        """Whether no rival has written behind the newest server's back."""
        self._digest = blake2b(digest_size=16)
        self._rids = 0
        self._marks: Counter[tuple[str, str]] = Counter()
        self._read = 0
        self._others: list[Table] = []
        self.deps = Dependencies(
            store=self.store,
            now_ms=self.now_ms,
            called=lambda user: Called(user.upper()),
            secret=lambda: rng.randbytes(32).hex(),
            on_match=self.matches.append,
        )
        self._table: Table | None = None

    @property
    def table(self) -> Table:
        return unwrap(self._table)

    def now_ms(self) -> int:
        return EPOCH_MS + self.skew_ms + int(asyncio.get_running_loop().time() * 1000)

    def note(self, text: str) -> None:
        """Something that happened; all notes together tell one run from another."""
        self._digest.update(text.encode() + b"\n")

    @property
    def digest(self) -> str:
        return self._digest.hexdigest()

    def rid(self) -> str:
        self._rids += 1
        return f"r{self._rids}"

    # Servers --------------------------------------------------------------------------------

    def begin(self, rows: Sequence[Row], state: TableState) -> None:
        """Start from a log and the state it leads to."""
        for row in rows:
            self.store._put(row)
        self._table = self.kind(state, self.deps)
        self._table.look()

    async def restart(self, how: str = "crash") -> None:
        """The next server takes over: the one before is stopped, dead, or knows nothing of it."""
        old = self.table
        self.down = True
        if how == "stop":
            await old.stop()
        elif how == "crash":
            _kill(old)
        else:
            self._others.append(old)
            self.alone = False
        if how != "rival":
            for name in [*self.clients]:
                self.drop(name)
        while True:
            try:
                new = await self.kind.load(TABLE, self.deps)
                break
            except StoreError:
                await asyncio.sleep(1)
        if new is not None:
            self._table = new
        self.down = False

    @property
    def over(self) -> bool:
        return bool(self.store.log) and self.store.log[-1].last

    def silence(self) -> None:
        """From now on, no rivals and no failures."""
        for other in self._others:
            _kill(other)
            for name, client in [*self.clients.items()]:
                if client.host is other:
                    self.drop(name)
        self._others.clear()
        self.store.trouble = 0.0
        self.store._failures.clear()

    # People ---------------------------------------------------------------------------------

    def connect(self, name: str, *, resume: bool = False, options: bool = False) -> None:
        """Open a socket; a name that begins with ``s`` only looks."""
        old = self._known.get(name) if resume else None
        client = Client(self, self.table, name, options=options, old=old)
        before = self.clients.get(name)
        self.clients[name] = self._known[name] = client
        try:
            self.table.attach(client, old.model.seq if old else None)
        except OkeyError as error:
            self.refused[error.code] += 1
            del self.clients[name], self._known[name]
        if before is not None and before.closed is None:
            before.host.detach(before)

    def drop(self, name: str) -> None:
        client = self.clients.pop(name, None)
        if client is not None:
            client.host.detach(client)

    def hung_up(self, client: Client) -> None:
        """The table has closed a socket: the connection ends a little later."""
        if self.clients.get(client.name) is client:
            del self.clients[client.name]
        asyncio.get_running_loop().call_soon(client.host.detach, client)

    async def send(self, user: str, command: ask.Logged) -> str | None:
        """Send a command once; None where it is acknowledged, else the code of the refusal."""
        client = self.clients.get(user)
        host = self.table if client is None else client.host

        def ack(seq: int) -> None:
            assert 1 <= seq <= len(self.store.log), "acknowledged before it was stored"
            entry = log.read_entry(self.store.log[seq - 1].entry)
            marks = getattr(entry, "user", None), getattr(entry, "rid", None)
            assert marks == (user, command.rid), "another row was acknowledged"
            assert self.acked.setdefault((user, command.rid), seq) == seq, "applied twice"
            self.note(f"{user} {command.rid} is {seq}")

        try:
            await host.command(user, command, ack)
        except OkeyError as error:
            self.refused[error.code] += 1
            code = error.code
        else:
            assert (user, command.rid) in self.acked
            return None
        self.note(f"{user} {command.rid} {code}")
        if self.alone and code not in ("store-failed", "draining"):
            assert (user, command.rid) not in self.marks(), f"{code}, but applied"
        return code

    def marks(self) -> Counter[tuple[str, str]]:
        """Every command in the log, and how often."""
        for row in self.store.log[self._read :]:
            entry = log.read_entry(row.entry)
            user, rid = getattr(entry, "user", None), getattr(entry, "rid", None)
            if user is not None and rid is not None:
                self._marks[user, rid] += 1
        self._read = len(self.store.log)
        return self._marks

    def all_come(self, *but: str) -> None:
        for name in PEOPLE:
            if name not in but:
                self.connect(name)

    async def all_leave(self) -> None:
        for name in PEOPLE:
            assert await self.send(name, ask.Leave(rid=self.rid())) is None

    def to_act(self) -> str:
        """Whose turn it is."""
        state = self.table.state
        return unwrap(state.seats[unwrap(state.deal).turn].user)

    async def act(self, text: str) -> str | None:
        return await self.send(self.to_act(), ask.Act(rid=self.rid(), action=text))

    async def throw(self) -> str | None:
        """The whole turn of whoever is to act."""
        if unwrap(self.table.state.deal).phase is Phase.DRAW:
            await self.act("draw")
        return await self.act(str(rest_of_turn(unwrap(self.table.state.deal))[-1]))

    def stage(self) -> Stage:
        """The table's stage, asked for anew each time."""
        return self.table.state.stage

    def people(self) -> tuple[str, ...]:
        return self.table.state.people

    def entries(self, since: int = 0) -> list[log.Entry]:
        """The rows after a seq."""
        return [log.read_entry(row.entry) for row in self.store.log[since:]]

    def written(self, since: int = 0) -> list[tuple[float, log.Entry]]:
        """The same with their seconds since the world began."""
        times = [(row.at_ms - EPOCH_MS) / 1000 for row in self.store.log[since:]]
        return [*zip(times, self.entries(since), strict=True)]

    # What must hold -------------------------------------------------------------------------

    def check_clients(self) -> None:
        """Everybody connected knows what there is to know."""
        for client in self.clients.values():
            client.check()

    def check_log(self) -> None:
        """The log is whole, replays to its hashes, and holds every command once."""
        rows = self.store.log
        assert [row.seq for row in rows] == [*range(1, len(rows) + 1)]
        assert all(not row.last for row in rows[:-1])
        twice = {mark for mark, times in self.marks().items() if times > 1}
        assert not twice, f"applied twice: {twice}"
        assert self.acked.keys() <= self.marks().keys(), "acknowledged, and lost"
        state = read_first(rows[0])
        for row in rows[1:]:
            assert state_hash(state) == rows[state.seq - 1].state_hash
            before = state.deal
            state = reduce(state, log.read_entry(row.entry), row.at_ms)
            check_table(state, tiles=state.deal is not before and row.seq % 4 == 0)
            if state.seq == self.table.state.seq:
                assert state_hash(state) == state_hash(self.table.state)
        assert self.table.state.seq <= state.seq
        assert self.table.frozen is None


def check_table(state: TableState, *, tiles: bool = True) -> None:
    """Tiles are conserved, nobody sits twice, the owner is one of the people who sit."""
    if tiles and state.deal is not None:
        check_state(state.deal)
    assert len(set(state.people)) == len(state.people)
    assert state.owner in state.people or all(map(is_bot_account, state.people))
    for seat in state.seats:
        assert seat.user is None or seat.bot is None
        assert not seat.away or seat.user is not None
    if state.stage in (Stage.DEALING, Stage.PLAYING):
        assert not any(seat.free for seat in state.seats)


def _kill(table: Table) -> None:
    """End a table as a crash does: what is being stored may still be stored, and nothing else."""
    dead = FlakyStore(random.Random(0))
    dead._closing = True
    table._deps = dataclasses.replace(table._deps, store=dead)
    table._stopped = True
    if table._timer is not None:
        table._timer.cancel()
    for task in table._tasks._running:
        task.cancel()


Body = Callable[..., Coroutine[Any, Any, None]]


def virtual(test: Body) -> Callable[..., None]:
    """Have a test run in a simulated loop, of the test's ``seed`` if it has one."""
    return lent(test, lambda **given: simulate(lambda: test(**given), given.get("seed", 1)), 0)


def live(
    moment: Moment = "playing",
    *,
    seed: int = 1,
    bot_delay: float = 0.8,
    there: bool = False,
    heart: bool = False,
    deps: Mapping[str, Any] | None = None,
    **choices: Any,
) -> Callable[[Body], Callable[..., None]]:
    """Have a test run in a world, its first argument: nobody is connected yet, or all people are.

    With ``heart`` the process notices that it did not run for a while.
    The arguments ``seed``, ``clock`` and ``moment`` of the test are the world's as well.
    """

    def of(test: Body) -> Callable[..., None]:
        def run(**given: Any) -> None:
            how = choices | {name: given[name] for name in given.keys() & {"clock"}}
            number = given.get("seed", seed)
            world = World(random.Random(number))
            world.deps = dataclasses.replace(world.deps, bot_delay=bot_delay, **(deps or {}))

            async def main() -> None:
                told = story(table_options(**how), given.get("moment", moment), number)
                world.begin(told.rows, told.state)
                if there:
                    world.all_come(*(user for user in PEOPLE if user not in told.state.people))
                if heart:
                    world.deps.heart.on_pause = lambda _: world.table.look()
                    world.deps.heart.start()
                await test(world, **given)
                world.deps.heart.stop()
                world.check_clients()
                world.check_log()

            simulate(main, number)

        return lent(test, run)

    return of
