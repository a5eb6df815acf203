"""Closed tables leave the log: nothing is lost, nothing is there twice, whatever fails when."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from okey101.server.store import Conflict, Row, SqliteStore, StoreError
from okey101.server.store import archive as store_archive
from okey101.server.store.archive import archive, archive_path
from okey101.server.store.mark import mark_path, marks_in
from okey101.server.store.restore import restore_log
from server.store.stores import with_store


def row(table: str, seq: int, *, last: bool = False) -> Row:
    return Row(table, seq, seq, b'{"n":%d}' % seq, 1, f"hash-{seq}", last)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
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


def rows_in(path: Path) -> list[tuple[str, int]]:
    if not path.exists():
        return []
    with closing(sqlite3.connect(path)) as conn:
        if not conn.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
            return []
        return conn.execute("SELECT table_id, seq FROM log ORDER BY 1, 2").fetchall()


CLOSED = [("a", n) for n in range(1, 8)] + [("b", n) for n in range(1, 7)] + [("c", 1)]
OPEN = [("d", n) for n in range(1, 6)]


async def test_closed_tables_leave_the_log(path: Path) -> None:
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
    assert rows_in(path) == OPEN
    assert rows_in(archive_path(path)) == CLOSED
    assert os.name != "posix" or archive_path(path).stat().st_mode & 0o777 == 0o600
    async with with_store(path) as again:
        assert again.findings == []


async def test_the_last_row_of_the_log_stays(path: Path) -> None:
    """The mark counts by its place, which the next row would get once more."""
    store = SqliteStore.open(path)
    await store.append(row("a", 1, last=True))
    assert not await store.archive()
    await store.append(row("b", 1, last=True))
    await archived(store)
    assert [one.seq for one in await store.read("b")] == [1]
    await store.append(row("c", 1))
    await store.close()
    assert marks_in(mark_path(path))[0].position == 3


class Crash(sqlite3.OperationalError):
    pass


@contextmanager
def crashing(at: int) -> Generator[None]:
    """Let the ``at``-th durable step fail: before it for odd numbers, after it for even ones."""
    steps = 0
    true = store_archive._transaction

    @contextmanager
    def some(conn: sqlite3.Connection) -> Generator[None]:
        nonlocal steps
        steps += 1
        if steps == at:
            raise Crash
        with true(conn):
            yield
        steps += 1
        if steps == at:
            raise Crash

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store_archive, "_transaction", some)
        yield


@pytest.mark.parametrize("at", range(1, 40))
async def test_a_crash_at_any_step_loses_and_doubles_nothing(path: Path, at: int) -> None:
    store = SqliteStore.open(path)
    await written(store)
    with crashing(at):
        try:
            await archived(store)
        except StoreError:
            pass
        else:
            assert at > 20
    assert await store.running() == ["d"]
    assert await store.check() == []
    await store.close()
    everywhere = {*rows_in(path), *rows_in(archive_path(path))}
    assert everywhere == {*CLOSED, *OPEN}
    store = SqliteStore.open(path)
    assert store.findings == []
    await archived(store)
    assert await store.check() == []
    await store.close()
    assert rows_in(path) == OPEN
    assert rows_in(archive_path(path)) == CLOSED


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
    assert rows_in(archive_path(path)) == CLOSED


async def test_another_story_of_a_table_takes_the_place_of_the_first(
    path: Path, tmp_path: Path
) -> None:
    async def story(entries: bytes) -> None:
        async with with_store(path) as store:
            for seq in range(3, 10):
                await store.append(row("a", seq, last=seq == 9)._replace(entry=entries))
            await store.append(row(entries.decode(), 1))
            await archived(store)
            assert await store.check() == []

    async with with_store(path) as store:
        await store.append(row("a", 1))
        await store.append(row("a", 2))
    old = path.read_bytes()
    await story(b"one")
    path.write_bytes(old)
    mark_path(path).unlink()
    path.with_suffix(".lost").unlink(missing_ok=True)
    await story(b"two")
    with closing(sqlite3.connect(archive_path(path))) as conn:
        entries = [entry for (entry,) in conn.execute("SELECT entry FROM log ORDER BY seq")]
    assert entries == [b'{"n":1}', b'{"n":2}', *[b"two"] * 7]


@pytest.mark.parametrize(
    "harm",
    [
        "DELETE FROM log WHERE table_id = 'b' AND seq = 6",
        "DELETE FROM log WHERE table_id = 'a'",
        "UPDATE log SET entry = x'00' WHERE table_id = 'a' AND seq = 2",
    ],
)
async def test_check_looks_at_the_archive_too(path: Path, harm: str) -> None:
    async with with_store(path) as store:
        await written(store)
        await archived(store)
        assert await store.check() == []
    with closing(sqlite3.connect(archive_path(path))) as conn:
        conn.execute(harm)
        conn.commit()
    async with with_store(path) as store:
        assert len(await store.check()) == 1


async def test_a_backup_has_the_archive(path: Path, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    copy = tmp_path / "copy" / "log.sqlite"

    store = SqliteStore.open(path)
    await written(store)
    await archived(store)
    await store.backup(copy)
    await store.close()
    store = SqliteStore.open(copy)
    assert await store.check() == []
    assert await store.closed("a")
    await store.close()
    assert rows_in(copy) == OPEN
    assert rows_in(archive_path(copy)) == CLOSED


async def test_what_is_old_is_deleted_and_stays_closed(path: Path) -> None:
    """Each table's last row came at the millisecond of its number."""
    store = SqliteStore.open(path)
    await written(store)
    await archived(store)
    await archived(store, 7)
    assert await store.closed("b")
    with pytest.raises(Conflict):
        await store.append(row("b", 1))
    assert await store.check() == []
    await store.close()
    assert rows_in(archive_path(path)) == CLOSED[:7]


async def test_an_archive_that_cannot_be_used_keeps_the_tables_where_they_are(path: Path) -> None:
    archive_path(path).write_bytes(b"not ours" * 1_000)

    store = SqliteStore.open(path)
    await written(store)
    with pytest.raises(StoreError):
        await store.archive()
    assert len(await store.read("a")) == 7
    await store.append(row("d", 6))
    await store.close()


async def test_the_server_archives_by_itself(path: Path) -> None:
    store = SqliteStore.open(path)
    await written(store)
    work = asyncio.create_task(archive(store.archive, 0, idle_s=0.01))
    async with asyncio.timeout(20):
        while await store.read("c") or await store.read("b"):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)
    await store.close()


# What is brought back -------------------------------------------------------------------------


async def test_a_restored_backup_has_its_archive(path: Path) -> None:
    """Else the tables that had left the log would be gone with the first disk."""
    store = SqliteStore.open(path)
    await written(store)
    await archived(store)
    copy = path.parent / "copy.sqlite"
    await store.backup(copy)
    await store.close()
    fresh = path.parent / "fresh" / "log.sqlite"
    fresh.parent.mkdir()
    archive_path(fresh).write_bytes(b"of another log")
    restore_log(copy, fresh, path.parent / "aside")
    assert rows_in(archive_path(fresh)) == CLOSED
    assert archive_path(fresh).stat().st_mode & 0o777 == 0o600
    assert (path.parent / "aside" / "log.archive").read_bytes() == b"of another log"
    store = SqliteStore.open(fresh)
    assert await store.check() == []
    await store.append(row("d", 6))
    await store.close()
