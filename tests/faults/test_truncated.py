"""A log whose end was acknowledged and is gone: told everywhere, and no deal goes on."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from server.clients import Client
from server.live import LiveServer, Person, guest


async def playing(server: LiveServer, person: Person) -> Client:
    """A person whose deal against bots runs."""
    async with server.http(person) as http:
        answer = await http.post("/api/play", json={"deals": 3, "bot": "greedy"})
    assert answer.status_code == 201, answer.text
    client = Client(server, answer.json()["table"], person)
    await client.connect()
    await client.play_on(lambda c: c.model.stage == "playing" and len(c.model.deal_actions) > 8)
    return client


async def ready(server: LiveServer) -> tuple[int, dict[str, bool]]:
    async with server.http() as http:
        for _ in range(100):
            answer = await http.get("/readyz")
            if answer.json()["tables"]:
                break
            await asyncio.sleep(0.05)
    return answer.status_code, answer.json()


async def checked(server: LiveServer) -> list[str]:
    async with server.admin() as admin:
        answer = await admin.post("/api/admin/check")
    return list(answer.json()["problems"])


def zeroed(data: Path) -> None:
    """4 KiB of zeros in the write-ahead log, as after a power cut on a disk that lies."""
    wal = data / "log.sqlite-wal"
    with wal.open("rb+") as file:
        file.seek(wal.stat().st_size // 2)
        file.write(bytes(4096))


def deleted(data: Path) -> None:
    for path in data.glob("log.sqlite*"):
        path.unlink()


def told(server: LiveServer) -> list[Any]:
    return [event for event in server.events if event["event"] == "log-truncated"]


def test_zeros_in_the_write_ahead_log_void_the_deals_concerned() -> None:
    async def story(server: LiveServer) -> None:
        async with server.http() as http:
            person = await guest(http, "Ali")
        client = await playing(server, person)
        seq, commitment = client.model.seq, client.model.table["commitment"]
        server.kill()
        await client.close()
        zeroed(server.data)
        server.start()
        assert (await ready(server)) == (
            503,
            {"log": True, "accounts": True, "tables": True, "open": True, "whole": False},
        )
        assert [event["tables"] for event in told(server)] == [[client.table]]
        async with server.http() as http:
            figures = (await http.get("/metrics")).text
        assert "okey101_log_whole 0.0" in figures
        assert any("log-truncated" in problem for problem in await checked(server))
        # Whoever comes back is not shown an older hand as if nothing had happened.
        await client.connect(seq)
        await client.until(lambda c: c.model.stage == "dealing" or c.model.deal is None)
        assert client.model.table["commitment"] != commitment
        assert client.model.table["scores"]["counted"] == 0
        await client.play_on(lambda c: c.model.stage == "playing")
        await client.close()
        (server.data / "log.lost").unlink()
        assert (await ready(server))[0] == 200
        assert await checked(server) == []
        server.restart()
        assert len(told(server)) == 1

    with LiveServer() as server:
        asyncio.run(story(server))


@pytest.mark.parametrize("marked", [True, False])
def test_a_deleted_log_is_no_plain_404(*, marked: bool) -> None:
    """With its mark the start tells; without it the client, by the head it was told."""

    async def story(server: LiveServer) -> None:
        async with server.http() as http:
            person = await guest(http, "Ali")
        client = await playing(server, person)
        server.kill()
        await client.close()
        deleted(server.data)
        if not marked:
            (server.data / "log.mark").unlink()
        server.start()
        assert (await ready(server))[0] == (503 if marked else 200)
        await client.resume()
        assert client.closed
        assert [m["code"] for m in client.messages if m["type"] == "error"] == ["log-truncated"]
        assert client.close_code == 4002
        assert len(told(server)) == 1
        assert (await ready(server))[0] == 503
        stranger = Client(server, "abcdefghjkmn", person)
        async with server.http(person) as http:
            answer = await http.get(f"/api/tables/{stranger.table}")
        assert answer.status_code == httpx.codes.NOT_FOUND
        assert json.loads((server.data / "log.lost").read_text())["why"] == "log-truncated"

    with LiveServer() as server:
        asyncio.run(story(server))
