"""Threads beside the event loop for work that would hold it up, with a bound on what waits."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from time import monotonic
from typing import Any, Generic, TypeVar

from okey101.server.errors import refuse_account

T = TypeVar("T")


class _Job(Generic[T]):
    """Something to do, and where its result goes."""

    __slots__ = ("_future", "_work", "at", "long")

    def __init__(self, work: Callable[[], T], future: Future[T], *, long: bool) -> None:
        self._work = work
        self._future = future
        self.long = long
        self.at = monotonic()

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
        self._begun_at: float | None = None
        """When the job in hand was handed over; None for none, and for a long one."""

    @property
    def age(self) -> float:
        """For how many seconds the oldest job that isn't done has waited, on the only thread.

        A long one that is being done doesn't count: others are done meanwhile (:meth:`rest`).
        """
        begun = self._begun_at
        if begun is None:
            try:
                begun = self._jobs[0].at
            except IndexError:
                return 0.0
        return max(monotonic() - begun, 0.0)

    async def run(self, job: Callable[[], T], *, long: bool = False) -> T:
        """The result of a job; called from the event loop.

        A ``long`` one takes its time and lets others pass. A job that has begun goes on where its
        caller is cancelled. Raises OkeyError ``accounts-busy`` where too many wait, and
        ``accounts-closed`` after :meth:`close`.
        """
        if self._closed:
            refuse_account("accounts-closed")
        if self._waiting >= self._most:
            refuse_account("accounts-busy")
        future: Future[T] = Future()
        self._jobs.append(_Job(job, future, long=long))
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
        if job.long:
            job.run()
            return
        self._begun_at = job.at
        try:
            job.run()
        finally:
            self._begun_at = None

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
