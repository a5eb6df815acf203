"""Threads beside the event loop for work that would hold it up, with a bound on what waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from okey101.server.errors import refuse_account

T = TypeVar("T")


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
            refuse_account("accounts-closed")
        if self._waiting >= self._most:
            refuse_account("accounts-busy")
        self._waiting += 1
        try:
            return await asyncio.wrap_future(self._pool.submit(job))
        finally:
            self._waiting -= 1

    async def close(self) -> None:
        """Finish waiting jobs and end the threads; calling it again does nothing."""
        self._closed = True
        await asyncio.to_thread(self._pool.shutdown)
