"""Every group that a hand could lay by itself."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from okey101.melds import ANY, AS, Group, Pieces, make_group
from okey101.tiles import FALSE_JOKER, KINDS, OKEY, Kind, PackedRack, count_bits, natural_bits

__all__ = ["melds_of", "pairs_of"]


@lru_cache(maxsize=1 << 14)
def melds_of(hand: PackedRack, okey: Kind | None) -> tuple[Group, ...]:
    """Every set and run in a packed rack, with every way okeys can stand in them.

    Okeys in sets of three appear with each free colour and with the colour left open (R6).
    ``okey`` is the okey's kind.
    """
    kinds = natural_bits(hand, okey)
    wild = count_bits(hand, OKEY)
    found = [*_runs(kinds, wild, okey), *_sets(kinds, wild, okey)]
    return tuple(make_group(pieces, okey) for pieces in found)


@lru_cache(maxsize=1 << 14)
def pairs_of(hand: PackedRack, okey: Kind | None) -> tuple[Group, ...]:
    """Every pair in a packed rack; two okeys are listed once, as the okey's own number.

    ``okey`` is the okey's kind.
    """
    kinds = natural_bits(hand, okey)
    wild = count_bits(hand, OKEY)
    pairs: list[tuple[int, ...]] = []
    for kind in range(KINDS):
        copies = kinds >> 2 * kind & 3
        natural = FALSE_JOKER if kind == okey else kind
        if copies == 2:
            pairs.append((natural, natural))
        if copies and wild:
            pairs.append((natural, AS + kind))
    if wild == 2:
        number = 1 if okey is None else okey % 13 + 1
        pairs.append((ANY + number, ANY + number))
    return tuple(make_group(pieces, okey) for pieces in pairs)


def _runs(kinds: int, wild: int, okey: Kind | None) -> Iterator[tuple[int, ...]]:
    for colour in range(4):
        chunk = kinds >> 26 * colour & 0x3FFFFFF
        present = (chunk | chunk >> 1) & 0x1555555
        if not wild and not present & present >> 2 & present >> 4:
            continue
        for first in range(11):
            if wild or present >> 2 * first & 0b010101 == 0b010101:
                yield from _grow(present, colour * 13, first, (), wild, okey)


def _grow(
    present: int, base: int, number: int, pieces: Pieces, wild: int, okey: Kind | None
) -> Iterator[tuple[int, ...]]:
    """Runs that begin with these pieces and go on at a number counted from 0."""
    if len(pieces) >= 3:
        yield pieces
    if number > 12:
        return
    kind = base + number
    if present >> 2 * number & 1:
        natural = FALSE_JOKER if kind == okey else kind
        yield from _grow(present, base, number + 1, (*pieces, natural), wild, okey)
    if wild:
        yield from _grow(present, base, number + 1, (*pieces, AS + kind), wild - 1, okey)


def _sets(kinds: int, wild: int, okey: Kind | None) -> Iterator[tuple[int, ...]]:
    for number in range(13):
        held = [k for k in range(number, KINDS, 13) if kinds >> 2 * k & 3]
        if len(held) + wild < 3 or not held:
            continue
        for naturals in range(max(1, 3 - wild), len(held) + 1):
            for chosen in combinations(held, naturals):
                tiles = tuple(FALSE_JOKER if k == okey else k for k in chosen)
                free = [k for k in range(number, KINDS, 13) if k not in chosen]
                if naturals >= 4 - wild:
                    yield (*tiles, *(AS + k for k in free))
                if 3 - wild <= naturals <= 3:
                    for okeys in _standing(free, 3 - naturals, number):
                        yield (*tiles, *okeys)


def _standing(free: list[int], okeys: int, number: int) -> Iterator[tuple[int, ...]]:
    """Every way that okeys can fill a set of three: named colours, and open ones."""
    for named in range(okeys + 1):
        for colours in combinations(free, named):
            yield (*(AS + k for k in colours), *(ANY + number + 1,) * (okeys - named))
