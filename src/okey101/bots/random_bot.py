"""The bot ``random``: any legal choice is as good as another."""

from __future__ import annotations

from okey101.bots.base import decision_rng
from okey101.game.actions import Action, Back
from okey101.game.options import Options
from okey101.game.view import View

__all__ = ["RandomBot"]


class RandomBot:
    """Uniform over the legal choices; it takes tiles back at most once a turn, to get on."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def choose(self, view: View, options: Options) -> Action:
        """Any legal action."""
        actions = options.actions()
        if view.public.backs:
            actions = tuple(a for a in actions if not isinstance(a, Back)) or actions
        return decision_rng(self._seed, view).choice(actions)
