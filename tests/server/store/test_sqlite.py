"""The embedded log: groups, failures, outages, refusals, copies."""

import asyncio
import errno
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from structlog.testing import capture_logs

from conftest import Patch, raises_code
from okey101.errors import OkeyError
from okey101.server.store import (
    Conflict,
    SqliteStore,
    StoreError,
    file as store_file,
    lost,
    statements,
)
from okey101.server.store.file import copy_log
from okey101.server.store.statements import HEAD
from server.store.memory import changed, row, with_store


def names(folder: Path) -> list[str]:
    """The files of a folder, but for the mark, which is always there."""
    return sorted(entry.name for entry in folder.iterdir() if entry.suffix != ".mark")


def pragma(store: SqliteStore, text: str) -> Awaitable[int]:
    return store._ask(lambda conn: int(conn.execute(f"PRAGMA {text}").fetchone()[0]))


async def test_many_rows_share_a_commit(path: Path) -> None:
    heard: list[int] = []
    async with with_store(path, on_commit=lambda rows, _: heard.append(rows)) as store:
        await asyncio.gather(*(store.append(row(f"t{n}", 1)) for n in range(500)))
        assert store.waiting == 0
        assert sum(heard) == 500
        assert 0 not in heard
        assert len(heard) < 50


@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 128, 129, 300])
async def test_each_row_of_a_batch_is_stored_as_it_is(count: int, store: SqliteStore) -> None:
    rows = [row(f"t{n % 7}", n // 7 + 1, entry=b"%d" % n) for n in range(count)]
    commits: list[int] = []
    store._on_commit = lambda rows, _: commits.append(rows)
    await asyncio.gather(*(store.append(one) for one in rows))
    assert len(commits) < 10  # the thread may have taken the first ones
    for table in {one.table for one in rows}:
        assert await store.read(table) == [one for one in rows if one.table == table]


async def test_the_settings_that_make_it_durable(path: Path) -> None:
    async with with_store(path) as store:
        assert await pragma(store, "synchronous") == 2
        mode = await store._ask(lambda conn: conn.execute("PRAGMA journal_mode").fetchone())
        assert mode == ("wal",)
    assert path.stat().st_mode & 0o077 == 0


class Faulty(sqlite3.Connection):
    """Fails the statements that begin with one of ``failing``."""

    failing: tuple[str, ...] = ()

    def execute(self, sql: str, /, *args: Any) -> sqlite3.Cursor:
        if self.failing and sql.startswith(self.failing):
            raise sqlite3.OperationalError("disk I/O error")
        return super().execute(sql, *args)


@pytest.fixture
def opened(monkeypatch: Patch) -> list[Faulty]:
    connect = sqlite3.connect
    found: list[Faulty] = []

    def faulty(*args: Any, **named: Any) -> sqlite3.Connection:
        conn = connect(*args, **named, factory=Faulty)
        assert isinstance(conn, Faulty)
        found.append(conn)
        return conn

    monkeypatch.setattr(sqlite3, "connect", faulty)
    return found


@pytest.mark.parametrize("failing", ["BEGIN", "COMMIT", HEAD])
async def test_a_failed_statement_harms_nothing(
    opened: list[Faulty], failing: str, store: SqliteStore
) -> None:
    opened[0].failing = (failing,)
    with pytest.raises(StoreError, match="disk I/O error"):
        await store.append(row("a", 1))
    opened[0].failing = ()
    assert await store.read("a") == []
    await store.append(row("a", 1))


async def test_rows_that_can_not_be_undone_are_not_shown(path: Path, opened: list[Faulty]) -> None:
    async with with_store(path) as store:
        await store.append(row("a", 1))
        opened[0].failing = ("COMMIT", "ROLLBACK")
        offers = (store.append(row("a", 2)), store.append(row("b", 1)))
        ends = await asyncio.gather(*offers, return_exceptions=True)
        assert all(isinstance(end, StoreError) for end in ends)
        assert await store.read("a") == [row("a", 1)]
        assert await store.running() == ["a"]
        assert store.healthy
        await asyncio.gather(store.append(row("a", 2)), store.append(row("b", 1)))
    assert len(opened) == 2


async def test_a_copy_is_given_up_where_rows_can_not_be_taken_back(
    path: Path, opened: list[Faulty], monkeypatch: Patch, store: SqliteStore
) -> None:
    await store.append(row("a", 1))
    begun, offered = threading.Event(), threading.Event()

    def copy(_conn: object, _target: object, between: Callable[[], None]) -> None:
        begun.set()
        assert offered.wait(10)
        between()

    with monkeypatch.context() as patch:
        patch.setattr(store_file, "copy_log", copy)
        backup = asyncio.create_task(store.backup(path.with_name("copy.sqlite")))
        assert await asyncio.to_thread(begun.wait, 10)
        opened[0].failing = ("COMMIT", "ROLLBACK")
        offer = asyncio.create_task(store.append(row("a", 2)))
        await asyncio.sleep(0)
        offered.set()
        copied, appended = await asyncio.gather(backup, offer, return_exceptions=True)
    assert isinstance(copied, OkeyError)
    assert copied.code == "backup-failed"
    assert isinstance(appended, StoreError)
    assert await store.read("a") == [row("a", 1)]
    await store.backup(path.with_name("copy.sqlite"))
    await store.append(row("a", 2))


@pytest.mark.parametrize("failing", ["BEGIN", "PRAGMA"])
async def test_a_log_that_can_not_be_opened_again_stops_the_store(
    opened: list[Faulty], monkeypatch: Patch, failing: str, store: SqliteStore
) -> None:
    opened[0].failing = ("COMMIT", "ROLLBACK")
    monkeypatch.setattr(Faulty, "failing", (failing,))
    with pytest.raises(StoreError):
        await store.append(row("a", 1))
    with pytest.raises(StoreError):
        await store.read("a")
    assert not store.healthy


async def test_a_failed_read_is_a_store_error(store: SqliteStore) -> None:
    await store._ask(lambda conn: conn.execute("DROP INDEX log_first"))
    with pytest.raises(StoreError):
        await store.running()
    await store.append(row("a", 1))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
async def test_a_fault_of_the_thread_is_told_to_all_who_wait(
    monkeypatch: Patch, store: SqliteStore
) -> None:
    monkeypatch.setattr(store, "_judge", Mock(side_effect=RuntimeError("a fault")))
    calls = (store.append(row("a", 1)), store.append(row("b", 1)), store.read("a"))
    with capture_logs() as told:
        ends = await asyncio.gather(*calls, return_exceptions=True)
        assert all(isinstance(end, StoreError) for end in ends)
        assert not store.healthy
        await store.close()
    assert [(line["event"], line["log_level"]) for line in told] == [("store-stopped", "critical")]


async def test_too_many_waiting_rows_are_refused_at_once(path: Path) -> None:
    async with with_store(path) as store:
        store.most_waiting = 0
        with store._wake:  # the thread can't take any meanwhile
            store._rows.extend(statements.Waiting(row(f"t{n}", 1)) for n in range(3))
        with pytest.raises(StoreError, match="wait"):
            await store.append(row("a", 1))


async def test_a_cancelled_caller_does_not_break_the_batch(store: SqliteStore) -> None:
    calls = [asyncio.create_task(store.append(row(f"t{n}", 1))) for n in range(50)]
    await asyncio.sleep(0)
    for call in calls[::2]:
        call.cancel()
    ends = await asyncio.gather(*calls, return_exceptions=True)
    assert all(isinstance(end, asyncio.CancelledError) for end in ends[::2])
    assert ends[1::2] == [None] * 25
    assert len(await store.running()) == 50


async def test_heads_are_forgotten_and_found(monkeypatch: Patch, store: SqliteStore) -> None:
    monkeypatch.setattr(statements, "_MOST_HEADS", 3)
    for seq in range(1, 4):
        for table in range(10):
            await store.append(row(f"t{table}", seq))
    with pytest.raises(Conflict):
        await store.append(row("t0", 3))
    assert len(store._heads) <= 3


# Refusals.


async def test_a_second_store_on_the_file_is_refused(path: Path, store: SqliteStore) -> None:
    await store.append(row("a", 1))
    with raises_code("store-in-use"):
        SqliteStore.open(path)
    text = f"from okey101.server.store import SqliteStore; SqliteStore.open({str(path)!r})"
    other = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", text], capture_output=True, text=True
    )
    assert "in use" in other.stderr
    await store.append(row("a", 2))


async def test_a_shared_file_is_read_by_others_and_served_by_one(path: Path) -> None:
    """As by Litestream, which also takes the lock of writers for a moment."""
    async with with_store(path, shared=True) as store:
        await store.append(row("a", 1))
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            appending = asyncio.create_task(store.append(row("a", 2)))
            await asyncio.sleep(0.05)
            other.execute("COMMIT")
            await appending
            assert other.execute("SELECT count(*) FROM log").fetchone() == (2,)
            for shared in (True, False):
                with raises_code("store-in-use"):
                    SqliteStore.open(path, shared=shared)
        await store.append(row("a", 3))
    async with with_store(path) as store:
        assert store.findings == []
        assert await store.check() == []


@pytest.mark.parametrize(("version", "told"), [((3, 51, 2), ["sqlite-old"]), ((3, 51, 3), [])])
async def test_a_file_is_shared_by_an_old_sqlite_with_a_warning(
    path: Path, monkeypatch: Patch, version: tuple[int, int, int], told: list[str]
) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", version)
    with capture_logs() as logs:
        for shared in (False, True):
            async with with_store(path, shared=shared):
                pass
    assert [line["event"] for line in logs] == told


def test_another_programs_file_is_refused_and_left_alone(path: Path) -> None:
    changed(path, "CREATE TABLE mine (x)")
    before = path.read_bytes()
    with raises_code("store-not-ours"):
        SqliteStore.open(path)
    assert path.read_bytes() == before
    path.write_text("a letter to my aunt\n" * 100)
    with raises_code("store-not-ours"):
        SqliteStore.open(path)


async def test_a_damaged_file_is_refused(path: Path) -> None:
    async with with_store(path) as store:
        await asyncio.gather(*(store.append(row(f"t{n}", 1)) for n in range(2_000)))
    data = bytearray(path.read_bytes())
    for page in range(2, len(data) // 4096):
        data[page * 4096 : page * 4096 + 200] = b"\xa5" * 200
    path.write_bytes(data)
    with raises_code("store-corrupt"):
        SqliteStore.open(path)


def test_a_schema_that_is_no_text_is_refused(path: Path) -> None:
    """SQLite tells of the damage with the damaged bytes in its words."""
    asyncio.run(SqliteStore.open(path).close())
    data = path.read_bytes()
    path.write_bytes(data.replace(b"kind TEXT NOT NULL", b"kind TEX\xd4 NOT NULL"))
    with raises_code("store-corrupt"):
        SqliteStore.open(path)


async def test_damage_met_when_the_mark_is_compared_is_refused(
    path: Path, monkeypatch: Patch
) -> None:
    async with with_store(path) as store:
        await store.append(row("t", 1))
    error = sqlite3.DatabaseError("database disk image is malformed")
    monkeypatch.setattr(lost, "missing", Mock(side_effect=error))
    with raises_code("store-corrupt"):
        SqliteStore.open(path)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("PRAGMA user_version = 2", "store-newer"),
        ("ALTER TABLE log RENAME TO gone", "store-corrupt"),
    ],
)
def test_a_newer_file_and_one_without_table_are_refused(path: Path, change: str, code: str) -> None:
    asyncio.run(SqliteStore.open(path).close())
    changed(path, change)
    with raises_code(code):
        SqliteStore.open(path)


def test_places_that_cannot_be_written_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path, tmp_path / "none" / "log.sqlite", tmp_path / "file" / "log.sqlite"):
        with raises_code("store-unwritable"):
            SqliteStore.open(place)


# Copies.


def seqs_by_table(path: Path) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    with closing(sqlite3.connect(path)) as conn:
        for table, seq in conn.execute("SELECT table_id, seq FROM log ORDER BY table_id, seq"):
            found.setdefault(table, []).append(seq)
    return found


async def test_a_backup_made_while_rows_come_is_whole(path: Path, monkeypatch: Patch) -> None:
    """A page a step, and rows of which a page holds many: the copy is faster than what it copies.

    A step of the real size is faster than any rows; here each may find a row of every table.
    """
    monkeypatch.setattr(store_file, "_STEP_PAGES", 1)
    target = path.with_name("copy.sqlite")
    copying, refused_another = threading.Event(), threading.Event()

    def copy_when_told(*arguments: Any) -> None:
        copying.set()
        refused_another.wait()
        copy_log(*arguments)

    async with with_store(path) as store:
        done, begun = asyncio.Event(), asyncio.Event()
        acknowledged: dict[str, int] = {}

        async def play(table: str) -> None:
            while not done.is_set():
                seq = acknowledged.get(table, 0) + 1
                entry = b"{}" if begun.is_set() else b"x" * 900
                await store.append(row(table, seq, entry=entry))
                acknowledged[table] = seq
                if seq == 100:
                    begun.set()

        tables = [asyncio.create_task(play(f"t{n}")) for n in range(8)]
        await begun.wait()
        before, rows = dict(acknowledged), sum(acknowledged.values())
        with monkeypatch.context() as during:
            during.setattr(store_file, "copy_log", copy_when_told)
            copy = asyncio.create_task(store.backup(target))
            await asyncio.to_thread(copying.wait)
            try:
                with raises_code("backup-running"):
                    await store.backup(path.with_name("second.sqlite"))
            finally:
                refused_another.set()
            await copy
        assert sum(acknowledged.values()) > rows
        done.set()
        await asyncio.gather(*tables)
        copied = seqs_by_table(target)
        for table, count in before.items():
            assert copied[table] == list(range(1, len(copied[table]) + 1))
            assert count <= len(copied[table]) <= acknowledged[table]
        with raises_code("backup-exists"):
            await store.backup(target)
        assert await store.check() == []

    assert target.stat().st_mode & 0o077 == 0
    assert names(path.parent) == ["copy.sqlite", "log.sqlite"]
    await SqliteStore.open(target).close()


async def test_a_failed_backup_leaves_nothing(
    path: Path, monkeypatch: Patch, store: SqliteStore
) -> None:
    await store.append(row("a", 1))
    with raises_code("backup-failed"):
        await store.backup(path.with_name("none") / "copy.sqlite")
    usage = shutil.disk_usage(path.parent)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=2**20))
    with raises_code("store-no-space"):
        await store.backup(path.with_name("copy.sqlite"))
    monkeypatch.undo()
    full = Mock(side_effect=OSError(errno.ENOSPC, "No space left on device"))
    with monkeypatch.context() as patch, raises_code("backup-failed"):
        patch.setattr("okey101.server.store.sqlite.note_erased", full)
        await store.backup(path.with_name("copy.sqlite"))
    assert not [name for name in names(path.parent) if "copy" in name]
    killed = path.with_name("copy.sqlite.part-012345")
    killed.touch()
    await store.backup(path.with_name("copy.sqlite"))
    assert not killed.exists()


@pytest.mark.parametrize("end", ["cancel", "close"])
async def test_a_backup_ends_early(path: Path, monkeypatch: Patch, end: str) -> None:
    begun, ended = threading.Event(), threading.Event()

    def held(conn: sqlite3.Connection, target: Path, between: Callable[[], None]) -> None:
        def step() -> None:
            begun.set()
            ended.wait()
            between()

        copy_log(conn, target, step)

    monkeypatch.setattr(store_file, "copy_log", held)
    monkeypatch.setattr(store_file, "_STEP_PAGES", 1)
    async with with_store(path) as store:
        await asyncio.gather(*(store.append(row(f"t{n}", 1)) for n in range(100)))
        copy = asyncio.create_task(store.backup(path.with_name("copy.sqlite")))
        await asyncio.to_thread(begun.wait)
        if end == "cancel":
            copy.cancel()
        closing = asyncio.create_task(store.close())
        await asyncio.sleep(0)
        ended.set()
        await closing
        with pytest.raises((asyncio.CancelledError, OkeyError)):
            await copy
    assert names(path.parent) == ["log.sqlite"]


async def test_a_full_disk_is_told_once_and_every_failed_commit_counted(path: Path) -> None:
    """By a line when it begins and one when it ends; the next is counted anew."""
    heard: list[int] = []
    with capture_logs() as lines:
        async with with_store(path, on_commit=lambda rows, _: heard.append(rows)) as store:
            await store.append(row("a", 1))
            for seq in (2, 3):
                await pragma(store, f"max_page_count = {await pragma(store, 'page_count')}")
                for _ in range(4):
                    with pytest.raises(StoreError):
                        await store.append(row("a", seq, entry=b"x" * 50_000))
                await pragma(store, "max_page_count = 1000000")
                await store.append(row("a", seq))
            await asyncio.sleep(0)
    assert heard == [1, *[0, 0, 0, 0, 1] * 2]
    told = ("event", "log_level", "file", "reason", "failed")
    assert [tuple(line.get(name) for name in told) for line in lines] == [
        ("store-failing", "error", "log.sqlite", "SQLITE_FULL", None),
        ("store-works-again", "warning", "log.sqlite", "SQLITE_FULL", 4),
    ] * 2
    assert all(line["seconds"] >= 0 for line in lines[1::2])
    assert str(path.parent) not in str(lines)


async def test_conflicts_are_no_failures(path: Path) -> None:
    heard: list[int] = []
    with capture_logs() as lines:
        async with with_store(path, on_commit=lambda rows, _: heard.append(rows)) as store:
            offers = [store.append(row("a", seq)) for seq in (1, 1, 3)]
            await asyncio.gather(*offers, return_exceptions=True)
            await asyncio.gather(store.append(row("a", 9)), return_exceptions=True)
    assert 0 not in heard
    assert lines == []
