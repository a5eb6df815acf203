"""Tables at which some seats are played by others: the kernel plays up to their turn.

And what it knows of those: the choice of ``oracle-1``, for which each micro-action is tried on the
true deal, and of ``steady`` the choices that are those of ``greedy``.
"""

# pyright: reportArgumentType=false, reportReturnType=false
from __future__ import annotations

import numpy as np

from okey101.kernel.compiling import Row, compiled, inner
from okey101.kernel.greedy import begin_turn, lay_more, play_noted, play_one
from okey101.kernel.groups import copies, rack_size
from okey101.kernel.layout import (
    A_ANNOUNCE,
    A_PASS,
    A_RETURN,
    A_TAKE,
    HANDS,
    MUST_FINISH,
    OPENED,
    P_OVER,
    P_PLAY,
    PHASE,
    R_TEAMS,
    SCORES,
    SIZE,
    TURN,
)
from okey101.kernel.legal import MOST_ACTIONS, legal_actions, may_announce, may_return
from okey101.kernel.mixtures import play_mixture
from okey101.kernel.neural_costs import DESK
from okey101.kernel.playing import step
from okey101.kernel.tables import Tables
from okey101.tiles import OKEY

__all__ = ["oracle_code", "play_plainly", "play_until"]

_HELD_BACK = 3
"""Of so many tiles, an okey among them, ``steady`` may hold back what it could lay."""


@compiled
def play_until(
    tables: Tables,
    rules: Row,
    row: Row,
    words: Row,
    log: Row,
    weights: Row,
    nets: Row,
    who: int,
    waits: int,
) -> int:
    """Play on until a seat is to act whose bit ``waits`` has; returns the number of actions.

    The others are those of ``who``, as in ``play_mixture``.
    """
    desk = np.empty(DESK, dtype=np.int64)
    return play_mixture(tables, rules, row, words, log, weights, nets, desk, who, waits)


@compiled
def oracle_code(tables: Tables, rules: Row, row: Row, codes: Row, openings: Row) -> int:
    """The code of the choice of ``oracle-1`` for the seat to act; the deal is not over.

    ``codes`` (int64[MOST_ACTIONS]) and ``openings`` (int64[64]) are those of ``legal_actions``,
    which is asked for backs only where there is nothing else. The best own score is taken, in teams
    the team's, and of equal ones the first.
    """
    count = legal_actions(tables, rules, row, codes, openings, False)
    if count == 0:
        count = legal_actions(tables, rules, row, codes, openings, True)
    if count == 1:
        return codes[0]  # type: ignore[no-any-return]
    trial = np.empty(SIZE, dtype=np.int64)
    laid = np.empty(64, dtype=np.int64)
    words = np.empty(64, dtype=np.int64)
    actions = np.empty(MOST_ACTIONS, dtype=np.int64)
    log = np.empty(0, dtype=np.int64)
    seat = row[TURN]
    best, chosen = 0, -1
    for i in range(count):
        trial[:] = row
        laid[:] = openings
        step(rules, trial, codes[i], laid)
        if trial[PHASE] != P_OVER:
            play_one(tables, rules, trial, words, actions, log)
        score = trial[SCORES + seat]
        if rules[R_TEAMS]:
            score += trial[SCORES + (seat ^ 2)]
        if chosen < 0 or score < best:
            best, chosen = score, codes[i]
    return chosen


@inner
def _plain_choice(tables: Tables, rules: Row, row: Row, words: Row) -> int:
    """What ``steady`` chooses as ``greedy`` does, -1 where it weighs."""
    seat = row[TURN]
    opened = row[OPENED + seat]
    if row[PHASE] != P_PLAY:
        action = begin_turn(tables, rules, row)
        if action == A_TAKE and opened == 0:
            action = -1
        return action
    if may_announce(rules, row):
        return A_ANNOUNCE
    if opened == 0:
        return -1
    one, two = row[HANDS + 2 * seat], row[HANDS + 2 * seat + 1]
    if copies(one, two, OKEY) == 1 and rack_size(one, two) == _HELD_BACK:
        if not row[MUST_FINISH]:
            return -1
    laid = lay_more(tables, rules, row, one, two, words)
    if laid >= 0:
        return laid
    return A_RETURN if may_return(rules, row) else -1


@compiled
def play_plainly(tables: Tables, rules: Row, row: Row, words: Row, log: Row) -> int:
    """Play for ``steady`` what it chooses as ``greedy`` does, in its turn; how many actions.

    It stops after a pass, which is the end of a turn.
    """
    seat = row[TURN]
    played = 0
    while row[PHASE] != P_OVER and row[TURN] == seat:
        action = _plain_choice(tables, rules, row, words)
        if action < 0:
            break
        played += 1
        play_noted(rules, row, words, log, action)
        if action == A_PASS:
            break
    return played
