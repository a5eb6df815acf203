"""What a hand puts down in one turn, compiled: the twin of :mod:`okey101.solver.lay_search`.

A search is set up from a table by :func:`set_up`, asked by :func:`least_left` or :func:`lay_all`,
and its plan read by :func:`groups_of_plan` and :func:`first_lay_off`. All of it lies in the room
of the tables.
"""

# pyright: reportArgumentType=false, reportAssignmentType=false, reportReturnType=false

from __future__ import annotations

from okey101.kernel import groups as G, layout as L, room as R
from okey101.kernel.arranging import order_groups
from okey101.kernel.compiling import Row, adopt, apart
from okey101.kernel.plain import first_bit, popcount
from okey101.kernel.solver import TILES, Tables, search
from okey101.tiles import FALSE_JOKER, OKEY

_TILE = 128
_OKEY_COST = 101 * _TILE + 1
"""What tiles that stay cost: by number, and an okey."""
_PATIENCE = 64
"""Nodes after which states seen before are remembered."""
STEP_RUN, STEP_NEW, STEP_LAY, STEP_SET, STEP_PAIR, STEP_MORE = range(6)


def step_code(what: int, first: int, second: int, third: int) -> int:
    """A step of a plan as one number: what is done, and with what."""
    return what | first << 4 | second << 12 | third << 20


@apart
def set_up(
    tables: Tables, row: Row, one: int, two: int, lays_off: bool, melds: bool, pairs: bool,
    must: int,
) -> None:  # fmt: skip
    """Make a search ready: a hand before the table of a row; ``must`` is a tile or -1."""
    room = tables[1]
    okey = row[L.OKEY_KIND]
    room[R.ONE], room[R.TWO], room[R.OKEYS] = G.kinds(one, two, okey)
    room[R.MELDS], room[R.PAIRS] = 1 if melds else 0, 1 if pairs else 0
    room[R.MUST] = must if must < 0 or must == OKEY else G.tile_kind(must, okey)
    room[R.OKEY_KIND] = okey
    room[R.WEIGH] = 0
    room[R.GIVES_UP] = 0 if row[L.MUST_FINISH] else room[R.HURRY]
    runs = sets = 0
    if lays_off:
        for place in range(row[L.N_GROUPS]):
            word = row[L.TABLE + place]
            if word & 3 == L.RUN:
                run = R.RUNS + R.RUN * runs
                room[run + R.RUN_COLOUR], room[run + R.RUN_PLACE] = word >> 2 & 3, place
                room[run + R.RUN_LOW], room[run + R.RUN_HIGH] = word >> 4 & 15, word >> 8 & 15
                runs += 1
            elif word & 3 == L.SET and G.accepts(word):
                group = R.SETS + R.SET * sets
                room[group + R.SET_PLACE] = place
                room[group + R.SET_NUMBER] = word >> 2 & 15
                room[group + R.SET_FREE] = 15 & ~(word >> 6 & 15 | word >> 10 & 15)
                sets += 1
    room[R.N_TABLE], room[R.N_SETS] = runs, sets


def _enter(room: Row, at: int, one: int, two: int, okeys: int, laid: bool, steps: int) -> None:
    """Note a state on the stack of the search: its tiles, whether ``must`` is laid, its steps."""
    room[at + R.F_ONE], room[at + R.F_TWO], room[at + R.F_OKEYS] = one, two, okeys
    room[at + R.F_LAID], room[at + R.F_STEPS] = 1 if laid else 0, steps
    room[at + R.F_STAGE] = room[at + R.F_CHANGED] = -1


def _tiles(room: Row, at: int) -> tuple[int, int, int]:
    """The tiles that are left in a state, and the okeys."""
    return room[at + R.F_ONE], room[at + R.F_TWO], room[at + R.F_OKEYS]


def _follow(room: Row, at: int, kinds: int, okeys: int, steps: int) -> int:
    """Note the state after the tile of one was laid, kinds and okeys with it; returns its place.

    Its groups, and what is kept, are as before.
    """
    must = room[R.MUST]
    laid = room[at + R.F_LAID] == 1 or room[at + R.F_KIND] == must or (okeys > 0 and must == OKEY)
    laid = laid or (0 <= must < OKEY and kinds >> must & 1 == 1)
    one, two = G.minus(room[at + R.F_ONE], room[at + R.F_TWO], kinds, 0)
    after = at + R.FRAME
    _enter(room, after, one, two, room[at + R.F_OKEYS] - okeys, laid, steps)
    for part in range(R.F_RUNS, R.F_LAID):
        room[after + part] = room[at + part]
    return after


def _lengthen(room: Row, at: int, which: int, low: int, high: int) -> None:
    """Give a run other ends, and note in the state those that it had."""
    run = R.RUNS + R.RUN * which
    room[at + R.F_CHANGED] = which
    room[at + R.F_LOW], room[at + R.F_HIGH] = room[run + R.RUN_LOW], room[run + R.RUN_HIGH]
    room[run + R.RUN_LOW], room[run + R.RUN_HIGH] = low, high


# The ways on from a state of the search for what to put down: onto groups, and in new ones.

_MASKS = 0x08421CA9653EDB7
"""Masks of other colours, four bits each: of three colours, of two, of one, of none."""


def onto_run(room: Row, at: int) -> bool:
    """The next way to lay the tile onto a run, at its low or its high end."""
    okeys, runs, kind = room[at + R.F_OKEYS], room[at + R.F_RUNS], room[at + R.F_KIND]
    colour, number = kind // 13, kind % 13 + 1
    while room[at + R.F_NEXT] < runs:
        which = room[at + R.F_NEXT]
        run = R.RUNS + R.RUN * which
        if room[run + R.RUN_COLOUR] != colour:
            room[at + R.F_NEXT] += 1
            continue
        low, high = room[run + R.RUN_LOW], room[run + R.RUN_HIGH]
        if room[at + R.F_TURNED] < 0:
            room[at + R.F_TURNED] = 0
            if number < low <= number + 1 + okeys:
                steps = room[at + R.F_STEPS]
                for gap in range(low - 1, number - 1, -1):
                    room[R.PATH + steps] = step_code(STEP_RUN, which, gap, 1 if gap > number else 0)
                    steps += 1
                _lengthen(room, at, which, number, high)
                after = _follow(room, at, 0, low - 1 - number, steps)
                if which < room[R.N_TABLE]:
                    room[after + R.F_KEPT] += room[R.WEIGH] * number
                return True
        if which < room[R.N_TABLE] and number > high:
            gaps = number - 1 - high
            while room[at + R.F_TURNED] < 1 << gaps:
                turned = room[at + R.F_TURNED]
                room[at + R.F_TURNED] += 1
                if popcount(turned) <= okeys and _above(room, at, which, gaps, turned):
                    return True
        room[at + R.F_TURNED] = -1
        room[at + R.F_NEXT] += 1
    return False


def _above(room: Row, at: int, which: int, gaps: int, turned: int) -> bool:
    """Tiles or okeys from above a run of the table up to the tile, if they are there."""
    run = R.RUNS + R.RUN * which
    low, high = room[run + R.RUN_LOW], room[run + R.RUN_HIGH]
    first = 13 * room[run + R.RUN_COLOUR] + high
    steps = room[at + R.F_STEPS]
    kinds = weight = 0
    for place in range(gaps):
        if not turned >> gaps - 1 - place & 1:
            kinds |= 1 << first + place
    if kinds & ~room[at + R.F_ONE]:
        return False
    for place in range(gaps + 1):
        wild = turned << 1 >> gaps - place & 1
        room[R.PATH + steps + place] = step_code(STEP_RUN, which, high + 1 + place, wild)
        if not wild:
            weight += high + 1 + place
    _lengthen(room, at, which, low, high + 1 + gaps)
    after = _follow(room, at, kinds, popcount(turned), steps + gaps + 1)
    room[after + R.F_KEPT] += room[R.WEIGH] * weight
    return True


def onto_set(room: Row, at: int) -> bool:
    """The next set of the table that takes the tile."""
    kind, filled = room[at + R.F_KIND], room[at + R.F_FILLED]
    colour, number = kind // 13, kind % 13 + 1
    while room[at + R.F_NEXT] < room[R.N_SETS]:
        which = room[at + R.F_NEXT]
        room[at + R.F_NEXT] += 1
        group = R.SETS + R.SET * which
        if room[group + R.SET_NUMBER] != number or filled >> which & 1:
            continue
        if not room[group + R.SET_FREE] >> colour & 1:
            continue
        steps = room[at + R.F_STEPS]
        room[R.PATH + steps] = step_code(STEP_LAY, which, colour, 0)
        after = _follow(room, at, 0, 0, steps + 1)
        room[after + R.F_FILLED] = filled | 1 << which
        room[after + R.F_KEPT] += room[R.WEIGH] * number
        return True
    return False


def new_set(room: Row, at: int) -> bool:
    """The next new set in which the tile has the lowest colour: more natural tiles first."""
    if not room[R.MELDS]:
        return False
    kind, okeys, steps = room[at + R.F_KIND], room[at + R.F_OKEYS], room[at + R.F_STEPS]
    colour, number = kind // 13, kind % 13 + 1
    held = G.colours_of(room[at + R.F_ONE], number) & 15 << colour + 1
    if popcount(held) + okeys < 2:
        return False
    while room[at + R.F_NEXT] < 15:
        mask = _MASKS >> 4 * room[at + R.F_NEXT] & 15
        room[at + R.F_NEXT] += 1
        used = max(0, 2 - popcount(mask))
        if used > okeys:
            return False
        if mask & ~held:
            continue
        room[R.PATH + steps] = step_code(STEP_SET, number, mask | 1 << colour, used)
        after = _follow(room, at, G.kinds_of(mask, number), used, steps + 1)
        if popcount(mask) < 3:
            room[after + R.F_SMALL] += 1
        return True
    return False


def new_run(room: Row, at: int) -> bool:
    """The next new run of three with the tile as its highest natural one."""
    if not room[R.MELDS]:
        return False
    runs, kind, steps = room[at + R.F_RUNS], room[at + R.F_KIND], room[at + R.F_STEPS]
    colour, number = kind // 13, kind % 13 + 1
    low = max(1, number - 2)
    own = 1 << number - low
    first = 13 * colour + low - 1
    lacks = 7 & ~(room[at + R.F_ONE] >> first & 7 & (own - 1) | own)
    while room[at + R.F_NEXT] < 8:
        wild = room[at + R.F_NEXT]
        room[at + R.F_NEXT] += 1
        used = popcount(wild)
        if used > room[at + R.F_OKEYS] or wild & own or wild & lacks != lacks:
            continue
        room[R.PATH + steps] = step_code(STEP_NEW, colour, low, wild)
        run = R.RUNS + R.RUN * runs
        room[run + R.RUN_COLOUR] = colour
        room[run + R.RUN_LOW] = low
        room[run + R.RUN_HIGH] = low + 2
        after = _follow(room, at, (7 & ~wild & ~own) << first, used, steps + 1)
        room[after + R.F_RUNS] = runs + 1
        return True
    return False


def pair_or_keep(room: Row, at: int) -> bool:
    """A natural pair, a pair with an okey, and keeping the tile, one after the other."""
    kind, steps = room[at + R.F_KIND], room[at + R.F_STEPS]
    while room[at + R.F_NEXT] < 3:
        okeys = room[at + R.F_NEXT]
        room[at + R.F_NEXT] += 1
        if okeys == 2:
            if room[R.KEEPS]:
                after = _follow(room, at, 0, 0, steps)
                room[after + R.F_LAID] = room[at + R.F_LAID]
                room[after + R.F_KEPT] += _TILE * (kind % 13 + 1) + 1
                return True
        elif room[R.PAIRS] and room[at + (R.F_OKEYS if okeys else R.F_TWIN)]:
            room[R.PATH + steps] = step_code(STEP_PAIR, kind, okeys, 0)
            _follow(room, at, 0 if okeys else 1 << kind, okeys, steps + 1)
            return True
    return False


_ANY = 1 << 6
"""That an okey laid off on a set names no colour, in the place of its kind."""


def _useful(room: Row, free: int, one: int, okeys: int) -> int:
    """The kinds of a hand that some plan might lay; ``free`` are those that need no new meld."""
    useful = free
    if room[R.MELDS]:
        useful |= G.meldable(one, okeys)
    return useful & one


def _free(room: Row, one: int, two: int, okeys: int, runs: int, filled: int) -> int:
    """The kinds that some plan might pair, or lay onto the first runs and the sets not filled."""
    fits = 0
    if room[R.PAIRS]:
        fits = one if okeys else two
    for which in range(room[R.N_SETS]):
        if not filled >> which & 1:
            group = R.SETS + R.SET * which
            fits |= G.kinds_of(room[group + R.SET_FREE], room[group + R.SET_NUMBER])
    for which in range(runs):
        run = R.RUNS + R.RUN * which
        base = 13 * room[run + R.RUN_COLOUR]
        own = one >> base & 0x1FFF
        if not own:
            continue
        for step in range(-1, 2, 2):
            lacks = 0
            number = room[run + R.RUN_LOW] - 1 if step < 0 else room[run + R.RUN_HIGH] + 1
            while 1 <= number <= 13 and lacks <= okeys:
                if own >> number - 1 & 1:
                    fits |= 1 << base + number - 1
                else:
                    lacks += 1
                number += step
    return fits


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
    if not room[R.MELDS]:
        return False
    floor = 1024 * need - 1
    return search(tables, TILES, one, two, okeys, floor) > floor


def _seen(room: Row, at: int) -> bool:
    """Whether this state was met before at no greater cost; it is remembered otherwise."""
    one, two, okeys = _tiles(room, at)
    runs, filled, small = room[at + R.F_RUNS], room[at + R.F_FILLED], room[at + R.F_SMALL]
    kept, laid = room[at + R.F_KEPT], room[at + R.F_LAID]
    key = (
        one * 0x9E3779B97F4A7C1 + (two ^ two >> 29) * 0x85EBCA77C2B2AE3 + filled * 0x27D4EB2F165667C
    )
    key += (okeys + 4 * small + (64 if kept else 0) + (128 if laid else 0)) * 0x165667B19E3779F
    key += room[R.EPOCH] * 0x2545F4914F6CDD1
    for which in range(runs):
        run = R.RUNS + R.RUN * which
        ends = room[run + R.RUN_COLOUR] + 4 * room[run + R.RUN_LOW] + 64 * room[run + R.RUN_HIGH]
        key = (key ^ key >> 31) * 0x5851F42D4C957F2 + ends
    key ^= key >> 29
    place = R.MEMO + 2 * (key & R.MEMO_SIZE - 1)
    if room[place] == key and room[place + 1] <= kept:
        return True
    room[place] = key
    room[place + 1] = kept
    return False


def _highest(kinds: int) -> int:
    """The kind looked at first: of the highest number, of those the first colour."""
    numbers = (kinds | kinds >> 13 | kinds >> 26 | kinds >> 39) & 0x1FFF
    numbers |= numbers >> 1
    numbers |= numbers >> 2
    numbers |= numbers >> 4
    numbers |= numbers >> 8
    number = popcount(numbers) - 1
    return first_bit(kinds >> number & G.ONES) + number


def _end(room: Row, at: int) -> None:
    """All tiles have been looked at: okeys left over are laid, and the plan is compared."""
    okeys, runs = room[at + R.F_OKEYS], room[at + R.F_RUNS]
    filled, small = room[at + R.F_FILLED], room[at + R.F_SMALL]
    kept, begun = room[at + R.F_KEPT], room[at + R.F_STEPS]
    keeps = room[R.KEEPS] == 1
    stay = 1 if keeps and not kept else 0
    if okeys < stay:
        return
    steps = begun
    left = okeys - stay
    for which in range(runs):
        run = R.RUNS + R.RUN * which
        low, high = room[run + R.RUN_LOW], room[run + R.RUN_HIGH]
        while left and high - low < 12:
            if low > 1:
                low -= 1
                room[R.PATH + steps] = step_code(STEP_RUN, which, low, 1)
            else:
                high += 1
                room[R.PATH + steps] = step_code(STEP_RUN, which, high, 1)
            steps += 1
            left -= 1
    for which in range(room[R.N_SETS]):
        if left and not filled >> which & 1:
            room[R.PATH + steps] = step_code(STEP_LAY, which, 4, 1)
            steps += 1
            left -= 1
    for which in range(min(left, small)):
        room[R.PATH + steps] = step_code(STEP_MORE, which, 0, 0)
        steps += 1
        left -= 1
    if left and okeys - stay == 2 and room[R.PAIRS]:
        room[R.PATH + begun] = step_code(STEP_PAIR, 12, 2, 0)
        steps = begun + 1
        left = 0
    left += stay
    laid = room[at + R.F_LAID] == 1 or (room[R.MUST] == OKEY and left < okeys)
    if not laid or (left and not keeps):
        return
    cost = kept + left * _OKEY_COST
    if cost < room[R.LIMIT]:
        room[R.LIMIT] = cost if keeps else 0
        room[R.FOUND] = 1
        room[R.LENGTH] = steps
        for step in range(steps):
            room[R.PLAN + step] = room[R.PATH + step]


def _cost(one: int, two: int) -> int:
    """What natural tiles that stay cost."""
    return _TILE * (G.number_sum(one) + G.number_sum(two)) + popcount(one) + popcount(two)


def _in_vain(tables: Tables, at: int) -> bool:
    """Whether tiles of a state can't be laid, and cost too much where tiles may stay."""
    room = tables[1]
    one, two, okeys = _tiles(room, at)
    free = _free(room, one, two, okeys, room[at + R.F_RUNS], room[at + R.F_FILLED])
    useless = one & ~_useful(room, free, one, okeys)
    if room[R.KEEPS]:
        return useless != 0 and room[at + R.F_KEPT] + _cost(useless, useless & two) >= room[R.LIMIT]
    if useless:
        return True
    if room[R.NODES] <= _PATIENCE:
        return False
    return not _enough_melds(tables, one, two, okeys, free, True, 0)


def _opened(tables: Tables, at: int) -> bool:
    """Take the first tile out of a new state; False where there is nothing to try."""
    room = tables[1]
    one, two, _ = _tiles(room, at)
    if room[at + R.F_KEPT] >= room[R.LIMIT]:
        return False
    if not one:
        _end(room, at)
        return False
    room[R.NODES] += 1
    if room[R.GIVES_UP] and room[R.NODES] > room[R.GIVES_UP]:
        return False
    if _in_vain(tables, at) or (room[R.NODES] > _PATIENCE and _seen(room, at)):
        return False
    kind = _highest(one)
    room[at + R.F_KIND], room[at + R.F_TWIN] = kind, two >> kind & 1
    room[at + R.F_ONE], room[at + R.F_TWO] = G.minus(one, two, 1 << kind, 0)
    room[at + R.F_STAGE] = room[at + R.F_NEXT] = 0
    room[at + R.F_TURNED] = -1
    return True


def _search_plans(tables: Tables) -> None:
    """Go through all plans from the state on the stack, in their order."""
    room = tables[1]
    depth = 0
    while depth >= 0:
        at = R.FRAMES + depth * R.FRAME
        changed = room[at + R.F_CHANGED]
        if changed >= 0:
            run = R.RUNS + R.RUN * changed
            room[run + R.RUN_LOW] = room[at + R.F_LOW]
            room[run + R.RUN_HIGH] = room[at + R.F_HIGH]
            room[at + R.F_CHANGED] = -1
        if room[at + R.F_STAGE] < 0 and not _opened(tables, at):
            depth -= 1
            continue
        stage = room[at + R.F_STAGE]
        found = False
        if stage == 0:
            found = room[at + R.F_RUNS] > 0 and onto_run(room, at)
        elif stage == 1:
            found = room[R.N_SETS] > 0 and onto_set(room, at)
        elif stage == 2:
            found = new_set(room, at)
        elif stage == 3:
            found = new_run(room, at)
        elif stage == 4:
            found = pair_or_keep(room, at)
        else:
            depth -= 1
            continue
        if found:
            depth += 1
        else:
            room[at + R.F_STAGE] = stage + 1
            room[at + R.F_NEXT] = 0


@apart
def _run(tables: Tables, one: int, two: int, okeys: int, limit: int, kept: int) -> bool:
    room = tables[1]
    room[R.FOUND] = room[R.LENGTH] = room[R.NODES] = 0
    room[R.LIMIT] = limit
    room[R.EPOCH] += 1
    _enter(room, R.FRAMES, one, two, okeys, room[R.MUST] < 0, 0)
    room[R.FRAMES + R.F_RUNS] = room[R.N_TABLE]
    room[R.FRAMES + R.F_FILLED] = room[R.FRAMES + R.F_SMALL] = 0
    room[R.FRAMES + R.F_KEPT] = kept
    _search_plans(tables)
    return room[R.FOUND] == 1  # type: ignore[no-any-return]


@apart
def least_left(tables: Tables) -> int:
    """What stays in the hand at least, 128 times its points and its tiles; -1 if none will do."""
    room = tables[1]
    one, two, okeys = room[R.ONE], room[R.TWO], room[R.OKEYS]
    if not one and not okeys:
        return -1
    useful = _useful(room, _free(room, one, two, okeys, room[R.N_TABLE], 0), one, okeys)
    kept = _cost(one & ~useful, two & ~useful)
    limit = _cost(one, two) + okeys * _OKEY_COST + 1
    room[R.KEEPS] = 1
    if not _run(tables, one & useful, two & useful, okeys, limit, kept):
        return -1
    return room[R.LIMIT]  # type: ignore[no-any-return]


def _limit(tables: Tables, left: int, okeys: int) -> int:
    """What numbers laid onto the table have to stay below, for new groups to count enough.

    ``left`` is the number that stays, 0 for an okey; an okey in a new group counts 13 at most.
    """
    room = tables[1]
    if not room[R.WEIGH]:
        return 1
    total = G.number_sum(room[R.ONE]) + G.number_sum(room[R.TWO])
    return total - left + 13 * okeys - room[R.LEAST] + 1  # type: ignore[no-any-return]


@apart
def may_lay_all(tables: Tables) -> bool:
    """A quick look: whether all but one tile might be laid; False is certain."""
    room = tables[1]
    one, two, okeys = room[R.ONE], room[R.TWO], room[R.OKEYS]
    free = _free(room, one, two, okeys, room[R.N_TABLE], 0)
    useful = _useful(room, free, one, okeys)
    if G.rack_size(one & ~useful, two & ~useful) > 1:
        return False
    return _enough_melds(tables, one, two, okeys, free, True, 1)


@apart
def lay_all(tables: Tables) -> int:
    """The tile that stays where all others can be laid, or -1.

    An okey stays before others, then the highest number, then the first colour. Where
    :data:`R.WEIGH` says so, plans that lay too much onto the table do not count.
    """
    room = tables[1]
    one, two, okeys = room[R.ONE], room[R.TWO], room[R.OKEYS]
    free = _free(room, one, two, okeys, room[R.N_TABLE], 0)
    useful = _useful(room, free, one, okeys)
    useless = G.rack_size(one & ~useful, two & ~useful)
    if useless > 1:
        return -1
    room[R.KEEPS] = 0
    must, okey = room[R.MUST], room[R.OKEY_KIND]
    free_okeys = room[R.PAIRS] or room[R.N_TABLE] or room[R.N_SETS]
    if not _enough_melds(tables, one, two, okeys, free, free_okeys, 1):
        return -1
    if okeys and not useless and not (must == OKEY and okeys == 1):
        enough = _enough_melds(tables, one, two, okeys - 1, free, free_okeys, 0)
        if enough and _run(tables, one, two, okeys - 1, _limit(tables, 0, okeys - 1), 0):
            return OKEY
    candidates = one & ~useful if useless else one
    while candidates:
        kind = _highest(candidates)
        candidates ^= 1 << kind
        if kind == must and not two >> kind & 1:
            continue
        after_one, after_two = G.minus(one, two, 1 << kind, 0)
        if not _enough_melds(tables, after_one, after_two, okeys, free, free_okeys, 0):
            continue
        limit = _limit(tables, kind % 13 + 1, okeys)
        if _run(tables, after_one, after_two, okeys, limit, 0):
            return FALSE_JOKER if kind == okey else kind
    return -1


@apart
def groups_of_plan(tables: Tables, out: Row) -> int:
    """The new groups of the plan found, in order, and how many they are."""
    room = tables[1]
    count = runs = sets = 0
    table = room[R.N_TABLE]
    for step in range(room[R.LENGTH]):
        code = room[R.PLAN + step]
        what, first, second, third = code & 15, code >> 4 & 255, code >> 12 & 255, code >> 20
        if what == STEP_RUN and first >= table:
            place = room[R.NEW_RUNS + first - table]
            tile = OKEY if third else second - 1
            out[place] = G.extended(out[place], tile, second - 1, -1)
        elif what == STEP_MORE:
            place = room[R.NEW_SETS + first]
            out[place] = G.extended(out[place], OKEY, 0, -1)
        elif what == STEP_NEW:
            out[count] = G.run_with(first, second, second + 2, third)
            room[R.NEW_RUNS + runs] = count
            runs += 1
            count += 1
        elif what == STEP_SET:
            named = 0
            for _ in range(third):
                free = 15 & ~(second | named)
                named |= free & -free
            out[count] = G.set_word(first, second, named, 0)
            if popcount(second) + third == 3:
                room[R.NEW_SETS + sets] = count
                sets += 1
            count += 1
        elif what == STEP_PAIR:
            out[count] = L.PAIR | first << 2 | second << 8
            count += 1
    order_groups(out, count, room[R.OKEY_KIND])
    return count


def first_lay_off(tables: Tables) -> int:
    """The first lay-off of the plan found, as an action; -1 where there is none."""
    room = tables[1]
    table, okey = room[R.N_TABLE], room[R.OKEY_KIND]
    best, best_place = -1, 1 << 20
    for step in range(room[R.LENGTH]):
        code = room[R.PLAN + step]
        what, first, second, third = code & 15, code >> 4 & 255, code >> 12 & 255, code >> 20
        if what == STEP_RUN and first < table:
            run = R.RUNS + R.RUN * first
            place = room[run + R.RUN_PLACE]
            kind = 13 * room[run + R.RUN_COLOUR] + second - 1
            as_kind = kind if third else 0
        elif what == STEP_LAY:
            group = R.SETS + R.SET * first
            place = room[group + R.SET_PLACE]
            number = room[group + R.SET_NUMBER]
            kind = 13 * second + number - 1
            as_kind = number - 1 | _ANY if third else 0
        else:
            continue
        if place < best_place:
            tile = OKEY if third else FALSE_JOKER if kind == okey else kind
            best = L.A_LAY | tile << 4 | place << 10 | as_kind << 16
            best_place = place
    return best


adopt(__name__)
