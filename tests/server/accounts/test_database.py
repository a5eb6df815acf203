from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
import time
from collections.abc import Coroutine
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
from sqlalchemy import inspect
from structlog.testing import capture_logs

from okey101.errors import OkeyError
from okey101.server.files import sqlite_files
from okey101.server.people import Accounts, MatchSeat
from okey101.server.people.database import AccountsScan, copy_closed, open_database, raw_of
from okey101.server.people.models import Base
from okey101.server.work.threads import Worker
from server.accounts.people import Clock, account, code_of, contents, save, with_accounts

T = TypeVar("T")


def test_a_new_file_has_the_tables_of_the_models_and_the_first_version(tmp_path: Path) -> None:
    for _ in range(2):  # and has them when it is opened again
        engine = open_database(tmp_path / "a.sqlite")
        with engine.connect() as connection:
            assert {*inspect(connection).get_table_names()} == {*Base.metadata.tables}
            assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
            assert connection.exec_driver_sql("PRAGMA user_version").scalar() == 1
        engine.dispose()


@pytest.mark.parametrize(("version", "code"), [(2, "accounts-newer"), (0, "accounts-corrupt")])
def test_a_file_of_another_version_is_refused_and_left_alone(
    tmp_path: Path, version: int, code: str
) -> None:
    path = tmp_path / "a.sqlite"
    open_database(path).dispose()
    with contextlib.closing(sqlite3.connect(path)) as conn:
        conn.execute(f"PRAGMA user_version = {version}")
        conn.execute("PRAGMA journal_mode = DELETE")
    before = path.read_bytes()
    with pytest.raises(OkeyError) as caught:
        open_database(path)
    assert caught.value.code == code
    assert path.read_bytes() == before


def with_people(path: Path, count: int) -> None:
    """A file with people in it, all of it in the file itself."""
    open_database(path).dispose()
    with contextlib.closing(sqlite3.connect(path)) as conn:
        columns = {
            name: kind
            for _, name, kind, needed, default, key in conn.execute("PRAGMA table_info(users)")
            if needed or key
        }
        names = ", ".join(columns)
        marks = ", ".join("?" for _ in columns)
        conn.executemany(
            f"INSERT INTO users ({names}) VALUES ({marks})",
            [
                [n if "INT" in kind else f"{name} {n} {'x' * 40}" for name, kind in columns.items()]
                for n in range(count)
            ],
        )
        conn.commit()
        conn.execute("PRAGMA journal_mode = DELETE")


def test_damage_in_the_middle_is_found_while_the_server_runs(tmp_path: Path) -> None:
    """A start reads the head of each table alone; the walk reads all, in steps."""
    path = tmp_path / "accounts.sqlite"
    with_people(path, 2_000)
    engine = open_database(path)
    walk, steps = AccountsScan(), 0
    while not walk.over:
        walk.step(raw_of(engine))
        steps += 1
    engine.dispose()
    assert (walk.problems, walk.damaged) == ([], False)
    assert walk.rows >= 2_000
    assert steps > 20
    with contextlib.closing(sqlite3.connect(path)) as conn:
        conn.execute("PRAGMA journal_mode = DELETE")
    data = bytearray(path.read_bytes())
    leaves = [at for at in range(0, len(data), 4096) if data[at] == 13]
    middle = leaves[len(leaves) // 2]
    data[middle : middle + 200] = b"\xa5" * 200
    path.write_bytes(data)
    engine = open_database(path)
    walk = AccountsScan()
    while not walk.over:
        walk.step(raw_of(engine))
    engine.dispose()
    assert walk.damaged
    assert len(walk.problems) == 1


def _marked(path: Path) -> Path:
    with contextlib.closing(sqlite3.connect(path)) as conn:
        conn.execute(f"PRAGMA application_id = {0x6F6B3132}")
    return path


def test_what_is_no_accounts_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    text = tmp_path / "text"
    text.write_text("no database" * 1000)
    other = tmp_path / "other"
    with contextlib.closing(sqlite3.connect(other)) as conn:
        conn.execute("CREATE TABLE t (x)")
    torn = tmp_path / "torn"
    open_database(torn).dispose()
    data = bytearray(torn.read_bytes())
    data[5000:] = bytes(len(data) - 5000)
    torn.write_bytes(data)
    bare = tmp_path / "bare"
    with contextlib.closing(sqlite3.connect(bare)) as conn:
        conn.execute("CREATE TABLE t (x)")
    _marked(bare)
    missing = tmp_path / "nowhere" / "a.sqlite"
    for path, code in (
        (folder, "accounts-unwritable"), (text, "accounts-not-ours"),
        (other, "accounts-not-ours"), (torn, "accounts-corrupt"), (bare, "accounts-corrupt"),
        (missing, "accounts-unwritable"),
    ):  # fmt: skip
        before = path.read_bytes() if path.is_file() else b""
        with pytest.raises(OkeyError) as caught:
            open_database(path)
        assert (path.name, caught.value.code) == (path.name, code)
        assert (path.read_bytes() if path.is_file() else b"") == before


async def test_two_servers_can_t_share_a_file(tmp_path: Path) -> None:
    for _ in range(2):
        async with with_accounts(tmp_path) as accounts:
            assert await code_of(Accounts.open(tmp_path / "accounts.sqlite")) == "accounts-in-use"
            await accounts.guest("Ali")


async def test_only_the_owner_reads_the_file(tmp_path: Path, accounts: Accounts) -> None:
    await accounts.guest("Ali")
    await accounts.backup(tmp_path / "copy.sqlite")
    assert {oct(f.stat().st_mode & 0o777) for f in contents(tmp_path)} == {"0o600"}


async def test_a_copy_made_while_others_write_opens(tmp_path: Path) -> None:
    copy = tmp_path / "copy" / "accounts.sqlite"
    copy.parent.mkdir()
    async with with_accounts(tmp_path) as accounts:
        user, _ = await account(accounts, "Ali")
        match = await save(accounts, 1, MatchSeat(user))
        await asyncio.gather(accounts.backup(copy), *(accounts.guest("Veli") for _ in range(20)))
        assert await code_of(accounts.backup(copy)) == "backup-exists"
        assert await code_of(accounts.backup(tmp_path / "no" / "x")) == "backup-failed"
        assert [f.name for f in contents(copy.parent)] == [copy.name]
    async with with_accounts(copy.parent) as accounts:
        assert (await accounts.match(match)).summary.seats[0].name == "Ali"


class Slow:
    """A copy in steps of a page that goes on only when it may."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        patch.setattr(sqlite_files, "_STEP_PAGES", 1)
        self._usual = Worker.rest
        patch.setattr(Worker, "rest", lambda worker: self._rest(worker))  # noqa: PLW0108  # to bind
        self.begun = threading.Event()
        self.go_on = threading.Event()

    def _rest(self, worker: Worker) -> None:
        self.begun.set()
        deadline = time.monotonic() + 30
        while not self.go_on.is_set():
            assert time.monotonic() < deadline
            self._usual(worker)
            time.sleep(0.001)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    """See :class:`Slow`."""
    return Slow(monkeypatch)


async def begun(slow: Slow, copying: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """A copy of which a first page is written."""
    task = asyncio.create_task(copying)
    assert await asyncio.to_thread(slow.begun.wait, 30)
    return task


async def test_nobody_waits_for_a_copy(tmp_path: Path, slow: Slow, accounts: Accounts) -> None:
    """The accounts' only thread was the copy's until its end: 9 s for a handshake at 1.5 GB."""
    await account(accounts, "Ali")
    copying = await begun(slow, accounts.backup(tmp_path / "copy.sqlite"))
    user, token = await accounts.guest("Veli")
    assert await accounts.session(token) is not None
    assert not copying.done()
    assert await code_of(accounts.backup(tmp_path / "other.sqlite")) == "backup-running"
    slow.go_on.set()
    await copying
    await accounts.close()
    with contextlib.closing(sqlite3.connect(tmp_path / "copy.sqlite")) as conn:
        found = conn.execute("SELECT name FROM users WHERE id = ?", (user.id,)).fetchall()
    assert found == [("Veli",)]  # the copy is that of its end


async def test_nobody_waits_for_a_check(tmp_path: Path, slow: Slow) -> None:
    left = tmp_path / "accounts.sqlite.check-0123"
    left.write_bytes(b"of a check that was killed")

    async with with_accounts(tmp_path) as accounts:
        assert not left.exists()
        checking = await begun(slow, accounts.check())
        await accounts.guest("Veli")
        assert not checking.done()
        slow.go_on.set()
        assert await checking == []
        assert {f.name for f in contents(tmp_path)} <= {"accounts.sqlite", "accounts.sqlite-wal"}


async def test_the_end_of_the_server_does_not_wait_for_a_copy(
    tmp_path: Path, slow: Slow, accounts: Accounts
) -> None:
    copying = await begun(slow, accounts.backup(tmp_path / "copy.sqlite"))
    await accounts.close()
    assert await code_of(copying) == "accounts-closed"
    assert {f.name for f in contents(tmp_path)} == {"accounts.sqlite"}


@pytest.mark.parametrize("running", [True, False])
async def test_no_copy_is_begun_that_would_fill_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, running: bool
) -> None:
    """It would stop the server as well."""
    free = SimpleNamespace(free=64 * 2**20)
    monkeypatch.setattr("okey101.server.files.atomic_files.shutil.disk_usage", lambda _: free)
    copy = tmp_path / "copy.sqlite"

    async with with_accounts(tmp_path) as accounts:
        await accounts.guest("Ali")
        if running:
            assert await code_of(accounts.backup(copy)) == "store-no-space"
            assert await code_of(accounts.check()) == "store-no-space"
    if not running:
        with pytest.raises(OkeyError) as caught:
            copy_closed(tmp_path / "accounts.sqlite", copy)
        assert caught.value.code == "store-no-space"
    assert [f.name for f in contents(tmp_path)] == ["accounts.sqlite"]


async def test_a_full_disk_changes_nothing_and_passes(tmp_path: Path) -> None:
    with capture_logs() as told:
        clock = Clock()
        async with with_accounts(tmp_path, clock=clock) as accounts:
            _, token = await accounts.guest("Ali")

            async def pages(most: int) -> None:
                await accounts._run(
                    lambda db: db.connection().exec_driver_sql(f"PRAGMA max_page_count = {most}")
                )

            await pages(1)
            codes = [await code_of(accounts.guest(f"Guest {n}")) for n in range(200)]
            assert codes[-1] == "accounts-failed"
            sick = not accounts.healthy
            assert sick
            assert await accounts.users(limit=1)
            assert [line["event"] for line in told] == ["store-failing"]  # to be read is not enough
            clock.now += 3_600_000
            assert await accounts.session(token)
            await pages(100_000)
            made = len(await accounts.users(limit=500))
            assert made == 1 + codes.count("")
            assert accounts.healthy
            assert await code_of(accounts.guest("Veli")) == ""
    assert [line["event"] for line in told] == ["store-failing", "store-works-again"]
    assert {(line["file"], line["reason"]) for line in told} == {("accounts.sqlite", "SQLITE_FULL")}
