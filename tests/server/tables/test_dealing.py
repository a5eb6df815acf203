"""Play begins once everybody has seen the tiles being dealt, and a few seconds later at most."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

import pytest

from okey101.server.protocol import client_messages as ask
from okey101.server.tables import log_entries as log
from okey101.server.tables.clocks import rest_of_turn
from okey101.server.tables.state import Stage
from server.contributions import commit, reveal
from server.server_stories import PEOPLE, story, table_options
from server.simulation import World
from server.tables.at_tables import deal_of
from server.tables.clock_worlds import live

HOLD = 4.0
_GIVEN = bytes(16)
_live = partial(live, "dealing", bot_delay=0.1, deps={"dealing": HOLD})


async def until(reached: Callable[[], bool]) -> None:
    """Wait in the world's time, a minute at most."""
    for _ in range(1200):
        if reached():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it never came")


async def dealt(world: World, *names: str) -> float:
    """Those people come and do what a deal asks of them; returns when the tiles were dealt."""
    for name in names:
        world.connect(name)
        assert await world.send(name, ask.Ready(rid=world.rid())) is None
        promise = commit(world.table.state, name, _GIVEN, world.rid())
        assert await world.send(name, promise) is None
    await until(lambda: world.table.state.shown)
    for name in names:
        assert await world.send(name, reveal(_GIVEN, world.rid())) is None
    await until(lambda: world.table.state.stage is Stage.PLAYING)
    return asyncio.get_running_loop().time()


def acts(world: World) -> list[log.Acted]:
    entries = [log.read_entry(row.entry) for row in world.store.rows]
    return [entry for entry in entries if isinstance(entry, log.Acted)]


async def first_act(world: World) -> float:
    """When somebody has acted in the deal."""
    await until(lambda: bool(acts(world)))
    return asyncio.get_running_loop().time()


@_live(people=1, clock=0)
async def test_bots_wait_until_the_dealing_is_over(world: World) -> None:
    at = await dealt(world, PEOPLE[0])
    assert world.table.state.holds
    assert await first_act(world) - at == pytest.approx(HOLD, abs=0.3)


@_live(people=2, clock=30)
async def test_play_begins_as_soon_as_all_people_have_seen_it(world: World) -> None:
    at = await dealt(world, *PEOPLE[:2])
    await asyncio.sleep(0.5)
    assert await world.send(PEOPLE[0], ask.Ready(rid=world.rid())) is None
    assert world.table.state.holds
    assert not acts(world)
    await asyncio.sleep(0.5)
    assert await world.send(PEOPLE[1], ask.Ready(rid=world.rid())) is None
    state = world.table.state
    assert not state.holds
    assert state.turn_since == state.at_ms
    assert state.deadline == state.at_ms + 30_000
    deal = deal_of(state)
    if not state.seats[deal.turn].human:
        assert await first_act(world) - at < 2


@_live(clock=30)
async def test_the_first_turn_is_not_shortened_by_the_dealing(world: World) -> None:
    at = await dealt(world, *PEOPLE)
    state = world.table.state
    assert state.deadline is not None
    assert state.deadline - state.turn_since == 30_000
    assert state.turn_since - state.at_ms == 4_000
    assert await first_act(world) - at == pytest.approx(HOLD + 30.5, abs=0.3)
    assert acts(world)[0].by == "clock"


@_live(clock=30)
async def test_who_acts_at_once_may_and_the_wait_is_over(world: World) -> None:
    await dealt(world, *PEOPLE)
    deal = deal_of(world.table.state)
    user = world.table.state.seats[deal.turn].user
    assert user is not None
    act = ask.Act(rid=world.rid(), action=str(rest_of_turn(deal)[-1]))
    assert await world.send(user, act) is None
    assert not world.table.state.holds


def test_nobody_there_to_see_it_is_not_waited_for() -> None:
    """And a log from before the tiles were shown so has no wait in it: replay changes nothing."""
    told = story(table_options(), "playing", 1)
    assert not told.state.holds
    assert told.state.turn_since <= told.state.at_ms
