"""What the parts of a server share: names, faults without their text, and who left quick tables."""

import asyncio
import io
import threading
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock, Mock

import pytest
import structlog

from conftest import Patch, raises_code, soon
from okey101.errors import OkeyError
from okey101.game import Record
from okey101.server.hub import Hub
from okey101.server.net.limits import Connections
from okey101.server.ops.logs import utc_ms
from okey101.server.ops.metrics import Metrics
from okey101.server.ops.outages import SlowStore
from okey101.server.people.match_keeper import MatchKeeper
from okey101.server.people.persons import NameLookups
from okey101.server.protocol import client_messages as ask
from okey101.server.protocol.options import checked_options
from okey101.server.protocol.views import Called
from okey101.server.settings import load_settings
from okey101.server.store import Row, SqliteStore, StoreError, lost
from okey101.server.store.lost import Shortfall, add_finding
from okey101.server.tables.match_record import match_record
from okey101.server.tables.registry import Tables
from okey101.server.tables.snapshots import EVERY
from okey101.server.tables.state import Stage, TableState
from okey101.server.tables.table import Table
from okey101.server.web.auth import session_of
from okey101.server.work import tasks
from server.accounts.people import with_accounts
from server.server_stories import table_options
from server.tables.twins import Screen

QUICK: dict[str, object] = {"bot_delay_ms": 0, "first_deal_wait_s": 0, "dealing_s": 0}


@asynccontextmanager
async def opened(data: Path, **settings: object) -> AsyncGenerator[Hub]:
    hub = await Hub.open(load_settings({"data": data, "max_lag_ms": 60_000, **settings}), Metrics())
    try:
        await hub.tables.wait_back()
        yield hub
    finally:
        await hub.close()


async def test_a_log_that_lacks_rows_is_never_whole(tmp_path: Path, monkeypatch: Patch) -> None:
    """The file says that nobody has looked into it yet, and takes a moment to be written."""
    go_on = threading.Event()

    def slowly(log: Path, found: Shortfall) -> None:
        assert go_on.wait(60)
        add_finding(log, found)

    def whole(hub: Hub) -> bool:
        return hub.findings.whole

    async with opened(tmp_path) as hub:
        monkeypatch.setattr(lost, "add_finding", slowly)
        assert whole(hub)
        hub.findings.rows_lost("t_abcdefghjkmn", 3, 5)
        assert not whole(hub)
        go_on.set()
        noted = tmp_path / "log.lost"
        while not (noted.exists() and not hub.findings._unwritten):
            assert not whole(hub)
            await asyncio.sleep(0.01)
        assert not whole(hub)
        noted.unlink()
        assert whole(hub)


async def test_a_restarted_server_begins_from_snapshots(tmp_path: Path, monkeypatch: Patch) -> None:
    read: list[int] = []
    plain = SqliteStore.read

    async def watched(
        store: SqliteStore, table: str, after: int = 0, most: int | None = None
    ) -> list[Row]:
        read.append(after)
        return await plain(store, table, after, most)

    async with opened(tmp_path) as hub:
        user, _ = await hub.accounts.guest("Ali")
        table = await hub.tables.create(user.id, checked_options(table_options()))
        for number in range(EVERY):
            await table.command(user.id, ask.Ready(rid=f"r{number}", on=number % 2 == 1))
        name, before = table.state.table, table.state
        while not (await hub.store.snapshots(name)).snapshots:  # noqa: ASYNC110  # nothing tells
            await asyncio.sleep(0.01)
    monkeypatch.setattr(SqliteStore, "read", watched)
    async with opened(tmp_path) as hub:
        assert (await hub.tables.get(name)).state == before
        assert read == [before.seq]
        assert b"okey101_snapshots_refused_total 0.0" in hub.metrics.render()


def a_socket(user: str | None, address: str = "x") -> Any:
    """A connection that nobody may close."""
    refuses = {"close.side_effect": AssertionError}
    return Mock(user=user, session="s", address=address, **refuses)


def test_who_shares_an_address_now() -> None:
    connections = Connections()
    sockets = [a_socket("a", "x"), a_socket("b", "x"), a_socket("b", "y"), a_socket("c", "y")]
    sockets += [a_socket("d", "unknown"), a_socket("e", "unknown"), a_socket(None, "x")]
    for one in sockets:
        connections.enter(one)
    assert connections.near(["a", None, "c", "b"]) == [0b1000, 0, 0b1000, 0b0101]
    assert connections.near(["d", "e", "away", "a"]) == [0, 0, 0, 0]
    connections.leave(sockets[1])
    assert connections.near(["a", "b"]) == [0, 0]


async def test_names_are_kept_as_long_as_they_are_needed(tmp_path: Path) -> None:
    async with opened(tmp_path) as hub:
        people = [(await hub.accounts.guest(f"Kişi {n}"))[0] for n in range(4)]
        hub.names.update({user.id: user.called for user in people})
        table = await hub.tables.create(people[0].id, checked_options(table_options()))
        socket = a_socket(people[1].id)
        hub.connections.enter(socket)
        hub.presence.forget_names()
        assert set(hub.names) == {people[0].id, people[1].id}
        await table.close()
        hub.connections.leave(socket)
        hub.presence.forget_names()
        assert not hub.names
        # A deleted person gets none back, though a request that looked it up before is on its way.
        user, token = await hub.accounts.guest("Ali")
        assert await session_of(hub, token) is not None
        assert hub.names[user.id] == Called("Ali")
        await hub.accounts.delete(user.id)
        hub.names[user.id] = Called()
        hub.names.know(user)
        assert hub.names[user.id] == Called()


async def test_what_fails_is_told_without_text_and_goes_on_where_it_always_does(
    tmp_path: Path, stream: io.StringIO, monkeypatch: Patch
) -> None:
    """The text may name tiles that nobody has seen."""

    async def fails() -> None:
        raise ValueError("the hand is R13 B1")

    monkeypatch.setattr(tasks, "AGAIN_S", 0.0)
    look = Mock(side_effect=chain([ValueError], repeat(None)))
    monkeypatch.setattr(SlowStore, "look", look)
    async with opened(tmp_path) as hub:
        await soon(lambda: look.call_count > 1)
        await asyncio.wait([hub.tasks.spawn(fails())])
        await asyncio.sleep(0)
    _, line = (line for line in stream.getvalue().splitlines() if "task-failed" in line)
    assert "ValueError" in line
    assert "fails" in line
    assert "R13" not in line


async def test_invitations_wait_where_the_database_cannot_be_asked(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    async with opened(tmp_path) as hub:
        user, _ = await hub.accounts.guest("Ali")
        invitations = hub.accounts.invitations
        await invitations.add(user.id, "t_gone", 1, 1)
        with monkeypatch.context() as patch:
            patch.setattr(SqliteStore, "closed", AsyncMock(side_effect=StoreError))
            await invitations.forget_closed(hub.tables, hub.store, alone=False)
        assert await invitations.tables() == {"t_gone"}
        await invitations.forget_closed(hub.tables, hub.store, alone=True)
        assert not await invitations.tables()


class Player(Screen):
    session = "s"


async def played_out(hub: Hub, user: str) -> Table:
    """A table whose only match bots have played to its end."""
    options = checked_options(table_options(people=1, players=2, deals=1))
    table = await hub.tables.create(user, options)
    table.attach(Screen(user))
    await table.command(user, ask.Start(rid="1"))
    await table.command(user, ask.Leave(rid="2"))
    await soon(lambda: table.state.stage is Stage.OVER)
    return table


async def no_disk(**_: object) -> str:
    raise OkeyError("accounts-failed", "no disk")


async def never_kept(hub: Hub, patch: Patch) -> str:
    """The id of a table whose match is over, at a hub that can keep none."""
    user, _ = await hub.accounts.guest("Ali")
    patch.setattr(hub.accounts, "save_match", no_disk)
    return (await played_out(hub, user.id)).state.table


def impatient(patch: Patch) -> None:
    """Let nobody wait for matches that can't be kept."""
    patch.setattr("okey101.server.people.match_keeper._SAVE_AGAIN_S", 0.1)
    patch.setattr("okey101.server.people.match_keeper._PATIENCE_S", 0.1)


def patient(patch: Patch) -> None:
    """Wait for matches as long as a slow machine needs to write their records."""
    patch.setattr("okey101.server.people.match_keeper._PATIENCE_S", 30.0)


async def test_a_table_is_open_until_its_match_is_kept(tmp_path: Path, monkeypatch: Patch) -> None:
    """The administrator's close too: of a closed table nobody reads the log again.

    Nor is one closed that is loaded for it, after a crash before the match was kept.
    """
    async with opened(tmp_path, **QUICK) as hub:
        impatient(monkeypatch)
        table = await never_kept(hub, monkeypatch)
        for close in (partial(hub.matches.close_table, hub.tables), hub.tables.close):
            with raises_code("accounts-failed"):
                await close(table)
    monkeypatch.setattr(Tables, "_bring_all", AsyncMock())  # nothing comes back by itself
    hub = await Hub.open(load_settings({"data": tmp_path, **QUICK}), Metrics())
    with monkeypatch.context() as patch:
        patch.setattr(hub.accounts, "save_match", no_disk)
        with raises_code("accounts-failed"):
            await hub.matches.close_table(hub.tables, table)
    patient(monkeypatch)
    await hub.matches.close_table(hub.tables, table)
    assert (await hub.accounts.match(f"{table}-1")).summary.table_id == table
    with pytest.raises(OkeyError, match="no such table"):
        await hub.tables.get(table)
    await hub.close()


class Held:
    """The encoding of records, which waits until it may go on."""

    def __init__(self, patch: Patch) -> None:
        self.threads: list[threading.Thread] = []
        self.began = threading.Event()
        self.go_on = threading.Event()
        patch.setattr("okey101.server.people.match_keeper.match_record", self._record)

    def _record(self, state: TableState) -> Record:
        self.threads.append(threading.current_thread())
        self.began.set()
        assert self.go_on.wait(30)
        return match_record(state)


async def ended(hub: Hub, held: Held) -> Table:
    """A table whose match is over, while its record is being written."""
    user, _ = await hub.accounts.guest("Ali")
    table = await played_out(hub, user.id)
    await soon(held.began.is_set)
    return table


async def kept(hub: Hub, table: Table) -> None:
    await soon(lambda: hub.tables.deps.may_close(table.state.table))
    key = f"{table.state.table}-{table.state.match}"
    assert (await hub.accounts.match_summary(key)).table_id == table.state.table


async def test_records_are_written_beside_the_loop(tmp_path: Path, monkeypatch: Patch) -> None:
    """The server goes on meanwhile, but closes neither the table nor itself."""
    held = Held(monkeypatch)
    async with opened(tmp_path, **QUICK) as hub:
        impatient(monkeypatch)
        table = (await ended(hub, held)).state.table
        with raises_code("accounts-failed"):
            await hub.matches.close_table(hub.tables, table)
        monkeypatch.undo()
        asyncio.get_running_loop().call_later(0.5, held.go_on.set)
    assert held.threads[0] is not threading.main_thread()
    async with with_accounts(tmp_path) as accounts:
        assert (await accounts.match(f"{table}-1")).summary.number == 1


@pytest.mark.parametrize("played", ["here", "on another node"])
async def test_a_match_that_ends_while_a_check_reads_is_not_missing(
    tmp_path: Path, monkeypatch: Patch, played: str
) -> None:
    held = Held(monkeypatch)
    async with opened(tmp_path, **QUICK) as hub:
        read = hub.store.history

        async def late(table: str) -> list[Row]:
            await soon(held.began.is_set)
            asyncio.get_running_loop().call_later(0.1, held.go_on.set)
            return await read(table)

        monkeypatch.setattr(hub.store, "history", late)
        playing = asyncio.create_task(ended(hub, held))
        await soon(lambda: bool([*hub.tables]))
        of = (hub.accounts, hub.tasks, hub.public_log.add)
        keeper = hub.matches if played == "here" else MatchKeeper(*of)
        assert await keeper.make_again(hub.store) == []
        held.go_on.set()
        await kept(hub, await playing)


@pytest.mark.parametrize("what", ["kept", "written"])
async def test_a_record_is_written_once_and_kept(
    tmp_path: Path, monkeypatch: Patch, what: str
) -> None:
    """Where it can't be kept at once, and where too many are written."""
    held = Held(monkeypatch)
    held.go_on.set()
    monkeypatch.setattr("okey101.server.people.match_keeper._SAVE_AGAIN_S", 0.05)
    async with opened(tmp_path, **QUICK) as hub:
        where, name = (
            (hub.accounts, "save_match") if what == "kept" else (hub.matches.records, "run")
        )
        done, refusals = getattr(where, name), iter(["accounts-busy", "accounts-failed"])

        async def refuses(*job: Any, **match: Any) -> Any:
            for code in refusals:
                raise OkeyError(code, "later")
            return await done(*job, **match)

        monkeypatch.setattr(where, name, refuses)
        await kept(hub, await ended(hub, held))
        assert len(held.threads) == 1
        assert next(refusals, None) is None


@pytest.mark.parametrize("fails", ["running", "token"])
async def test_failed_starts_leave_nothing(tmp_path: Path, monkeypatch: Patch, fails: str) -> None:
    """Log and accounts are released: whoever opens them next finds them free."""
    unreadable = StoreError("the log can't be read: disk I/O error")
    with monkeypatch.context() as patch:
        if fails == "running":
            patch.setattr(SqliteStore, "running", AsyncMock(side_effect=unreadable))
        else:
            (tmp_path / "admin.token").write_text("short")
            (tmp_path / "admin.token").chmod(0o600)
        with raises_code({"running": "store-corrupt", "token": "bad-admin-token"}[fails]):
            await Hub.open(load_settings({"data": tmp_path}), Metrics())
    (tmp_path / "admin.token").unlink(missing_ok=True)
    async with opened(tmp_path) as hub:
        assert all(hub.checks().values())


async def test_who_asks_while_a_question_is_under_way_shares_the_next() -> None:
    asked: list[set[str]] = []

    async def ask(people: Iterable[str]) -> dict[str, Called]:
        asked.append(set(people))
        await asyncio.sleep(0)
        return {user: Called(user.upper()) for user in asked[-1]}

    lookups = NameLookups(ask)
    lookups["a"] = Called("A")
    await lookups.learn(["a"])
    assert not asked
    gone = asyncio.create_task(lookups.learn(["h"]))
    await asyncio.gather(*(lookups.learn([user, "a"]) for user in "bcd"))
    gone.cancel()
    await asyncio.gather(lookups.learn("e"), lookups.learn("fg"))
    assert asked == [{"h", "b", "c", "d"}, {"e", "f", "g"}]
    assert lookups == {user: Called(user.upper()) for user in "abcdefgh"}


async def test_a_question_that_fails_fails_for_all_who_asked_and_is_asked_again() -> None:
    failing = [True]

    async def ask(people: Iterable[str]) -> dict[str, Called]:
        if failing.pop():
            raise OSError("not now")
        return dict.fromkeys(people, Called())

    failing.insert(0, False)
    lookups = NameLookups(ask)
    found = await asyncio.gather(*map(lookups.learn, "ab"), return_exceptions=True)
    assert [type(one) for one in found] == [OSError, OSError]
    assert not lookups
    await lookups.learn("a")
    assert lookups == {"a": Called()}


async def test_who_left_is_read_again_where_it_can_be(tmp_path: Path) -> None:
    async with opened(tmp_path, daily="off") as hub:
        quick, store, now = hub.quick, hub.store, utc_ms()
        for left in ({}, {"u1": [now]}, {"u1": [now, now + 1], "u2": [now + 2]}):
            quick._left = left
            await quick._keep()
            quick._left = {}
            await quick.load()
            assert quick._left == left
        await store.note("quick-left", b"{", 1)
        quick._left = {}
        await quick.load()
        assert quick._left == {}
        with structlog.testing.capture_logs() as told:
            await store.close()
            await quick._keep()
    assert "leavers-unwritten" in [line["event"] for line in told]  # the scrubber may tell, too


async def test_a_server_keeps_who_left_a_closed_table(tmp_path: Path) -> None:
    now = utc_ms()

    def close(hub: Hub, ms: int) -> None:
        closed = SimpleNamespace(state=SimpleNamespace(quits=(("u1", now - ms),)))
        hub.quick.closed(cast("Table", closed))

    async with opened(tmp_path) as hub:
        close(hub, 0)
    async with opened(tmp_path) as hub:
        for ms in (1, 2):
            close(hub, ms)
        with raises_code("left-often", match="quick"):
            await hub.quick.seat("u1", hub.tables.wait_back)  # type: ignore[arg-type]
