"""The bot ``greedy``, compiled: the same choices as :class:`okey101.bots.greedy.GreedyBot`."""

# pyright: reportArgumentType=false, reportAssignmentType=false, reportReturnType=false

from __future__ import annotations

import numpy as np

from okey101.kernel.arranging import left_tiles
from okey101.kernel.compiling import Row, Rows, apart, compiled, first_bit, inner, popcount
from okey101.kernel.dealing import deal
from okey101.kernel.duties import can_use, may_lay_off, may_lay_pairs, taken_waits
from okey101.kernel.finishing import can_finish, finishing_opening, opening, opening_pairs
from okey101.kernel.groups import (
    copies,
    minus,
    natural,
    plus,
    rack_of,
    rack_points,
    rack_size,
    reclaimed,
)
from okey101.kernel.layout import (
    A_ANNOUNCE,
    A_DISCARD,
    A_DRAW,
    A_INDICATOR,
    A_MELD,
    A_PASS,
    A_RETURN,
    A_SWAP,
    A_TAKE,
    HANDS,
    INDICATOR,
    MELDS,
    MORE,
    MUST_FINISH,
    N_GROUPS,
    NEW_OPENING,
    NOTED,
    OKEY_KIND,
    OP,
    OPENED,
    P_DRAW,
    P_LAST_DISCARD,
    P_LAST_INDICATOR,
    P_MUST_DRAW,
    P_OVER,
    P_PLAY,
    PAIRS,
    PHASE,
    PILES,
    PLAYABLE,
    PLAYERS,
    R_PAIRS_DISCARD_PROTECTED,
    R_PLAYERS,
    R_RECLAIM_OKEY,
    R_WHOLE_HAND_OPENS,
    TABLE,
    TAKEN,
    TURN,
    WORD,
)
from okey101.kernel.legal import (
    MOST_ACTIONS,
    keeps_duties,
    legal_actions,
    may_announce,
    may_return,
)
from okey101.kernel.openings import (
    best_pairs,
    needed_pairs,
    needed_points,
    twin_allowed,
)
from okey101.kernel.piles import top_discard
from okey101.kernel.plan_room import DISCARD, set_up
from okey101.kernel.plans import (
    first_lay_off,
    groups_of_plan,
    lay_all,
    least_left,
    points_of_plan,
)
from okey101.kernel.randomness import deal_seed
from okey101.kernel.solver import meldable
from okey101.kernel.steps import lay_down, play
from okey101.kernel.tables import ACTIONS, Tables
from okey101.kernel.throwing import note_left, throw_useless
from okey101.tiles import OKEY

__all__ = [
    "COUNT",
    "FINISHES",
    "begin_turn",
    "greedy_choice",
    "lay_more",
    "note",
    "open_hand",
    "play_greedily",
    "play_noted",
    "play_one",
]

COUNT = 63
"""Where :func:`greedy_choice` tells how many groups an A_MELD lays."""
FINISHES = 62
"""Where :func:`open_hand` and :func:`lay_more` tell whether the hand can finish in this turn."""
_INFO = 7610
_OUT = 7620


@inner
def greedy_choice(tables: Tables, rules: Row, row: Row, words: Row) -> int:
    """The action of ``greedy`` for the seat to act.

    Of a meld the groups are ``words[:words[COUNT]]`` (int64[64]), and the action is A_MELD alone.
    """
    if row[PHASE] != P_PLAY:
        return begin_turn(tables, rules, row)
    if may_announce(rules, row):
        return A_ANNOUNCE
    seat = row[TURN]
    one, two = row[HANDS + 2 * seat], row[HANDS + 2 * seat + 1]
    unopened = row[OPENED + seat] == 0
    points = 0
    if unopened:
        points, left_one, left_two = left_tiles(tables, one, two, row[OKEY_KIND])
        note_left(tables, left_one, left_two)
        words[COUNT] = open_hand(tables, rules, row, one, two, points, left_one, left_two, words)
        if words[COUNT] > 0:
            return A_MELD
        waits = row[TAKEN] >= 0
    else:
        laid = lay_more(tables, rules, row, one, two, words)
        if laid >= 0:
            return laid
        waits = taken_waits(row)
    if may_return(rules, row):
        return A_RETURN
    if not waits and not (row[MUST_FINISH] and rack_size(one, two) > 1):
        return A_DISCARD | throw_useless(tables, rules, row, one, two, unopened, points) << 4
    return -1


@apart
def begin_turn(tables: Tables, rules: Row, row: Row) -> int:
    """To take the discard if it is of use at once, to draw, or to pass."""
    phase, seat = row[PHASE], row[TURN]
    previous = seat - 1 if seat else row[PLAYERS] - 1
    if phase in (P_DRAW, P_LAST_DISCARD) and row[PILES + previous]:
        if not rules[R_PAIRS_DISCARD_PROTECTED] or row[OPENED + previous] != PAIRS:
            tile = top_discard(row, previous)
            one, two = plus(row[HANDS + 2 * seat], row[HANDS + 2 * seat + 1], 1 << tile, 0)
            if can_use(tables, rules, row, one, two, tile):
                return A_TAKE
    if phase in (P_DRAW, P_MUST_DRAW):
        return A_DRAW
    if phase == P_LAST_INDICATOR and row[OKEY_KIND] >= 0:
        one, two = plus(row[HANDS + 2 * seat], row[HANDS + 2 * seat + 1], 1 << row[INDICATOR], 0)
        row[PHASE] = P_PLAY
        finishes = can_finish(tables, rules, row, one, two)
        row[PHASE] = phase
        if finishes:
            return A_INDICATOR
    return A_PASS


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
    okey, taken = row[OKEY_KIND], row[TAKEN]
    melds = -1
    left = popcount(left_one) + popcount(left_two)
    if (
        row[MUST_FINISH]
        or points >= needed_points(rules, row)
        or (rules[R_WHOLE_HAND_OPENS] and _few_useless(one, two, okey))
    ):
        melds = opening(tables, rules, row, one, two, words)
    twin = twin_allowed(row, one)
    pairs = -1
    if melds <= 0 and not row[MUST_FINISH]:
        if best_pairs(one, two, okey, taken, twin) >= needed_pairs(rules, row):
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
    kinds_one, kinds_two = natural(one, two, okey)
    useless = ~meldable(kinds_one, copies(one, two, OKEY))
    return popcount(kinds_one & useless) + popcount(kinds_two & useless) < 2


@inner
def _opening_to_finish(
    tables: Tables, rules: Row, row: Row, one: int, two: int, out: Row, left: int
) -> int:
    """An opening after which all the rest but one tile can be laid off; 0 for none."""
    taken = row[TAKEN]
    if not _finish_plan(tables, rules, row, one, two, taken):
        return 0
    count = groups_of_plan(tables, out)
    if points_of_plan(out, count) >= needed_points(rules, row):
        if _holds(out, count, taken, row[OKEY_KIND]):
            return count
    count = finishing_opening(tables, rules, row, one, two, out)
    return count if count > 0 and _holds(out, count, taken, row[OKEY_KIND]) else 0


@inner
def _holds(out: Row, count: int, tile: int, okey: int) -> bool:
    """Whether groups contain a tile; any do where there is none to contain."""
    if tile < 0:
        return True
    for place in range(count):
        held, _ = rack_of(out[place], okey)
        if held >> tile & 1:
            return True
    return False


@inner
def _ready(tables: Tables, rules: Row, row: Row, one: int, two: int, must: int) -> None:
    """Set up the search for what the seat may lay; unopened it counts as opened with melds."""
    before = row[OPENED + row[TURN]]
    opened = before if before else MELDS
    fresh = 1 if before == 0 or row[NEW_OPENING] else 0
    lays_off = may_lay_off(rules, opened, fresh)
    pairs = before != 0 and may_lay_pairs(row, rules, before)
    set_up(tables, row, one, two, lays_off, opened == MELDS, pairs, must)


@inner
def _finish_plan(tables: Tables, rules: Row, row: Row, one: int, two: int, must: int) -> bool:
    _ready(tables, rules, row, one, two, must)
    return lay_all(tables)


@apart
def lay_more(tables: Tables, rules: Row, row: Row, one: int, two: int, words: Row) -> int:
    """The next tile or groups to put down, -1 for none."""
    words[FINISHES] = 0
    if rules[R_RECLAIM_OKEY]:
        swap = _best_swap(tables, rules, row, one, two)
        if swap >= 0:
            return swap
    if _nothing_fits(rules, row, one, two):
        return -1
    must = row[TAKEN] if taken_waits(row) else -1
    _ready(tables, rules, row, one, two, must)
    if lay_all(tables):
        words[FINISHES] = 1
    else:
        if row[MUST_FINISH]:
            return -1
        size = rack_size(one, two)
        kept = least_left(tables)
        if kept < 0 or kept % 128 == size:
            return -1
    count = groups_of_plan(tables, words)
    if count:
        words[COUNT] = count
        return A_MELD
    return first_lay_off(tables)


@inner
def _nothing_fits(rules: Row, row: Row, one: int, two: int) -> bool:
    """A quick look at a hand: it has no okey, makes no group, and no tile of it fits the table."""
    if one >> OKEY & 1:
        return False
    kinds_one, kinds_two = natural(one, two, row[OKEY_KIND])
    if kinds_one & (row[PLAYABLE] | meldable(kinds_one, 0)):
        return False
    opened = row[OPENED + row[TURN]]
    return kinds_two == 0 or not may_lay_pairs(row, rules, opened)


@apart
def _best_swap(tables: Tables, rules: Row, row: Row, one: int, two: int) -> int:
    """The reclaimed okey that lets most be put down, if one helps (X2)."""
    room = tables[1]
    okey = row[OKEY_KIND]
    best, found = -(1 << 20), -1
    known = False
    waits = taken_waits(row)
    duties = row[MUST_FINISH] or waits
    for place in range(row[N_GROUPS]):
        word = row[TABLE + place]
        held = one
        while held:
            tile = first_bit(held)
            held &= held - 1
            after = reclaimed(word, tile, okey)
            if after < 0:
                continue
            swap = A_SWAP | tile << 4 | place << 10
            if duties and not keeps_duties(tables, rules, row, one, two, swap, waits):
                continue
            if not known:
                best, known = _prospect(tables, rules, row, one, two), True
            less_one, less_two = minus(one, two, 1 << tile, 0)
            now_one, now_two = plus(less_one, less_two, 1 << OKEY, 0)
            row[TABLE + place] = after
            prospect = _prospect(tables, rules, row, now_one, now_two)
            row[TABLE + place] = word
            if prospect > best:
                best, found = prospect, swap
    room[_INFO] = best
    return found


@inner
def _prospect(tables: Tables, rules: Row, row: Row, one: int, two: int) -> int:
    """Whether a hand can finish, and with the okey; if not, what would be left of it."""
    if _finish_plan(tables, rules, row, one, two, -1):
        return (1 << 20) + (1 if tables[1][DISCARD] == OKEY else 0)
    kept = least_left(tables)
    if kept < 0:
        return -rack_points(one, two, row[OKEY_KIND], 101)
    return -(kept // 128)


@inner
def note(row: Row, log: Row, action: int) -> None:
    """Write an action to the log of a deal, if it has room."""
    if row[NOTED] < log.shape[0]:
        log[row[NOTED]] = action
    row[NOTED] += 1


@inner
def play_noted(rules: Row, row: Row, words: Row, log: Row, action: int) -> None:
    """Play what was chosen, told as ``greedy_choice`` tells it, and note it."""
    if action & OP == A_MELD:
        count = words[COUNT]
        if action != A_MELD:
            words[0] = action >> 4
            count = 1
        lay_down(rules, row, words, count)
        for place in range(count):
            more = MORE if place + 1 < count else 0
            note(row, log, A_MELD | (words[place] & WORD) << 4 | more)
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
    while row[PHASE] != P_OVER:
        action = greedy_choice(tables, rules, row, words)
        if action < 0:
            legal_actions(tables, rules, row, actions, words, False)
            action = actions[0]
        decisions += 1
        play_noted(rules, row, words, log, action)
    return decisions


@compiled
def play_greedily(tables: Tables, rules: Row, rows: Rows, root: Row, first: int, logs: Rows) -> int:
    """Deal a batch and play it, ``greedy`` in every seat; returns the number of actions.

    Row ``b`` is deal ``first + b`` of the root seed. ``logs`` is int64[B, L], L being 0 where none
    is wanted.
    """
    seed = np.empty(8, dtype=np.int64)
    hashed = np.empty(64, dtype=np.uint32)
    words = np.empty(64, dtype=np.int64)
    actions = tables[1][ACTIONS : ACTIONS + MOST_ACTIONS]
    decisions = 0
    for b in range(rows.shape[0]):
        deal_seed(root, first + b, hashed, seed)
        deal(rows[b], rules, seed, (first + b) % rules[R_PLAYERS])
        decisions += play_one(tables, rules, rows[b], words, actions, logs[b])
    return decisions
