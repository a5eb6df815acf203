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

from okey101.solver.objectives import WEIGHTS
from okey101.solver.sets import SetOptions

__all__ = ["HIGH", "LOW", "VECTORS", "RunTable", "load_tables", "raw_table", "run_table"]

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

    __slots__ = ("name", "none", "one", "scale", "sets", "two")

    def __init__(self, name: str) -> None:
        weights = WEIGHTS[name]
        raw = raw_table(name)
        plane = VECTORS * weights.size
        self.name = name
        self.scale = weights.scale
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
