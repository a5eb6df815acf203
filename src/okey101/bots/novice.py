"""The bot ``novice``: plays what lies before it, and looks neither back, ahead nor around."""

from __future__ import annotations

from okey101.bots.meld_potential import near_melds, number_of
from okey101.bots.turn_bot import TurnBot
from okey101.game.actions import Action
from okey101.game.options import Options
from okey101.game.view import View
from okey101.solver import Objective, arrange_bits
from okey101.tiles import KINDS, OKEY

__all__ = ["NoviceBot"]

_UNSEEN = sum(2 << 2 * kind for kind in range(KINDS))
"""Two tiles of every kind, as if none had been seen."""


class NoviceBot(TurnBot):
    """Weak by seeing less far, never by blunders drawn at random.

    It takes no discard, collects no pairs, opens as soon as it can, puts down one tile after
    another where it fits without a plan for the rest, and throws the highest tile that is in no
    meld and beside no other, whatever has been seen of those that it lacks. A fine that it is
    told of it avoids.
    """

    name = "novice"

    def _takes(self, view: View, hand: int, options: Options) -> bool:
        return False

    def _open(self, view: View, hand: int, options: Options) -> Action | None:
        return options.opening or options.opening_pairs

    def _lay(self, view: View, hand: int, options: Options) -> Action | None:
        fitting: tuple[Action, ...] = (*options.melds, *options.lays)
        return fitting[0] if fitting else None

    def _discard(self, view: View, hand: int, options: Options) -> int:
        okey = view.public.setup.okey
        found = arrange_bits(hand, okey, Objective.POINTS, keep=1)
        loose = hand if found is None else found.left_bits

        def cost(tile: int, fine: int) -> tuple[bool, bool, bool, bool, int]:
            free = loose >> 2 * tile & 3
            alone = not free or not near_melds(tile, loose, _UNSEEN, okey)
            return fine > 0, tile == OKEY, not free, not alone, -number_of(tile, okey)

        return min(options.discards, key=lambda d: cost(d.tile, d.points)).tile
