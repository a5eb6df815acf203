"""A log that lacks rows throws the running deal away, and only this server's word counts."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from conftest import unwrap
from okey101.server.store import Row
from okey101.server.store.lost import Loss
from okey101.server.tables import log_entries as log
from okey101.server.tables.broadcast import ResumeTokens
from okey101.server.tables.dependencies import Dependencies
from okey101.server.tables.reduce import reduce
from okey101.server.tables.registry import Tables
from okey101.server.tables.state import Stage, changed
from okey101.server.tables.table import Table
from server.accounts.people import code_of
from server.store.memory import MemoryStore
from server.tables.table_stories import TABLE, Story, filled, rows_of, table_options
from server.tables.twins import Screen, dependencies

KEY = bytes(range(32))


def dealt() -> Story:
    """A table whose first deal is on the table."""
    made = Story(table_options("altinstar", "4"), "losses")
    made.begin()
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


def test_where_nothing_is_played_nothing_is_thrown_away() -> None:
    waiting = Story(table_options("altinstar", "4"), "losses").state
    told = log.Abandoned(why="log-truncated", secret="ab" * 32)
    after = reduce(waiting, told, waiting.at_ms + 5)
    assert after == changed(waiting, seq=after.seq, at_ms=after.at_ms)


# Heads ----------------------------------------------------------------------------------------


def test_only_this_servers_heads_count() -> None:
    resume_tokens = ResumeTokens(KEY)
    head = resume_tokens.of("t", 7, 2, "3:abc")
    assert len(head) == 34
    assert resume_tokens.voids_of("t", 7, head) == 2
    assert resume_tokens.voids_of("t", 8, head) is None
    assert resume_tokens.voids_of("u", 7, head) is None
    assert resume_tokens.voids_of("t", 7, "3" + head[1:]) is None
    assert ResumeTokens(KEY[::-1]).voids_of("t", 7, head) is None
    for bad in ("", ".", "2.", head[:-1], head + "A", "2.????", "-1" + head[1:], "٢" + head[1:]):
        assert resume_tokens.voids_of("t", 7, bad) is None
    assert resume_tokens.of("t", 7, 2, "3:abd") != head


# Tables ---------------------------------------------------------------------------------------


class World:
    """A server whose log is that of a story, cut off after some rows."""

    def __init__(self, rows: list[Row], **changes: Any) -> None:
        self.rows = rows
        self.lost: list[tuple[str, int, int]] = []
        self.changes: dict[str, Any] = {
            "resume_tokens": ResumeTokens(KEY), "on_lost": lambda *lost: self.lost.append(lost),
        } | changes  # fmt: skip

    async def loaded(self, until: int) -> tuple[Table, MemoryStore]:
        store = await filled(self.rows[:until])
        deps = replace(dependencies(store, self.rows[-1].at_ms, 1), **self.changes)
        table = unwrap(await Table.load(TABLE, deps))
        assert table.frozen is None
        return table, store


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
    return unwrap(table.audience.head_of(seq))


async def test_views_events_and_resumed_bring_the_head() -> None:
    table, _ = await World(ROWS).loaded(len(ROWS))
    first, again = Screen("u0"), Screen("u0")
    table.attach(first)
    seq = table.state.seq
    await table.kick(1)
    table.attach(again, seq, first.messages[0]["head"])
    events = {m["type"]: m.get("head") for m in first.messages + again.messages}
    assert events["view"]
    assert events["event"] == events["resumed"] == table.audience.head
    await settled(table)


async def test_a_client_that_is_ahead_voids_the_deal_with_words() -> None:
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
    messages = screen.messages
    assert messages[0]["type"] == "view"
    assert messages[-1]["what"] == {"kind": "abandon", "why": "log-truncated"}
    assert messages[-1]["deal"] == {}
    # Once is enough: neither this client nor another one can have the next deal thrown away.
    for user in ("u0", "u1"):
        table.attach(Screen(user), len(ROWS), head)
    await settled(table)
    assert entries(store, cut) == ["restart", "abandon"]


async def test_rows_that_are_lost_right_after_a_loss_was_told_are_a_loss_of_their_own() -> None:
    world = World(ROWS)
    table, store = await world.loaded(len(ROWS) - 3)
    table.attach(Screen("u0"), len(ROWS), await head_at(len(ROWS)))
    await settled(table)
    end = table.state.seq
    table.attach(Screen("u0"), end + 2, ResumeTokens(KEY).of(TABLE, end + 2, 1, "1:abc"))
    await settled(table)
    assert world.lost[-1] == (TABLE, end, end + 2)
    assert entries(store, end) == ["abandon"]


async def test_rows_written_since_do_not_hide_the_loss() -> None:
    """The log lost its end, went on, and is longer by now than what the client knows."""
    world = World(ROWS)
    cut = len(ROWS) - 3
    head = await head_at(cut + 1)
    table, store = await world.loaded(cut)
    await table.kick(2)
    await table.kick(3)
    table.attach(Screen("u0"), cut + 1, head)
    await settled(table)
    assert entries(store, cut)[-1] == "abandon"


async def test_who_comes_after_the_loss_was_told_is_shown_the_table_anew() -> None:
    """The row it knows is of what was lost, though the log is longer by now."""
    table, store = await World(ROWS).loaded(len(ROWS) - 3)
    head = await head_at(len(ROWS))
    table.attach(Screen("u0"), len(ROWS), head)
    await settled(table)
    for seat in (2, 3):
        await table.kick(seat)
    assert table.state.seq > len(ROWS)
    late = Screen("u1")
    table.attach(late, len(ROWS), head)
    assert late.messages[0]["type"] == "view"
    await settled(table)
    assert entries(store, len(ROWS) - 3).count("abandon") == 1


async def test_who_played_on_a_copy_that_was_put_away_again_is_shown_the_table_anew() -> None:
    """A copy is put back and played on, then a newer one: its rows are gone, and that is told."""
    older, newer = len(ROWS) - 3, len(ROWS)
    first, _ = await World(ROWS, lost={TABLE: Loss("restored", older)}).loaded(older)
    await first.kick(2)
    head = unwrap(first.audience.head)
    seq = first.state.seq
    await first.stop()
    world = World(ROWS, lost={TABLE: Loss("restored", newer)})
    table, store = await world.loaded(newer)
    assert seq < table.state.seq
    screen = Screen("u0")
    table.attach(screen, seq, head)
    assert screen.messages[0]["type"] == "view"
    await settled(table)
    assert not world.lost
    assert entries(store, newer).count("abandon") == 1


@pytest.mark.parametrize("head", ["0.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "nonsense", ""])
async def test_nobody_voids_a_deal_with_a_head_made_up(head: str) -> None:
    world = World(ROWS)
    table, store = await world.loaded(len(ROWS))
    table.attach(Screen("u0"), len(ROWS) + 50, head)
    other = ResumeTokens(bytes(32)).of(TABLE, len(ROWS) + 50, 0, "3:0")
    table.attach(Screen("u1"), len(ROWS) + 50, other)
    await settled(table)
    assert entries(store, len(ROWS)) == ["restart"]
    assert not world.lost


async def test_a_client_that_is_up_to_date_or_behind_resumes() -> None:
    table, store = await World(ROWS).loaded(len(ROWS))
    for back in (0, 1, 3):
        seq = table.state.seq - back
        screen = Screen("u0")
        table.attach(screen, seq, table.audience.head_of(seq))
        assert screen.messages[-1]["type"] == "resumed"
    await settled(table)
    assert entries(store, len(ROWS)) == ["restart"]


@pytest.mark.parametrize("why", ["log-truncated", "restored"])
async def test_a_loss_that_the_start_found_voids_the_deal_once(why: Any) -> None:
    world = World(ROWS, lost={TABLE: Loss(why, len(ROWS))})
    table, store = await world.loaded(len(ROWS))
    assert entries(store, len(ROWS)) == ["abandon"]
    assert json.loads(store.log[-1].entry)["why"] == why
    assert table.state.stage is Stage.DEALING
    await table.stop()
    world.rows = [*store.log]
    _, store = await world.loaded(len(world.rows))
    assert entries(store, len(world.rows)) == ["restart"]


async def test_a_start_goes_on_with_the_round_that_is_being_prepared() -> None:
    """Fall 4: a start that throws a round away would let its tiles be shuffled again."""
    rows = list(rows_of(dealing().steps))
    seen = set()
    for _ in range(2):  # the same files twice: copied by hand, say
        store = await filled(rows)
        table = unwrap(await Table.load(TABLE, Dependencies(store=store, now_ms=lambda: 1)))
        seen.add(table.state.commitment)
        await table.stop()
    assert len(seen) == 1


async def test_a_table_that_is_gone_is_no_404_for_those_who_know_it() -> None:
    world = World(ROWS, lost={"gone": Loss("log-truncated", 0)})
    deps = replace(dependencies(await filled(ROWS), ROWS[-1].at_ms, 1), **world.changes)
    tables = Tables(deps, most=9, most_each=9)
    await tables.bring_back()
    await tables.wait_back()

    async def code(table: str, seq: int, head: str) -> str:
        known = await code_of(tables.get(table))
        return known if known != "no-table" else await code_of(told(table, seq, head)) or known

    told = tables.require_never_told
    resume_tokens = ResumeTokens(KEY)
    assert await code("gone", 1, "") == "log-truncated"
    assert await code("another", 9, resume_tokens.of("another", 9, 0, "3:0")) == "log-truncated"
    assert await code("another", 9, resume_tokens.of("another", 8, 0, "3:0")) == "no-table"
    assert await code("another", 9, "made up") == "no-table"
    assert world.lost == [("another", 0, 9)]
