"""Work that runs beside everything else, until it is done or the server ends."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine

from okey101.server.ops.logs import logger, trace_of

_log = logger(__name__)


class Tasks:
    """Tasks that are remembered while they run; one that fails is logged."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        """Begin a task."""
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._done)
        return task

    async def cancel(self) -> None:
        """Cancel all that run, and wait until they have ended."""
        for task in [*self._running]:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            _log.error("task-failed", trace=trace_of(error))
