"""What is played where nobody chooses: a person's time is up, or a bot has no legal choice."""

from __future__ import annotations

from typing import Final

from okey101.bots.greedy import GreedyBot
from okey101.bots.tools import DRAW, PASS, RETURN
from okey101.game import Action, Discard, Options, Phase, View
from okey101.solver import Objective, arrange_bits
from okey101.tiles import BITS_OF, OKEY, count_bits, points_of_bits

FALLBACK_VERSION: Final = 1
"""Another number as soon as anything else is played anywhere, be it that greedy plays otherwise.

Logs and records that say no version mean the first.
"""


def fallback_action(view: View) -> Action:
    """The next action on the cheapest way through the turn of the seat, whose turn it has to be.

    It follows from the view alone, so anybody can tell whether it was this one. A taken discard is
    put back where that is allowed, else used. A fine is paid only where every discard costs one;
    of discards of the same cost the drawn tile comes first, then tiles that no meld needs.
    """
    phase = view.public.phase
    if phase in (Phase.DRAW, Phase.MUST_DRAW):
        return DRAW
    if phase is not Phase.PLAY:
        return PASS
    options = Options(view)
    if options.discards:
        return Discard(_cheapest(view, options))
    if options.return_:
        return RETURN
    return GreedyBot().choose(view, options)


def _cheapest(view: View, options: Options) -> int:
    least = min(option.points for option in options.discards)
    tiles = [option.tile for option in options.discards if option.points == least]
    drawn, hand, okey = view.drawn, view.hand or 0, view.public.setup.okey
    if drawn is not None and drawn != OKEY and drawn in tiles:
        return drawn
    best = arrange_bits(hand, okey, Objective.LEFT)
    left = best.left_bits if best is not None else hand
    spare = [tile for tile in tiles if count_bits(left, tile)] or tiles
    return max(spare, key=lambda tile: (tile != OKEY, points_of_bits(BITS_OF[tile], okey, 0), tile))
