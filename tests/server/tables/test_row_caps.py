"""Rows that change nothing: so many at a table, and then none until a match begins."""

from __future__ import annotations

import asyncio

from okey101.server.protocol import client_messages as ask
from okey101.server.tables import log_entries as log
from okey101.server.tables.rows import MOST_CHANGES, MOST_CHANGES_EACH, Changes
from okey101.server.tables.state import Stage
from server.simulation import World
from server.tables.clock_worlds import live


async def toggle(world: World, user: str, times: int) -> str | None:
    """Be ready and not, that often; the code of the last answer."""
    code: str | None = None
    for n in range(times):
        code = await world.send(user, ask.Ready(rid=world.rid(), on=n % 2 == 0))
    return code


@live("waiting", there=True)
async def test_a_person_who_fidgets_is_stopped_and_may_still_leave(world: World) -> None:
    assert await toggle(world, "u2", MOST_CHANGES_EACH - 1) is None
    rows = len(world.store.rows)
    assert await toggle(world, "u2", 5) == "too-many-changes"
    assert len(world.store.rows) <= rows + 1
    assert await toggle(world, "u3", 1) is None  # others are not concerned
    assert await world.send("u2", ask.Leave(rid=world.rid())) is None
    assert await world.send("u2", ask.Sit(rid=world.rid())) == "too-many-changes"


@live("waiting", there=True, people=1)
async def test_a_match_that_begins_ends_the_count(world: World) -> None:
    owner = world.table.state.owner
    assert await toggle(world, owner, MOST_CHANGES_EACH + 2) == "too-many-changes"
    assert await world.send(owner, ask.Start(rid=world.rid())) is None
    assert world.table.state.stage is Stage.DEALING
    assert await toggle(world, owner, 1) is None


@live("waiting", there=True)
async def test_a_table_that_is_loaded_counts_as_before(world: World) -> None:
    await toggle(world, "u2", MOST_CHANGES_EACH + 2)
    await world.restart("stop")
    for name in world.table.state.people:
        world.connect(name)
    assert await toggle(world, "u2", 1) == "too-many-changes"


@live("waiting", there=True)
async def test_a_new_name_is_known_without_a_row_where_there_are_too_many(world: World) -> None:
    await toggle(world, "u2", MOST_CHANGES_EACH + 2)
    rows = len(world.store.rows)
    await world.table.renamed("u2")
    await asyncio.sleep(0)
    assert len(world.store.rows) == rows


def test_a_crowd_has_an_allowance_together() -> None:
    changes = Changes()
    for n in range(MOST_CHANGES):
        changes.take(log.ReadySet(user=f"guest {n}"))
    assert changes.spent(log.Sat(user="somebody", seat=1))
    assert not changes.spent(log.Left(user="somebody"))
    assert not changes.spent(log.Started(user="somebody", secret="00"))
    changes.take(log.Started(user="somebody", secret="00"))
    assert not changes.spent(log.Sat(user="somebody", seat=1))
