"""The bots ``novice`` and ``random``: they look neither back, ahead nor around."""

from __future__ import annotations

from okey101.bots.base import decision_rng
from okey101.bots.greedy import TurnBot, near_melds, number_of
from okey101.game import Action, Back, Options, View
from okey101.solver import Objective, arrange_bits
from okey101.tiles import KINDS, OKEY

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
