"""A quick look at a hand: most hold no opening with sets and runs, and that shows at once."""

from __future__ import annotations

from okey101.kernel.compiling import inner, popcount
from okey101.kernel.groups import copies, natural, number_sum
from okey101.tiles import OKEY

__all__ = ["hopeless"]

_COLOUR = (1 << 13) - 1
_RUNS = sum(0b0011111111111 << 13 * colour for colour in range(4))
"""The kinds at which a run of three can begin."""
_OKEY_ADDS = 55
"""What an okey and the tiles that need it add to a hand at most: 9 10 *11 12 13."""
_OKEY_TILES = 5


@inner
def hopeless(one: int, two: int, okey: int, need: int, whole: int) -> bool:
    """Whether the hand is too poor for sets and runs worth ``need``, and for all tiles but one.

    ``whole`` is 1 where the whole hand opens (O4). What can lie in a group of natural tiles counts
    in full, and each okey as much as it could ever add, so nothing that opens is hopeless.
    """
    okeys = copies(one, two, OKEY)
    kinds, twins = natural(one, two, okey)
    starts = kinds & kinds >> 1 & kinds >> 2 & _RUNS
    a, b = kinds & _COLOUR, kinds >> 13 & _COLOUR
    c, d = kinds >> 26 & _COLOUR, kinds >> 39 & _COLOUR
    sets = (a & b & (c | d)) | (c & d & (a | b))
    sets |= sets << 13
    used = (starts | starts << 1 | starts << 2 | sets | sets << 26) & kinds
    again = used & twins
    if number_sum(used) + number_sum(again) + okeys * _OKEY_ADDS >= need:
        return False
    size = popcount(one) + popcount(two)
    tiles = popcount(used) + popcount(again) + okeys * _OKEY_TILES
    return not whole or tiles < size - 1
