"""What a hand puts down in one turn, compiled: the twin of :mod:`okey101.solver.lay_search`.

A search is set up from a table by :func:`set_up`, asked by :func:`least_left` or :func:`lay_all`,
and its plan read by :func:`groups_of_plan` and :func:`first_lay_off`. All of it lies in the room
of the tables.
"""

# pyright: reportArgumentType=false, reportAssignmentType=false, reportReturnType=false

from __future__ import annotations

from okey101.kernel.arranging import order_groups
from okey101.kernel.compiling import Row, compiled, first_bit, popcount
from okey101.kernel.groups import (
    accepts,
    copies,
    meld_points,
    natural,
    number_sum,
    pair_word,
    run_word,
    set_word,
    tile_kind,
)
from okey101.kernel.layout import A_LAY, N_GROUPS, OKEY_KIND, PAIR, RUN, SET, TABLE, WORD
from okey101.kernel.solver import meldable
from okey101.kernel.tables import Tables
from okey101.tiles import FALSE_JOKER, OKEY

__all__ = [
    "DISCARD",
    "first_lay_off",
    "groups_of_plan",
    "lay_all",
    "least_left",
    "points_of_plan",
    "set_up",
]

_BASE = 1100
_ONE = _BASE
_TWO = _BASE + 1
_OKEYS = _BASE + 2
_MELDS = _BASE + 3
_PAIRS = _BASE + 4
_MUST = _BASE + 5
"""A kind, 53 for an okey, -1 for none."""
_KEEPS = _BASE + 6
_LIMIT = _BASE + 7
_FOUND = _BASE + 8
_N_TABLE = _BASE + 9
_N_SETS = _BASE + 10
_LENGTH = _BASE + 11
"""Steps of the plan found."""
DISCARD = _BASE + 12
"""What :func:`lay_all` leaves: a tile's code."""
_NODES = _BASE + 13
_EPOCH = _BASE + 14
_OKEY = _BASE + 15
_RUNS = 1120
"""Runs: colour, lowest, highest number, and the place on the table; then the new ones."""
_SETS = 1400
"""The table's sets of three: place, number, free colours."""
_PATH = 1600
_PLAN = 1700
_NEW = 1800
"""Runs and small sets of a plan while it is read."""
_MEMO = 2048
_MEMO_SIZE = 2048
_PATIENCE = 64
"""Nodes after which states seen before are remembered."""
_TILE = 128
_OKEY_COST = 101 * _TILE + 1

_FRAMES = 9200
_FRAME = 20
"""A state of the search: tiles left, okeys, runs, filled sets, new sets of three, what is kept,
whether ``must`` is laid, and steps; then what is tried with its first tile."""
_KIND = 9
_TWIN = 10
_STAGE = 11
_NEXT = 12
_TURNED = 13
_CHANGED = 14
_LOW = 15
_HIGH = 16

_STEP_RUN = 0
_STEP_NEW = 1
_STEP_LAY = 2
_STEP_SET = 3
_STEP_PAIR = 4
_STEP_MORE = 5


@compiled
def _step(what: int, first: int, second: int, third: int) -> int:
    return what | first << 4 | second << 12 | third << 20


@compiled
def set_up(
    tables: Tables,
    row: Row,
    one: int,
    two: int,
    lays_off: bool,
    melds: bool,
    pairs: bool,
    must: int,
) -> None:
    """Make a search ready: a hand before the table of a row; ``must`` is a tile or -1."""
    room = tables[1]
    okey = row[OKEY_KIND]
    room[_ONE], room[_TWO] = natural(one, two, okey)
    room[_OKEYS] = copies(one, two, OKEY)
    room[_MELDS] = 1 if melds else 0
    room[_PAIRS] = 1 if pairs else 0
    room[_MUST] = must if must < 0 or must == OKEY else tile_kind(must, okey)
    room[_OKEY] = okey
    runs = sets = 0
    if lays_off:
        for place in range(row[N_GROUPS]):
            word = row[TABLE + place]
            if word & 3 == RUN:
                at = _RUNS + 4 * runs
                room[at] = word >> 2 & 3
                room[at + 1] = word >> 4 & 15
                room[at + 2] = word >> 8 & 15
                room[at + 3] = place
                runs += 1
            elif word & 3 == SET and accepts(word):
                at = _SETS + 3 * sets
                room[at] = place
                room[at + 1] = word >> 2 & 15
                room[at + 2] = 15 & ~(word >> 6 & 15 | word >> 10 & 15)
                sets += 1
    room[_N_TABLE] = runs
    room[_N_SETS] = sets


@compiled
def _useful(tables: Tables) -> int:
    """The kinds of the hand that some plan might lay."""
    room = tables[1]
    kinds, okeys = room[_ONE], room[_OKEYS]
    useful = 0
    if room[_PAIRS]:
        useful = kinds if okeys else room[_TWO]
    for which in range(room[_N_SETS]):
        at = _SETS + 3 * which
        free = room[at + 2]
        spread = (free & 1) | (free & 2) << 12 | (free & 4) << 24 | (free & 8) << 36
        useful |= spread << room[at + 1] - 1
    if room[_MELDS]:
        useful |= meldable(kinds, okeys)
    for which in range(room[_N_TABLE]):
        at = _RUNS + 4 * which
        own = kinds >> 13 * room[at] & 0x1FFF
        if not own:
            continue
        lacks = 0
        number = room[at + 1] - 1
        while number >= 1:
            if own >> number - 1 & 1:
                useful |= 1 << 13 * room[at] + number - 1
            else:
                lacks += 1
                if lacks > okeys:
                    break
            number -= 1
        lacks = 0
        number = room[at + 2] + 1
        while number <= 13:
            if own >> number - 1 & 1:
                useful |= 1 << 13 * room[at] + number - 1
            else:
                lacks += 1
                if lacks > okeys:
                    break
            number += 1
    return useful & kinds  # type: ignore[no-any-return]


@compiled
def _seen(
    tables: Tables,
    one: int,
    two: int,
    okeys: int,
    runs: int,
    filled: int,
    small: int,
    kept: int,
    laid: bool,
) -> bool:
    """Whether this state was met before at no greater cost; it is remembered otherwise."""
    room = tables[1]
    key = (
        one * 0x9E3779B97F4A7C1 + (two ^ two >> 29) * 0x85EBCA77C2B2AE3 + filled * 0x27D4EB2F165667C
    )
    key += (okeys + 4 * small + (64 if kept else 0) + (128 if laid else 0)) * 0x165667B19E3779F
    key += room[_EPOCH] * 0x2545F4914F6CDD1
    for which in range(runs):
        at = _RUNS + 4 * which
        key = (
            (key ^ key >> 31) * 0x5851F42D4C957F2 + room[at] + 4 * room[at + 1] + 64 * room[at + 2]
        )
    key ^= key >> 29
    place = _MEMO + 2 * (key & _MEMO_SIZE - 1)
    if room[place] == key and room[place + 1] <= kept:
        return True
    room[place] = key
    room[place + 1] = kept
    return False


@compiled
def _highest(kinds: int) -> int:
    """The kind looked at first: of the highest number, of those the first colour."""
    numbers = (kinds | kinds >> 13 | kinds >> 26 | kinds >> 39) & 0x1FFF
    numbers |= numbers >> 1
    numbers |= numbers >> 2
    numbers |= numbers >> 4
    numbers |= numbers >> 8
    number = popcount(numbers) - 1
    return first_bit(kinds >> number & (1 | 1 << 13 | 1 << 26 | 1 << 39)) + number


@compiled
def _end(
    tables: Tables,
    okeys: int,
    runs: int,
    filled: int,
    small: int,
    kept: int,
    laid: bool,
    depth: int,
) -> None:
    """All tiles have been looked at: okeys left over are laid, and the plan is compared."""
    room = tables[1]
    keeps = room[_KEEPS] == 1
    stay = 1 if keeps and not kept else 0
    if okeys < stay:
        return
    steps = depth
    left = okeys - stay
    for which in range(runs):
        at = _RUNS + 4 * which
        low, high = room[at + 1], room[at + 2]
        while left and high - low < 12:
            if low > 1:
                low -= 1
                room[_PATH + steps] = _step(_STEP_RUN, which, low, 1)
            else:
                high += 1
                room[_PATH + steps] = _step(_STEP_RUN, which, high, 1)
            steps += 1
            left -= 1
    for which in range(room[_N_SETS]):
        if left and not filled >> which & 1:
            room[_PATH + steps] = _step(_STEP_LAY, which, 4, 1)
            steps += 1
            left -= 1
    for which in range(min(left, small)):
        room[_PATH + steps] = _step(_STEP_MORE, which, 0, 0)
        steps += 1
        left -= 1
    if left and okeys - stay == 2 and room[_PAIRS]:
        room[_PATH + depth] = _step(_STEP_PAIR, 12, 2, 0)
        steps = depth + 1
        left = 0
    left += stay
    laid = laid or (room[_MUST] == OKEY and left < okeys)
    if not laid or (left and not keeps):
        return
    cost = kept + left * _OKEY_COST
    if cost < room[_LIMIT]:
        room[_LIMIT] = cost
        room[_FOUND] = 1
        room[_LENGTH] = steps
        for step in range(steps):
            room[_PLAN + step] = room[_PATH + step]


@compiled
def _enter(
    tables: Tables,
    depth: int,
    one: int,
    two: int,
    okeys: int,
    runs: int,
    filled: int,
    small: int,
    kept: int,
    laid: int,
    steps: int,
) -> int:
    """Note a state on the stack of the search; returns its depth."""
    room = tables[1]
    at = _FRAMES + depth * _FRAME
    room[at] = one
    room[at + 1] = two
    room[at + 2] = okeys
    room[at + 3] = runs
    room[at + 4] = filled
    room[at + 5] = small
    room[at + 6] = kept
    room[at + 7] = laid
    room[at + 8] = steps
    room[at + _STAGE] = -1
    room[at + _CHANGED] = -1
    return depth


@compiled
def _opened(tables: Tables, at: int) -> bool:
    """Take the first tile out of a new state; False where there is nothing to try."""
    room = tables[1]
    one, two, kept, laid = room[at], room[at + 1], room[at + 6], room[at + 7]
    if kept >= room[_LIMIT]:
        return False
    if not one:
        _end(
            tables,
            room[at + 2],
            room[at + 3],
            room[at + 4],
            room[at + 5],
            kept,
            laid == 1,
            room[at + 8],
        )
        return False
    room[_NODES] += 1
    if room[_NODES] > _PATIENCE and _seen(
        tables, one, two, room[at + 2], room[at + 3], room[at + 4], room[at + 5], kept, laid == 1
    ):
        return False
    kind = _highest(one)
    bit = 1 << kind
    if two & bit:
        room[at + 1] = two ^ bit
        room[at + _TWIN] = 1
    else:
        room[at] = one ^ bit
        room[at + _TWIN] = 0
    room[at + _KIND] = kind
    room[at + _STAGE] = 0
    room[at + _NEXT] = 0
    room[at + _TURNED] = -1
    return True


@compiled
def _search_plans(tables: Tables) -> None:
    """Go through all plans from the state on the stack, in their order."""
    depth = 0
    while depth >= 0:
        at = _FRAMES + depth * _FRAME
        room = tables[1]
        changed = room[at + _CHANGED]
        if changed >= 0:
            room[_RUNS + 4 * changed + 1] = room[at + _LOW]
            room[_RUNS + 4 * changed + 2] = room[at + _HIGH]
            room[at + _CHANGED] = -1
        if room[at + _STAGE] < 0 and not _opened(tables, at):
            depth -= 1
            continue
        stage = room[at + _STAGE]
        found = False
        if stage == 0:
            found = _onto_run(tables, at, depth)
        elif stage == 1:
            found = _onto_set(tables, at, depth)
        elif stage == 2:
            found = _new_set(tables, at, depth)
        elif stage == 3:
            found = _new_run(tables, at, depth)
        elif stage == 4:
            found = _pair_or_keep(tables, at, depth)
        else:
            depth -= 1
            continue
        if found:
            depth += 1
        else:
            room[at + _STAGE] = stage + 1
            room[at + _NEXT] = 0


@compiled
def _onto_run(tables: Tables, at: int, depth: int) -> bool:
    """The next way to lay the tile onto a run, at its low or its high end."""
    room = tables[1]
    okeys, runs, kind = room[at + 2], room[at + 3], room[at + _KIND]
    colour, number = kind // 13, kind % 13 + 1
    must = room[_MUST]
    while room[at + _NEXT] < runs:
        which = room[at + _NEXT]
        run = _RUNS + 4 * which
        if room[run] != colour:
            room[at + _NEXT] += 1
            continue
        low, high = room[run + 1], room[run + 2]
        if room[at + _TURNED] < 0:
            room[at + _TURNED] = 0
            if number < low <= number + 1 + okeys:
                steps = room[at + 8]
                for gap in range(low - 1, number, -1):
                    room[_PATH + steps] = _step(_STEP_RUN, which, gap, 1)
                    steps += 1
                room[_PATH + steps] = _step(_STEP_RUN, which, number, 0)
                used = low - 1 - number
                laid = 1 if room[at + 7] or kind == must or (used > 0 and must == OKEY) else 0
                room[at + _CHANGED] = which
                room[at + _LOW] = low
                room[at + _HIGH] = high
                room[run + 1] = number
                _enter(
                    tables,
                    depth + 1,
                    room[at],
                    room[at + 1],
                    okeys - used,
                    runs,
                    room[at + 4],
                    room[at + 5],
                    room[at + 6],
                    laid,
                    steps + 1,
                )
                return True
        if which < room[_N_TABLE] and number > high:
            gaps = number - 1 - high
            while room[at + _TURNED] < 1 << gaps:
                turned = room[at + _TURNED]
                room[at + _TURNED] += 1
                if popcount(turned) <= okeys and _above(tables, at, depth, which, gaps, turned):
                    return True
        room[at + _TURNED] = -1
        room[at + _NEXT] += 1
    return False


@compiled
def _above(tables: Tables, at: int, depth: int, which: int, gaps: int, turned: int) -> bool:
    """Tiles or okeys from above a run of the table up to the tile, if they are there."""
    room = tables[1]
    one, two = room[at], room[at + 1]
    run = _RUNS + 4 * which
    low, high = room[run + 1], room[run + 2]
    first = 13 * room[run] + high
    used = 0
    wild = 0
    for place in range(gaps):
        if turned >> gaps - 1 - place & 1:
            wild |= 1 << place
            used += 1
        elif not one >> first + place & 1:
            return False
    must = room[_MUST]
    laid = room[at + 7] == 1 or room[at + _KIND] == must or (used > 0 and must == OKEY)
    steps = room[at + 8]
    for place in range(gaps):
        room[_PATH + steps] = _step(_STEP_RUN, which, high + 1 + place, wild >> place & 1)
        steps += 1
        if wild >> place & 1:
            continue
        bit = 1 << first + place
        if two & bit:
            two ^= bit
        else:
            one ^= bit
        laid = laid or first + place == must
    room[_PATH + steps] = _step(_STEP_RUN, which, high + 1 + gaps, 0)
    room[at + _CHANGED] = which
    room[at + _LOW] = low
    room[at + _HIGH] = high
    room[run + 2] = high + 1 + gaps
    _enter(
        tables,
        depth + 1,
        one,
        two,
        room[at + 2] - used,
        room[at + 3],
        room[at + 4],
        room[at + 5],
        room[at + 6],
        1 if laid else 0,
        steps + 1,
    )
    return True


@compiled
def _onto_set(tables: Tables, at: int, depth: int) -> bool:
    """The next set of the table that takes the tile."""
    room = tables[1]
    kind, filled = room[at + _KIND], room[at + 4]
    colour, number = kind // 13, kind % 13 + 1
    while room[at + _NEXT] < room[_N_SETS]:
        which = room[at + _NEXT]
        room[at + _NEXT] += 1
        group = _SETS + 3 * which
        if room[group + 1] != number or not room[group + 2] >> colour & 1 or filled >> which & 1:
            continue
        room[_PATH + room[at + 8]] = _step(_STEP_LAY, which, colour, 0)
        laid = 1 if room[at + 7] or kind == room[_MUST] else 0
        _enter(
            tables,
            depth + 1,
            room[at],
            room[at + 1],
            room[at + 2],
            room[at + 3],
            filled | 1 << which,
            room[at + 5],
            room[at + 6],
            laid,
            room[at + 8] + 1,
        )
        return True
    return False


@compiled
def _new_set(tables: Tables, at: int, depth: int) -> bool:
    """The next new set in which the tile has the lowest colour: more natural tiles first."""
    room = tables[1]
    if not room[_MELDS]:
        return False
    one, two, okeys, kind = room[at], room[at + 1], room[at + 2], room[at + _KIND]
    colour, number = kind // 13, kind % 13 + 1
    column = one >> number - 1
    held = (column & 1) | (column >> 12 & 2) | (column >> 24 & 4) | (column >> 36 & 8)
    held &= 15 << colour + 1
    if popcount(held) + okeys < 2:
        return False
    while room[at + _NEXT] < 64:
        others, mask = 3 - (room[at + _NEXT] >> 4), room[at + _NEXT] & 15
        room[at + _NEXT] += 1
        used = max(0, 2 - others)
        if used > okeys:
            return False
        if mask & ~held or popcount(mask) != others:
            continue
        spread = (mask & 1) | (mask & 2) << 12 | (mask & 4) << 24 | (mask & 8) << 36
        spread <<= number - 1
        both = two & spread
        must = room[_MUST]
        laid = room[at + 7] == 1 or kind == must or (used > 0 and must == OKEY)
        laid = laid or (0 <= must < OKEY and spread >> must & 1 == 1)
        room[_PATH + room[at + 8]] = _step(_STEP_SET, number, mask | 1 << colour, used)
        _enter(
            tables,
            depth + 1,
            one & ~(spread & ~both),
            two & ~both,
            okeys - used,
            room[at + 3],
            room[at + 4],
            room[at + 5] + (1 if others + used == 2 else 0),
            room[at + 6],
            1 if laid else 0,
            room[at + 8] + 1,
        )
        return True
    return False


@compiled
def _new_run(tables: Tables, at: int, depth: int) -> bool:
    """The next new run of three with the tile as its highest natural one."""
    room = tables[1]
    if not room[_MELDS]:
        return False
    one, two, okeys, runs = room[at], room[at + 1], room[at + 2], room[at + 3]
    kind = room[at + _KIND]
    colour, number = kind // 13, kind % 13 + 1
    low = max(1, number - 2)
    own = 1 << number - low
    first = 13 * colour + low - 1
    above = 7 & ~(2 * own - 1)
    lacks = 7 & ~(one >> first & 7 & (own - 1) | own)
    while room[at + _NEXT] < 8:
        wild = room[at + _NEXT]
        room[at + _NEXT] += 1
        used = popcount(wild)
        if used > okeys or wild & own or wild & lacks != lacks or wild & above != above:
            continue
        spread = (7 & ~wild & ~own) << first
        both = two & spread
        must = room[_MUST]
        laid = room[at + 7] == 1 or kind == must or (used > 0 and must == OKEY)
        laid = laid or (0 <= must < OKEY and spread >> must & 1 == 1)
        room[_PATH + room[at + 8]] = _step(_STEP_NEW, colour, low, wild)
        run = _RUNS + 4 * runs
        room[run] = colour
        room[run + 1] = low
        room[run + 2] = low + 2
        _enter(
            tables,
            depth + 1,
            one & ~(spread & ~both),
            two & ~both,
            okeys - used,
            runs + 1,
            room[at + 4],
            room[at + 5],
            room[at + 6],
            1 if laid else 0,
            room[at + 8] + 1,
        )
        return True
    return False


@compiled
def _pair_or_keep(tables: Tables, at: int, depth: int) -> bool:
    """A natural pair, a pair with an okey, and keeping the tile, one after the other."""
    room = tables[1]
    one, two, okeys, kind = room[at], room[at + 1], room[at + 2], room[at + _KIND]
    must = room[_MUST]
    kept, laid, steps = room[at + 6], room[at + 7], room[at + 8]
    while room[at + _NEXT] < 3:
        way = room[at + _NEXT]
        room[at + _NEXT] += 1
        if way == 0 and room[_PAIRS] and room[at + _TWIN]:
            room[_PATH + steps] = _step(_STEP_PAIR, kind, 0, 0)
            one &= ~(1 << kind)
            laid = 1 if laid or kind == must else 0
            steps += 1
        elif way == 1 and room[_PAIRS] and okeys:
            room[_PATH + steps] = _step(_STEP_PAIR, kind, 1, 0)
            okeys -= 1
            laid = 1 if laid or kind == must or must == OKEY else 0
            steps += 1
        elif way == 2 and room[_KEEPS]:
            kept += _TILE * (kind % 13 + 1) + 1
        else:
            continue
        _enter(
            tables,
            depth + 1,
            one,
            two,
            okeys,
            room[at + 3],
            room[at + 4],
            room[at + 5],
            kept,
            laid,
            steps,
        )
        return True
    return False


@compiled
def _run(tables: Tables, one: int, two: int, okeys: int, limit: int, kept: int) -> bool:
    room = tables[1]
    room[_FOUND] = 0
    room[_LENGTH] = 0
    room[_LIMIT] = limit
    room[_NODES] = 0
    room[_EPOCH] += 1
    laid = 1 if room[_MUST] < 0 else 0
    _enter(tables, 0, one, two, okeys, room[_N_TABLE], 0, 0, kept, laid, 0)
    _search_plans(tables)
    return room[_FOUND] == 1  # type: ignore[no-any-return]


@compiled
def _cost(one: int, two: int) -> int:
    """What natural tiles that stay cost."""
    return _TILE * (number_sum(one) + number_sum(two)) + popcount(one) + popcount(two)


@compiled
def least_left(tables: Tables) -> int:
    """What stays in the hand at least, 128 times its points and its tiles; -1 if none will do."""
    room = tables[1]
    one, two, okeys = room[_ONE], room[_TWO], room[_OKEYS]
    if not one and not okeys:
        return -1
    useful = _useful(tables)
    kept = _cost(one & ~useful, two & ~useful)
    limit = _cost(one, two) + okeys * _OKEY_COST + 1
    room[_KEEPS] = 1
    if not useful and not okeys:
        room[_LENGTH] = 0
        return kept if room[_MUST] < 0 else -1
    if not _run(tables, one & useful, two & useful, okeys, limit, kept):
        return -1
    return room[_LIMIT]  # type: ignore[no-any-return]


@compiled
def lay_all(tables: Tables) -> bool:
    """Whether all but one tile can be laid; what stays is then at :data:`DISCARD`.

    An okey stays before others, then the highest number, then the first colour.
    """
    room = tables[1]
    one, two, okeys = room[_ONE], room[_TWO], room[_OKEYS]
    useful = _useful(tables)
    useless_one, useless_two = one & ~useful, two & ~useful
    useless = popcount(useless_one) + popcount(useless_two)
    if useless > 1:
        return False
    room[_KEEPS] = 0
    must, okey = room[_MUST], room[_OKEY]
    if okeys and not useless and not (must == OKEY and okeys == 1):
        if _run(tables, one, two, okeys - 1, 1, 0):
            room[DISCARD] = OKEY
            return True
    candidates = useless_one if useless else one
    while candidates:
        kind = _highest(candidates)
        bit = 1 << kind
        candidates ^= bit
        if kind == must and not two & bit:
            continue
        after_one = one if two & bit else one ^ bit
        if _run(tables, after_one, two & ~bit, okeys, 1, 0):
            room[DISCARD] = FALSE_JOKER if kind == okey else kind
            return True
    return False


@compiled
def groups_of_plan(tables: Tables, out: Row) -> int:
    """The new groups of the plan found, in order, and how many they are."""
    room = tables[1]
    count = runs = sets = 0
    table = room[_N_TABLE]
    for step in range(room[_LENGTH]):
        code = room[_PLAN + step]
        what, first, second, third = code & 15, code >> 4 & 255, code >> 12 & 255, code >> 20
        if what == _STEP_NEW:
            wild = third
            low_wild = second + first_bit(wild) if wild else 0
            more = wild & (wild - 1)
            out[count] = run_word(
                first, second, second + 2, low_wild, second + first_bit(more) if more else 0
            )
            room[_NEW + runs] = count
            runs += 1
            count += 1
        elif what == _STEP_RUN and first >= table:
            place = room[_NEW + first - table]
            word = out[place]
            low, high = word >> 4 & 15, word >> 8 & 15
            low_wild, high_wild = word >> 12 & 15, word >> 16 & 15
            if third:
                if low_wild:
                    high_wild = second
                else:
                    low_wild = second
            out[place] = run_word(
                word >> 2 & 3, min(low, second), max(high, second), low_wild, high_wild
            )
        elif what == _STEP_SET:
            named = 0
            for _ in range(third):
                free = 15 & ~(second | named)
                named |= free & -free
            out[count] = set_word(first, second, named, 0)
            if popcount(second) + third == 3:
                room[_NEW + 100 + sets] = count
                sets += 1
            count += 1
        elif what == _STEP_MORE:
            place = room[_NEW + 100 + first]
            word = out[place]
            out[place] = set_word(word >> 2 & 15, word >> 6 & 15, 15 & ~(word >> 6 & 15), 0)
        elif what == _STEP_PAIR:
            if second == 2:
                out[count] = PAIR | first << 2 | 2 << 8
            else:
                out[count] = pair_word(first, second)
            count += 1
    order_groups(out, count, room[_OKEY])
    return count


@compiled
def points_of_plan(out: Row, count: int) -> int:
    """What the new groups of a plan count, pairs included."""
    points = 0
    for which in range(count):
        word = out[which]
        if word & 3 == PAIR:
            points += 2 * ((word >> 2 & 63) % 13 + 1)
        else:
            points += meld_points(word & WORD)
    return points


@compiled
def first_lay_off(tables: Tables) -> int:
    """The first lay-off of the plan found, as an action; -1 where there is none."""
    room = tables[1]
    table, okey = room[_N_TABLE], room[_OKEY]
    best, best_place = -1, 1 << 20
    for step in range(room[_LENGTH]):
        code = room[_PLAN + step]
        what, first, second, third = code & 15, code >> 4 & 255, code >> 12 & 255, code >> 20
        if what == _STEP_RUN and first < table:
            place = room[_RUNS + 4 * first + 3]
            kind = 13 * room[_RUNS + 4 * first] + second - 1
            as_kind = kind if third else 0
        elif what == _STEP_LAY:
            place = room[_SETS + 3 * first]
            kind = 13 * second + room[_SETS + 3 * first + 1] - 1
            as_kind = 0
        else:
            continue
        if place < best_place:
            tile = OKEY if third else FALSE_JOKER if kind == okey else kind
            best = A_LAY | tile << 4 | place << 10 | as_kind << 16
            best_place = place
    return best
