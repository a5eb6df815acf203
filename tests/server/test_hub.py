"""What the parts of a server share: names are let go of, and faults told without their text."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from okey101.server.hub import Hub
from okey101.server.logs import configure_logs
from okey101.server.metrics import Metrics
from okey101.server.protocol.options import checked_options
from okey101.server.settings import load_settings
from server.stories import table_options


@asynccontextmanager
async def opened(data: Path) -> AsyncIterator[Hub]:
    """A hub of its own."""
    hub = await Hub.open(load_settings({"data": data}), Metrics())
    try:
        await hub.tables.wait_back()
        yield hub
    finally:
        await hub.close()


class Socket:
    """A connection of a person."""

    def __init__(self, user: str) -> None:
        self.user = user
        self.session = "s"

    def close(self, code: int, reason: str) -> None:
        raise AssertionError((code, reason))


def test_names_are_kept_as_long_as_they_are_needed(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path) as hub:
            people = [(await hub.accounts.guest(f"Kişi {n}"))[0] for n in range(4)]
            hub.names.update({user.id: user.name for user in people})
            table = await hub.tables.create(people[0].id, checked_options(table_options()))
            socket = Socket(people[1].id)
            hub.enter(socket)
            hub.forget_names()
            assert set(hub.names) == {people[0].id, people[1].id}
            await table.close()
            hub.leave(socket)
            hub.forget_names()
            assert not hub.names

    asyncio.run(story())


def test_a_fault_in_a_task_is_told_without_its_text(tmp_path: Path) -> None:
    """It may name tiles that nobody has seen."""

    async def fails() -> None:
        raise ValueError("the hand is R13 B1")

    async def story() -> None:
        async with opened(tmp_path) as hub:
            await asyncio.wait([hub.spawn(fails())])
            await asyncio.sleep(0)

    heard = io.StringIO()
    handlers = [*logging.getLogger().handlers]
    configure_logs("info", "json", heard)
    try:
        asyncio.run(story())
    finally:
        for handler in [h for h in logging.getLogger().handlers if h not in handlers]:
            logging.getLogger().removeHandler(handler)
    (line,) = [line for line in heard.getvalue().splitlines() if "task-failed" in line]
    assert "ValueError" in line
    assert "fails" in line
    assert "R13" not in line
