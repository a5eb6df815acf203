"""What a rack is worth without each of several tiles: one search, and few more.

The best sets of the whole rack mostly stay the best when a tile goes that they don't hold. Where
its runs are worth as much without it, nothing can be better: no rack is worth more than one that
holds it and more.
"""

from __future__ import annotations

from collections.abc import Sequence

from okey101.solver.best_weight import best_weight
from okey101.solver.objectives import Objective, table_of
from okey101.solver.search import TooLongError, checked_natural_bits, colour_indices, search
from okey101.solver.search_two_okeys import BEYOND
from okey101.solver.sets import POWER
from okey101.solver.tables import RunTable, run_table
from okey101.tiles import FALSE_JOKER, OKEY, Kind, PackedRack, TileCode

__all__ = ["values_without_bits"]


def values_without_bits(
    bits: PackedRack,
    okey: Kind | None,
    tiles: Sequence[TileCode],
    floors: Sequence[int],
    objective: Objective = Objective.POINTS,
    enough: int = BEYOND,
) -> tuple[int, list[int]]:
    """The best value of a packed rack, and that without each of ``tiles``, all of which it holds.

    ``objective`` is points or tiles melded. The first is the lowest floor where no more than that
    can be melded; of each tile it is the tile's floor: as ``best_value_bits`` with these floors,
    and sooner where the floors are near the value of the whole. Of values of ``enough`` or more
    it is any. ``tiles`` are codes, ``okey`` is the okey's kind. Raises OkeyError as that does.
    """
    natural, okeys = checked_natural_bits(bits, okey), bits >> 106
    table = run_table(table_of(objective, tie_breaks=False))
    lowest = min(floors, default=-1)
    try:
        most, chosen = search(natural, okeys, table, lowest, enough)
    except TooLongError:
        return best_weight(natural, okeys, table, lowest, enough), [
            best_weight(_without(natural, okey, tile), okeys - (tile == OKEY), table, floor, enough)
            for tile, floor in zip(tiles, floors, strict=True)
        ]
    if most <= lowest:
        return lowest, [*floors]
    indices, left, weight = [*colour_indices(natural)], okeys, 0
    while chosen is not None:
        (more, *less, used, _, _), chosen = chosen
        for colour in range(4):
            indices[colour] -= less[colour]
        left -= used
        weight += more
    found, good = [], min(most, enough)
    for tile, floor in zip(tiles, floors, strict=True):
        if most <= floor:
            found.append(floor)
            continue
        if tile != OKEY:
            colour, number = divmod(okey if tile == FALSE_JOKER and okey is not None else tile, 13)
            at = indices[colour]
            unit = POWER[number + 1]
            if at // unit % 3:
                indices[colour] = at - unit
                known = weight + _of_runs(table, indices, left)
                indices[colour] = at
                if known >= good:
                    found.append(most)
                    continue
                floor = max(floor, known)
        rest = _without(natural, okey, tile)
        found.append(best_weight(rest, okeys - (tile == OKEY), table, floor, enough))
    return most, found


def _without(natural: PackedRack, okey: Kind | None, tile: TileCode) -> PackedRack:
    if tile == OKEY:
        return natural
    return natural - (1 << 2 * (okey if tile == FALSE_JOKER and okey is not None else tile))


def _of_runs(table: RunTable, indices: Sequence[int], okeys: int) -> int:
    """The greatest weight of runs alone, with up to so many okeys."""
    none, one, two = table.none, table.one, table.two
    a, b, c, d = indices
    now = none[a] + none[b] + none[c] + none[d]
    if not okeys:
        return now
    *_, more, most = sorted((one[a], one[b], one[c], one[d]))
    if okeys == 1:
        return now + most
    return now + max(more + most, two[a], two[b], two[c], two[d])
