"""The bots ``novice`` and ``random``: they look neither back, ahead nor around."""

from __future__ import annotations

from okey101.bots.base import decision_rng
from okey101.bots.greedy import GreedyBot, Turn
from okey101.game import Action, Back, Options, View
from okey101.kernel.choices import novice_choice


class NoviceBot(GreedyBot):
    """Weak by seeing less far, never by blunders drawn at random.

    It takes no discard, collects no pairs, opens as soon as it can, puts down one tile after
    another where it fits without a plan for the rest, and throws the highest tile that is in no
    meld and beside no other, whatever has been seen of those that it lacks. It avoids fines.
    """

    name = "novice"

    def choose(self, view: View, options: Options) -> Action:
        """Open, lay, put back or throw: the first that can be done."""
        turn = Turn(view, options)
        return turn.action(novice_choice(turn.tables, turn.rules, turn.row, turn.words))


# The bot ``random``: any legal choice is as good as another.


class RandomBot:
    """Uniform over the legal choices; it takes no tile back right after another, to get on."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def choose(self, view: View, options: Options) -> Action:
        """Any legal action."""
        actions = options.actions()
        if view.public.backs:
            actions = tuple(a for a in actions if not isinstance(a, Back)) or actions
        return decision_rng(self._seed, view).choice(actions)
