"""The bot ``master``: weighs what the next draws may bring, with weights tuned on many deals.

It lays down as ``greedy`` does; the discard is the one that costs least by the features of
:mod:`okey101.master_weights`, and an opening is held back for a turn where that pays, as is a
finish that the partner would pay for. All is reckoned in whole numbers, so that its compiled twin,
``okey101.kernel.master``, chooses alike.
"""

from __future__ import annotations

from okey101.bots.greedy import GreedyBot
from okey101.bots.lay_plans import Spot, finish_plan, opening_to_finish
from okey101.bots.master_discards import DiscardWeighing
from okey101.bots.sparing import spares_partner
from okey101.game.actions import Action, Meld, Swap
from okey101.game.options import Options
from okey101.game.view import View
from okey101.master_weights import at, weights_of
from okey101.solver import Objective, best_value_bits
from okey101.tiles import BITS_OF, OKEY, count_bits, size_of_bits

__all__ = ["MasterBot"]

_HOLD_MELDS = at("hold_melds")
_HOLD_PAIRS = at("hold_pairs")
_DRAWS = 5


class MasterBot(GreedyBot):
    """Plays every discard for the turns that may come; it has no randomness."""

    name = "master"

    def _open(self, view: View, hand: int, options: Options) -> Action | None:
        opening = super()._open(view, hand, options)
        public = view.public
        if not isinstance(opening, Meld) or public.taken is not None or public.must_finish:
            return opening
        if not options.discards:
            return opening
        if spares_partner(public) and opening_to_finish(public, hand) is not None:
            if _costs_nothing(view, options):
                return None
        if public.stock_count < public.players:
            return opening
        return None if _holds(view, hand, options, opening) else opening

    def _lay(self, view: View, hand: int, options: Options) -> Action | None:
        laid, public = super()._lay(view, hand, options), view.public
        if laid is None or isinstance(laid, Swap) or public.taken_waits or size_of_bits(hand) == 1:
            return laid
        if not spares_partner(public) or finish_plan(Spot.of(public, hand)) is None:
            return laid
        return None if _costs_nothing(view, options) else laid

    def _discard(self, view: View, hand: int, options: Options) -> int:
        if size_of_bits(hand) == 1:
            return options.discards[0].tile
        return DiscardWeighing(view, options).discard()[0]


def _costs_nothing(view: View, options: Options) -> bool:
    """Whether the discard that costs least has no fine."""
    tile, _ = DiscardWeighing(view, options).discard()
    return not any(d.points for d in options.discards if d.tile == tile)


def _holds(view: View, hand: int, options: Options, opening: Meld) -> bool:
    """Whether to keep an opening for a turn and throw a tile that costs no fine."""
    public = view.public
    tile, outs = DiscardWeighing(view, options).discard()
    if tile == OKEY or any(d.points for d in options.discards if d.tile == tile):
        return False
    rest = hand - BITS_OF[tile]
    left = size_of_bits(rest) - best_value_bits(rest, public.setup.okey, Objective.TILES)
    others = sum(
        opened is not None for seat, opened in enumerate(public.opened) if seat != public.turn
    )
    draws = min(public.stock_count // public.players, _DRAWS)
    first = _HOLD_PAIRS if len(opening.groups[0]) == 2 else _HOLD_MELDS
    facts = (1, left, draws, others, count_bits(hand, OKEY), outs)
    weights = weights_of(public.setup.rules)
    return sum(w * x for w, x in zip(weights[first : first + 6], facts, strict=True)) > 0
