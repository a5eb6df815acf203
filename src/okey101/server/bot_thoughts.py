"""Bots think beside the event loop: in a thread, and in processes once many wait for it.

A thought is a pure function of what a seat sees and of a seed, so that it may be done anywhere. A
bot's hard turn takes 150 ms of Python, which nobody else at any table should have to wait for. A
thread leaves the loop its turns; a process leaves it the processor, and is worth its memory only
where there is a crowd.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from itertools import count
from time import monotonic, perf_counter
from typing import Final, NamedTuple

import msgspec

from okey101.bots import SEARCHERS, make_bot
from okey101.bots.reasons import Advice, advice
from okey101.game import Action, Options, View, parse_action
from okey101.server.logs import logger
from okey101.server.served_bots import OutsideBots, is_outside

__all__ = ["SEARCHES", "BotTurns", "Thinkers", "Thought", "ThoughtOutcome", "think"]

_AT_ONCE: Final = 24
"""How many bots may be at their turn at once; each costs the loop its row as well."""
_CROWD: Final = 8
"""With this many waiting, processes are started."""
_SEARCH_S: Final = 5.0
"""How long a bot that searches may think; after that the fallback is played."""
_LOADS_S: Final = 20.0
"""How long its turn waits for a process that has only begun, as after a restart."""
_AGAIN_S: Final = 60.0
"""How long after a process has ended the next one is started."""

SEARCHES: Final = "--search"
"""The word that has a process load what bots that search need, before it is ready."""

_log = logger(__name__)


class Thought(NamedTuple):
    """What a bot decides by: its name, its seed, and what its seat sees."""

    bot: str
    seed: int
    view: View


class ThoughtOutcome(msgspec.Struct):
    """What comes back from a process: the action's notation, or the kind of the bot's error."""

    number: int
    action: str = ""
    error: str = ""
    seconds: float = 0.0


def think(thought: Thought) -> Action:
    """The bot's choice; raises whatever the bot raises."""
    bot = make_bot(thought.bot, thought.seed)
    return bot.choose(thought.view, Options(thought.view))


class BotTurns:
    """Few bots at a time, in the order they came, those first who play with people.

    With more bots than there is time for they all become slower, and nobody else waits for them.
    This class thinks where it is asked, as simulations want it; :class:`Thinkers` does not.
    """

    def __init__(self, on_think: Callable[[float], None] | None = None) -> None:
        """``on_think`` hears how long each thought took."""
        self._on_think = on_think
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
        began = perf_counter()
        try:
            return think(thought)
        finally:
            self._took(perf_counter() - began)

    def _took(self, seconds: float) -> None:
        if self._on_think is not None:
            self._on_think(seconds)

    async def advise(self, view: View) -> Advice:
        """What ``steady`` would do in a person's place, and why."""
        return advice(view)

    async def close(self) -> None:
        """Let go of threads and processes."""


class Thinkers(BotTurns):
    """Turns whose thoughts are done beside the event loop."""

    def __init__(self, processes: int, on_think: Callable[[float], None] | None = None) -> None:
        """At most so many ``processes``, none before there is a crowd."""
        super().__init__(on_think)
        self._most = processes
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="okey101-bots")
        self._outside = OutsideBots()
        self._outside_threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="okey101-outside")
        self._children: list[_Child] = []
        self._starting: asyncio.Task[None] | None = None
        self._searcher: asyncio.Task[_Child] | None = None
        self._not_before = float("-inf")
        self._closed = False

    async def choose(self, thought: Thought) -> Action:
        """The bot's choice; raises whatever the bot raises."""
        if is_outside(thought.bot):
            return await self._outside_choice(thought)
        if thought.bot in SEARCHERS:
            return await self._search(thought)
        if self.waiting >= _CROWD:
            self._want_processes()
        if self._children:
            child = min(self._children, key=len)
            with contextlib.suppress(_Ended):
                answer = await child.choose(thought)
                self._took(answer.seconds)
                if answer.error:
                    raise RuntimeError(answer.error)
                return parse_action(answer.action)
        return await self._in_thread(thought)

    async def _outside_choice(self, thought: Thought) -> Action:
        """Ask a program of others, which may take its time: others have threads of their own."""
        loop = asyncio.get_running_loop()
        threads, choose = self._outside_threads, self._outside.choose
        return await loop.run_in_executor(threads, choose, *thought)

    def prepare(self) -> None:
        """Start the process of the bots that search: it has to compile first, or to load that."""
        if self._closed or (self._searcher is not None and not self._searcher.done()):
            return
        self._searcher = asyncio.create_task(_Child.start(self._search_ended, SEARCHES))

    @property
    def searches(self) -> bool:
        """Whether the process of the bots that search is ready."""
        task = self._searcher
        return task is not None and task.done() and not _failed(task)

    async def _search(self, thought: Thought) -> Action:
        """Ask the process that searches; TimeoutError where it takes too long, _Ended without."""
        if self._searcher is None or _failed(self._searcher):
            self.prepare()
        if self._searcher is None:
            raise _Ended
        child = await asyncio.wait_for(asyncio.shield(self._searcher), _LOADS_S)
        answer = await asyncio.wait_for(child.choose(thought, _SEARCH_S), _SEARCH_S)
        self._took(answer.seconds)
        if answer.error:
            raise RuntimeError(answer.error)
        return parse_action(answer.action)

    def _search_ended(self, child: _Child) -> None:
        self._searcher = None
        if not self._closed:
            _log.warning("bot-process-failed", why="ended")

    async def _in_thread(self, thought: Thought) -> Action:
        loop = asyncio.get_running_loop()
        began = perf_counter()
        try:
            return await loop.run_in_executor(self._thread, think, thought)
        finally:
            self._took(perf_counter() - began)

    async def advise(self, view: View) -> Advice:
        """What ``steady`` would do in a person's place, and why."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, advice, view)

    def _want_processes(self) -> None:
        now = asyncio.get_running_loop().time()
        busy = self._starting is not None and not self._starting.done()
        if busy or self._closed or len(self._children) >= self._most or now < self._not_before:
            return
        self._not_before = now + _AGAIN_S
        self._starting = asyncio.create_task(self._start())

    async def _start(self) -> None:
        while len(self._children) < self._most:
            try:
                child = await _Child.start(self._ended)
            except (OSError, _Ended) as error:
                _log.warning("bot-process-failed", why=type(error).__name__)
                return
            self._children.append(child)

    def _ended(self, child: _Child) -> None:
        if child in self._children:
            self._children.remove(child)
        if not self._closed:
            _log.warning("bot-process-failed", why="ended")

    async def close(self) -> None:
        """Let go of threads and processes; what they think about is given up."""
        self._closed = True
        if self._starting is not None:
            self._starting.cancel()
            await asyncio.gather(self._starting, return_exceptions=True)
        if self._searcher is not None:
            self._searcher.cancel()
            (found,) = await asyncio.gather(self._searcher, return_exceptions=True)
            if isinstance(found, _Child):
                await found.close()
        for child in [*self._children]:
            await child.close()
        self._thread.shutdown(wait=False, cancel_futures=True)
        self._outside_threads.shutdown(wait=False, cancel_futures=True)
        self._outside.close()


class _Ended(Exception):
    """A process is gone."""


def _failed(task: asyncio.Task[_Child]) -> bool:
    """Whether a process could not be started."""
    return task.done() and (task.cancelled() or task.exception() is not None)


_read_answer = msgspec.json.Decoder(ThoughtOutcome).decode


class _Child:
    """A process of :mod:`okey101.server.bot_process`; it ends with our end of its input."""

    def __init__(
        self, process: asyncio.subprocess.Process, on_end: Callable[[_Child], None]
    ) -> None:
        self._process = process
        self._on_end = on_end
        self._numbers = count()
        self._waiting: dict[int, asyncio.Future[ThoughtOutcome]] = {}
        self._reading = asyncio.create_task(self._read())

    def __len__(self) -> int:
        """How many thoughts it has before it."""
        return len(self._waiting)

    @classmethod
    async def start(cls, on_end: Callable[[_Child], None], *words: str) -> _Child:
        """Start one and wait until it is ready; OSError, and _Ended where it ends at once."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "okey101.server.bot_process", *words,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        assert process.stdout is not None
        try:
            if not await process.stdout.readline():
                raise _Ended
        except BaseException:
            await _end(process)
            raise
        return cls(process, on_end)

    async def choose(self, thought: Thought, limit_s: float = math.inf) -> ThoughtOutcome:
        """What the process makes of a thought; _Ended where it is gone.

        What it has not begun within the limit it leaves out, as nobody waits for it then.
        """
        number = next(self._numbers)
        until = monotonic() + limit_s
        data = pickle.dumps((number, thought, until), pickle.HIGHEST_PROTOCOL)
        answer: asyncio.Future[ThoughtOutcome] = asyncio.get_running_loop().create_future()
        if self._reading.done() or self._process.stdin is None:
            raise _Ended
        self._waiting[number] = answer
        try:
            self._process.stdin.write(len(data).to_bytes(4) + data)
            return await answer
        except (ConnectionError, RuntimeError) as error:
            raise _Ended from error
        finally:
            del self._waiting[number]

    async def _read(self) -> None:
        assert self._process.stdout is not None
        try:
            while line := await self._process.stdout.readline():
                answer = _read_answer(line)
                waiting = self._waiting.get(answer.number)
                if waiting is not None and not waiting.done():
                    waiting.set_result(answer)
        finally:
            for waiting in self._waiting.values():
                if not waiting.done():
                    waiting.set_exception(_Ended())
            self._on_end(self)

    async def close(self) -> None:
        """End the process."""
        await _end(self._process)
        await asyncio.gather(self._reading, return_exceptions=True)


async def _end(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    await process.wait()
