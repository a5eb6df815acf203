"""Thousands of seeded schedules of one table: slow and failing stores, lost sockets, commands that
are cancelled and sent again, crashes, and servers that do not know of each other.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Coroutine

import pytest
from conftest import Size

from okey101.server.protocol import commands as ask
from okey101.server.tables import duetime
from okey101.server.tables.table import Table
from server.simulation import World, simulate
from server.stories import PEOPLE, some_story, wish

_FAULTS_S = 120.0


async def _insist(world: World, user: str, command: ask.Logged) -> None:
    """Send a command until there is an answer, each time with the same mark."""
    for _ in range(5):
        if await world.send(user, command) not in ("store-failed", "draining"):
            return
        await asyncio.sleep(world.random.random() * 3)


async def _impatient(world: World, user: str, command: ask.Logged) -> None:
    """Send a command, perhaps twice at once, perhaps give up half-way and send it again."""
    rng = world.random
    first = asyncio.ensure_future(_insist(world, user, command))
    if rng.random() < 0.15:
        await asyncio.gather(first, _insist(world, user, command))
    elif rng.random() < 0.15:
        await asyncio.sleep(rng.random() * 0.1)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        await asyncio.sleep(rng.choice((0, 0, 5)))
        if rng.random() < 0.7:
            await _insist(world, user, command)
    else:
        await first


async def _person(world: World, name: str) -> None:
    """Somebody who plays, loses the connection, and comes back."""
    rng = world.random
    while True:
        await asyncio.sleep(rng.choice((0, 0.01, 0.3, 0.3, 1, 8)) * rng.random())
        client = world.clients.get(name)
        if client is None:
            world.connect(name, resume=rng.random() < 0.7, options=rng.random() < 0.3)
        elif rng.random() < 0.05:
            world.drop(name)
            await asyncio.sleep(rng.choice((0, 1, 100)))
        elif client.user is not None and client.table:
            await _impatient(world, client.user, wish(client, world.rid(), rng))
        if rng.random() < 0.2:
            world.check_clients()


async def _disasters(world: World) -> None:
    rng = world.random
    while True:
        await asyncio.sleep(rng.random() * 60)
        if rng.random() < 0.3:
            world.skew_ms += rng.randrange(-20_000, 20_000)
        elif not world.over:
            await world.restart(rng.choice(("stop", "crash", "crash", "rival")))


async def _all_for(seconds: float, work: list[Coroutine[object, object, None]]) -> None:
    tasks = [asyncio.ensure_future(one) for one in work]
    done, left = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
    for task in done:
        task.result()


async def schedule(world: World, *, whole: bool = False) -> None:
    """One run: begin somewhere, live through faults, and then see that things move on."""
    rng = world.random
    told = some_story(rng)
    world.begin(told.rows, told.state)
    for name in PEOPLE:
        if rng.random() < 0.8:
            world.connect(name, options=rng.random() < 0.3)
    world.store.slow = rng.choice((0.0, 0.02, 0.5))
    world.store.trouble = rng.choice((0.0, 0.05, 0.2))
    work = [_person(world, name) for name in (*PEOPLE, "s0")]
    if rng.random() < 0.5:
        work.append(_disasters(world))
    await _all_for(rng.choice((10.0, 40.0)) if not whole else _FAULTS_S, work)
    world.silence()
    await asyncio.sleep(10)
    if world.alone:
        assert world.table.state.seq == len(world.store.rows), "nobody looks at what was stored"
    world.check_clients()
    for name in [*world.clients]:
        world.drop(name)
    await _moves_on(world, to_the_end=whole)
    world.check_log()


async def _moves_on(world: World, *, to_the_end: bool) -> None:
    """A table that nobody watches goes on, and closes in the end."""
    before = len(world.store.rows)
    for _ in range(60):
        if world.over or (not to_the_end and len(world.store.rows) > before + 2):
            return
        await asyncio.sleep(120)
    raise AssertionError(f"still {world.table.state.stage.value} at row {len(world.store.rows)}")


def run(seed: int, kind: type[Table] = Table, *, whole: bool = False) -> str:
    """One schedule from its seed; the digest of all that was said in it."""
    world = World(random.Random(seed), kind=kind)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(duetime, "STAND_IN", "random")  # it thinks least
        simulate(lambda: schedule(world, whole=whole), seed)
    return world.digest


def test_any_schedule_keeps_what_a_table_promises(size: Size) -> None:
    for seed in range(size(400, long=100_000)):
        try:
            run(seed)
        except AssertionError as error:
            raise AssertionError(f"schedule {seed}: {error}") from error


def test_a_table_that_is_left_comes_to_its_end(size: Size) -> None:
    for seed in range(size(20, long=2_000)):
        try:
            run(seed, whole=True)
        except AssertionError as error:
            raise AssertionError(f"schedule {seed}: {error}") from error
