"""The trail of administrators: whatever they do leaves a line, for the folder's owner alone."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from okey101.errors import OkeyError
from okey101.server import line_file
from okey101.server.trail import Deed, Trail, token_holder


async def do(trail: Trail, what: str, error: BaseException | None = None) -> None:
    async with trail.noted(what, who="admin:0", address="192.0.2.1", of="t_1", seat=2):
        if error is not None:
            raise error


def words(trail: Trail, count: int = 1_000) -> list[tuple[str, str]]:
    return [(deed.what, deed.outcome) for deed in trail.last(count)]


def test_deeds_are_kept_with_their_outcome_and_logged(tmp_path: Path) -> None:
    trail = Trail(tmp_path)
    assert trail.last(10) == []
    before = os.umask(0)
    try:
        with capture_logs() as told:
            asyncio.run(do(trail, "close"))
            with pytest.raises(OkeyError):
                asyncio.run(do(trail, "kick", OkeyError("no-seat", "none")))
            with pytest.raises(ZeroDivisionError):
                asyncio.run(do(trail, "ban", ZeroDivisionError()))
    finally:
        os.umask(before)
    assert words(trail) == [("ban", "failed"), ("kick", "no-seat"), ("close", "done")]
    assert words(trail, 1) == [("ban", "failed")]
    deed = trail.last(3)[-1]
    assert (deed.who, deed.address, deed.of, dict(deed.details)) == (
        "admin:0", "192.0.2.1", "t_1", {"seat": 2},
    )  # fmt: skip
    assert trail.path.stat().st_mode & 0o777 == 0o600
    assert [(line["event"], line["what"], line["outcome"]) for line in told] == [
        ("admin-action", "close", "done"), ("admin-action", "kick", "no-seat"),
        ("admin-action", "ban", "failed"),
    ]  # fmt: skip


def test_a_torn_line_hides_no_other(tmp_path: Path) -> None:
    trail = Trail(tmp_path)
    asyncio.run(do(trail, "close"))
    with trail.path.open("ab") as file:
        file.write(b'{"at":1,"who":"adm')
    asyncio.run(do(trail, "kick"))
    assert words(trail) == [("kick", "done"), ("close", "done")]


def test_the_trail_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_file, "_MOST_BYTES", 1_000)
    trail = Trail(tmp_path, logged=False)
    for number in range(50):
        trail.add(Deed(at=number, who="admin:0", address="", what="check"))
    assert [deed.at for deed in trail.last(12)] == [*range(49, 37, -1)]
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 2_500
    assert len([*tmp_path.iterdir()]) <= 2


def test_a_trail_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    trail = Trail(tmp_path / "gone")
    with capture_logs() as told:
        asyncio.run(do(trail, "close"))
    assert [line["event"] for line in told] == ["admin-action", "trail-failed"]


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.touch()
    trail = Trail(tmp_path, logged=False)
    trail.path.symlink_to(other)
    asyncio.run(do(trail, "close"))
    assert other.read_bytes() == b""


def test_a_fingerprint_tells_nothing_of_the_token() -> None:
    assert token_holder("a" * 43) == token_holder("a" * 43) != token_holder("b" * 43)
    assert len(token_holder("x")) == len("admin:") + 8


def test_what_root_begins_belongs_to_the_folder_s_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a backup by root would keep the server from writing its trail."""
    given: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "fchown", lambda _, user, group: given.append((user, group)))
    trail = Trail(tmp_path, logged=False)
    for _ in range(2):
        asyncio.run(do(trail, "backup"))
    owner = tmp_path.stat()
    assert given == [(owner.st_uid, owner.st_gid)]
