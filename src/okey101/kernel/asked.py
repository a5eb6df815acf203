"""The solver's questions as plain Python asks them, of the readable solver.

In compiled code each is the function of this name of the kernel, which :func:`stand_for
<okey101.kernel.compiling.stand_for>` puts in its place; racks are two masks, ``okey`` is -1 in a
riziko deal.
"""

from __future__ import annotations

from typing import Final

from okey101.kernel.codes import bits_of_masks, masks_of_bits
from okey101.kernel.plain import Row, Tables
from okey101.solver import (
    Objective,
    arrange_bits,
    best_value_bits,
    reaches_bits,
    values_without_bits,
)
from okey101.tiles import PackedRack

BATCH: Final = 8820
"""Where the room has what :func:`values_without` is asked for: of each tile its code, its value."""


def _asked(one: int, two: int, okey: int) -> tuple[PackedRack, int | None]:
    """A rack as the readable solver knows it, and the okey's kind."""
    return bits_of_masks(one, two), None if okey < 0 else int(okey)


def left_tiles(tables: Tables, one: int, two: int, okey: int) -> tuple[int, int, int]:
    """The points of the best arrangement, and the tiles that it leaves."""
    found = arrange_bits(*_asked(one, two, okey))
    return (0, one, two) if found is None else (found.points, *masks_of_bits(found.left_bits))


def best_points(tables: Tables, one: int, two: int, okey: int) -> int:
    """The most points that sets and runs of a rack come to."""
    return best_value_bits(*_asked(one, two, okey))


def reaches_points(tables: Tables, one: int, two: int, okey: int, need: int) -> bool:
    """Whether sets and runs of a rack come to so many points."""
    return reaches_bits(*_asked(one, two, okey), need)


def best_tiles(tables: Tables, one: int, two: int, okey: int) -> int:
    """The most tiles that sets and runs of a rack hold."""
    return tiles_above(tables, one, two, okey, -1)


def tiles_above(tables: Tables, one: int, two: int, okey: int, floor: int) -> int:
    """The same where it is more than so many tiles, which is known sooner; else these."""
    return best_value_bits(*_asked(one, two, okey), Objective.TILES, floor)


def values_without(
    tables: Tables, tiles: bool, one: int, two: int, okey: int, floor: int, enough: int, count: int
) -> int:
    """The points of a rack, or its tiles in melds, if they are more than ``floor``; else that.

    Where they are more, the values of the room's batch become those of the rack without each tile
    of it, if these are greater; of values of ``enough`` or more any.
    """
    room: Row = tables[1]
    bits, known = _asked(one, two, okey)
    places = range(BATCH, BATCH + 2 * count, 2)
    values = [int(room[at + 1]) for at in places]
    objective = Objective.TILES if tiles else Objective.POINTS
    if min(values) < floor and not reaches_bits(bits, known, floor + 1, objective):
        return floor
    codes = [int(room[at]) for at in places]
    most, found = values_without_bits(bits, known, codes, values, objective, enough)
    for at, value in zip(places, found, strict=True):
        room[at + 1] = value
    return most
