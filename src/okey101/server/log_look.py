"""The look through a whole file that follows a start, slowly: nobody who plays should feel it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Final, Generic, Literal, Protocol, TypeVar

from okey101.errors import OkeyError
from okey101.server.logs import logger
from okey101.server.store import StoreError

__all__ = ["Look", "Walk"]

_LEAST_PAUSE_S: Final = 0.02
_SHARE: Final = 9
"""How many times as long as a step the pause after it is."""
_MOST_TOLD: Final = 20
_BUSY_S: Final = 1.0

_log: Final = logger(__name__)


class Walk(Protocol):
    """What goes through a file, step by step."""

    rows: int
    problems: list[str]
    damaged: bool
    """Whether the file itself can't be read in full: the walk ends there."""
    over: bool


W = TypeVar("W", bound=Walk)


class Look(Generic[W]):
    """Looks at all rows once; what is wrong is told in the log, by figures and, for a damaged file,
    by ``/readyz``. A row of the log that is not what it was stops its table alone, when that is
    replayed.
    """

    def __init__(
        self,
        name: Literal["log", "accounts"],
        walk: W,
        step: Callable[[W], Awaitable[None]],
        tell: Callable[[int, int], None],
        least_pause_s: float = _LEAST_PAUSE_S,
    ) -> None:
        """``tell`` hears of the rows looked at, -1 in a damaged file, and of the problems found."""
        self.walk = walk
        self._name = name
        self._step = step
        self._tell = tell
        self._pause = least_pause_s

    @property
    def sound(self) -> bool:
        """Whether the file can be read, as far as known."""
        return not self.walk.damaged

    async def run(self) -> None:
        """Look at all; returns at the end of the file, or of what reads it."""
        walk, started = self.walk, monotonic()
        while not walk.over:
            begun = monotonic()
            try:
                await self._step(walk)
            except StoreError:
                return
            except OkeyError as error:
                if error.code == "accounts-closed":
                    return
                await asyncio.sleep(_BUSY_S)
                continue
            self._tell(-1 if walk.damaged else walk.rows, len(walk.problems))
            await asyncio.sleep(max((monotonic() - begun) * _SHARE, self._pause))
        self._say(round(monotonic() - started, 3))

    def _say(self, seconds: float) -> None:
        found = self.walk.problems[:_MOST_TOLD]
        told: dict[str, object] = {"rows": self.walk.rows, "seconds": seconds}
        if self._name == "log":
            if found:
                _log.error("log-unsound", **told, problems=found)
            else:
                _log.info("log-sound", **told)
        elif found:
            _log.error("accounts-unsound", **told, problems=found)
        else:
            _log.info("accounts-sound", **told)
