"""The bot ``greedy``: opens when it can, lays off all it can, throws what is of no use to it."""

from __future__ import annotations

from okey101.bots.lay_plans import Spot, best_swap, finish_plan, lay_plan, opening_to_finish
from okey101.bots.meld_potential import near_melds, number_of
from okey101.bots.turn_bot import TurnBot
from okey101.game.actions import Action
from okey101.game.bot_tools import can_use
from okey101.game.deal import Public
from okey101.game.options import Options
from okey101.game.view import View
from okey101.solver import Objective, arrange_bits
from okey101.tiles import BITS_OF, OKEY, size_of_bits

__all__ = ["GreedyBot", "loose_tiles", "useless_tile"]


class GreedyBot(TurnBot):
    """Plays for the next moment alone, but plays it exactly; it has no randomness."""

    name = "greedy"

    def _takes(self, view: View, hand: int, options: Options) -> bool:
        return _useful(view.public, hand)

    def _open(self, view: View, hand: int, options: Options) -> Action | None:
        if options.opening is None and options.opening_pairs is None:
            return None
        return opening_to_finish(view.public, hand) or options.opening or options.opening_pairs

    def _lay(self, view: View, hand: int, options: Options) -> Action | None:
        public = view.public
        swap = best_swap(public, hand, options.swaps) if options.swaps else None
        if swap is not None:
            return swap
        must = public.taken if public.taken_waits else None
        spot = Spot.of(public, hand)
        found = finish_plan(spot, must)
        if found is None and not public.must_finish:
            found = lay_plan(spot, must)
        return found[1][0] if found is not None and found[1] else None

    def _discard(self, view: View, hand: int, options: Options) -> int:
        return useless_tile(view, options)


def _useful(public: Public, hand: int) -> bool:
    """Whether the discard on offer can be put down at once."""
    tile = public.discards[public.previous][-1]
    return can_use(public, hand + BITS_OF[tile], tile)


def loose_tiles(view: View, options: Options) -> int:
    """The tiles outside the best arrangement, as a packed rack: of pairs where these are nearer."""
    public, hand = view.public, view.hand or 0
    okey = public.setup.okey
    objective = Objective.POINTS
    if public.opened[public.turn] is None:
        missing = options.need_pairs - options.best_pairs
        if missing <= 1 and options.best_points < options.need_points * 2 // 3:
            objective = Objective.PAIRS
    found = arrange_bits(hand, okey, objective, keep=1)
    return hand if found is None else found.left_bits


def useless_tile(view: View, options: Options) -> int:
    """The highest tile that costs no fine and is of no use; if there is none, the least useful."""
    hand, okey, unseen = view.hand or 0, view.public.setup.okey, view.unseen
    if size_of_bits(hand) == 1:
        return options.discards[0].tile
    loose = loose_tiles(view, options)

    def cost(tile: int, fine: int) -> tuple[int, bool, bool, int, int]:
        free = loose >> 2 * tile & 3
        near = near_melds(tile, loose, unseen, okey) if free else 0
        return fine, tile == OKEY, not free, near, -number_of(tile, okey)

    return min(options.discards, key=lambda d: cost(d.tile, d.points)).tile
