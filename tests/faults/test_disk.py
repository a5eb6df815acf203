"""A disk that is full, that does not answer, and that refuses."""

import asyncio
import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest
from structlog.testing import capture_logs

from conftest import Patch, missing, soon
from faults.audit import Audit, copied
from faults.shim import Disk
from okey101.server.ops.outages import SlowStore
from okey101.server.serve import _GRACE_S
from server.clients import Client, Gone, Refused, over, simple_choice
from server.live import Http, Json, LiveServer, guest
from server.web.parties import in_match

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
    assert client.person is not None
    audit = Audit({client.person.id: client.person.name})
    audit.read(server.data, whole=True)
    assert audit.problems == []
    assert audit.seq_of(client.table) == client.model.seq


def told(server: LiveServer) -> list[Json]:
    return [event for event in server.events if event["event"].startswith("store-")]


async def figures(server: LiveServer) -> tuple[int, int]:
    found = await server.figures()
    return int(found["okey101_ready"]), int(found["okey101_log_commits_failed_total"])


@pytest.mark.parametrize("room", ["none", "some bytes"])
async def test_full_disk_refuses_commands_and_changes_nothing(room: str) -> None:
    with LiveServer() as server:
        async with in_match(server, to_act) as client, server.http() as http:
            log = server.data / "log.sqlite-wal"
            size = 0 if room == "none" else (await asyncio.to_thread(log.stat)).st_size + 5_000
            assert await figures(server) == (1, 0)
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
                with copied(server.data) as conn:
                    sql = "SELECT max(seq) FROM log WHERE table_id = ?"
                    stored = conn.execute(sql, (client.table,)).fetchone()
                assert stored == (client.model.seq,)
                answer = await http.post("/api/guests", json={"name": "Ali"})
                assert answer.status_code == 503, answer.text
            await goes_on(client)
            await guest(http, "Veli")
            assert (await http.get("/readyz")).status_code == 200
            ready, failed = await figures(server)
            assert (ready, failed >= 3) == (1, True)
        assert server.stop() == 0
        whole(server, client)
        *_, again = said = told(server)
        assert [event["event"] for event in said].count("store-works-again") == 1
        assert (again["event"], again["file"]) == ("store-works-again", "log.sqlite")
        assert again["reason"].startswith("SQLITE_")
        assert (again["failed"] >= 3, again["seconds"] > 0) == (True, True)
        assert str(server.data) not in str(said)


async def test_a_disk_that_is_full_and_has_room_again(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "3m") as disk, LiveServer(disk / "data") as server:
        async with in_match(server, to_act) as client:
            filler = disk / "filler"
            with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
                while True:
                    file.write(b"\0" * 4096)
            await refused_for_now(client)
            filler.unlink()
            await goes_on(client)
        assert server.stop() == 0
        whole(server, client)
        # A page may still fit between two that do not, but each line has its other one.
        said = [event["event"] for event in told(server)]
        assert said
        assert said == ["store-failing", "store-works-again"] * (len(said) // 2)


# A disk that hangs or fails -----------------------------------------------------------------------


@pytest.fixture
def disk(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: Patch) -> Disk:
    """Servers that start have their log on it, or files whose path holds what a test names."""
    made = Disk(tmp_path, getattr(request, "param", "log.sqlite"))
    for name, value in made.environ.items():
        monkeypatch.setenv(name, value)
    return made


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


def to_draw(client: Client) -> bool:
    return bool(client.model.options and client.model.options["draw"])


async def readiness(server: LiveServer) -> tuple[int, dict[str, bool], float]:
    """What /readyz says, and the age of the oldest row that waits."""
    async with server.http() as http:
        ready = await http.get("/readyz")
    age = (await server.figures())["okey101_log_commit_age_seconds"]
    return ready.status_code, ready.json(), age


async def ready(server: LiveServer) -> None:
    async with server.http() as http:
        await soon(lambda: _is_ready(http))


async def _is_ready(http: Http) -> bool:
    return (await http.get("/readyz")).is_success


async def test_a_hung_disk_is_told_and_the_end_comes(disk: Disk) -> None:
    with LiveServer(store_slow_s=1, drain_s=2, bot_delay_ms=600) as server:
        async with in_match(server, to_draw) as client, Client(server, client.table) as looker:
            disk.hang()
            move = asyncio.create_task(client.command("act", action="draw"))
            await soon(lambda: client.seen("notice"))
            code, checks, age = await readiness(server)
            assert (code, checks["log"]) == (503, False)
            assert age > 0.9
            assert not move.done()
            await looker.connect()
            await soon(lambda: looker.seen("notice"))
            disk.hang(on=False)
            await move
            await soon(lambda: [m["on"] for m in client.seen("notice")] == [True, False])
            code, checks, age = await readiness(server)
            assert (code, checks["log"]) == (200, True)
            await looker.close()
            # Once more, and now the server is asked to end.
            disk.hang()
            await client.send(json.dumps({"type": "leave", "rid": "bye"}))
            await soon(lambda: sum(e["event"] == "store-slow" for e in server.events) == 2)
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
        server.stop()


async def test_who_comes_while_the_disk_hangs_is_answered_when_it_works_again(disk: Disk) -> None:
    """What people do waits for the same disk, and its waiting is told."""
    with LiveServer(store_slow_s=1) as server:
        disk.hang()
        async with server.http() as http:
            coming = asyncio.create_task(guest(http, "Veli"))
            await soon(lambda: any(event["event"] == "store-slow" for event in server.events))
            assert not coming.done()
            code, checks, age = await readiness(server)
            assert (code, checks["log"]) == (503, False)
            assert age > 0.9
            disk.hang(on=False)
            await coming
            await ready(server)


@pytest.mark.parametrize("disk", ["hung-disk"], indirect=True)
def test_a_disk_that_hangs_while_nothing_waits_for_it_delays_no_end(
    disk: Disk, tmp_path: Path
) -> None:
    with LiveServer(tmp_path / "hung-disk", drain_s=3) as server:
        disk.hang()
        asked = monotonic()
        assert server.stop() == 74
        assert monotonic() - asked < 3 + 0.8 * _GRACE_S
        disk.hang(on=False)


async def test_a_disk_that_refuses_loses_nothing(disk: Disk) -> None:
    with LiveServer() as server:
        async with in_match(server, to_draw) as client:
            disk.fail()
            await client.send(json.dumps({"type": "act", "rid": "again", "action": "draw"}))
            await client.until(lambda c: any(m.get("code") == "store-failed" for m in c.messages))
            disk.fail(on=False)
            await client.command("act", rid="again", action="draw")
            assert client.model.options is not None
        told = [event["event"] for event in server.events]
        assert {"store-failing", "store-works-again"} <= {*told}
        server.restart(kill=True)
        await ready(server)
        assert not [event for event in server.events if event["event"] == "log-truncated"]
