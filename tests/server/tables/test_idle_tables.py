"""Tables that nobody plays at close: before a match, between deals and in the middle of one."""

from __future__ import annotations

import asyncio

import pytest

from okey101.errors import OkeyError
from okey101.server.protocol import client_messages as ask
from okey101.server.tables import log_entries as log
from okey101.server.tables.state import Stage
from server.server_stories import PEOPLE, Moment
from server.simulation import World
from server.tables.clock_worlds import (
    all_come,
    live,
    over,
    people,
    stage,
    written,
)


@pytest.mark.parametrize("moment", ["waiting", "last"])
@live(clock=5, deals=1)
async def test_a_table_where_nobody_is_closes(world: World, moment: Moment) -> None:
    all_come(world)
    await asyncio.sleep(5_000)
    assert not over(world)
    for name in PEOPLE:
        world.drop(name)
    await asyncio.sleep(1_799)
    assert not over(world)
    await asyncio.sleep(2)
    assert over(world)
    assert written(world)[-1][1] == log.Closed(why="idle")
    with pytest.raises(OkeyError, match="closed"):
        await world.table.command("u0", ask.Sit(rid="late"))


@live("waiting")
async def test_absent_people_lose_their_seats_before_a_match(world: World) -> None:
    all_come(world, "u0", "u2")
    await asyncio.sleep(179)
    assert people(world) == PEOPLE
    await asyncio.sleep(2)
    assert people(world) == ("u1", "u3")
    assert world.table.state.owner == "u1"


@live("last", clock=5, deals=1)
async def test_after_a_match_who_is_away_does_not_keep_the_others_from_another(
    world: World,
) -> None:
    all_come(world, "u2")
    while stage(world) is not Stage.OVER:  # noqa: ASYNC110  # the clock is virtual
        await asyncio.sleep(1)
    for name in ("u0", "u1", "u3"):
        await world.table.command(name, ask.Rematch(rid="again"))
    await asyncio.sleep(181)
    assert stage(world) is Stage.WAITING
    assert people(world) == ("u0", "u1", "u3")


@live(bot_delay=600, clock=0, deals=100)
async def test_a_running_match_that_nobody_looks_at_is_not_kept_for_ever(world: World) -> None:
    await asyncio.sleep(4 * 1800 + 5)
    assert stage(world) is Stage.CLOSED
    assert written(world)[-1][1] == log.Closed(why="idle")


@live("waiting")
async def test_a_table_that_all_have_left_closes_soon(world: World) -> None:
    all_come(world)
    for name in PEOPLE:
        assert await world.send(name, ask.Leave(rid=world.rid())) is None
    await asyncio.sleep(29)
    assert not over(world)
    await asyncio.sleep(2)
    assert written(world)[-1][1] == log.Closed(why="empty")


@live("late", deals=1)
async def test_bots_play_on_for_people_who_left_while_somebody_looks_on(world: World) -> None:
    all_come(world)
    for name in PEOPLE:
        assert await world.send(name, ask.Leave(rid=world.rid())) is None
    await asyncio.sleep(300)
    assert world.matches
    for name in PEOPLE:
        world.drop(name)
    await asyncio.sleep(60)
    assert written(world)[-1][1] == log.Closed(why="empty")


@live(deals=24)
async def test_a_match_that_all_have_left_and_nobody_watches_closes_soon(world: World) -> None:
    all_come(world)
    for name in PEOPLE:
        assert await world.send(name, ask.Leave(rid=world.rid())) is None
        world.drop(name)
    await asyncio.sleep(31)
    assert written(world)[-1][1] == log.Closed(why="empty")
    assert not world.matches


# Endless turns -------------------------------------------------------------------------------
