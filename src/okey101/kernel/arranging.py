"""Arrangements, compiled: from what the search chose to groups and to what is left of a rack.

The twin of :mod:`okey101.solver.tables`, :mod:`okey101.solver.arrangement` and ``arrange_bits``.
"""

# pyright: reportArgumentType=false, reportAssignmentType=false, reportReturnType=false
from __future__ import annotations

import numpy as np

from okey101.kernel import groups as G, layout as L, room as R, solver as S
from okey101.kernel.compiling import Cells, Row, adopt, apart
from okey101.kernel.plain import each, popcount
from okey101.kernel.solver import Tables
from okey101.tiles import FALSE_JOKER


def _weight(objective: int, first: int, size: int) -> int:
    """What a run weighs that begins with a number."""
    numbers = size * (2 * first + size - 1) // 2
    return 128 * numbers + size if objective == S.POINTS else 1024 * size + numbers


def _first_run(
    tables: Tables, runs: Cells, objective: int, one: int, okeys: int, index: int, start: int
) -> tuple[int, int, int]:
    """The first of the best runs: its number, its size, and where okeys lie; no size for none."""
    room = tables[1]
    value = S.weight_of_runs(runs, index, okeys)
    for first in range(start, 12 if value else 0):
        if not okeys and one >> first - 1 & 7 != 7:
            continue
        for used in range(okeys + 1):
            for size in range(min(5, 14 - first), 2, -1):
                full = (1 << size) - 1
                lacks = ~(one >> first - 1) & full
                if popcount(lacks) > used:
                    continue
                weight = _weight(objective, first, size)
                for i in range(size if used else 1):
                    for j in range(i + 1, size if used == 2 else i + 2):
                        wild = 0 if not used else 1 << i if used == 1 else 1 << i | 1 << j
                        if wild & lacks != lacks:
                            continue
                        kinds = (full ^ wild) << first - 1
                        rest = index - room[R.LOW + (kinds & 127)] - room[R.HIGH + (kinds >> 7)]
                        if weight + S.weight_of_runs(runs, rest, okeys - used) == value:
                            return first, size, wild
    return 0, 0, 0


@apart
def _peel(
    tables: Tables, objective: int, one: int, two: int, okeys: int, colour: int, noting: bool
) -> int:
    """Take the best runs of a colour off, one by one: what is left of its masks and okeys.

    The masks have 13 bits each; the three are packed into one integer.
    """
    room, runs = tables[1], tables[0][objective]
    start = 1
    while True:
        index = S.colour_index(tables, one, two, 0)
        start, size, wild = _first_run(tables, runs, objective, one, okeys, index, start)
        if not size:
            return one | two << 13 | okeys << 26
        for place in range(size if noting else 0):
            at = R.USAGE + (start + place) * R.STEP + colour
            room[at + (R.U_RUN_OKEYS if wild >> place & 1 else 0)] += 1
        one, two = G.minus(one, two, ((1 << size) - 1 ^ wild) << start - 1, 0)
        okeys -= popcount(wild)


def _usages(
    tables: Tables, objective: int, one: int, two: int, okeys: int, noting: bool
) -> tuple[int, int, int]:
    """What is left of natural tiles and okeys once all is laid that the search has chosen.

    With ``noting``, what each number gives to runs and sets is noted in the room.
    """
    room = tables[1]
    if noting:
        for at in range(R.USAGE, R.OPEN):
            room[at] = 0
    for number in range(1, 14):
        option = room[R.CHOSEN + number]
        if option < 0:
            continue
        at = R.USAGE + number * R.STEP
        if noting:
            room[at + R.U_SET_OKEYS] = room[option] >> 4 & 3
        okeys -= room[option] >> 4 & 3
        for colour in range(4):
            copies_taken = room[option] >> 8 + 2 * colour & 3
            if noting:
                room[at + R.U_SETS + colour] = copies_taken
            for _ in range(copies_taken):
                one, two = G.minus(one, two, 1 << 13 * colour + number - 1, 0)
    shares = 0
    if okeys:
        runs = tables[0][objective]
        first, most = 0, -1
        for colour in range(4):
            more = np.int64(runs[4 * S.colour_index(tables, one, two, colour) + 1])
            if more > most:
                first, most = colour, more
        shares = 1 << 4 * first
        if okeys == 2:
            second, next_most, double, both = 0, -1, 0, -1
            for colour in range(4):
                index = S.colour_index(tables, one, two, colour)
                if colour != first and np.int64(runs[4 * index + 1]) > next_most:
                    second, next_most = colour, np.int64(runs[4 * index + 1])
                if np.int64(runs[4 * index + 2]) > both:
                    double, both = colour, np.int64(runs[4 * index + 2])
            shares = 2 << 4 * double if both >= most + next_most else shares + (1 << 4 * second)
    left_one = left_two = left_okeys = 0
    for colour in range(4):
        own, twins = one >> 13 * colour & 0x1FFF, two >> 13 * colour & 0x1FFF
        share = shares >> 4 * colour & 3
        if own & own >> 1 & own >> 2 or share:
            packed = _peel(tables, objective, own, twins, share, colour, noting)
            own, twins, share = packed & 0x1FFF, packed >> 13 & 0x1FFF, packed >> 26
        left_one |= own << 13 * colour
        left_two |= twins << 13 * colour
        left_okeys += share
    return left_one, left_two, left_okeys


def _number(word: int) -> int:
    """The number of a set or a pair."""
    return (word >> 2 & 63) % 13 + 1 if word & 3 == L.PAIR else word >> 2 & 15


def _run_words(tables: Tables, colour: int, out: Row, count: int) -> int:
    """The runs of a colour, each going on as long as it can, noted behind ``count`` words."""
    room = tables[1]
    running = 0
    for number in range(1, 15):
        real = tiles = 0
        if number < 14:
            used = R.USAGE + number * R.STEP + colour
            real, tiles = room[used], room[used] + room[used + R.U_RUN_OKEYS]
        if not tiles and not running:
            continue
        now = 0
        # Short runs have to go on; long ones do while there are tiles.
        for turn in range(2):
            for which in range(running):
                at = R.OPEN + which * 4
                short = number - room[at] < 3
                if short != (turn == 0):
                    continue
                if not short and now >= tiles:
                    out[count] = G.run_word(
                        colour, room[at], number - 1, room[at + 1], room[at + 2]
                    )
                    count += 1
                    continue
                for field in range(3):
                    room[R.NEXT + now * 4 + field] = room[at + field]
                now += 1
        while now < tiles:
            room[R.NEXT + now * 4] = number
            room[R.NEXT + now * 4 + 1] = 0
            room[R.NEXT + now * 4 + 2] = 0
            now += 1
        running = now
        for which in range(running):
            at = R.OPEN + which * 4
            for field in range(3):
                room[at + field] = room[R.NEXT + which * 4 + field]
            if which >= real:
                room[at + (2 if room[at + 1] else 1)] = number
    return count


def _set_words(tables: Tables, number: int, out: Row, count: int) -> int:
    """The sets of a number, noted behind ``count`` words."""
    room = tables[1]
    at = R.USAGE + number * R.STEP
    pieces = room[at + R.U_SET_OKEYS]
    for colour in range(4):
        pieces += room[at + R.U_SETS + colour]
    if not pieces:
        return count
    sets = (pieces + 3) // 4
    for which in range(sets):
        room[R.OPEN + which * 2] = room[R.OPEN + which * 2 + 1] = 0
    turn = 0
    for colour in range(4):
        for _ in range(room[at + R.U_SETS + colour]):
            room[R.OPEN + turn % sets * 2] |= 1 << colour
            turn += 1
    for _ in range(room[at + R.U_SET_OKEYS]):
        group = R.OPEN + turn % sets * 2
        free = 15 & ~(room[group] | room[group + 1])
        room[group + 1] |= free & -free
        turn += 1
    for which in range(sets):
        group = R.OPEN + which * 2
        out[count + which] = G.set_word(number, room[group], room[group + 1], 0)
    return count + sets  # type: ignore[no-any-return]


def _kind_at(word: int, place: int, okey: int) -> int:
    """The kind of a piece of a group; -1 beyond its end."""
    piece = G.piece(word, place, okey)
    return okey if piece == FALSE_JOKER else piece & 63 if piece >= 0 else -1


def _before(a: int, b: int, okey: int) -> bool:
    """Whether a group stands before another: runs by colour, then sets and pairs by number.

    Of those that are equal so far, kind by kind, then a natural tile before an okey.
    """
    run = a & 3 == L.RUN
    if run != (b & 3 == L.RUN):
        return run
    if not run and _number(a) != _number(b):
        return _number(a) < _number(b)
    for place in range(14):
        kind_a, kind_b = _kind_at(a, place, okey), _kind_at(b, place, okey)
        if kind_a != kind_b:
            return kind_a < kind_b
        if kind_a < 0:
            break
    for place in range(14):
        piece_a, piece_b = G.piece(a, place, okey), G.piece(b, place, okey)
        if piece_a != piece_b or piece_a < 0:
            return piece_a < piece_b
    return False


@apart
def order_groups(out: Row, count: int, okey: int) -> None:
    """Put groups in the order in which arrangements have them."""
    for place in range(1, count):
        word = out[place]
        at = place
        while at and _before(word, out[at - 1], okey):
            out[at] = out[at - 1]
            at -= 1
        out[at] = word


def less_group(one: int, two: int, word: int, okey: int) -> tuple[int, int]:
    """A rack without the tiles of a group."""
    group_one, group_two = G.rack_of(word, okey)
    return G.minus(one, two, group_one, group_two)


@apart
def arrange(
    tables: Tables, objective: int, one: int, two: int, okey: int, out: Row, info: Row
) -> int:
    """The best arrangement of a rack: its groups in order, and how many they are.

    ``info`` tells points, tiles, and the two masks of what is left.
    """
    kinds_one, kinds_two, okeys = G.kinds(one, two, okey)
    S.search(tables, objective, kinds_one, kinds_two, okeys, -1)
    _usages(tables, objective, kinds_one, kinds_two, okeys, True)
    count = 0
    for colour in range(4):
        count = _run_words(tables, colour, out, count)
    for number in range(1, 14):
        count = _set_words(tables, number, out, count)
    order_groups(out, count, okey)
    tell(one, two, okey, out, count, info)
    return count


@apart
def tell(one: int, two: int, okey: int, out: Row, count: int, info: Row) -> None:
    """Write the points, the tiles, and what is left of a hand, of so many groups to ``info``."""
    info[0] = info[1] = 0
    for which in range(count):
        info[0] += G.meld_points(out[which])
        info[1] += G.length(out[which])
        one, two = less_group(one, two, out[which], okey)
    info[2], info[3] = one, two


@apart
def arrange_but_one(
    tables: Tables, objective: int, one: int, two: int, okey: int, out: Row, info: Row
) -> int:
    """The best arrangement that leaves a tile; -1 for an empty rack."""
    if not one:
        return -1
    count = arrange(tables, objective, one, two, okey, out, info)
    if info[2]:
        return count
    most, without = -1, 0
    for tile in each(one):
        less_one, less_two = G.minus(one, two, 1 << tile, 0)
        weight = S.weighed(tables, objective, less_one, less_two, okey, most)
        if weight > most:
            most, without = weight, tile
    less_one, less_two = G.minus(one, two, 1 << without, 0)
    count = arrange(tables, objective, less_one, less_two, okey, out, info)
    tell(one, two, okey, out, count, info)
    return count


@apart
def left_tiles(tables: Tables, one: int, two: int, okey: int) -> tuple[int, int, int]:
    """The points of the best arrangement, and the tiles that it leaves."""
    weight, left_one, left_two = _left(tables, S.POINTS, one, two, okey, -1)
    return weight // 128, left_one, left_two


@apart
def values_without(
    tables: Tables, tiles: bool, one: int, two: int, okey: int, floor: int, enough: int, count: int
) -> int:
    """The points of a rack, or its tiles in melds, and those without each tile of the batch.

    As :func:`okey101.kernel.asked.values_without` tells.
    """
    room = tables[1]
    objective, unit = (S.TILES, 1024) if tiles else (S.POINTS, 128)
    weight, spare, _ = _left(tables, objective, one, two, okey, unit * floor + unit - 1)
    most = weight // unit
    if most <= floor:
        return most
    for at in range(R.BATCH, R.BATCH + 2 * count, 2):
        if room[at + 1] >= min(most, enough):
            continue
        if spare >> room[at] & 1:
            room[at + 1] = most
            continue
        less_one, less_two = G.minus(one, two, 1 << room[at], 0)
        least = unit * room[at + 1] + unit - 1
        room[at + 1] = S.weighed(tables, objective, less_one, less_two, okey, least) // unit
    return most


@apart
def _left(
    tables: Tables, objective: int, one: int, two: int, okey: int, floor: int
) -> tuple[int, int, int]:
    """The weight of the best arrangement and the tiles that it leaves; ``floor`` for no more."""
    kinds_one, kinds_two, okeys = G.kinds(one, two, okey)
    if not okeys and not kinds_one & G.meldable(kinds_one, 0):
        return max(0, floor), one, two
    weight = S.search(tables, objective, kinds_one, kinds_two, okeys, floor)
    if weight <= floor:
        return floor, 0, 0
    left_one, left_two, okeys = _usages(tables, objective, kinds_one, kinds_two, okeys, False)
    left_one, left_two = G.tiles_of(left_one, left_two, okeys, okey)
    return weight, left_one, left_two


@apart
def left_but_one(tables: Tables, one: int, two: int, okey: int) -> tuple[int, int]:
    """The tiles that the best arrangement leaves, one at least."""
    info, out = tables[1][R.LEFT_INFO : R.LEFT_GROUPS], tables[1][R.LEFT_GROUPS : R.PAIRED]
    arrange_but_one(tables, S.POINTS, one, two, okey, out, info)
    return info[2], info[3]


@apart
def left_of_pairs(tables: Tables, one: int, two: int, okey: int) -> tuple[int, int]:
    """The tiles outside the best pairs: as many as can be, then of most points (O2)."""
    kinds_one, kinds_two, okeys = G.kinds(one, two, okey)
    pairs = (G.rack_size(one, two) - 1) // 2
    if not okeys and popcount(kinds_two) <= pairs:
        return G.tiles_in(kinds_one & ~kinds_two, okey), 0
    # What can still be had from a kind on, with so many okeys and pairs left.
    room = tables[1]
    n = 0
    for kind in each(kinds_one):
        room[R.PAIRED + n] = kind
        n += 1
    if okeys == 2:
        room[R.PAIRED + n] = 12
    ends = n + (1 if okeys == 2 else 0)
    for at in range(R.PAIR_ROW):
        room[R.PAIRED_BEST + ends * R.PAIR_ROW + at] = 0
    for place in range(ends - 1, -1, -1):
        for spare in range(okeys + 1):
            for wanted in range(pairs + 1):
                best = 0
                for way in each(_ways(room, kinds_two, place, n)):
                    best = max(best, _with_pairs(room, place, spare, wanted, way))
                room[_best_at(place, spare, wanted)] = best
    for place in range(ends):
        best = room[_best_at(place, okeys, pairs)]
        for way in each(_ways(room, kinds_two, place, n)):
            if _with_pairs(room, place, okeys, pairs, way) == best:
                okeys -= _USED[way]
                pairs -= _MADE[way]
                for _ in range(_TAKEN[way]):
                    kind = 1 << room[R.PAIRED + place]
                    kinds_one, kinds_two = G.minus(kinds_one, kinds_two, kind, 0)
                break
    return G.tiles_of(kinds_one, kinds_two, okeys, okey)


def _best_at(place: int, okeys: int, pairs: int) -> int:
    """Where in the room the most is noted that pairs of the kinds from a place on come to."""
    return R.PAIRED_BEST + place * R.PAIR_ROW + okeys * R.PAIR_OKEYS + pairs


# Ways to pair the copies of a kind: none, a natural pair, one okey, two; and two okeys alone.
_USED, _MADE, _TAKEN = (0, 0, 1, 2, 2), (0, 1, 1, 2, 1), (0, 2, 1, 2, 0)
"""Okeys, pairs, and tiles of the kind."""


def _ways(room: Row, two: int, place: int, n: int) -> int:
    """The ways to pair the kind at a place, as a mask; behind the ``n`` kinds are the two okeys."""
    if place == n:
        return 0b10001
    return 0b01111 if two >> room[R.PAIRED + place] & 1 else 0b00101


def _with_pairs(room: Row, place: int, okeys: int, pairs: int, way: int) -> int:
    """What pairs from a place on come to where they are made so there; -1 where they can't be."""
    used, made = _USED[way], _MADE[way]
    if used > okeys or made > pairs:
        return -1
    value = made * (1024 + 2 * (room[R.PAIRED + place] % 13 + 1))
    return value + room[_best_at(place + 1, okeys - used, pairs - made)]


adopt(__name__)
