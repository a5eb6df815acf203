"""The look through the whole log that follows a start, slowly: nobody who plays should feel it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Final

from okey101.server.logs import logger
from okey101.server.store import StoreError
from okey101.server.store.walk import LogWalk

__all__ = ["LogLook"]

_LEAST_PAUSE_S: Final = 0.02
_SHARE: Final = 9
"""How many times as long as a step the pause after it is."""
_MOST_TOLD: Final = 20

_log: Final = logger(__name__)


class LogLook:
    """Looks at all rows once; what is wrong is told in the log, by figures and, for a damaged file,
    by ``/readyz``. A row that is not what it was stops its table alone, when that is replayed.
    """

    def __init__(
        self,
        step: Callable[[LogWalk], Awaitable[None]],
        tell: Callable[[int, int], None],
        least_pause_s: float = _LEAST_PAUSE_S,
    ) -> None:
        """``tell`` hears of the rows looked at, -1 in a damaged file, and of the problems found."""
        self.walk = LogWalk()
        self._step = step
        self._tell = tell
        self._pause = least_pause_s

    @property
    def sound(self) -> bool:
        """Whether the file can be read, as far as known."""
        return not self.walk.damaged

    async def run(self) -> None:
        """Look at all; returns at the end of the log, or of the store."""
        walk, started = self.walk, monotonic()
        while not walk.over:
            begun = monotonic()
            try:
                await self._step(walk)
            except StoreError:
                return
            self._tell(-1 if walk.damaged else walk.rows, len(walk.problems))
            await asyncio.sleep(max((monotonic() - begun) * _SHARE, self._pause))
        seconds = round(monotonic() - started, 3)
        if walk.problems:
            found = walk.problems[:_MOST_TOLD]
            _log.error("log-unsound", rows=walk.rows, seconds=seconds, problems=found)
        else:
            _log.info("log-sound", rows=walk.rows, seconds=seconds)
