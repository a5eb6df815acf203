"""Whether this process runs: time it did not run is charged to nobody, and lag refuses tables.

A beat comes every tenth of a second while the event loop runs. One that comes late tells how long
the loop was held up, or the process stopped, by whatever: a signal, a full machine, a slow disk.
While a machine is suspended the loop's own clock stands still: no beat is late, and only the clock
that goes on all the same tells.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Final

from okey101.server.ops.logs import logger

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


def _nothing(*_: object) -> None:
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
        on_pause: Callable[[float], object] = _nothing,
        suspended: Callable[[], float] = _suspended,
    ) -> None:
        """``on_pause`` hears of each pause of a second or more, once the loop runs again.

        ``suspended`` gives the seconds that the machine has been suspended in all.
        """
        self.on_pause = on_pause
        self.lost = 0.0
        """How long in all the process did not run, by the loop's clock."""
        self.missed = 0.0
        """That and the time the loop's clock stood still: how long nobody could play in all."""
        self._suspended = suspended
        self._known = 0.0
        """How long the machine had been suspended when that was last looked at."""
        self.resumed = float("-inf")
        """When the last pause of a second or more ended, in running time."""
        self._due = float("inf")
        """When the next beat should come."""
        self._latest = float("-inf")
        self.on_lag: Callable[[float], object] = _nothing
        """Hears how late each beat was."""
        self._lags: deque[float] = deque(maxlen=_WINDOW)
        self._timer: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        """Begin to beat on the running loop."""
        self.stop()
        self._loop = asyncio.get_running_loop()
        self._latest = float("-inf")
        self._known = self._suspended()
        self._next(self._loop, self._loop.time())

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

    def notice(self, now: float) -> float:
        """Find out what was missed until now, a suspended machine's time included, and give it."""
        self.running(now)
        if self._loop is not None:
            known = self._suspended()
            slept, self._known = known - self._known, known
            if slept > _TOLERANCE_S:
                self.missed += slept
                self._pause(slept, now)
        return self.missed

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
        self.missed += late
        self._late(late)
        self._pause(late, now)

    def _late(self, seconds: float) -> None:
        self._lags.append(seconds)
        self.on_lag(seconds)

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
        self.notice(now)
        self._late(max(0.0, now - self._due))
        self._next(self._loop, now)

    def _next(self, loop: asyncio.AbstractEventLoop, now: float) -> None:
        """Beat again; a pause that has begun since ``now`` makes that beat late."""
        self._due = now + _INTERVAL_S
        self._timer = loop.call_at(self._due, self._beat)


# Deadlines of a connection ------------------------------------------------------------------------

_STALL_S: Final = 10.0
"""How long a client may read nothing of what was sent to it."""
_LINGER_S: Final = 5.0
"""How long the client of a closed connection may read nothing of its last bytes."""
_MOST_UNREAD: Final = 1024 * 1024
_SEND_BUFFER: Final = 64 * 1024
"""What the system may hold of what is sent; by default it takes megabytes for each connection."""


class Deadline:
    """Calls ``over`` if what was begun does not end in time, pauses of the process not counted."""

    __slots__ = ("_heart", "_lost", "_over", "_seconds", "_timer")

    def __init__(self, seconds: float, over: Callable[[], None], heart: Heartbeat) -> None:
        self._seconds = seconds
        self._over = over
        self._heart = heart
        self._lost = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Begin to wait, unless it has begun."""
        if self._timer is None:
            self._lost = self._heart.lost
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self._look)

    def end(self) -> None:
        """What it waited for has come."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def drop(self) -> None:
        """Wait for nothing more, and let go of whom it would have called."""
        self.end()
        self._over = _nothing

    def _look(self) -> None:
        loop = asyncio.get_running_loop()
        left, self._lost = self._heart.lost_since(self._lost, loop.time())
        if left:  # what came meanwhile may still wait to be read
            again = max(SETTLE_S, min(left, self._seconds))
            self._timer = loop.call_later(again, self._look)
        else:
            self._timer = None
            self._over()


class Wire:
    """A transport that keeps no connection open for a client who does not read.

    A slow reader has time. The system takes more from the buffer once a third of its own is free,
    so that a client has to read some 20 kB each time.
    """

    def __init__(
        self, transport: asyncio.Transport, heart: Heartbeat, leave: Callable[[], None]
    ) -> None:
        """``leave`` gives the connection's place back once it is gone."""
        self._transport = transport
        self.write_now = transport.write
        """Sends where nothing is unread and nothing lost, which the caller knows."""
        self._leave = leave
        self._closing = self._lost = False
        self._heart, self._left = heart, 0
        self._unread = Deadline(_STALL_S, self._judge, heart)
        with contextlib.suppress(OSError):  # the client has already gone
            one = transport.get_extra_info("socket")
            one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Send, or drop the connection where too much is unread already.

        What is written to a lost connection is lost; a transport of uvloop would raise.
        """
        if self._lost:
            return
        if self._transport.get_write_buffer_size() > _MOST_UNREAD:
            self._transport.abort()
            return
        self._transport.write(data)

    def close(self) -> None:
        """Close once all is sent, or once the client has read nothing for a moment."""
        self._transport.close()
        if not (self._lost or self._closing):
            self._closing = True
            self._unread.drop()
            self._unread = Deadline(_LINGER_S, self._judge, self._heart)
        self.pause()

    def pause(self) -> None:
        """Much is unread."""
        if not self._lost:
            self._left = self._transport.get_write_buffer_size()
            self._unread.begin()

    def resume(self) -> None:
        """It was read."""
        if not self._closing:
            self._unread.end()

    def lost(self) -> None:
        """The connection is gone: nothing is left to wait for."""
        if not self._lost:
            self._leave()
        self._lost = True
        self._unread.drop()

    def _judge(self) -> None:
        if self._transport.get_write_buffer_size() >= self._left:
            self._transport.abort()
        else:
            self.pause()
