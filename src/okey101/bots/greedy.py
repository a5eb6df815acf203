"""The bot ``greedy``: opens when it can, lays off all it can, throws what is of no use to it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from okey101.bots.lay_plans import Spot, best_swap, finish_plan, lay_plan, opening_to_finish
from okey101.bots.tile_worth import near_melds, number_of
from okey101.bots.tools import ANNOUNCE, DRAW, INDICATOR, PASS, RETURN, TAKE, can_use
from okey101.game import Action, Back, Discard, Options, Phase, Public, View
from okey101.solver import Objective, arrange_bits
from okey101.tiles import BITS_OF, OKEY, size_of_bits

# The course of a turn, for bots that finish, open, lay and throw in that order.


class TurnBot(ABC):
    """What every turn has in common; the judgements are the bot's own."""

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def choose(self, view: View, options: Options) -> Action:
        """Finish, open, lay down, put back or throw: the first that the bot wants."""
        hand = view.hand or 0
        if view.public.phase is not Phase.PLAY:
            return self._begin(view, hand, options)
        if options.announce:
            return ANNOUNCE
        unopened = view.public.opened[view.public.turn] is None
        laid = self._open(view, hand, options) if unopened else self._lay(view, hand, options)
        if laid is not None:
            return laid
        if options.return_:
            return RETURN
        if options.discards:
            return Discard(self._discard(view, hand, options))
        return next(a for a in options.actions() if not isinstance(a, Back))

    def _begin(self, view: View, hand: int, options: Options) -> Action:
        if options.take and self._takes(view, hand, options):
            return TAKE
        if options.draw:
            return DRAW
        return INDICATOR if options.indicator else PASS

    @abstractmethod
    def _takes(self, view: View, hand: int, options: Options) -> bool:
        """Whether to take the discard, which may be taken."""

    @abstractmethod
    def _open(self, view: View, hand: int, options: Options) -> Action | None:
        """An opening to lay now, or None."""

    def _lay(self, view: View, hand: int, options: Options) -> Action | None:
        """The next tile or group to put down, or None."""
        return greedily(view, options, lambda: self._holds(view, hand))[0]

    def _holds(self, view: View, hand: int) -> bool:
        """Whether to lay nothing down that does not finish."""
        return False

    @abstractmethod
    def _discard(self, view: View, hand: int, options: Options) -> int:
        """The tile to throw."""


def greedily(
    view: View, options: Options, holds: Callable[[], bool] = lambda: False
) -> tuple[Action | None, bool]:
    """What ``greedy`` would put down, and whether the hand can finish.

    Where ``holds`` says so, nothing goes down that neither finishes nor has to be used.
    """
    public, hand = view.public, view.hand or 0
    swap = best_swap(public, hand, options.swaps) if options.swaps else None
    if swap is not None:
        return swap, False
    must = public.taken if public.taken_waits else None
    spot = Spot.of(public, hand)
    finish = finish_plan(spot, must)
    found = finish
    if found is None and not public.must_finish and not (must is None and holds()):
        found = lay_plan(spot, must)
    return (found[1][0] if found is not None and found[1] else None), finish is not None


class GreedyBot(TurnBot):
    """Plays for the next moment alone, but plays it exactly; it has no randomness."""

    name = "greedy"

    def _takes(self, view: View, hand: int, options: Options) -> bool:
        return _useful(view.public, hand)

    def _open(self, view: View, hand: int, options: Options) -> Action | None:
        if options.opening is None and options.opening_pairs is None:
            return None
        return opening_to_finish(view.public, hand) or options.opening or options.opening_pairs

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
