"""What is played for a person whose time is up: the cheapest way through the turn."""

from __future__ import annotations

from okey101.bots import make_bot
from okey101.game import Action, Deal, Options, apply, view_of
from okey101.game.actions import DRAW, PASS, RETURN, Discard
from okey101.game.deal import Phase
from okey101.solver import Objective, arrange_bits
from okey101.tiles import BITS_OF, OKEY, count_bits, points_of_bits

__all__ = ["rest_of_turn"]

_MOST = 60
"""More actions than any turn needs."""


def rest_of_turn(deal: Deal) -> tuple[Action, ...]:
    """Actions of the seat to act that end its turn, fined only where every discard is.

    A taken discard is put back where that is allowed, else used. Among discards of the same cost
    the drawn tile comes first, and a tile no meld needs before one that is needed.
    """
    seat = deal.turn
    found: list[Action] = []
    while deal.turn == seat and not deal.over and len(found) < _MOST:
        action = _next(deal)
        found.append(action)
        deal = apply(deal, action, seat)
        if isinstance(action, Discard) or action == PASS:
            break
    return tuple(found)


def _next(deal: Deal) -> Action:
    view = view_of(deal, deal.turn)
    options = Options(view)
    if deal.phase in (Phase.DRAW, Phase.MUST_DRAW):
        return DRAW
    if deal.phase is not Phase.PLAY:
        return PASS
    if options.discards:
        return Discard(_cheapest(deal, options))
    if options.return_:
        return RETURN
    return make_bot("greedy").choose(view, options)


def _cheapest(deal: Deal, options: Options) -> int:
    least = min(option.points for option in options.discards)
    tiles = [option.tile for option in options.discards if option.points == least]
    drawn = deal.drawn
    if drawn in tiles and drawn != OKEY:
        assert drawn is not None
        return drawn
    hand = deal.hands[deal.turn]
    okey = deal.public.okey
    best = arrange_bits(hand, okey, Objective.LEFT)
    left = best.left_bits if best is not None else hand
    spare = [tile for tile in tiles if count_bits(left, tile)] or tiles
    return max(spare, key=lambda tile: (tile != OKEY, points_of_bits(BITS_OF[tile], okey, 0), tile))
