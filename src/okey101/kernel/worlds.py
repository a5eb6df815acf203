"""Worlds that a seat can't tell from the true one, and what each choice leads to in them.

A world gives the tiles that the seat doesn't see to the other hands and to the stock. In each one
every choice is played, and then all seats go on by a policy: each on its own tiles, never on
those of the others, so that no choice is praised for what nobody could have known. All choices are
played in the same worlds: their luck is the same, and what differs is theirs.

A world is drawn so that all are equally likely. From there a walk may go on to what the others'
play makes likelier: two tiles change their places, and stay there as often as the likelihoods of
the hands before and after say (Metropolis' rule), so that in the long run each world comes as
often as it is likely. Where a network tells how likely they are, one walk goes through many worlds,
as good hands are too far from those dealt at random to be found from each anew.
"""

# mypy: disable-error-code="arg-type"
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from okey101.kernel import beliefs as B, groups as G, layout as L, room as R
from okey101.kernel.beliefs import hand_facts, likelihood
from okey101.kernel.compiling import Row, Rows, adopt, apart, compiled
from okey101.kernel.dealing import generator, next_below
from okey101.kernel.seats import Minds, play_mixture, play_to_value
from okey101.kernel.solver import Tables, reaches_points
from okey101.kernel.steps import lay_down, play

Seen: TypeAlias = tuple[Row, Row, Row, Rows, int, int, int]
"""What a seat knows of the deal, and how its worlds are drawn.

The position, int64[SIZE], with the hand of the seat, what is known of the others, and no stock; the
tiles that the seat doesn't see but for those known of other hands; grades, or odds in their place,
and evidence as :mod:`okey101.kernel.beliefs` has them; the seat; of a hundred worlds in which
somebody could have opened, how many are kept; and the steps of a walk, with which none are thrown
away, or 0.
"""
MOST_CODES = 32
"""Codes of one choice at most: a meld has one for each group."""
NO_CHOICE = -1
"""In place of a choice's first code: nothing is chosen, all just play on."""
_TRIES = 12
"""Worlds thrown away before an unlikely one is taken after all."""
HURRY, PATIENCE = 300, 3_000
"""States of one search for what to lay down, in playouts of a search for a choice and of others.

One in a hundred thousand would take a second.
"""
_BLOCK = 40
"""Worlds of one walk by odds."""
_BY_TILES, _BY_HANDS = 300, 150
"""Steps to the first of them: by the tiles alone, then by the hands as well."""
_ONE = 1 << 20
"""A chance of one, when two tiles change their places."""


def _deal_anew(row: Row, own: int, pool: Row) -> None:
    """Give the pool, shuffled in place, to the other hands and to the stock."""
    left = pool.shape[0]
    for seat in range(row[L.PLAYERS]):
        if seat == own:
            continue
        one, two = row[L.KNOWN + 2 * seat], row[L.KNOWN + 2 * seat + 1]
        for _ in range(row[L.SIZES + seat] - G.rack_size(one, two)):
            chosen = next_below(row, L.RANDOM, left)
            left -= 1
            pool[chosen], pool[left] = pool[left], pool[chosen]
            one, two = G.plus(one, two, 1 << pool[left], 0)
        row[L.HANDS + 2 * seat], row[L.HANDS + 2 * seat + 1] = one, two
    for place in range(row[L.STOCK_COUNT]):
        chosen = next_below(row, L.RANDOM, left)
        left -= 1
        pool[chosen], pool[left] = pool[left], pool[chosen]
        G.put_on_pile(row, L.STOCK, place, pool[left])


def _unlikely(tables: Tables, rules: Row, row: Row, own: int) -> bool:
    """Whether somebody who has had a turn could open with what it holds, and has not."""
    turn = row[L.TURN]
    players = row[L.PLAYERS]
    found = False
    for seat in range(players):
        if seat == own or row[L.OPENED + seat]:
            continue
        if row[L.TURNS] <= (seat - row[L.STARTER] + players) % players:
            continue
        row[L.TURN] = seat
        one, two = G.hand(row, seat)
        okey = row[L.OKEY_KIND]
        found = G.count_pairs(one, two, okey) >= G.needed_pairs(rules, row)
        found = found or reaches_points(tables, one, two, okey, G.needed_points(rules, row))
        if found:
            break
    row[L.TURN] = turn
    return found


@compiled
def play_codes(rules: Row, row: Row, codes: Row, words: Row) -> None:
    """Play a choice: one code, or the groups of a meld."""
    if codes[0] & L.OP != L.A_MELD:
        play(rules, row, codes[0])
        return
    count = 0
    while True:
        code = codes[count]
        words[count] = code >> 4 & L.WORD
        count += 1
        if not code & L.MORE:
            break
    lay_down(rules, row, words, count)


def _bounds(room: Row, row: Row, own: int, count: int) -> int:
    """Note where each hand's tiles lie in the pool that was dealt, and how many; all together."""
    end = count
    for seat in range(4):
        hidden = 0
        if seat != own and seat < row[L.PLAYERS]:
            hidden = row[L.SIZES + seat] - G.rack_size(
                row[L.KNOWN + 2 * seat], row[L.KNOWN + 2 * seat + 1]
            )
        end -= hidden
        room[R.BEGIN + seat], room[R.HIDDEN + seat] = end, hidden
    return count - end


def _holder(room: Row, place: int) -> int:
    """The seat whose hand a place of the pool belongs to, -1 for the stock."""
    for seat in range(4):
        first = room[R.BEGIN + seat]
        if first <= place < first + room[R.HIDDEN + seat]:
            return seat
    return -1


def _exchange(row: Row, room: Row, pool: Row, here: int, there: int) -> None:
    """Let two places of the pool change their tiles, and so the hands that they belong to."""
    for out, into in ((here, there), (there, here)):
        seat = _holder(room, out)
        if seat >= 0:
            at = L.HANDS + 2 * seat
            one, two = G.minus(row[at], row[at + 1], 1 << pool[out], 0)
            row[at], row[at + 1] = G.plus(one, two, 1 << pool[into], 0)
    pool[here], pool[there] = pool[there], pool[here]


def _places(row: Row, room: Row, hidden: int, count: int) -> tuple[int, int]:
    """A place of a hand in the pool, and one that is not of that hand; -1 where there is none."""
    here = count - 1 - next_below(row, L.RANDOM, hidden)
    seat = _holder(room, here)
    elsewhere = count - room[R.HIDDEN + seat]
    if not elsewhere:
        return here, -1
    there = next_below(row, L.RANDOM, elsewhere)
    if there >= room[R.BEGIN + seat]:
        there += room[R.HIDDEN + seat]
    return here, there


def _note(room: Row, seat: int, now: int, other: int, now_other: int) -> None:
    """Keep how likely two hands have become; no other one is the stock."""
    room[R.LIKELY + seat] = now
    if other >= 0:
        room[R.LIKELY + other] = now_other


def _walk_on(tables: Tables, rules: Row, row: Row, pool: Row, seen: Seen) -> None:
    """Walk from the world that was dealt to likelier ones."""
    _, _, grades, evidence, own, _, steps = seen
    room, count = tables[1], pool.shape[0]
    hidden = _bounds(room, row, own, count)
    if not hidden:
        return
    for seat in range(4):
        if room[R.HIDDEN + seat]:
            room[R.LIKELY + seat] = likelihood(tables, rules, row, seat, evidence, grades)
    for _ in range(steps):
        here, there = _places(row, room, hidden, count)
        if there < 0:
            continue
        seat, other = _holder(room, here), _holder(room, there)
        chance = next_below(row, L.RANDOM, _ONE)
        if pool[here] == pool[there]:
            continue
        _exchange(row, room, pool, here, there)
        before = room[R.LIKELY + seat]
        now = likelihood(tables, rules, row, seat, evidence, grades)
        after, now_other = now, 0
        if other >= 0:
            before *= room[R.LIKELY + other]
            now_other = likelihood(tables, rules, row, other, evidence, grades)
            after *= now_other
        if after < before and chance * before >= after * _ONE:
            _exchange(row, room, pool, here, there)
        else:
            _note(room, seat, now, other, now_other)
    for place in range(row[L.STOCK_COUNT]):
        G.put_on_pile(row, L.STOCK, place, pool[count - hidden - 1 - place])


def _by_tiles(odds: Row, seat: int, other: int, mine: int, theirs: int) -> int:
    """How much likelier two hands become by their tiles, in log-odds, when they exchange two."""
    found = odds[B.TILES * seat + theirs] - odds[B.TILES * seat + mine]
    if other >= 0:
        found += odds[B.TILES * other + mine] - odds[B.TILES * other + theirs]
    return found  # type: ignore[no-any-return]


def _by_hand(tables: Tables, rules: Row, row: Row, seat: int, odds: Row, evidence: Rows) -> int:
    """The log-odds of the hand of a seat by what is in it."""
    facts = tables[1][R.FACTS : R.FACTS + B.FACTS]
    hand_facts(tables, rules, row, seat, evidence, facts)
    found = 0
    for fact in facts:
        found += odds[B.AT_HANDS + fact]
    return found


def _taken(row: Row, odds: Row, by: int) -> bool:
    """Whether a step is taken to a world that is so much likelier."""
    if by >= 0:
        return True
    chance = odds[B.AT_CHANCES + min(-by, B.CHANCES - 1)]
    return next_below(row, L.RANDOM, _ONE) < chance  # type: ignore[no-any-return]


def _go_on(tables: Tables, rules: Row, row: Row, pool: Row, seen: Seen, steps: int) -> None:
    """Go so many steps on from a world, by the odds of tiles and hands."""
    _, _, odds, evidence, _, _, _ = seen
    room, count = tables[1], pool.shape[0]
    hidden = count - row[L.STOCK_COUNT]
    for _ in range(steps if hidden else 0):
        here, there = _places(row, room, hidden, count)
        if there < 0 or pool[here] == pool[there]:
            continue
        seat, other = _holder(room, here), _holder(room, there)
        by = _by_tiles(odds, seat, other, pool[here], pool[there]) - room[R.LIKELY + seat]
        _exchange(row, room, pool, here, there)
        now = _by_hand(tables, rules, row, seat, odds, evidence)
        by, now_other = by + now, 0
        if other >= 0:
            now_other = _by_hand(tables, rules, row, other, odds, evidence)
            by += now_other - room[R.LIKELY + other]
        if _taken(row, odds, by):
            _note(room, seat, now, other, now_other)
        else:
            _exchange(row, room, pool, here, there)


def _set_out(tables: Tables, rules: Row, row: Row, pool: Row, seen: Seen) -> None:
    """Deal the pool at random, and go from there to where hands are likely."""
    _, _, odds, evidence, own, _, _ = seen
    room, count = tables[1], pool.shape[0]
    _shuffle(row, pool, count)
    hidden = _bounds(room, row, own, count)
    for _ in range(_BY_TILES if hidden else 0):
        here, there = _places(row, room, hidden, count)
        if there >= 0:
            by = _by_tiles(odds, _holder(room, here), _holder(room, there), pool[here], pool[there])
            if _taken(row, odds, by):
                pool[here], pool[there] = pool[there], pool[here]
    for seat in range(row[L.PLAYERS]):
        if seat != own:
            one, two = row[L.KNOWN + 2 * seat], row[L.KNOWN + 2 * seat + 1]
            first = room[R.BEGIN + seat]
            for place in range(first, first + room[R.HIDDEN + seat]):
                one, two = G.plus(one, two, 1 << pool[place], 0)
            row[L.HANDS + 2 * seat], row[L.HANDS + 2 * seat + 1] = one, two
            room[R.LIKELY + seat] = _by_hand(tables, rules, row, seat, odds, evidence)
    _go_on(tables, rules, row, pool, seen, _BY_HANDS)


def _shuffle(row: Row, pool: Row, count: int) -> None:
    for place in range(count - 1, 0, -1):
        other = next_below(row, L.RANDOM, place + 1)
        pool[place], pool[other] = pool[other], pool[place]


def _come_to(tables: Tables, rules: Row, row: Row, seen: Seen, seed: int, first: int) -> None:
    """Go through the worlds of a block before the one that is wanted first."""
    if seen[2].shape[0] == B.ODDS:
        for number in range(first - first % _BLOCK, first):
            _draw(tables, rules, row, seen, seed, number)


@apart
def _draw(tables: Tables, rules: Row, row: Row, seen: Seen, seed: int, number: int) -> None:
    """Write world ``number`` of a seed to a row.

    By odds the row has the one before it; the first world of each block begins a walk.
    """
    position, unseen, told, _, own, doubt, steps = seen
    pool = tables[1][R.POOL : R.POOL + unseen.shape[0]]
    by_odds = told.shape[0] == B.ODDS
    if by_odds and number % _BLOCK:
        _go_on(tables, rules, row, pool, seen, steps)
    else:
        G.copy_row(unseen, pool)
        G.copy_row(position, row)
        row[L.RANDOM] = generator(seed, number)
        if by_odds:
            _set_out(tables, rules, row, pool, seen)
        elif steps:
            _deal_anew(row, own, pool)
            _walk_on(tables, rules, row, pool, seen)
        else:
            for _ in range(_TRIES):
                _deal_anew(row, own, pool)
                if doubt >= 100 or not _unlikely(tables, rules, row, own):
                    break
                if next_below(row, L.RANDOM, 100) < doubt:
                    break
    if by_odds:
        _shuffle(row, pool, row[L.STOCK_COUNT])
        for place in range(row[L.STOCK_COUNT]):
            G.put_on_pile(row, L.STOCK, place, pool[place])


@compiled
def draw_worlds(
    tables: Tables, rules: Row, seen: Seen, seed: int, first: int, worlds: Rows
) -> None:
    """Write worlds ``first`` and following as rows, int64[W, SIZE]; the rest as `play_worlds`."""
    world = np.empty(L.SIZE, dtype=np.int64)
    _come_to(tables, rules, world, seen, seed, first)
    for w in range(worlds.shape[0]):
        _draw(tables, rules, world, seen, seed, first + w)
        G.copy_row(world, worlds[w])


@compiled
def play_worlds(
    tables: Tables, rules: Row, seen: Seen, choices: Rows, seed: int, first: int, minds: Minds,
    who: int, until: int, scores: Rows,
) -> None:  # fmt: skip
    """Play each choice in worlds ``first`` and following; the points of all seats to ``scores``.

    ``choices`` is int64[C, MOST_CODES], of the seat to act; one that begins with NO_CHOICE just
    plays on. ``scores`` is int64[C, 4 * W]: four seats a world. Where worlds are walked to, a
    search for what to lay down gives up in time: with two okeys one of a hundred thousand playouts
    took seconds. ``who`` says who goes on as ``neural`` (four bits) and as ``master`` (the next
    four), with ``minds`` as `play_to_value` has them; the others go on as ``greedy``. With
    ``until`` the seat of ``seen`` plays up to that turn alone, and a network tells the rest; the
    scores of the others are 0 then. World number n of a seed is the same whatever is played in it.
    """
    world = np.empty(L.SIZE, dtype=np.int64)
    row = np.empty(L.SIZE, dtype=np.int64)
    log = np.empty(0, dtype=np.int64)
    own, steps = seen[4], seen[6]
    tables[1][R.HURRY] = HURRY if steps else PATIENCE
    _come_to(tables, rules, world, seen, seed, first)
    for w in range(scores.shape[1] // 4):
        _draw(tables, rules, world, seen, seed, first + w)
        for c in range(scores.shape[0]):
            G.copy_row(world, row)
            if choices[c, 0] != NO_CHOICE:
                play_codes(rules, row, choices[c], minds[0])
            if row[L.PHASE] != L.P_OVER:
                if until:
                    play_to_value(tables, rules, row, log, minds, who, own, until)
                else:
                    play_mixture(tables, rules, row, log, minds, who, 0)
            for seat in range(row[L.PLAYERS]):
                scores[c, 4 * w + seat] = row[L.SCORES + seat]
    tables[1][R.HURRY] = 0


adopt(__name__)
