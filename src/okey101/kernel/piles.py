"""Piles of tiles, packed eight to a word: the stock and the seats' discards."""

from __future__ import annotations

from okey101.kernel.compiling import Row, compiled, inner
from okey101.kernel.layout import DISCARDS, PILE_WORDS, PILES

__all__ = ["pile_tile", "put_on_pile", "take_discard", "throw", "top_discard"]


@compiled
def put_on_pile(row: Row, pile: int, place: int, tile: int) -> None:
    """Write a tile at a place of a pile, the stock's or a seat's, that begins at word ``pile``."""
    at = pile + (place >> 3)
    shift = (place & 7) << 3
    row[at] = row[at] & ~(127 << shift) | tile << shift


@inner
def pile_tile(row: Row, pile: int, place: int) -> int:
    """The tile at a place of a pile."""
    return row[pile + (place >> 3)] >> ((place & 7) << 3) & 127  # type: ignore[no-any-return]


@inner
def top_discard(row: Row, seat: int) -> int:
    """A seat's last discard; its pile is not empty."""
    return pile_tile(row, DISCARDS + PILE_WORDS * seat, row[PILES + seat] - 1)


@inner
def take_discard(row: Row, seat: int) -> int:
    """Take a seat's last discard from its pile."""
    tile = top_discard(row, seat)
    row[PILES + seat] -= 1
    return tile


@inner
def throw(row: Row, seat: int, tile: int) -> None:
    """Put a tile on a seat's pile."""
    put_on_pile(row, DISCARDS + PILE_WORDS * seat, row[PILES + seat], tile)
    row[PILES + seat] += 1
