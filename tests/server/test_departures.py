"""Who left quick tables outlives a restart, and no broken file stops one."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import structlog

from okey101.errors import OkeyError
from okey101.server.ops.leavers import Leavers
from okey101.server.ops.utc import utc_ms
from okey101.server.tables.table import Table
from server.test_hub import opened


def test_what_was_noted_last_is_read_again(tmp_path: Path) -> None:
    leavers = Leavers(tmp_path)
    assert leavers.read() == {}
    leavers.note({"u1": [1]})
    leavers.note({"u1": [1, 2], "u2": [3]})
    leavers.write()
    assert Leavers(tmp_path).read() == {"u1": [1, 2], "u2": [3]}
    assert leavers.path.stat().st_mode & 0o077 == 0
    assert [path.name for path in tmp_path.iterdir()] == [leavers.path.name]


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b'{"u1": "now"}'])
def test_a_file_that_cant_be_read_counts_for_nothing(tmp_path: Path, content: bytes) -> None:
    leavers = Leavers(tmp_path)
    leavers.path.write_bytes(content)
    with structlog.testing.capture_logs() as told:
        assert leavers.read() == {}
    assert [line["event"] for line in told] == ["leavers-unread"]


def test_a_disk_that_refuses_it_is_told_of(tmp_path: Path) -> None:
    leavers = Leavers(tmp_path / "gone")
    leavers.note({"u1": [1]})
    with structlog.testing.capture_logs() as told:
        leavers.write()
    assert [line["event"] for line in told] == ["leavers-unwritten"]


async def test_a_server_keeps_who_left_a_closed_table(tmp_path: Path) -> None:
    async with opened(tmp_path) as hub:
        closed = SimpleNamespace(state=SimpleNamespace(quits=(("u1", utc_ms()),)))
        hub.quick.closed(cast("Table", closed))
    async with opened(tmp_path) as hub:
        for _ in range(2):
            hub.quick.closed(cast("Table", closed))
        with pytest.raises(OkeyError, match="quick") as refused:
            await hub.quick.seat("u1", hub.tables.wait_back)  # type: ignore[arg-type]
        assert refused.value.code == "left-often"
