"""From a cell of a run table back to the runs: which tiles and okeys they use."""

from __future__ import annotations

from itertools import combinations

from okey101.solver.objectives import WEIGHTS
from okey101.solver.sets import POWER
from okey101.solver.tables import RunTable

__all__ = ["run_usage"]

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
