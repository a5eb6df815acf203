"""The collector of garbage: short rounds, a full one while it is quiet, and little for it to do."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from okey101.server.ops.gc_tuning import Rounds, freeze, sweep, tune
from server.clients import Client
from server.live import LiveServer
from server.web.parties import guests, new_table

_THINGS = 20_000


@pytest.fixture
def tuned() -> Iterator[None]:
    """The collector as a server has it, with nothing of the tests in its way."""
    before = gc.get_threshold()
    try:
        tune()
        freeze()
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

    def youngest(step: Rounds | None) -> int:
        most = 0
        things: list[object] = [[] for _ in range(_THINGS)]
        gc.collect()
        for number in range(_THINGS):
            things[number] = []
            if step is not None:
                step.step()
            if number % 1_000 == 999:
                most = max(most, len(gc.get_objects(0)))
        return most

    assert youngest(None) > _THINGS / 2
    assert youngest(Rounds()) < 2_000


def _swept(sockets: int) -> None:
    async def scenario() -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.1):
                await sweep(lambda: sockets, 0.01)

    asyncio.run(scenario())


@pytest.mark.usefixtures("tuned")
def test_a_full_round_waits_until_it_is_quiet_and_worth_it(rounds: list[int]) -> None:
    gc.collect()
    del rounds[:]
    _swept(0)
    assert 2 not in rounds  # nothing has happened since the last
    for _ in range(500):
        gc.collect(1)
    _swept(201)
    assert 2 not in rounds
    _swept(200)
    assert rounds.count(2) == 1


CHILD = Path(__file__).with_name("garbage_child.py")
_TIMES = 8


async def garbage(server: LiveServer) -> int:
    """The objects that only a collection finds, since the last time."""
    before = len(server.events)
    server.signal(signal.SIGUSR1)
    async with asyncio.timeout(30):
        while len(server.events) == before:  # noqa: ASYNC110  # the log is a file
            await asyncio.sleep(0.05)
    return int(server.events[-1]["objects"])


async def test_sockets_and_requests_leave_none() -> None:
    """Sockets that are closed or broken off, and connections for one request each."""
    with LiveServer(program=[sys.executable, str(CHILD)], log_level="warning") as server:
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
