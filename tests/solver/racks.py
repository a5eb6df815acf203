"""Racks for the solver's tests."""

from __future__ import annotations

import random
from typing import NamedTuple


class Position(NamedTuple):
    """A packed rack and the okey's kind."""

    bits: int
    okey: int


def draw(rng: random.Random, size: int, okeys: int, colours: int = 4) -> Position:
    """A rack of ``size`` tiles from that many colours, ``okeys`` of them okeys."""
    okey = rng.randrange(52)
    chosen = rng.sample(range(4), colours)
    kinds = [kind for kind in range(52) if kind // 13 in chosen and kind != okey]
    deck = [*kinds, *kinds]
    if okey // 13 in chosen:
        deck += [52, 52]
    tiles = rng.sample(deck, min(size - okeys, len(deck)))
    return Position(sum(1 << 2 * tile for tile in tiles) + (okeys << 106), okey)


def counts(position: Position) -> list[int]:
    """Natural tiles by kind, false jokers as the okey's."""
    held = [position.bits >> 2 * kind & 3 for kind in range(52)]
    held[position.okey] += position.bits >> 104 & 3
    return held
