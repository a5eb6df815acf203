"""Tables in a simulated world whose clock the test drives."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from conftest import unwrap
from okey101.server.protocol import client_messages as ask
from okey101.server.tables import log_entries as log
from okey101.server.tables.state import Stage, TableState
from server.server_stories import EPOCH_MS, PEOPLE, Moment, story, table_options
from server.simulation import World, lent, simulate

Body = Callable[..., Coroutine[Any, Any, None]]


def live(
    moment: Moment = "playing",
    *,
    seed: int = 1,
    bot_delay: float = 0.8,
    there: bool = False,
    heart: bool = False,
    deps: Mapping[str, Any] | None = None,
    **choices: Any,
) -> Callable[[Body], Callable[..., None]]:
    """Have a test run in a world, its first argument: nobody is connected yet, or all people are.

    With ``heart`` the process notices that it did not run for a while.
    The arguments ``seed``, ``clock`` and ``moment`` of the test are the world's as well.
    """

    def of(test: Body) -> Callable[..., None]:
        def run(**given: Any) -> None:
            how = choices | {name: given[name] for name in given.keys() & {"clock"}}
            number = given.get("seed", seed)
            world = World(random.Random(number))
            world.deps = dataclasses.replace(world.deps, bot_delay=bot_delay, **(deps or {}))

            async def main() -> None:
                told = story(table_options(**how), given.get("moment", moment), number)
                world.begin(told.rows, told.state)
                if there:
                    all_come(world, *(user for user in PEOPLE if user not in told.state.people))
                if heart:
                    world.deps.heart.on_pause = lambda _: world.table.look()
                    world.deps.heart.start()
                await test(world, **given)
                world.deps.heart.stop()
                world.check_clients()
                world.check_log()

            simulate(main, number)

        return lent(test, run)

    return of


def all_come(world: World, *but: str) -> None:
    for name in PEOPLE:
        if name not in but:
            world.connect(name)


def written(world: World, since: int = 0) -> list[tuple[float, log.Entry]]:
    """The rows after a seq, with their seconds since the world began."""
    rows = world.store.rows[since:]
    return [((row.at_ms - EPOCH_MS) / 1000, log.read_entry(row.entry)) for row in rows]


def to_act(state: TableState) -> str:
    return unwrap(state.seats[unwrap(state.deal).turn].user)


def stage(world: World) -> Stage:
    return world.table.state.stage


def people(world: World) -> tuple[str, ...]:
    return world.table.state.people


def over(world: World) -> bool:
    return world.over


async def act(world: World, text: str) -> str | None:
    return await world.send(to_act(world.table.state), ask.Act(rid=world.rid(), action=text))
