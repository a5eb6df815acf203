"""How many tiles sets and runs can hold at most, soon told: most racks fall far short of all.

A tile that no okey helps can only be melded where it has neighbours for it. A run of six or more
falls into runs of three to five, so that an okey brings at most four tiles of its own group with
it; all other groups are made of natural tiles alone.
"""

from __future__ import annotations

from okey101.tiles import KINDS, PackedRack

__all__ = ["at_most_tiles"]

_WITH_OKEY = 5
"""Tiles of a group that holds an okey, where no part of it is a group without it."""
_ONES = sum(1 << 2 * kind for kind in range(KINDS))
_COLOUR = (1 << 26) - 1
_FIRST_OF_RUN = sum(1 << 2 * kind for kind in range(KINDS) if kind % 13 <= 10)


def at_most_tiles(natural: PackedRack, okeys: int) -> int:
    """Tiles that no arrangement of naturals with so many okeys can exceed.

    ``natural`` is a packed rack without okeys.
    """
    near = _with_neighbours(natural)
    return (near & _ONES).bit_count() + 2 * (near >> 1 & _ONES).bit_count() + _WITH_OKEY * okeys


def _with_neighbours(natural: PackedRack) -> PackedRack:
    """The tiles of the kinds that lie in some set or run of natural tiles."""
    held = (natural | natural >> 1) & _ONES
    runs = held & held >> 2 & held >> 4 & _FIRST_OF_RUN
    near = runs | runs << 2 | runs << 4
    red, yellow = held & _COLOUR, held >> 26 & _COLOUR
    blue, black = held >> 52 & _COLOUR, held >> 78
    warm, cold = red & yellow, blue & black
    numbers = (warm & (blue | black)) | (cold & (red | yellow))
    if numbers:
        near |= held & (numbers | numbers << 26 | numbers << 52 | numbers << 78)
    return natural & (near | near << 1)
