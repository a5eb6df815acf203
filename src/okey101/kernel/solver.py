"""The exact solver of sets and runs, compiled: the twin of :mod:`okey101.solver.search`.

What is chosen is what the readable solver chooses: among arrangements of equal worth the one with
the lightest sets, read from number 13 down.
"""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from okey101.kernel import room as R
from okey101.kernel.compiling import Cells, Row, adopt, apart
from okey101.kernel.groups import in_runs, in_sets, kinds
from okey101.kernel.plain import each
from okey101.solver.tables import VECTORS, raw_table, set_usages

# The solver's tables as arrays, and room to work in.

Tables: TypeAlias = tuple[NDArray[np.uint16], Row]
"""What every function of the solver is given: the run tables by points and by tiles, and the room
of the thread. Each index of a run table has four cells, so that one reading from memory brings them
all: the weight without an okey, what one adds, what two add, and a cell that is not used."""

Shared: TypeAlias = tuple[int, int, int]
"""What something weighs with no okey, with one at most, and with two."""

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
    return cells.reshape(2, -1)


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
    starts = [R.OPTIONS + start for start in starts]
    fixed = [*low, *high, *powers, *most, *starts, *options]
    return np.array([0] * R.LOW + fixed, dtype=np.int64)


POINTS = 0
TILES = 1
_COLOUR = (1 << 13) - 1


def colour_index(tables: Tables, one: int, two: int, colour: int) -> int:
    """The index of a colour's natural tiles in the run tables."""
    room = tables[1]
    own, twins = one >> 13 * colour & _COLOUR, two >> 13 * colour & _COLOUR
    index = room[R.LOW + (own & 127)] + room[R.HIGH + (own >> 7)]
    if twins:
        index += room[R.LOW + (twins & 127)] + room[R.HIGH + (twins >> 7)]
    return index  # type: ignore[no-any-return]


def worth(objective: int, number: int) -> int:
    """What a melded tile of a number weighs: points first or tiles first."""
    return 128 * number + 1 if objective == POINTS else 1024 + number


def _top_two(a: int, b: int, c: int, d: int) -> int:
    """The sum of the two greatest of four numbers."""
    if a < b:
        a, b = b, a
    if c < d:
        c, d = d, c
    if a >= c:
        return a + (b if b > c else c)
    return c + (d if d > a else a)


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


def _note_powers(tables: Tables, at: int, inside: int, number: int) -> None:
    """What a tile of a number is in each colour's index, 0 where no run has it."""
    room = tables[1]
    power = room[R.POWERS + number]
    ones = inside >> number
    room[at] = power if ones & 1 else 0
    room[at + 1] = power if ones >> 13 & 1 else 0
    room[at + 2] = power if ones >> 26 & 1 else 0
    room[at + 3] = power if ones >> 39 & 1 else 0


def weight_of_runs(runs: Cells, index: int, okeys: int) -> int:
    """What the best runs of a colour weigh with so many okeys."""
    value = np.int64(runs[4 * index])
    return value + np.int64(runs[4 * index + okeys]) if okeys else value


def _four_colours(runs: Cells, ia: int, ib: int, ic: int, id_: int, okeys: int) -> Shared:
    """What the runs of four colours weigh with 0, 1 and 2 of so many okeys."""
    plain = (
        np.int64(runs[4 * ia])
        + np.int64(runs[4 * ib])
        + np.int64(runs[4 * ic])
        + np.int64(runs[4 * id_])
    )
    if okeys == 0:
        return plain, plain, plain
    ga, gb = np.int64(runs[4 * ia + 1]), np.int64(runs[4 * ib + 1])
    gc, gd = np.int64(runs[4 * ic + 1]), np.int64(runs[4 * id_ + 1])
    with_one = plain + max(max(ga, gb), max(gc, gd))
    if okeys == 1:
        return plain, with_one, with_one
    both = max(
        max(np.int64(runs[4 * ia + 2]), np.int64(runs[4 * ib + 2])),
        max(np.int64(runs[4 * ic + 2]), np.int64(runs[4 * id_ + 2])),
    )
    return plain, with_one, plain + max(both, _top_two(ga, gb, gc, gd))


def _reach(okeys: int, runs: Shared, sets: Shared) -> int:
    """The most that runs and sets can weigh that share so many okeys."""
    if okeys == 0:
        return runs[0] + sets[0]
    if okeys == 1:
        return max(runs[1] + sets[0], runs[0] + sets[1])
    return max(max(runs[2] + sets[0], runs[1] + sets[1]), runs[0] + sets[2])


def _three(room: Row, at: int) -> Shared:
    """Three words of the room."""
    return room[at], room[at + 1], room[at + 2]


def _enter(
    room: Row, at: int, weight: int, okeys: int, now: Shared, ia: int, ib: int, ic: int, id_: int
) -> None:
    """Note a state: what it weighs, its okeys and its indices; no option was looked at yet."""
    room[at + R.S_WEIGHT], room[at + R.S_OKEYS], room[at + R.S_NEXT] = weight, okeys, -1
    room[at + R.S_RUNS], room[at + R.S_RUNS + 1], room[at + R.S_RUNS + 2] = now
    room[at + R.S_INDEX], room[at + R.S_INDEX + 1] = ia, ib
    room[at + R.S_INDEX + 2], room[at + R.S_INDEX + 3] = ic, id_


def _searching(wild: bool) -> Callable[[Tables, int, int, int, int, int], int]:
    """The search for racks with okeys, or that for racks without, in which nothing counts them."""

    def best_sets(
        tables: Tables, objective: int, one: int, two: int, okeys: int, floor: int
    ) -> int:
        room, runs = tables[1], tables[0][objective]
        left = okeys if wild else 0
        # Kinds in no run need not be looked up.
        inside = one & in_runs(one, left)
        ia = ib = ic = id_ = 0
        if inside:
            ia = colour_index(tables, inside, two & inside, 0)
            ib = colour_index(tables, inside, two & inside, 1)
            ic = colour_index(tables, inside, two & inside, 2)
            id_ = colour_index(tables, inside, two & inside, 3)
        now = _four_colours(runs, ia, ib, ic, id_, left)
        bar = best = max(now[2], floor)
        levels = 0
        rest = 0, 0, 0
        for number in each(in_sets(one, left)):
            key = 81 * left + _column(one, two, number)
            weigh = worth(objective, number + 1)
            at = R.LEVELS + levels * R.STEP
            room[at + R.V_NUMBER], room[at + R.V_WEIGH] = number, weigh
            room[at + R.V_FIRST] = room[R.STARTS + key]
            room[at + R.V_END] = room[R.STARTS + key + 1]
            _note_powers(tables, at + R.V_POWERS, inside, number)
            room[at + R.V_BELOW], room[at + R.V_BELOW + 1], room[at + R.V_BELOW + 2] = rest
            most = room[R.MOST + key]
            sets = (most & 15) * weigh, (most >> 4 & 15) * weigh, (most >> 8 & 15) * weigh
            rest = _reach(0, rest, sets), _reach(1, rest, sets), _reach(2, rest, sets)
            room[at + R.V_REACH], room[at + R.V_REACH + 1], room[at + R.V_REACH + 2] = rest
            levels += 1
        if _reach(left, now, rest) <= bar:
            return best
        depth = 0
        _enter(room, R.STATES, 0, left, now, ia, ib, ic, id_)
        while depth >= 0:
            at = R.STATES + depth * R.STEP
            left = room[at + R.S_OKEYS] if wild else 0
            weight, now = room[at + R.S_WEIGHT], _three(room, at + R.S_RUNS)
            if depth == levels:
                if bar < best and weight + now[2] == best:
                    bar = best
                    for up in range(levels):
                        level = R.LEVELS + (levels - 1 - up) * R.STEP
                        taken = room[R.STATES + up * R.STEP + R.S_TAKEN]
                        room[R.CHOSEN + 1 + room[level + R.V_NUMBER]] = taken
                depth -= 1
                continue
            level = R.LEVELS + (levels - 1 - depth) * R.STEP
            below = _three(room, level + R.V_BELOW)
            option = room[at + R.S_NEXT]
            if option < 0:
                if weight + _reach(left, now, _three(room, level + R.V_REACH)) <= bar:
                    depth -= 1
                    continue
                room[at + R.S_NEXT] = room[level + R.V_FIRST]
                if weight + _reach(left, now, below) <= bar:
                    continue
                for field in range(R.S_NEXT):
                    room[at + R.STEP + field] = room[at + field]
                room[at + R.STEP + R.S_NEXT] = room[at + R.S_TAKEN] = -1
                depth += 1
                continue
            if option == room[level + R.V_END]:
                depth -= 1
                continue
            room[at + R.S_NEXT] = option + 1
            code = room[option]
            used = code >> 4 & 3 if wild else 0
            if used > left:
                continue
            left -= used
            weight += (code & 15) * room[level + R.V_WEIGH]
            # Taking tiles out of the runs never makes them better.
            if weight + _reach(left, now, below) <= bar:
                continue
            ia = room[at + R.S_INDEX] - (code >> 8 & 3) * room[level + R.V_POWERS]
            ib = room[at + R.S_INDEX + 1] - (code >> 10 & 3) * room[level + R.V_POWERS + 1]
            ic = room[at + R.S_INDEX + 2] - (code >> 12 & 3) * room[level + R.V_POWERS + 2]
            id_ = room[at + R.S_INDEX + 3] - (code >> 14 & 3) * room[level + R.V_POWERS + 3]
            now = _four_colours(runs, ia, ib, ic, id_, left)
            if weight + now[2] > best:
                best = weight + now[2]
                bar = best - 1
            if weight + _reach(left, now, below) > bar:
                room[at + R.S_TAKEN] = option
                _enter(room, at + R.STEP, weight, left, now, ia, ib, ic, id_)
                depth += 1
        return best

    return best_sets


_search_none, _search_wild = _searching(wild=False), _searching(wild=True)


@apart
def search(tables: Tables, objective: int, one: int, two: int, okeys: int, floor: int) -> int:
    """The greatest weight of sets and runs of natural tiles, or ``floor`` if that is greater.

    The sets that reach it are noted in the room, at :data:`~okey101.kernel.room.CHOSEN`.
    """
    room = tables[1]
    for number in range(14):
        room[R.CHOSEN + number] = -1
    if okeys == 0:
        return _search_none(tables, objective, one, two, 0, floor)
    return _search_wild(tables, objective, one, two, okeys, floor)


def weighed(tables: Tables, objective: int, one: int, two: int, okey: int, floor: int) -> int:
    """The same of a rack with false jokers and okeys."""
    kinds_one, kinds_two, okeys = kinds(one, two, okey)
    return search(tables, objective, kinds_one, kinds_two, okeys, floor)


def best_points(tables: Tables, one: int, two: int, okey: int) -> int:
    """The most points that sets and runs of a rack come to."""
    return weighed(tables, POINTS, one, two, okey, -1) // 128


def reaches_points(tables: Tables, one: int, two: int, okey: int, need: int) -> bool:
    """Whether sets and runs of a rack come to so many points."""
    floor = 128 * need - 1
    return need <= 0 or weighed(tables, POINTS, one, two, okey, floor) > floor


def best_tiles(tables: Tables, one: int, two: int, okey: int) -> int:
    """The most tiles that sets and runs of a rack hold."""
    return weighed(tables, TILES, one, two, okey, -1) // 1024


def tiles_above(tables: Tables, one: int, two: int, okey: int, floor: int) -> int:
    """The same where it is more than so many tiles, which is known sooner; else these."""
    return weighed(tables, TILES, one, two, okey, 1024 * floor + 1023) // 1024


def reaches_tiles(tables: Tables, one: int, two: int, okey: int, need: int) -> bool:
    """Whether sets and runs of a rack hold so many tiles."""
    floor = 1024 * need - 1
    return need <= 0 or weighed(tables, TILES, one, two, okey, floor) > floor


adopt(__name__)
