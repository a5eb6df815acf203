"""Pairs (M3): how many a rack makes, and the best ways to make them."""

from __future__ import annotations

from heapq import heappop, heappush

from okey101.melds import AS, Pieces
from okey101.solver.search import checked_natural_bits
from okey101.tiles import FALSE_JOKER, OKEY, Kind, PackedRack, TileCode

_SINGLES = sum(1 << 2 * kind for kind in range(52))
PAIR = 1024
"""Weight of a pair; the points of all the pairs of a game stay below it."""


def count_pairs_bits(bits: PackedRack, okey: Kind | None) -> int:
    """The most pairs a packed rack makes; okeys pair with single tiles, or with each other.

    Raises OkeyError as ``checked_natural_bits`` does. ``okey`` is the okey's kind.
    """
    natural = checked_natural_bits(bits, okey)
    okeys = bits >> 106 & 3
    doubles = (natural >> 1 & _SINGLES).bit_count()
    if not okeys:
        return doubles
    with_singles = min(okeys, (natural & _SINGLES).bit_count())
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


class _Choice:
    """The kinds of a rack one after another, with exact completion weights."""

    def __init__(self, kinds: list[tuple[int, list[tuple[int, int, tuple[Pieces, ...]]]]]) -> None:
        self.kinds = kinds
        self._known: dict[tuple[int, int, int], int | None] = {}

    def weight(self, option: tuple[int, int, tuple[Pieces, ...]], place: int) -> int:
        return option[1] * (PAIR + 2 * (self.kinds[place][0] % 13 + 1))

    def completion(self, place: int, okeys: int, pairs: int, end: int) -> int | None:
        """Greatest weight from a kind on with that many okeys left and pairs allowed.

        At the end, at most ``end`` okeys may be left over. None where nothing gets there.
        """
        if place == len(self.kinds):
            return 0 if okeys <= end else None
        key = place, okeys, pairs
        if key not in self._known:
            best = None
            for option in self.kinds[place][1]:
                if option[0] <= okeys and option[1] <= pairs:
                    rest = self.completion(place + 1, okeys - option[0], pairs - option[1], end)
                    if rest is not None:
                        value = rest + self.weight(option, place)
                        best = value if best is None else max(best, value)
            self._known[key] = best
        return self._known[key]


_OKEY_PAIR_AS = 12


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
    choice = _Choice(kinds)
    found: list[list[Pieces]] = []
    order = 0
    heap: list[tuple[int, int, int, int, int, int, tuple[Pieces, ...]]] = []
    start = choice.completion(0, okeys, max(0, size - keep) // 2, end)
    if start is not None and size >= keep:
        heap.append((-start, 0, 0, okeys, (size - keep) // 2, 0, ()))
    while heap and len(found) < best:
        _, depth, _, left, pairs, weight, groups = heappop(heap)
        place = -depth
        if place == len(kinds):
            found.append([tuple(FALSE_JOKER if p == okey else p for p in g) for g in groups])
            continue
        for option in kinds[place][1]:
            if option[0] > left or option[1] > pairs:
                continue
            after = left - option[0], pairs - option[1]
            rest = choice.completion(place + 1, *after, end)
            if rest is not None:
                order += 1
                total = weight + choice.weight(option, place)
                more = (*groups, *option[2])
                heappush(heap, (-total - rest, depth - 1, order, *after, total, more))
    return found
