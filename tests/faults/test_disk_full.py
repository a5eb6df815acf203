"""A full disk: commands are refused and change nothing, and play goes on when there is room."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import missing
from faults.audit import Audit, copied
from server.clients import Client, Gone, Refused, over, simple_choice
from server.live import Json, LiveServer, guest

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="limits of a running process are Linux's"
)


@contextlib.contextmanager
def no_room(server: LiveServer, size: int) -> Iterator[None]:
    """Writing beyond that many bytes of any file fails in the server, as on a full disk."""
    import resource

    assert server.process is not None
    pid = server.process.pid
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, before)


@contextlib.contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A disk of its own, where this user may mount one."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(folder)]
    if os.geteuid() != 0 or shutil.which("mount") is None:
        missing("NO DISK OF ITS OWN: only root mounts one; the small disk was not filled")
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        missing("NO DISK OF ITS OWN: none can be mounted; the small disk was not filled")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def to_act(client: Client) -> bool:
    """Whether it is the client's turn."""
    return client.model.stage == "playing" and client.model.options is not None


async def refused_for_now(client: Client) -> None:
    """Send what is next until it is refused for want of room."""
    code = ""
    while code != "store-failed":
        await client.until(lambda c: c.closed or to_act(c))
        options, seq = client.model.options, client.model.seq
        assert options is not None
        try:
            seq = await client.command("act", action=simple_choice(options, client.random)) or seq
        except Refused as error:
            code = error.code
        await client.until(lambda c, seq=seq: c.closed or c.model.seq >= seq)  # type: ignore[misc]


async def opened(server: LiveServer) -> Client:
    async with server.http() as http:
        person = await guest(http)
    async with server.http(person) as http:
        answer = await http.post("/api/play", json={"deals": 1, "bot": "greedy"})
    assert answer.status_code == 201, answer.text
    client = Client(server, answer.json()["table"], person)
    await client.connect()
    await client.play_on(to_act)
    return client


async def goes_on(client: Client) -> None:
    """Play to the end, what was told following on what was told before."""
    async with asyncio.timeout(60):
        while not over(client):
            try:
                await client.play_on(over)
            except Refused:
                await asyncio.sleep(0.2)
            except Gone:
                await client.resume()


def whole(server: LiveServer, client: Client) -> None:
    """The log of the stopped server is what the client knows."""
    assert client.person is not None
    audit = Audit({client.person.id: client.person.name})
    audit.read(server.data, whole=True)
    assert audit.problems == []
    assert audit.seq_of(client.table) == client.model.seq
    assert "Traceback" not in server.log


def told(server: LiveServer) -> list[Json]:
    """What is said of the log's file; the accounts have lines of their own."""
    said = [event for event in server.events if event["event"].startswith("store-")]
    assert {event["file"] for event in said} <= {"log.sqlite", "accounts.sqlite"}
    return [event for event in said if event["file"] == "log.sqlite"]


async def figures(server: LiveServer) -> tuple[int, int]:
    """Whether the metrics call the server ready, and how many commits they count as failed."""
    async with server.http() as http:
        text = (await http.get("/metrics")).text
    names = ("okey101_ready", "okey101_log_commits_failed_total")
    found = [re.search(rf"(?m)^{name} (\d+)", text) for name in names]
    ready, failed = (int(match[1]) if match else -1 for match in found)
    return ready, failed


@pytest.mark.parametrize("room", ["none", "some bytes"])
def test_full_disk_refuses_commands_and_changes_nothing(room: str) -> None:
    async def play(server: LiveServer) -> Client:
        client = await opened(server)
        try:
            await starve(server, client)
        finally:
            await client.close()
        return client

    async def starve(server: LiveServer, client: Client) -> None:
        log = server.data / "log.sqlite-wal"
        size = 0 if room == "none" else (await asyncio.to_thread(log.stat)).st_size + 5_000
        assert await figures(server) == (1, 0)
        async with server.http() as http:
            with no_room(server, size):
                for _ in range(3):
                    await refused_for_now(client)
                assert (await http.get("/readyz")).status_code == 503
                assert (await http.get("/livez")).status_code == 200
                ready, failed = await figures(server)
                assert (ready, failed >= 3) == (0, True)
                # Where no file takes a byte, neither does the one with the log.
                begun = [] if room == "none" else ["store-failing"]
                assert [event["event"] for event in told(server)] == begun
                before = client.model.seq
                with copied(server.data) as conn:
                    (stored,) = conn.execute(
                        "SELECT max(seq) FROM log WHERE table_id = ?", (client.table,)
                    ).fetchone()
                assert stored == before
                answer = await http.post("/api/guests", json={"name": "Ali"})
                assert answer.status_code == 503, answer.text
            await goes_on(client)
            await guest(http, "Veli")
            assert (await http.get("/readyz")).status_code == 200
            ready, failed = await figures(server)
            assert (ready, failed >= 3) == (1, True)

    with LiveServer() as server:
        client = asyncio.run(play(server))
        assert server.stop() == 0
        whole(server, client)
        *_, again = said = told(server)
        assert [event["event"] for event in said].count("store-works-again") == 1
        assert (again["event"], again["file"]) == ("store-works-again", "log.sqlite")
        assert again["reason"].startswith("SQLITE_")
        assert (again["failed"] >= 3, again["seconds"] > 0) == (True, True)
        assert str(server.data) not in str(said)


def test_a_disk_that_is_full_and_has_room_again(tmp_path: Path) -> None:
    async def play(server: LiveServer, disk: Path) -> Client:
        client = await opened(server)
        filler = disk / "filler"
        with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(b"\0" * 4096)
        try:
            await refused_for_now(client)
            filler.unlink()
            await goes_on(client)
        finally:
            await client.close()
        return client

    with small_disk(tmp_path / "disk", "3m") as disk, LiveServer(disk / "data") as server:
        client = asyncio.run(play(server, disk))
        assert server.stop() == 0
        whole(server, client)
        # A page may still fit between two that do not, but each line has its other one.
        said = [event["event"] for event in told(server)]
        assert said
        assert said == ["store-failing", "store-works-again"] * (len(said) // 2)
