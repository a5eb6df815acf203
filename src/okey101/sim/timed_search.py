"""``search`` with a budget in milliseconds, to play against by hand.

What it chooses hangs on how fast the machine is: nobody can play its choices again.

    okey101 play --bots okey101.sim.timed_search:TimedSearch
"""

from __future__ import annotations

from time import perf_counter
from typing import ClassVar

from okey101.bots.search import ROUND, SearchBot
from okey101.game.actions import Action
from okey101.game.options import Options
from okey101.game.view import View

__all__ = ["TimedSearch"]


class TimedSearch(SearchBot):
    """Plays worlds until its time is up; a choice takes a round more than that at most."""

    name = "search-timed"
    replayable = False
    milliseconds: ClassVar[int] = 300
    """For one choice; a turn has three or four."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._until = 0.0

    def choose(self, view: View, options: Options) -> Action:
        """As :meth:`SearchBot.choose`, in its time."""
        self._until = perf_counter() + self.milliseconds / 1_000
        return super().choose(view, options)

    def _more(self, played: int) -> int:
        return ROUND if perf_counter() < self._until else 0
