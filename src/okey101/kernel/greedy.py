"""The bot ``greedy``, compiled: the same choices as :class:`okey101.bots.greedy.GreedyBot`."""

# pyright: reportArgumentType=false, reportAssignmentType=false, reportReturnType=false

from __future__ import annotations

from okey101.kernel import arranging, asked, solver, steady, weighing
from okey101.kernel import groups as G
from okey101.kernel import layout as L
from okey101.kernel import openings as OP
from okey101.kernel import plans as P
from okey101.kernel.arranging import arrange_but_one, left_tiles
from okey101.kernel.compiling import Row, adopt, apart, inner, stand_for
from okey101.kernel.duties import can_use, may_lay_off, may_lay_pairs, taken_waits
from okey101.kernel.finishing import can_finish, finishing_opening, opening, opening_pairs
from okey101.kernel.groups import discard_fine, needed_pairs, needed_points
from okey101.kernel.legal import keeps_duties, legal_actions, may_announce, may_return
from okey101.kernel.plain import each, first_bit, popcount
from okey101.kernel.solver import POINTS, Tables, meldable
from okey101.kernel.steps import lay_down, play
from okey101.kernel.weighing import near, open_to_all
from okey101.tiles import OKEY

stand_for(asked.left_tiles, arranging.left_tiles)
stand_for(asked.values_without, arranging.values_without)
stand_for(asked.best_points, solver.best_points)
stand_for(asked.best_tiles, solver.best_tiles)
stand_for(asked.reaches_points, solver.reaches_points)
stand_for(asked.tiles_above, solver.tiles_above)
adopt(weighing)
adopt(steady)

# What ``greedy`` throws, compiled: the highest tile that costs no fine and is of no use.

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
    okey = row[L.OKEY_KIND]
    loose_one, loose_two = loose_tiles(tables, rules, row, one, two, unopened, points)
    mine, _ = G.natural(loose_one, loose_two, okey)
    seen_one, seen_two = open_to_all(row, one, two)
    best, chosen = 1 << 40, -1
    for tile in each(one):
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
    kind = G.tile_kind(tile, row[L.OKEY_KIND])
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
    okey = row[L.OKEY_KIND]
    room = tables[1]
    if unopened:
        left_one, left_two = room[_LEFT_ONE], room[_LEFT_TWO]
        if points < needed_points(rules, row) * 2 // 3:
            most = OP.best_pairs(one, two, okey, row[L.TAKEN], OP.twin_allowed(row, one))
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
    kinds_one, kinds_two = G.natural(one, two, okey)
    okeys = G.copies(one, two, OKEY)
    size = G.rack_size(one, two)
    most = (size - 1) // 2
    if not okeys and popcount(kinds_two) <= most:
        return G.tiles_in(kinds_one & ~kinds_two, okey), 0
    # What can still be had from a kind on, with so many okeys and pairs left.
    room = tables[1]
    n = 0
    for kind in each(kinds_one):
        room[_PAIRED + n] = kind
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
    left_one, left_two = G.tiles_in(kinds_one, okey), G.tiles_in(kinds_two, okey)
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


FINISHES = 62
"""Where :func:`open_hand` and :func:`lay_more` tell whether the hand can finish in this turn."""


@inner
def greedy_choice(tables: Tables, rules: Row, row: Row, words: Row) -> int:
    """The action of ``greedy`` for the seat to act.

    Of a meld the groups are ``words[:words[L.COUNT]]`` (int64[64]), and the action is A_MELD alone.
    """
    if row[L.PHASE] != L.P_PLAY:
        return begin_turn(tables, rules, row)
    if may_announce(rules, row):
        return L.A_ANNOUNCE
    seat = row[L.TURN]
    one, two = row[L.HANDS + 2 * seat], row[L.HANDS + 2 * seat + 1]
    unopened = row[L.OPENED + seat] == 0
    points = 0
    if unopened:
        points, left_one, left_two = left_tiles(tables, one, two, row[L.OKEY_KIND])
        note_left(tables, left_one, left_two)
        words[L.COUNT] = open_hand(tables, rules, row, one, two, points, left_one, left_two, words)
        if words[L.COUNT] > 0:
            return L.A_MELD
        waits = row[L.TAKEN] >= 0
    else:
        laid = lay_more(tables, rules, row, one, two, words)
        if laid >= 0:
            return laid
        waits = taken_waits(row)
    if may_return(rules, row):
        return L.A_RETURN
    if not waits and not (row[L.MUST_FINISH] and G.rack_size(one, two) > 1):
        return L.A_DISCARD | throw_useless(tables, rules, row, one, two, unopened, points) << 4
    return -1


@apart
def begin_turn(tables: Tables, rules: Row, row: Row) -> int:
    """To take the discard if it is of use at once, to draw, or to pass."""
    phase, seat = row[L.PHASE], row[L.TURN]
    previous = seat - 1 if seat else row[L.PLAYERS] - 1
    if phase in (L.P_DRAW, L.P_LAST_DISCARD) and row[L.PILES + previous]:
        if not rules[L.R_PAIRS_DISCARD_PROTECTED] or row[L.OPENED + previous] != L.PAIRS:
            tile = G.top_discard(row, previous)
            one, two = G.plus(row[L.HANDS + 2 * seat], row[L.HANDS + 2 * seat + 1], 1 << tile, 0)
            if can_use(tables, rules, row, one, two, tile):
                return L.A_TAKE
    if phase in (L.P_DRAW, L.P_MUST_DRAW):
        return L.A_DRAW
    if phase == L.P_LAST_INDICATOR and row[L.OKEY_KIND] >= 0:
        one, two = G.plus(
            row[L.HANDS + 2 * seat], row[L.HANDS + 2 * seat + 1], 1 << row[L.INDICATOR], 0
        )
        row[L.PHASE] = L.P_PLAY
        finishes = can_finish(tables, rules, row, one, two)
        row[L.PHASE] = phase
        if finishes:
            return L.A_INDICATOR
    return L.A_PASS


@apart
def open_hand(
    tables: Tables,
    rules: Row,
    row: Row,
    one: int,
    two: int,
    points: int,
    left_one: int,
    left_two: int,
    words: Row,
) -> int:
    """An opening to lay now: its groups and how many they are, 0 for none."""
    words[FINISHES] = 0
    okey, taken = row[L.OKEY_KIND], row[L.TAKEN]
    melds = -1
    left = popcount(left_one) + popcount(left_two)
    if (
        row[L.MUST_FINISH]
        or points >= needed_points(rules, row)
        or (OP.whole_opens(rules, row) and _few_useless(one, two, okey))
    ):
        melds = opening(tables, rules, row, one, two, words)
    twin = OP.twin_allowed(row, one)
    pairs = -1
    if melds <= 0 and not row[L.MUST_FINISH]:
        if OP.best_pairs(one, two, okey, taken, twin) >= needed_pairs(rules, row):
            pairs = 1
    if melds <= 0 and pairs <= 0:
        return 0
    room = tables[1]
    out = room[_OUT : _OUT + 64]
    finishing = _opening_to_finish(tables, rules, row, one, two, out, left)
    if finishing > 0:
        for place in range(finishing):
            words[place] = out[place]
        words[FINISHES] = 1
        return finishing
    if melds > 0:
        return melds
    return opening_pairs(tables, rules, row, one, two, words)


@inner
def _few_useless(one: int, two: int, okey: int) -> bool:
    """Whether at most one tile of a hand is in no set or run that the hand could make."""
    kinds_one, kinds_two = G.natural(one, two, okey)
    useless = ~meldable(kinds_one, G.copies(one, two, OKEY))
    return popcount(kinds_one & useless) + popcount(kinds_two & useless) < 2


@inner
def _opening_to_finish(
    tables: Tables, rules: Row, row: Row, one: int, two: int, out: Row, left: int
) -> int:
    """An opening after which all the rest but one tile can be laid off; 0 for none."""
    taken = row[L.TAKEN]
    if not _finish_plan(tables, rules, row, one, two, taken):
        return 0
    count = P.groups_of_plan(tables, out)
    if P.points_of_plan(out, count) >= needed_points(rules, row):
        if _holds(out, count, taken, row[L.OKEY_KIND]):
            return count
    count = finishing_opening(tables, rules, row, one, two, out)
    return count if count > 0 and _holds(out, count, taken, row[L.OKEY_KIND]) else 0


@inner
def _holds(out: Row, count: int, tile: int, okey: int) -> bool:
    """Whether groups contain a tile; any do where there is none to contain."""
    if tile < 0:
        return True
    for place in range(count):
        held, _ = G.rack_of(out[place], okey)
        if held >> tile & 1:
            return True
    return False


@inner
def _ready(tables: Tables, rules: Row, row: Row, one: int, two: int, must: int) -> None:
    """Set up the search for what the seat may lay; unopened it counts as opened with melds."""
    before = row[L.OPENED + row[L.TURN]]
    opened = before if before else L.MELDS
    fresh = 1 if before == 0 or row[L.NEW_OPENING] else 0
    lays_off = may_lay_off(rules, opened, fresh)
    pairs = before != 0 and may_lay_pairs(row, rules, before)
    P.set_up(tables, row, one, two, lays_off, opened == L.MELDS, pairs, must)


@inner
def _finish_plan(tables: Tables, rules: Row, row: Row, one: int, two: int, must: int) -> bool:
    _ready(tables, rules, row, one, two, must)
    return P.lay_all(tables)


@apart
def lay_more(tables: Tables, rules: Row, row: Row, one: int, two: int, words: Row) -> int:
    """The next tile or groups to put down, -1 for none."""
    words[FINISHES] = 0
    if rules[L.R_RECLAIM_OKEY]:
        swap = _best_swap(tables, rules, row, one, two)
        if swap >= 0:
            return swap
    if _nothing_fits(rules, row, one, two):
        return -1
    must = row[L.TAKEN] if taken_waits(row) else -1
    _ready(tables, rules, row, one, two, must)
    if P.lay_all(tables):
        words[FINISHES] = 1
    else:
        if row[L.MUST_FINISH]:
            return -1
        size = G.rack_size(one, two)
        kept = P.least_left(tables)
        if kept < 0 or kept % 128 == size:
            return -1
    count = P.groups_of_plan(tables, words)
    if count:
        words[L.COUNT] = count
        return L.A_MELD
    return P.first_lay_off(tables)


@inner
def _nothing_fits(rules: Row, row: Row, one: int, two: int) -> bool:
    """A quick look at a hand: it has no okey, makes no group, and no tile of it fits the table."""
    if one >> OKEY & 1:
        return False
    kinds_one, kinds_two = G.natural(one, two, row[L.OKEY_KIND])
    if kinds_one & (row[L.PLAYABLE] | meldable(kinds_one, 0)):
        return False
    opened = row[L.OPENED + row[L.TURN]]
    return kinds_two == 0 or not may_lay_pairs(row, rules, opened)


@apart
def _best_swap(tables: Tables, rules: Row, row: Row, one: int, two: int) -> int:
    """The reclaimed okey that lets most be put down, if one helps (X2)."""
    room = tables[1]
    okey = row[L.OKEY_KIND]
    best, found = -(1 << 20), -1
    known = False
    waits = taken_waits(row)
    duties = row[L.MUST_FINISH] or waits
    for place in range(row[L.N_GROUPS]):
        word = row[L.TABLE + place]
        for tile in each(one):
            after = G.reclaimed(word, tile, okey)
            if after < 0:
                continue
            swap = L.A_SWAP | tile << 4 | place << 10
            if duties and not keeps_duties(tables, rules, row, one, two, swap, waits):
                continue
            if not known:
                best, known = _prospect(tables, rules, row, one, two), True
            less_one, less_two = G.minus(one, two, 1 << tile, 0)
            now_one, now_two = G.plus(less_one, less_two, 1 << OKEY, 0)
            row[L.TABLE + place] = after
            prospect = _prospect(tables, rules, row, now_one, now_two)
            row[L.TABLE + place] = word
            if prospect > best:
                best, found = prospect, swap
    room[_INFO] = best
    return found


@inner
def _prospect(tables: Tables, rules: Row, row: Row, one: int, two: int) -> int:
    """Whether a hand can finish, and with the okey; if not, what would be left of it."""
    if _finish_plan(tables, rules, row, one, two, -1):
        return (1 << 20) + (1 if tables[1][P.DISCARD] == OKEY else 0)
    kept = P.least_left(tables)
    if kept < 0:
        return -G.rack_points(one, two, row[L.OKEY_KIND], 101)
    return -(kept // 128)


@inner
def note(row: Row, log: Row, action: int) -> None:
    """Write an action to the log of a deal, if it has room."""
    if row[L.NOTED] < log.shape[0]:
        log[row[L.NOTED]] = action
    row[L.NOTED] += 1


@inner
def play_noted(rules: Row, row: Row, words: Row, log: Row, action: int) -> None:
    """Play what was chosen, told as ``greedy_choice`` tells it, and note it."""
    if action & L.OP == L.A_MELD:
        count = words[L.COUNT]
        if action != L.A_MELD:
            words[0] = action >> 4
            count = 1
        lay_down(rules, row, words, count)
        for place in range(count):
            more = L.MORE if place + 1 < count else 0
            note(row, log, L.A_MELD | (words[place] & L.WORD) << 4 | more)
    else:
        play(rules, row, action)
        note(row, log, action)


@apart
def play_one(tables: Tables, rules: Row, row: Row, words: Row, actions: Row, log: Row) -> int:
    """Play a deal to its end, ``greedy`` in every seat; returns the number of actions.

    ``words`` is int64[64], ``actions`` int64[MOST_ACTIONS]; ``log`` receives what was played, if it
    has room.
    """
    decisions = 0
    while row[L.PHASE] != L.P_OVER:
        action = greedy_choice(tables, rules, row, words)
        if action < 0:
            legal_actions(tables, rules, row, actions, words, False)
            action = actions[0]
        decisions += 1
        play_noted(rules, row, words, log, action)
    return decisions
