"""What a loose tile is good for: the melds it could still become part of."""

from __future__ import annotations

from functools import cache

from okey101.tiles import FALSE_JOKER, KINDS, OKEY, natural_bits

__all__ = ["kind_of", "near_melds", "number_of", "partners"]


def kind_of(tile: int, okey: int | None) -> int:
    """The kind a tile counts as: a false joker is the okey's kind (J2); an okey stays OKEY."""
    return okey if tile == FALSE_JOKER and okey is not None else tile


def number_of(tile: int, okey: int | None) -> int:
    """The number of a tile that is no okey; 0 for an okey."""
    return 0 if tile == OKEY else kind_of(tile, okey) % 13 + 1


@cache
def partners(kind: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The kinds that are half a meld with this one, each with the kinds that complete it.

    >>> from okey101.tiles import Tile
    >>> [(k, c) for k, c in partners(Tile.R2) if k < 13]
    [(0, (2,)), (2, (0, 3)), (3, (2,))]
    """
    colour, number = divmod(kind, 13)
    found = []
    for other in range(KINDS):
        if other % 13 == number and other != kind:
            third = [k for k in range(number, KINDS, 13) if k not in (kind, other)]
            found.append((other, tuple(third)))
        elif other // 13 == colour and 1 <= abs(other - kind) <= 2:
            low, high = min(kind, other), max(kind, other)
            if high - low == 2:
                third = [low + 1]
            else:
                third = [k for k in (low - 1, high + 1) if k // 13 == colour and k >= 0]
            found.append((other, tuple(third)))
    return tuple(found)


def near_melds(tile: int, loose: int, unseen: int, okey: int | None) -> int:
    """How many unseen tiles would make a meld of this loose tile and another loose one.

    ``loose`` (this tile among them) and ``unseen`` are packed racks; okeys aren't counted.
    """
    kind = kind_of(tile, okey)
    if kind >= KINDS:
        return 0
    mine = natural_bits(loose, okey)
    others = natural_bits(unseen, okey)
    completing: set[int] = set()
    for other, thirds in partners(kind):
        if mine >> 2 * other & 3:
            completing.update(thirds)
    return sum(others >> 2 * third & 3 for third in completing)
