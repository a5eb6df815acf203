"""The bot ``neural``, compiled: the same choices as :class:`okey101.bots.neural.NeuralBot`.

A turn goes as ``greedy``'s does. Where the seat has a choice between laying down and throwing a
tile, or between tiles, two networks, one before the opening and one after it, foretell what each
choice will cost, and the least is taken. Their weights are whole numbers, and so is all that is
reckoned.
"""

# pyright: reportArgumentType=false, reportAssignmentType=false, reportReturnType=false

from __future__ import annotations

from okey101.kernel.arranging import left_tiles
from okey101.kernel.compiling import Row, apart, first_bit, inner
from okey101.kernel.duties import taken_waits
from okey101.kernel.greedy import (
    COUNT,
    FINISHES,
    begin_turn,
    lay_more,
    open_hand,
)
from okey101.kernel.groups import rack_size
from okey101.kernel.layout import (
    A_ANNOUNCE,
    A_DISCARD,
    A_MELD,
    A_RETURN,
    A_SWAP,
    HANDS,
    MUST_FINISH,
    OKEY_KIND,
    OP,
    OPENED,
    P_PLAY,
    PHASE,
    PLAYERS,
    STOCK_COUNT,
    TAKEN,
    TURN,
)
from okey101.kernel.legal import may_announce, may_return
from okey101.kernel.neural_costs import AT_CHOICES, AT_LEAST, AT_ROOM, AT_TILES, LAY, STRIDE
from okey101.kernel.neural_inputs import describe
from okey101.kernel.sparing import spares_partner
from okey101.kernel.steps import discard_fine
from okey101.kernel.tables import Tables
from okey101.neural_inputs import DISCARDS, FIRST, NET, SECOND, at_choice, at_position
from okey101.tiles import OKEY

__all__ = ["WEIGHED", "cheapest", "choices_of", "neural_choice"]

WEIGHED = 61
"""Where :func:`choices_of` tells how many choices are on the desk."""

_INPUTS = at_position("")
_CHOICE_INPUTS = at_choice("")
_AT_CHOICE = _INPUTS * FIRST
_AT_BIAS = _AT_CHOICE + _CHOICE_INPUTS * FIRST
_AT_SECOND = _AT_BIAS + FIRST
_AT_SECOND_BIAS = _AT_SECOND + FIRST * SECOND
_AT_LAST = _AT_SECOND_BIAS + SECOND
_AT_LINEAR = _AT_LAST + SECOND


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
    if row[PHASE] != P_PLAY:
        return begin_turn(tables, rules, row)
    if may_announce(rules, row):
        return A_ANNOUNCE
    seat = row[TURN]
    one, two = row[HANDS + 2 * seat], row[HANDS + 2 * seat + 1]
    if row[OPENED + seat] == 0:
        points, left_one, left_two = left_tiles(tables, one, two, row[OKEY_KIND])
        count = open_hand(tables, rules, row, one, two, points, left_one, left_two, words)
        words[COUNT] = count
        laid = A_MELD if count > 0 else -1
        waits = row[TAKEN] >= 0
    else:
        laid = lay_more(tables, rules, row, one, two, words)
        waits = taken_waits(row)
    spares = False
    if laid >= 0:
        if words[FINISHES] and not waits and rack_size(one, two) > 1:
            spares = spares_partner(rules, row)
        if not spares:
            if waits or words[FINISHES] or row[MUST_FINISH] or row[STOCK_COUNT] < row[PLAYERS]:
                return laid
            if laid & OP == A_SWAP:
                return laid
    else:
        if may_return(rules, row):
            return A_RETURN
        if waits or (row[MUST_FINISH] and rack_size(one, two) > 1):
            return -1
        if not two and one & (one - 1) == 0:
            return A_DISCARD | first_bit(one) << 4
    if one == 1 << OKEY:
        return laid if laid >= 0 else A_DISCARD | OKEY << 4
    told = -1 if spares else laid
    words[WEIGHED] = describe(tables, rules, row, words, told, weights, desk, most)
    return laid


@inner
def neural_choice(
    tables: Tables, rules: Row, row: Row, words: Row, weights: Row, nets: Row, desk: Row
) -> int:
    """The action of ``neural`` for the seat to act, told as ``greedy_choice`` tells its own."""
    laid = choices_of(tables, rules, row, words, weights, desk, DISCARDS)
    count = words[WEIGHED]
    if count == 0:
        return laid
    opened = 1 if row[OPENED + row[TURN]] else 0
    tile = desk[AT_TILES + cheapest(nets, NET * opened, desk, count)]
    if tile == LAY or (words[FINISHES] and discard_fine(rules, row, tile)):
        return laid
    return A_DISCARD | tile << 4  # type: ignore[no-any-return]


@apart
def cheapest(nets: Row, net: int, desk: Row, count: int) -> int:
    """The choice that a network expects to cost least, the first of equals; what, at AT_LEAST."""
    begin = AT_ROOM
    for unit in range(FIRST):
        desk[begin + unit] = nets[net + _AT_BIAS + unit]
    for nth in range(_INPUTS):
        x = desk[nth]
        if x:
            at = net + nth * FIRST
            for unit in range(FIRST):
                desk[begin + unit] += x * nets[at + unit]
    first = begin + FIRST
    best, chosen = 1 << 62, 0
    for choice in range(count):
        for unit in range(FIRST):
            desk[first + unit] = desk[begin + unit]
        cost = 0
        for nth in range(_CHOICE_INPUTS):
            x = desk[AT_CHOICES + STRIDE * choice + nth]
            if x:
                cost += x * nets[net + _AT_LINEAR + nth]
                at = net + _AT_CHOICE + nth * FIRST
                for unit in range(FIRST):
                    desk[first + unit] += x * nets[at + unit]
        for unit in range(FIRST):
            desk[first + unit] = max(0, desk[first + unit]) >> 6
        for unit in range(SECOND):
            total = nets[net + _AT_SECOND_BIAS + unit]
            at = net + _AT_SECOND + unit * FIRST
            for place in range(FIRST):
                total += desk[first + place] * nets[at + place]
            cost += (max(0, total) >> 12) * nets[net + _AT_LAST + unit]
        if cost < best:
            best, chosen = cost, choice
    desk[AT_LEAST] = best
    return chosen
