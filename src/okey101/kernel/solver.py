"""The exact solver of sets and runs, compiled: the twin of :mod:`okey101.solver.search`.

What is chosen is what the readable solver chooses: among arrangements of equal worth the one with
the lightest sets, read from number 13 down.
"""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import threading
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from okey101.kernel.compiling import Cells, Row, apart, inner
from okey101.kernel.groups import copies, in_runs, in_sets, natural
from okey101.kernel.plain import first_bit
from okey101.solver.tables import VECTORS, raw_table, set_usages
from okey101.tiles import OKEY

# The solver's tables as arrays, and room to work in.

TILES_AT: Final = 4 * VECTORS
"""Where the run tables by tiles begin, after those by points. Each index has four cells, so that
one reading from memory brings them all: the weight without an okey, what one adds, what two add,
and a cell that is not used."""

# The room: what comes and goes, then what stays.
SEEN: Final = 10_240
"""Where searches note what they have seen, ``SEEN_SIZE`` words."""
SEEN_SIZE: Final = 4_096
ACTIONS: Final = SEEN + SEEN_SIZE
"""Room for a list of legal actions."""
_ROOM: Final = ACTIONS + 16_384
LOW: Final = _ROOM
"""The index of a mask of the numbers 1 to 7 in a plane: 3 to the power of each, added up."""
HIGH: Final = LOW + 128
"""The same for the numbers 8 to 13."""
POWERS: Final = HIGH + 64
"""3 to the power of a number counted from 0."""
MOST: Final = POWERS + 16
"""The largest set of a column with no okey in bits 0-3, with one at most in 4-7, with two in 8-11;
by the okeys there are and the column's counts to the base 3."""
STARTS: Final = MOST + 3 * 81
"""Where the set options of a column begin, by the okeys there are and its counts to the base 3."""
OPTIONS: Final = STARTS + 3 * 81 + 1
"""Set options, lightest first: bits 0-3 their tiles and okeys, 4-5 the okeys, 8-15 two bits for
the tiles of each colour."""

Tables: TypeAlias = tuple[NDArray[np.uint16], Row]
"""What every function of the solver is given: the run tables, and the room of the thread."""

_local = threading.local()
_lock = threading.Lock()
_shared: list[Tables] = []


def tables() -> Tables:
    """The tables, read once, with room for the thread that asks: no two threads may share it."""
    found: Tables | None = getattr(_local, "tables", None)
    if found is None:
        with _lock:
            if not _shared:
                _shared.append((_runs(), _room()))
        found = _shared[0][0], _shared[0][1].copy()
        _local.tables = found
    return found


def _runs() -> NDArray[np.uint16]:
    cells = np.zeros((2, VECTORS, 4), dtype=np.uint16)
    for which, name in enumerate(("points_tiles", "tiles_points")):
        planes = np.frombuffer(raw_table(name), dtype="<u2").reshape(3, VECTORS)
        cells[which, :, :3] = planes.T
    return cells.reshape(-1)


def _room() -> Row:
    low = [sum(3**n for n in range(7) if mask >> n & 1) for mask in range(128)]
    high = [sum(3 ** (n + 7) for n in range(6) if mask >> n & 1) for mask in range(64)]
    powers = [3**n for n in range(16)]
    starts, options, most = [0], [], []
    for okeys in range(3):
        for key in range(81):
            counts = (key % 3, key // 3 % 3, key // 9 % 3, key // 27)
            usages = [(sum(taken) + used, used, taken) for taken, used in set_usages(counts, okeys)]
            usages.sort(key=lambda usage: (-usage[0], usage[1], usage[2]), reverse=True)
            for size, used, (a, b, c, d) in usages:
                options.append(size | used << 4 | a << 8 | b << 10 | c << 12 | d << 14)
            starts.append(len(options))
            most.append(0)
            for wild in range(3):
                sizes = [size for size, used, _ in usages if used <= wild]
                most[-1] |= max(sizes, default=0) << 4 * wild
    starts = [OPTIONS + start for start in starts]
    fixed = [*low, *high, *powers, *most, *starts, *options]
    return np.array([0] * _ROOM + fixed, dtype=np.int64)


POINTS = 0
TILES = 1
_COLOUR = (1 << 13) - 1

# Room for the search: by level its number, its options, what the levels below can weigh with no,
# one and two okeys; by depth the state.
LEVELS = 0
STATES = 256
CHOSEN = 512
"""The chosen option of each number 1 to 13, or -1."""
_S = 16


@inner
def colour_index(tables: Tables, one: int, two: int, colour: int) -> int:
    """The index of a colour's natural tiles in the run tables."""
    room = tables[1]
    own, twins = one >> 13 * colour & _COLOUR, two >> 13 * colour & _COLOUR
    index = room[LOW + (own & 127)] + room[HIGH + (own >> 7)]
    if twins:
        index += room[LOW + (twins & 127)] + room[HIGH + (twins >> 7)]
    return index  # type: ignore[no-any-return]


@inner
def worth(objective: int, number: int) -> int:
    """What a melded tile of a number weighs: points first or tiles first."""
    return 128 * number + 1 if objective == POINTS else 1024 + number


@inner
def _top_two(a: int, b: int, c: int, d: int) -> int:
    """The sum of the two greatest of four numbers."""
    if a < b:
        a, b = b, a
    if c < d:
        c, d = d, c
    if a >= c:
        return a + (b if b > c else c)
    return c + (d if d > a else a)


@apart
def search(tables: Tables, objective: int, one: int, two: int, okeys: int, floor: int) -> int:
    """The greatest weight of sets and runs of natural tiles, or ``floor`` if that is greater.

    The sets that reach it are noted in the room, at :data:`CHOSEN`.
    """
    room = tables[1]
    for number in range(14):
        room[CHOSEN + number] = -1
    if okeys == 0:
        return _search_none(tables, objective, one, two, floor)
    return _search_wild(tables, objective, one, two, okeys, floor)


@inner
def _column(one: int, two: int, number: int) -> int:
    """The copies of a number, counted from 0, by colour, as the key of its set options."""
    a, b = one >> number, two >> number
    return (
        (a & 1)
        + (b & 1)
        + 3 * ((a >> 13 & 1) + (b >> 13 & 1))
        + 9 * ((a >> 26 & 1) + (b >> 26 & 1))
        + 27 * ((a >> 39 & 1) + (b >> 39 & 1))
    )


@inner
def _note_powers(tables: Tables, at: int, inside: int, number: int) -> None:
    """What a tile of a number is in each colour's index, 0 where no run has it."""
    room = tables[1]
    power = room[POWERS + number]
    ones = inside >> number
    room[at] = power if ones & 1 else 0
    room[at + 1] = power if ones >> 13 & 1 else 0
    room[at + 2] = power if ones >> 26 & 1 else 0
    room[at + 3] = power if ones >> 39 & 1 else 0


@inner
def _sum_of_four(runs: Cells, ia: int, ib: int, ic: int, id_: int) -> int:
    """The weight of the runs of four colours without okeys."""
    return (
        np.int64(runs[4 * ia])
        + np.int64(runs[4 * ib])
        + np.int64(runs[4 * ic])
        + np.int64(runs[4 * id_])
    )


@inner
def _enter(room: Row, at: int, weight: int, now: int, ia: int, ib: int, ic: int, id_: int) -> None:
    """Note a state: weight, runs, the four indices, the next option; the one chosen is at 7."""
    room[at] = weight
    room[at + 1] = now
    room[at + 2] = ia
    room[at + 3] = ib
    room[at + 4] = ic
    room[at + 5] = id_
    room[at + 6] = -1


@inner
def _search_none(tables: Tables, objective: int, one: int, two: int, floor: int) -> int:
    room = tables[1]
    begin = 0 if objective == POINTS else TILES_AT
    runs = tables[0][begin : begin + TILES_AT]
    # Kinds in no run need not be looked up.
    inside = one & in_runs(one, 0)
    ia = ib = ic = id_ = now = 0
    if inside:
        ia = colour_index(tables, inside, two & inside, 0)
        ib = colour_index(tables, inside, two & inside, 1)
        ic = colour_index(tables, inside, two & inside, 2)
        id_ = colour_index(tables, inside, two & inside, 3)
        now = _sum_of_four(runs, ia, ib, ic, id_)
    best = now if now > floor else floor
    numbers = in_sets(one, 0)
    if not numbers:
        return best
    levels = 0
    rest = 0
    while numbers:
        number = first_bit(numbers)
        numbers &= numbers - 1
        key = _column(one, two, number)
        weigh = worth(objective, number + 1)
        at = LEVELS + levels * _S
        room[at] = number
        room[at + 1] = room[STARTS + key]
        room[at + 2] = room[STARTS + key + 1]
        room[at + 3] = rest
        room[at + 7] = weigh
        _note_powers(tables, at + 8, inside, number)
        rest += (room[room[STARTS + key + 1] - 1] & 15) * weigh
        levels += 1
    bar = best
    if now + rest <= bar:
        return best
    depth = 0
    _enter(room, STATES, 0, now, ia, ib, ic, id_)
    while depth >= 0:
        at = STATES + depth * _S
        if depth == levels:
            if bar < best and room[at] + room[at + 1] == best:
                bar = best
                for up in range(levels):
                    room[CHOSEN + 1 + room[LEVELS + (levels - 1 - up) * _S]] = room[
                        STATES + up * _S + 7
                    ]
            depth -= 1
            continue
        level = LEVELS + (levels - 1 - depth) * _S
        weight, now = room[at], room[at + 1]
        below = room[level + 3]
        weigh = room[level + 7]
        option = room[at + 6]
        if option < 0:
            top = (room[room[level + 2] - 1] & 15) * weigh
            if weight + now + below + top <= bar:
                depth -= 1
                continue
            room[at + 6] = room[level + 1]
            if weight + now + below <= bar and not (bar < best and weight + now == best):
                continue
            for field in range(6):
                room[at + _S + field] = room[at + field]
            room[at + _S + 6] = -1
            room[at + 7] = -1
            depth += 1
            continue
        if option == room[level + 2]:
            depth -= 1
            continue
        room[at + 6] = option + 1
        code = room[option]
        more = weight + (code & 15) * weigh
        if more + now + below <= bar:
            continue
        ia = room[at + 2] - (code >> 8 & 3) * room[level + 8]
        ib = room[at + 3] - (code >> 10 & 3) * room[level + 9]
        ic = room[at + 4] - (code >> 12 & 3) * room[level + 10]
        id_ = room[at + 5] - (code >> 14 & 3) * room[level + 11]
        after = _sum_of_four(runs, ia, ib, ic, id_)
        if more + after > best:
            best = more + after
            bar = best - 1
        if more + after + below > bar:
            room[at + 7] = option
            _enter(room, at + _S, more, after, ia, ib, ic, id_)
            depth += 1
    return best


@inner
def _search_wild(tables: Tables, objective: int, one: int, two: int, okeys: int, floor: int) -> int:
    room = tables[1]
    begin = 0 if objective == POINTS else TILES_AT
    runs = tables[0][begin : begin + TILES_AT]
    inside = one & in_runs(one, okeys)
    ia = colour_index(tables, inside, two & inside, 0)
    ib = colour_index(tables, inside, two & inside, 1)
    ic = colour_index(tables, inside, two & inside, 2)
    id_ = colour_index(tables, inside, two & inside, 3)
    now = _sum_of_four(runs, ia, ib, ic, id_)
    ga, gb = np.int64(runs[4 * ia + 1]), np.int64(runs[4 * ib + 1])
    gc, gd = np.int64(runs[4 * ic + 1]), np.int64(runs[4 * id_ + 1])
    now_1 = now + max(max(ga, gb), max(gc, gd))
    now_2 = now_1
    if okeys == 2:
        both = max(
            max(np.int64(runs[4 * ia + 2]), np.int64(runs[4 * ib + 2])),
            max(np.int64(runs[4 * ic + 2]), np.int64(runs[4 * id_ + 2])),
        )
        now_2 = now + max(both, _top_two(ga, gb, gc, gd))
    value = now_2 if okeys == 2 else now_1
    best = value if value > floor else floor
    numbers = in_sets(one, okeys)
    levels = 0
    rest_0 = rest_1 = rest_2 = 0
    while numbers:
        number = first_bit(numbers)
        numbers &= numbers - 1
        key = _column(one, two, number)
        weigh = worth(objective, number + 1)
        most = room[MOST + okeys * 81 + key]
        plain, wild = (most & 15) * weigh, (most >> 4 & 15) * weigh
        wilder = (most >> 8 & 15) * weigh
        at = LEVELS + levels * _S
        room[at] = number
        room[at + 1] = room[STARTS + okeys * 81 + key]
        room[at + 2] = room[STARTS + okeys * 81 + key + 1]
        room[at + 3] = rest_0
        room[at + 4] = rest_1
        room[at + 5] = rest_2
        room[at + 7] = weigh
        _note_powers(tables, at + 11, inside, number)
        rest_2 = max(max(rest_2 + plain, rest_1 + wild), rest_0 + wilder)
        rest_1 = max(rest_1 + plain, rest_0 + wild)
        rest_0 += plain
        room[at + 8] = rest_0
        room[at + 9] = rest_1
        room[at + 10] = rest_2
        levels += 1
    bar = best
    depth = 0
    _enter(room, STATES, 0, now, ia, ib, ic, id_)
    room[STATES + 8] = okeys
    room[STATES + 9] = now_1
    room[STATES + 10] = now_2
    while depth >= 0:
        at = STATES + depth * _S
        left = room[at + 8]
        weight, now, now_1, now_2 = room[at], room[at + 1], room[at + 9], room[at + 10]
        value = now if left == 0 else now_1 if left == 1 else now_2
        if depth == levels:
            if bar < best and weight + value == best:
                bar = best
                for up in range(levels):
                    room[CHOSEN + 1 + room[LEVELS + (levels - 1 - up) * _S]] = room[
                        STATES + up * _S + 7
                    ]
            depth -= 1
            continue
        level = LEVELS + (levels - 1 - depth) * _S
        option = room[at + 6]
        if option < 0:
            reach = value + room[level + 8]
            if left:
                reach = max(reach, (now if left == 1 else now_1) + room[level + 9])
                if left == 2:
                    reach = max(reach, now + room[level + 10])
            if weight + reach <= bar:
                depth -= 1
                continue
            room[at + 6] = room[level + 1]
            for field in range(11):
                room[at + _S + field] = room[at + field]
            room[at + _S + 6] = -1
            room[at + 7] = -1
            depth += 1
            continue
        if option == room[level + 2]:
            depth -= 1
            continue
        room[at + 6] = option + 1
        code = room[option]
        used = code >> 4 & 3
        if used > left:
            continue
        more = weight + (code & 15) * room[level + 7]
        still = left - used
        rest_0, rest_1, rest_2 = room[level + 3], room[level + 4], room[level + 5]
        # Taking tiles out of the runs never makes them better.
        reach = (now if still == 0 else now_1 if still == 1 else now_2) + rest_0
        if still:
            reach = max(reach, (now if still == 1 else now_1) + rest_1)
            if still == 2:
                reach = max(reach, now + rest_2)
        if more + reach <= bar:
            continue
        ia = room[at + 2] - (code >> 8 & 3) * room[level + 11]
        ib = room[at + 3] - (code >> 10 & 3) * room[level + 12]
        ic = room[at + 4] - (code >> 12 & 3) * room[level + 13]
        id_ = room[at + 5] - (code >> 14 & 3) * room[level + 14]
        then = _sum_of_four(runs, ia, ib, ic, id_)
        then_1 = then_2 = value = then
        reach = then + rest_0
        if still:
            ga, gb = np.int64(runs[4 * ia + 1]), np.int64(runs[4 * ib + 1])
            gc, gd = np.int64(runs[4 * ic + 1]), np.int64(runs[4 * id_ + 1])
            then_1 = then_2 = value = then + max(max(ga, gb), max(gc, gd))
            if still == 2:
                both = max(
                    max(np.int64(runs[4 * ia + 2]), np.int64(runs[4 * ib + 2])),
                    max(np.int64(runs[4 * ic + 2]), np.int64(runs[4 * id_ + 2])),
                )
                then_2 = value = then + max(both, _top_two(ga, gb, gc, gd))
                reach = max(max(then_2 + rest_0, then_1 + rest_1), then + rest_2)
            else:
                reach = max(then_1 + rest_0, then + rest_1)
        if more + value > best:
            best = more + value
            bar = best - 1
        if more + reach > bar:
            room[at + 7] = option
            nxt = at + _S
            _enter(room, nxt, more, then, ia, ib, ic, id_)
            room[nxt + 8] = still
            room[nxt + 9] = then_1
            room[nxt + 10] = then_2
            depth += 1
    return best


@inner
def _weighed(tables: Tables, objective: int, one: int, two: int, okey: int, floor: int) -> int:
    kinds_one, kinds_two = natural(one, two, okey)
    return search(tables, objective, kinds_one, kinds_two, copies(one, two, OKEY), floor)


@inner
def best_points(tables: Tables, one: int, two: int, okey: int) -> int:
    """The most points that sets and runs of a rack come to."""
    return _weighed(tables, POINTS, one, two, okey, -1) // 128


@inner
def reaches_points(tables: Tables, one: int, two: int, okey: int, need: int) -> bool:
    """Whether sets and runs of a rack come to so many points."""
    floor = 128 * need - 1
    return need <= 0 or _weighed(tables, POINTS, one, two, okey, floor) > floor


@inner
def best_tiles(tables: Tables, one: int, two: int, okey: int) -> int:
    """The most tiles that sets and runs of a rack hold."""
    return _weighed(tables, TILES, one, two, okey, -1) // 1024


@inner
def tiles_above(tables: Tables, one: int, two: int, okey: int, floor: int) -> int:
    """The same where it is more than so many tiles, which is known sooner; else these."""
    return _weighed(tables, TILES, one, two, okey, 1024 * floor + 1023) // 1024


@inner
def reaches_tiles(tables: Tables, one: int, two: int, okey: int, need: int) -> bool:
    """Whether sets and runs of a rack hold so many tiles."""
    floor = 1024 * need - 1
    return need <= 0 or _weighed(tables, TILES, one, two, okey, floor) > floor
