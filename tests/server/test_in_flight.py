"""Nobody begins anything while being shut out, and what was begun is waited for."""

from __future__ import annotations

import asyncio

import pytest

from okey101.errors import OkeyError
from okey101.server.people.in_flight import InFlight


async def test_who_is_shut_out_begins_nothing() -> None:
    in_flight = InFlight()
    async with in_flight.shut("ali"):
        with pytest.raises(OkeyError) as refused, in_flight.begun("ali"):
            raise AssertionError("begun")
        assert refused.value.code == "accounts-busy"
        with in_flight.begun("veli"):
            pass
        async with in_flight.shut("ali"):
            pass
        with pytest.raises(OkeyError), in_flight.begun("ali"):
            raise AssertionError("begun")
    with in_flight.begun("ali"), in_flight.begun("ali"):
        pass


async def test_what_was_begun_is_over_first() -> None:
    in_flight = InFlight()
    told: list[str] = []
    go = asyncio.Event()

    async def does(name: str) -> None:
        with in_flight.begun("ali"):
            await go.wait()
            told.append(name)

    async def shuts() -> None:
        async with in_flight.shut("ali"):
            told.append("shut")

    async with asyncio.timeout(5), asyncio.TaskGroup() as group:
        group.create_task(does("one"))
        group.create_task(does("two"))
        await asyncio.sleep(0)
        for _ in range(2):
            group.create_task(shuts())
        await asyncio.sleep(0)
        with pytest.raises(OkeyError), in_flight.begun("ali"):
            raise AssertionError("begun")
        go.set()
    assert told == ["one", "two", "shut", "shut"]
