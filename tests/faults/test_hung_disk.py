"""A disk that does not answer, and one that refuses: told everywhere, and the end comes."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from structlog.testing import capture_logs

from faults.shim import Disk
from okey101.server.slow_store import SlowStore
from server.clients import Client
from server.live import LiveServer, guest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the shim is for Linux")


def test_a_slow_disk_is_told_once_and_its_end_as_well() -> None:
    age, told = [0.0], list[bool]()
    watch = SlowStore(lambda: age[0], 5.0, told.append)
    with capture_logs() as lines:
        for seconds in (0.0, 4.9, 5.1, 9.0, 7.0, 0.0, 0.0, 6.0):
            age[0] = seconds
            watch.look()
            assert watch.slow == (seconds > 5)
    assert told == [True, False, True]
    assert [(line["event"], line["seconds"]) for line in lines] == [
        ("store-slow", 5.1), ("store-fast-again", 9.0), ("store-slow", 6.0),
    ]  # fmt: skip


async def until(found: Callable[[], Any]) -> None:
    async with asyncio.timeout(60):
        while not found():  # noqa: ASYNC110  # another process
            await asyncio.sleep(0.02)


async def begun(server: LiveServer) -> Client:
    """A person at a table against bots, with a turn to play."""
    async with server.http() as http:
        person = await guest(http, "Ali")
    async with server.http(person) as http:
        answer = await http.post("/api/play", json={"deals": 1, "bot": "greedy"})
    client = Client(server, answer.json()["table"], person)
    await client.connect()
    await client.play_on(lambda c: c.model.options is not None and c.model.options["draw"])
    return client


async def figures(server: LiveServer) -> tuple[int, dict[str, bool], float]:
    """What /readyz says, and the age of the oldest row that waits."""
    async with server.http() as http:
        ready = await http.get("/readyz")
        text = (await http.get("/metrics")).text
    age = re.search(r"^okey101_log_commit_age_seconds (\S+)", text, re.MULTILINE)
    assert age is not None
    return ready.status_code, ready.json(), float(age[1])


async def ready(server: LiveServer) -> None:
    """Wait until all tables are back."""
    async with asyncio.timeout(60):
        while (await figures(server))[0] != httpx.codes.OK:  # noqa: ASYNC110  # another process
            await asyncio.sleep(0.05)


async def hung(server: LiveServer, disk: Disk) -> None:
    client = await begun(server)
    disk.hang()
    move = asyncio.create_task(client.command("act", action="draw"))
    await until(lambda: client.seen("notice"))
    code, checks, age = await figures(server)
    assert (code, checks["log"]) == (503, False)
    assert age > 0.9
    assert not move.done()
    looker = Client(server, client.table, None)
    await looker.connect()
    await until(lambda: looker.seen("notice"))
    disk.hang(on=False)
    await move
    await until(
        lambda: [m["on"] for m in client.messages if m["type"] == "notice"] == [True, False]
    )
    code, checks, age = await figures(server)
    assert (code, checks["log"]) == (200, True)
    await looker.close()
    # Once more, and now the server is asked to end.
    disk.hang()
    await client.send(json.dumps({"type": "leave", "rid": "bye"}))
    await until(lambda: sum(e["event"] == "store-slow" for e in server.events) == 2)
    assert await asyncio.to_thread(server.stop) == 74
    await client.until(lambda c: c.closed)
    assert client.close_code == 1012
    # The look at what was there before goes on beside that, and may end at any time.
    told = [e["event"] for e in server.events if not e["event"].endswith("-sound")]
    assert told.count("store-fast-again") == 1
    assert told[-2:] == ["drain-timeout", "store-stuck"]
    disk.hang(on=False)
    server.start()
    await ready(server)
    await client.close()
    server.stop()


def test_a_hung_disk_is_told_and_the_end_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(tmp_path)
    for name, value in disk.environ.items():
        monkeypatch.setenv(name, value)
    with LiveServer(store_slow_s=1, drain_s=2, bot_delay_ms=600) as server:
        asyncio.run(hung(server, disk))
        server.assert_clean()


async def hung_accounts(server: LiveServer, disk: Disk) -> None:
    client = await begun(server)
    disk.hang()
    async with server.http() as http:
        coming = asyncio.create_task(guest(http, "Veli"))
        await until(lambda: _slow_accounts(server))
        async with asyncio.timeout(60):  # a busy machine may be slow at the log as well
            while True:
                answer = await http.get("/readyz")
                said = (answer.status_code, answer.json()["accounts"], answer.json()["log"])
                if said == (503, False, True):
                    break
                await asyncio.sleep(0.05)
        text = (await http.get("/metrics")).text
        age = re.search(r"^okey101_accounts_age_seconds (\S+)", text, re.MULTILINE)
        assert age is not None
        assert float(age[1]) > 0.9
        await client.command("act", action="draw")  # who plays, plays on
        disk.hang(on=False)
        await coming
        await ready(server)
        assert "okey101_accounts_age_seconds 0.0" in (await http.get("/metrics")).text
        disk.hang()
        await until_asked(http, server)
    assert await asyncio.to_thread(server.stop) == 74
    await client.close()
    assert _slow_accounts(server) == 2
    disk.hang(on=False)


async def until_asked(http: httpx.AsyncClient, server: LiveServer) -> None:
    """Somebody comes who gets no answer, and nobody waits for that."""
    coming = asyncio.create_task(guest(http, "Can"))
    await until(lambda: _slow_accounts(server) == 2)
    coming.cancel()


def _slow_accounts(server: LiveServer) -> int:
    slow = [event["file"] for event in server.events if event["event"] == "store-slow"]
    return slow.count("accounts.sqlite")


def test_accounts_on_a_hung_disk_are_told_and_the_end_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(tmp_path, "accounts.sqlite")
    for name, value in disk.environ.items():
        monkeypatch.setenv(name, value)
    with LiveServer(store_slow_s=1, drain_s=1, bot_delay_ms=600) as server:
        asyncio.run(hung_accounts(server, disk))
        server.assert_clean()


async def failing(server: LiveServer, disk: Disk) -> None:
    client = await begun(server)
    disk.fail()
    move = {"type": "act", "rid": "again", "action": "draw"}
    await client.send(json.dumps(move))
    await client.until(lambda c: any(m.get("code") == "store-failed" for m in c.messages))
    disk.fail(on=False)
    await client.command("act", rid="again", action="draw")
    assert client.model.options is not None
    await client.close()
    told = [event["event"] for event in server.events]
    assert "store-failing" in told
    assert "store-works-again" in told
    assert "log-truncated" not in told
    server.restart(kill=True)
    await ready(server)
    assert not [event for event in server.events if event["event"] == "log-truncated"]


def test_a_disk_that_refuses_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = Disk(tmp_path)
    for name, value in disk.environ.items():
        monkeypatch.setenv(name, value)
    with LiveServer() as server:
        asyncio.run(failing(server, disk))
        server.assert_clean()
