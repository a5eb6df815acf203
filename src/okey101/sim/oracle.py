"""The bot ``oracle-1``: it sees all tiles, and is for measuring alone.

It stands for how much better one could play who knew everything, one choice at a time: each
elementary action is tried on the true deal, all seats play on as ``greedy``, and the best own score
wins; among equal ones the first in the order of ``Options.actions()``. No table seats it: it is in
no registry, and :class:`okey101.bots.Bot` has no way to the deal. The arena shows it the deal.
"""

from __future__ import annotations

from time import perf_counter
from typing import ClassVar, Final

from okey101.bots.base import BotFault
from okey101.bots.greedy import GreedyBot
from okey101.bots.playing import play_out
from okey101.bots.search import ROUND, SearchBot
from okey101.game.actions import Action, Back
from okey101.game.deal import Deal
from okey101.game.match import deal_score
from okey101.game.options import Options
from okey101.game.transition import apply
from okey101.game.view import View, view_of

ORACLE: Final = "oracle-1"
"""Its word in the arena."""


class OracleBot:
    """One seat of the oracle; it knows only the deals that it is shown."""

    name = ORACLE
    version = 1
    replayable = False

    def __init__(self, seed: int = 0) -> None:
        """It has no randomness, so ``seed`` changes nothing."""
        self._deal: Deal | None = None

    def show(self, deal: Deal) -> None:
        """Let it see the deal as it is."""
        self._deal = deal

    def choose(self, view: View, options: Options) -> Action:
        """The best choice on the deal that it was shown; BotFault where that is another one."""
        deal = self._deal
        if deal is None or view_of(deal, view.seat) != view:
            raise BotFault("crashed", "the oracle plays in the arena alone")
        return best_action(deal, options)


def best_action(deal: Deal, options: Options) -> Action:
    """The elementary action after which all play on greedily to the seat's best score.

    In teams that is the team's score. Tiles are not taken back: that leads nowhere new.
    """
    seat = deal.turn
    every = options.actions()
    actions: list[Action] = [action for action in every if not isinstance(action, Back)]
    actions = actions or [*every]
    if len(actions) == 1:
        return actions[0]
    bots = [GreedyBot()] * deal.rules.players
    return min(actions, key=lambda action: deal_score(play_out(apply(deal, action), bots), seat))


# ``search`` with a budget in milliseconds, to play against by hand.
#
# What it chooses hangs on how fast the machine is: nobody can play its choices again.
#
#     okey101 play --bots okey101.sim.oracle:TimedSearch


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
