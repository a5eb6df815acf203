"""A server whose log and people are in PostgreSQL loses nothing, whoever fails."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from pathlib import Path

import asyncpg
import pytest

from faults.storm import ride
from okey101.errors import OkeyError
from okey101.server.store import Conflict
from okey101.server.store.postgres import PostgresStore
from postgres import Postgres
from server.live import LiveServer
from server.store.stores import row


def test_kills_lose_nothing(url: str) -> None:
    tally = ride(tables=3, kills=4, life=0.4, deals=1, database=url)
    assert tally.problems == []
    assert tally.kills["play"] >= 3
    assert tally.matches >= 3
    assert tally.notes.counts["resumed"]
    assert tally.compared


def test_a_second_server_leaves_the_database_to_the_first(url: str) -> None:
    with LiveServer(database=url) as server:
        words = ["serve", "--store", url, "--data", str(server.data.parent / "other"), "--json"]
        done = subprocess.run(
            [sys.executable, "-m", "okey101", *words, "--port", "0"],
            capture_output=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 1
        assert b"Traceback" not in done.stderr
        assert json.loads(done.stdout)["error"]["code"] == "store-in-use"
        server.restart(kill=True)  # the lock went with the process
        server.assert_clean()


async def test_rows_whose_answer_was_cut_off_are_stored_once(url: str, tmp_path: Path) -> None:
    store = await PostgresStore.open(url, tmp_path / "log")
    killer = await asyncpg.connect(url)
    done = asyncio.Event()

    async def cut() -> None:
        while not done.is_set():
            await killer.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> "
                "pg_backend_pid() AND application_name = 'okey101' AND query LIKE '%INSERT%'"
            )
            await asyncio.sleep(0.02)

    async def play(table: str) -> None:
        for seq in range(1, 40):
            await store.append(row(table, seq))

    cutting = asyncio.create_task(cut())
    await asyncio.gather(*(play(f"t{n}") for n in range(8)))
    done.set()
    await cutting
    assert store.stats.failures
    for n in range(8):
        assert [one.seq for one in await store.read(f"t{n}")] == [*range(1, 40)]
    assert await store.check() == []
    await killer.close()
    await store.close()


async def test_a_writer_with_an_old_state_writes_nothing(url: str, tmp_path: Path) -> None:
    store = await PostgresStore.open(url, tmp_path / "log")
    for seq in (1, 2):
        await store.append(row("a", seq))
    other = await asyncpg.connect(url)
    await other.execute(
        "INSERT INTO log SELECT table_id, 3, at_ms, 'x', rules_version, 'other', 1, 'link' "
        "FROM log WHERE table_id = 'a' AND seq = 2"
    )
    with pytest.raises(Conflict, match="taken"):
        await store.append(row("a", 3))
    with pytest.raises(Conflict, match="closed"):
        await store.append(row("a", 4))
    assert [one.state_hash for one in await store.read("a")][-1] == "other"
    assert await store.check() == ["table a: row 3 does not follow the one before (chain)"]
    await other.close()
    await store.close()


async def test_the_archive_takes_closed_tables(url: str, tmp_path: Path) -> None:
    store = await PostgresStore.open(url, tmp_path / "log")
    for table in ("a", "b"):
        for seq in range(1, 4):
            await store.append(row(table, seq, last=seq == 3 and table == "a"))
    while await store.archive():
        pass
    assert await store.read("a") == []
    assert [one.seq for one in await store.history("a")] == [1, 2, 3]
    assert await store.closed("a")
    assert await store.check() == []
    with pytest.raises(Conflict, match="closed"):
        await store.append(row("a", 4))
    assert not await store.archive(10**15) or await store.closed("a")
    await store.close()


async def test_databases_that_are_not_ours_are_refused(url: str, tmp_path: Path) -> None:
    conn = await asyncpg.connect(url)
    await conn.execute("CREATE TABLE log (n int)")
    for comment, code in ((None, "store-not-ours"), ("okey101 log 2", "store-newer")):
        if comment is not None:
            await conn.execute(f"COMMENT ON TABLE log IS '{comment}'")
        with pytest.raises(OkeyError) as caught:
            await PostgresStore.open(url, tmp_path / "log")
        assert caught.value.code == code
    await conn.close()
    with pytest.raises(OkeyError) as caught:
        await PostgresStore.open("postgresql://nobody:secret@127.0.0.1:1/x", tmp_path / "log")
    assert caught.value.code == "store-unreachable"
    assert "secret" not in str(caught.value)


def test_a_database_that_was_killed_comes_back_with_all_that_was_told(postgres: Postgres) -> None:
    async def story(store_path: Path) -> None:
        url = postgres.database()
        store = await PostgresStore.open(url, store_path)
        told: dict[str, int] = {}

        async def play(table: str) -> None:
            seq = 1
            while seq <= 60:
                try:
                    await store.append(row(table, seq))
                except Conflict:
                    pass
                except Exception:  # unknown: ask again, as a table does
                    await asyncio.sleep(0.1)
                    continue
                told[table] = seq
                seq += 1

        playing = asyncio.gather(*(play(f"t{n}") for n in range(4)))
        await asyncio.sleep(0.2)
        await asyncio.to_thread(postgres.stop, signal.SIGQUIT)
        await asyncio.to_thread(postgres.start)
        await playing
        for table, seq in told.items():
            assert [one.seq for one in await store.read(table)] == [*range(1, seq + 1)]
        assert await store.check() == []
        await store.close()

    asyncio.run(story(Path("/nowhere")))
