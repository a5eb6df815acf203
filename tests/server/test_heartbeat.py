"""The heartbeat: what counts as time that the process did not run, and how late the loop was."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
import structlog

from okey101.server.net.heartbeat import PAUSE_S, Heartbeat
from server.simulation import VirtualLoop, close


def stall(seconds: float) -> None:
    """The process does not run for a while."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    loop.now += seconds


def beating(body: Callable[[Heartbeat], Coroutine[Any, Any, None]]) -> list[float]:
    """Run something beside a heartbeat; gives the pauses that were told."""
    told: list[float] = []
    loop = VirtualLoop(1)

    async def main() -> None:
        heart = Heartbeat(told.append)
        heart.start()
        await body(heart)
        await asyncio.sleep(0.2)
        heart.stop()

    with structlog.testing.capture_logs():
        try:
            loop.run_until_complete(main())
        finally:
            close(loop)
    assert not loop.failures
    return told


class Machine:
    """Stands for one that can be suspended: the loop's clock stands still meanwhile."""

    def __init__(self) -> None:
        self.slept = 1e6  # since it was started, long before

    def suspended(self) -> float:
        return self.slept


def running(heart: Heartbeat) -> float:
    return heart.running(asyncio.get_running_loop().time())


def test_a_machine_that_was_suspended_is_a_pause_that_the_loop_does_not_know() -> None:
    machine, told = Machine(), list[float]()

    async def body(_: Heartbeat) -> None:
        heart = Heartbeat(told.append, machine.suspended)
        heart.start()
        await asyncio.sleep(1.05)
        began = running(heart)
        machine.slept += 3600
        await asyncio.sleep(0.2)
        assert running(heart) - began == pytest.approx(0.2)
        assert heart.resumed == pytest.approx(running(heart), abs=0.2)
        assert (heart.lost, heart.missed) == (0, 3600)
        for _count in range(30):  # two clocks read one after the other
            machine.slept += 0.0001
            await asyncio.sleep(0.1)
        assert heart.missed == 3600
        heart.stop()

    assert beating(body) == []
    assert told == [3600]


def test_time_never_goes_back() -> None:
    async def body(heart: Heartbeat) -> None:
        last = running(heart)
        for n in range(200):
            await asyncio.sleep(0.07 * (n % 4))
            if n % 5 == 0:
                stall(0.1 * (n % 7))
            now = running(heart)
            assert now >= last
            last = now

    beating(body)


def test_a_loop_that_is_always_late_does_not_stop_the_clocks() -> None:
    """Only one pause in five seconds keeps time from running out."""

    async def body(heart: Heartbeat) -> None:
        for _ in range(40):
            stall(1.5 * PAUSE_S)
            await asyncio.sleep(0.15)
        assert running(heart) - heart.resumed > 0.5

    assert len(beating(body)) >= 30


def test_lag_is_the_mean_of_late_beats() -> None:
    async def body(heart: Heartbeat) -> None:
        for _ in range(60):
            await asyncio.sleep(0.05)
            stall(0.2)
        assert 0.1 < heart.lag < 0.2
        await asyncio.sleep(6)
        assert heart.lag == pytest.approx(0)

    beating(body)
