"""Outs: what drawing each tile would change."""

from __future__ import annotations

from dataclasses import dataclass

from okey101.solver.best_weight import best_weight
from okey101.solver.objectives import Objective, table_of
from okey101.solver.pairs import count_pairs_bits
from okey101.solver.search import checked_natural_bits, points_left
from okey101.solver.tables import RunTable, run_table
from okey101.tiles import FALSE_JOKER, OKEY, TILES, Kind, PackedRack, Tile, TileCode

__all__ = ["Out", "outs_bits"]

_ONES = sum(1 << 2 * kind for kind in range(52))
_COLOUR = (1 << 26) - 1


@dataclass(frozen=True, slots=True)
class Out:
    """A tile that may be drawn, the best value with it in the rack, and by how much that is better.

    ``copies`` says how many of the tile are not in the rack: 1 or 2.

    >>> from okey101 import Rack, Tile, outs
    >>> outs(Rack.parse("R7 R8 K1"), okey=Tile.B6)[0]
    Out(tile=Tile.R9, value=24, gain=24, copies=2)
    """

    tile: Tile
    value: int
    gain: int
    copies: int


def outs_bits(
    bits: PackedRack,
    okey: Kind | None,
    objective: Objective = Objective.POINTS,
    *,
    every: bool = False,
) -> list[Out]:
    """What drawing each tile would change in a packed rack, the greatest gain first, then by tile.

    The own face of the okey's kind is drawn as the okey. Only tiles with a gain, unless ``every``
    is set; for ``LEFT`` a tile that stays unmelded has a negative one. An objective with two values
    is judged by its first. Raises OkeyError as ``best_value_bits`` does.
    """
    natural = checked_natural_bits(bits, okey)
    okeys = bits >> 106
    if objective is Objective.PAIRS:
        found = _pair_outs(bits, okey)
    else:
        name = table_of(objective, tie_breaks=False)
        table = run_table(name)
        found = _table_outs(bits, natural, okeys, okey, table)
    if not every:
        found = [out for out in found if out.gain > 0]
    return sorted(found, key=lambda out: (-out.gain, out.tile))


def _drawable(bits: PackedRack, okey: Kind | None) -> list[tuple[TileCode, int]]:
    """Tiles of which a copy is not in the rack, and how many; a riziko deal has one okey (R8)."""
    copies = [0 if tile == okey else 2 for tile in range(54)]
    if okey is None:
        copies[FALSE_JOKER], copies[OKEY] = 0, 1
    away = [(tile, copies[tile] - (bits >> 2 * tile & 3)) for tile in range(54)]
    return [(tile, count) for tile, count in away if count > 0]


def _pair_outs(bits: PackedRack, okey: Kind | None) -> list[Out]:
    now = count_pairs_bits(bits, okey)
    found = []
    for tile, copies in _drawable(bits, okey):
        value = count_pairs_bits(bits + (1 << 2 * tile), okey)
        found.append(Out(TILES[tile], value, value - now, copies))
    return found


def _table_outs(
    bits: PackedRack, natural: PackedRack, okeys: int, okey: Kind | None, table: RunTable
) -> list[Out]:
    now = best_weight(natural, okeys, table)
    useful = _useful(natural, okeys)
    left = points_left(natural, okeys) if table.name == "left" else None
    found = []
    for tile, copies in _drawable(bits, okey):
        if tile == OKEY:
            weight = best_weight(natural, okeys + 1, table, now)
            drawn = 101
        else:
            kind = okey if tile == FALSE_JOKER and okey is not None else tile
            drawn = kind % 13 + 1
            one = 1 << 2 * kind
            # A tile never lowers what can be melded, so the present best is a floor.
            weight = best_weight(natural + one, okeys, table, now) if useful & one else now
        if left is None:
            found.append(Out(TILES[tile], weight, weight - now, copies))
        else:
            found.append(Out(TILES[tile], left + drawn - weight, weight - now - drawn, copies))
    return found


def _useful(natural: PackedRack, okeys: int) -> int:
    """The kinds, one bit a kind, that could be melded with some tiles of the rack."""
    if okeys == 2:
        return _ONES
    held = (natural | natural >> 1) & _ONES
    colours = [held >> 26 * colour & _COLOUR for colour in range(4)]
    useful = 0
    for colour, own in enumerate(colours):
        a, b, c = (other for place, other in enumerate(colours) if place != colour)
        down1, down2, up1, up2 = own << 2, own << 4, own >> 2, own >> 4
        if okeys:
            reach = down1 | down2 | up1 | up2 | a | b | c
        else:
            reach = (down1 & down2) | (down1 & up1) | (up1 & up2) | (a & b) | (a & c) | (b & c)
        useful |= (reach & _COLOUR) << 26 * colour
    return useful
