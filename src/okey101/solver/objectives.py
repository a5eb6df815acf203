"""What an arrangement is good for: the objectives, and the weights the run tables hold for each."""

from __future__ import annotations

from dataclasses import dataclass

from okey101.errors import OkeyError, Word


class Objective(Word):
    """What to look for; the value named first is exact, the second breaks ties among its optima.

    A plain objective breaks its ties like the longer one that begins with its name; ties that
    remain are broken by a fixed order, so equal racks get equal arrangements.

    >>> from okey101 import Rack, Tile, arrange
    >>> rack = Rack.parse("R7 R8 R9 R9 K9 Y9 B1 B1")
    >>> arrange(rack, Tile.B6, Objective.TILES)
    <Arrangement 'R7 R8 R9 / R9 Y9 K9': 51 points, left 'B1 B1'>
    >>> arrange(rack, Tile.B6, Objective.PAIRS)
    <Arrangement 'B1 B1 / R9 R9': 20 points, left 'R7 R8 Y9 K9'>
    """

    POINTS = "points"
    """Most face points melded (O1), then most tiles."""
    TILES = "tiles"
    """Most tiles melded, then most points."""
    LEFT = "left"
    """Fewest points left in the hand, an okey left counting 101 (C2), then most tiles melded."""
    PAIRS = "pairs"
    """Most pairs (O2), then most points in them."""
    POINTS_TILES = "points_tiles"
    """Most points, then most tiles."""
    POINTS_LEFT = "points_left"
    """Most points, then fewest points left: an okey that adds nothing stands where it can."""
    TILES_POINTS = "tiles_points"
    """Most tiles, then most points."""
    LEFT_TILES = "left_tiles"
    """Fewest points left, then most tiles."""

    # An Enum hashes in Python; a string does it at once, and this one is looked up in hot loops.
    __hash__ = str.__hash__


@dataclass(frozen=True, slots=True)
class TableWeights:
    """What a melded tile and a melded okey are worth by number (index 1 to 13).

    ``size`` is the bytes of a cell.
    """

    tile: tuple[int, ...]
    okey: tuple[int, ...]
    size: int


def _weights(first: str, second: str | None, scale: int, size: int) -> TableWeights:
    """Weights in which one unit of what is looked for first is worth ``scale``."""
    tile = {"points": range(14), "tiles": [1] * 14, "left": range(14), None: [0] * 14}
    okey = {**tile, "left": [101] * 14}
    tiles, okeys = (
        tuple(scale * a + b for a, b in zip(worth[first], worth[second], strict=True))
        for worth in (tile, okey)
    )
    return TableWeights(tiles, okeys, size)


WEIGHTS: dict[str, TableWeights] = {
    "points": _weights("points", None, 1, 1),
    "tiles": _weights("tiles", None, 1, 1),
    "left": _weights("left", None, 1, 2),
    # A scale exceeds what the second value can reach with all the tiles of the game.
    "points_tiles": _weights("points", "tiles", 128, 2),
    "tiles_points": _weights("tiles", "points", 1024, 2),
    "left_tiles": _weights("left", "tiles", 128, 2),
    "points_left": _weights("points", "left", 1024, 4),
}
"""The weights of each table by its name."""

_PLAIN = {"points": "points_tiles", "tiles": "tiles_points", "left": "left_tiles"}


FIRST = {objective: str(objective).partition("_")[0] for objective in Objective}
"""The table of an objective's first value alone."""


def objective_of(objective: Objective | str) -> Objective:
    """An objective given as such or by its name; OkeyError ``bad-value`` for what is none."""
    return objective if type(objective) is Objective else Objective(objective)


def table_of(objective: Objective) -> str:
    """The table that decides an objective, with its tie-breaks."""
    return _PLAIN.get(str(objective), str(objective))


def melded_by(objective: Objective) -> str:
    """The table of an objective of points or tiles melded; OkeyError ``bad-value`` for another."""
    name = FIRST[objective_of(objective)]
    if name not in ("points", "tiles"):
        message = f"points or tiles are wanted here, not {name}"
        raise OkeyError("bad-value", message, fields="objective", allowed="points, tiles")
    return name
