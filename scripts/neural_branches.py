"""What ``neural`` learns from: at its decisions every choice is played out to the end of the deal.

One seat plays ``master`` or ``neural`` and the others ``greedy``. Each choice goes on in the true
hands, with the stock as it lies and in other orders of it, the same for all choices.

All of it is in one file since Numba, when it looks for what it compiled before, asks for changes
in the file of the function alone.
"""

# pyright: reportArgumentType=false, reportAssignmentType=false, reportReturnType=false

from __future__ import annotations

from typing import Final

import numpy as np

from okey101.kernel import layout as L, room as R
from okey101.kernel.choices import choices_of, master_choice
from okey101.kernel.compiling import Row, Rows, adopt, compiled
from okey101.kernel.dealing import deal, deal_seed, generator, next_below
from okey101.kernel.greedy import greedy_choice
from okey101.kernel.groups import pile_tile, put_on_pile
from okey101.kernel.legal import legal_actions
from okey101.kernel.players import neural_choice
from okey101.kernel.seats import play_mixture
from okey101.kernel.solver import Tables
from okey101.kernel.steps import lay_down, play
from okey101.weights.neural import CHOICE_SIZE, CHOICES, DISCARDS, POSITION_SIZE

__all__ = ["MOST_DECISIONS", "branch"]

MOST_DECISIONS: Final = 40
"""Room for the decisions of a deal: there are about 6 of them."""
_HURRY = 300
_LAYING = 35
"""Of a hundred decisions of an opened seat that could lay down, so many are branched."""
_THROWING = 70
"""The same where it can only throw."""


def _shuffle(row: Row) -> None:
    """Put what is left of the stock into another order."""
    left = row[L.STOCK_COUNT]
    first = row[L.STOCK_LEN] - left
    for place in range(left - 1, 0, -1):
        other = next_below(row, L.RANDOM, place + 1)
        one, two = pile_tile(row, L.STOCK, first + place), pile_tile(row, L.STOCK, first + other)
        put_on_pile(row, L.STOCK, first + place, two)
        put_on_pile(row, L.STOCK, first + other, one)


def _apply(rules: Row, row: Row, words: Row, action: int) -> None:
    """Play an action as it was chosen."""
    if action & L.OP == L.A_MELD:
        count = words[R.COUNT]
        if action != L.A_MELD:
            words[0] = action >> 4
            count = 1
        lay_down(rules, row, words, count)
    else:
        play(rules, row, action)


def _place_of(desk: Row, count: int, laid: int, action: int) -> int:
    """Which of the choices on the desk an action is, -1 for none."""
    for c in range(count):
        tile = desk[R.AT_TILES + c]
        if action == (laid if tile == R.LAY else L.A_DISCARD | tile << 4):
            return c
    return -1


def _wanted(base: Row, laid: int) -> bool:
    """Whether to branch a decision after the opening: they are many, and less hangs on them."""
    share = _LAYING if laid >= 0 else _THROWING
    return next_below(base, L.RANDOM, 100) < share


@compiled
def branch(
    tables: Tables,
    rules: Row,
    weights: Row,
    nets: Row,
    learned: bool,
    root: Row,
    shuffles: int,
    first: int,
    deals: int,
    positions: Rows,
    choices: Rows,
    points: Rows,
    facts: Rows,
) -> int:
    """Branch so many deals; how many decisions there are, the least of them being 2 choices.

    ``positions`` is int64[n, inputs], ``choices`` int64[n, CHOICES * inputs], ``points``
    int64[n, CHOICES * orders], and ``facts`` int64[n, 4]: the choices, which of them was played,
    1 after the opening, and the deal. The first order is the true one.
    """
    seed = np.empty(8, dtype=np.int64)
    hashed = np.empty(64, dtype=np.uint32)
    words = np.empty(R.WORDS, dtype=np.int64)
    laying = np.empty(R.WORDS, dtype=np.int64)
    actions = np.empty(R.MOST_ACTIONS, dtype=np.int64)
    row = np.empty(L.SIZE, dtype=np.int64)
    base = np.empty(L.SIZE, dtype=np.int64)
    now = np.empty(L.SIZE, dtype=np.int64)
    desk = np.empty(R.DESK, dtype=np.int64)
    again = np.empty(R.DESK + 64, dtype=np.int64)
    log = np.empty(0, dtype=np.int64)
    orders = points.shape[1] // CHOICES
    n = 0
    for d in range(first, first + deals):
        deal_seed(root, d, hashed, seed)
        deal(row, rules, seed, d % rules[L.R_PLAYERS])
        who = d // 4 % rules[L.R_PLAYERS]
        policy = 1 << who if learned else 1 << who + 4
        base[L.RANDOM] = generator(shuffles, d)
        while row[L.PHASE] != L.P_OVER:
            if row[L.TURN] != who:
                action = greedy_choice(tables, rules, row, words)
            else:
                tables[1][R.HURRY] = 0
                laid = choices_of(tables, rules, row, laying, weights, desk, DISCARDS)
                count = laying[R.WEIGHED]
                if learned:
                    action = neural_choice(tables, rules, row, words, weights, nets, again)
                else:
                    action = master_choice(tables, rules, row, words, weights)
                played = _place_of(desk, count, laid, action)
                if row[L.OPENED + who] and not _wanted(base, laid):
                    count = 0
                if count > 1 and played >= 0 and n < positions.shape[0]:
                    positions[n] = desk[:POSITION_SIZE]
                    for c in range(count):
                        at = R.AT_CHOICES + R.STRIDE * c
                        choices[n, c * CHOICE_SIZE : (c + 1) * CHOICE_SIZE] = desk[
                            at : at + CHOICE_SIZE
                        ]
                    facts[n, 0], facts[n, 1], facts[n, 2] = count, played, row[L.OPENED + who] != 0
                    facts[n, 3] = d
                    tables[1][R.HURRY] = _HURRY
                    for order in range(orders):
                        state = base[L.RANDOM]
                        base[:] = row
                        base[L.RANDOM] = state
                        if order:
                            _shuffle(base)
                        for c in range(count):
                            now[:] = base
                            tile = desk[R.AT_TILES + c]
                            if tile == R.LAY:
                                again[:64] = laying
                                _apply(rules, now, again[:64], laid)
                            else:
                                play(rules, now, L.A_DISCARD | tile << 4)
                            minds = again[:64], weights, nets, again[64:]
                            play_mixture(tables, rules, now, log, minds, policy, 0)
                            points[n, c * orders + order] = now[L.SCORES + who]
                    tables[1][R.HURRY] = 0
                    n += 1
            if action < 0:
                legal_actions(tables, rules, row, actions, words, False)
                action = actions[0]
            _apply(rules, row, words, action)
    return n


adopt(__name__)
