"""Notices that the disk doesn't answer or can't be written: a line in the log, told once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Final

from okey101.server.ops.logs import logger

_log: Final = logger(__name__)


class Outage:
    """A line when commits begin to fail, and one when they work again; for one thread."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._failed = 0
        self._since = 0.0
        self._reason = ""

    def failed(self, error: BaseException) -> None:
        """A commit failed."""
        self._failed += 1
        if self._failed == 1:
            self._since = monotonic()
            # SQLite's own name of it, such as SQLITE_FULL: its texts might name folders.
            self._reason = str(getattr(error, "sqlite_errorname", None) or type(error).__name__)
            _log.error("store-failing", file=self._file, reason=self._reason)

    def ended(self) -> None:
        """A commit was stored."""
        if self._failed:
            seconds = round(monotonic() - self._since, 3)
            failed, self._failed = self._failed, 0
            # With the reason once more: perhaps the first line could not be written either.
            told = {"reason": self._reason, "failed": failed, "seconds": seconds}
            _log.warning("store-works-again", file=self._file, **told)


# Notices that the disk doesn't answer: a line in the log, words at the tables, and no more.

_FILE: Final = "log.sqlite"
_LOOKS: Final = 4
"""How often it looks within the time that counts as slow."""
_MOST_S: Final = 1.0
_STUCK_S: Final = 1.0


@dataclass
class SlowStore:
    """Watches for how long whatever waits for a file has been waiting."""

    _age: Callable[[], float]
    _limit: float
    _tell: Callable[[bool], None] = lambda _: None
    """Called with True once something waits for longer than the limit, then with False."""
    _worst: float = 0.0
    told: bool = False
    """Whether everybody knows that the disk doesn't answer."""

    @property
    def slow(self) -> bool:
        """Whether the disk leaves something waiting for too long, right now."""
        return self._age() > self._limit

    @property
    def stuck(self) -> bool:
        """Whether the disk leaves something waiting so long that nobody should wait with it."""
        return self._age() > min(_STUCK_S, self._limit)

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
            _log.error("store-slow", file=_FILE, seconds=round(age, 3))
        else:
            _log.warning("store-fast-again", file=_FILE, seconds=round(self._worst, 3))
        self._tell(slow)
