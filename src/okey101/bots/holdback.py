"""When it pays to keep what could be laid: an okey before a finish, a whole hand for one turn."""

from __future__ import annotations

from typing import NamedTuple

from okey101.bots.lay_plans import Spot, finish_plan
from okey101.bots.sampled_draws import draws_left
from okey101.game.deal import Public
from okey101.game.view import View
from okey101.solver import Objective, arrange_bits, best_value_bits
from okey101.tiles import BITS_OF, OKEY, count_bits, distinct_bits, size_of_bits

__all__ = ["Hold", "hold_okey", "hold_whole_hand"]

_DOUBLED = 101.0
"""What a finish of the whole hand brings beyond a plain one."""
_DELAY = 9.0
"""What opening a turn later costs on average."""
_FINISH = 110.0
"""What a finish is worth against ending with a few tiles."""


class Hold(NamedTuple):
    """A tile to discard so that the rest may finish next turn, and how likely it does."""

    discard: int
    chance: float


def hold_whole_hand(view: View, hand: int) -> Hold | None:
    """Hold the hand back where the next draw may well end the deal in one turn, doubled (R7)."""
    public = view.public
    size = size_of_bits(hand)
    if any(public.opened) or public.setup.rules.rising or public.taken is not None:
        return None
    if draws_left(public.stock_count, public.players) < 2:
        return None
    okey = public.setup.okey
    found = arrange_bits(hand, okey, Objective.TILES, keep=1)
    if found is None or found.tiles < size - 3:
        return None
    best = Hold(0, 0.0)
    for tile in distinct_bits(found.left_bits & ~(3 << 2 * OKEY)):
        chance = _whole_next(hand - BITS_OF[tile], view.unseen, okey, size)
        if chance > best.chance:
            best = Hold(tile, chance)
    return best if best.chance * _DOUBLED > _DELAY else None


def _whole_next(hand: int, unseen: int, okey: int | None, size: int) -> float:
    """How likely the next draw makes melds of all tiles but one."""
    good = sum(
        count_bits(unseen, tile)
        for tile in distinct_bits(unseen)
        if best_value_bits(hand + BITS_OF[tile], okey, Objective.TILES) >= size - 1
    )
    return good / max(1, size_of_bits(unseen))


def hold_okey(view: View, hand: int) -> Hold | None:
    """Hold the okey back where it makes the last two tiles far likelier to finish next turn."""
    public = view.public
    others = hand & ~(3 << 2 * OKEY)
    if count_bits(hand, OKEY) != 1 or size_of_bits(hand) != 3 or public.must_finish:
        return None
    if draws_left(public.stock_count, public.players) < 1:
        return None
    best = None
    for tile in distinct_bits(others):
        kept = others - BITS_OF[tile]
        without = _finish_next(public, kept, view.unseen)
        chance = _finish_next(public, kept + BITS_OF[OKEY], view.unseen)
        pays = (chance - without) * _FINISH > 101 * _ends_before(public)
        if pays and (best is None or chance > best.chance):
            best = Hold(tile, chance)
    return best


def _finish_next(public: Public, hand: int, unseen: int) -> float:
    spot = Spot.of(public, hand, later=True)
    good = sum(
        count_bits(unseen, tile)
        for tile in distinct_bits(unseen)
        if finish_plan(spot._replace(hand=hand + BITS_OF[tile])) is not None
    )
    return good / max(1, size_of_bits(unseen))


def _ends_before(public: Public) -> float:
    """A rough chance that another player finishes before one's next turn."""
    goes_on = 1.0
    for seat, opened in enumerate(public.opened):
        if seat != public.turn and opened is not None:
            size = public.sizes[seat]
            goes_on *= 0.72 if size <= 2 else 0.87 if size <= 4 else 0.96
    return 1 - goes_on
