"""What a hand that has not opened could open with, compiled (O1, O2, O4, O6, X1, X5).

The twin of :mod:`okey101.game.openings`.
"""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from okey101.kernel import groups as G, layout as L, room as R, solver as S
from okey101.kernel.arranging import arrange, arrange_but_one, less_group, order_groups, tell
from okey101.kernel.compiling import Row, adopt, apart
from okey101.kernel.plain import each, popcount
from okey101.kernel.solver import Tables
from okey101.tiles import OKEY

# A quick look at a hand: most hold no opening with sets and runs, and that shows at once.

_OKEY_ADDS = 55
"""What an okey and the tiles that need it add to a hand at most: 9 10 *11 12 13."""
_OKEY_TILES = 5


def hopeless(one: int, two: int, okey: int, need: int, whole: int) -> bool:
    """Whether the hand is too poor for sets and runs worth ``need``, and for all tiles but one.

    ``whole`` is 1 where the whole hand opens (O4). What can lie in a group of natural tiles counts
    in full, and each okey as much as it could ever add, so nothing that opens is hopeless.
    """
    kinds, twins, okeys = G.kinds(one, two, okey)
    used = G.meldable(kinds, 0) & kinds
    again = used & twins
    if G.number_sum(used) + G.number_sum(again) + okeys * _OKEY_ADDS >= need:
        return False
    size = popcount(one) + popcount(two)
    tiles = popcount(used) + popcount(again) + okeys * _OKEY_TILES
    return not whole or tiles < size - 1


def pairs_with(one: int, two: int, okey: int, must: int) -> int:
    """The most pairs of a hand, 0 if ``must`` (-1: no tile) can't be among them."""
    if must >= 0 and must != OKEY and not one >> OKEY & 1 and G.copies(one, two, must) < 2:
        return 0
    return G.count_pairs(one, two, okey)


@apart
def best_pairs(one: int, two: int, okey: int, must: int, twin: int) -> int:
    """The most pairs that an opening could lay, with a tile left to discard (O2, O6)."""
    most = pairs_with(one, two, okey, must)
    if twin >= 0:
        rest_one, rest_two = G.minus(one, two, 1 << twin, 0)
        for tile in each(rest_one):
            after_one, after_two = G.minus(rest_one, rest_two, 1 << tile, 0)
            if must < 0 or must in (twin, tile):
                most = max(most, 1 + G.count_pairs(after_one, after_two, okey))
            else:
                paired = pairs_with(after_one, after_two, okey, must)
                if paired:
                    most = max(most, 1 + paired)
    return min(most, (G.rack_size(one, two) - 1) // 2)


def most_pairs(tables: Tables, row: Row, one: int, two: int) -> int:
    """The same for the seat to act, with the discard that it took."""
    return best_pairs(one, two, row[L.OKEY_KIND], row[L.TAKEN], G.twin_allowed(row, one))


def _plain_pairs(one: int, two: int, okey: int, must: int, wanted: int, out: Row, at: int) -> int:
    """That many pairs with ``must`` among them, written to ``out`` from ``at``; or -1."""
    if not wanted:
        return -1 if must >= 0 else 0
    if must >= 0 and not pairs_with(one, two, okey, must):
        return -1
    kinds_one, kinds_two, left = G.kinds(one, two, okey)
    must_kind = G.tile_kind(must, okey) if must >= 0 else -1
    count = 0
    # In the order of tiles: a false joker comes last.
    for tile in each(G.tiles_in(kinds_two, okey)):
        out[at + count] = G.pair_word(G.tile_kind(tile, okey), 0)
        count += 1
    singles = kinds_one & ~kinds_two
    while left and singles:
        # The tile itself, then the highest number; a false joker is the last of its number.
        chosen, chosen_number = -1, -1
        for kind in each(singles):
            number = 99 if kind == must_kind else kind % 13 * 2 + (0 if kind == okey else 1)
            if number > chosen_number:
                chosen, chosen_number = kind, number
        singles &= ~(1 << chosen)
        out[at + count] = G.pair_word(chosen, 1)
        count += 1
        left -= 1
    if left == 2:
        out[at + count] = G.pair_word(okey % 13 if okey >= 0 else 0, 2)
        count += 1
    elif left == 1 and must == OKEY and count:
        out[at + count - 1] = G.pair_word(out[at + count - 1] >> 2 & 63, 1)
    if count < wanted:
        return -1
    if must >= 0:
        # Those with the tile come first, in their order.
        front = 0
        for place in range(count):
            word = out[at + place]
            wild, kind = word >> 8 & 3, word >> 2 & 63
            holds = wild > 0 if must == OKEY else wild < 2 and kind == must_kind
            if holds:
                for back in range(place, front, -1):
                    out[at + back] = out[at + back - 1]
                out[at + front] = word
                front += 1
    return wanted


@apart
def pick_pairs(one: int, two: int, okey: int, must: int, twin: int, wanted: int, out: Row) -> int:
    """That many pairs of an unopened hand, as :func:`best_pairs` promised them."""
    count = _plain_pairs(one, two, okey, must, wanted, out, 0)
    if count >= 0 or twin < 0:
        return count
    rest_one, rest_two = G.minus(one, two, 1 << twin, 0)
    for tile in each(rest_one & ~(1 << OKEY)):
        after_one, after_two = G.minus(rest_one, rest_two, 1 << tile, 0)
        wanting = -1 if must in (twin, tile) else must
        count = _plain_pairs(after_one, after_two, okey, wanting, wanted - 1, out, 1)
        if count >= 0:
            out[0] = G.pair_word(twin, 0) if tile == twin else G.odd_word(twin, tile)
            return count + 1
    return -1


def _better(a: int, b: int, okey: int) -> bool:
    """Whether a group is tried before another: the one that counts more, then by its pieces."""
    if b < 0 or G.meld_points(a) != G.meld_points(b):
        return b < 0 or G.meld_points(a) > G.meld_points(b)
    for place in range(6):
        piece_a, piece_b = G.piece(a, place, okey), G.piece(b, place, okey)
        if piece_a != piece_b:
            return piece_a < piece_b
        if piece_a < 0:
            break
    return False


def _weigh(tables: Tables, one: int, two: int, okey: int, word: int, most: int, chosen: int) -> int:
    """The points with a group laid and the rest at its best, if that is chosen; else -1."""
    rest_one, rest_two = less_group(one, two, word, okey)
    points = G.meld_points(word)
    floor = max(128 * (most - points) - 1, -1)
    total = points + S.weighed(tables, S.POINTS, rest_one, rest_two, okey, floor) // 128
    if total < most or (total == most and not _better(word, chosen, okey)):
        return -1
    return total


@apart
def _group_with(tables: Tables, one: int, two: int, okey: int, must: int) -> int:
    """The group with a tile that is best together with all the rest, -1 for none."""
    kinds, _, okeys = G.kinds(one, two, okey)
    groups = tables[1][R.WITH : R.ENDING]
    count = G.runs(kinds, okeys, 5, groups, 0)
    count = G.sets(kinds, okeys, 4, groups, count)
    chosen, most = -1, 0
    for nth in range(count):
        word = groups[nth] >> 4
        held, _ = G.rack_of(word, okey)
        # Longer runs are made of these, and an okey of no colour is as good as one of some.
        if held >> must & 1 and (word & 3 == L.RUN or not word >> 14 & 3):
            total = _weigh(tables, one, two, okey, word, most, chosen)
            if total >= 0:
                chosen, most = word, total
    return chosen


@apart
def _melding(tables: Tables, one: int, two: int, okey: int, must: int, out: Row, info: Row) -> int:
    """The most points with a tile among them; the whole hand may be melded. -1 for none."""
    count = arrange(tables, S.POINTS, one, two, okey, out, info)
    if G.copies(info[2], info[3], must) < G.copies(one, two, must):
        return count
    chosen = _group_with(tables, one, two, okey, must)
    if chosen < 0:
        return -1
    rest_one, rest_two = less_group(one, two, chosen, okey)
    count = arrange(tables, S.POINTS, rest_one, rest_two, okey, out, info)
    out[count] = chosen
    order_groups(out, count + 1, okey)
    tell(one, two, okey, out, count + 1, info)
    return count + 1


@apart
def best_melds(
    tables: Tables, one: int, two: int, okey: int, must: int, out: Row, info: Row
) -> int:
    """The most points in sets and runs with a tile left to discard; -1 if ``must`` can't be."""
    if must < 0:
        return arrange_but_one(tables, S.POINTS, one, two, okey, out, info)
    count = _melding(tables, one, two, okey, must, out, info)
    if count < 0 or info[2]:
        return count
    best, without = -1, -1
    for tile in each(one if G.copies(one, two, must) > 1 else one & ~(1 << must)):
        less_one, less_two = G.minus(one, two, 1 << tile, 0)
        if _melding(tables, less_one, less_two, okey, must, out, info) >= 0:
            value = info[0] * 128 + info[1]
            if value > best:
                best, without = value, tile
    if without < 0:
        return -1
    less_one, less_two = G.minus(one, two, 1 << without, 0)
    count = _melding(tables, less_one, less_two, okey, must, out, info)
    tell(one, two, okey, out, count, info)
    return count


@apart
def melds_reach(tables: Tables, one: int, two: int, okey: int, must: int, need: int) -> bool:
    """Whether sets and runs worth so much can be laid with a tile left, ``must`` among them."""
    if not S.reaches_points(tables, one, two, okey, need):
        return False
    room = tables[1]
    out, info = room[R.REACH_GROUPS : R.OPENING_INFO], room[R.REACH_INFO : R.REACH_GROUPS]
    if must >= 0:
        less_one, less_two = G.minus(one, two, 1 << must, 0)
        if S.reaches_points(tables, less_one, less_two, okey, need):
            count = best_melds(tables, one, two, okey, must, out, info)
            return count >= 0 and info[0] >= need
    if not S.reaches_tiles(tables, one, two, okey, G.rack_size(one, two)):
        return True
    count = best_melds(tables, one, two, okey, must, out, info)
    return count >= 0 and info[0] >= need


@apart
def whole_hand(tables: Tables, one: int, two: int, okey: int, out: Row, info: Row) -> int:
    """Sets and runs of all tiles but one; -1 where there are none (O4)."""
    size = G.rack_size(one, two)
    if size < 2 or not S.reaches_tiles(tables, one, two, okey, size - 1):
        return -1
    count = arrange_but_one(tables, S.TILES, one, two, okey, out, info)
    return count if info[1] == size - 1 else -1


@apart
def can_open(tables: Tables, rules: Row, row: Row, one: int, two: int, must: int) -> bool:
    """Whether a hand can open with a taken discard, ``must``, in it (O1, O2, R17)."""
    okey = row[L.OKEY_KIND]
    if best_pairs(one, two, okey, must, G.twin_allowed(row, one)) >= G.needed_pairs(rules, row):
        return True
    if must != OKEY:
        kinds, _, okeys = G.kinds(one, two, okey)
        if not G.meldable(kinds, okeys) >> G.tile_kind(must, okey) & 1:
            return False
    need = G.needed_points(rules, row)
    if hopeless(one, two, okey, need, 0):
        return False
    return melds_reach(tables, one, two, okey, must, need)  # type: ignore[no-any-return]


adopt(__name__)
