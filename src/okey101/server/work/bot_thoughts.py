"""Bots think beside the event loop: in a thread, and in processes once many wait for it.

A thought is a pure function of what a seat sees and of a seed, so that it may be done anywhere. A
bot's hard turn takes 150 ms of Python, which nobody else at any table should have to wait for. A
thread leaves the loop its turns; a process leaves it the processor, and is worth its memory only
where there is a crowd.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from time import perf_counter
from typing import Final, NamedTuple

from okey101.bots import EXPERT, SEARCHERS, make_bot
from okey101.bots.reasons import Advice, advice
from okey101.game import Action, Options, View
from okey101.server.ops.gc_tuning import freeze, tune
from okey101.server.ops.logs import logger
from okey101.server.work.served_bots import OURS, OutsideBots, ServedBots
from okey101.solver.tables import load_tables
from okey101.work import Caller, WorkerEnded, Workers

_AT_ONCE: Final = 24
"""How many bots may be at their turn at once; each costs the loop its row as well."""
_CROWD: Final = 8
"""With this many waiting, processes are started."""
_SEARCH_S: Final = 5.0
"""How long a bot that searches may think; after that the fallback is played."""
_LOADS_S: Final = 20.0
"""How long its turn waits for a process that has only begun, as after a restart."""
_AGAIN_S: Final = 60.0
"""How long after processes were started they are started again."""
_NICE: Final = 5
"""The server itself comes first on a machine with few cores."""

_log = logger(__name__)


class Thought(NamedTuple):
    """What a bot decides by: its name, its seed, and what its seat sees."""

    bot: str
    seed: int
    view: View

    def __repr__(self) -> str:
        return f"<Thought of {self.bot}: {self.view!r}>"


def think(thought: Thought) -> Action:
    """The bot's choice; raises whatever the bot raises."""
    bot = make_bot(thought.bot, thought.seed)
    return bot.choose(thought.view, Options(thought.view))


class BotTurns:
    """Few bots at a time, in the order they came, those first who play with people.

    With more bots than there is time for they all become slower, and nobody else waits for them.
    This class thinks where it is asked, as simulations want it; :class:`Thinkers` does not.
    """

    def __init__(
        self, on_think: Callable[[float], object] = lambda _: None, served: ServedBots = OURS
    ) -> None:
        """``on_think`` hears, on any thread, how long each thought took; ``served`` may play."""
        self.served = served
        self._took = on_think
        self._free = _AT_ONCE
        self._first: deque[tuple[float, asyncio.Future[None]]] = deque()
        self._rest: deque[tuple[float, asyncio.Future[None]]] = deque()

    @property
    def waiting(self) -> int:
        """How many bots wait for their turn."""
        return len(self._first) + len(self._rest)

    @property
    def behind(self) -> float:
        """For how many seconds the bot that waits longest has waited."""
        oldest = [queue[0][0] for queue in (self._first, self._rest) if queue]
        return asyncio.get_running_loop().time() - min(oldest) if oldest else 0.0

    @asynccontextmanager
    async def turn(self, *, watched: bool) -> AsyncGenerator[None]:
        """Wait for a place; ``watched`` where people would see the bot hesitate."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(self._first if watched else self._rest)
        try:
            yield
        finally:
            self._leave()

    async def _wait(self, queue: deque[tuple[float, asyncio.Future[None]]]) -> None:
        loop = asyncio.get_running_loop()
        place = loop.create_future()
        queue.append((loop.time(), place))
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self._leave()
            raise

    def _leave(self) -> None:
        for queue in (self._first, self._rest):
            while queue:
                _, place = queue.popleft()
                if not place.done():
                    place.set_result(None)
                    return
        self._free += 1

    async def choose(self, thought: Thought) -> Action:
        """The bot's choice; raises whatever the bot raises."""
        return self._think(thought)

    def _think(self, thought: Thought) -> Action:
        began = perf_counter()
        try:
            return think(thought)
        finally:
            self._took(perf_counter() - began)

    def tell_end(self, thought: Thought) -> None:
        """Show a bot of others how its deal ended; here none of them thinks."""

    async def advise(self, view: View) -> Advice:
        """What ``neural`` would do in a person's place, and why."""
        return advice(view)

    async def close(self) -> None:
        """Let go of threads and processes."""


class Thinkers(BotTurns):
    """Turns whose thoughts are done beside the event loop."""

    def __init__(
        self,
        processes: int,
        on_think: Callable[[float], object] = lambda _: None,
        served: ServedBots = OURS,
    ) -> None:
        """At most so many ``processes``, none before there is a crowd."""
        super().__init__(on_think, served)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="okey101-bots")
        self._outside = OutsideBots(served)
        self._outside_threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="okey101-outside")
        self._crowd = _Processes(processes, _load) if processes else None
        self.searcher = _Processes(1, _load_search)
        """The process of the bots that search: it has to compile first, or to load that."""
        self._not_before = float("-inf")

    async def choose(self, thought: Thought) -> Action:
        """The bot's choice; raises whatever the bot raises."""
        loop = asyncio.get_running_loop()
        if thought.bot in self.served.outside:
            # A program of others may take its time: it has threads of its own.
            threads, choose = self._outside_threads, self._outside.choose
            return await loop.run_in_executor(threads, choose, *thought)
        if thought.bot in SEARCHERS:
            return await self._search(thought)
        if self._crowd is not None:
            now = loop.time()
            if self.waiting >= _CROWD and not self._crowd.ready and now >= self._not_before:
                self._not_before = now + _AGAIN_S
                self._crowd.start()
            if self._crowd.ready:
                with contextlib.suppress(WorkerEnded):
                    return await self._asked(self._crowd, thought)
        return await loop.run_in_executor(self._thread, self._think, thought)

    def tell_end(self, thought: Thought) -> None:
        """Show a bot of others how its deal ended; nobody waits for that."""
        with contextlib.suppress(RuntimeError):  # it is closed
            self._outside_threads.submit(self._outside.tell_end, *thought)

    async def _search(self, thought: Thought) -> Action:
        """Ask the process that searches; TimeoutError where it takes too long."""
        with contextlib.suppress(WorkerEnded):  # perhaps while it had nothing to do
            return await self._searched(thought)
        return await self._searched(thought)  # another one may have an answer

    async def _searched(self, thought: Thought) -> Action:
        await asyncio.wait_for(asyncio.shield(self.searcher.start()), _LOADS_S)
        # What it has not begun by then is left out.
        return await asyncio.wait_for(self._asked(self.searcher, thought), _SEARCH_S)

    async def _asked(self, processes: _Processes, thought: Thought) -> Action:
        action, seconds = await processes.think(thought)
        self._took(seconds)
        return action

    async def advise(self, view: View) -> Advice:
        """What ``neural`` would do in a person's place, and why."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, advice, view)

    async def close(self) -> None:
        """Let go of threads and processes; what they think about is given up."""
        for processes in (self._crowd, self.searcher):
            if processes is not None:
                await processes.close()
        self._thread.shutdown(wait=False, cancel_futures=True)
        self._outside_threads.shutdown(wait=False, cancel_futures=True)
        self._outside.close()


def _load(_: Caller) -> None:
    load_tables()
    tune()
    freeze()


def _load_search(caller: Caller) -> None:
    make_bot(EXPERT)  # which compiles, or loads what was compiled
    _load(caller)


def _timed(_: Caller, thought: Thought) -> tuple[Action, float]:
    """A choice, and for how many seconds it was thought about."""
    began = perf_counter()
    return think(thought), perf_counter() - began


class _Processes:
    """Processes that think once they are ready; when one ends, all are started anew."""

    def __init__(self, most: int, prepare: Callable[[Caller], None]) -> None:
        self._workers = Workers(most, prepare, nice=_NICE)
        self._start: asyncio.Future[list[None]] | None = None
        self._closed = False

    @property
    def ready(self) -> bool:
        """Whether all have been started, and none has ended since as far as known."""
        return self._start is not None and self._start.done() and not _failed(self._start)

    def start(self) -> asyncio.Future[list[None]]:
        """Start them, unless they are there or on their way; done once they are ready."""
        if self._start is None or (self._start.done() and _failed(self._start)):
            self._start = asyncio.gather(*map(asyncio.wrap_future, self._workers.start()))
            self._start.add_done_callback(self._started)
        return self._start

    async def think(self, thought: Thought) -> tuple[Action, float]:
        """A bot's choice and its seconds; raises what the bot raises, or WorkerEnded."""
        try:
            return await asyncio.wrap_future(self._workers.submit(_timed, thought))
        except WorkerEnded as error:
            self._start = None
            self._tell(error)
            raise

    def _started(self, start: asyncio.Future[list[None]]) -> None:
        if not start.cancelled() and (error := start.exception()) is not None:
            self._tell(error)

    def _tell(self, error: BaseException) -> None:
        if not self._closed:
            _log.warning("bot-process-failed", why=type(error).__name__)

    async def close(self) -> None:
        """End them."""
        self._closed = True
        await asyncio.to_thread(self._workers.close)


def _failed(future: asyncio.Future[list[None]]) -> bool:
    return future.cancelled() or future.exception() is not None
