"""The heartbeat, which knows when the process stood still, and the collector that stops it."""

import asyncio
import contextlib
import gc
import signal
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest

from conftest import soon
from okey101.server.net.heartbeat import PAUSE_S, Heartbeat
from okey101.server.ops.gc_tuning import freeze, step, sweep, tune
from server.clients import Client
from server.live import LiveServer, changed
from server.simulation import simulate, stall
from server.web.parties import guests, new_table


def beating(body: Callable[[Heartbeat], Coroutine[Any, Any, None]]) -> list[float]:
    """Run something beside a heartbeat; gives the pauses that were told."""
    told: list[float] = []

    async def main() -> None:
        heart = Heartbeat(told.append)
        heart.start()
        await body(heart)
        await asyncio.sleep(0.2)
        heart.stop()

    simulate(main, 1)
    return told


def running(heart: Heartbeat) -> float:
    return heart.running(asyncio.get_running_loop().time())


def test_a_machine_that_was_suspended_is_a_pause_that_the_loop_does_not_know() -> None:
    """The loop's clock stands still meanwhile."""
    slept, told = [1e6], list[float]()  # since the machine was started, long before

    async def body(_: Heartbeat) -> None:
        heart = Heartbeat(told.append, lambda: slept[0])
        heart.start()
        await asyncio.sleep(1.05)
        began = running(heart)
        slept[0] += 3600
        await asyncio.sleep(0.2)
        assert running(heart) - began == pytest.approx(0.2)
        assert heart.resumed == pytest.approx(running(heart), abs=0.2)
        assert (heart.lost, heart.missed) == (0, 3600)
        for _count in range(30):  # two clocks read one after the other
            slept[0] += 0.0001
            await asyncio.sleep(0.1)
        assert heart.missed == 3600
        heart.stop()

    assert beating(body) == []
    assert told == [3600]


def test_a_pause_in_the_middle_of_a_beat_is_noticed() -> None:
    async def body(heart: Heartbeat) -> None:
        held = [2 * PAUSE_S]
        heart.on_lag = lambda _: stall(held.pop()) if held else None
        await asyncio.sleep(0.15)
        assert not held
        assert heart.lost == pytest.approx(2 * PAUSE_S, abs=0.3)

    assert beating(body) == [pytest.approx(2 * PAUSE_S, abs=0.3)]


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


_THINGS = 20_000


@pytest.fixture
def tuned() -> Iterator[None]:
    """The collector as a server has it, with nothing of the tests in its way."""
    before = gc.get_threshold()
    try:
        tune()
        freeze(collect=False)
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)


@pytest.fixture
def rounds() -> Iterator[list[int]]:
    begun: list[int] = []

    def seen(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            begun.append(info["generation"])

    gc.callbacks.append(seen)
    try:
        yield begun
    finally:
        gc.callbacks.remove(seen)


@pytest.mark.usefixtures("tuned")
def test_what_is_replaced_is_looked_at_in_small_pieces() -> None:
    """Sockets and tables replace what they have: the interpreter counts that as nothing new."""

    def youngest(step: Callable[[], None] | None) -> int:
        most = 0
        things: list[object] = [[] for _ in range(_THINGS)]
        gc.collect()
        for number in range(_THINGS):
            things[number] = []
            if step is not None:
                step()
            if number % 1_000 == 999:
                most = max(most, len(gc.get_objects(0)))
        return most

    assert youngest(None) > _THINGS / 2
    assert youngest(step) < 2_000


@pytest.mark.usefixtures("tuned")
async def test_a_full_round_waits_until_it_is_quiet_and_worth_it(rounds: list[int]) -> None:
    sockets, looks = 0, asyncio.Queue[None](1)

    def seen() -> int:
        with contextlib.suppress(asyncio.QueueFull):
            looks.put_nowait(None)
        return sockets

    async def looked() -> None:
        for _ in range(3):  # the first may have been before, the second has been acted upon
            await looks.get()

    sweeping = asyncio.create_task(sweep(seen, 0.001))
    await looked()
    for _ in range(399_000):
        step()
    assert not rounds  # what lives is set aside, not looked at
    await looked()
    assert 2 not in rounds
    sockets = 201
    for _ in range(2_000):
        step()
    await looked()
    assert 2 not in rounds
    sockets = 200
    await looked()
    assert rounds.count(2) == 1
    sweeping.cancel()


_TIMES = 8


async def garbage(server: LiveServer) -> int:
    """The objects that only a collection finds, since the last time."""
    before = len(server.events)
    server.signal(signal.SIGUSR1)
    await soon(lambda: len(server.events) > before, 30)
    return int(server.events[-1]["objects"])


async def test_sockets_and_requests_leave_none() -> None:
    """Sockets that are closed or broken off, and connections for one request each."""
    with LiveServer(program=changed("garbage"), log_level="warning") as server:
        async with server.http() as http:
            people = await guests(http, 2)
            table = await new_table(http, people[0], spectators="live")

        async def visit() -> None:
            for who in (*people, None):
                async with Client(server, table, who) as client:
                    await client.send({"type": "ping", "n": 1})
                    await client.until(lambda c: bool(c.seen("pong")))
                async with Client(server, table, who) as client:
                    await client.drop()
            async with server.http(people[0]) as http:
                assert (await http.get("/api/me")).status_code == 200

        await visit()
        await asyncio.sleep(0.5)
        await garbage(server)
        for _ in range(_TIMES):
            await visit()
        await asyncio.sleep(0.5)
        assert await garbage(server) < 5 * _TIMES
