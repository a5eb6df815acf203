"""Threads beside the event loop for work that would hold it up, with a bound on what waits."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Generic, TypeVar

from okey101.server.account_errors import refuse_account

__all__ = ["Worker"]

T = TypeVar("T")


class _Job(Generic[T]):
    """Something to do, and where its result goes."""

    __slots__ = ("_future", "_work")

    def __init__(self, work: Callable[[], T], future: Future[T]) -> None:
        self._work = work
        self._future = future

    def run(self) -> None:
        if not self._future.set_running_or_notify_cancel():
            return
        try:
            result = self._work()
        except BaseException as error:  # noqa: BLE001  # whoever waits for it is told
            self._future.set_exception(error)
        else:
            self._future.set_result(result)


class Worker:
    """Some threads that do what they are handed, first come first served."""

    def __init__(self, name: str, threads: int, most_waiting: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._most = most_waiting
        self._jobs: deque[_Job[Any]] = deque()
        self._waiting = 0
        self._closed = False

    async def run(self, job: Callable[[], T]) -> T:
        """The result of a job; called from the event loop.

        A job that has begun goes on where its caller is cancelled. Raises OkeyError
        ``accounts-busy`` where too many wait, and ``accounts-closed`` after :meth:`close`.
        """
        if self._closed:
            refuse_account("accounts-closed")
        if self._waiting >= self._most:
            refuse_account("accounts-busy")
        future: Future[T] = Future()
        self._jobs.append(_Job(job, future))
        self._pool.submit(self._next)
        self._waiting += 1
        try:
            return await asyncio.wrap_future(future)
        finally:
            self._waiting -= 1

    def rest(self) -> None:
        """Do what waits by now, called from within a long job on the only thread.

        OkeyError ``accounts-closed`` once the worker is to close: then the long job should end.
        """
        for _ in range(len(self._jobs)):
            self._next()
        if self._closed:
            refuse_account("accounts-closed")

    def _next(self) -> None:
        try:
            job = self._jobs.popleft()
        except IndexError:
            return  # it was done in the middle of another
        job.run()

    async def close(self, last: Callable[[], object] | None = None) -> None:
        """Finish waiting jobs, then ``last``, and end the threads; a second call does nothing."""
        if self._closed:
            return
        self._closed = True
        try:
            if last is not None:
                await asyncio.shield(asyncio.wrap_future(self._pool.submit(last)))
        finally:
            await asyncio.to_thread(self._pool.shutdown)
