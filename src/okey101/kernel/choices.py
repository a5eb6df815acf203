"""The bots ``master`` and ``neural``, compiled: the same choices as of those in plain Python.

A turn goes as ``greedy``'s does. ``master`` weighs the discard (:mod:`okey101.kernel.weighing`),
and may hold an opening back for a turn. Where ``neural`` may lay down or throw a tile, or throw one
of several, two networks, one before the opening and one after it, foretell what each choice will
cost (:mod:`okey101.kernel.inputs`), and the least is taken. Their weights are whole numbers, and so
is all that is reckoned.
"""

# pyright: reportArgumentType=false, reportAssignmentType=false, reportReturnType=false

from __future__ import annotations

from okey101.kernel import inputs
from okey101.kernel import layout as L
from okey101.kernel.arranging import left_tiles
from okey101.kernel.compiling import Row, adopt, apart, inner
from okey101.kernel.duties import taken_waits
from okey101.kernel.greedy import FINISHES, begin_turn, lay_more, open_hand
from okey101.kernel.groups import discard_fine, rack_size
from okey101.kernel.legal import may_announce, may_return
from okey101.kernel.plain import first_bit
from okey101.kernel.solver import Tables
from okey101.kernel.weighing import holds_back, least_costly, spares_partner
from okey101.tiles import OKEY
from okey101.weights import neural as N

adopt(inputs)


@inner
def master_choice(tables: Tables, rules: Row, row: Row, words: Row, weights: Row) -> int:
    """The action of ``master`` for the seat to act, told as ``greedy_choice`` tells its own."""
    if row[L.PHASE] != L.P_PLAY:
        return begin_turn(tables, rules, row)
    if may_announce(rules, row):
        return L.A_ANNOUNCE
    seat = row[L.TURN]
    one, two = row[L.HANDS + 2 * seat], row[L.HANDS + 2 * seat + 1]
    if row[L.OPENED + seat] == 0:
        laid = _closed(tables, rules, row, one, two, words, weights)
        if laid >= 0:
            return laid
        waits = row[L.TAKEN] >= 0
    else:
        laid = lay_more(tables, rules, row, one, two, words)
        waits = taken_waits(row)
        if laid >= 0:
            if words[FINISHES] and not waits and rack_size(one, two) > 1:
                tile = _sparing(tables, rules, row, one, two, weights)
                if tile >= 0:
                    return L.A_DISCARD | tile << 4
            return laid
    if may_return(rules, row):
        return L.A_RETURN
    if waits or (row[L.MUST_FINISH] and rack_size(one, two) > 1):
        return -1
    return L.A_DISCARD | least_costly(tables, rules, row, one, two, weights) << 4


@apart
def _closed(
    tables: Tables, rules: Row, row: Row, one: int, two: int, words: Row, weights: Row
) -> int:
    """An opening, or the discard with which it is held back; -1 where there is none."""
    points, left_one, left_two = left_tiles(tables, one, two, row[L.OKEY_KIND])
    count = open_hand(tables, rules, row, one, two, points, left_one, left_two, words)
    words[L.COUNT] = count
    if count <= 0:
        return -1
    if row[L.TAKEN] >= 0 or row[L.MUST_FINISH]:
        return L.A_MELD
    if words[FINISHES]:
        tile = _sparing(tables, rules, row, one, two, weights)
        if tile >= 0:
            return L.A_DISCARD | tile << 4
    if row[L.STOCK_COUNT] < row[L.PLAYERS]:
        return L.A_MELD
    tile = least_costly(tables, rules, row, one, two, weights)
    if holds_back(tables, rules, row, one, two, tile, words[0] & 3 >= L.PAIR, weights):
        return L.A_DISCARD | tile << 4
    return L.A_MELD


@inner
def _sparing(tables: Tables, rules: Row, row: Row, one: int, two: int, weights: Row) -> int:
    """The discard with which a finish is held back for the partner's sake; -1 for none."""
    if not spares_partner(rules, row):
        return -1
    tile = least_costly(tables, rules, row, one, two, weights)
    return -1 if discard_fine(rules, row, tile) else tile


WEIGHED = 61
"""Where :func:`choices_of` tells how many choices are on the desk."""

_AT_CHOICE = N.POSITION_SIZE * N.FIRST
_AT_BIAS = _AT_CHOICE + N.CHOICE_SIZE * N.FIRST
_AT_SECOND = _AT_BIAS + N.FIRST
_AT_SECOND_BIAS = _AT_SECOND + N.FIRST * N.SECOND
_AT_LAST = _AT_SECOND_BIAS + N.SECOND
_AT_LINEAR = _AT_LAST + N.SECOND


@apart
def choices_of(
    tables: Tables, rules: Row, row: Row, words: Row, weights: Row, desk: Row, most: int
) -> int:
    """What the seat to act lays down, or its only action; its choices are on the desk.

    They are to lay that down, and to throw one of the ``most`` tiles that cost ``master`` least.
    ``words[WEIGHED]`` is how many there are, 0 where there is one action alone; told as
    ``greedy_choice`` does, and -1 where nothing is laid and there is a choice of tiles. A finish
    that the partner would pay for is no choice of these, but what is laid where each has a fine.
    """
    words[WEIGHED] = 0
    if row[L.PHASE] != L.P_PLAY:
        return begin_turn(tables, rules, row)
    if may_announce(rules, row):
        return L.A_ANNOUNCE
    seat = row[L.TURN]
    one, two = row[L.HANDS + 2 * seat], row[L.HANDS + 2 * seat + 1]
    if row[L.OPENED + seat] == 0:
        points, left_one, left_two = left_tiles(tables, one, two, row[L.OKEY_KIND])
        count = open_hand(tables, rules, row, one, two, points, left_one, left_two, words)
        words[L.COUNT] = count
        laid = L.A_MELD if count > 0 else -1
        waits = row[L.TAKEN] >= 0
    else:
        laid = lay_more(tables, rules, row, one, two, words)
        waits = taken_waits(row)
    spares = False
    if laid >= 0:
        if words[FINISHES] and not waits and rack_size(one, two) > 1:
            spares = spares_partner(rules, row)
        if not spares:
            if (
                waits
                or words[FINISHES]
                or row[L.MUST_FINISH]
                or row[L.STOCK_COUNT] < row[L.PLAYERS]
            ):
                return laid
            if laid & L.OP == L.A_SWAP:
                return laid
    else:
        if may_return(rules, row):
            return L.A_RETURN
        if waits or (row[L.MUST_FINISH] and rack_size(one, two) > 1):
            return -1
        if not two and one & (one - 1) == 0:
            return L.A_DISCARD | first_bit(one) << 4
    if one == 1 << OKEY:
        return laid if laid >= 0 else L.A_DISCARD | OKEY << 4
    told = -1 if spares else laid
    desk[: inputs.AT_SAMPLES] = 0
    words[WEIGHED] = inputs.describe(tables, rules, row, words, told, weights, desk, most)
    return laid


@inner
def neural_choice(
    tables: Tables, rules: Row, row: Row, words: Row, weights: Row, nets: Row, desk: Row
) -> int:
    """The action of ``neural`` for the seat to act, told as ``greedy_choice`` tells its own."""
    laid = choices_of(tables, rules, row, words, weights, desk, N.DISCARDS)
    count = words[WEIGHED]
    if count == 0:
        return laid
    opened = 1 if row[L.OPENED + row[L.TURN]] else 0
    tile = desk[inputs.AT_TILES + cheapest(nets, N.NET * opened, desk, count)]
    if tile == inputs.LAY or (words[FINISHES] and discard_fine(rules, row, tile)):
        return laid
    return L.A_DISCARD | tile << 4  # type: ignore[no-any-return]


@apart
def cheapest(nets: Row, net: int, desk: Row, count: int) -> int:
    """The choice that a network expects to cost least, the first of equals; what, at AT_LEAST."""
    begin = inputs.AT_ROOM
    for unit in range(N.FIRST):
        desk[begin + unit] = nets[net + _AT_BIAS + unit]
    for nth in range(N.POSITION_SIZE):
        x = desk[nth]
        if x:
            at = net + nth * N.FIRST
            for unit in range(N.FIRST):
                desk[begin + unit] += x * nets[at + unit]
    first = begin + N.FIRST
    best, chosen = 1 << 62, 0
    for choice in range(count):
        for unit in range(N.FIRST):
            desk[first + unit] = desk[begin + unit]
        cost = 0
        for nth in range(N.CHOICE_SIZE):
            x = desk[inputs.AT_CHOICES + inputs.STRIDE * choice + nth]
            if x:
                cost += x * nets[net + _AT_LINEAR + nth]
                at = net + _AT_CHOICE + nth * N.FIRST
                for unit in range(N.FIRST):
                    desk[first + unit] += x * nets[at + unit]
        for unit in range(N.FIRST):
            desk[first + unit] = max(0, desk[first + unit]) >> 6
        for unit in range(N.SECOND):
            total = nets[net + _AT_SECOND_BIAS + unit]
            at = net + _AT_SECOND + unit * N.FIRST
            for place in range(N.FIRST):
                total += desk[first + place] * nets[at + place]
            cost += (max(0, total) >> 12) * nets[net + _AT_LAST + unit]
        if cost < best:
            best, chosen = cost, choice
    desk[inputs.AT_LEAST] = best
    return chosen
