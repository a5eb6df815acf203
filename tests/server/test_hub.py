"""What the parts of a server share: names are let go of, and faults told without their text."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from okey101.errors import OkeyError
from okey101.server.hub import Hub
from okey101.server.logs import configure_logs
from okey101.server.metrics import Metrics
from okey101.server.protocol import commands as ask
from okey101.server.protocol.options import checked_options
from okey101.server.settings import load_settings
from okey101.server.tables.state import Stage
from okey101.server.tables.table import Table
from server.stories import table_options


@asynccontextmanager
async def opened(data: Path, **settings: object) -> AsyncIterator[Hub]:
    """A hub of its own."""
    hub = await Hub.open(load_settings({"data": data, **settings}), Metrics())
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


def test_a_deleted_person_gets_no_name_back(tmp_path: Path) -> None:
    """A request that looked the person up before may still be on its way."""

    async def story() -> None:
        async with opened(tmp_path) as hub:
            user, token = await hub.accounts.guest("Ali")
            assert await hub.session(token) is not None
            assert hub.names[user.id] == "Ali"
            await hub.accounts.delete(user.id)
            hub.names[user.id] = None
            hub.know(user)
            assert hub.names[user.id] is None

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


class Player:
    """Somebody who is there and watches nothing."""

    def __init__(self, user: str) -> None:
        self.user: str | None = user
        self.session = "s"
        self.options = False
        self.muted: set[str] = set()

    def send(self, data: bytes) -> None:
        pass

    def close(self, code: int, reason: str) -> None:
        pass


async def played_out(hub: Hub, user: str) -> Table:
    """A table whose only match bots have played to its end."""
    options = checked_options(table_options(people=1, players=2, deals=1))
    table = await hub.tables.create(user, options)
    table.attach(Player(user))
    await table.command(user, ask.Start(rid="1"))
    await table.command(user, ask.Leave(rid="2"))
    async with asyncio.timeout(60):
        while table.state.stage is not Stage.OVER:  # noqa: ASYNC110  # nothing tells when
            await asyncio.sleep(0.05)
    return table


def test_a_table_stays_open_until_its_match_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The administrator's close too: of a closed table nobody reads the log again."""

    async def fails(**_: object) -> str:
        raise OkeyError("accounts-failed", "no disk")

    async def story() -> None:
        monkeypatch.setattr("okey101.server.hub._SAVE_AGAIN_S", 0.1)
        quick = {"bot_delay_ms": 0, "first_deal_wait_s": 0}
        async with opened(tmp_path, **quick) as hub:
            user, _ = await hub.accounts.guest("Ali")
            monkeypatch.setattr(hub.accounts, "save_match", fails)
            table = (await played_out(hub, user.id)).state.table
            for close in (hub.close_table, hub.tables.close):
                with pytest.raises(OkeyError) as refused:
                    await close(table)
                assert refused.value.code == "accounts-failed"
        async with opened(tmp_path, **quick) as hub:
            await hub.close_table(table)
            assert (await hub.accounts.match(f"{table}-1")).summary.table_id == table
            with pytest.raises(OkeyError, match="no such table"):
                await hub.tables.get(table)

    asyncio.run(story())
