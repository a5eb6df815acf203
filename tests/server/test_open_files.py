"""Files: made for their owner, whole or absent; and play goes on where no more can be opened."""

import json
import os
import signal
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from conftest import Patch
from okey101.server.files import atomic_files as files
from okey101.server.net.binding import open_files
from server.clients import Client, over
from server.live import LiveServer, guest
from server.test_serve import served

if sys.platform == "win32":
    pytest.skip("there is no limit of open files", allow_module_level=True)

import resource

SPARE = 256


class Limits:
    def __init__(self, soft: int, hard: int, most: int | None = None) -> None:
        self.now = (soft, hard)
        self.most = most

    def set(self, _: int, wanted: tuple[int, int]) -> None:
        if self.most is not None and not 0 <= wanted[0] <= self.most:
            raise ValueError("not permitted")
        self.now = wanted


ENDLESS = resource.RLIM_INFINITY
CASES = [
    (Limits(10_000, 10_000), 8_000, 8_256, 10_000),  # enough as it is
    (Limits(1_024, 65_536), 8_000, 8_256, 65_536),  # what is usual
    (Limits(1_024, 4_096), 8_000, 4_096, 4_096),  # too few, even so
    (Limits(1_024, ENDLESS, 10_240), 8_000, 8_256, 8_256),  # a hard limit that is not taken
    (Limits(256, ENDLESS, 1_024), 8_000, 256, 256),
    (Limits(1_024, ENDLESS), 8_000, 8_256, ENDLESS),
    (Limits(ENDLESS, ENDLESS), 8_000, 8_256, ENDLESS),
]


@pytest.mark.parametrize(("limits", "sockets", "allowed", "soft"), CASES)
def test_the_limit_is_raised_where_it_can_be(
    monkeypatch: Patch, limits: Limits, sockets: int, allowed: int, soft: int
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits.now)
    monkeypatch.setattr(resource, "setrlimit", limits.set)
    needed, found = open_files(sockets)
    assert needed == sockets + SPARE
    assert min(found, needed) == min(allowed, needed)
    assert limits.now[0] == soft


def test_too_few_are_warned_of_at_the_start(tmp_path: Path) -> None:
    with served(tmp_path, "well", most_files=512, OKEY101_MAX_SOCKETS="1000") as server:
        server.wait_for('"serving"')
        server.process.send_signal(signal.SIGTERM)
        assert server.end()[0] == 0
        (line,) = [line for line in server.said.splitlines() if "few-open-files" in line]
    told = json.loads(line)
    assert told["level"] == "warning"
    assert (told["allowed"], told["needed"]) == (512, 1_256)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of a process are Linux's")
async def test_bots_play_where_no_more_files_can_be_opened() -> None:
    def starve(server: LiveServer) -> None:
        pid = server.running.pid
        used = max(int(one.name) for one in Path(f"/proc/{pid}/fd").iterdir()) + 1
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (used, used))

    with LiveServer(fresh=True) as server:  # what is loaded late needs a file, too
        async with server.http() as http:
            person = await guest(http)
        async with server.http(person) as http:
            answer = await http.post("/api/tables", json={"deals": 1})
            assert answer.status_code == 201, answer.text
            async with Client(server, answer.json()["id"], person) as client:
                starve(server)
                for seat in (1, 2, 3):
                    await client.do("bot", seat=seat, bot="steady")
                await client.do("start")
                await client.play_on(over)


def test_every_way_to_make_a_file_makes_it_for_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        files.make_private(tmp_path / "a", b"1")
        files.ensure_private(tmp_path / "b")
        files.create(tmp_path / "c", b"3")
        files.replace(tmp_path / "d", b"4")
    finally:
        os.umask(before)
    found = {path.name: path for path in tmp_path.iterdir()}
    assert {path.stat().st_mode & 0o777 for path in found.values()} == {0o600}
    written = {"a": b"1", "b": b"", "c": b"3", "d": b"4"}
    assert {name: path.read_bytes() for name, path in found.items()} == written


def test_what_is_there_stays_or_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "a"
    files.make_private(path, b"first")
    with pytest.raises(FileExistsError):
        files.make_private(path)
    files.ensure_private(path)
    files.create(path, b"second")
    assert path.read_bytes() == b"first"
    part = tmp_path / "part"
    files.make_private(part, b"second")
    with pytest.raises(FileExistsError):
        files.publish(part, path)
    part.unlink()
    files.replace(path, b"third")
    assert path.read_bytes() == b"third"
    assert [*tmp_path.iterdir()] == [path]


def test_a_disk_without_hard_links_gets_its_files_too(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(os, "link", Mock(side_effect=OSError("not supported")))
    for data in (b"first", b"second"):
        files.create(tmp_path / "a", data)
    assert (tmp_path / "a").read_bytes() == b"first"
    assert [*tmp_path.iterdir()] == [tmp_path / "a"]


def test_what_a_disk_takes_in_parts_is_added_whole(tmp_path: Path, monkeypatch: Patch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, data: write(file, bytes(data)[:3]))
    files.append(tmp_path / "a", b"eight bytes")
    files.append(tmp_path / "a", b" and more")
    assert (tmp_path / "a").read_bytes() == b"eight bytes and more"
