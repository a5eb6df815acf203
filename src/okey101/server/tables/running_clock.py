"""A table's time: that of the loop, less what the process did not run, and what that is owed."""

from __future__ import annotations

import asyncio
import math

from okey101.server.heartbeat import Heartbeat

__all__ = ["RunningClock"]


class RunningClock:
    """The time that a table's clocks go by, and how much of the lost time its log does not know."""

    def __init__(self, heart: Heartbeat) -> None:
        self._heart = heart
        # Kept, since asking for the running loop costs a system call.
        self._time = asyncio.get_running_loop().time
        self._before = self._then = heart.missed
        """What was lost before the clock that runs began, and before the last row was made."""

    def now(self) -> float:
        """Seconds for which the process ran."""
        return self._heart.running(self._time())

    def loop_time(self, at: float) -> float:
        """When it will be ``at``, in loop time, if nothing is lost until then."""
        lost = self._heart.lost
        when = at + lost
        while when - lost < at:  # rounding must not wake anybody a sliver too early, over and over
            when = math.nextafter(when, math.inf)
        return when

    @property
    def owed(self) -> float:
        """Seconds lost since the clock began that the log does not know."""
        return self._heart.missed - self._before

    def making(self) -> None:
        """A row is about to be made; what is lost while it is stored belongs to what it begins."""
        self.now()  # finds a pause that nobody has noticed yet
        self._heart.notice(self._time())
        self._then = self._heart.missed

    def begins(self) -> None:
        """The row that was made last begins a clock."""
        self._before = self._then

    def given(self, seconds: float) -> None:
        """The log knows of so much."""
        self._before = min(self._before + seconds, self._heart.missed)
