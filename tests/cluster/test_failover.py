"""PostgreSQL fails over: nothing acknowledged is missing then, and play goes on by itself."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from signal import SIGQUIT

import asyncpg
import pytest

from cluster.conftest import connected
from conftest import Patch, soon, unwrap
from faults import cluster_storm
from faults.cluster_storm import Member
from okey101.server.store import StoreError, postgres
from okey101.server.store.postgres import Database, PostgresStore, Unreachable
from postgres import Postgres, running
from server.store.memory import row


@pytest.fixture
def pair(programs: Path) -> Iterator[Postgres]:
    """A primary whose standby confirms each commit."""
    with running(programs) as one:
        one.follow()
        yield one


def _with_hosts(url: str, *ports: int) -> str:
    """The same database at other hosts of this machine."""
    return f"postgresql://okey101@{','.join(f'127.0.0.1:{p}' for p in ports)}/{url[-7:]}"


def _beside(pair: Postgres) -> AbstractAsyncContextManager[asyncpg.Connection]:
    return connected(f"postgresql://okey101@127.0.0.1:{pair.port}/tests_1")


async def _waits(beside: asyncpg.Connection, query: str) -> bool:
    """Whether such a statement of ours waits for the standby."""
    return bool(await beside.fetchval(
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE $1 "
        "AND application_name = 'okey101'", f"%{query}%",
    ))  # fmt: skip


async def _port(database: Database) -> int:
    """The port of the primary that is found."""
    try:
        found = await database.connect()
        try:
            return int(await found.fetchval("SHOW port"))
        finally:
            await found.close()
    finally:
        database.close()


async def _why(database: Database, seconds: float = 30) -> str:
    with pytest.raises(Unreachable) as caught:
        await database.connect(seconds)
    database.close()
    return str(caught.value)


@pytest.mark.parametrize("reverse", [False, True])
async def test_the_primary_is_found_among_all_hosts(pair: Postgres, reverse: bool) -> None:
    standby = unwrap(pair.standby).port
    url = pair.database()
    with socket.create_server(("127.0.0.1", 0)) as silent, socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        refuses = closed.getsockname()[1]
        ports = [silent.getsockname()[1], refuses, standby, pair.port]
        url = _with_hosts(url, *ports[:: -1 if reverse else 1])
        assert await _port(Database(url)) == pair.port
    assert await _why(Database(_with_hosts(url, refuses, standby))) == (
        f"127.0.0.1:{refuses}: ConnectionRefusedError; 127.0.0.1:{standby}: takes no writes"
    )


async def test_a_former_primary_is_not_used(pair: Postgres) -> None:
    url = pair.database()
    database = Database(url)
    assert await _port(database) == pair.port
    old = await asyncio.to_thread(pair.fail_over)
    assert await _port(database) == pair.port
    await asyncio.to_thread(old.start)
    try:
        assert await _port(database) == pair.port
        assert await _port(Database(url)) == pair.port
        alone = Database(_with_hosts(url, old.port))
        assert "no standby that confirms" in await _why(alone, 1)
        old.confirmed_by("")  # as if it had never had one
        assert await _port(database) == pair.port
        pair.stop()
        assert f"127.0.0.1:{old.port}: a former primary" in await _why(database)
    finally:
        old.stop()


async def test_what_waits_for_its_standby_is_neither_acknowledged_nor_seen(
    pair: Postgres, tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(postgres, "_ANSWER_S", 0.5)
    store = await PostgresStore.open(pair.database(), tmp_path / "log")
    await store.append(row("a", 1))
    unwrap(pair.standby).stop()
    with monkeypatch.context() as once:
        once.setattr(postgres, "_PAUSES_S", ())
        with pytest.raises(StoreError):
            await store.note("kind", b"line", 5)
        with pytest.raises(StoreError):
            await store.append(row("a", 2))
    kept = asyncio.create_task(store.append(row("b", 1)))
    async with _beside(pair) as beside:
        await soon(lambda: _waits(beside, "emit_message"))
        seen = await beside.fetchrow("SELECT max(seq), (SELECT count(*) FROM lines) FROM log")
        assert tuple(seen) == (1, 0)
    assert not kept.done()
    await asyncio.to_thread(unwrap(pair.standby).start)
    await kept
    assert [one.seq for one in await store.read("a")] in ([1], [1, 2])
    assert await store.check() == []
    await store.close()


async def test_a_row_that_only_a_lost_primary_had_is_written_again(
    pair: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "_PAUSES_S", (0.2,) * 300)  # the standby takes its time to start
    store = await PostgresStore.open(pair.database(), tmp_path / "log")
    await store.append(row("a", 1))
    standby = unwrap(pair.standby)
    standby.stop()
    waiting = asyncio.create_task(store.append(row("a", 2)))
    async with _beside(pair) as beside:
        await soon(lambda: _waits(beside, "INSERT INTO log"))
    await asyncio.to_thread(pair.stop, SIGQUIT)
    await asyncio.to_thread(pair.start)
    async with _beside(pair) as beside:
        assert await beside.fetchval("SELECT max(seq) FROM log") == 2  # on this machine alone
        await soon(lambda: _waits(beside, "emit_message"))
    assert not waiting.done()
    old = await asyncio.to_thread(pair.fail_over)
    assert old.port != pair.port
    await waiting
    assert await store.read("a") == [row("a", 1), row("a", 2)]
    assert await store.check() == []
    await store.close()


def test_play_goes_on_and_nothing_is_missing(pair: Postgres) -> None:
    old: list[Postgres] = []

    async def lost(_member: Member, seconds: float, database: Postgres) -> None:
        standby = unwrap(database.standby)
        await asyncio.to_thread(standby.stop, SIGQUIT)
        await asyncio.sleep(seconds / 2)
        await asyncio.to_thread(standby.start)

    async def taken_out(_member: Member, seconds: float, database: Postgres) -> None:
        standby = unwrap(database.standby)
        await asyncio.to_thread(standby.stop, SIGQUIT)
        await asyncio.sleep(seconds / 4)
        await asyncio.to_thread(database.confirmed_by, "")
        await asyncio.to_thread(standby.start)
        await asyncio.to_thread(database.confirmed_by, "*")

    async def failed_over(_member: Member, _seconds: float, database: Postgres) -> None:
        old.append(await asyncio.to_thread(database.fail_over))
        await asyncio.to_thread(old[0].start)  # and comes back as if nothing had been

    faults = {"standby lost": lost, "standby taken out": taken_out, "failed over": failed_over}
    try:
        with pytest.MonkeyPatch.context() as patch:
            for name, fault in faults.items():
                patch.setitem(cluster_storm._FAULTS, name, fault)
            tally = cluster_storm.storm(pair, [*faults], tables=2, deals=1, direct=True)
    finally:
        for one in old:
            one.stop()
    assert tally.problems == []
    assert {*tally.faults} == {*faults}
    assert len(tally.notes.acknowledged) > 20


# Any fault, without a standby ---------------------------------------------------------------------


def test_a_node_that_is_killed_loses_nothing(postgres: Postgres) -> None:
    tally = cluster_storm.storm(postgres, ["node killed"], tables=2, deals=1)
    assert tally.problems == []
    assert len(tally.notes.acknowledged) > 20


@pytest.mark.long
@pytest.mark.parametrize("nodes", [2, 3])
def test_no_fault_loses_anything(postgres: Postgres, nodes: int) -> None:
    faults = {*cluster_storm.FAULTS} - {"database full"}  # which takes a disk of its own
    tally = cluster_storm.storm(postgres, sorted(faults), nodes=nodes)
    assert tally.problems == []
    assert {*tally.faults} == faults
