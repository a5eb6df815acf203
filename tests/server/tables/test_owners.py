"""Who owns a table after its owner: people before bot accounts, which wait for a start."""

from __future__ import annotations

import asyncio

import pytest

from okey101.errors import OkeyError
from okey101.server.protocol import client_messages as ask
from okey101.server.tables import log_entries as log
from okey101.server.tables.reduce import reduce
from okey101.server.tables.seats import is_orphaned
from server.simulation import World
from server.tables.clock_worlds import all_come, live, over, people, written

BOT, OTHER = "b_careful", "b_other"


async def replaced(world: World, seats: dict[int, str]) -> None:
    """The table with others in some of its seats; they have nobody to write to."""
    for seat, user in seats.items():
        await world.table.command(f"u{seat}", ask.Leave(rid=f"gone{seat}"))
        await world.table.command(user, ask.Sit(rid="here", seat=seat))
        await world.table.command(user, ask.Ready(rid="ready"))


@pytest.mark.parametrize("kicked", [False, True])
@live("waiting")
async def test_a_person_inherits_before_a_bot_account(world: World, kicked: bool) -> None:
    all_come(world)
    await replaced(world, {1: BOT})
    if kicked:
        await world.table.kick(0)
    else:
        await world.table.command("u0", ask.Leave(rid="bye"))
    assert people(world) == (BOT, "u2", "u3")
    assert world.table.state.owner == "u2"
    entry = written(world)[-1][1]
    assert isinstance(entry, log.Left | log.Kicked)
    assert entry.owner == "u2"
    await world.table.command("u2", ask.SetBot(rid="b", seat=0, bot="random"))


@live("waiting")
async def test_among_people_the_first_inherits_and_the_row_is_as_it_was(world: World) -> None:
    all_come(world)
    await world.table.command("u0", ask.Leave(rid="bye"))
    assert world.table.state.owner == "u1"
    entry = written(world)[-1][1]
    assert isinstance(entry, log.Left)
    assert entry.owner is None


async def orphaned(world: World) -> None:
    await replaced(world, {1: BOT, 2: OTHER})
    for user in ("u3", "u0"):
        await world.table.command(user, ask.Leave(rid="bye"))
    assert people(world) == (BOT, OTHER)
    assert is_orphaned(world.table.state)


@live("waiting")
async def test_a_table_of_bot_accounts_alone_waits_for_a_person(world: World) -> None:
    await orphaned(world)
    with pytest.raises(OkeyError, match="owner"):
        await world.table.command(BOT, ask.Start(rid="go"))
    await world.table.command("b_third", ask.Sit(rid="1", seat=3))
    assert is_orphaned(world.table.state)
    await world.table.command("u9", ask.Sit(rid="1", seat=0))
    assert world.table.state.owner == "u9"
    for user in ("b_third", "u9"):
        await world.table.command(user, ask.Ready(rid="2"))
    await world.table.command("u9", ask.Start(rid="3"))


@live("waiting")
async def test_a_table_of_bot_accounts_alone_closes_as_an_idle_one(world: World) -> None:
    await orphaned(world)
    await asyncio.sleep(1_799)
    assert not over(world)
    await asyncio.sleep(2)
    assert written(world)[-1][1] == log.Closed(why="idle")


@live("waiting")
async def test_an_older_row_gives_the_table_to_whoever_comes_first(world: World) -> None:
    """Rows without the new field lead where they led: their hashes still fit."""
    await replaced(world, {1: BOT})
    state = world.table.state
    assert reduce(state, log.Left(user="u0"), state.at_ms).owner == BOT
