"""The choices of ``master`` and ``neural``, written once as those of ``greedy``.

A turn goes as ``greedy``'s does. ``master`` weighs the discard (:mod:`okey101.kernel.weighing`),
and may hold an opening back for a turn. Where ``neural`` may lay down or throw a tile, or throw one
of several, two networks, one before the opening and one after it, foretell what each choice will
cost (:mod:`okey101.kernel.inputs`), and the least is taken. Their weights are whole numbers, and so
is all that is reckoned.
"""

from __future__ import annotations

from okey101.kernel import groups as G, inputs, layout as L, room as R
from okey101.kernel.greedy import begin_turn, to_lay
from okey101.kernel.plain import Row, Tables, apart, first_bit
from okey101.kernel.weighing import holds_back, least_costly, spares_partner
from okey101.tiles import OKEY


def master_choice(tables: Tables, rules: Row, row: Row, words: Row, weights: Row) -> int:
    """The action of ``master`` for the seat to act, told as ``greedy_choice`` tells its own."""
    if row[L.PHASE] != L.P_PLAY:
        return begin_turn(tables, rules, row)
    if G.may_announce(rules, row):
        return L.A_ANNOUNCE
    seat = row[L.TURN]
    one, two = row[L.HANDS + 2 * seat], row[L.HANDS + 2 * seat + 1]
    closed, waits = row[L.OPENED + seat] == 0, G.taken_waits(row)
    laid = to_lay(tables, rules, row, one, two, words)
    if laid >= 0:
        if closed and (waits or row[L.MUST_FINISH]):
            return laid
        if words[R.FINISHES] and not waits and G.rack_size(one, two) > 1:
            tile = _sparing(tables, rules, row, one, two, weights)
            if tile >= 0:
                return L.A_DISCARD | tile << 4
        if closed and row[L.STOCK_COUNT] >= row[L.PLAYERS]:
            tile, outs = least_costly(tables, rules, row, one, two, weights)
            pairs = words[0] & 3 >= L.PAIR
            if holds_back(tables, rules, row, one, two, tile, outs, pairs, weights):
                return L.A_DISCARD | tile << 4
        return laid
    if G.may_return(rules, row):
        return L.A_RETURN
    if waits or (row[L.MUST_FINISH] and G.rack_size(one, two) > 1):
        return -1
    tile, _ = least_costly(tables, rules, row, one, two, weights)
    return L.A_DISCARD | tile << 4


def _sparing(tables: Tables, rules: Row, row: Row, one: int, two: int, weights: Row) -> int:
    """The discard with which a finish is held back for the partner's sake; -1 for none."""
    if not spares_partner(rules, row):
        return -1
    tile, _ = least_costly(tables, rules, row, one, two, weights)
    return -1 if G.discard_fine(rules, row, tile) else tile


@apart
def choices_of(
    tables: Tables, rules: Row, row: Row, words: Row, weights: Row, desk: Row, most: int
) -> int:
    """What the seat to act lays down, or its only action; its choices are on the desk.

    They are to lay that down, and to throw one of the ``most`` tiles that cost ``master`` least.
    ``words[R.WEIGHED]`` is how many there are, 0 where there is one action alone; told as
    ``greedy_choice`` does, and -1 where nothing is laid and there is a choice of tiles. A finish
    that the partner would pay for is no choice of these, but what is laid where each has a fine.
    """
    words[R.WEIGHED] = 0
    if row[L.PHASE] != L.P_PLAY:
        return begin_turn(tables, rules, row)
    if G.may_announce(rules, row):
        return L.A_ANNOUNCE
    seat = row[L.TURN]
    one, two = row[L.HANDS + 2 * seat], row[L.HANDS + 2 * seat + 1]
    waits = G.taken_waits(row)
    laid = to_lay(tables, rules, row, one, two, words)
    spares = False
    if laid >= 0:
        if words[R.FINISHES] and not waits and G.rack_size(one, two) > 1:
            spares = spares_partner(rules, row)
        if not spares:
            if (
                waits
                or words[R.FINISHES]
                or row[L.MUST_FINISH]
                or row[L.STOCK_COUNT] < row[L.PLAYERS]
            ):
                return laid
            if laid & L.OP == L.A_SWAP:
                return laid
    else:
        if G.may_return(rules, row):
            return L.A_RETURN
        if waits or (row[L.MUST_FINISH] and G.rack_size(one, two) > 1):
            return -1
        if not two and one & (one - 1) == 0:
            return L.A_DISCARD | first_bit(one) << 4
    if one == 1 << OKEY:
        return laid if laid >= 0 else L.A_DISCARD | OKEY << 4
    told = -1 if spares else laid
    for at in range(R.AT_SAMPLES):
        desk[at] = 0
    words[R.WEIGHED] = inputs.describe(tables, rules, row, words, told, weights, desk, most)
    return laid
