"""The solver's questions asked of racks: the public face of the functions named ``*_bits``.

A :class:`~okey101.tiles.Rack` doesn't know its okey, for the same tiles mean something else in the
next deal; so every question names the okey's kind, None in a riziko deal. The okey's own face in a
rack is read as the okey, as the notation has it. All raise OkeyError ``bad-okey`` for an okey that
is no numbered kind, ``false-joker-in-riziko``, and NotationError ``too-many-copies`` where more
than two okeys come together; TypeError for a packed rack.
"""

from __future__ import annotations

from okey101.errors import OkeyError
from okey101.solver.arrangement import Arrangement
from okey101.solver.objectives import Objective
from okey101.solver.pairs import count_pairs_bits
from okey101.solver.rack_outs import Out, outs_bits
from okey101.solver.solve import arrange_bits, arrangements_bits, best_value_bits
from okey101.tiles import KINDS, Kind, PackedRack, Rack, TileCode

__all__ = ["arrange", "arrangements", "best_value", "count_pairs", "outs"]


def best_value(rack: Rack, okey: Kind | None, objective: Objective = Objective.POINTS) -> int:
    """The best value of a rack: points, tiles or pairs melded, or points left in the hand.

    ``okey`` is the okey's kind. Of an objective with two values it is the first.

    >>> from okey101.tiles import Tile
    >>> best_value(Rack.parse("R7 R8 R9 K11 Y11 * F K1"), okey=Tile.B6)
    57
    """
    return best_value_bits(_packed(rack, okey), okey, objective)


def count_pairs(rack: Rack, okey: Kind | None) -> int:
    """The most pairs a rack makes (M3); ``okey`` is the okey's kind.

    >>> count_pairs(Rack.parse("R7 R7 B9 *"), okey=None)
    2
    """
    return count_pairs_bits(_packed(rack, okey), okey)


def arrange(
    rack: Rack,
    okey: Kind | None,
    objective: Objective = Objective.POINTS,
    *,
    must: TileCode | None = None,
    keep: int = 0,
) -> Arrangement | None:
    """The best arrangement of a rack; None where ``must`` and ``keep`` can't be met.

    ``okey`` is the okey's kind; ``must`` a tile, or its code, of which a copy has to be melded;
    at least ``keep`` tiles stay unmelded: one in a turn that ends with a discard (U1, U4).

    >>> from okey101.tiles import Tile
    >>> found = arrange(Rack.parse("R7 R8 R9 K11 Y11 * F K1"), okey=Tile.B6)
    >>> [str(group) for group in found.groups], found.left
    (['R7 R8 R9', 'Y11 K11 *R11'], Rack.parse('K1 F'))
    """
    return arrange_bits(_packed(rack, okey), okey, objective, must=must, keep=keep)


def arrangements(
    rack: Rack,
    okey: Kind | None,
    objective: Objective = Objective.POINTS,
    *,
    best: int = 10,
    must: TileCode | None = None,
    keep: int = 0,
) -> list[Arrangement]:
    """The ``best`` best arrangements of a rack, best first, in a fixed order; fewer if need be.

    Two arrangements differ when other tiles go into runs or into sets, or when okeys stand for
    other tiles; the same tiles in runs cut elsewhere are one arrangement, as are the same tiles in
    sets told apart otherwise, and the colour an okey takes in a set. ``okey`` is the okey's kind,
    ``must`` a tile or its code; the rest as in :func:`arrange`.

    >>> from okey101 import Rack, Tile
    >>> for found in arrangements(Rack.parse("R7 R8 R9 K9 Y9 B1"), Tile.B6, best=2):
    ...     print(found)
    R9 Y9 K9
    R7 R8 R9
    """
    return arrangements_bits(_packed(rack, okey), okey, objective, best, must, keep)


def outs(
    rack: Rack,
    okey: Kind | None,
    objective: Objective = Objective.POINTS,
    *,
    every: bool = False,
) -> list[Out]:
    """What drawing each tile would change, the greatest gain first, then by tile.

    ``okey`` is the okey's kind, whose own tiles are drawn as the okey. Only tiles with a gain,
    unless ``every`` is set; for ``LEFT`` a tile that stays unmelded has a negative one. An
    objective with two values is judged by its first.

    >>> from okey101.tiles import Tile
    >>> outs(Rack.parse("R7 R8 R12"), okey=Tile.B6)[0]
    Out(tile=Tile.R9, value=24, gain=24, copies=2)
    """
    return outs_bits(_packed(rack, okey), okey, objective, every=every)


def _packed(rack: Rack, okey: Kind | None) -> PackedRack:
    """A rack's integer, the okey's own face written as the okey."""
    if not isinstance(rack, Rack):
        raise TypeError(
            f"a Rack is wanted, not {type(rack).__name__}; packed racks go to the functions *_bits"
        )
    if okey is None:
        return rack.bits
    if not 0 <= okey < KINDS:
        raise OkeyError("bad-okey", "the okey is a numbered kind, or None in a riziko deal")
    return rack.seen(okey).bits
