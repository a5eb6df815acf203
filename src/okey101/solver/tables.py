"""The run tables: for the counts of one colour, the best runs with 0, 1 and 2 okeys.

They ship compressed, one file an objective, and are read at their first use, or all at once.
"""

from __future__ import annotations

import lzma
import sys
from array import array
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import combinations, product

from okey101.solver.objectives import WEIGHTS

# The ways to lay sets of one number: which tiles of which colours, and how many okeys.

Taken = tuple[int, int, int, int]
"""Tiles of each colour that go into sets of one number."""
SetOption = tuple[int, int, int, int, int, int, int, Taken]
"""Weight, what it takes off the index of each colour, okeys, number, tiles of each colour."""

ONES = sum(1 << 2 * kind for kind in range(52))
"""One copy of each kind, as a packed rack."""
COLOUR = (1 << 26) - 1
"""Mask of the red tiles in a packed rack; shifted by 26 bits for each further colour."""
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
            key >> shift & 3, key >> shift + 26 & 3, key >> shift + 52 & 3, key >> shift + 78 & 3,
        )  # fmt: skip
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


VECTORS = 3**13
"""Ways to hold the tiles of one colour."""


def _indices(numbers: int, unit: int) -> tuple[int, ...]:
    table = [0]
    for _ in range(numbers):
        table = [index + copies * unit for copies in range(4) for index in table]
        unit *= 3
    return tuple(table)


LOW = _indices(7, 1)
"""Base-3 index of the numbers 1 to 7 of a colour by their 14 bits of a packed rack."""
HIGH = _indices(6, 3**7)
"""The same for the numbers 8 to 13 and their 12 bits."""


def raw_table(name: str) -> bytes:
    """A table as it was built, uncompressed: three planes of little-endian unsigned integers."""
    path = files("okey101.solver") / "data" / f"{name}.xz"
    return lzma.decompress(path.read_bytes())


class RunTable:
    """The table of one objective.

    ``none`` is the best weight without an okey, ``one`` and ``two`` what up to that many okeys add
    to it.
    """

    __slots__ = ("name", "none", "one", "sets", "two")

    def __init__(self, name: str) -> None:
        weights = WEIGHTS[name]
        raw = raw_table(name)
        plane = VECTORS * weights.size
        self.name = name
        self.none, self.one, self.two = (
            _cells(raw[start : start + plane], weights.size) for start in range(0, 3 * plane, plane)
        )
        self.sets = tuple(SetOptions(weights.tile, weights.okey, okeys) for okeys in range(3))


def _cells(raw: bytes, size: int) -> Sequence[int]:
    if size == 1:
        return raw
    cells = array({2: "H", 4: "I"}[size], raw)
    if sys.byteorder == "big":
        cells.byteswap()
    return cells


@cache
def run_table(name: str) -> RunTable:
    """The table of that name, read once."""
    return RunTable(name)


def load_tables() -> None:
    """Read every table now, for a program that could not open a file later; takes 70 MB."""
    for name in WEIGHTS:
        run_table(name)


# From a cell of a run table back to the runs: which tiles and okeys they use.

_SHAPES = tuple(
    tuple(
        (used, tuple(int(place in wild) for place in range(length)))
        for used in range(okeys + 1)
        for length in (5, 4, 3)
        for wild in combinations(range(length), used)
    )
    for okeys in range(3)
)
"""By the okeys there are: okeys used, and which places of a run they take (1)."""


def run_usage(table: RunTable, index: int, okeys: int) -> list[tuple[int, int]]:
    """Natural tiles and okeys by number (1 to 13; 0 is idle) in the best runs of one colour.

    Runs are peeled off one by one: a run of three to five whose weight is just what the table
    loses without it is part of a best choice, and longer runs part into such.
    """
    weights = WEIGHTS[table.name]
    worth = (weights.tile, weights.okey)
    usage = [[0, 0] for _ in range(14)]
    start = 1
    while (value := _value(table, index, okeys)) > 0:
        start, shape, index, okeys = _peel(table, worth, value, index, okeys, start)
        for number, wild in enumerate(shape, start):
            usage[number][wild] += 1
    return [(real, wild) for real, wild in usage]


def _value(table: RunTable, index: int, okeys: int) -> int:
    if okeys == 0:
        return table.none[index]
    return table.none[index] + (table.one if okeys == 1 else table.two)[index]


def _peel(
    table: RunTable,
    worth: tuple[tuple[int, ...], tuple[int, ...]],
    value: int,
    index: int,
    okeys: int,
    start: int,
) -> tuple[int, tuple[int, ...], int, int]:
    """The first run that costs just its weight: where it starts, its shape, and what is left."""
    counts = [index // POWER[number] % 3 for number in range(1, 14)]
    for first in range(start, 12):
        for used, shape in _SHAPES[okeys]:
            if first + len(shape) > 14:
                continue
            rest = index
            weight = 0
            for number, wild in enumerate(shape, first):
                weight += worth[wild][number]
                if not wild:
                    if not counts[number - 1]:
                        break
                    rest -= POWER[number]
            else:
                if weight + _value(table, rest, okeys - used) == value:
                    return first, shape, rest, okeys - used
    raise AssertionError("a run table that its own runs don't explain")
