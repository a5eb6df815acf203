"""A server whose log and people are in PostgreSQL loses nothing, whoever fails."""

import asyncio
import contextlib
import json
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from unittest.mock import AsyncMock, Mock

import asyncpg
import pytest
from sqlalchemy import Dialect
from sqlalchemy.ext.asyncio import AsyncTransaction
from sqlalchemy.util import await_only

from cli.conftest import Run
from conftest import Patch, raises_code, soon
from faults.storm import ride
from okey101.game.fair.rounds import day_mix
from okey101.server.people.day_tries import DayOfDeals
from okey101.server.people.days import day_options
from okey101.server.people.service import Accounts
from okey101.server.store import Conflict, Row, StoreError, postgres
from okey101.server.store.base import Conn, link_of
from okey101.server.store.erased import erased_in, erasure_of, note_erased
from okey101.server.store.postgres import PostgresStore
from okey101.server.store.snapshots import Snapshot
from okey101.server.store.statements import HEAD, KEPT_END, READ_AT_ONCE, make_tables
from postgres import Postgres
from server.accounts.people import account, people_of, quick
from server.live import LiveServer, asking, in_process
from server.store.memory import row

_COPIED = "INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?, '')"


@pytest.fixture
def store(url: str, tmp_path: Path) -> AbstractAsyncContextManager[PostgresStore]:
    @asynccontextmanager
    async def opened() -> AsyncIterator[PostgresStore]:
        one = await PostgresStore.open(url, tmp_path / "log")
        try:
            yield one
        finally:
            await one.close()

    return opened()


def test_kills_lose_nothing(url: str) -> None:
    tally = ride(tables=3, kills=4, life=1.5, deals=1, database=url)
    assert tally.problems == []
    assert tally.kills["play"] >= 3
    assert tally.matches >= 3
    came_back = "resumed", "fresh views compared"
    assert any(tally.notes.counts[how] for how in came_back)
    assert tally.compared


async def test_nodes_that_start_at_the_same_moment_make_the_tables_once(
    url: str, tmp_path: Path
) -> None:
    async def opened() -> None:
        store = await PostgresStore.open(url, tmp_path / "log", shared=True)
        async with people_of(store, alone=False):
            pass

    await asyncio.gather(*(opened() for _ in range(4)))


async def test_a_node_that_looks_while_another_makes_the_tables_finds_them_whole(
    url: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    """Whether there is a table is known of this moment, its comment of the transaction's begin."""
    prepare, waits, looks = postgres._prepare, asyncio.Event(), asyncio.Event()
    nodes = asyncio.TaskGroup()

    def prepared(conn: Conn, copy_of: str | None) -> None:
        if being_made:
            waits.set()
            await_only(looks.wait())
        prepare(conn, copy_of)

    def made(conn: Conn, dialect: Dialect) -> None:
        being_made.append(True)
        nodes.create_task(opened())
        await_only(asyncio.wait({asyncio.ensure_future(waits.wait())}, timeout=0.5))
        conn.execute("LOCK TABLE pg_class")
        looks.set()
        await_only(asyncio.sleep(0.3))
        make_tables(conn, dialect)

    async def opened() -> None:
        await (await PostgresStore.open(url, tmp_path / "log", shared=True)).close()

    being_made: list[bool] = []
    monkeypatch.setattr(postgres, "_prepare", prepared)
    monkeypatch.setattr(postgres, "make_tables", made)
    async with nodes:
        await opened()


async def test_the_character_that_no_text_may_have_leads_nowhere(url: str, tmp_path: Path) -> None:
    """PostgreSQL refuses it, which looks like a database that is out of order."""
    async with in_process(tmp_path, database=url) as app:
        accounts = app.state.hub.accounts
        _, token = await account(accounts, "Ali")
        async with asking(app, token) as http:
            for method, path in (
                ("GET", "tables/%00"), ("GET", "matches/%00"), ("GET", "matches/?before=%00"),
                ("POST", "families/%00/sit"), ("DELETE", "friends/%00"), ("DELETE", "blocks/%00"),
                ("GET", "log/inclusion?size=0&entry=%00"), ("DELETE", "me/sessions/%00"),
            ):  # fmt: skip
                answer = await http.request(method, f"/api/{path}")
                assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not-found")
            for path in ("friends", "blocks"):
                answer = await http.post(f"/api/{path}", json={"user": "u_\0"})
                assert answer.json()["error"]["code"] == "bad-request"
        with raises_code("no-user"):
            await accounts.traces("\0")


async def test_no_statement_is_compiled(store: PostgresStore) -> None:
    """A step of the archive took 150 ms that way, and few tables fill a minute with those."""
    assert await store.change(lambda conn: conn.execute("SHOW jit").fetchone()[0]) == "off"


def test_a_copy_is_made_while_no_node_runs(run: Run, url: str, tmp_path: Path) -> None:
    with LiveServer(database=url) as server:
        copied = run("store", "copy", url, str(tmp_path / "copy"), "--json")
        assert copied.refusal == (1, "store-in-use")
        server.restart(kill=True)  # the lock went with the process


async def test_commands_read_the_database_of_a_server_that_has_ended(
    run: Run, url: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    there = ("--data", str(tmp_path))
    assert run("admin", "erase", "Ali", *there, "--json").error["code"] == "no-server-folder"
    monkeypatch.setenv("OKEY101_DATABASE", url)
    assert run("admin", "erase", "Ali", *there, "--json").error["code"] == "no-server-folder"
    async with people_of(await PostgresStore.open(url, tmp_path / "log.sqlite")) as people:
        ali, _ = await account(people, "Ali")
        assert run("admin", "erase", "Ali", *there, "--json").error["code"] == "store-in-use"
    file = tmp_path / "ali.json"
    assert run("admin", "export", "Ali", "--out", str(file), *there).code == 0
    assert json.loads(file.read_text("utf-8"))["users"]["id"] == ali
    assert run("admin", "reset-password", "Ali", "--yes", *there, "--json").json["code"]
    assert run("admin", "erase", "Ali", "--yes", *there, "--json").json["done"]
    assert erasure_of(ali) in erased_in(tmp_path / "log.sqlite")
    entries = run("admin", "journal", *there, "--json").json["journal"]
    assert [one["what"] for one in entries] == ["erase", "reset-password", "export"]
    assert run("admin", "check", *there, "--json").json["tables"] == 0


async def test_whom_a_copy_of_the_database_brought_back_a_start_erases(
    url: str, tmp_path: Path
) -> None:
    """PostgreSQL's own tools put it back, and only the list beside the keys knows of an erasure."""
    log = tmp_path / "log.sqlite"
    async with people_of(await PostgresStore.open(url, log)) as people:
        (ali, _), (veli, _) = [await people.guest(name) for name in ("Ali", "Veli")]
    note_erased(log, [erasure_of(ali.id)])
    async with in_process(tmp_path, database=url) as app:
        accounts = app.state.hub.accounts
        assert accounts.came_back == 1
        called = await accounts.names([ali.id, veli.id])
        assert [called[one.id].name for one in (ali, veli)] == [None, "Veli"]


async def test_a_lock_of_somebody_who_has_just_ended_is_waited_for(
    url: str, conn: asyncpg.Connection, tmp_path: Path
) -> None:
    """PostgreSQL takes a moment to notice that a connection is gone."""
    await conn.execute("SELECT pg_advisory_lock($1)", postgres._LOCK)
    opening = asyncio.create_task(PostgresStore.open(url, tmp_path / "log"))
    await asyncio.wait([opening], timeout=0.5)
    await conn.execute("SELECT pg_advisory_unlock($1)", postgres._LOCK)
    await (await opening).close()


async def _played(store: PostgresStore, table: str, over: Callable[[], bool]) -> int:
    """Rows of a table, one after the other and a few more once it is over; how many were told."""
    seq, more = 0, 5
    while more:
        more -= over()
        try:
            await store.append(row(table, seq + 1))
        except StoreError:  # unknown: a table looks whether it is there before it goes on
            seq += len(await _read_at_last(store, table, seq))
            continue
        seq += 1
    return seq


async def _read_at_last(store: PostgresStore, table: str, after: int) -> list[Row]:
    while True:
        await asyncio.sleep(0.05)
        with contextlib.suppress(StoreError):
            return await store.read(table, after)


async def _require_whole(store: PostgresStore, told: list[int]) -> None:
    """What was told is there, once, and nothing else."""
    for n, seq in enumerate(told):
        assert await store.read(f"t{n}") == [row(f"t{n}", one) for one in range(1, seq + 1)]
    assert await store.check() == []


def failures_of(store: PostgresStore) -> Mock:
    """Hears of each commit that fails."""
    vars(store)["_failed"] = told = Mock(side_effect=store._failed)
    return told


async def test_rows_whose_answer_was_cut_off_are_stored_once(
    store: PostgresStore, conn: asyncpg.Connection
) -> None:
    failed = failures_of(store)

    async def cut() -> None:
        while failed.call_count < 5:
            await conn.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> "
                "pg_backend_pid() AND application_name = 'okey101' AND query LIKE '%INSERT%'"
            )
            await asyncio.sleep(0.02)

    cutting = asyncio.create_task(cut())
    told = await asyncio.gather(*(_played(store, f"t{n}", cutting.done) for n in range(8)))
    await _require_whole(store, told)


async def test_a_row_that_was_stored_and_not_answered_is_known(
    store: PostgresStore, monkeypatch: Patch
) -> None:
    failed = failures_of(store)
    fetch, cut = asyncpg.Connection.fetch, [True]

    async def unanswered(*given: object) -> object:
        found = await fetch(*given)
        if cut:
            cut.clear()
            raise ConnectionResetError
        return found

    monkeypatch.setattr(asyncpg.Connection, "fetch", unanswered)
    await store.append(row("a", 1))
    assert not cut
    await store.append(row("a", 2))
    assert await store.check() == []
    assert await store.read("a") == [row("a", 1), row("a", 2)]
    assert failed.call_count == 1


@pytest.mark.parametrize("stored", [True, False])
async def test_a_commit_that_was_not_answered_is_asked_after(
    store: PostgresStore, stored: bool, monkeypatch: Patch
) -> None:
    commit, cut = AsyncTransaction.commit, [True]

    async def unanswered(transaction: AsyncTransaction) -> None:
        if not cut:
            return await commit(transaction)
        cut.clear()
        await (commit if stored else AsyncTransaction.rollback)(transaction)
        raise ConnectionResetError

    monkeypatch.setattr(AsyncTransaction, "commit", unanswered)
    monkeypatch.setattr(postgres, "_PAUSES_S", (0.0,))
    noted = store.note("kind", b"line", 5)
    if stored:
        await noted
    else:
        with pytest.raises(StoreError):
            await noted
    assert await store.noted("kind", 5) == [b"line"] * stored


async def test_no_error_says_what_a_row_holds(
    store: PostgresStore, conn: asyncpg.Connection, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(postgres, "_PAUSES_S", ())
    await conn.execute("ALTER TABLE log ADD CHECK (entry <> 'hidden R7')")
    with pytest.raises(StoreError) as caught:
        await store.append(row("a", 1, entry=b"hidden R7"))
    assert "hidden" not in str(caught.value)
    with pytest.raises(StoreError) as caught:
        await store.change(
            lambda conn: conn.execute("UPDATE nowhere SET n = ?1", ("hidden R7",)).fetchall()
        )
    assert "hidden" not in str(caught.value)
    assert "hidden" not in repr(caught.value.__cause__)


async def test_a_writer_with_an_old_state_writes_nothing(
    store: PostgresStore, conn: asyncpg.Connection
) -> None:
    for seq in (1, 2):
        await store.append(row("a", seq))
    await conn.execute("UPDATE log SET chain = 'anew' WHERE seq = 2")
    await store.append(row("a", 3))  # follows what is there, not what was there
    chain = await conn.fetchval("SELECT chain FROM log WHERE seq = 3")
    assert chain == link_of(b"anew", row("a", 3))
    await conn.execute(
        "INSERT INTO log SELECT table_id, 4, at_ms, 'x', rules_version, 'other', 1, 'link' "
        "FROM log WHERE table_id = 'a' AND seq = 3"
    )
    with pytest.raises(Conflict, match="taken"):
        await store.append(row("a", 4))
    with pytest.raises(Conflict, match="closed"):
        await store.append(row("a", 5))
    assert [one.state_hash for one in await store.read("a")][-1] == "other"
    assert await store.check() == ["table a: row 2 does not follow the one before (chain)"]


async def test_a_log_that_was_empty_when_counted_is_read_by_its_index(store: PostgresStore) -> None:
    def planned(conn: Conn) -> list[str]:
        conn.execute("ANALYZE log")
        conn.execute("ANALYZE archive")
        plans = (conn.execute(f"EXPLAIN {sql}", ("a",)) for sql in (HEAD, KEPT_END))
        return ["\n".join(line for (line,) in plan) for plan in plans]

    for plan in await store.change(planned):
        assert "Seq Scan" not in plan


async def test_the_archive_takes_closed_tables(store: PostgresStore) -> None:
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
    assert await store.archive(10**15)  # and drops what is old, all but how it ended
    assert [(one.seq, one.entry) for one in await store.history("a")] == [(3, b"")]
    assert await store.closed("a")
    assert await store.running() == ["b"]


async def test_two_nodes_archive_the_same_table(
    store: PostgresStore, conn: asyncpg.Connection
) -> None:
    await store.append(row("a", 1, last=True))
    async with conn.transaction(isolation="serializable"):
        await conn.execute("INSERT INTO archive SELECT * FROM log")
        late = asyncio.create_task(store.archive())
        blocked = "SELECT count(*) > 0 FROM pg_locks WHERE NOT granted"
        await soon(lambda: conn.fetchval(blocked))
        await conn.execute("DELETE FROM log")
        await conn.execute("UPDATE others SET ended = 1")
    assert not await late
    assert await store.check() == []


async def test_databases_that_are_not_ours_are_refused(
    url: str, conn: asyncpg.Connection, tmp_path: Path
) -> None:
    await conn.execute("CREATE TABLE log (n int)")
    for comment, code in ((None, "store-not-ours"), ("okey101 log 2", "store-newer")):
        if comment is not None:
            await conn.execute(f"COMMENT ON TABLE log IS '{comment}'")
        with raises_code(code):
            await PostgresStore.open(url, tmp_path / "log")
    with raises_code("store-unreachable") as caught:
        await PostgresStore.open("postgresql://nobody:secret@127.0.0.1:1/x", tmp_path / "log")
    assert "secret" not in str(caught.value)


async def test_a_database_that_is_not_fit_is_refused(
    url: str, conn: asyncpg.Connection, tmp_path: Path, monkeypatch: Patch
) -> None:
    for value, code in (("off", "store-not-durable"), ("on", "store-too-old")):
        await conn.execute(f"ALTER SYSTEM SET fsync = {value}")
        await conn.execute("SELECT pg_reload_conf()")
        while await conn.fetchval("SHOW fsync") != value:  # noqa: ASYNC110  # nothing tells
            await asyncio.sleep(0.01)
        with raises_code(code):
            await PostgresStore.open(url, tmp_path / "log")
        monkeypatch.setattr(postgres, "_OLDEST", 99)


async def test_a_database_that_was_killed_comes_back_with_all_that_was_told(
    store: PostgresStore, request: pytest.FixtureRequest
) -> None:
    server: Postgres = request.getfixturevalue("postgres")
    failed, stored = failures_of(store), list[int]()
    store._on_commit = lambda rows, _: stored.append(rows)

    async def kill() -> None:
        await soon(lambda: sum(stored) >= 100)
        await asyncio.to_thread(server.stop, signal.SIGQUIT)
        await asyncio.to_thread(server.start)

    killing = asyncio.create_task(kill())
    told = await asyncio.gather(*(_played(store, f"t{n}", killing.done) for n in range(4)))
    assert failed.called
    await _require_whole(store, told)


async def test_tables_are_read_together_and_one_that_fails_delays_no_other(
    store: PostgresStore, monkeypatch: Patch
) -> None:
    tables = [f"t{number}" for number in range(20)]
    for seq in (1, 2, 3):
        await asyncio.gather(*(store.append(row(table, seq)) for table in tables))
    long = [row("long", seq) for seq in range(1, READ_AT_ONCE + 3)]
    await store.change(lambda conn: conn.executemany(_COPIED, [(*one[:6], 0) for one in long]))
    for table in tables[::2]:
        assert await store.keep(Snapshot(table, 2, "1", "hash-2", table.encode(), {}))

    async def read() -> None:
        rows, found = await asyncio.gather(
            asyncio.gather(*(store.read(table, n % 3) for n, table in enumerate(tables))),
            asyncio.gather(*map(store.snapshots, tables)),
        )
        for n, table in enumerate(tables):
            assert rows[n] == [row(table, seq) for seq in range(n % 3 + 1, 4)]
            bodies = [kept.body for kept in found[n].snapshots]
            assert bodies == ([] if n % 2 else [table.encode()])

    asked: list[int] = []
    once = store.asked
    monkeypatch.setattr(store, "asked", counted := AsyncMock(side_effect=once))
    await read()
    assert counted.await_count == 2, "one question for all rows, and one for all snapshots"
    assert [*await asyncio.gather(store.read("long"), store.read("t0", 3))] == [long, []]

    async def failing(work: Callable[[Conn], object]) -> object:
        asked.append(1)
        if len(asked) <= 2:
            raise StoreError("a page is damaged")
        return await once(work)

    monkeypatch.setattr(store, "asked", failing)
    await read()
    assert len(asked) == 2 + 2 * len(tables)


async def test_a_connection_in_use_while_all_are_opened_anew_is_closed_after_it(
    store: PostgresStore, conn: asyncpg.Connection
) -> None:
    """Where another one's was lost: what nobody takes again would stay open."""
    await conn.execute("SELECT pg_advisory_lock(7)")
    held = asyncio.create_task(store.asked(lambda conn: conn.execute("SELECT pg_advisory_lock(7)")))
    await soon(lambda: conn.fetchval("SELECT count(*) > 0 FROM pg_locks WHERE NOT granted"))
    with pytest.raises(StoreError):
        await store.asked(
            lambda conn: conn.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        )
    assert not held.done()
    await conn.execute("SELECT pg_advisory_unlock(7)")
    await held
    only_the_writer = (
        "SELECT count(*) = 1 FROM pg_stat_activity "
        "WHERE application_name = 'okey101' AND datname = current_database()"
    )
    await soon(lambda: conn.fetchval(only_the_writer))


async def test_a_contribution_that_was_taken_is_in_the_closed_list(
    url: str, tmp_path: Path
) -> None:
    """However many contribute at the moment at which the list is closed."""
    store = await PostgresStore.open(url, tmp_path / "log.sqlite")
    people = await Accounts.open(store, passwords=quick())
    dates = ("2026-11-26", "2026-11-27")
    for date in dates:
        made = DayOfDeals(date, 0, 0, 1, 2, ("5e" * 32,) * 4, day_options("novice"), "11" * 32)
        await people.days.keep([made])
    guests = [(await people.guest(f"Katkı {number}"))[0].id for number in range(24)]
    taken = set[str]()

    async def begin(number: int) -> None:
        share = (dates[1], f"{number:064x}")
        await people.days.begin(
            dates[0], guests[number], f"t{number}", 0, ranked=False, share=share
        )
        if await people.days.given(*share):
            taken.add(share[1])

    asked = [asyncio.create_task(begin(number)) for number in range(12)]
    await asked[0]
    asked += [asyncio.create_task(begin(number)) for number in range(12, 24)]
    first, second = await asyncio.gather(*(people.days.mixed(dates[1]) for _ in range(2)))
    await asyncio.gather(*asked)
    shares = await people.days.shares(dates[1])
    assert f"{0:064x}" in taken <= {*shares}
    assert first.mix == second.mix == day_mix(dates[1], "11" * 32, shares)
    assert (await people.days.mixed(dates[1])).mix == first.mix
    late = (await people.guest("Katkı geç"))[0].id
    share = (dates[1], "f" * 64)
    await people.days.begin(dates[0], late, "late", 0, ranked=False, share=share)
    assert not await people.days.given(*share)
    await people.close()
    await store.close()


async def test_many_who_change_a_short_table_at_once_all_get_their_turn(
    url: str, tmp_path: Path
) -> None:
    """What PostgreSQL compares by the page is one page for all of them."""
    async with people_of(await PostgresStore.open(url, tmp_path / "log.sqlite")) as people:
        guests = [(await people.guest(f"Misafir {number}"))[0].id for number in range(24)]
        await asyncio.gather(*map(people.delete, guests))
        assert not any(called.name for called in (await people.names(guests)).values())
