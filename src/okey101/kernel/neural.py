"""The bot ``neural``, compiled: the same choices as :class:`okey101.bots.neural.NeuralBot`.

A turn goes as ``greedy``'s does. Where the seat has a choice between laying down and throwing a
tile, or between tiles, two networks, one before the opening and one after it, foretell what each
choice will cost, and the least is taken. Their weights are whole numbers, and so is all that is
reckoned.
"""

# pyright: reportArgumentType=false, reportAssignmentType=false, reportReturnType=false

from __future__ import annotations

import numpy as np

from okey101.kernel.arranging import left_tiles
from okey101.kernel.compiling import Row, Rows, apart, compiled, first_bit, inner
from okey101.kernel.dealing import deal
from okey101.kernel.duties import taken_waits
from okey101.kernel.greedy import (
    COUNT,
    FINISHES,
    begin_turn,
    greedy_choice,
    lay_more,
    note,
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
    MORE,
    MUST_FINISH,
    OKEY_KIND,
    OP,
    OPENED,
    P_OVER,
    P_PLAY,
    PHASE,
    PLAYERS,
    R_PLAYERS,
    STOCK_COUNT,
    TAKEN,
    TURN,
    WORD,
)
from okey101.kernel.legal import MOST_ACTIONS, legal_actions, may_announce, may_return
from okey101.kernel.master import master_choice
from okey101.kernel.neural_costs import AT_CHOICES, AT_ROOM, AT_TILES, DESK, LAY, STRIDE
from okey101.kernel.neural_inputs import describe
from okey101.kernel.randomness import deal_seed
from okey101.kernel.steps import lay_down, play
from okey101.kernel.tables import ACTIONS, Tables
from okey101.neural_inputs import FIRST, NET, SECOND, at_choice, at_position
from okey101.tiles import OKEY

__all__ = ["WEIGHED", "choices_of", "neural_choice", "play_mixture", "play_neurals"]

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
def choices_of(tables: Tables, rules: Row, row: Row, words: Row, weights: Row, desk: Row) -> int:
    """What the seat to act lays down, or its only action; its choices are on the desk.

    ``words[WEIGHED]`` is how many there are, 0 where there is one action alone; told as
    ``greedy_choice`` does, and -1 where nothing is laid and there is a choice of tiles.
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
    if laid >= 0:
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
    words[WEIGHED] = describe(tables, rules, row, words, laid, weights, desk)
    return laid


@inner
def neural_choice(
    tables: Tables, rules: Row, row: Row, words: Row, weights: Row, nets: Row, desk: Row
) -> int:
    """The action of ``neural`` for the seat to act, told as ``greedy_choice`` tells its own."""
    laid = choices_of(tables, rules, row, words, weights, desk)
    count = words[WEIGHED]
    if count == 0:
        return laid
    opened = 1 if row[OPENED + row[TURN]] else 0
    tile = desk[AT_TILES + _least(nets, NET * opened, desk, count)]
    return laid if tile == LAY else A_DISCARD | tile << 4


@apart
def _least(nets: Row, net: int, desk: Row, count: int) -> int:
    """The choice that a network expects to cost least; the first of equals."""
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
    return chosen


@apart
def play_mixture(
    tables: Tables,
    rules: Row,
    row: Row,
    words: Row,
    log: Row,
    weights: Row,
    nets: Row,
    desk: Row,
    who: int,
) -> int:
    """Play a deal to its end: ``neural`` in the seats whose bits ``who`` has.

    The four bits above those say where ``master`` plays; ``greedy`` has the other seats. ``words``
    and ``log`` as for ``play_one``, ``desk`` int64[DESK]; returns the number of actions.
    """
    actions = tables[1][ACTIONS : ACTIONS + MOST_ACTIONS]
    decisions = 0
    while row[PHASE] != P_OVER:
        if who >> row[TURN] & 1:
            action = neural_choice(tables, rules, row, words, weights, nets, desk)
        elif who >> 4 + row[TURN] & 1:
            action = master_choice(tables, rules, row, words, weights)
        else:
            action = greedy_choice(tables, rules, row, words)
        if action < 0:
            legal_actions(tables, rules, row, actions, words, False)
            action = actions[0]
        decisions += 1
        if action & OP == A_MELD:
            count = words[COUNT]
            if action != A_MELD:
                words[0] = action >> 4
                count = 1
            lay_down(rules, row, words, count)
            for place in range(count):
                more = MORE if place + 1 < count else 0
                note(row, log, A_MELD | (words[place] & WORD) << 4 | more)
        else:
            play(rules, row, action)
            note(row, log, action)
    return decisions


@compiled
def play_neurals(
    tables: Tables,
    rules: Row,
    weights: Row,
    nets: Row,
    who: int,
    rows: Rows,
    root: Row,
    first: int,
    logs: Rows,
) -> int:
    """Deal a batch and play it as :func:`play_mixture` does; returns the number of actions.

    Rows, root seed and logs as in ``play_greedily``; ``nets`` is int64[2 * NET].
    """
    seed = np.empty(8, dtype=np.int64)
    hashed = np.empty(64, dtype=np.uint32)
    words = np.empty(64, dtype=np.int64)
    desk = np.empty(DESK, dtype=np.int64)
    decisions = 0
    for b in range(rows.shape[0]):
        deal_seed(root, first + b, hashed, seed)
        deal(rows[b], rules, seed, (first + b) % rules[R_PLAYERS])
        decisions += play_mixture(tables, rules, rows[b], words, logs[b], weights, nets, desk, who)
    return decisions
