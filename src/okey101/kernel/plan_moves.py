"""The ways on from a state of the search for what to put down: onto groups, and in new ones."""

# pyright: reportArgumentType=false, reportAssignmentType=false, reportReturnType=false

from __future__ import annotations

from okey101.kernel.compiling import Row, inner, popcount
from okey101.kernel.plan_room import (
    R_CHANGED,
    R_HIGH,
    R_KEEPS,
    R_KIND,
    R_LOW,
    R_MELDS,
    R_MUST,
    R_N_SETS,
    R_N_TABLE,
    R_NEXT,
    R_PAIRS,
    R_PATH,
    R_RUNS,
    R_SETS,
    R_STEP_LAY,
    R_STEP_NEW,
    R_STEP_PAIR,
    R_STEP_RUN,
    R_STEP_SET,
    R_TILE,
    R_TURNED,
    R_TWIN,
    R_WEIGH,
    enter,
    step_code,
)
from okey101.tiles import OKEY

__all__ = [
    "new_run",
    "new_set",
    "onto_run",
    "onto_set",
    "pair_or_keep",
]


_MASKS = 0x08421CA9653EDB7
"""Masks of other colours, four bits each: of three colours, of two, of one, of none."""


@inner
def onto_run(room: Row, at: int, depth: int) -> bool:
    """The next way to lay the tile onto a run, at its low or its high end."""
    okeys, runs, kind = room[at + 2], room[at + 3], room[at + R_KIND]
    colour, number = kind // 13, kind % 13 + 1
    must = room[R_MUST]
    while room[at + R_NEXT] < runs:
        which = room[at + R_NEXT]
        run = R_RUNS + 4 * which
        if room[run] != colour:
            room[at + R_NEXT] += 1
            continue
        low, high = room[run + 1], room[run + 2]
        if room[at + R_TURNED] < 0:
            room[at + R_TURNED] = 0
            if number < low <= number + 1 + okeys:
                steps = room[at + 8]
                for gap in range(low - 1, number, -1):
                    room[R_PATH + steps] = step_code(R_STEP_RUN, which, gap, 1)
                    steps += 1
                room[R_PATH + steps] = step_code(R_STEP_RUN, which, number, 0)
                used = low - 1 - number
                laid = 1 if room[at + 7] or kind == must or (used > 0 and must == OKEY) else 0
                room[at + R_CHANGED] = which
                room[at + R_LOW] = low
                room[at + R_HIGH] = high
                room[run + 1] = number
                weight = room[R_WEIGH] * number if which < room[R_N_TABLE] else 0
                enter(
                    room,
                    depth + 1,
                    room[at],
                    room[at + 1],
                    okeys - used,
                    runs,
                    room[at + 4],
                    room[at + 5],
                    room[at + 6] + weight,
                    laid,
                    steps + 1,
                )
                return True
        if which < room[R_N_TABLE] and number > high:
            gaps = number - 1 - high
            while room[at + R_TURNED] < 1 << gaps:
                turned = room[at + R_TURNED]
                room[at + R_TURNED] += 1
                if popcount(turned) <= okeys and _above(room, at, depth, which, gaps, turned):
                    return True
        room[at + R_TURNED] = -1
        room[at + R_NEXT] += 1
    return False


@inner
def _above(room: Row, at: int, depth: int, which: int, gaps: int, turned: int) -> bool:
    """Tiles or okeys from above a run of the table up to the tile, if they are there."""
    one, two = room[at], room[at + 1]
    run = R_RUNS + 4 * which
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
    must = room[R_MUST]
    laid = room[at + 7] == 1 or room[at + R_KIND] == must or (used > 0 and must == OKEY)
    steps = room[at + 8]
    for place in range(gaps):
        room[R_PATH + steps] = step_code(R_STEP_RUN, which, high + 1 + place, wild >> place & 1)
        steps += 1
        if wild >> place & 1:
            continue
        bit = 1 << first + place
        if two & bit:
            two ^= bit
        else:
            one ^= bit
        laid = laid or first + place == must
    room[R_PATH + steps] = step_code(R_STEP_RUN, which, high + 1 + gaps, 0)
    room[at + R_CHANGED] = which
    room[at + R_LOW] = low
    room[at + R_HIGH] = high
    room[run + 2] = high + 1 + gaps
    weight = 0
    for place in range(gaps + 1):
        if not wild >> place & 1:
            weight += high + 1 + place
    enter(
        room,
        depth + 1,
        one,
        two,
        room[at + 2] - used,
        room[at + 3],
        room[at + 4],
        room[at + 5],
        room[at + 6] + room[R_WEIGH] * weight,
        1 if laid else 0,
        steps + 1,
    )
    return True


@inner
def onto_set(room: Row, at: int, depth: int) -> bool:
    """The next set of the table that takes the tile."""
    kind, filled = room[at + R_KIND], room[at + 4]
    colour, number = kind // 13, kind % 13 + 1
    while room[at + R_NEXT] < room[R_N_SETS]:
        which = room[at + R_NEXT]
        room[at + R_NEXT] += 1
        group = R_SETS + 3 * which
        if room[group + 1] != number or not room[group + 2] >> colour & 1 or filled >> which & 1:
            continue
        room[R_PATH + room[at + 8]] = step_code(R_STEP_LAY, which, colour, 0)
        laid = 1 if room[at + 7] or kind == room[R_MUST] else 0
        enter(
            room,
            depth + 1,
            room[at],
            room[at + 1],
            room[at + 2],
            room[at + 3],
            filled | 1 << which,
            room[at + 5],
            room[at + 6] + room[R_WEIGH] * number,
            laid,
            room[at + 8] + 1,
        )
        return True
    return False


@inner
def new_set(room: Row, at: int, depth: int) -> bool:
    """The next new set in which the tile has the lowest colour: more natural tiles first."""
    if not room[R_MELDS]:
        return False
    one, two, okeys, kind = room[at], room[at + 1], room[at + 2], room[at + R_KIND]
    colour, number = kind // 13, kind % 13 + 1
    column = one >> number - 1
    held = (column & 1) | (column >> 12 & 2) | (column >> 24 & 4) | (column >> 36 & 8)
    held &= 15 << colour + 1
    if popcount(held) + okeys < 2:
        return False
    while room[at + R_NEXT] < 15:
        mask = _MASKS >> 4 * room[at + R_NEXT] & 15
        room[at + R_NEXT] += 1
        others = popcount(mask)
        used = max(0, 2 - others)
        if used > okeys:
            return False
        if mask & ~held:
            continue
        spread = (mask & 1) | (mask & 2) << 12 | (mask & 4) << 24 | (mask & 8) << 36
        spread <<= number - 1
        both = two & spread
        must = room[R_MUST]
        laid = room[at + 7] == 1 or kind == must or (used > 0 and must == OKEY)
        laid = laid or (0 <= must < OKEY and spread >> must & 1 == 1)
        room[R_PATH + room[at + 8]] = step_code(R_STEP_SET, number, mask | 1 << colour, used)
        enter(
            room,
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


@inner
def new_run(room: Row, at: int, depth: int) -> bool:
    """The next new run of three with the tile as its highest natural one."""
    if not room[R_MELDS]:
        return False
    one, two, okeys, runs = room[at], room[at + 1], room[at + 2], room[at + 3]
    kind = room[at + R_KIND]
    colour, number = kind // 13, kind % 13 + 1
    low = max(1, number - 2)
    own = 1 << number - low
    first = 13 * colour + low - 1
    above = 7 & ~(2 * own - 1)
    lacks = 7 & ~(one >> first & 7 & (own - 1) | own)
    while room[at + R_NEXT] < 8:
        wild = room[at + R_NEXT]
        room[at + R_NEXT] += 1
        used = popcount(wild)
        if used > okeys or wild & own or wild & lacks != lacks or wild & above != above:
            continue
        spread = (7 & ~wild & ~own) << first
        both = two & spread
        must = room[R_MUST]
        laid = room[at + 7] == 1 or kind == must or (used > 0 and must == OKEY)
        laid = laid or (0 <= must < OKEY and spread >> must & 1 == 1)
        room[R_PATH + room[at + 8]] = step_code(R_STEP_NEW, colour, low, wild)
        run = R_RUNS + 4 * runs
        room[run] = colour
        room[run + 1] = low
        room[run + 2] = low + 2
        enter(
            room,
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


@inner
def pair_or_keep(room: Row, at: int, depth: int) -> bool:
    """A natural pair, a pair with an okey, and keeping the tile, one after the other."""
    one, two, okeys, kind = room[at], room[at + 1], room[at + 2], room[at + R_KIND]
    must = room[R_MUST]
    kept, laid, steps = room[at + 6], room[at + 7], room[at + 8]
    while room[at + R_NEXT] < 3:
        way = room[at + R_NEXT]
        room[at + R_NEXT] += 1
        if way == 0 and room[R_PAIRS] and room[at + R_TWIN]:
            room[R_PATH + steps] = step_code(R_STEP_PAIR, kind, 0, 0)
            one &= ~(1 << kind)
            laid = 1 if laid or kind == must else 0
            steps += 1
        elif way == 1 and room[R_PAIRS] and okeys:
            room[R_PATH + steps] = step_code(R_STEP_PAIR, kind, 1, 0)
            okeys -= 1
            laid = 1 if laid or kind == must or must == OKEY else 0
            steps += 1
        elif way == 2 and room[R_KEEPS]:
            kept += R_TILE * (kind % 13 + 1) + 1
        else:
            continue
        enter(
            room,
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
