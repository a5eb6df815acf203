"""When a bot moves tells nothing of its hand: not how long it thought, nor what it holds."""

from __future__ import annotations

import asyncio
import dataclasses
import random
from itertools import pairwise

import pytest

from okey101.game import Action
from okey101.server.tables import log_entries as log
from okey101.server.work.bot_thoughts import BotTurns, Thought
from server.server_stories import story, table_options
from server.simulation import World, simulate


class Pondering(BotTurns):
    """A bot that thinks the longer, the more its tiles are worth."""

    def __init__(self, longest: float) -> None:
        super().__init__()
        self._longest = longest

    async def choose(self, thought: Thought) -> Action:
        """The same choice as ever."""
        await asyncio.sleep(self._longest * ((thought.view.hand or 0) % 997) / 997)
        return await super().choose(thought)


def moved(bots: BotTurns, delay: float) -> list[tuple[float, str]]:
    """When the bots moved, and how: everybody has left, and bots play on for them."""
    world = World(random.Random(1))
    world.deps = dataclasses.replace(world.deps, bots=bots, bot_delay=delay)
    found: list[tuple[float, str]] = []

    async def main() -> None:
        told = story(table_options(clock=0), "playing", 1)
        world.begin(told.rows, told.state)
        await asyncio.sleep(90)
        seen = len(world.store.rows)
        for _ in range(4_000):
            await asyncio.sleep(0.01)
            for row in world.store.rows[seen:]:
                entry = log.read_entry(row.entry)
                if isinstance(entry, log.Acted) and entry.by == "bot":
                    found.append((row.at_ms, str(entry.actions)))
            seen = len(world.store.rows)

    simulate(main, 1)
    return found


@pytest.mark.parametrize("delay", [0.8, 0.1])
def test_the_pause_is_the_same_whatever_a_bot_holds(delay: float) -> None:
    quick = moved(BotTurns(), delay)
    assert len(quick) > 10
    assert moved(Pondering(0.9 * min(delay, 0.25)), delay) == quick


def test_a_bot_that_takes_longer_moves_a_whole_step_later() -> None:
    slow = moved(Pondering(2.0), 0.8)
    pauses = [after - before for (before, _), (after, _) in pairwise(slow)]
    assert len(pauses) > 5
    steps = [800 + 250 * n for n in range(9)]
    assert all(min(abs(pause - step) for step in steps) <= 2 for pause in pauses), pauses


def test_a_table_that_is_looked_at_while_a_move_is_stored_does_not_stand_still() -> None:
    """The bot has moved by then; what is due next is known once its row is in the log."""
    world = World(random.Random(1), slow=0.2)
    world.deps = dataclasses.replace(world.deps, bots=Pondering(0.02), bot_delay=0.02)

    async def main() -> None:
        told = story(table_options(clock=0), "playing", 1)
        world.begin(told.rows, told.state)
        await asyncio.sleep(90)  # everybody has left, and bots play on for them
        for _ in range(20):
            while not world.store._writing:  # noqa: ASYNC110  # nothing tells
                await asyncio.sleep(0.001)
            for _ in range(3):
                world.table.look()
                await asyncio.sleep(0.03)
            seen = len(world.store.rows)
            await asyncio.sleep(3)
            assert len(world.store.rows) > seen + 1, "nobody moves"

    simulate(main, 1)
