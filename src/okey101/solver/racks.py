"""The solver's questions asked of racks: the public face of the functions named ``*_bits``.

A rack is given as such, as tiles or in the notation, and tiles likewise. It doesn't know its okey,
for the same tiles mean something else in the next deal; so every question names the okey's kind,
None in a riziko deal. The okey's own face in a rack is read as the okey, as the notation has it.
All raise NotationError for what is no tile and ``too-many-copies`` where more than two okeys come
together, and OkeyError ``bad-okey`` for an okey that is no numbered kind,
``false-joker-in-riziko``, ``bad-value`` for an objective that there is not, and ``wrong-type``,
for a packed rack too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import overload

from okey101.solver.arrangement import Arrangement
from okey101.solver.objectives import FIRST, Objective, objective_of
from okey101.solver.pairs import count_pairs_bits
from okey101.solver.search import checked_natural_bits
from okey101.solver.solve import arrange_bits, arrangements_bits, best_value_bits
from okey101.tiles import (
    BITS_OF,
    FALSE_JOKER,
    OKEY,
    TILES,
    AnyTile,
    AnyTiles,
    Kind,
    PackedRack,
    Rack,
    Tile,
    TileCode,
    okey_kind,
)

# Outs: what drawing each tile would change.

_ONES = sum(1 << 2 * kind for kind in range(52))
_COLOUR = (1 << 26) - 1


@dataclass(frozen=True, slots=True)
class Out:
    """A tile that may be drawn, the best value of the rack with it, and the gain.

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

    The own face of the okey's kind is drawn as the okey. Only tiles with a gain are listed, unless
    ``every`` is set. For ``LEFT``, a tile that stays unmelded has a negative gain. An objective
    with two values is judged by its first. Raises OkeyError as ``best_value_bits`` does.
    """
    objective = objective_of(objective)
    pairs, left = objective is Objective.PAIRS, FIRST[objective] == "left"
    now = best_value_bits(bits, okey, objective)
    useful = _ONES if pairs else _useful(checked_natural_bits(bits, okey), bits >> 106)
    found = []
    for tile, copies in _drawable(bits, okey):
        kind = okey if tile == FALSE_JOKER and okey is not None else tile
        if tile == OKEY or useful >> 2 * kind & 1:
            # A tile never lowers what can be melded, so the present best is a floor.
            floor = -1 if left else now
            value = best_value_bits(bits + BITS_OF[tile], okey, objective, floor)
        else:
            value = now + (kind % 13 + 1 if left else 0)
        gain = now - value if left else value - now
        if every or gain > 0:
            found.append(Out(TILES[tile], value, gain, copies))
    return sorted(found, key=lambda out: (-out.gain, out.tile))


def _drawable(bits: PackedRack, okey: Kind | None) -> list[tuple[TileCode, int]]:
    """Tiles of which a copy is not in the rack, and how many; a riziko deal has one okey (R8)."""
    copies = [0 if tile == okey else 2 for tile in range(54)]
    if okey is None:
        copies[FALSE_JOKER], copies[OKEY] = 0, 1
    away = [(tile, copies[tile] - (bits >> 2 * tile & 3)) for tile in range(54)]
    return [(tile, count) for tile, count in away if count > 0]


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


def best_value(
    rack: AnyTiles, okey: AnyTile | None, objective: Objective | str = Objective.POINTS
) -> int:
    """The best value of a rack: points, tiles or pairs melded, or points left in the hand.

    ``okey`` is the okey's kind. Of an objective with two values it is the first.

    >>> from okey101.tiles import Tile
    >>> best_value(Rack.parse("R7 R8 R9 K11 Y11 * F K1"), okey=Tile.B6)
    57
    """
    return best_value_bits(*_asked(rack, okey), Objective(objective))


def count_pairs(rack: AnyTiles, okey: AnyTile | None) -> int:
    """The most pairs a rack makes (M3); ``okey`` is the okey's kind.

    >>> count_pairs(Rack.parse("R7 R7 B9 *"), okey=None)
    2
    """
    return count_pairs_bits(*_asked(rack, okey))


@overload
def arrange(
    rack: AnyTiles, okey: AnyTile | None, objective: Objective | str = Objective.POINTS
) -> Arrangement: ...
@overload
def arrange(
    rack: AnyTiles,
    okey: AnyTile | None,
    objective: Objective | str = Objective.POINTS,
    *,
    must: AnyTile | None = None,
    keep: int = 0,
) -> Arrangement | None: ...
def arrange(
    rack: AnyTiles,
    okey: AnyTile | None,
    objective: Objective | str = Objective.POINTS,
    *,
    must: AnyTile | None = None,
    keep: int = 0,
) -> Arrangement | None:
    """The best arrangement of a rack; None where ``must`` and ``keep`` can't be met.

    ``okey`` is the okey's kind. ``must`` is a tile, or its code, of which a copy has to be melded.
    At least ``keep`` tiles stay unmelded: one in a turn that ends with a discard (U1, U4).

    >>> from okey101.tiles import Tile
    >>> found = arrange(Rack.parse("R7 R8 R9 K11 Y11 * F K1"), okey=Tile.B6)
    >>> [str(group) for group in found.groups], found.left
    (['R7 R8 R9', 'Y11 K11 *R11'], Rack.parse('K1 F'))
    """
    return arrange_bits(*_asked(rack, okey), objective_of(objective), must=must, keep=keep)


def arrangements(
    rack: AnyTiles,
    okey: AnyTile | None,
    objective: Objective | str = Objective.POINTS,
    *,
    best: int = 10,
    must: AnyTile | None = None,
    keep: int = 0,
) -> list[Arrangement]:
    """The ``best`` best arrangements of a rack, best first, in a fixed order; fewer if there are.

    Two arrangements differ if other tiles go into runs or into sets, or if okeys stand for other
    tiles. It makes no difference where the same tiles are cut into runs, how they are shared among
    sets, or which colour an okey takes in a set. ``okey`` is the okey's kind,
    ``must`` a tile or its code; the rest as in :func:`arrange`.

    >>> from okey101 import Rack, Tile
    >>> for found in arrangements(Rack.parse("R7 R8 R9 K9 Y9 B1"), Tile.B6, best=2):
    ...     print(found)
    R9 Y9 K9
    R7 R8 R9
    """
    return arrangements_bits(*_asked(rack, okey), objective_of(objective), best, must, keep)


def outs(
    rack: AnyTiles,
    okey: AnyTile | None,
    objective: Objective | str = Objective.POINTS,
    *,
    every: bool = False,
) -> list[Out]:
    """What drawing each tile would change, the greatest gain first, then by tile.

    ``okey`` is the okey's kind, whose own tiles are drawn as the okey. Only tiles with a gain are
    listed, unless ``every`` is set. For ``LEFT``, a tile that stays unmelded has a negative gain.
    An objective with two values is judged by its first.

    >>> from okey101.tiles import Tile
    >>> outs(Rack.parse("R7 R8 R12"), okey=Tile.B6)[0]
    Out(tile=Tile.R9, value=24, gain=24, copies=2)
    """
    return outs_bits(*_asked(rack, okey), Objective(objective), every=every)


def _asked(rack: AnyTiles, okey: AnyTile | None) -> tuple[PackedRack, Kind | None]:
    """A rack's integer, the okey's own face written as the okey, and the okey's kind."""
    kind = okey_kind(okey)
    tiles = rack if isinstance(rack, Rack) else Rack(rack)
    return (tiles if kind is None else tiles.seen(kind)).bits, kind
