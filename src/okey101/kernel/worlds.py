"""Worlds that a seat can't tell from the true one, and what each choice leads to in them.

A world gives the tiles that the seat doesn't see to the other hands and to the stock. In each one
every choice is played, and then all seats go on by a policy: each on its own tiles, never on
those of the others, so that no choice is praised for what nobody could have known. All choices are
played in the same worlds: their luck is the same, and what differs is theirs.
"""

# mypy: disable-error-code="arg-type"
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import numpy as np

from okey101.kernel.compiling import Row, Rows, compiled
from okey101.kernel.greedy import play_one
from okey101.kernel.groups import plus, rack_size
from okey101.kernel.layout import (
    A_MELD,
    HANDS,
    KNOWN,
    MORE,
    OKEY_KIND,
    OP,
    OPENED,
    P_OVER,
    PHASE,
    PLAYERS,
    RANDOM,
    SCORES,
    SIZE,
    SIZES,
    STARTER,
    STOCK,
    STOCK_COUNT,
    TURN,
    TURNS,
    WORD,
)
from okey101.kernel.legal import MOST_ACTIONS
from okey101.kernel.master import play_mixed
from okey101.kernel.openings import needed_pairs, needed_points
from okey101.kernel.piles import put_on_pile
from okey101.kernel.randomness import generator, next_below
from okey101.kernel.solver import count_pairs, reaches_points
from okey101.kernel.steps import lay_groups, play
from okey101.kernel.tables import Tables

__all__ = ["MOST_CODES", "NO_CHOICE", "play_worlds"]

MOST_CODES = 32
"""Codes of one choice at most: a meld has one for each group."""
NO_CHOICE = -1
"""In place of a choice's first code: nothing is chosen, all just play on."""
_TRIES = 12
"""Worlds thrown away before an unlikely one is taken after all."""


@compiled
def _deal_anew(row: Row, own: int, pool: Row) -> None:
    """Give the pool, shuffled in place, to the other hands and to the stock."""
    left = pool.shape[0]
    for seat in range(row[PLAYERS]):
        if seat == own:
            continue
        one, two = row[KNOWN + 2 * seat], row[KNOWN + 2 * seat + 1]
        for _ in range(row[SIZES + seat] - rack_size(one, two)):
            chosen = next_below(row, RANDOM, left)
            left -= 1
            pool[chosen], pool[left] = pool[left], pool[chosen]
            one, two = plus(one, two, 1 << pool[left], 0)
        row[HANDS + 2 * seat], row[HANDS + 2 * seat + 1] = one, two
    for place in range(row[STOCK_COUNT]):
        chosen = next_below(row, RANDOM, left)
        left -= 1
        pool[chosen], pool[left] = pool[left], pool[chosen]
        put_on_pile(row, STOCK, place, pool[left])


@compiled
def _unlikely(tables: Tables, rules: Row, row: Row, own: int) -> bool:
    """Whether somebody who has had a turn could open with what it holds, and has not."""
    turn = row[TURN]
    players = row[PLAYERS]
    found = False
    for seat in range(players):
        if seat == own or row[OPENED + seat]:
            continue
        if row[TURNS] <= (seat - row[STARTER] + players) % players:
            continue
        row[TURN] = seat
        one, two = row[HANDS + 2 * seat], row[HANDS + 2 * seat + 1]
        okey = row[OKEY_KIND]
        found = count_pairs(one, two, okey) >= needed_pairs(rules, row)
        if found or reaches_points(tables, one, two, okey, needed_points(rules, row)):
            found = True
            break
    row[TURN] = turn
    return found


@compiled
def _play_codes(rules: Row, row: Row, codes: Row, words: Row) -> None:
    """Play a choice: one code, or the groups of a meld."""
    if codes[0] & OP != A_MELD:
        play(rules, row, codes[0])
        return
    count = 0
    while True:
        code = codes[count]
        words[count] = code >> 4 & WORD
        count += 1
        if not code & MORE:
            break
    lay_groups(rules, row, words, count)


@compiled
def play_worlds(
    tables: Tables,
    rules: Row,
    position: Row,
    pool: Row,
    choices: Rows,
    own: int,
    seed: int,
    first: int,
    doubt: int,
    weights: Row,
    masters: int,
    scores: Rows,
) -> None:
    """Play each choice in worlds ``first`` and following; the points of all seats to ``scores``.

    ``position`` has the hand of the seat ``own``, what is known of the others, and no stock:
    int64[SIZE]; ``pool`` the tiles that the seat doesn't see but for those known of other hands.
    ``choices`` is int64[C, MOST_CODES], of the seat to act; one that begins with NO_CHOICE just
    plays on. ``scores`` is int64[C, 4 * W]: four seats a world. A world in which somebody could
    have opened is kept ``doubt`` times in a hundred. The seats whose bits ``masters`` has go on as
    ``master`` with its ``weights``, the others as ``greedy``. World number n of a seed is the same
    whatever is played in it.
    """
    world = np.empty(SIZE, dtype=np.int64)
    row = np.empty(SIZE, dtype=np.int64)
    words = np.empty(64, dtype=np.int64)
    actions = np.empty(MOST_ACTIONS, dtype=np.int64)
    log = np.empty(0, dtype=np.int64)
    tiles = np.empty(pool.shape[0], dtype=np.int64)
    for w in range(scores.shape[1] // 4):
        world[:] = position
        tiles[:] = pool
        world[RANDOM] = generator(seed, first + w)
        for _ in range(_TRIES):
            _deal_anew(world, own, tiles)
            if doubt >= 100 or not _unlikely(tables, rules, world, own):
                break
            if next_below(world, RANDOM, 100) < doubt:
                break
        for c in range(scores.shape[0]):
            row[:] = world
            if choices[c, 0] != NO_CHOICE:
                _play_codes(rules, row, choices[c], words)
            if row[PHASE] != P_OVER:
                if masters:
                    play_mixed(tables, rules, row, words, actions, log, weights, masters)
                else:
                    play_one(tables, rules, row, words, actions, log)
            for seat in range(row[PLAYERS]):
                scores[c, 4 * w + seat] = row[SCORES + seat]
