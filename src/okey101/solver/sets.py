"""The ways to lay sets of one number: which tiles of which colours, and how many okeys."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

__all__ = ["COLUMN", "POWER", "SetOption", "SetOptions", "Taken", "set_usages"]

Taken = tuple[int, int, int, int]
"""Tiles of each colour that go into sets of one number."""
SetOption = tuple[int, int, int, int, int, int, int, Taken]
"""Weight, what it takes off the index of each colour, okeys, number, tiles of each colour."""

COLUMN = 3 | 3 << 26 | 3 << 52 | 3 << 78
"""Mask of the four 1s in a packed rack; shifted by two bits for each further number."""
POWER = tuple(3 ** max(0, number - 1) for number in range(14))


@cache
def set_usages(counts: Taken, okeys: int) -> tuple[tuple[Taken, int], ...]:
    """Every multiset of tiles and okeys of one number that parts into sets (M1), but the empty one.

    Any number of tiles and okeys parts into at most one number of sets; each colour is in a set
    once at most.
    """
    usages: list[tuple[Taken, int]] = []
    a, b, c, d = (range(count + 1) for count in counts)
    for taken in product(a, b, c, d):
        for okeys_used in range(okeys + 1):
            tiles = sum(taken) + okeys_used
            sets = (tiles + 3) // 4
            if sets and tiles >= 3 * sets and max(taken) <= sets:
                usages.append((taken, okeys_used))
    return tuple(usages)


class SetOptions(dict[int, tuple[int, int, int, tuple[SetOption, ...]]]):
    """Set options by the four counts of one number, as they stand in the packed rack.

    A value holds the best weight with 0, 1 and 2 okeys at most, and the options, heaviest first.
    Filled on demand: what a key means never changes.
    """

    __slots__ = ("okey", "okeys", "tile")

    def __init__(self, tile: Sequence[int], okey: Sequence[int], okeys: int) -> None:
        super().__init__()
        self.tile = tile
        self.okey = okey
        self.okeys = okeys

    def __missing__(self, key: int) -> tuple[int, int, int, tuple[SetOption, ...]]:
        number = ((key & -key).bit_length() - 1) % 26 // 2 + 1
        shift = 2 * number - 2
        counts = (
            key >> shift & 3,
            key >> shift + 26 & 3,
            key >> shift + 52 & 3,
            key >> shift + 78 & 3,
        )
        best = [0, 0, 0]
        options = []
        for taken, used in set_usages(counts, self.okeys):
            weight = sum(taken) * self.tile[number] + used * self.okey[number]
            a, b, c, d = (count * POWER[number] for count in taken)
            options.append((weight, a, b, c, d, used, number, taken))
            for okeys in range(used, 3):
                best[okeys] = max(best[okeys], weight)
        options.sort(key=lambda option: (-option[0], option[5], option[7]))
        value = self[key] = (best[0], best[1], best[2], tuple(options))
        return value
