"""Pairs (M3): how many a rack makes, and the best ways to make them."""

from __future__ import annotations

from collections.abc import Iterator

from okey101.melds import AS, Pieces
from okey101.solver.k_best import Edge, Layered, best_paths
from okey101.solver.search import checked_natural_bits
from okey101.solver.tables import ONES
from okey101.tiles import FALSE_JOKER, OKEY, Kind, PackedRack, TileCode

PAIR = 1024
"""Weight of a pair; the points of all the pairs of a game stay below it."""


def count_pairs_bits(bits: PackedRack, okey: Kind | None) -> int:
    """The most pairs a packed rack makes; okeys pair with single tiles, or with each other.

    Raises OkeyError as ``checked_natural_bits`` does. ``okey`` is the okey's kind.
    """
    natural = checked_natural_bits(bits, okey)
    okeys = bits >> 106 & 3
    doubles = (natural >> 1 & ONES).bit_count()
    if not okeys:
        return doubles
    with_singles = min(okeys, (natural & ONES).bit_count())
    return doubles + with_singles + (okeys - with_singles) // 2


def _options(kind: Kind, count: int, okeys: int) -> list[tuple[int, int, tuple[Pieces, ...]]]:
    """Ways to pair the copies of a kind: okeys, pairs, and the pairs themselves."""
    options: list[tuple[int, int, tuple[Pieces, ...]]] = [(0, 0, ())]
    if count == 2:
        options.append((0, 1, ((kind, kind),)))
    options += [
        (mixed, mixed, ((kind, AS + kind),) * mixed) for mixed in range(1, min(count, okeys) + 1)
    ]
    return options


_OKEY_PAIR_AS = 12
_State = tuple[int, int]
"""Okeys that are left, and how many pairs may still be made."""


def pair_choices(
    bits: PackedRack,
    okey: Kind | None,
    best: int = 1,
    *,
    must: TileCode | None = None,
    keep: int = 0,
) -> list[list[Pieces]]:
    """The ``best`` ways to make pairs: most pairs first, then most points, in a fixed order.

    ``must`` is a kind, or 53 for an okey, that has to be in a pair; at least ``keep`` tiles stay
    out. Two okeys together stand for the red 13. ``bits`` is a packed rack, ``must`` a tile's code;
    each pair is given by its pieces.
    """
    natural = checked_natural_bits(bits, okey)
    okeys = bits >> 106 & 3
    counts = [(kind, natural >> 2 * kind & 3) for kind in range(52)]
    kinds = [(kind, _options(kind, count, okeys)) for kind, count in counts if count]
    if must is not None and must != OKEY:
        kinds = [(k, options[1:] if k == must else options) for k, options in kinds]
    if okeys == 2:
        wild = (AS + _OKEY_PAIR_AS, AS + _OKEY_PAIR_AS)
        kinds.append((_OKEY_PAIR_AS, [(0, 0, ()), (2, 1, (wild,))]))
    end = okeys - 1 if must == OKEY else okeys
    size = sum(count for _, count in counts) + okeys
    if size < keep:
        return []

    def expand(number: int, state: _State, _: int) -> Iterator[Edge[_State, tuple[Pieces, ...]]]:
        kind, options = kinds[number - 1]
        for used, made, groups in options:
            if used <= state[0] and made <= state[1]:
                weight = made * (PAIR + 2 * (kind % 13 + 1))
                yield Edge(weight, groups, (state[0] - used, state[1] - made))

    start: _State = okeys, (size - keep) // 2
    graph = Layered(
        start,
        len(kinds),
        expand,
        lambda state: state[0] <= end,
        lambda _, state: 2 * PAIR * state[1],
    )
    return [
        [tuple(FALSE_JOKER if p == okey else p for p in pair) for step in steps for pair in step]
        for _, steps in best_paths(graph, best)
    ]
