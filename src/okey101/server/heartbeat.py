"""Whether this process runs: time it did not run is charged to nobody, and lag refuses tables.

A beat comes every tenth of a second while the event loop runs. One that comes late tells how long
the loop was held up, or the process stopped, by whatever: a signal, a full machine, a slow disk.
While a machine is suspended the loop's own clock stands still: no beat is late, and only the clock
that goes on all the same tells.
"""

from __future__ import annotations

import asyncio
import time
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


def _suspended() -> float:
    """For how many seconds the machine has been suspended since it was started, as it knows."""
    if not hasattr(time, "CLOCK_BOOTTIME"):
        return 0.0
    return time.clock_gettime(time.CLOCK_BOOTTIME) - time.clock_gettime(time.CLOCK_MONOTONIC)


class Heartbeat:
    """The time during which the process ran; one that was never started knows of no pause.

    All times are seconds of the event loop.
    """

    def __init__(
        self,
        on_pause: Callable[[float], None] = _nobody,
        suspended: Callable[[], float] = _suspended,
    ) -> None:
        """``on_pause`` hears of each pause of a second or more, once the loop runs again.

        ``suspended`` gives the seconds that the machine has been suspended in all.
        """
        self.on_pause = on_pause
        self.lost = 0.0
        """How long in all the process did not run, by the loop's clock."""
        self.slept = 0.0
        """How long in all the loop's clock stood still."""
        self._suspended = suspended
        self._known = 0.0
        """How long the machine had been suspended when that was last looked at."""
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
        self._known = self._suspended()
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

    @property
    def missed(self) -> float:
        """How long in all nobody could play, by a clock on the wall."""
        return self.lost + self.slept

    def notice(self, now: float) -> None:
        """Find out whether the machine was suspended since this was asked last."""
        if self._loop is None:
            return
        known = self._suspended()
        slept, self._known = known - self._known, known
        if slept > _TOLERANCE_S:
            self.slept += slept
            self._pause(slept, now)

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
        self._pause(late, now)

    def _pause(self, seconds: float, now: float) -> None:
        """Tell of a pause that was long enough, and let nobody's time run out right after it."""
        if seconds < PAUSE_S:
            return
        at = now - self.lost
        if at - self.resumed > _CALM_S:  # a loop that is always late must not stop all clocks
            self.resumed = at
        _log.warning("process-paused", seconds=round(seconds, 1))
        if self._loop is not None:
            self._loop.call_soon(self.on_pause, seconds)

    def _beat(self) -> None:
        assert self._loop is not None
        now = self._loop.time()
        self.running(now)
        self.notice(now)
        self._lags.append(max(0.0, now - self._due))
        self._next(self._loop)

    def _next(self, loop: asyncio.AbstractEventLoop) -> None:
        self._due = loop.time() + _INTERVAL_S
        self._timer = loop.call_later(_INTERVAL_S, self._beat)
