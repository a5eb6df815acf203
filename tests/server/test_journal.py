"""The journal of administrators: whatever they do leaves a line, for the folder's owner alone."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from okey101.errors import OkeyError
from okey101.server.files import line_file
from okey101.server.ops.journal import Journal, JournalEntry, token_holder


async def do(journal: Journal, what: str, error: BaseException | None = None) -> None:
    async with journal.noted(what, who="admin:0", address="192.0.2.1", of="t_1", seat=2):
        if error is not None:
            raise error


def words(journal: Journal, count: int = 1_000) -> list[tuple[str, str]]:
    return [(entry.what, entry.outcome) for entry in journal.last(count)]


def test_deeds_are_kept_with_their_outcome_and_logged(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    assert journal.last(10) == []
    before = os.umask(0)
    try:
        with capture_logs() as told:
            asyncio.run(do(journal, "close"))
            with pytest.raises(OkeyError):
                asyncio.run(do(journal, "kick", OkeyError("no-seat", "none")))
            with pytest.raises(ZeroDivisionError):
                asyncio.run(do(journal, "ban", ZeroDivisionError()))
    finally:
        os.umask(before)
    assert words(journal) == [("ban", "failed"), ("kick", "no-seat"), ("close", "done")]
    assert words(journal, 1) == [("ban", "failed")]
    entry = journal.last(3)[-1]
    assert (entry.who, entry.address, entry.of, dict(entry.details)) == (
        "admin:0", "192.0.2.1", "t_1", {"seat": 2},
    )  # fmt: skip
    assert journal.path.stat().st_mode & 0o777 == 0o600
    assert [(line["event"], line["what"], line["outcome"]) for line in told] == [
        ("admin-action", "close", "done"), ("admin-action", "kick", "no-seat"),
        ("admin-action", "ban", "failed"),
    ]  # fmt: skip


def test_a_torn_line_hides_no_other(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    asyncio.run(do(journal, "close"))
    with journal.path.open("ab") as file:
        file.write(b'{"at":1,"who":"adm')
    asyncio.run(do(journal, "kick"))
    assert words(journal) == [("kick", "done"), ("close", "done")]


def test_the_trail_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_file, "_MOST_BYTES", 1_000)
    journal = Journal(tmp_path, logged=False)
    for number in range(50):
        journal.add(JournalEntry(at=number, who="admin:0", address="", what="check"))
    assert [entry.at for entry in journal.last(12)] == [*range(49, 37, -1)]
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 2_500
    assert len([*tmp_path.iterdir()]) <= 2


def test_a_trail_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "gone")
    with capture_logs() as told:
        asyncio.run(do(journal, "close"))
    assert [line["event"] for line in told] == ["admin-action", "journal-failed"]


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.touch()
    journal = Journal(tmp_path, logged=False)
    journal.path.symlink_to(other)
    asyncio.run(do(journal, "close"))
    assert other.read_bytes() == b""


def test_a_fingerprint_tells_nothing_of_the_token() -> None:
    assert token_holder("a" * 43) == token_holder("a" * 43) != token_holder("b" * 43)
    assert len(token_holder("x")) == len("admin:") + 8


def test_what_root_begins_belongs_to_the_folder_s_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a backup by root would keep the server from writing its journal."""
    given: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "fchown", lambda _, user, group: given.append((user, group)))
    journal = Journal(tmp_path, logged=False)
    for _ in range(2):
        asyncio.run(do(journal, "backup"))
    owner = tmp_path.stat()
    assert given == [(owner.st_uid, owner.st_gid)]
