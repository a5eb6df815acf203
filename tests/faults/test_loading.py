"""Tables that are asked for while they come back, and the server is told to stop or has trouble."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from okey101.errors import OkeyError
from okey101.server.protocol import TableOptions, checked_options
from okey101.server.tables.dependencies import Dependencies
from okey101.server.tables.registry import Tables
from server.store.memory import MemoryStore, Step

OPTIONS = checked_options(TableOptions(bots=(None, "greedy", "greedy", "greedy")))


async def one_table() -> tuple[MemoryStore, str]:
    store = MemoryStore()
    made = await tables(store).create("u0", OPTIONS)
    await made.stop()
    return store, made.state.table


def tables(store: MemoryStore) -> Tables:
    deps = Dependencies(store=store, now_ms=lambda: 1_800_000_000_000)
    return Tables(deps, most=10, most_each=5)


def delay_reading(store: MemoryStore, pause: Callable[[], Awaitable[object]]) -> asyncio.Event:
    """Let every reading last as long as ``pause``; the event tells that one has begun."""
    reading = asyncio.Event()

    async def slow(step: Step) -> None:
        if step == "read":
            reading.set()
            await pause()

    store.delay = slow
    return reading


async def test_who_waits_for_a_table_when_the_server_drains_is_told_so() -> None:
    store, table = await one_table()
    found = tables(store)
    await found.bring_back()
    await delay_reading(store, lambda: asyncio.sleep(3600)).wait()
    waiting = asyncio.create_task(found.get(table))
    await asyncio.sleep(0)
    await found.drain()
    with pytest.raises(OkeyError, match="restart") as told:
        await waiting
    assert told.value.code == "draining"


async def test_who_waits_for_one_who_gave_up_loads_the_table() -> None:
    store, table = await one_table()
    reading = delay_reading(store, lambda: asyncio.sleep(0.05))
    found = tables(store)
    found._waiting = {table}
    first = asyncio.create_task(found.get(table))
    await reading.wait()
    others = [asyncio.create_task(found.get(table)) for _ in range(3)]
    await asyncio.sleep(0)
    first.cancel()
    loaded = await asyncio.gather(*others)
    assert all(one is loaded[0] for one in loaded)
    assert first.cancelled()
    await found.drain()


async def test_a_table_that_comes_back_while_the_server_drains_stands_still() -> None:
    store, table = await one_table()
    go_on = asyncio.Event()
    reading = delay_reading(store, go_on.wait)
    found = tables(store)
    found._waiting = {table}
    asked = asyncio.create_task(found.get(table))
    await reading.wait()
    await found.drain()
    go_on.set()
    with pytest.raises(OkeyError, match="restart"):
        await (await asked).close()


async def test_names_that_are_not_there_now_do_not_give_a_table_up() -> None:
    store, table = await one_table()
    tries = 0

    async def names(_: list[str]) -> None:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise OkeyError("accounts-busy", "too much to do")

    deps = Dependencies(store=store, now_ms=lambda: 1_800_000_000_000)
    found = Tables(deps, most=10, most_each=5, before_loading=names)
    found._waiting = {table}
    with pytest.raises(OkeyError) as told:
        await found.get(table)
    assert told.value.code == "store-failed"
    assert (await found.get(table)).frozen is None
    await found.drain()
