"""The bot ``greedy``, written once, for rows and room: it plays for the next moment, but exactly.

In plain Python it runs as it is, with the questions of :mod:`okey101.kernel.asked`; the kernel
compiles it. A choice is told as the action, or as A_MELD alone, with the groups to lay in
``words[:words[R.COUNT]]``; -1 is the first legal action. ``words`` is int64[64].
"""

from __future__ import annotations

from okey101.kernel import asked as A, groups as G, layout as L, room as R
from okey101.kernel.plain import Best, Row, Tables, apart, each, first_bit, popcount
from okey101.kernel.weighing import near, open_to_all
from okey101.tiles import OKEY


def greedy_choice(tables: Tables, rules: Row, row: Row, words: Row) -> int:
    """The choice of ``greedy`` for the seat to act."""
    if row[L.PHASE] != L.P_PLAY:
        return begin_turn(tables, rules, row)
    if G.may_announce(rules, row):
        return L.A_ANNOUNCE
    one, two = G.hand(row, row[L.TURN])
    unopened = row[L.OPENED + row[L.TURN]] == 0
    best = 0, 0, 0
    if unopened:
        best = A.left_tiles(tables, one, two, row[L.OKEY_KIND])
        words[R.COUNT] = open_hand(tables, rules, row, one, two, best[0], words)
        if words[R.COUNT] > 0:
            return L.A_MELD
        waits = row[L.TAKEN] >= 0
    else:
        laid = lay_more(tables, rules, row, one, two, words)
        if laid >= 0:
            return laid
        waits = G.taken_waits(row)
    if G.may_return(rules, row):
        return L.A_RETURN
    if popcount(one) == 1 and not two:
        return L.A_DISCARD | first_bit(one) << 4 if not waits else -1
    if waits or row[L.MUST_FINISH]:
        return -1
    if not unopened:
        best = A.left_tiles(tables, one, two, row[L.OKEY_KIND])
    return L.A_DISCARD | throw_useless(tables, rules, row, one, two, best) << 4


@apart
def begin_turn(tables: Tables, rules: Row, row: Row) -> int:
    """To take the discard if it is of use at once, to draw, or to pass."""
    phase = row[L.PHASE]
    if phase in (L.P_DRAW, L.P_LAST_DISCARD) and G.offered(rules, row):
        tile = G.top_discard(row, G.previous(row))
        one, two = G.hand(row, row[L.TURN])
        one, two = G.plus(one, two, 1 << tile, 0)
        if A.can_use(tables, rules, row, one, two, tile):
            return L.A_TAKE
    if phase in (L.P_DRAW, L.P_MUST_DRAW):
        return L.A_DRAW
    return L.A_INDICATOR if A.may_draw_indicator(tables, rules, row) else L.A_PASS


# What it throws: the highest tile that costs no fine and is of no use.


@apart
def throw_useless(tables: Tables, rules: Row, row: Row, one: int, two: int, best: Best) -> int:
    """The tile to throw of several; ``best`` is that of sets and runs."""
    loose_one, loose_two = loose_tiles(tables, rules, row, one, two, best)
    mine, _ = G.natural(loose_one, loose_two, row[L.OKEY_KIND])
    seen_one, seen_two = open_to_all(row, one, two)
    least, chosen = 1 << 40, -1
    for tile in each(one):
        cost = discard_cost(rules, row, tile, loose_one, mine, seen_one, seen_two)
        if cost < least:
            least, chosen = cost, tile
    return chosen


def discard_cost(
    rules: Row, row: Row, tile: int, loose_one: int, mine: int, seen_one: int, seen_two: int
) -> int:
    """By what ``greedy`` ranks a discard: its fine, the okey, tiles in use, company, the number.

    ``mine`` are the kinds of the tiles that are loose, ``seen`` those of all that are seen.
    """
    cost = G.discard_fine(rules, row, tile) << 20
    if tile == OKEY:
        cost |= 1 << 19
    kind = G.tile_kind(tile, row[L.OKEY_KIND])
    if not loose_one >> tile & 1:
        cost |= 1 << 18
    elif kind >= 0:
        cost |= near(kind, mine, seen_one, seen_two) << 4
    return cost | (12 - kind % 13 if kind >= 0 else 13)


def loose_tiles(
    tables: Tables, rules: Row, row: Row, one: int, two: int, best: Best
) -> tuple[int, int]:
    """The tiles outside the best sets and runs, or the best pairs where these are nearer."""
    points, left_one, left_two = best
    okey = row[L.OKEY_KIND]
    if row[L.OPENED + row[L.TURN]] == 0 and points < G.needed_points(rules, row) * 2 // 3:
        if G.needed_pairs(rules, row) - A.most_pairs(tables, row, one, two) <= 1:
            return A.left_of_pairs(tables, one, two, okey)
    return (left_one, left_two) if left_one else A.left_but_one(tables, one, two, okey)


# What it lays down: all that it can, and so that the hand ends if that can be.


@apart
def open_hand(
    tables: Tables, rules: Row, row: Row, one: int, two: int, points: int, words: Row
) -> int:
    """An opening to lay now: its groups and how many they are, 0 for none."""
    words[R.FINISHES] = 0
    melds = -1
    if (
        row[L.MUST_FINISH]
        or points >= G.needed_points(rules, row)
        or (G.whole_opens(rules, row) and _few_useless(one, two, row[L.OKEY_KIND]))
    ):
        melds = A.opening(tables, rules, row, one, two, words)
    if melds <= 0:
        if row[L.MUST_FINISH] or A.most_pairs(tables, row, one, two) < G.needed_pairs(rules, row):
            return 0
    for place in range(melds):
        words[R.KEPT + place] = words[place]
    finishing = opening_to_finish(tables, rules, row, one, two, words)
    if finishing > 0:
        words[R.FINISHES] = 1
        return finishing
    if melds <= 0:
        return A.opening_pairs(tables, rules, row, one, two, words)
    for place in range(melds):
        words[place] = words[R.KEPT + place]
    return melds


@apart
def to_lay(tables: Tables, rules: Row, row: Row, one: int, two: int, words: Row) -> int:
    """What ``greedy`` would lay, an opening or more, told as its choice; -1 for nothing."""
    if row[L.OPENED + row[L.TURN]]:
        return lay_more(tables, rules, row, one, two, words)
    points, _, _ = A.left_tiles(tables, one, two, row[L.OKEY_KIND])
    words[R.COUNT] = open_hand(tables, rules, row, one, two, points, words)
    return L.A_MELD if words[R.COUNT] > 0 else -1


def _few_useless(one: int, two: int, okey: int) -> bool:
    """Whether at most one tile of a hand is in no set or run that the hand could make."""
    kinds_one, kinds_two, okeys = G.kinds(one, two, okey)
    useless = ~G.meldable(kinds_one, okeys)
    return popcount(kinds_one & useless) + popcount(kinds_two & useless) < 2


def opening_to_finish(tables: Tables, rules: Row, row: Row, one: int, two: int, words: Row) -> int:
    """An opening after which all the rest but one tile can be laid off; 0 for none.

    A taken discard is among its groups (U2).
    """
    taken, okey = row[L.TAKEN], row[L.OKEY_KIND]
    look(tables, rules, row, one, two, taken)
    if A.lay_all(tables) < 0:
        return 0
    count = A.groups_of_plan(tables, words)
    if G.points_of(words, count) >= G.needed_points(rules, row):
        if _holds(words, count, taken, okey):
            return count
    count = A.finishing_opening(tables, rules, row, one, two, words)
    return count if count > 0 and _holds(words, count, taken, okey) else 0


def _holds(out: Row, count: int, tile: int, okey: int) -> bool:
    """Whether groups contain a tile; any do where there is none to contain."""
    if tile < 0:
        return True
    for place in range(count):
        held, _ = G.rack_of(out[place], okey)
        if held >> tile & 1:
            return True
    return False


def look(tables: Tables, rules: Row, row: Row, one: int, two: int, must: int) -> None:
    """Set up the search for what the seat may lay; unopened it counts as opened with melds."""
    before = row[L.OPENED + row[L.TURN]]
    opened = before if before else L.MELDS
    fresh = 1 if before == 0 or row[L.NEW_OPENING] else 0
    lays_off = G.may_lay_off(rules, opened, fresh)
    pairs = before != 0 and G.may_lay_pairs(rules, row, before)
    A.set_up(tables, row, one, two, lays_off, opened == L.MELDS, pairs, must)


@apart
def lay_more(tables: Tables, rules: Row, row: Row, one: int, two: int, words: Row) -> int:
    """The next tile or groups to put down, -1 for none."""
    words[R.FINISHES] = 0
    if rules[L.R_RECLAIM_OKEY]:
        swap = _best_swap(tables, rules, row, one, two)
        if swap >= 0:
            return swap
    if _nothing_fits(rules, row, one, two):
        return -1
    look(tables, rules, row, one, two, row[L.TAKEN] if G.taken_waits(row) else -1)
    if A.lay_all(tables) >= 0:
        words[R.FINISHES] = 1
    else:
        if row[L.MUST_FINISH]:
            return -1
        kept = A.least_left(tables)
        if kept < 0 or kept % 128 == G.rack_size(one, two):
            return -1
    count = A.groups_of_plan(tables, words)
    if count:
        words[R.COUNT] = count
        return L.A_MELD
    return A.first_lay_off(tables)


def _nothing_fits(rules: Row, row: Row, one: int, two: int) -> bool:
    """A quick look at a hand: it has no okey, makes no group, and no tile of it fits the table."""
    if one >> OKEY & 1:
        return False
    kinds_one, kinds_two = G.natural(one, two, row[L.OKEY_KIND])
    if kinds_one & (row[L.PLAYABLE] | G.meldable(kinds_one, 0)):
        return False
    opened = row[L.OPENED + row[L.TURN]]
    return kinds_two == 0 or not G.may_lay_pairs(rules, row, opened)


@apart
def _best_swap(tables: Tables, rules: Row, row: Row, one: int, two: int) -> int:
    """The reclaimed okey that lets most be put down, if one helps (X2)."""
    okey = row[L.OKEY_KIND]
    best, found = -(1 << 20), -1
    known = False
    waits = G.taken_waits(row)
    duties = row[L.MUST_FINISH] or waits
    for place in range(row[L.N_GROUPS]):
        word = row[L.TABLE + place]
        if not G.okeys_of(word):
            continue
        for tile in each(one):
            after = G.reclaimed(word, tile, okey)
            if after < 0:
                continue
            swap = L.A_SWAP | tile << 4 | place << 10
            if duties and not A.keeps_duties(tables, rules, row, one, two, swap, waits):
                continue
            if not known:
                best, known = _prospect(tables, rules, row, one, two), True
            less_one, less_two = G.minus(one, two, 1 << tile, 0)
            now_one, now_two = G.plus(less_one, less_two, 1 << OKEY, 0)
            row[L.TABLE + place] = after
            prospect = _prospect(tables, rules, row, now_one, now_two)
            row[L.TABLE + place] = word
            if prospect > best:
                best, found = prospect, swap
    return found


def _prospect(tables: Tables, rules: Row, row: Row, one: int, two: int) -> int:
    """Whether a hand can finish, and with the okey; if not, what would be left of it."""
    look(tables, rules, row, one, two, -1)
    last = A.lay_all(tables)
    if last >= 0:
        return (1 << 20) + (1 if last == OKEY else 0)
    kept = A.least_left(tables)
    if kept < 0:
        return -G.rack_points(one, two, row[L.OKEY_KIND], 101)
    return -(kept // 128)
