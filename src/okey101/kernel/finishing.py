"""The openings a seat may lay, and whether a hand can be finished in this turn (E1, E4), compiled.

The twin of :mod:`okey101.game.duties` and of the openings of :mod:`okey101.game.options`.
"""

# pyright: reportArgumentType=false, reportAssignmentType=false, reportReturnType=false

from __future__ import annotations

from okey101.kernel import groups as G, layout as L, openings as OP, room as R
from okey101.kernel.arranging import arrange_but_one
from okey101.kernel.compiling import Row, adopt, apart
from okey101.kernel.plain import each
from okey101.kernel.plans import lay_all, may_lay_all, set_up
from okey101.kernel.solver import TILES, Tables, reaches_points, reaches_tiles
from okey101.tiles import OKEY


def _set_up(
    tables: Tables, rules: Row, row: Row, one: int, two: int, opened: int, opening: int
) -> None:
    """Make the search for plans ready for a player who opened this way, swaps left aside."""
    lays_off = G.may_lay_off(rules, opened, opening)
    set_up(
        tables, row, one, two, lays_off, opened == L.MELDS, G.may_lay_pairs(rules, row, opened), -1
    )


@apart
def can_finish(tables: Tables, rules: Row, row: Row, one: int, two: int) -> bool:
    """Whether the acting seat can put down all but one tile and discard that (E4)."""
    opened = row[L.OPENED + row[L.TURN]]
    if opened == 0 and G.rack_size(one, two) > 1:
        room = tables[1]
        return finishing_opening(tables, rules, row, one, two, room[R.ENDING : R.ASIDE]) > 0
    return _can_finish(tables, rules, row, one, two, opened)


def _can_finish(tables: Tables, rules: Row, row: Row, one: int, two: int, opened: int) -> bool:
    if G.rack_size(one, two) == 1:
        return True
    _set_up(tables, rules, row, one, two, opened, row[L.NEW_OPENING])
    if lay_all(tables) >= 0:
        return True
    if not rules[L.R_RECLAIM_OKEY]:
        return False
    okey = row[L.OKEY_KIND]
    lays_off = G.may_lay_off(rules, opened, row[L.NEW_OPENING])
    for at in range(L.TABLE, L.TABLE + row[L.N_GROUPS]):
        word = row[at]
        for tile in each(one):
            for way in range(2 if lays_off else 1):
                now_one, now_two = G.minus(one, two, 1 << tile, 0)
                after = G.settled(word, tile, okey) if way else G.reclaimed(word, tile, okey)
                if after < 0:
                    continue
                if not way:
                    now_one, now_two = G.plus(now_one, now_two, 1 << OKEY, 0)
                row[at] = after
                found = _can_finish(tables, rules, row, now_one, now_two, opened)
                row[at] = word
                if found:
                    return True
    return False


def _may_end(tables: Tables, rules: Row, row: Row, one: int, two: int, paired: bool) -> bool:
    """Whether all but one tile of a hand that opens, some lay-offs set aside, might be put down.

    The odd pair (O6), which plans know nothing of, may be anywhere.
    """
    if G.twin_allowed(row, one) >= 0:
        return True
    _set_up(tables, rules, row, one, two, L.MELDS, 1)
    if may_lay_all(tables):
        return True
    if paired:
        return False
    _set_up(tables, rules, row, one, two, L.PAIRS, 1)
    return may_lay_all(tables)


def _ends_worth(tables: Tables, rules: Row, row: Row, one: int, two: int) -> bool:
    """Whether all but one tile can be put down in a turn whose opening might be worth enough."""
    okey, size = row[L.OKEY_KIND], G.rack_size(one, two)
    _set_up(tables, rules, row, one, two, L.MELDS, 1)
    room = tables[1]
    if not G.whole_opens(rules, row) or not reaches_tiles(tables, one, two, okey, size - 1):
        room[R.WEIGH], room[R.LEAST] = 1, G.needed_points(rules, row)
    if lay_all(tables) >= 0:
        return True
    if OP.best_pairs(one, two, okey, -1, -1) < G.needed_pairs(rules, row):
        return False
    _set_up(tables, rules, row, one, two, L.PAIRS, 1)
    return lay_all(tables) >= 0


@apart
def finishing_opening(tables: Tables, rules: Row, row: Row, one: int, two: int, out: Row) -> int:
    """An opening that meets the threshold and lets all the rest but one be laid off; -1 for none.

    The table of the row is changed and put back on the way.
    """
    if G.twin_allowed(row, one) < 0 and not _ends_worth(tables, rules, row, one, two):
        return -1
    room = tables[1]
    room[R.TIME] += 1
    room[R.TRIED] = 0
    return max(-1, _search_opening(tables, rules, row, one, two, out, 0))


def _known(tables: Tables, row: Row, one: int, two: int) -> bool:
    """Whether the search was here before, with this hand and table; it is noted otherwise."""
    room = tables[1]
    key = one * 0x9E3779B97F4A7C1 + (two ^ two >> 29) * 0x85EBCA77C2B2AE3 + room[R.TIME]
    for at in range(L.TABLE, L.TABLE + row[L.N_GROUPS]):
        key = (key ^ key >> 31) * 0x5851F42D4C957F2 + row[at]
    key ^= key >> 29
    place = R.SEEN + (key & R.SEEN_SIZE - 1)
    if room[place] == key:
        return True
    room[place] = key
    return False


def _opening_now(
    tables: Tables, rules: Row, row: Row, one: int, two: int, out: Row, aside: bool, paired: bool
) -> int:
    """An opening of this hand that leaves one tile, -1 for none, -2 where no part of it opens."""
    okey = row[L.OKEY_KIND]
    room = tables[1]
    info = room[R.OPENING_INFO : R.WITH]
    if not aside and G.whole_opens(rules, row):
        count = OP.whole_hand(tables, one, two, okey, out, info)
        if count > 0:
            return count
    need, need_pairs = G.needed_points(rules, row), G.needed_pairs(rules, row)
    enough = reaches_points(tables, one, two, okey, need)
    pairs = 0
    twin = G.twin_allowed(row, one)
    if not aside or (not paired and G.may_lay_off(rules, L.PAIRS, 1)):
        pairs = OP.best_pairs(one, two, okey, -1, twin)
    if not enough and pairs < need_pairs:
        return -2
    size = G.rack_size(one, two)
    if enough and reaches_tiles(tables, one, two, okey, size - 1):
        count = arrange_but_one(tables, TILES, one, two, okey, out, info)
        if count > 0 and info[1] == size - 1 and info[0] >= need:
            return count
    if pairs >= need_pairs and 2 * pairs == size - 1:
        return OP.pick_pairs(one, two, okey, -1, twin, pairs, out)
    return -1


def _search_opening(
    tables: Tables, rules: Row, row: Row, one: int, two: int, out: Row, paired: int
) -> int:
    """Try every way to set lay-offs aside: what is left must be an opening and one tile.

    Its groups, below 0 for none. ``paired`` is 1 where a pair was set aside.
    """
    room = tables[1]
    room[R.TRIED] += 1
    aside = room[R.TRIED] > 1
    late = 0 < room[R.HURRY] < room[R.TRIED] and not row[L.MUST_FINISH]
    if late or _known(tables, row, one, two):
        return -1
    if aside and not _may_end(tables, rules, row, one, two, paired == 1):
        return -1
    found = _opening_now(tables, rules, row, one, two, out, aside, paired == 1)
    okey, nth = row[L.OKEY_KIND], 0
    while found == -1:
        action = _set_aside(tables, rules, row, one, two, nth)
        nth += 1
        if action < 0:
            break
        if action & L.OP == L.A_MELD:
            place, pair = 0, 1
            less_one, less_two = G.rack_of(action >> 4, okey)
            word = after = row[L.TABLE]
        else:
            tile, place, pair = action >> 4 & 63, action >> 10 & 63, 0
            less_one, less_two = 1 << tile, 0
            word = row[L.TABLE + place]
            after = G.extended(word, tile, action >> 16 & 63, okey)
        row[L.TABLE + place] = after
        now_one, now_two = G.minus(one, two, less_one, less_two)
        found = _search_opening(tables, rules, row, now_one, now_two, out, paired | pair)
        row[L.TABLE + place] = word
        found = max(-1, found)
    return found


def _set_aside(tables: Tables, rules: Row, row: Row, one: int, two: int, nth: int) -> int:
    """The next tile or pair of a hand that can be laid aside, as an action; -1 for none."""
    okey, size = row[L.OKEY_KIND], G.rack_size(one, two)
    actions, count = tables[1][R.ASIDE : R.TIME], 0
    if G.may_lay_off(rules, L.MELDS, 1) and size > 1:
        count = G.lays(row, one, okey, actions, count)
    if G.may_lay_pairs(rules, row, L.MELDS) and size > 2:
        kinds_one, kinds_two, okeys = G.kinds(one, two, okey)
        count = G.pairs(kinds_one, kinds_two, okeys, okey, actions, count)
    return actions[nth] if nth < count else -1


@apart
def opening(tables: Tables, rules: Row, row: Row, one: int, two: int, out: Row) -> int:
    """The legal opening in sets and runs worth most, -1 for none (O1, O4).

    After the indicator was drawn it is an opening, pairs included, that can finish (E4).
    """
    if row[L.MUST_FINISH]:
        return finishing_opening(tables, rules, row, one, two, out)
    okey, taken = row[L.OKEY_KIND], row[L.TAKEN]
    room = tables[1]
    info = room[R.OPENING_INFO : R.WITH]
    if OP.melds_reach(tables, one, two, okey, taken, G.needed_points(rules, row)):
        count = OP.best_melds(tables, one, two, okey, taken, out, info)
        if count >= 0:
            return count
    if G.whole_opens(rules, row):
        return OP.whole_hand(tables, one, two, okey, out, info)
    return -1


@apart
def opening_pairs(tables: Tables, rules: Row, row: Row, one: int, two: int, out: Row) -> int:
    """A legal opening with as many pairs as possible, -1 for none (O2, O6)."""
    if row[L.MUST_FINISH]:
        return -1
    most = OP.most_pairs(tables, row, one, two)
    if most < G.needed_pairs(rules, row):
        return -1
    okey, twin = row[L.OKEY_KIND], G.twin_allowed(row, one)
    return OP.pick_pairs(one, two, okey, row[L.TAKEN], twin, most, out)


adopt(__name__)
