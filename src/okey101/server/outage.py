"""What a server logs about a store that can't write: when that begins and when it ends."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Final

from okey101.server.logs import logger

__all__ = ["Outage"]

_log: Final = logger(__name__)


class Outage:
    """A line when commits begin to fail, and one when they work again; for one thread."""

    def __init__(self, file: str, clock: Callable[[], float] = monotonic) -> None:
        self._file = file
        self._clock = clock
        self._failed = 0
        self._since = 0.0
        self._reason = ""

    def failed(self, error: BaseException) -> None:
        """A commit failed."""
        self._failed += 1
        if self._failed == 1:
            self._since = self._clock()
            self._reason = _reason(error)
            _log.error("store-failing", file=self._file, reason=self._reason)

    def ended(self) -> None:
        """A commit was stored."""
        if self._failed:
            seconds = round(self._clock() - self._since, 3)
            failed, self._failed = self._failed, 0
            # With the reason once more: perhaps the first line could not be written either.
            _log.warning(
                "store-works-again",
                file=self._file,
                reason=self._reason,
                failed=failed,
                seconds=seconds,
            )


def _reason(error: BaseException) -> str:
    """SQLite's own name of an error, such as SQLITE_FULL: its texts might name folders."""
    return str(getattr(error, "sqlite_errorname", None) or type(error).__name__)
