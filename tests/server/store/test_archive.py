"""Closed tables leave the log: nothing is lost, nothing is there twice, whatever fails when."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from unittest.mock import AsyncMock, Mock

import pytest

from conftest import Patch, soon
from okey101.server.store import Conflict, SqliteStore, StoreError, archive as store_archive
from okey101.server.store.archive import archive
from okey101.server.store.mark import mark_path, marks_in
from server.store.memory import changed, row, with_store


@pytest.fixture
def path(tmp_path: Path, monkeypatch: Patch) -> Path:
    monkeypatch.setattr(store_archive, "_AT_ONCE", 3)
    return tmp_path / "log.sqlite"


async def written(store: SqliteStore) -> None:
    """Three closed tables and one that goes on, whose row is the last."""
    for table, rows in (("a", 7), ("b", 6), ("c", 1), ("d", 5)):
        for seq in range(1, rows + 1):
            await store.append(row(table, seq, last=seq == rows and table != "d"))


async def archived(store: SqliteStore, drop_before_ms: int | None = None) -> int:
    steps = 0
    while await store.archive(drop_before_ms):
        steps += 1
    return steps


def rows_in(path: Path, table: str = "log") -> list[tuple[str, int]]:
    with closing(sqlite3.connect(path)) as conn:
        return conn.execute(f"SELECT table_id, seq FROM {table} ORDER BY 1, 2").fetchall()


CLOSED = [("a", n) for n in range(1, 8)] + [("b", n) for n in range(1, 7)] + [("c", 1)]
OPEN = [("d", n) for n in range(1, 6)]


async def test_closed_tables_leave_the_log(path: Path) -> None:
    """And a copy of it, which has the archive too."""
    copy = path.with_name("copy.sqlite")
    async with with_store(path) as store:
        await written(store)
        await archived(store)
        assert await store.running() == ["d"]
        assert [one.seq for one in await store.read("d")] == [1, 2, 3, 4, 5]
        assert await store.read("a") == []
        for table in "abcdx":
            assert await store.closed(table) is (table in "abc")
        for seq, why in ((1, "taken"), (7, "taken"), (8, "closed")):
            with pytest.raises(Conflict) as refused:
                await store.append(row("a", seq))
            assert refused.value.reason == why
        assert await store.check() == []
        assert not await store.archive()
        await store.backup(copy)
    for file in (path, copy):
        assert rows_in(file) == OPEN
        assert rows_in(file, "archive") == CLOSED
    async with with_store(path) as again, with_store(copy) as other:
        assert again.findings == []
        assert await other.check() == []
        assert await other.closed("a")


async def test_the_last_row_of_the_log_stays(path: Path, store: SqliteStore) -> None:
    """The mark counts by its place, which the next row would get once more."""
    await store.append(row("a", 1, last=True))
    assert not await store.archive()
    await store.append(row("b", 1, last=True))
    await archived(store)
    assert [one.seq for one in await store.read("b")] == [1]
    await store.append(row("c", 1))
    assert marks_in(mark_path(path))[0].position == 3


async def test_a_move_that_fails_loses_and_doubles_nothing(path: Path) -> None:
    """Each is one transaction of one file."""
    async with with_store(path) as store:
        await written(store)
        assert await store.archive()
        with Patch.context() as patch:
            broken = Mock(side_effect=sqlite3.OperationalError("disk I/O error"))
            patch.setattr(store_archive, "drop_snapshots", broken)
            with pytest.raises(StoreError):
                await archived(store)
        assert await store.running() == ["d"]
        assert await store.check() == []
    assert sorted(rows_in(path) + rows_in(path, "archive")) == CLOSED + OPEN
    async with with_store(path) as store:
        assert store.findings == []
        await archived(store)
        assert await store.check() == []
    assert (rows_in(path), rows_in(path, "archive")) == (OPEN, CLOSED)


async def test_a_log_from_before_an_archiving_is_told(path: Path, tmp_path: Path) -> None:
    """The mark knows of it; the tables that go on from the older log are moved once more."""
    async with with_store(path) as store:
        await written(store)
        await store.backup(tmp_path / "old.sqlite")
        await archived(store)
    path.write_bytes((tmp_path / "old.sqlite").read_bytes())
    async with with_store(path) as store:
        assert [found.why for found in store.findings] == ["log-truncated"]
        await archived(store)
        assert [what for what in await store.check() if "chain" in what or "archive" in what] == []
    assert rows_in(path, "archive") == CLOSED


@pytest.mark.parametrize(
    "harm",
    [
        "DELETE FROM archive WHERE table_id = 'b' AND seq = 6",
        "DELETE FROM archive WHERE table_id = 'a'",
        "UPDATE archive SET entry = x'00' WHERE table_id = 'a' AND seq = 2",
    ],
)
async def test_check_looks_at_the_archive_too(path: Path, harm: str) -> None:
    async with with_store(path) as store:
        await written(store)
        await archived(store)
        assert await store.check() == []
    changed(path, harm)
    async with with_store(path) as store:
        assert await store.check() != []


async def test_what_is_old_is_deleted_and_stays_closed(path: Path, store: SqliteStore) -> None:
    """Each table's last row came at the millisecond of its number."""
    await written(store)
    await archived(store)
    await archived(store, 7)
    assert await store.closed("b")
    with pytest.raises(Conflict):
        await store.append(row("b", 1))
    assert await store.check() == []
    await store.close()
    assert rows_in(path, "archive") == [*CLOSED[:7], ("b", 6), ("c", 1)]


async def test_the_server_archives_by_itself(store: SqliteStore) -> None:
    await written(store)
    work = asyncio.create_task(archive(store.archive, 0, idle_s=0.01))
    async with asyncio.timeout(20):
        while await store.read("c") or await store.read("b"):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)


async def test_a_clock_that_jumps_ahead_deletes_nothing(monkeypatch: Patch) -> None:
    times = iter([0, *[400 * 86_400_000] * 9])
    monkeypatch.setattr("okey101.server.store.archive.utc_ms", lambda: next(times))
    step = AsyncMock(side_effect=[True, True, False])
    work = asyncio.create_task(archive(step, 30))
    await soon(lambda: step.await_count == 3)
    work.cancel()
    assert all(drop < 0 for ((drop,), _) in step.await_args_list)
