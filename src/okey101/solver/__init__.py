"""The exact solver: what a rack is worth, and how to lay it out.

>>> from okey101.tiles import Rack, Tile
>>> rack = Rack.parse("R7 R8 R9 K11 Y11 * F K1", okey=Tile.B6)
>>> best_value(rack.bits, Tile.B6)
57
"""

from okey101.solver.arrangement import AS, Arrangement, Group, arrangement_of, tile_of_piece
from okey101.solver.layoffs import Plan, can_lay_all_but_one, max_laid
from okey101.solver.objectives import Objective
from okey101.solver.pairs import count_pairs
from okey101.solver.rack_outs import Out, outs
from okey101.solver.solve import arrange, arrange_weighted, arrangements, best_value, reaches
from okey101.solver.table_slots import Place, RunPlace, SetPlace

__all__ = [
    "AS",
    "Arrangement",
    "Group",
    "Objective",
    "Out",
    "Place",
    "Plan",
    "RunPlace",
    "SetPlace",
    "arrange",
    "arrange_weighted",
    "arrangement_of",
    "arrangements",
    "best_value",
    "can_lay_all_but_one",
    "count_pairs",
    "max_laid",
    "outs",
    "reaches",
    "tile_of_piece",
]
