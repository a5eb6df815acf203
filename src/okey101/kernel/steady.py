"""What the bot ``steady`` counts over draws that may come: written once, for flat rows.

The bot in plain Python runs this as it is, with the questions of :mod:`okey101.kernel.asked`; the
kernel compiles it. All is reckoned in whole numbers.
"""

from __future__ import annotations

from typing import Final

from okey101.kernel import asked as A
from okey101.kernel.groups import ONES, count_pairs, minus, plus
from okey101.kernel.plain import Row, Rows, Tables, compiled, each
from okey101.tiles import KINDS, OKEY


def _gain(tables: Tables, one: int, two: int, okey: int, future: Row, need: Row, worth: Row) -> int:
    """What draws are worth to a hand: the opening they allow, and how soon."""
    draws = len(future)
    for place in range(draws):
        one, two = plus(one, two, 1 << future[place], 0)
    if A.reaches_points(tables, one, two, okey, need[0]):
        turn = draws
        while turn > 1 and worth[2]:
            one, two = minus(one, two, 1 << future[turn - 1], 0)
            if not A.reaches_points(tables, one, two, okey, need[0]):
                break
            turn -= 1
        return worth[0] - worth[2] * (turn - 1)
    if count_pairs(one, two, okey) >= need[1]:
        return worth[1] - worth[2] * (draws - 1)
    return 0


WHOLE: Final = -1
"""In place of a discard: the whole hand is kept."""


@compiled
def opening_gains(
    tables: Tables, hand: Row, okey: int, discards: Row, futures: Rows, need: Row, worth: Row,
    gains: Rows,
) -> None:  # fmt: skip
    """For each future what it is worth to the hand without each discard, to ``gains[f][d]``.

    ``hand`` are the two masks of a rack, ``futures`` the tiles drawn, one at least; ``need`` the
    points and the pairs that open, ``worth`` what an opening with melds and with pairs is worth and
    what it loses with each turn. Where the whole hand gains nothing no hand without a tile does.
    """
    for f in range(len(futures)):
        whole = _gain(tables, hand[0], hand[1], okey, futures[f], need, worth)
        for d in range(len(discards)):
            gain = whole
            if whole and discards[d] != WHOLE:
                one, two = minus(hand[0], hand[1], 1 << discards[d], 0)
                gain = _gain(tables, one, two, okey, futures[f], need, worth)
            gains[f][d] = gain


# What will be left of an opened hand, counted over draws that may come.

_FINISHED = -101


def company_of(kind: int) -> int:
    """The kinds that are half a meld with this one, as a mask."""
    if kind >= KINDS:
        return 0
    base = kind // 13 * 13
    found = (31 << kind - base >> 2 & 0x1FFF) << base | ONES << kind - base
    return found & ~(1 << kind)


def _completing(kind: int, held: int) -> int:
    """The first two kinds of those held that are a meld with this one, as a mask; 0 for none."""
    number = kind % 13
    for a in range(number, KINDS, 13):
        for b in range(a + 13, KINDS, 13):
            if kind not in (a, b) and held >> a & held >> b & 1:
                return 1 << a | 1 << b
    for low in range(max(0, number - 2), min(10, number) + 1):
        pair = 7 << kind - number + low & ~(1 << kind)
        if held & pair == pair:
            return pair
    return 0


def _dropped(pool: Row, size: int, kind: int) -> int:
    """Take the first of a kind out of a pool, which keeps its order; returns the new size."""
    place = 0
    while pool[place] != kind:
        place += 1
    for at in range(place, size - 1):
        pool[at] = pool[at + 1]
    return size - 1


def _heaviest(pool: Row, size: int, held: int, company: Row) -> int:
    """The first of the kinds that weigh most; one that stands alone weighs twice."""
    worst, burden = 0, -1
    for place in range(size):
        kind = pool[place]
        heavy = kind % 13 + 1 if kind < KINDS else 0
        if not company[kind] & held:
            heavy *= 2
        if heavy > burden:
            worst, burden = kind, heavy
    return worst


def _play(pool: Row, size: int, future: Row, playable: int, pairs: int, company: Row) -> int:
    """Play on by a simple rule: lay what fits, throw the highest tile that stands alone."""
    one = two = 0
    for place in range(size):
        one, two = plus(one, two, 1 << pool[place], 0)
    for at in range(len(future)):
        kind = future[at]
        if kind != OKEY and not playable >> kind & 1:
            gone = 0
            if pairs:
                gone = one & 1 << kind
            else:
                near = company[kind] & one
                if near & (near - 1):
                    gone = _completing(kind, near)
            if not gone:
                pool[size] = kind
                size += 1
                one, two = plus(one, two, 1 << kind, 0)
            one, two = minus(one, two, gone, 0)
            for part in each(gone):
                size = _dropped(pool, size, part)
        if size <= 1:
            return _FINISHED * (1 + pairs)
        kind = _heaviest(pool, size, one, company)
        size = _dropped(pool, size, kind)
        one, two = minus(one, two, 1 << kind, 0)
    total = 0
    for place in range(size):
        total += pool[place] % 13 + 1 if pool[place] < KINDS else 0
    return total * (1 + pairs)


@compiled
def remains(
    hand: Row, discards: Row, futures: Rows, playable: int, pairs: int, company: Row, pool: Row,
    totals: Row,
) -> None:  # fmt: skip
    """What an opened hand costs after each discard, added up over the futures, to ``totals``.

    Hand, discards and futures are kinds; ``playable`` is the mask of those that may be laid off,
    ``pairs`` 1 where the hand opened with pairs, ``company`` :func:`company_of` each kind. ``pool``
    has room for the hand and a tile more.
    """
    for d in range(len(discards)):
        totals[d] = 0
        for f in range(len(futures)):
            for place in range(len(hand)):
                pool[place] = hand[place]
            size = _dropped(pool, len(hand), discards[d])
            totals[d] += _play(pool, size, futures[f], playable, pairs, company)
