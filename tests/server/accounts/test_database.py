"""People in the server's file: sealed rows, and changes that vanish with words."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import inspect
from structlog.testing import capture_logs

from okey101.server.people import Accounts, MatchSeat
from okey101.server.people.database import carrier_of
from okey101.server.people.models import Base
from okey101.server.store import SqliteStore
from okey101.server.store.base import Conn
from okey101.server.store.scrubber import LogScan
from server.accounts.people import Clock, account, code_of, save, with_accounts
from server.store.stores import with_store


def test_a_file_has_the_tables_of_the_models(tmp_path: Path) -> None:
    """And has them when it is opened again."""

    def tables(conn: Conn) -> set[str]:
        assert conn.execute("PRAGMA foreign_keys").fetchone() == (1,)
        return {*inspect(carrier_of(conn)).get_table_names()}

    async def opened() -> None:
        async with with_accounts(tmp_path) as accounts:
            assert {*Base.metadata.tables} <= await accounts._store.change(tables)

    for _ in range(2):
        asyncio.run(opened())


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
            sick = not accounts._store.healthy
            assert sick
            assert await accounts.users(limit=1)
            assert [line["event"] for line in told] == ["store-failing"]  # to be read is not enough
            clock.now += 3_600_000
            assert await accounts.session(token)
            await pages(100_000)
            assert len(await accounts.users(limit=500)) == 1 + codes.count("")
            assert await code_of(accounts.guest("Veli")) == ""
            assert accounts._store.healthy
    assert [line["event"] for line in told] == ["store-failing", "store-works-again"]
    assert {(line["file"], line["reason"]) for line in told} == {("log.sqlite", "SQLITE_FULL")}


# What vanishes or changes is told -------------------------------------------------------------


async def found_in(path: Path) -> tuple[list[str], list[str]]:
    """What a start tells of, and what a check does."""
    async with with_store(path) as store:
        return [one.why for one in store.findings], await store.check()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


async def banned(accounts: Accounts) -> None:
    user, _ = await account(accounts, "Ali")
    await accounts.ban(user, None, "cheating")
    await save(accounts, 1, MatchSeat(user))


@pytest.mark.parametrize("harm", ["zeros", "deleted", "yesterday"])
async def test_a_change_of_people_that_vanishes_is_told(
    data: Path, tmp_path: Path, harm: str
) -> None:
    """An account, a ban, a match: acknowledged, and gone with the end of the file."""
    killed = tmp_path / "killed"
    async with with_accounts(data) as accounts:
        old = (data / "log.sqlite").read_bytes()
        await banned(accounts)
        await accounts._store.change(lambda _: shutil.copytree(data, killed))
    path = killed / "log.sqlite"
    wal = killed / "log.sqlite-wal"
    if harm == "zeros":
        frames = bytearray(wal.read_bytes())
        at = next(at for at in range(len(frames) * 2 // 3, len(frames)) if frames[at])
        frames[at : at + 64] = bytes(64)
        wal.write_bytes(frames)
    else:
        wal.unlink()
        path.unlink()
        if harm == "yesterday":
            path.write_bytes(old)
    why, problems = await found_in(path)
    assert why == ["log-truncated"]
    assert any("log-truncated" in problem for problem in problems)


async def test_a_start_after_a_kill_tells_nothing(data: Path, tmp_path: Path) -> None:
    killed = tmp_path / "killed"
    async with with_accounts(data) as accounts:
        await banned(accounts)
        await accounts._store.change(lambda _: shutil.copytree(data, killed))
    assert await found_in(killed / "log.sqlite") == ([], [])
    async with with_accounts(killed) as accounts:
        assert (await accounts.users("Ali"))[0].banned_until is not None


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE users SET banned_until = NULL",
        "UPDATE matches SET totals = '[9,9,9,9]'",
        "UPDATE match_seats SET sealed = NULL",
        "INSERT INTO mutes (user_id, muted_id) SELECT id, id FROM users",
    ],
)
async def test_a_row_that_is_not_what_was_written_is_found(tmp_path: Path, harm: str) -> None:
    """By whoever looks through the file while the server runs, and by a check."""
    path = tmp_path / "log.sqlite"
    async with with_accounts(tmp_path) as accounts:
        await banned(accounts)
        await accounts.change((await accounts.users("Ali"))[0].id, name="Veli")
    assert await found_in(path) == ([], [])
    with closing(sqlite3.connect(path)) as conn, conn:
        assert conn.execute(harm).rowcount > 0
    store, walk = SqliteStore.open(path), LogScan()
    while not walk.over:
        await store.look(walk)
    await store.close()
    assert walk.damaged
    assert ["is not what was written" in problem for problem in walk.problems] == [True]
    assert (await found_in(path))[1] == walk.problems
