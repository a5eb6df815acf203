"""What the networks learn from: at a seat's decisions every choice is played out.

One seat plays ``master`` or ``neural`` and the others ``greedy``. Each choice is played to the end
of the true deal, with the stock as it lies and in other orders of it, the same for all choices; or,
as ``champion`` does, in worlds that the seat can't tell from the true one, to where the network of
the value foretells the rest.

All of it is in one file since Numba, when it looks for what it compiled before, asks for changes
in the file of the function alone.
"""

# pyright: reportArgumentType=false, reportAssignmentType=false, reportReturnType=false

from __future__ import annotations

from typing import Final

import numpy as np

from okey101.kernel import layout as L, room as R
from okey101.kernel.beliefs import E_PLAYABLE, E_SIZE, E_TILE
from okey101.kernel.choices import choices_of, master_choice
from okey101.kernel.compiling import Row, Rows, adopt, compiled
from okey101.kernel.dealing import deal, deal_seed, generator, next_below
from okey101.kernel.greedy import greedy_choice
from okey101.kernel.groups import minus, pile_tile, plus, put_on_pile
from okey101.kernel.legal import legal_actions
from okey101.kernel.players import neural_choice, play_noted
from okey101.kernel.seats import Minds, play_mixture
from okey101.kernel.solver import Tables
from okey101.kernel.worlds import HURRY, MOST_CODES, play_codes, play_worlds
from okey101.tiles import OKEY
from okey101.weights.neural import CHOICE_SIZE, CHOICES, DISCARDS, POSITION_SIZE, TAKING

__all__ = ["MOST_DECISIONS", "WAYS", "branch"]

LEARNED, HALVES, STEPS, ROUNDS, TAKING_ALONE, WAYS = range(6)
"""How to branch: whether the seat plays as ``neural``, half of the worlds or 0 for the true deal,
as :class:`okey101.kernel.deals.Playouts` has it the steps and rounds, and whether there are none
but the decisions whether to take the discard."""
MOST_DECISIONS: Final = 40
"""Room for the decisions of a deal: there are about 6 of them."""
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


def _code_of(tile: int, laid: int) -> int:
    """What a choice on the desk is."""
    if tile == R.DRAW:
        return L.A_DRAW
    return laid if tile == R.LAY else L.A_DISCARD | tile << 4


def _place_of(desk: Row, count: int, laid: int, action: int) -> int:
    """Which of the choices on the desk an action is, -1 for none."""
    for c in range(count):
        tile = desk[R.AT_TILES + c]
        if action == _code_of(tile, laid):
            return c
    return -1


def _net_of(row: Row) -> int:
    """Which network the seat to act asks."""
    opened = 1 if row[L.OPENED + row[L.TURN]] else 0
    return opened if row[L.PHASE] == L.P_PLAY else TAKING + opened


def _wanted(draw: Row, row: Row, laid: int, ways: Row) -> bool:
    """Whether to branch a decision: after the opening they are many, and less hangs on them."""
    if ways[TAKING_ALONE] and row[L.PHASE] == L.P_PLAY:
        return False
    share = _LAYING if laid >= 0 else _THROWING
    return _net_of(row) != 1 or next_below(draw, L.RANDOM, 100) < share


def _hidden(row: Row, own: int, pool: Row) -> int:
    """Put what a seat doesn't see into ``pool``, in the order of the tiles; how many there are."""
    one = two = 0
    for seat in range(row[L.PLAYERS]):
        if seat != own:
            at, known = L.HANDS + 2 * seat, L.KNOWN + 2 * seat
            less_one, less_two = minus(row[at], row[at + 1], row[known], row[known + 1])
            one, two = plus(one, two, less_one, less_two)
    for place in range(row[L.STOCK_LEN] - row[L.STOCK_COUNT], row[L.STOCK_LEN]):
        one, two = plus(one, two, 1 << pile_tile(row, L.STOCK, place), 0)
    count = 0
    for tile in range(OKEY + 1):
        for _ in range((one >> tile & 1) + (two >> tile & 1)):
            pool[count] = tile
            count += 1
    return count


def _write_codes(codes: Rows, choice: int, words: Row, action: int) -> None:
    """Write a choice as ``play_worlds`` reads it: one code, or the groups of an opening."""
    if action == L.A_MELD:
        for nth in range(words[R.COUNT]):
            codes[choice, nth] = L.A_MELD | words[nth] << 4 | L.MORE
        codes[choice, words[R.COUNT] - 1] &= ~L.MORE
    else:
        codes[choice, 0] = action


@compiled
def _in_orders(
    tables: Tables, rules: Row, row: Row, draw: Row, minds: Minds, who: int, codes: Rows,
    points: Row,
) -> None:  # fmt: skip
    """Play each choice to the end of the true deal, in orders of the stock: the first as it is."""
    log = np.empty(0, dtype=np.int64)
    base = np.empty(L.SIZE, dtype=np.int64)
    now = np.empty(L.SIZE, dtype=np.int64)
    own, orders = row[L.TURN], points.shape[0] // CHOICES
    tables[1][R.HURRY] = HURRY
    for order in range(orders):
        base[:] = row
        base[L.RANDOM] = draw[L.RANDOM]
        if order:
            _shuffle(base)
        draw[L.RANDOM] = base[L.RANDOM]
        for c in range(codes.shape[0]):
            now[:] = base
            play_codes(rules, now, codes[c], minds[0])
            play_mixture(tables, rules, now, log, minds, who, 0)
            points[c * orders + order] = now[L.SCORES + own]
    tables[1][R.HURRY] = 0


@compiled
def _in_worlds(
    tables: Tables, rules: Row, row: Row, seed: int, minds: Minds, who: int, codes: Rows,
    evidence: Rows, grades: Row, ways: Row, points: Row,
) -> None:  # fmt: skip
    """Play each choice in worlds that the seat can't tell from the true one, as ``champion`` does.

    What it scores in the first half of them is added up, and what in the second.
    """
    now = np.empty(L.SIZE, dtype=np.int64)
    pool = np.empty(128, dtype=np.int64)
    own, half = row[L.TURN], ways[HALVES]
    scores = np.empty((codes.shape[0], 8 * half), dtype=np.int64)
    hidden = _hidden(row, own, pool)
    now[:] = row
    now[L.STOCK_LEN] = now[L.STOCK_COUNT]
    until = row[L.TURNS] + 1 + (ways[ROUNDS] - 1) * row[L.PLAYERS]
    seen = now, pool[:hidden], grades, evidence, own, 100, ways[STEPS]
    play_worlds(tables, rules, seen, codes, seed, 0, minds, who, until, scores)
    for c in range(codes.shape[0]):
        for part in range(2):
            points[2 * c + part] = 0
            for w in range(part * half, (part + 1) * half):
                points[2 * c + part] += scores[c, 4 * w + own]


@compiled
def branch(
    tables: Tables, rules: Row, minds: Minds, grades: Row, root: Row, seed: int, ways: Row,
    first: int, deals: int, positions: Rows, choices: Rows, points: Rows, facts: Rows,
) -> int:  # fmt: skip
    """Branch so many deals; how many decisions there are, the least of them being 2 choices.

    The nets of ``minds`` are those of ``neural`` and of the value, and ``ways`` is int64[WAYS].
    ``positions`` is int64[n, inputs], ``choices`` int64[n, CHOICES * inputs], ``points``
    int64[n, CHOICES * orders], or two in place of the orders where worlds are played, and ``facts``
    int64[n, 4]: the choices, which of them was played, the number of the network, and the deal.
    """
    hashed = np.empty(64, dtype=np.uint32)
    dealt = np.empty(8, dtype=np.int64)
    words = np.empty(R.WORDS, dtype=np.int64)
    laying = np.empty(R.WORDS, dtype=np.int64)
    actions = np.empty(R.MOST_ACTIONS, dtype=np.int64)
    row = np.empty(L.SIZE, dtype=np.int64)
    draw = np.empty(L.SIZE, dtype=np.int64)
    desk = np.empty(R.DESK, dtype=np.int64)
    evidence = np.empty((4, E_SIZE), dtype=np.int64)
    codes = np.empty((CHOICES, MOST_CODES), dtype=np.int64)
    log = np.empty(0, dtype=np.int64)
    _, weights, nets, again = minds
    n = 0
    for d in range(first, first + deals):
        deal_seed(root, d, hashed, dealt)
        deal(row, rules, dealt, d % rules[L.R_PLAYERS])
        own = d // 4 % rules[L.R_PLAYERS]
        draw[L.RANDOM] = generator(seed, d)
        evidence[:, E_TILE] = -1
        while row[L.PHASE] != L.P_OVER:
            seat = row[L.TURN]
            if seat != own:
                action = greedy_choice(tables, rules, row, words)
            else:
                laid = choices_of(tables, rules, row, laying, weights, desk, DISCARDS)
                count = laying[R.WEIGHED]
                if ways[LEARNED]:
                    action = neural_choice(tables, rules, row, words, weights, nets, again)
                else:
                    action = master_choice(tables, rules, row, words, weights)
                played = _place_of(desk, count, laid, action)
                if played < 0 or n == positions.shape[0] or not _wanted(draw, row, laid, ways):
                    count = 0
                if count > 1:
                    positions[n] = desk[:POSITION_SIZE]
                    for c in range(count):
                        at = R.AT_CHOICES + R.STRIDE * c
                        choices[n, c * CHOICE_SIZE : (c + 1) * CHOICE_SIZE] = desk[
                            at : at + CHOICE_SIZE
                        ]
                        _write_codes(codes, c, laying, _code_of(desk[R.AT_TILES + c], laid))
                    facts[n, 0], facts[n, 1], facts[n, 2] = count, played, _net_of(row)
                    facts[n, 3] = d
                    if ways[HALVES]:
                        _in_worlds(
                            tables, rules, row, seed ^ d << 8 ^ row[L.TURNS], minds, 1 << own + 4,
                            codes[:count], evidence, grades, ways, points[n],
                        )  # fmt: skip
                    else:
                        who = 1 << own if ways[LEARNED] else 1 << own + 4
                        _in_orders(tables, rules, row, draw, minds, who, codes[:count], points[n])
                    n += 1
            if action < 0:
                legal_actions(tables, rules, row, actions, words, False)
                action = actions[0]
            if action & L.OP == L.A_DISCARD:
                evidence[seat, E_TILE] = action >> 4
                evidence[seat, E_PLAYABLE] = row[L.PLAYABLE]
            play_noted(rules, row, words, log, action)
    return n


adopt(__name__)
