"""Work beside the event loop: tasks in it, and threads for what would hold it up."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, Generic, TypeVar

from okey101.server.errors import refuse
from okey101.server.ops.logs import logger, trace_of

T = TypeVar("T")
K = TypeVar("K")

_log = logger(__name__)
AGAIN_S: Final = 5.0
"""How long after a failure work that always goes on is begun again."""


class Tasks:
    """Tasks that are remembered while they run; one that fails is logged, or told to ``failed``."""

    def __init__(self, failed: Callable[[BaseException], None] | None = None) -> None:
        self._failed = failed or (lambda error: _log.error("task-failed", trace=trace_of(error)))
        self._running: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Coroutine[object, object, T]) -> asyncio.Task[T]:
        """Begin a task."""
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._done)
        return task

    def keep(self, work: Callable[[], Coroutine[object, object, None]]) -> None:
        """Begin a task that is begun again a while after it has failed, as often as it does."""
        self.spawn(self._kept(work))

    async def _kept(self, work: Callable[[], Coroutine[object, object, None]]) -> None:
        while True:
            try:
                return await work()
            except Exception as error:  # noqa: BLE001  # whatever it is, the work is needed
                self._failed(error)
                await asyncio.sleep(AGAIN_S)

    async def cancel(self) -> None:
        """Cancel all others that run, and wait until they have ended."""
        others = self._running - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._failed(error)


class Gathered(Generic[K, T]):
    """One question for all that is wanted while the one before is under way."""

    def __init__(self, ask: Callable[[list[K]], Awaitable[T]]) -> None:
        """``ask`` answers for any number, each of which it is given once."""
        self._ask = ask
        self._wanted: dict[K, None] = {}
        self._next: asyncio.Task[T] | None = None
        """The question that whoever comes now joins."""
        self._turn = asyncio.Lock()
        self._asking = Tasks(lambda _: None)  # whoever asked hears of it, and may have gone

    async def of(self, *wanted: K) -> T:
        """The answer for these, and for what others want; raises what the question raised."""
        self._wanted.update(dict.fromkeys(wanted))
        if self._next is None:
            self._next = self._asking.spawn(self._look())
        return await asyncio.shield(self._next)

    async def _look(self) -> T:
        async with self._turn:
            wanted, self._wanted, self._next = [*self._wanted], {}, None
            return await self._ask(wanted)


class Worker:
    """Some threads that do what they are handed, first come first served."""

    def __init__(self, name: str, threads: int, most_waiting: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._most = most_waiting
        self._waiting = 0
        self._closed = False

    async def run(self, job: Callable[[], T]) -> T:
        """The result of a job; called from the event loop.

        A job that has begun goes on where its caller is cancelled. Raises OkeyError
        ``accounts-busy`` where too many wait, and ``accounts-closed`` after :meth:`close`.
        """
        if self._closed:
            refuse("accounts-closed")
        if self._waiting >= self._most:
            refuse("accounts-busy")
        self._waiting += 1
        try:
            return await asyncio.wrap_future(self._pool.submit(job))
        finally:
            self._waiting -= 1

    async def close(self) -> None:
        """Finish waiting jobs and end the threads; calling it again does nothing."""
        self._closed = True
        await asyncio.to_thread(self._pool.shutdown)
