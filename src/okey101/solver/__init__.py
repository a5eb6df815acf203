"""The exact solver: what a rack is worth, and how to lay it out.

Functions named ``*_bits`` take packed racks and are what bots and rules use; the others take a
:class:`~okey101.tiles.Rack`.

>>> from okey101.tiles import Rack, Tile
>>> rack = Rack.parse("R7 R8 R9 K11 Y11 * F K1", okey=Tile.B6)
>>> best_value(rack, Tile.B6), best_value_bits(rack.bits, Tile.B6)
(57, 57)
"""

from okey101.solver.arrangement import Arrangement, arrangement_of_bits
from okey101.solver.lay_search import Place, RunPlace, SetPlace
from okey101.solver.layoffs import Plan, can_lay_all_but_one_bits, max_laid_bits
from okey101.solver.objectives import Objective
from okey101.solver.pairs import count_pairs_bits
from okey101.solver.solve import (
    Out,
    arrange,
    arrange_bits,
    arrangements,
    arrangements_bits,
    best_value,
    best_value_bits,
    count_pairs,
    outs,
    outs_bits,
    reaches_bits,
    values_without_bits,
)

__all__ = [
    "Arrangement", "Objective", "Out", "Place", "Plan", "RunPlace", "SetPlace", "arrange",
    "arrange_bits", "arrangement_of_bits", "arrangements", "arrangements_bits", "best_value",
    "best_value_bits", "can_lay_all_but_one_bits", "count_pairs", "count_pairs_bits",
    "max_laid_bits", "outs", "outs_bits", "reaches_bits", "values_without_bits",
]  # fmt: skip
