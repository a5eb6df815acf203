"""The greatest weight of a rack by a table's weights, whichever way is the faster one."""

from __future__ import annotations

from okey101.solver.arrangement_dp import Problem, best_usages
from okey101.solver.k_best import NEVER
from okey101.solver.objectives import WEIGHTS
from okey101.solver.search import TooLongError, search
from okey101.solver.search_two_okeys import BEYOND
from okey101.solver.tables import RunTable
from okey101.tiles import PackedRack, TileCode

__all__ = ["best_weight", "likely_weight", "table_problem"]


def best_weight(
    natural: PackedRack, okeys: int, table: RunTable, floor: int = -1, enough: int = BEYOND
) -> int:
    """The greatest weight of sets and runs, or ``floor`` if that is greater.

    Of weights of ``enough`` or more it is any.

    The search over sets is fast for hands; only racks far beyond one are left to the layered
    programme. ``natural`` is a packed rack without okeys, as of :func:`checked_natural_bits`.
    """
    try:
        return search(natural, okeys, table, floor, enough)[0]
    except TooLongError:
        weight, _ = best_usages(table_problem(natural, okeys, table.name))[0]
        return max(weight, floor)


def likely_weight(natural: PackedRack, okeys: int, table: RunTable) -> int | None:
    """The greatest weight, if it is found soon.

    ``natural`` is a packed rack without okeys.
    """
    try:
        return search(natural, okeys, table)[0]
    except TooLongError:
        return None


def table_problem(
    natural: PackedRack, okeys: int, name: str, forced: TileCode | None = None, keep: int = 0
) -> Problem:
    """The rack as a layered programme by a table's weights; ``forced`` a kind, 53 for an okey.

    ``natural`` is a packed rack without okeys; ``forced`` is a code.
    """
    weights = WEIGHTS[name]
    tile = [
        (NEVER if kind == forced else 0, weights.tile[number], 2 * weights.tile[number])
        for kind in range(52)
        for number in (kind % 13 + 1,)
    ]
    counts = tuple(natural >> 2 * kind & 3 for kind in range(52))
    return Problem(counts, okeys, tile, weights.okey, keep, int(forced == 53))
