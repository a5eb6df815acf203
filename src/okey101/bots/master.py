"""The bot ``master``: weighs what the next draws may bring, with weights tuned on many deals.

It lays down as ``greedy`` does; the discard is the one that costs least by the features of
:mod:`okey101.weights.master`, and an opening is held back for a turn where that pays, as is a
finish that the partner would pay for. All is reckoned in whole numbers, by the code that the kernel
compiles (:mod:`okey101.kernel.choices`).
"""

from __future__ import annotations

from okey101.bots.greedy import GreedyBot, Turn
from okey101.game import Action, Options, View
from okey101.kernel.choices import master_choice
from okey101.kernel.codes import check_hands
from okey101.weights.master import weights_of


class MasterBot(GreedyBot):
    """Plays every discard for the turns that may come; it has no randomness."""

    name = "master"

    def choose(self, view: View, options: Options) -> Action:
        """What has to be done, or what costs least; OkeyError ``rack-too-large``."""
        check_hands(view.public)
        turn, weights = Turn(view, options), [*weights_of(view.public.rules)]
        return turn.action(master_choice(turn.tables, turn.rules, turn.row, turn.words, weights))
