"""Whether this process runs: time it did not run is charged to nobody, and lag refuses tables.

A beat comes every tenth of a second while the event loop runs. One that comes late tells how long
the loop was held up, or the process stopped, by whatever: a signal, a full machine, a slow disk.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

from okey101.server.logs import logger

__all__ = ["PAUSE_S", "SETTLE_S", "Heartbeat"]

PAUSE_S: Final = 1.0
"""A pause this long is told: to tables by a row of their log, to the host by a line."""
SETTLE_S: Final = 0.5
"""How long after a pause nobody's time runs out: what came meanwhile has to be read first."""
_INTERVAL_S: Final = 0.1
_TOLERANCE_S: Final = 0.25
"""Beats this late are ordinary; a table's grace covers them."""
_CALM_S: Final = 5.0
_WINDOW: Final = 50

_log = logger(__name__)


def _nobody(_: float) -> None:
    return None


class Heartbeat:
    """The time during which the process ran; one that was never started knows of no pause.

    All times are seconds of the event loop.
    """

    def __init__(self, on_pause: Callable[[float], None] = _nobody) -> None:
        """``on_pause`` hears of each pause of a second or more, once the loop runs again."""
        self.on_pause = on_pause
        self.lost = 0.0
        """How long in all the process did not run."""
        self.resumed = float("-inf")
        """When the last pause of a second or more ended, in running time."""
        self._due = float("inf")
        """When the next beat should come."""
        self._latest = float("-inf")
        self._lags: deque[float] = deque(maxlen=_WINDOW)
        self._timer: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        """Begin to beat on the running loop."""
        self.stop()
        self._loop = asyncio.get_running_loop()
        self._latest = float("-inf")
        self._next(self._loop)

    def stop(self) -> None:
        """Beat no more."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        self._due = float("inf")

    def running(self, now: float) -> float:
        """The loop time ``now`` less all the time that the process did not run; never goes back.

        Whoever asks first after a pause finds it, be it before the beat itself.
        """
        late = now - self._due
        if late > _TOLERANCE_S:
            self._due = now
            self._lose(late, now)
        self._latest = max(self._latest, now - self.lost)
        return self._latest

    def lost_since(self, before: float, now: float) -> tuple[float, float]:
        """What was lost since ``lost`` was ``before``, and what it is now."""
        self.running(now)
        return self.lost - before, self.lost

    @property
    def lag(self) -> float:
        """How late the loop was of late: the mean over some five seconds."""
        return sum(self._lags) / len(self._lags) if self._lags else 0.0

    def _lose(self, late: float, now: float) -> None:
        self.lost += late
        self._lags.append(late)
        if late < PAUSE_S:
            return
        at = now - self.lost
        if at - self.resumed > _CALM_S:  # a loop that is always late must not stop all clocks
            self.resumed = at
        _log.warning("process-paused", seconds=round(late, 1))
        if self._loop is not None:
            self._loop.call_soon(self.on_pause, late)

    def _beat(self) -> None:
        assert self._loop is not None
        now = self._loop.time()
        self.running(now)
        self._lags.append(max(0.0, now - self._due))
        self._next(self._loop)

    def _next(self, loop: asyncio.AbstractEventLoop) -> None:
        self._due = loop.time() + _INTERVAL_S
        self._timer = loop.call_later(_INTERVAL_S, self._beat)
