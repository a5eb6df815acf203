"""What a hand puts down in one turn, compiled: the twin of :mod:`okey101.solver.lay_search`.

A search is set up from a table by :func:`set_up`, asked by :func:`least_left` or :func:`lay_all`,
and its plan read by :func:`groups_of_plan` and :func:`first_lay_off`. All of it lies in the room
of the tables.
"""

# pyright: reportArgumentType=false, reportAssignmentType=false, reportReturnType=false

from __future__ import annotations

from okey101.kernel.arranging import order_groups
from okey101.kernel.compiling import Row, apart, first_bit, inner, popcount
from okey101.kernel.groups import meld_points, number_sum, pair_word, run_word, set_word
from okey101.kernel.layout import A_LAY, PAIR, WORD
from okey101.kernel.plan_moves import new_run, new_set, onto_run, onto_set, pair_or_keep
from okey101.kernel.plan_room import (
    DISCARD,
    R_CHANGED,
    R_EPOCH,
    R_FOUND,
    R_FRAME,
    R_FRAMES,
    R_GIVES_UP,
    R_HIGH,
    R_KEEPS,
    R_KIND,
    R_LEAST,
    R_LENGTH,
    R_LIMIT,
    R_LOW,
    R_MELDS,
    R_MEMO,
    R_MEMO_SIZE,
    R_MUST,
    R_N_SETS,
    R_N_TABLE,
    R_NEW,
    R_NEXT,
    R_NODES,
    R_OKEY,
    R_OKEY_COST,
    R_OKEYS,
    R_ONE,
    R_PAIRS,
    R_PATH,
    R_PATIENCE,
    R_PLAN,
    R_RUNS,
    R_SETS,
    R_STAGE,
    R_STEP_LAY,
    R_STEP_MORE,
    R_STEP_NEW,
    R_STEP_PAIR,
    R_STEP_RUN,
    R_STEP_SET,
    R_TILE,
    R_TURNED,
    R_TWIN,
    R_TWO,
    R_WEIGH,
    enter,
    step_code,
)
from okey101.kernel.solver import TILES, meldable, search
from okey101.kernel.tables import Tables
from okey101.tiles import FALSE_JOKER, OKEY

__all__ = [
    "first_lay_off",
    "groups_of_plan",
    "lay_all",
    "least_left",
    "may_lay_all",
    "points_of_plan",
]

_ANY = 1 << 6
"""That an okey laid off on a set names no colour, in the place of its kind."""


@inner
def _useful(room: Row, onto: int, one: int, two: int, okeys: int) -> int:
    """The kinds of a hand that some plan might lay; ``onto`` are those that fit the table."""
    useful = onto
    if room[R_PAIRS]:
        useful |= one if okeys else two
    if room[R_MELDS]:
        useful |= meldable(one, okeys)
    return useful & one


@inner
def _onto_table(room: Row, kinds: int, okeys: int, runs: int, filled: int) -> int:
    """The kinds that some plan might lay onto the first so many runs and the sets not filled."""
    fits = 0
    for which in range(room[R_N_SETS]):
        if filled >> which & 1:
            continue
        at = R_SETS + 3 * which
        free = room[at + 2]
        spread = (free & 1) | (free & 2) << 12 | (free & 4) << 24 | (free & 8) << 36
        fits |= spread << room[at + 1] - 1
    for which in range(runs):
        at = R_RUNS + 4 * which
        base = 13 * room[at]
        own = kinds >> base & 0x1FFF
        if not own:
            continue
        lacks = 0
        number = room[at + 1] - 1
        while number >= 1:
            if own >> number - 1 & 1:
                fits |= 1 << base + number - 1
            else:
                lacks += 1
                if lacks > okeys:
                    break
            number -= 1
        lacks = 0
        number = room[at + 2] + 1
        while number <= 13:
            if own >> number - 1 & 1:
                fits |= 1 << base + number - 1
            else:
                lacks += 1
                if lacks > okeys:
                    break
            number += 1
    return fits


@inner
def _enough_melds(
    tables: Tables, one: int, two: int, okeys: int, free: int, free_okeys: bool, spare: int
) -> bool:
    """Whether new groups could hold what can't go anywhere else: False says that no plan lays all.

    ``free`` are the kinds that can lie elsewhere, ``free_okeys`` says whether okeys can, and
    ``spare`` tiles may stay. Groups of the best arrangement hold as many tiles as any others.
    """
    room = tables[1]
    need = popcount(one & ~free) + popcount(two & ~free) + (0 if free_okeys else okeys) - spare
    if need <= 0:
        return True
    if not room[R_MELDS]:
        return False
    floor = 1024 * need - 1
    return search(tables, TILES, one, two, okeys, floor) > floor


@inner
def _seen(
    room: Row,
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
    key = (
        one * 0x9E3779B97F4A7C1 + (two ^ two >> 29) * 0x85EBCA77C2B2AE3 + filled * 0x27D4EB2F165667C
    )
    key += (okeys + 4 * small + (64 if kept else 0) + (128 if laid else 0)) * 0x165667B19E3779F
    key += room[R_EPOCH] * 0x2545F4914F6CDD1
    for which in range(runs):
        at = R_RUNS + 4 * which
        key = (
            (key ^ key >> 31) * 0x5851F42D4C957F2 + room[at] + 4 * room[at + 1] + 64 * room[at + 2]
        )
    key ^= key >> 29
    place = R_MEMO + 2 * (key & R_MEMO_SIZE - 1)
    if room[place] == key and room[place + 1] <= kept:
        return True
    room[place] = key
    room[place + 1] = kept
    return False


@inner
def _highest(kinds: int) -> int:
    """The kind looked at first: of the highest number, of those the first colour."""
    numbers = (kinds | kinds >> 13 | kinds >> 26 | kinds >> 39) & 0x1FFF
    numbers |= numbers >> 1
    numbers |= numbers >> 2
    numbers |= numbers >> 4
    numbers |= numbers >> 8
    number = popcount(numbers) - 1
    return first_bit(kinds >> number & (1 | 1 << 13 | 1 << 26 | 1 << 39)) + number


@inner
def _end(
    room: Row,
    okeys: int,
    runs: int,
    filled: int,
    small: int,
    kept: int,
    laid: bool,
    depth: int,
) -> None:
    """All tiles have been looked at: okeys left over are laid, and the plan is compared."""
    keeps = room[R_KEEPS] == 1
    stay = 1 if keeps and not kept else 0
    if okeys < stay:
        return
    steps = depth
    left = okeys - stay
    for which in range(runs):
        at = R_RUNS + 4 * which
        low, high = room[at + 1], room[at + 2]
        while left and high - low < 12:
            if low > 1:
                low -= 1
                room[R_PATH + steps] = step_code(R_STEP_RUN, which, low, 1)
            else:
                high += 1
                room[R_PATH + steps] = step_code(R_STEP_RUN, which, high, 1)
            steps += 1
            left -= 1
    for which in range(room[R_N_SETS]):
        if left and not filled >> which & 1:
            room[R_PATH + steps] = step_code(R_STEP_LAY, which, 4, 1)
            steps += 1
            left -= 1
    for which in range(min(left, small)):
        room[R_PATH + steps] = step_code(R_STEP_MORE, which, 0, 0)
        steps += 1
        left -= 1
    if left and okeys - stay == 2 and room[R_PAIRS]:
        room[R_PATH + depth] = step_code(R_STEP_PAIR, 12, 2, 0)
        steps = depth + 1
        left = 0
    left += stay
    laid = laid or (room[R_MUST] == OKEY and left < okeys)
    if not laid or (left and not keeps):
        return
    cost = kept + left * R_OKEY_COST
    if cost < room[R_LIMIT]:
        room[R_LIMIT] = cost if keeps else 0
        room[R_FOUND] = 1
        room[R_LENGTH] = steps
        for step in range(steps):
            room[R_PLAN + step] = room[R_PATH + step]


@inner
def _cost(one: int, two: int) -> int:
    """What natural tiles that stay cost."""
    return R_TILE * (number_sum(one) + number_sum(two)) + popcount(one) + popcount(two)


@inner
def _in_vain(
    tables: Tables, one: int, two: int, okeys: int, runs: int, filled: int, kept: int
) -> bool:
    """Whether tiles of a state can't be laid, and cost too much where tiles may stay."""
    room = tables[1]
    onto = _onto_table(room, one, okeys, runs, filled)
    useless = one & ~_useful(room, onto, one, two, okeys)
    if room[R_KEEPS]:
        return useless != 0 and kept + _cost(useless, useless & two) >= room[R_LIMIT]
    if useless:
        return True
    if room[R_NODES] <= R_PATIENCE:
        return False
    if room[R_PAIRS]:
        onto |= one if okeys else two
    return not _enough_melds(tables, one, two, okeys, onto, True, 0)


@inner
def _opened(tables: Tables, at: int) -> bool:
    """Take the first tile out of a new state; False where there is nothing to try."""
    room = tables[1]
    one, two, kept, laid = room[at], room[at + 1], room[at + 6], room[at + 7]
    if kept >= room[R_LIMIT]:
        return False
    if not one:
        _end(
            room,
            room[at + 2],
            room[at + 3],
            room[at + 4],
            room[at + 5],
            kept,
            laid == 1,
            room[at + 8],
        )
        return False
    room[R_NODES] += 1
    if room[R_GIVES_UP] and room[R_NODES] > room[R_GIVES_UP]:
        return False
    if _in_vain(tables, one, two, room[at + 2], room[at + 3], room[at + 4], kept):
        return False
    if room[R_NODES] > R_PATIENCE and _seen(
        room, one, two, room[at + 2], room[at + 3], room[at + 4], room[at + 5], kept, laid == 1
    ):
        return False
    kind = _highest(one)
    bit = 1 << kind
    if two & bit:
        room[at + 1] = two ^ bit
        room[at + R_TWIN] = 1
    else:
        room[at] = one ^ bit
        room[at + R_TWIN] = 0
    room[at + R_KIND] = kind
    room[at + R_STAGE] = 0
    room[at + R_NEXT] = 0
    room[at + R_TURNED] = -1
    return True


@inner
def _search_plans(tables: Tables) -> None:
    """Go through all plans from the state on the stack, in their order."""
    room = tables[1]
    depth = 0
    while depth >= 0:
        at = R_FRAMES + depth * R_FRAME
        changed = room[at + R_CHANGED]
        if changed >= 0:
            room[R_RUNS + 4 * changed + 1] = room[at + R_LOW]
            room[R_RUNS + 4 * changed + 2] = room[at + R_HIGH]
            room[at + R_CHANGED] = -1
        if room[at + R_STAGE] < 0 and not _opened(tables, at):
            depth -= 1
            continue
        stage = room[at + R_STAGE]
        found = False
        if stage == 0:
            found = room[at + 3] > 0 and onto_run(room, at, depth)
        elif stage == 1:
            found = room[R_N_SETS] > 0 and onto_set(room, at, depth)
        elif stage == 2:
            found = new_set(room, at, depth)
        elif stage == 3:
            found = new_run(room, at, depth)
        elif stage == 4:
            found = pair_or_keep(room, at, depth)
        else:
            depth -= 1
            continue
        if found:
            depth += 1
        else:
            room[at + R_STAGE] = stage + 1
            room[at + R_NEXT] = 0


@apart
def _run(tables: Tables, one: int, two: int, okeys: int, limit: int, kept: int) -> bool:
    room = tables[1]
    room[R_FOUND] = 0
    room[R_LENGTH] = 0
    room[R_LIMIT] = limit
    room[R_NODES] = 0
    room[R_EPOCH] += 1
    laid = 1 if room[R_MUST] < 0 else 0
    enter(room, 0, one, two, okeys, room[R_N_TABLE], 0, 0, kept, laid, 0)
    _search_plans(tables)
    return room[R_FOUND] == 1  # type: ignore[no-any-return]


@apart
def least_left(tables: Tables) -> int:
    """What stays in the hand at least, 128 times its points and its tiles; -1 if none will do."""
    room = tables[1]
    one, two, okeys = room[R_ONE], room[R_TWO], room[R_OKEYS]
    if not one and not okeys:
        return -1
    onto = _onto_table(room, one, okeys, room[R_N_TABLE], 0)
    useful = _useful(room, onto, one, two, okeys)
    kept = _cost(one & ~useful, two & ~useful)
    limit = _cost(one, two) + okeys * R_OKEY_COST + 1
    room[R_KEEPS] = 1
    if not useful and not okeys:
        room[R_LENGTH] = 0
        return kept if room[R_MUST] < 0 else -1
    if not _run(tables, one & useful, two & useful, okeys, limit, kept):
        return -1
    return room[R_LIMIT]  # type: ignore[no-any-return]


@inner
def _limit(tables: Tables, left: int, okeys: int) -> int:
    """What numbers laid onto the table have to stay below, for new groups to count enough.

    ``left`` is the number that stays, 0 for an okey; an okey in a new group counts 13 at most.
    """
    room = tables[1]
    if not room[R_WEIGH]:
        return 1
    total = number_sum(room[R_ONE]) + number_sum(room[R_TWO])
    return total - left + 13 * okeys - room[R_LEAST] + 1  # type: ignore[no-any-return]


@apart
def may_lay_all(tables: Tables) -> bool:
    """A quick look: whether all but one tile might be laid; False is certain."""
    room = tables[1]
    one, two, okeys = room[R_ONE], room[R_TWO], room[R_OKEYS]
    free = _onto_table(room, one, okeys, room[R_N_TABLE], 0)
    useful = _useful(room, free, one, two, okeys)
    if popcount(one & ~useful) + popcount(two & ~useful) > 1:
        return False
    if room[R_PAIRS]:
        free |= one if okeys else two
    return _enough_melds(tables, one, two, okeys, free, True, 1)


@apart
def lay_all(tables: Tables) -> bool:
    """Whether all but one tile can be laid; what stays is then at :data:`DISCARD`.

    An okey stays before others, then the highest number, then the first colour. Where
    :data:`R_WEIGH` says so, plans that lay too much onto the table do not count.
    """
    room = tables[1]
    one, two, okeys = room[R_ONE], room[R_TWO], room[R_OKEYS]
    free = _onto_table(room, one, okeys, room[R_N_TABLE], 0)
    useful = _useful(room, free, one, two, okeys)
    useless_one, useless_two = one & ~useful, two & ~useful
    useless = popcount(useless_one) + popcount(useless_two)
    if useless > 1:
        return False
    room[R_KEEPS] = 0
    must, okey = room[R_MUST], room[R_OKEY]
    if room[R_PAIRS]:
        free |= one if okeys else two
    free_okeys = room[R_PAIRS] or room[R_N_TABLE] or room[R_N_SETS]
    if not _enough_melds(tables, one, two, okeys, free, free_okeys, 1):
        return False
    if okeys and not useless and not (must == OKEY and okeys == 1):
        enough = _enough_melds(tables, one, two, okeys - 1, free, free_okeys, 0)
        if enough and _run(tables, one, two, okeys - 1, _limit(tables, 0, okeys - 1), 0):
            room[DISCARD] = OKEY
            return True
    candidates = useless_one if useless else one
    while candidates:
        kind = _highest(candidates)
        bit = 1 << kind
        candidates ^= bit
        if kind == must and not two & bit:
            continue
        after_one, after_two = one if two & bit else one ^ bit, two & ~bit
        if not _enough_melds(tables, after_one, after_two, okeys, free, free_okeys, 0):
            continue
        limit = _limit(tables, kind % 13 + 1, okeys)
        if _run(tables, after_one, after_two, okeys, limit, 0):
            room[DISCARD] = FALSE_JOKER if kind == okey else kind
            return True
    return False


@apart
def groups_of_plan(tables: Tables, out: Row) -> int:
    """The new groups of the plan found, in order, and how many they are."""
    room = tables[1]
    count = runs = sets = 0
    table = room[R_N_TABLE]
    for step in range(room[R_LENGTH]):
        code = room[R_PLAN + step]
        what, first, second, third = code & 15, code >> 4 & 255, code >> 12 & 255, code >> 20
        if what == R_STEP_NEW:
            wild = third
            low_wild = second + first_bit(wild) if wild else 0
            more = wild & (wild - 1)
            out[count] = run_word(
                first, second, second + 2, low_wild, second + first_bit(more) if more else 0
            )
            room[R_NEW + runs] = count
            runs += 1
            count += 1
        elif what == R_STEP_RUN and first >= table:
            place = room[R_NEW + first - table]
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
        elif what == R_STEP_SET:
            named = 0
            for _ in range(third):
                free = 15 & ~(second | named)
                named |= free & -free
            out[count] = set_word(first, second, named, 0)
            if popcount(second) + third == 3:
                room[R_NEW + 100 + sets] = count
                sets += 1
            count += 1
        elif what == R_STEP_MORE:
            place = room[R_NEW + 100 + first]
            word = out[place]
            out[place] = set_word(word >> 2 & 15, word >> 6 & 15, 15 & ~(word >> 6 & 15), 0)
        elif what == R_STEP_PAIR:
            if second == 2:
                out[count] = PAIR | first << 2 | 2 << 8
            else:
                out[count] = pair_word(first, second)
            count += 1
    order_groups(out, count, room[R_OKEY])
    return count


@inner
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


@inner
def first_lay_off(tables: Tables) -> int:
    """The first lay-off of the plan found, as an action; -1 where there is none."""
    room = tables[1]
    table, okey = room[R_N_TABLE], room[R_OKEY]
    best, best_place = -1, 1 << 20
    for step in range(room[R_LENGTH]):
        code = room[R_PLAN + step]
        what, first, second, third = code & 15, code >> 4 & 255, code >> 12 & 255, code >> 20
        if what == R_STEP_RUN and first < table:
            place = room[R_RUNS + 4 * first + 3]
            kind = 13 * room[R_RUNS + 4 * first] + second - 1
            as_kind = kind if third else 0
        elif what == R_STEP_LAY:
            place = room[R_SETS + 3 * first]
            number = room[R_SETS + 3 * first + 1]
            kind = 13 * second + number - 1
            as_kind = number - 1 | _ANY if third else 0
        else:
            continue
        if place < best_place:
            tile = OKEY if third else FALSE_JOKER if kind == okey else kind
            best = A_LAY | tile << 4 | place << 10 | as_kind << 16
            best_place = place
    return best
