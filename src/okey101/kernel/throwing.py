"""What ``greedy`` throws, compiled: the highest tile that costs no fine and is of no use."""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from okey101.kernel.arranging import arrange_but_one, left_tiles
from okey101.kernel.compiling import Row, apart, first_bit, inner, popcount
from okey101.kernel.groups import copies, natural, plus, rack_size, tile_kind, tiles_in
from okey101.kernel.layout import INDICATOR, OKEY_KIND, TAKEN, THROWN
from okey101.kernel.openings import best_pairs, needed_pairs, needed_points, twin_allowed
from okey101.kernel.solver import POINTS
from okey101.kernel.steps import discard_fine
from okey101.kernel.tables import Tables
from okey101.tiles import OKEY

__all__ = ["discard_cost", "loose_tiles", "near", "note_left", "throw_useless"]

_LEFT_ONE = 7600
_LEFT_TWO = 7601
_INFO = 7610
_OUT = 7620
_PAIRED = 8200


@apart
def throw_useless(
    tables: Tables, rules: Row, row: Row, one: int, two: int, unopened: bool, points: int
) -> int:
    """The highest tile that costs no fine and is of no use; if there is none, the least useful."""
    if popcount(one) == 1 and not two:
        return first_bit(one)
    okey = row[OKEY_KIND]
    loose_one, loose_two = loose_tiles(tables, rules, row, one, two, unopened, points)
    mine, _ = natural(loose_one, loose_two, okey)
    seen_one, seen_two = plus(row[THROWN], row[THROWN + 1], one, two)
    if okey >= 0:
        seen_one, seen_two = plus(seen_one, seen_two, 1 << row[INDICATOR], 0)
    seen_one, seen_two = natural(seen_one, seen_two, okey)
    best, chosen = 1 << 40, -1
    held = one
    while held:
        tile = first_bit(held)
        held &= held - 1
        cost = discard_cost(rules, row, tile, loose_one, mine, seen_one, seen_two)
        if cost < best:
            best, chosen = cost, tile
    return chosen


@inner
def discard_cost(
    rules: Row, row: Row, tile: int, loose_one: int, mine: int, seen_one: int, seen_two: int
) -> int:
    """By what ``greedy`` ranks a discard: its fine, the okey, tiles in use, company, the number.

    ``mine`` are the kinds of the tiles that are loose, ``seen`` those of all that are seen.
    """
    cost = discard_fine(rules, row, tile) << 20
    if tile == OKEY:
        cost |= 1 << 19
    kind = tile_kind(tile, row[OKEY_KIND])
    if not loose_one >> tile & 1:
        cost |= 1 << 18
    elif kind >= 0:
        cost |= near(kind, mine, seen_one, seen_two) << 4
    return cost | (12 - kind % 13 if kind >= 0 else 13)


@inner
def note_left(tables: Tables, left_one: int, left_two: int) -> None:
    """Note the tiles that the best arrangement leaves, for :func:`loose_tiles` of one unopened."""
    tables[1][_LEFT_ONE], tables[1][_LEFT_TWO] = left_one, left_two


@inner
def loose_tiles(
    tables: Tables, rules: Row, row: Row, one: int, two: int, unopened: bool, points: int
) -> tuple[int, int]:
    """The tiles outside the best arrangement: of pairs where these are nearer."""
    okey = row[OKEY_KIND]
    room = tables[1]
    if unopened:
        left_one, left_two = room[_LEFT_ONE], room[_LEFT_TWO]
        if points < needed_points(rules, row) * 2 // 3:
            most = best_pairs(one, two, okey, row[TAKEN], twin_allowed(row, one))
            if needed_pairs(rules, row) - most <= 1:
                return _left_of_pairs(tables, one, two, okey)
    else:
        _, left_one, left_two = left_tiles(tables, one, two, okey)
    if left_one:
        return left_one, left_two
    info, out = room[_INFO : _INFO + 8], room[_OUT : _OUT + 64]
    arrange_but_one(tables, POINTS, one, two, okey, out, info)
    return info[2], info[3]


@inner
def _left_of_pairs(tables: Tables, one: int, two: int, okey: int) -> tuple[int, int]:
    """The tiles outside the best pairs: as many as can be, then of most points (O2)."""
    kinds_one, kinds_two = natural(one, two, okey)
    okeys = copies(one, two, OKEY)
    size = rack_size(one, two)
    most = (size - 1) // 2
    if not okeys and popcount(kinds_two) <= most:
        return tiles_in(kinds_one & ~kinds_two, okey), 0
    # What can still be had from a kind on, with so many okeys and pairs left.
    room = tables[1]
    n = 0
    rest = kinds_one
    while rest:
        room[_PAIRED + n] = first_bit(rest)
        rest &= rest - 1
        n += 1
    if okeys == 2:
        room[_PAIRED + n] = 12
    ends = n + (1 if okeys == 2 else 0)
    table = _PAIRED + 32
    for spare in range(3 * 12):
        room[table + ends * 36 + spare] = 0
    for place in range(ends - 1, -1, -1):
        for spare in range(okeys + 1):
            for pairs in range(most + 1):
                best = 0
                for option in range(4):
                    used, made = _pairing(tables, kinds_two, place, n, option)
                    if made < 0 or used > spare or made > pairs:
                        continue
                    value = made * (1024 + 2 * (room[_PAIRED + place] % 13 + 1))
                    value += room[table + (place + 1) * 36 + (spare - used) * 12 + pairs - made]
                    best = max(best, value)
                room[table + place * 36 + spare * 12 + pairs] = best
    spare, pairs = okeys, most
    for place in range(ends):
        wanted = room[table + place * 36 + spare * 12 + pairs]
        for option in range(4):
            used, made = _pairing(tables, kinds_two, place, n, option)
            if made < 0 or used > spare or made > pairs:
                continue
            value = made * (1024 + 2 * (room[_PAIRED + place] % 13 + 1))
            value += room[table + (place + 1) * 36 + (spare - used) * 12 + pairs - made]
            if value != wanted:
                continue
            spare -= used
            pairs -= made
            if place < n and made:
                bit = 1 << room[_PAIRED + place]
                tiles = 2 if used == 0 else used
                for _ in range(tiles):
                    if kinds_two & bit:
                        kinds_two ^= bit
                    else:
                        kinds_one ^= bit
            break
    left_one, left_two = tiles_in(kinds_one, okey), tiles_in(kinds_two, okey)
    if spare:
        left_one |= 1 << OKEY
    if spare == 2:
        left_two |= 1 << OKEY
    return left_one, left_two


@inner
def _pairing(tables: Tables, two: int, place: int, n: int, option: int) -> tuple[int, int]:
    """Okeys and pairs of a way to pair a kind's copies; -1 pairs where there is no such way.

    None, a natural pair, and one or two okeys; for the two okeys alone none or both.
    """
    if option == 0:
        return 0, 0
    if place == n:
        return (2, 1) if option == 1 else (0, -1)
    double = two >> tables[1][_PAIRED + place] & 1 == 1
    if option == 1:
        return (0, 1) if double else (0, -1)
    if option == 2:
        return 1, 1
    return (2, 2) if double else (0, -1)


@inner
def near(kind: int, mine: int, seen_one: int, seen_two: int) -> int:
    """How many unseen tiles would make a meld of this loose tile and another loose one."""
    colour, number = kind // 13, kind % 13
    completing = 0
    column = (1 | 1 << 13 | 1 << 26 | 1 << 39) << number & ~(1 << kind)
    others = mine & column
    if others:
        completing = column if others & (others - 1) else column & ~others
    base = 13 * colour
    own = mine >> base & 0x1FFF
    # Two places of room below, so that nothing is shifted out.
    held = own << 2 >> number & 31
    found = 0
    if held & 8:
        found |= 2 | 16
    if held & 16:
        found |= 8
    if held & 2:
        found |= 1 | 8
    if held & 1:
        found |= 2
    completing |= ((found << number >> 2) & 0x1FFF) << base
    return popcount(completing & ~seen_one) + popcount(completing & ~seen_two)
