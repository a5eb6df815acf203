"""Notices that the disk doesn't answer: a line in the log, words at the tables, and no more."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from okey101.server.logs import logger

__all__ = ["SlowStore"]

_LOOKS: Final = 4
"""How often it looks within the time that counts as slow."""
_MOST_S: Final = 1.0

_log: Final = logger(__name__)


class SlowStore:
    """Watches for how long whatever waits for a file has been waiting."""

    def __init__(
        self,
        age: Callable[[], float],
        limit_s: float,
        tell: Callable[[bool], None],
        file: str = "log.sqlite",
    ) -> None:
        """``tell`` is called with True once something waits longer than ``limit_s``, then False."""
        self._age = age
        self._file = file
        self._limit = limit_s
        self._tell = tell
        self._worst = 0.0
        self.told = False
        """Whether everybody knows that the disk doesn't answer."""

    @property
    def slow(self) -> bool:
        """Whether the disk leaves something waiting for too long, right now."""
        return self._age() > self._limit

    async def watch(self) -> None:
        """Look again and again, until it is cancelled."""
        while True:
            self.look()
            await asyncio.sleep(min(self._limit / _LOOKS, _MOST_S))

    def look(self) -> None:
        """Tell what has changed since the last look."""
        age = self._age()
        self._worst = max(self._worst, age) if self.told else age
        slow = age > self._limit
        if slow == self.told:
            return
        self.told = slow
        if slow:
            _log.error("store-slow", file=self._file, seconds=round(age, 3))
        else:
            _log.warning("store-fast-again", file=self._file, seconds=round(self._worst, 3))
        self._tell(slow)
