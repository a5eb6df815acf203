"""A log that lacks rows throws the running deal away, and only this server's word counts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from okey101.errors import OkeyError
from okey101.server.store import Row
from okey101.server.store.memory import MemoryStore
from okey101.server.tables import log_entries as log
from okey101.server.tables.heads import Heads
from okey101.server.tables.reduce import reduce
from okey101.server.tables.registry import Tables
from okey101.server.tables.rounds import FAIR
from okey101.server.tables.state import Stage, TableState
from okey101.server.tables.surroundings import Loss, Surroundings
from okey101.server.tables.table import Table
from server.tables.table_stories import TABLE, Story, filled, rows_of, table_options
from server.tables.twins import Screen, surroundings

KEY = bytes(range(32))


def dealt() -> Story:
    """A table whose first deal is on the table."""
    made = Story(table_options("altinstar", "4"), "losses")
    made.fill()
    made.add(log.Started(user="u0", secret=made.secret(), fair=FAIR))
    made.deal()
    for _ in range(6):
        made.move()
    return made


def dealing() -> Story:
    """A table whose second deal is being prepared."""
    made = dealt()
    made.play()
    made.commit()
    assert made.state.stage is Stage.DEALING
    return made


# The entry ------------------------------------------------------------------------------------


def voided(state: TableState, secret: str = "ab" * 32) -> TableState:
    return reduce(state, log.Abandoned(why="log-truncated", secret=secret), state.at_ms + 5)


def test_a_void_deal_gives_no_points_and_another_secret() -> None:
    before = dealt().state
    after = voided(before)
    assert (after.stage, after.deal, after.played) == (Stage.DEALING, None, ())
    assert after.secret == bytes.fromhex("ab" * 32)
    assert after.commitment != before.commitment
    assert after.cuts == (None,) * 4
    assert after.deadline == after.at_ms + after.pause_ms
    assert after.dealer is None  # drawn with the deal, as the one before was
    assert [one.why for one in after.abandoned] == ["log-truncated"]
    assert after.promises == (None,) * 4


def test_a_round_that_is_being_prepared_begins_anew() -> None:
    before = dealing().state
    after = voided(before)
    assert (after.stage, after.played, after.dealer) == (
        Stage.DEALING, before.played, before.dealer,
    )  # fmt: skip
    assert after.commitment != before.commitment
    assert after.cuts == (None,) * 4


def test_where_nothing_is_played_nothing_is_thrown_away() -> None:
    waiting = Story(table_options("altinstar", "4"), "losses").state
    after = voided(waiting)
    assert after == as_late_as(waiting, after)


def as_late_as(state: TableState, like: TableState) -> TableState:
    fields = {"seq": like.seq, "at_ms": like.at_ms}
    return type(state)(**{name: getattr(state, name) for name in state.__struct_fields__} | fields)


def test_a_restart_while_dealing_brings_another_secret_and_old_rows_none() -> None:
    before = dealing().state
    after = reduce(before, log.Restarted(secret="cd" * 32), before.at_ms + 5)
    assert after.secret == bytes.fromhex("cd" * 32)
    assert after.cuts == (None,) * 4
    old = reduce(before, log.Restarted(), before.at_ms + 5)
    assert (old.secret, old.promises) == (before.secret, before.promises)


# Heads ----------------------------------------------------------------------------------------


def test_only_this_servers_heads_count() -> None:
    heads = Heads(KEY)
    head = heads.of("t", 7, 2, "3:abc")
    assert len(head) == 34
    assert heads.voids_of("t", 7, head) == 2
    assert heads.voids_of("t", 8, head) is None
    assert heads.voids_of("u", 7, head) is None
    assert heads.voids_of("t", 7, "3" + head[1:]) is None
    assert Heads(KEY[::-1]).voids_of("t", 7, head) is None
    for bad in ("", ".", "2.", head[:-1], head + "A", "2.????", "-1" + head[1:], "٢" + head[1:]):
        assert heads.voids_of("t", 7, bad) is None
    assert heads.of("t", 7, 2, "3:abd") != head


# Tables ---------------------------------------------------------------------------------------


class World:
    """A server whose log is that of a story, cut off after some rows."""

    def __init__(self, rows: list[Row], **changes: Any) -> None:
        self.rows = rows
        self.lost: list[tuple[str, int, int]] = []
        self.changes: dict[str, Any] = {"heads": Heads(KEY), "on_lost": self.hear} | changes

    def hear(self, table: str, end: int, seen: int) -> None:
        self.lost.append((table, end, seen))

    async def loaded(self, until: int) -> tuple[Table, MemoryStore]:
        store = await filled(self.rows[:until])
        around = replace(surroundings(store, self.rows[-1].at_ms, 1), **self.changes)
        table = await Table.load(TABLE, around)
        assert table is not None
        assert table.frozen is None
        return table, store


def run(body: Callable[[], Awaitable[None]]) -> None:
    async def inside() -> None:
        await body()

    asyncio.run(inside())


def said(screen: Screen) -> list[dict[str, Any]]:
    return [json.loads(data) for data in screen.got]


async def settled(table: Table) -> None:
    """Let what was begun end."""
    while table._tasks:
        await asyncio.gather(*table._tasks)


def entries(store: MemoryStore, after: int) -> list[str]:
    return [json.loads(row.entry)["kind"] for row in store.log[after:]]


ROWS = list(rows_of(dealt().steps))


async def head_at(seq: int) -> str:
    """What a client was told with a row, before the log lost it."""
    table, _ = await World(ROWS).loaded(len(ROWS))
    await table.stop()
    head = table.audience.head_of(seq)
    assert head is not None
    return head


def test_views_events_and_resumed_bring_the_head() -> None:
    async def body() -> None:
        table, _ = await World(ROWS).loaded(len(ROWS))
        first, again = Screen("u0"), Screen("u0")
        table.attach(first)
        seq = table.state.seq
        await table.kick(1)
        table.attach(again, seq, said(first)[0]["head"])
        events = {m["type"]: m.get("head") for m in said(first) + said(again)}
        assert events["view"]
        assert events["event"] == events["resumed"] == table.audience.head
        await settled(table)
        await table.stop()

    run(body)


def test_a_client_that_is_ahead_voids_the_deal_with_words() -> None:
    async def body() -> None:
        world = World(ROWS)
        head = await head_at(len(ROWS))
        cut = len(ROWS) - 3
        table, store = await world.loaded(cut)
        screen = Screen("u0")
        table.attach(screen, len(ROWS), head)
        await settled(table)
        assert table.state.stage is Stage.DEALING
        assert world.lost == [(TABLE, cut + 1, len(ROWS))]
        assert entries(store, cut) == ["restart", "abandon"]
        messages = said(screen)
        assert messages[0]["type"] == "view"
        assert messages[-1]["what"] == {"kind": "abandon", "why": "log-truncated"}
        assert messages[-1]["deal"] == {}
        # Once is enough: neither this client nor another one can have the next deal thrown away.
        for user in ("u0", "u1"):
            table.attach(Screen(user), len(ROWS), head)
        await settled(table)
        assert entries(store, cut) == ["restart", "abandon"]
        await table.stop()

    run(body)


def test_rows_written_since_do_not_hide_the_loss() -> None:
    """The log lost its end, went on, and is longer by now than what the client knows."""

    async def body() -> None:
        world = World(ROWS)
        cut = len(ROWS) - 3
        head = await head_at(cut + 1)
        table, store = await world.loaded(cut)
        await table.kick(2)
        await table.kick(3)
        table.attach(Screen("u0"), cut + 1, head)
        await settled(table)
        assert entries(store, cut)[-1] == "abandon"
        await table.stop()

    run(body)


@pytest.mark.parametrize("head", ["0.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "nonsense", ""])
def test_nobody_voids_a_deal_with_a_head_made_up(head: str) -> None:
    async def body() -> None:
        world = World(ROWS)
        table, store = await world.loaded(len(ROWS))
        table.attach(Screen("u0"), len(ROWS) + 50, head)
        other = Heads(bytes(32)).of(TABLE, len(ROWS) + 50, 0, "3:0")
        table.attach(Screen("u1"), len(ROWS) + 50, other)
        await settled(table)
        assert entries(store, len(ROWS)) == ["restart"]
        assert not world.lost
        await table.stop()

    run(body)


def test_a_client_that_is_up_to_date_or_behind_resumes() -> None:
    async def body() -> None:
        table, store = await World(ROWS).loaded(len(ROWS))
        for back in (0, 1, 3):
            seq = table.state.seq - back
            screen = Screen("u0")
            table.attach(screen, seq, table.audience.head_of(seq))
            assert said(screen)[-1]["type"] == "resumed"
        await settled(table)
        assert entries(store, len(ROWS)) == ["restart"]
        await table.stop()

    run(body)


@pytest.mark.parametrize("why", ["log-truncated", "restored"])
def test_a_loss_that_the_start_found_voids_the_deal_once(why: Any) -> None:
    async def body() -> None:
        world = World(ROWS, lost={TABLE: Loss(why, len(ROWS))})
        table, store = await world.loaded(len(ROWS))
        assert entries(store, len(ROWS)) == ["abandon"]
        assert json.loads(store.log[-1].entry)["why"] == why
        assert table.state.stage is Stage.DEALING
        await table.stop()
        world.rows = [*store.log]
        again, store = await world.loaded(len(world.rows))
        assert entries(store, len(world.rows)) == ["restart"]
        await again.stop()

    run(body)


def test_every_start_gives_a_round_that_is_being_prepared_a_new_secret() -> None:
    async def body() -> None:
        rows = list(rows_of(dealing().steps))
        seen = set()
        for _ in range(2):  # the same files twice: copied by hand, say
            store = await filled(rows)
            table = await Table.load(TABLE, Surroundings(store=store, now_ms=lambda: 1))
            assert table is not None
            seen.add(table.state.commitment)
            await table.stop()
        assert len(seen) == 2

    run(body)


def test_a_table_that_is_gone_is_no_404_for_those_who_know_it() -> None:
    async def body() -> None:
        world = World(ROWS, lost={"gone": Loss("log-truncated", 0)})
        store = await filled(ROWS)
        around = replace(surroundings(store, ROWS[-1].at_ms, 1), **world.changes)
        tables = Tables(around, most=9, most_each=9)
        await tables.bring_back()
        await tables.wait_back()

        async def code(table: str, seq: int, head: str) -> str:
            try:
                await tables.get(table)
            except OkeyError as error:
                if error.code != "no-table":
                    return error.code
            try:
                await tables.require_never_told(table, seq, head)
            except OkeyError as error:
                return error.code
            return "no-table"

        heads = Heads(KEY)
        assert await code("gone", 1, "") == "log-truncated"
        assert await code("another", 9, heads.of("another", 9, 0, "3:0")) == "log-truncated"
        assert await code("another", 9, heads.of("another", 8, 0, "3:0")) == "no-table"
        assert await code("another", 9, "made up") == "no-table"
        assert world.lost == [("another", 0, 9)]
        await tables.drain()

    run(body)
