from __future__ import annotations

import asyncio
import contextlib
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Coroutine
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine, event, insert, select
from sqlalchemy.engine import Connection
from structlog.testing import capture_logs

from okey101.errors import OkeyError
from okey101.server import sqlite_files
from okey101.server.accounts import Accounts, MatchSeat
from okey101.server.accounts.database import REVISIONS, copy_closed, open_database, raw_of
from okey101.server.accounts.migrating import SCRIPTS, upgrade
from okey101.server.accounts.models import Base
from okey101.server.accounts.walk import AccountsWalk
from okey101.server.worker import Worker
from server.accounts.people import Clock, account, code_of, contents, save, with_accounts

T = TypeVar("T")

ROWS: dict[str, list[dict[str, object]]] = {
    "users": [
        {"id": "u_a", "name": "Ali", "name_key": "aii", "password_hash": "h", "created_ms": 1,
         "seen_ms": 2, "language": "tr", "settings": "{}"},
        {"id": "u_b", "created_ms": 1, "seen_ms": 2, "language": "", "deleted_ms": 3,
         "merged_into": "u_a"},
    ],
    "sessions": [{"id": "s", "user_id": "u_a", "token_hash": b"x", "created_ms": 1, "seen_ms": 1,
                  "expires_ms": 9, "agent": ""}],
    "matches": [{"id": "t-1", "table_id": "t", "number": 1, "finished_ms": 5, "preset": "pagat",
                 "deals": 1, "totals": "[]", "record": b"z"}],
    "match_seats": [{"match_id": "t-1", "seat": 0, "user_id": "u_a", "finished_ms": 5}],
    "mutes": [{"user_id": "u_a", "muted_id": "u_b"}],
    "events": [{"id": 1, "at_ms": 1, "event": "login", "user_id": "u_a", "detail": ""}],
}  # fmt: skip
"""Rows of the first version, one at least of each table."""


def plain(path: Path) -> Engine:
    engine = create_engine(f"sqlite:///{path}", connect_args={"isolation_level": None})
    event.listen(engine, "begin", lambda c: c.exec_driver_sql("BEGIN"))
    return engine


def fill(connection: Connection) -> None:
    for table, rows in ROWS.items():
        for row in rows:
            connection.execute(insert(Base.metadata.tables[table]).values(row))


def kept(connection: Connection) -> bool:
    for table, rows in ROWS.items():
        found = connection.execute(select(Base.metadata.tables[table])).mappings().all()
        if not all(any(row.items() <= dict(f).items() for f in found) for row in rows):
            return False
    return True


def layout(connection: Connection) -> str:
    return str(connection.exec_driver_sql("SELECT group_concat(sql) FROM sqlite_schema").scalar())


def test_models_and_migrations_agree(tmp_path: Path) -> None:
    engine = open_database(tmp_path / "a.sqlite")
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        assert compare_metadata(context, Base.metadata) == []
    engine.dispose()


def test_every_table_is_filled_in_these_tests() -> None:
    later = {"match_reviews", "invitations"}  # of the third version, and of the fifth
    assert set(ROWS) | later == set(Base.metadata.tables)


@pytest.mark.parametrize("revision", REVISIONS)
def test_an_old_database_keeps_its_rows(tmp_path: Path, revision: str) -> None:
    old = plain(tmp_path / "a.sqlite")
    with old.begin() as connection:
        upgrade(connection, revision)
        fill(connection)
        connection.exec_driver_sql(f"PRAGMA application_id = {0x6F6B3132}")
    old.dispose()
    engine = open_database(tmp_path / "a.sqlite")
    with engine.connect() as connection:
        assert kept(connection)
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    engine.dispose()


def test_a_step_that_makes_tables_anew_keeps_the_rows_or_changes_nothing(tmp_path: Path) -> None:
    scripts = tmp_path / "50% migrations"
    shutil.copytree(SCRIPTS, scripts)
    step = (
        'import sqlalchemy as sa\nfrom alembic import op\nrevision = "9999"\n'
        f'down_revision = "{REVISIONS[-1]}"\n\n\ndef upgrade():\n'
        '    with op.batch_alter_table("users", recreate="always") as users:\n'
        '        users.add_column(sa.Column("extra", sa.Text()))\n'
    )
    file = scripts / "versions" / "r9999_extra.py"
    file.write_text(step + '    raise RuntimeError("power cut")\n')
    engine = plain(tmp_path / "a.sqlite")
    with engine.begin() as connection:
        upgrade(connection)
        fill(connection)

    def step_up() -> None:
        with engine.begin() as connection:
            upgrade(connection, "head", scripts)

    with pytest.raises(RuntimeError, match="power cut"):
        step_up()
    with engine.connect() as connection:
        assert "extra" not in layout(connection)
        assert kept(connection)
    file.write_text(step)
    shutil.rmtree(scripts / "versions" / "__pycache__", ignore_errors=True)
    step_up()
    with engine.connect() as connection:
        assert "extra" in layout(connection)
        assert kept(connection)
    engine.dispose()
    with pytest.raises(OkeyError) as caught:
        open_database(_marked(tmp_path / "a.sqlite"))
    assert caught.value.code == "accounts-newer"


def test_the_list_of_versions_is_that_of_the_migrations() -> None:
    found = [script.revision for script in ScriptDirectory(str(SCRIPTS)).walk_revisions()]
    assert [*REVISIONS] == found[::-1]


def test_a_start_with_nothing_to_migrate_loads_no_migrations(tmp_path: Path) -> None:
    """They are half a second of it."""
    path = tmp_path / "accounts.sqlite"
    open_database(path).dispose()
    text = (
        "import sys; from pathlib import Path\n"
        "import okey101.server.web.app\n"
        "from okey101.server.accounts.database import open_database\n"
        f"open_database(Path({str(path)!r})).dispose()\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('alembic', 'mako')])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, check=True, timeout=120
    )
    assert ran.stdout == "[]\n"


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
    walk, steps = AccountsWalk(), 0
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
    walk = AccountsWalk()
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


def test_two_servers_can_t_share_a_file(tmp_path: Path) -> None:
    async def test(accounts: Accounts, clock: Clock) -> None:
        assert await code_of(Accounts.open(tmp_path / "accounts.sqlite")) == "accounts-in-use"
        await accounts.guest("Ali")

    with_accounts(tmp_path, test)
    with_accounts(tmp_path, test)


def test_only_the_owner_reads_the_file(tmp_path: Path) -> None:
    async def test(accounts: Accounts, clock: Clock) -> None:
        await accounts.guest("Ali")
        await accounts.backup(tmp_path / "copy.sqlite")
        assert {oct(f.stat().st_mode & 0o777) for f in contents(tmp_path)} == {"0o600"}

    with_accounts(tmp_path, test)


def test_a_copy_made_while_others_write_opens(tmp_path: Path) -> None:
    copy = tmp_path / "copy" / "accounts.sqlite"

    async def test(accounts: Accounts, clock: Clock) -> str:
        copy.parent.mkdir()
        user, _ = await account(accounts, "Ali")
        match = await save(accounts, 1, MatchSeat(user))
        await asyncio.gather(accounts.backup(copy), *(accounts.guest("Veli") for _ in range(20)))
        assert await code_of(accounts.backup(copy)) == "backup-exists"
        assert await code_of(accounts.backup(tmp_path / "no" / "x")) == "backup-failed"
        assert [f.name for f in contents(copy.parent)] == [copy.name]
        return match

    match = with_accounts(tmp_path, test)

    async def again(accounts: Accounts, clock: Clock) -> None:
        assert (await accounts.match(match)).summary.seats[0].name == "Ali"

    with_accounts(copy.parent, again)


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


def test_nobody_waits_for_a_copy(tmp_path: Path, slow: Slow) -> None:
    """The accounts' only thread was the copy's until its end: 9 s for a handshake at 1.5 GB."""

    async def test(accounts: Accounts, clock: Clock) -> None:
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

    with_accounts(tmp_path, test)


def test_nobody_waits_for_a_check(tmp_path: Path, slow: Slow) -> None:
    left = tmp_path / "accounts.sqlite.check-0123"
    left.write_bytes(b"of a check that was killed")

    async def test(accounts: Accounts, clock: Clock) -> None:
        assert not left.exists()
        checking = await begun(slow, accounts.check())
        await accounts.guest("Veli")
        assert not checking.done()
        slow.go_on.set()
        assert await checking == []
        assert {f.name for f in contents(tmp_path)} <= {"accounts.sqlite", "accounts.sqlite-wal"}

    with_accounts(tmp_path, test)


def test_the_end_of_the_server_does_not_wait_for_a_copy(tmp_path: Path, slow: Slow) -> None:
    async def test(accounts: Accounts, clock: Clock) -> None:
        copying = await begun(slow, accounts.backup(tmp_path / "copy.sqlite"))
        await accounts.close()
        assert await code_of(copying) == "accounts-closed"
        assert {f.name for f in contents(tmp_path)} == {"accounts.sqlite"}

    with_accounts(tmp_path, test)


@pytest.mark.parametrize("running", [True, False])
def test_no_copy_is_begun_that_would_fill_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, running: bool
) -> None:
    """It would stop the server as well."""
    free = SimpleNamespace(free=64 * 2**20)
    monkeypatch.setattr("okey101.server.atomic_files.shutil.disk_usage", lambda _: free)
    copy = tmp_path / "copy.sqlite"

    async def test(accounts: Accounts, clock: Clock) -> None:
        await accounts.guest("Ali")
        if running:
            assert await code_of(accounts.backup(copy)) == "store-no-space"
            assert await code_of(accounts.check()) == "store-no-space"

    with_accounts(tmp_path, test)
    if not running:
        with pytest.raises(OkeyError) as caught:
            copy_closed(tmp_path / "accounts.sqlite", copy)
        assert caught.value.code == "store-no-space"
    assert [f.name for f in contents(tmp_path)] == ["accounts.sqlite"]


def test_a_full_disk_changes_nothing_and_passes(tmp_path: Path) -> None:
    async def test(accounts: Accounts, clock: Clock) -> None:
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

    with capture_logs() as told:
        with_accounts(tmp_path, test)
    assert [line["event"] for line in told] == ["store-failing", "store-works-again"]
    assert {(line["file"], line["reason"]) for line in told} == {("accounts.sqlite", "SQLITE_FULL")}
