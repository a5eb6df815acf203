"""Matches in which bots, clock and fallback play as a server lets them."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeAlias

from okey101.bots.greedy import GreedyBot
from okey101.errors import OkeyError
from okey101.game import Options, Record, view_of
from okey101.server.tables import clocks
from okey101.server.tables import log_entries as log
from okey101.server.tables.dependencies import Dependencies
from okey101.server.tables.match_record import match_record
from okey101.server.tables.state import Stage
from server.server_stories import at_once
from server.store.memory import MemoryStore
from server.tables.table_stories import Story, table_options

Bots: TypeAlias = tuple[str | None, ...]
BOTS: Bots = (None, "steady", "greedy", "random")


class Served(Story):
    """A table where everybody but people acts as the server has it."""

    def __init__(
        self, seed: str, deals: int = 2, *, fails: bool = False, bots: Bots = BOTS
    ) -> None:
        preset = "altinstar"
        super().__init__(table_options(preset, "4", bots=bots, deals=deals), seed)
        self.moves = 0
        self.fails = fails
        """Whether now and then the fallback plays in place of a bot, without any need."""
        self.deps = Dependencies(store=MemoryStore(), now_ms=lambda: 0)

    def move(self, style: str = "by-kind") -> None:
        """What the table does by itself, or a person does.

        Every so often a person's clock runs out, and a person is away for a while.
        """
        state, deal = self.state, self.state.deal
        assert deal is not None
        seat = state.seats[deal.turn]
        self.moves += 1
        if not seat.human:
            try:
                if self.fails and self.moves % 17 == 0:
                    raise OkeyError("no-luck", "the bot has failed")
                self.add(at_once(clocks.bot_action(state, self.deps)))
            except OkeyError as error:
                self.add(clocks.instead_of(state, error))
        elif self.moves % 4 == 0:
            self.add(clocks._time_out(state))
        else:
            view = view_of(deal, deal.turn)
            action = GreedyBot().choose(view, Options(view))
            self.add(log.Acted(seat=deal.turn, actions=(action,), user=seat.user))
        on = self.moves % 40 == 29
        if (on or self.moves % 40 == 39) and self.state.stage is Stage.PLAYING:
            self.add(log.Away(seat=0, on=on, why="absent" if on else "back"))

    def record(self) -> Record:
        """The record of the match as the server gives it out."""
        return match_record(self.state, str.upper)


def served(seed: str, **how: Any) -> Served:
    told = Served(seed, **how)
    told.fill()
    told.match()
    return told


@cache
def served_record(*, fails: bool = False) -> Record:
    """The record of a match that a server has kept, as a rule an honest one."""
    return served("an honest match", fails=fails).record()
