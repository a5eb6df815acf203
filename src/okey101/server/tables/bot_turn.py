"""A bot's turn: it waits for its place, thinks, and moves if the table is as it was.

When it moves does not depend on how long it thought, for that would tell of its hand.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol

from okey101.game import Deal
from okey101.server.tables import log_entries as log
from okey101.server.tables.schedule import bot_action, pace
from okey101.server.tables.state import Stage, TableState
from okey101.server.tables.surroundings import Surroundings

__all__ = ["Seen", "play_bot"]

Make = Callable[[TableState], log.Entry | None]


class Seen(Protocol):
    """A table as its bots need it."""

    state: TableState
    thinking: bool
    """Whether a bot is at its turn already."""

    @property
    def viewers(self) -> Iterable[object]:
        """Everybody connected."""
        ...


async def play_bot(
    table: Seen, around: Surroundings, quietly: Callable[[Make], Awaitable[object]]
) -> None:
    """Have the bot whose turn it is move, unless somebody changes that while it thinks."""
    table.thinking = True
    step, began = pace(table.state, around), asyncio.get_running_loop().time()
    try:
        async with around.bots.turn(watched=_watched(table)):
            state = table.state
            deal = state.deal
            if deal is None or not _bots(state, deal):
                return
            move = await bot_action(state, around)

            def make(state: TableState) -> log.Entry | None:
                table.thinking = False
                return move if _bots(state, deal) else None

            if not step:
                await quietly(make)
                return
        thought = asyncio.get_running_loop().time() - began
        await asyncio.sleep(max(1, math.ceil(thought / step)) * step - thought)
        async with around.bots.turn(watched=_watched(table)):
            await quietly(make)
    finally:
        table.thinking = False


def _watched(table: Seen) -> bool:
    return any(True for _ in table.viewers)


def _bots(state: TableState, deal: Deal) -> bool:
    """Whether a bot is still to move in a deal."""
    same = state.stage is Stage.PLAYING and state.deal is deal
    return same and not state.seats[deal.turn].human
