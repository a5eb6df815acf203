"""All tables together: what comes back after a restart, and what can't."""

import asyncio
import dataclasses
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, Mock, call

import msgspec
import pytest
import structlog.testing

from conftest import Patch, raises_code, soon, unwrap
from okey101.errors import OkeyError
from okey101.server.hub import Hub
from okey101.server.net.heartbeat import Heartbeat
from okey101.server.protocol import TableOptions, checked_options, client_messages as ask
from okey101.server.settings import Settings, load_settings
from okey101.server.store import Row, StoreError
from okey101.server.tables import registry
from okey101.server.tables.broadcast import ResumeTokens
from okey101.server.tables.dependencies import Dependencies
from okey101.server.tables.registry import Tables
from okey101.server.tables.state import Stage, TableState, changed
from okey101.server.tables.table import Table
from okey101.server.work.bot_thoughts import BotTurns
from server.accounts.people import code_of
from server.live import asking, in_process, over_a_socket
from server.simulation import lent, simulate, virtual
from server.store.memory import MemoryStore
from server.tables.twins import Screen

OPTIONS = checked_options(TableOptions(bots=(None, "greedy", "greedy", "greedy")))


def tables(store: MemoryStore | None = None, **more: Any) -> Tables:
    """Tables with limits, and with dependencies of other names."""
    limits = {name: more.pop(name) for name in more.keys() & Settings.model_fields.keys()}
    parts = {name: more.pop(name) for name in more.keys() & Tables.__dataclass_fields__.keys()}
    more |= {"on_closed": lambda table: found.forget(table)}  # noqa: PLW0108  # made later
    deps = Dependencies(store=store or MemoryStore(), now_ms=lambda: 1_800_000_000_000, **more)
    found: Tables = Tables(deps, load_settings(limits), **parts)
    return found


no, yes = AsyncMock(return_value=False), AsyncMock(return_value=True)


async def brought_back(store: MemoryStore, **more: Any) -> Tables:
    found = tables(store, **more)
    await found.bring_back()
    await soon(lambda: found.back, 5)
    return found


async def store_of_three() -> tuple[MemoryStore, list[str]]:
    store = MemoryStore()
    first = tables(store)
    ids = [(await first.create("u0", OPTIONS)).state.table for _ in range(3)]
    await first.drain()
    return store, ids


@pytest.mark.parametrize(("clock", "pause", "found"), [(30, 20, 20), (0, 20, 3600), (0, 0, 0)])
async def test_without_a_clock_nobody_is_hurried(clock: int, pause: int, found: int) -> None:
    every = tables(deal_pause_s=pause)
    made = await every.create("u0", checked_options(TableOptions(clock=clock)))
    assert made.state.pause_ms == 1000 * found


async def test_a_few_tables_are_loaded_at_a_time(monkeypatch: Patch) -> None:
    """Their rows share commits; all at once would hold up everybody else."""
    store, reading, most = MemoryStore(), 0, 0

    async def slowly(step: str) -> None:
        nonlocal reading, most
        reading += step == "read"
        most = max(most, reading)
        for _ in range(5):
            await asyncio.sleep(0)
        reading -= step == "read"

    first = tables(store, max_tables_per_user=100)
    for _ in range(30):
        await first.create("u0", OPTIONS)
    await first.drain()
    store.delay = slowly
    monkeypatch.setattr(registry, "_AT_ONCE", 8)
    found = await brought_back(store)
    assert len([*found]) == 30
    assert 2 <= most <= 8


async def test_who_makes_a_table_or_sits_down_is_told_and_nobody_again() -> None:
    """Over whichever way: a family's regulars hear of it."""
    store, told = MemoryStore(), list[tuple[str, list[str]]]()
    more: dict[str, Any] = {"on_sat": lambda state, user: told.append((user, [*state.people]))}
    found = tables(store, **more)
    made = await found.create("u0", OPTIONS)
    for command in (ask.Sit(rid="1"), ask.Sit(rid="1"), ask.Leave(rid="2"), ask.Sit(rid="3")):
        await made.command("u1", command)
    await found.drain()
    again = await brought_back(store, **more)
    await again.drain()
    assert told == [("u0", ["u0"]), ("u1", ["u0", "u1"]), ("u1", ["u0", "u1"])]


@pytest.mark.parametrize("key", [None, "k"])
async def test_a_server_that_has_all_it_can_do_opens_no_table(
    key: str | None, monkeypatch: Patch
) -> None:
    """Those that are open go on, and a request that made one before is told of it."""
    busy = False
    found = tables()
    monkeypatch.setattr(found, "overloaded", lambda: busy)
    ids = [key and found.id_of(owner, key) for owner in ("u0", "u1")]
    first = await found.create("u0", OPTIONS, ids[0])
    busy = True
    with raises_code("overloaded"):
        await found.create("u1", OPTIONS, ids[1])
    assert len(found) == 1
    if key is not None:
        assert await found.create("u0", OPTIONS, ids[0]) is first
    busy = False
    await found.create("u1", OPTIONS, ids[1])


@pytest.mark.parametrize(
    ("lag_s", "behind_s", "over"),
    [(0.1, 10.0, False), (0.101, 0.0, True), (0.0, 10.001, True), (0.01, 0.5, False)],
)
async def test_a_server_has_all_it_can_do_where_those_who_play_wait(
    lag_s: float, behind_s: float, over: bool, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(Heartbeat, "lag", lag_s)
    monkeypatch.setattr(BotTurns, "behind", behind_s)
    assert tables(max_lag_ms=100, max_bot_wait_s=10).overloaded() is over


async def test_tables_are_listed_those_that_wait_first_and_counted_for_their_owners() -> None:
    """The latest first; no private or frozen ones, and none that all have left."""
    now_ms = 1_800_000_000_000
    found = tables()
    found.deps = dataclasses.replace(found.deps, now_ms=lambda: now_ms)
    listed = msgspec.structs.replace(OPTIONS, listed=True)
    made: dict[str, Table] = {}
    for name in ("gone", "over", "old", "left", "frozen", "new", "private"):
        made[name] = await found.create(name, OPTIONS if name == "private" else listed)
        now_ms += 1
        if name in ("gone", "left"):
            await made[name].command(name, ask.Start(rid="s"))
    for name in ("over", "gone"):
        made[name].state = changed(made[name].state, stage=Stage.OVER, at_ms=now_ms)
        made[name].audience.feed.shown = made[name].state
        now_ms -= 1
    await made["left"].remove("left")
    made["frozen"].frozen = "row 1: state-differs"
    assert found.listed() == [made[name] for name in ("new", "old", "over", "gone")]
    made["over"].attach(Screen("over"))
    owners = {made[name].state.table: name for name in made}
    owners |= {made[name].state.table: "" for name in ("left", "gone")}
    assert found.counted() == owners
    stages = {"waiting": 4, "dealing": 1, "over": 2}
    assert found.counts() == (stages, 1, 6, 22)


@virtual
async def test_all_tables_look_at_what_is_due_without_a_wait() -> None:
    found = tables()
    looked = [Mock() for _ in range(3)]
    found._tables = {f"{n}": one for n, one in enumerate(looked)}
    await found.look()
    assert [one.look.call_count for one in looked] == [1, 1, 1]
    assert asyncio.get_running_loop().time() == 0


async def test_who_leaves_gives_up_all_seats_that_can_be_given_up() -> None:
    """A frozen table is let be; a store that fails is told of once the others are left."""
    store = MemoryStore()
    found = tables(store)
    made = [await found.create("u0", OPTIONS) for _ in range(3)]
    made[0].frozen = "row 1: state-differs"
    store.fail_next()
    assert await code_of(found.leave("u0")) == "store-failed"
    assert [table.state.seat_of("u0") for table in made] == [0, 0, None]
    await found.leave("u0")
    assert [table.state.seat_of("u0") for table in made] == [0, None, None]


def damage(store: MemoryStore, table: str, *, entry: bytes | None = None) -> None:
    """Change the first row of a table: its hash, or what it holds."""
    rows = store._tables[table]
    row: Row = rows[0]
    rows[0] = row._replace(state_hash="0" * 16) if entry is None else row._replace(entry=entry)


@pytest.mark.parametrize("entry", [None, b"no JSON", b'{"kind":"deal"}', b'{"kind":"new"}'])
async def test_a_damaged_log_freezes_its_table_and_no_other(entry: bytes | None) -> None:
    store, (first, damaged, last) = await store_of_three()
    damage(store, damaged, entry=entry)
    kept = list[TableState]()
    found = await brought_back(store, on_match=kept.append)
    for table in (first, last):
        assert (await found.get(table)).frozen is None
    assert found.counts()[1] == 1
    assert kept == [], "no deal of it was played"
    if entry is None:
        assert (await found.get(damaged)).frozen == "row 1: state-differs"
        assert found.counts() == ({"waiting": 3}, 1, 3, 9)
    else:
        with pytest.raises(OkeyError, match="frozen"):
            await found.get(damaged)
    found.deps = dataclasses.replace(found.deps, may_close=lambda _: False)
    assert await code_of(found.close(damaged)) == "accounts-failed"
    found.deps = dataclasses.replace(found.deps, may_close=lambda _: True)
    await found.close(damaged)
    await found.drain()
    assert damaged not in await store.running()
    again = await brought_back(store)
    assert again.counts()[1] == 0
    with pytest.raises(OkeyError, match="no such table"):
        await again.get(damaged)


def delay_reading(store: MemoryStore, pause: Callable[[], Awaitable[object]]) -> asyncio.Event:
    """Let every reading last as long as ``pause``; the event tells that one has begun."""
    reading = asyncio.Event()

    async def slow(step: str) -> None:
        if step == "read":
            reading.set()
            await pause()

    store.delay = slow
    return reading


async def test_who_waits_for_a_table_when_the_server_drains_is_told_so() -> None:
    store, (table, *_) = await store_of_three()
    found = tables(store)
    await found.bring_back()
    await delay_reading(store, lambda: asyncio.sleep(3600)).wait()
    waiting = asyncio.create_task(code_of(found.get(table)))
    await asyncio.sleep(0)
    await found.drain()
    assert await waiting == "draining"


async def test_who_waits_for_one_who_gave_up_loads_the_table() -> None:
    store, (table, *_) = await store_of_three()
    reading = delay_reading(store, lambda: asyncio.sleep(0.05))
    found = tables(store)
    found.expect([table])
    first = asyncio.create_task(found.get(table))
    await reading.wait()
    others = [asyncio.create_task(found.get(table)) for _ in range(3)]
    await asyncio.sleep(0)
    first.cancel()
    loaded = await asyncio.gather(*others)
    assert all(one is loaded[0] for one in loaded)
    assert first.cancelled()


async def test_a_table_that_comes_back_while_the_server_drains_stands_still() -> None:
    store, (table, *_) = await store_of_three()
    rows = len(await store.read(table))
    reading = delay_reading(store, lambda: asyncio.sleep(3600))
    found = tables(store)
    found.expect([table])
    asked = asyncio.create_task(code_of(found.get(table)))
    await reading.wait()
    await found.drain()
    assert await asked == "draining"
    store.delay = None
    assert len(await store.read(table)) == rows


async def test_names_that_are_not_there_now_do_not_give_a_table_up() -> None:
    store, (table, *_) = await store_of_three()
    busy = [OkeyError("accounts-busy", "too much to do")]

    async def names(people: list[str]) -> None:
        assert people == ["u0"]
        if busy:
            raise busy.pop()

    found = tables(store, before_loading=names)
    found.expect([table])
    assert await code_of(found.get(table)) == "store-failed"
    assert (await found.get(table)).frozen is None


async def test_a_table_that_is_not_loaded_can_be_closed_and_none_that_is_not_there() -> None:
    store, (first, *_) = await store_of_three()
    found = tables(store)
    await found.bring_back()
    await found.close(first)
    assert first not in await store.running()
    with raises_code("no-table"):
        await found.close("nowhere")


async def test_limits_hold_however_many_come_at_once() -> None:
    every = tables(MemoryStore(lambda _: asyncio.sleep(0)), max_tables=10)

    async def refusals(owners: list[str]) -> list[str]:
        asked = (every.create(owner, OPTIONS) for owner in owners)
        found = await asyncio.gather(*asked, return_exceptions=True)
        return [error.code for error in found if isinstance(error, OkeyError)]

    assert await refusals(["u0"] * 16) == ["too-many-tables"] * 11
    assert await refusals([f"u{n}" for n in range(1, 17)]) == ["too-many-tables"] * 11
    assert [len(table.state.table) for table in every] == [12] * 10


async def test_a_table_that_was_left_no_longer_counts() -> None:
    every = tables()
    for _ in range(8):
        table = await every.create("u0", OPTIONS)
        await table.command("u0", ask.Start(rid="s"))
        await table.remove("u0")


@pytest.mark.parametrize("watched", [True, False])
async def test_a_table_that_was_left_counts_while_somebody_keeps_it(watched: bool) -> None:
    """Bots play on where somebody watches, and bot accounts wait for a person."""
    every = tables(max_tables_per_user=1)
    table = await every.create(
        "u0", checked_options(TableOptions(bots=(None, None, *["greedy"] * 2)))
    )
    await table.command("b_own", ask.Sit(rid="s", seat=1))
    if watched:
        await table.command("b_own", ask.Ready(rid="r"))
        await table.command("u0", ask.Start(rid="s"))
        await table.remove("b_own")
        table.attach(Screen("u1"))
    await table.remove("u0")
    assert await code_of(every.create("u0", OPTIONS)) == "too-many-tables"
    await every.create("u2", OPTIONS)  # for nobody else


async def test_who_waits_for_the_tables_finds_all_of_them() -> None:
    """Just after a start somebody may ask to leave all tables, even those not yet loaded."""
    store, ids = await store_of_three()
    store.delay = lambda _: asyncio.sleep(0.01)
    every = tables(store)
    await every.bring_back()
    assert not every.back
    assert len(every.of("u0")) < 3
    await every.wait_back()
    assert sorted(table.state.table for table in every.of("u0")) == sorted(ids)


async def test_a_table_that_nobody_was_told_of_is_found_with_its_key() -> None:
    """The store failed when it had stored the first row; the request comes again."""
    store = MemoryStore()
    found = tables(store)
    key, another = found.id_of("u0", "key"), found.id_of("u0", "other")
    store.fail_next(stored=True)
    assert await code_of(found.create("u0", OPTIONS, key)) == "store-failed"
    made = await found.create("u0", OPTIONS, key)
    assert made.state.owner == "u0"
    assert await store.running() == [made.state.table]
    assert await found.create("u0", OPTIONS, key) is made
    assert len(found) == 1
    store.fail_next(stored=True)
    assert await code_of(found.create("u0", OPTIONS, another)) == "store-failed"
    other = await found.create("u0", OPTIONS, another)
    assert other is not made
    await other.close()
    assert await code_of(found.create("u0", OPTIONS, another)) == "table-closed"


async def test_tables_are_counted_by_address_too() -> None:
    """Whoever opens them, until they are closed; those without an address count for nobody."""
    store = MemoryStore()
    found = tables(store, max_tables_per_address=2)
    first = await found.create("u0", OPTIONS, address="here")
    store.fail_next()
    assert await code_of(found.create("u1", OPTIONS, address="here")) == "store-failed"
    await found.create("u1", OPTIONS, address="here")
    assert await code_of(found.create("u2", OPTIONS, address="here")) == "too-many-tables"
    await found.create("u2", OPTIONS, address="there")
    await first.close()
    await found.create("u2", OPTIONS, address="here")
    for _ in range(3):
        await found.create("u3", OPTIONS)


async def test_what_is_stored_after_the_lease_is_told_by_who_keeps_the_table() -> None:
    """Another node may have taken the table before the row came, and show it as it was."""
    sure, kept, moved, acks = True, True, list[str](), list[int]()
    store = MemoryStore()
    owns = lambda _: yes() if kept else no(None)  # noqa: E731  # asked anew each time
    found = tables(store, sure=lambda: sure, owns=owns, on_moved=moved.append)
    made = await found.create("u0", OPTIONS)
    sure = False
    assert await made.command("u0", ask.Start(rid="s"), acks.append) == 2
    assert acks == [2]
    assert made.state.seq == 2, "it is still this node's"
    kept = False
    assert await code_of(made.command("u0", ask.Leave(rid="l"), acks.append)) == "draining"
    assert (acks, made.state.seq, moved) == ([2], 2, [made.state.table])
    assert len(await store.read(made.state.table)) == 3, "who sends it again hears of its row"


async def test_a_command_comes_after_the_row_that_another_node_wrote_first() -> None:
    store, acks = MemoryStore(), list[int]()
    made = await tables(store).create("u0", OPTIONS)
    other = await (await brought_back(store)).get(made.state.table)
    assert await other.command("u0", ask.Start(rid="s")) == 2
    assert await made.command("u0", ask.Leave(rid="l"), acks.append) == 3
    (*_, start, leave) = await store.read(made.state.table)
    assert (acks, made.state.seq) == ([3], 3)
    assert b"start" in start.entry
    assert b"leave" in leave.entry


async def test_of_a_row_on_its_way_nobody_hears_once_the_table_is_let_go_of() -> None:
    """The node that keeps the table now may have read the log before the row came."""
    store = MemoryStore()
    found = tables(store)
    made = await found.create("u0", OPTIONS)
    come, acks = asyncio.Event(), list[int]()
    store.delay = lambda _: come.wait()
    asked = asyncio.create_task(code_of(made.command("u0", ask.Start(rid="s"), acks.append)))
    await asyncio.sleep(0)
    assert found.let_go(made.state.table) is made
    parting = asyncio.create_task(made.part())
    come.set()
    assert await asked == "draining"
    await parting
    assert acks == []
    assert len(await store.read(made.state.table)) == 2


async def test_nobody_is_shown_a_table_that_another_node_may_have() -> None:
    """Who asks for it waited meanwhile for something else, such as the session."""
    sure, moved = True, list[str]()
    found = tables(sure=lambda: sure, owns=no, on_moved=moved.append)
    made = await found.create("u0", OPTIONS)
    assert await found.get(made.state.table) is made
    sure = False
    assert await code_of(found.get(made.state.table)) == "draining"
    assert moved == [made.state.table]


@pytest.mark.parametrize("told", [True, False])
async def test_who_comes_is_shown_what_another_node_has_written(told: bool) -> None:
    """A row that a client saw and this node did not is no lost one: the log is read first."""
    store, lost, sure = MemoryStore(), list[str](), told
    more: dict[str, Any] = {
        "resume_tokens": ResumeTokens(bytes(32)),
        "on_lost": lambda *what: lost.append(what),
    }
    one, two = tables(store, sure=lambda: sure, owns=yes, **more), tables(store, **more)
    made = await one.create("u0", OPTIONS)
    name = made.state.table
    two.expect([name])
    other = await two.get(name)
    await other.command("u0", ask.Start(rid="s"))
    seq, rows = other.state.seq, len(await store.read(name))
    seen = (seq, other.audience.head_of(seq)) if told else (None, None)
    assert made.state.seq < seq
    screen = Screen("u0")
    await made.catch_up(*seen)
    made.attach(screen, *seen)
    assert screen.messages[0]["seq"] == seq
    assert screen.messages[0]["type"] == ("resumed" if told else "view")
    await one.drain()
    await two.drain()
    assert (len(await store.read(name)), lost) == (rows, [])


async def test_a_table_that_moves_while_somebody_asks_is_not_said_to_be_none() -> None:
    """Between two awaits it may go to another node, or be about to be this one's."""
    store, ids = await store_of_three()
    step, claim = asyncio.Event(), AsyncMock(return_value=True)
    store.delay = lambda _: step.wait()
    every = tables(store, kept=yes, claim=claim)
    assert every.expect(ids[:1]) == ids[:1]
    asked = asyncio.create_task(code_of(every.get(ids[0])))
    await asyncio.sleep(0)
    every.let_go(ids[0])
    step.set()
    assert await asked == "draining"
    assert await code_of(every.get(ids[1])) == "draining"
    step.clear()
    making = asyncio.create_task(every.create("u0", OPTIONS))
    await soon(lambda: claim.await_count)
    claimed = unwrap(claim.await_args).args[0]
    assert every.expect([claimed]) == []  # the database has it already: it must not be loaded too
    step.set()
    assert (await making).state.table == claimed


async def test_a_socket_is_shown_no_older_row_than_it_was_told(tmp_path: Path) -> None:
    async with in_process(tmp_path) as app:
        hub: Hub = app.state.hub
        user, token = await hub.accounts.guest("Ali")
        async with asking(app, token) as http:
            body = {"bots": [None, "greedy", "greedy", "greedy"]}
            name = (await http.post("/api/tables", json=body)).json()["id"]
        made = await hub.tables.get(name)
        there = Tables(hub.tables.deps, load_settings())
        there.expect([name])
        other = await there.get(name)
        await other.command(user.id, ask.Start(rid="s"))
        seq = other.state.seq
        await other.stop()
        assert made.state.seq < seq
        said = await over_a_socket(app, name, token, [], seq=seq, head=other.audience.head_of(seq))
        told = json.loads(said[0])
        assert (told["type"], told["seq"]) == ("resumed", seq)


async def test_a_table_that_comes_back_is_read_anew() -> None:
    """What is being loaded or made when it goes may lack what the other node has written."""
    store, ids = await store_of_three()
    here, there = tables(store), tables(store)
    step = asyncio.Event()
    there.expect(ids[:1])
    other = await there.get(ids[0])
    rows, old = await store.read(ids[0]), asyncio.Event()

    async def read(table: str, *_: int) -> list[Row]:
        if old.is_set():
            return await MemoryStore.read(store, table)
        old.set()
        await step.wait()
        return rows

    setattr(here.deps.store, "read", read)  # noqa: B010
    here.expect(ids[:1])
    asked = asyncio.create_task(here.get(ids[0]))
    await old.wait()
    here.let_go(ids[0])
    await other.command("u0", ask.Start(rid="s"))
    here.expect(ids[:1])
    again = await here.get(ids[0])
    assert again.state.seq > other.state.seq, "a row tells of the move"
    step.set()
    assert await asked is again
    assert await here.get(ids[0]) is again


@pytest.mark.parametrize("code", ["draining", "store-failed"])
@virtual
async def test_a_table_that_goes_while_it_is_made_is_another_nodes(code: str) -> None:
    store, claim, unmade = MemoryStore(), AsyncMock(return_value=True), AsyncMock()
    every = tables(store, claim=claim, unmade=unmade)
    step = asyncio.Event()

    async def gate(_: object) -> None:
        await step.wait()
        if code == "store-failed":
            raise StoreError("the disk is full")

    store.delay = gate
    making = asyncio.create_task(code_of(every.create("u0", OPTIONS)))
    await soon(lambda: claim.await_count)
    claimed = unwrap(claim.await_args).args[0]
    assert every.held() == {claimed}
    every.let_go(claimed)
    step.set()
    assert await making == code
    assert not every.has(claimed)
    assert unmade.await_args_list == ([call(claimed)] if code == "store-failed" else [])
    await asyncio.sleep(36_000)
    assert len(store.log) == (code == "draining"), "it goes on by itself"


# Tables that can't be brought back --------------------------------------------------------------


class Unwell(MemoryStore):
    """A log in which some tables can't be read, for as long as they are named here."""

    unread: frozenset[str] = frozenset()
    error: Exception = StoreError("the disk is broken there")

    async def read(self, table: str, after: int = 0, most: int | None = None) -> list[Row]:
        rows = await super().read(table, after, most)
        if table in self.unread:
            raise self.error
        return rows


def unwell(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Have a test run with a log, the tables and their ids; the log reads them all as yet."""

    def run(**given: Any) -> None:
        async def main() -> None:
            kept, ids = await store_of_three()
            store = Unwell()
            store._tables = kept._tables
            every = tables(store)
            with structlog.testing.capture_logs() as lines:
                await test(store, every, ids, **given)
                await every.drain()
            assert {line["event"] for line in lines} == {"table-not-loaded"}
            assert len(lines) < 40  # the log is not flooded

        simulate(main, 1)

    return lent(test, run, 3)


@pytest.mark.parametrize("error", [StoreError("broken"), RuntimeError("a fault")])
@pytest.mark.parametrize("place", [0, 1, 2])
@unwell
async def test_a_table_that_can_not_be_read_holds_up_no_other(
    store: Unwell, every: Tables, ids: list[str], place: int, error: Exception
) -> None:
    """Never again: whoever waits for the tables waits only a moment for that one."""
    store.unread, store.error = frozenset({ids[place]}), error
    await every.bring_back()
    await asyncio.sleep(0.5)
    assert len([*every]) == 2
    await every.wait_back()
    assert every.back
    assert sorted(t.state.table for t in every.of("u0")) == sorted({*ids} - store.unread)
    assert len(every) == 3  # it counts as open still


@pytest.mark.parametrize("after_s", [0.5, 10.0, 300.0])
@unwell
async def test_a_table_that_can_be_read_again_comes_back_by_itself(
    store: Unwell, every: Tables, ids: list[str], after_s: float
) -> None:
    store.unread = frozenset(ids[:2])
    await every.bring_back()
    await asyncio.sleep(after_s)
    assert len([*every]) == 1
    store.unread = frozenset(ids[1:2])
    await asyncio.sleep(60)
    assert len([*every]) == 2
    assert await code_of(every.get(ids[1])) == "store-failed"
    store.unread = frozenset()
    assert (await every.get(ids[1])).state.table == ids[1]
    await asyncio.sleep(60)
    assert every.back


async def test_whoever_waits_for_a_table_hears_that_its_end_can_not_be_read() -> None:
    """It was closed by another node, and the database fails at the last question."""

    class Failing(MemoryStore):
        async def closed(self, table: str) -> bool:
            await super().closed(table)
            raise StoreError("the disk is broken there")

    store = Failing()
    first = tables(store)
    table = await first.create("u0", OPTIONS)
    await table.close()
    every = tables(store)
    every.expect([table.state.table])
    async with asyncio.timeout(5):
        codes = await asyncio.gather(*(code_of(every.get(table.state.table)) for _ in range(2)))
    assert codes == ["store-failed", "store-failed"]


async def test_a_table_that_was_claimed_and_never_made_is_nobodys_again() -> None:
    """Its node died before it was made; whoever takes its tables finds no row of this one."""
    unmade = AsyncMock()
    every = tables(unmade=unmade)
    assert every.expect(["gone"]) == ["gone"]
    await every.bring(["gone"])
    await asyncio.sleep(0)
    unmade.assert_awaited_once_with("gone")
    assert len(every) == 0


@unwell
async def test_who_waits_for_failing_tables_hears_of_a_drain(
    store: Unwell, every: Tables, ids: list[str]
) -> None:
    store.unread = frozenset(ids)
    await every.bring_back()
    waits = asyncio.create_task(every.wait_back())
    await asyncio.sleep(0.5)
    began = asyncio.get_running_loop().time()
    await every.drain()
    assert await code_of(waits) == "draining"
    assert asyncio.get_running_loop().time() < began + 1


@pytest.mark.parametrize("step", ["append", "appended"])
@virtual
async def test_a_drain_leaves_no_table_that_goes_on_by_itself(step: str) -> None:
    """A table that is being brought back just then belongs to nobody."""
    store = MemoryStore()
    first = tables(store)
    table = await first.create("u0", OPTIONS)
    await table.command("u0", ask.Start(rid="s"))
    await first.drain()
    reached = asyncio.Event()

    async def slow(at: str) -> None:
        if at == step and not reached.is_set():
            reached.set()
            await asyncio.sleep(1)

    store.delay = slow
    every = tables(store)
    await every.bring_back()
    await reached.wait()
    await every.drain()
    rows = len(store.log)
    await asyncio.sleep(600)
    assert len(store.log) == rows
    assert [*every] == []
    assert table.state.stage is Stage.DEALING
    again = await brought_back(store)
    assert (await again.get(table.state.table)).frozen is None
    await again.drain()
