"""Nobody begins anything while being shut out, and what was begun is waited for."""

from __future__ import annotations

import asyncio

import pytest

from okey101.errors import OkeyError
from okey101.server.in_flight import Doings


def test_who_is_shut_out_begins_nothing() -> None:
    async def story() -> None:
        doings = Doings()
        async with doings.shut("ali"):
            with pytest.raises(OkeyError) as refused, doings.begun("ali"):
                raise AssertionError("begun")
            assert refused.value.code == "accounts-busy"
            with doings.begun("veli"):
                pass
            async with doings.shut("ali"):
                pass
            with pytest.raises(OkeyError), doings.begun("ali"):
                raise AssertionError("begun")
        with doings.begun("ali"), doings.begun("ali"):
            pass

    asyncio.run(story())


def test_what_was_begun_is_over_first() -> None:
    async def story() -> None:
        doings = Doings()
        told: list[str] = []
        go = asyncio.Event()

        async def does(name: str) -> None:
            with doings.begun("ali"):
                await go.wait()
                told.append(name)

        async def shuts() -> None:
            async with doings.shut("ali"):
                told.append("shut")

        async with asyncio.timeout(5), asyncio.TaskGroup() as group:
            group.create_task(does("one"))
            group.create_task(does("two"))
            await asyncio.sleep(0)
            for _ in range(2):
                group.create_task(shuts())
            await asyncio.sleep(0)
            with pytest.raises(OkeyError), doings.begun("ali"):
                raise AssertionError("begun")
            go.set()
        assert told == ["one", "two", "shut", "shut"]

    asyncio.run(story())
