"""Deals whose seats are played by ``greedy``, ``master`` and ``neural``, each on its own tiles.

They are played to the end, or to where somebody else has to act, or to where a network foretells
what the deal will come to for a seat. Who plays a seat is said by *who*: the lowest four bits have
the seats of ``neural``, the next four those of ``master``; ``greedy`` has the others.
"""

# pyright: reportArgumentType=false, reportAssignmentType=false, reportReturnType=false

from __future__ import annotations

import numpy as np

from okey101.kernel.compiling import Row, Rows, apart, compiled, inner
from okey101.kernel.dealing import deal
from okey101.kernel.greedy import greedy_choice, play_noted
from okey101.kernel.layout import (
    FINES,
    OPENED,
    P_OVER,
    P_PLAY,
    PHASE,
    R_PLAYERS,
    SCORES,
    TURN,
    TURNS,
)
from okey101.kernel.legal import MOST_ACTIONS, legal_actions
from okey101.kernel.master import master_choice
from okey101.kernel.neural import WEIGHED, cheapest, choices_of, neural_choice
from okey101.kernel.neural_costs import AT_LEAST, DESK
from okey101.kernel.randomness import deal_seed
from okey101.kernel.tables import ACTIONS, Tables
from okey101.neural_inputs import NET

__all__ = ["play_mixture", "play_mixtures", "play_to_value"]

_POINT = 1 << 20


@inner
def _choice(
    tables: Tables, rules: Row, row: Row, words: Row, weights: Row, nets: Row, desk: Row, who: int
) -> int:
    """The action of the seat to act, told as ``greedy_choice`` tells it."""
    if who >> row[TURN] & 1:
        return neural_choice(tables, rules, row, words, weights, nets, desk)
    if who >> 4 + row[TURN] & 1:
        return master_choice(tables, rules, row, words, weights)
    return greedy_choice(tables, rules, row, words)


@inner
def _play(tables: Tables, rules: Row, row: Row, words: Row, log: Row, action: int) -> None:
    """Play what was chosen, and note it."""
    if action < 0:
        actions = tables[1][ACTIONS : ACTIONS + MOST_ACTIONS]
        legal_actions(tables, rules, row, actions, words, False)
        action = actions[0]
    play_noted(rules, row, words, log, action)


@apart
def play_mixture(
    tables: Tables,
    rules: Row,
    row: Row,
    words: Row,
    log: Row,
    weights: Row,
    nets: Row,
    desk: Row,
    who: int,
    waits: int,
) -> int:
    """Play a deal to its end, or to the turn of a seat whose bit ``waits`` has.

    ``words`` and ``log`` as for ``play_one``, ``weights`` those of ``master``, ``nets`` int64[2 *
    NET] or more those of ``neural``, ``desk`` int64[DESK]; returns the number of actions.
    """
    decisions = 0
    while row[PHASE] != P_OVER and not waits >> row[TURN] & 1:
        action = _choice(tables, rules, row, words, weights, nets, desk, who)
        decisions += 1
        _play(tables, rules, row, words, log, action)
    return decisions


@apart
def play_to_value(
    tables: Tables,
    rules: Row,
    row: Row,
    words: Row,
    log: Row,
    weights: Row,
    nets: Row,
    desk: Row,
    who: int,
    own: int,
    until: int,
) -> int:
    """Play to the first choice of ``own`` from turn ``until`` on, or to the end of the deal.

    As `play_mixture`, but ``nets`` is int64[4 * NET + 2]: the two networks of ``neural``, the two
    of the value, and the points that these are counted from. What the second kind foretells, the
    fines so far included, is written to the score of ``own``. Returns 1 where it was, 0 where the
    deal was played out.
    """
    while row[PHASE] != P_OVER:
        if row[TURN] == own and row[PHASE] == P_PLAY and row[TURNS] >= until:
            action = choices_of(tables, rules, row, words, weights, desk, 1)
            count = words[WEIGHED]
            if count > 0:
                opened = 1 if row[OPENED + own] else 0
                cheapest(nets, NET * (2 + opened), desk, count)
                rest = desk[AT_LEAST] + (_POINT >> 1) >> 20
                row[SCORES + own] = nets[4 * NET + opened] + rest + row[FINES + own]
                return 1
        else:
            action = _choice(tables, rules, row, words, weights, nets, desk, who)
        _play(tables, rules, row, words, log, action)
    return 0


@compiled
def play_mixtures(
    tables: Tables,
    rules: Row,
    weights: Row,
    nets: Row,
    who: int,
    rows: Rows,
    root: Row,
    first: int,
    logs: Rows,
) -> int:
    """Deal a batch and play it as :func:`play_mixture` does; returns the number of actions.

    Rows, root seed and logs as in ``play_greedily``.
    """
    seed = np.empty(8, dtype=np.int64)
    hashed = np.empty(64, dtype=np.uint32)
    words = np.empty(64, dtype=np.int64)
    desk = np.empty(DESK, dtype=np.int64)
    decisions = 0
    for b in range(rows.shape[0]):
        deal_seed(root, first + b, hashed, seed)
        deal(rows[b], rules, seed, (first + b) % rules[R_PLAYERS])
        decisions += play_mixture(
            tables, rules, rows[b], words, logs[b], weights, nets, desk, who, 0
        )
    return decisions
