"""The choices of ``master``, ``neural`` and ``novice``, written once as those of ``greedy``.

A turn goes as ``greedy``'s does. ``master`` weighs the discard (:mod:`okey101.kernel.weighing`),
and may hold an opening back for a turn. Where ``neural`` may lay down or throw a tile, or throw one
of several, or take the discard, networks foretell what each choice will cost
(:mod:`okey101.kernel.inputs`), and the least is taken. Their weights are whole numbers, and so
is all that is reckoned. ``novice`` looks neither back, ahead nor around.
"""

from __future__ import annotations

from okey101.kernel import asked as A, groups as G, inputs, layout as L, room as R
from okey101.kernel.greedy import begin_turn, to_lay
from okey101.kernel.plain import Row, Tables, apart, each, first_bit
from okey101.kernel.weighing import holds_back, least_costly, near, spares_partner
from okey101.tiles import OKEY


def master_choice(tables: Tables, rules: Row, row: Row, words: Row, weights: Row) -> int:
    """The action of ``master`` for the seat to act, told as ``greedy_choice`` tells its own."""
    if row[L.PHASE] != L.P_PLAY:
        return begin_turn(tables, rules, row)
    if G.may_announce(rules, row):
        return L.A_ANNOUNCE
    seat = row[L.TURN]
    one, two = G.hand(row, seat)
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

    They are to lay that down, and to throw one of the ``most`` tiles that cost ``master`` least;
    where the discard is of use, to take it and to draw.
    ``words[R.WEIGHED]`` is how many there are, 0 where there is one action alone; told as
    ``greedy_choice`` does, and -1 where nothing is laid and there is a choice of tiles. A finish
    that the partner would pay for is no choice of these, but what is laid where each has a fine.
    """
    words[R.WEIGHED] = 0
    if row[L.PHASE] != L.P_PLAY:
        begun = begin_turn(tables, rules, row)
        if begun == L.A_TAKE and row[L.PHASE] == L.P_DRAW:
            for at in range(R.AT_SAMPLES):
                desk[at] = 0
            words[R.WEIGHED] = inputs.describe_taking(tables, rules, row, words, desk)
        return begun
    if G.may_announce(rules, row):
        return L.A_ANNOUNCE
    seat = row[L.TURN]
    one, two = G.hand(row, seat)
    waits = G.taken_waits(row)
    laid = to_lay(tables, rules, row, one, two, words)
    spares = False
    if laid >= 0:
        if words[R.FINISHES] and not waits and G.rack_size(one, two) > 1:
            spares = spares_partner(rules, row)
        alone = waits or words[R.FINISHES] or row[L.MUST_FINISH] or laid & L.OP == L.A_SWAP
        if not spares and (alone or row[L.STOCK_COUNT] < row[L.PLAYERS]):
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


def novice_choice(tables: Tables, rules: Row, row: Row, words: Row) -> int:
    """The action of ``novice`` for the seat to act, told as ``greedy_choice`` tells its own."""
    if row[L.PHASE] != L.P_PLAY:
        if row[L.PHASE] in (L.P_DRAW, L.P_MUST_DRAW):
            return L.A_DRAW
        return L.A_INDICATOR if A.may_draw_indicator(tables, rules, row) else L.A_PASS
    if G.may_announce(rules, row):
        return L.A_ANNOUNCE
    seat = row[L.TURN]
    one, two = G.hand(row, seat)
    if row[L.OPENED + seat]:
        laid = A.next_lay(tables, rules, row, words)
        if laid >= 0:
            return laid
        waits = G.taken_waits(row)
    else:
        words[R.COUNT] = A.opening(tables, rules, row, one, two, words)
        if words[R.COUNT] <= 0:
            words[R.COUNT] = A.opening_pairs(tables, rules, row, one, two, words)
        if words[R.COUNT] > 0:
            return L.A_MELD
        waits = row[L.TAKEN] >= 0
    if G.may_return(rules, row):
        return L.A_RETURN
    if waits or (row[L.MUST_FINISH] and G.rack_size(one, two) > 1):
        return -1
    return L.A_DISCARD | _highest_alone(tables, rules, row, one, two) << 4


def _highest_alone(tables: Tables, rules: Row, row: Row, one: int, two: int) -> int:
    """The highest tile in no meld and beside no other, whatever was seen of those it lacks."""
    okey = row[L.OKEY_KIND]
    loose_one, loose_two = A.left_but_one(tables, one, two, okey)
    mine, _ = G.natural(loose_one, loose_two, okey)
    least, chosen = 1 << 40, -1
    for tile in each(one):
        kind = G.tile_kind(tile, okey)
        cost = 12 - kind % 13 if kind >= 0 else 13
        if not loose_one >> tile & 1:
            cost |= 3 << 4
        elif kind >= 0 and near(kind, mine, 0, 0):
            cost |= 1 << 4
        if tile == OKEY:
            cost |= 1 << 6
        if G.discard_fine(rules, row, tile):
            cost |= 1 << 7
        if cost < least:
            least, chosen = cost, tile
    return chosen
