"""What a hand puts down in one turn, compiled: the twin of :mod:`okey101.solver.lay_search`.

A search is set up from a table by :func:`set_up`, and asked by :func:`least_left` or
:func:`lay_all`. All of it lies in the room of the tables.
"""

# pyright: reportArgumentType=false, reportReturnType=false
from __future__ import annotations

from okey101.kernel.compiling import Row, compiled, first_bit, popcount
from okey101.kernel.groups import (
    accepts,
    copies,
    natural,
    number_sum,
    tile_kind,
)
from okey101.kernel.layout import N_GROUPS, OKEY_KIND, RUN, SET, TABLE
from okey101.kernel.solver import meldable
from okey101.kernel.tables import Tables
from okey101.tiles import FALSE_JOKER, OKEY

__all__ = [
    "DISCARD",
    "lay_all",
    "least_left",
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
def _go(
    tables: Tables,
    one: int,
    two: int,
    okeys: int,
    runs: int,
    filled: int,
    small: int,
    kept: int,
    laid: bool,
    depth: int,
) -> int:
    """Look at the first tile left, and try all that can be done with it."""
    room = tables[1]
    if kept >= room[_LIMIT]:
        return 0
    if not one:
        _end(tables, okeys, runs, filled, small, kept, laid, depth)
        return 0
    room[_NODES] += 1
    if room[_NODES] > _PATIENCE and _seen(tables, one, two, okeys, runs, filled, small, kept, laid):
        return 0
    kind = _highest(one)
    bit = 1 << kind
    colour, number = kind // 13, kind % 13 + 1
    must = room[_MUST]
    now_laid = laid or kind == must
    before_two = two
    if two & bit:
        two ^= bit
    else:
        one ^= bit
    table = room[_N_TABLE]
    for which in range(runs):
        at = _RUNS + 4 * which
        if room[at] != colour:
            continue
        low, high = room[at + 1], room[at + 2]
        if number < low <= number + 1 + okeys:
            steps = depth
            for gap in range(low - 1, number, -1):
                room[_PATH + steps] = _step(_STEP_RUN, which, gap, 1)
                steps += 1
            room[_PATH + steps] = _step(_STEP_RUN, which, number, 0)
            used = low - 1 - number
            room[at + 1] = number
            wild_laid = now_laid or (used > 0 and must == OKEY)
            _go(tables, one, two, okeys - used, runs, filled, small, kept, wild_laid, steps + 1)
            room[at + 1] = low
        if which < table and number > high:
            _above(
                tables, one, two, okeys, runs, filled, small, kept, now_laid, depth, which, number
            )
    for which in range(room[_N_SETS]):
        at = _SETS + 3 * which
        if room[at + 1] == number and room[at + 2] >> colour & 1 and not filled >> which & 1:
            room[_PATH + depth] = _step(_STEP_LAY, which, colour, 0)
            _go(
                tables,
                one,
                two,
                okeys,
                runs,
                filled | 1 << which,
                small,
                kept,
                now_laid,
                depth + 1,
            )
    if room[_MELDS]:
        _new_sets(tables, one, two, okeys, runs, filled, small, kept, now_laid, depth, kind)
        _new_runs(tables, one, two, okeys, runs, filled, small, kept, now_laid, depth, kind)
    if room[_PAIRS]:
        if before_two & bit:
            room[_PATH + depth] = _step(_STEP_PAIR, kind, 0, 0)
            _go(tables, one & ~bit, two, okeys, runs, filled, small, kept, now_laid, depth + 1)
        if okeys:
            room[_PATH + depth] = _step(_STEP_PAIR, kind, 1, 0)
            wild_laid = now_laid or must == OKEY
            _go(tables, one, two, okeys - 1, runs, filled, small, kept, wild_laid, depth + 1)
    if room[_KEEPS]:
        cost = _TILE * number + 1
        _go(tables, one, two, okeys, runs, filled, small, kept + cost, laid, depth)
    return 0


@compiled
def _above(
    tables: Tables,
    one: int,
    two: int,
    okeys: int,
    runs: int,
    filled: int,
    small: int,
    kept: int,
    laid: bool,
    depth: int,
    which: int,
    number: int,
) -> int:
    """Tiles or okeys from above a run of the table up to a tile, natural ones first."""
    room = tables[1]
    at = _RUNS + 4 * which
    high = room[at + 2]
    gaps = number - 1 - high
    first = 13 * room[at] + high
    held = one >> first & (1 << gaps) - 1
    lacks = ~held & (1 << gaps) - 1
    if popcount(lacks) > okeys:
        return 0
    for turned in range(1 << gaps):
        used = popcount(turned)
        if used > okeys:
            continue
        wild = 0
        for place in range(gaps):
            if turned >> gaps - 1 - place & 1:
                wild |= 1 << place
        if wild & lacks != lacks:
            continue
        after_one, after_two, after_laid = one, two, laid
        steps = depth
        for place in range(gaps):
            room[_PATH + steps] = _step(_STEP_RUN, which, high + 1 + place, wild >> place & 1)
            steps += 1
            if wild >> place & 1:
                continue
            bit = 1 << first + place
            if after_two & bit:
                after_two ^= bit
            else:
                after_one ^= bit
            after_laid = after_laid or first + place == room[_MUST]
        room[_PATH + steps] = _step(_STEP_RUN, which, number, 0)
        after_laid = after_laid or (used > 0 and room[_MUST] == OKEY)
        room[at + 2] = number
        _go(
            tables,
            after_one,
            after_two,
            okeys - used,
            runs,
            filled,
            small,
            kept,
            after_laid,
            steps + 1,
        )
        room[at + 2] = high
    return 0


@compiled
def _new_sets(
    tables: Tables,
    one: int,
    two: int,
    okeys: int,
    runs: int,
    filled: int,
    small: int,
    kept: int,
    laid: bool,
    depth: int,
    kind: int,
) -> int:
    """New sets in which a tile has the lowest colour: more natural tiles first."""
    room = tables[1]
    colour, number = kind // 13, kind % 13 + 1
    column = one >> number - 1
    held = (column & 1) | (column >> 12 & 2) | (column >> 24 & 4) | (column >> 36 & 8)
    held &= 15 << colour + 1
    for others in range(3, -1, -1):
        used = max(0, 2 - others)
        if used > okeys:
            return 0
        for mask in range(16):
            if mask & ~held or popcount(mask) != others:
                continue
            spread = (mask & 1) | (mask & 2) << 12 | (mask & 4) << 24 | (mask & 8) << 36
            spread <<= number - 1
            both = two & spread
            must = room[_MUST]
            after_laid = laid or (0 <= must < OKEY and spread >> must & 1 == 1)
            after_laid = after_laid or (used > 0 and must == OKEY)
            room[_PATH + depth] = _step(_STEP_SET, number, mask | 1 << colour, used)
            _go(
                tables,
                one & ~(spread & ~both),
                two & ~both,
                okeys - used,
                runs,
                filled,
                small + (1 if others + used == 2 else 0),
                kept,
                after_laid,
                depth + 1,
            )
    return 0


@compiled
def _new_runs(
    tables: Tables,
    one: int,
    two: int,
    okeys: int,
    runs: int,
    filled: int,
    small: int,
    kept: int,
    laid: bool,
    depth: int,
    kind: int,
) -> int:
    """New runs of three with a tile as their highest natural one: natural tiles first."""
    room = tables[1]
    colour, number = kind // 13, kind % 13 + 1
    low = max(1, number - 2)
    own = 1 << number - low
    first = 13 * colour + low - 1
    above = 7 & ~(2 * own - 1)
    held = one >> first & 7 & (own - 1)
    lacks = 7 & ~(held | own)
    for wild in range(8):
        used = popcount(wild)
        if used > okeys or wild & own or wild & lacks != lacks or wild & above != above:
            continue
        spread = (7 & ~wild & ~own) << first
        both = two & spread
        must = room[_MUST]
        after_laid = laid or (0 <= must < OKEY and spread >> must & 1 == 1)
        after_laid = after_laid or (used > 0 and must == OKEY)
        room[_PATH + depth] = _step(_STEP_NEW, colour, low, wild)
        at = _RUNS + 4 * runs
        room[at] = colour
        room[at + 1] = low
        room[at + 2] = low + 2
        _go(
            tables,
            one & ~(spread & ~both),
            two & ~both,
            okeys - used,
            runs + 1,
            filled,
            small,
            kept,
            after_laid,
            depth + 1,
        )
    return 0


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
def _run(tables: Tables, one: int, two: int, okeys: int, limit: int, kept: int) -> bool:
    room = tables[1]
    room[_FOUND] = 0
    room[_LENGTH] = 0
    room[_LIMIT] = limit
    room[_NODES] = 0
    room[_EPOCH] += 1
    _go(tables, one, two, okeys, room[_N_TABLE], 0, 0, kept, room[_MUST] < 0, 0)
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
