"""Bots for the mini-Okey, by the formulas of `okey101.kernel.choices`, `weighing` and `greedy`.

The page `mini_okey.md` says what is alike and what is not.
"""

# mypy: disable-error-code="no-untyped-def"
# What Numba compiles takes its types from the first call.

from __future__ import annotations

from itertools import permutations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.mini_game import (
    AT,
    COUNT,
    DRAWS,
    FINED,
    FIRST,
    FITS,
    FLAGS,
    NEEDS,
    OPENED,
    OPENS,
    ROOM,
    SIZE,
    SIZES,
    STOCK,
    TAKES,
    THROWS,
    UNSEEN,
    WHO,
    MiniRules,
    Tree,
    bits,
    compiled,
    groups,
)
from okey101.game import RuleSet
from okey101.weights.master import W, weights_of

BOTS: Final = ("random", "novice", "greedy", "steady", "master")
_RANDOM, _NOVICE, _GREEDY, _STEADY, _MASTER = range(5)
_FAR: Final = 1e6
"""More than any discard costs; what is laid counts in thousands."""
_FULL: Final = 101
_RACKS: Final = 21
"""Tiles of a full rack."""


class Known(NamedTuple):
    """What bots know of a hand by its mask, of tiles by their place, and of themselves."""

    best: NDArray[np.int64]
    """The points of its best set or run; a hand has room for one."""
    used: NDArray[np.int64]
    """The tiles of the best ones."""
    most: NDArray[np.int64]
    """How many tiles a set or run holds at most."""
    makes: NDArray[np.int64]
    """The tiles that make a set or run of two tiles, by their places."""
    number: NDArray[np.int64]
    weights: NDArray[np.float64]
    """Those of ``master`` by stage: a row each for closed, opened and held back."""
    scale: NDArray[np.float64]
    """The threshold; full points a point; full tiles a tile."""


def known(rules: MiniRules) -> Known:
    """The tables of the bots, with the weights that ``master`` has under altinstar."""
    hands, places = rules.all + 1, rules.all.bit_length()
    best, used, most = np.zeros((3, hands), np.int64)
    makes = np.zeros((places, places), np.int64)
    masks = np.arange(hands)
    for mask, (points, _) in groups(rules).items():
        has = masks & mask == mask
        better, alike = has & (best < points), has & (best == points)
        best[better], used[better] = points, mask
        used[alike] |= mask
        most[has] = np.maximum(most[has], mask.bit_count())
        if mask.bit_count() == 3 and not mask & rules.okey:
            for one, two in permutations(bits(mask), 2):
                makes[one.bit_length() - 1, two.bit_length() - 1] |= mask - one - two
    number = np.array([*(n + 1 for _ in range(rules.colours) for n in range(rules.numbers)), 0])
    given = weights_of(RuleSet())
    rows = [
        [W.lack, W.outs, W.gain, W.tiles, W.number, W.near],
        [W.open_number, W.open_near, W.open_runs],
    ]
    weights = np.zeros((3, 2, 6))
    for kind, row in enumerate(rows):
        for place, feature in enumerate(row):
            weights[kind, :, place] = given[feature : feature + 2]
    weights[2] = given[W.hold_melds : W.hold_melds + 6]
    scale = np.array([rules.need, _FULL / rules.need, _RACKS / rules.rack])
    return Known(best, used, most, makes, number, weights, scale)


@compiled
def _place(tile):
    place = 0
    while tile > 1:
        tile >>= 1
        place += 1
    return place


@compiled
def _bits(mask):
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@compiled
def _near(k, tile, loose, hidden):
    """How many hidden tiles make a meld of this tile and another loose one."""
    found = 0
    place, rest = _place(tile), loose & ~tile
    while rest:
        found |= k.makes[place, _place(rest & -rest)]
        rest &= rest - 1
    return _bits(found & hidden)


@compiled
def _ranked(k, tile, kept, hidden, fined, bot):
    """By what ``greedy`` and ``novice`` rank a discard (`okey101.kernel`)."""
    okey = tile == len(k.best) >> 1
    cost = (512.0 if fined else 0.0) + (256.0 if okey else 0.0) - k.number[_place(tile)]
    loose = kept & ~k.used[kept]
    if not loose & tile:
        return cost + (128.0 if bot != _NOVICE else 48.0)
    if not okey:
        near = _near(k, tile, loose, hidden)
        cost += (8.0 * near) if bot != _NOVICE else (16.0 if near else 0.0)
    return cost


@compiled
def _outs(k, rest, hidden, need):
    """How many hidden tiles let a hand open, and by how many points they mend it in all."""
    outs, gain = 0, 0
    while hidden:
        after = k.best[rest | hidden & -hidden]
        outs += after >= need
        gain += max(0, min(need, after) - min(need, k.best[rest]))
        hidden &= hidden - 1
    return outs, gain


@compiled
def _feeding(t, k, node, tile, hidden, size):
    """How likely the other can use a discard, as ``steady`` reckons."""
    if t.nodes[node, OPENED] >> (1 - t.nodes[node, WHO]) & 1:
        return 0.0
    if tile == len(k.best) >> 1:
        return 0.5
    share = min(1.0, size / max(1, _bits(hidden)))
    missed, place = 1.0, _place(tile)
    for one in range(len(k.number)):
        for two in range(one):
            pair = 1 << one | 1 << two
            if pair & hidden == pair and k.makes[one, two] & tile and place != one:
                missed *= 1.0 - share * share
    return min(0.5, 0.2 * (1.0 - missed))


@compiled
def _steady(t, k, node, edge, hand, kept, hidden, closed):
    tile = t.edges[edge, THROWS]
    fined, need = t.edges[edge, FLAGS] & FINED > 0, k.scale[0]
    rest, share = kept & ~tile, need / 101.0
    other = t.nodes[node, SIZES + 1 - t.nodes[node, WHO]]
    cost = 8.0 * share * _feeding(t, k, node, tile, hidden, other)
    number = k.number[_place(tile)]
    if fined:
        cost += need
    if not closed:
        return cost + t.points[1, rest]
    if t.nodes[node, STOCK] < 2:
        return cost - 0.001 * number
    least, base, more = _FAR, 0, kept
    while more:
        one = more & -more
        rank = _ranked(k, one, kept, hidden, one & t.nodes[node, FITS] > 0, _STEADY)
        if rank < least:
            least, base = rank, one
        more &= more - 1
    outs, _ = _outs(k, rest, hidden, need)
    cost -= 205.0 * share * outs / max(1, _bits(hidden)) + 0.2 * number
    return cost - (1.5 * share if tile == base else 0.0)


@compiled
def _master_closed(k, tile, kept, hidden, fined, stage):
    """What a discard costs ``master`` before the opening, and its outs in 1024ths."""
    need, points, tiles = k.scale
    okey, w = len(k.best) >> 1, k.weights[0, stage]
    loose = kept & ~k.used[kept]
    rest, total = kept & ~tile, max(1, _bits(hidden))
    outs, gain = _outs(k, rest, hidden, need) if stage else (0, 0)
    share = 1024.0 * outs / total
    cost = (101_000.0 if fined else 0.0) + (_FAR if tile == okey else 0.0)
    if not tile & loose and loose & ~okey:
        cost += _FAR
    cost += w[0] * max(0.0, need - k.best[rest]) * points - w[1] * share
    cost -= w[2] * gain * 64.0 / total * points + w[3] * k.most[rest] * tiles
    cost += w[4] * k.number[_place(tile)] * points
    if tile & loose:
        cost += w[5] * _near(k, tile, loose & ~okey, hidden)
    return cost, share


@compiled
def _holds(k, hand, hidden, fits, stage, others):
    """Whether ``master`` keeps an opening for a turn."""
    least, share, chosen, more = 4.0 * _FAR, 0.0, 0, hand
    while more:
        tile = more & -more
        cost, outs = _master_closed(k, tile, hand, hidden, tile & fits > 0, stage)
        if cost < least:
            least, share, chosen = cost, outs, tile
        more &= more - 1
    if chosen & fits or chosen == len(k.best) >> 1:
        return False
    w, rest = k.weights[2, 0], hand & ~chosen
    left = (_bits(rest) - k.most[rest]) * k.scale[2]
    okey = 1.0 if hand & len(k.best) >> 1 else 0.0
    return w[0] + w[1] * left + w[2] * stage + w[3] * others + w[4] * okey + w[5] * share > 0.0


@compiled
def _master(t, k, node, edge, hand, kept, hidden, closed):
    tile, fits = t.edges[edge, THROWS], t.nodes[node, FITS]
    fined, stage = t.edges[edge, FLAGS] & FINED > 0, min(1, t.nodes[node, STOCK] // 2)
    if closed:
        cost, _ = _master_closed(k, tile, kept, hidden, fined, stage)
        if k.best[hand] >= k.scale[0] and t.nodes[node, STOCK] >= 2:
            others = 1.0 if t.nodes[node, OPENED] else 0.0
            if _holds(k, hand, hidden, fits, stage, others):
                return cost * 1e-3 - 1e9
        return cost * 1e-3
    w, number = k.weights[1, stage], k.number[_place(tile)]
    cost = (101_000.0 if fined else 0.0) - w[0] * number * k.scale[1]
    cost += w[1] * _near(k, tile, kept, hidden)
    if number:
        low, high, each = tile >> 1, tile << 1, number
        if each > 1 and low & fits:
            cost += 3.0 * w[2]
        if each < k.number.max() and high & fits:
            cost += 3.0 * w[2]
    return cost * 1e-3


@compiled
def _cost(t, k, node, edge, hand, bot):
    """What a bot's move costs it: the least is made, those that cost the same alike often."""
    if bot == _RANDOM:
        return 0.0
    if t.reals[edge, DRAWS] > 0.0:
        return 0.0
    flags, tile = t.edges[edge, FLAGS], t.edges[edge, THROWS]
    if flags & TAKES and bot == _NOVICE:
        return 1e12
    okey = len(k.best) >> 1
    if t.edges[edge, SIZE] == 0:
        last = 1.0 if tile == okey else 0.0
        return -1e11 + (last if bot == _NOVICE else -last)
    kept = hand & ~t.edges[edge, NEEDS] | tile
    hidden = t.nodes[node, UNSEEN] & ~hand
    closed = not t.nodes[node, OPENED] >> t.nodes[node, WHO] & 1 and not flags & OPENS
    cost = 1e4 * t.points[1, kept] - (1e10 if flags & TAKES else 0.0)
    if bot == _STEADY:
        return cost + _steady(t, k, node, edge, hand, kept, hidden, closed)
    if bot == _MASTER:
        return cost + _master(t, k, node, edge, hand, kept, hidden, closed)
    return cost + _ranked(k, tile, kept, hidden, flags & FINED > 0, bot)


@compiled
def _fill(t, k, bot, x, costs):
    least = np.zeros(len(k.best))
    for node in range(len(t.nodes)):
        place = t.nodes[node, UNSEEN] * ROOM + t.nodes[node, SIZES + t.nodes[node, WHO]]
        for n in range(t.starts[place], t.starts[place + 1]):
            least[t.hands[n]] = np.inf
        edges = range(t.nodes[node, FIRST], t.nodes[node, FIRST] + t.nodes[node, COUNT])
        for choosing in (False, True):
            for edge in edges:
                needs, at = t.edges[edge, NEEDS], t.edges[edge, AT]
                place = (t.nodes[node, UNSEEN] & ~needs) * ROOM + t.edges[edge, SIZE]
                for n in range(t.starts[place], t.starts[place + 1]):
                    hand, to = t.hands[n] | needs, at + n - t.starts[place]
                    if choosing:
                        x[to] = 1.0 if costs[to] <= least[hand] + 1e-5 else 0.0
                    else:
                        costs[to] = _cost(t, k, node, edge, hand, bot)
                        least[hand] = min(least[hand], costs[to])


def play_of(tree: Tree, rules: MiniRules, bot: str) -> NDArray[np.float64]:
    """How a bot plays in both seats, as a profile."""
    profile = np.zeros(tree.total)
    _fill(tree, known(rules), BOTS.index(bot), profile, np.zeros(tree.total))
    return profile
