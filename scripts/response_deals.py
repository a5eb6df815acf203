"""Deals of a seat with weights of its own among bots of the kernel, for scripts/train_response.py.

All of it is in one file since Numba, when it looks for what it compiled before, asks for changes
in the file of the function alone.
"""

# pyright: reportArgumentType=false, reportAssignmentType=false, reportReturnType=false

from __future__ import annotations

import numpy as np

from okey101.kernel import room as R
from okey101.kernel.choices import master_choice
from okey101.kernel.compiling import Row, compiled
from okey101.kernel.dealing import deal, deal_seed
from okey101.kernel.layout import P_OVER, PHASE, R_PLAYERS, SCORES, SIZE
from okey101.kernel.legal import legal_actions
from okey101.kernel.players import play_noted
from okey101.kernel.seats import play_mixture
from okey101.kernel.solver import Tables

__all__ = ["answer"]


@compiled
def answer(
    tables: Tables,
    rules: Row,
    own: Row,
    seat: int,
    weights: Row,
    nets: Row,
    who: int,
    root: Row,
    first: int,
    scores: Row,
) -> int:
    """Play deals in which ``seat`` is ``master`` with weights of its own; its score of each.

    ``own`` are those weights, ``weights`` and ``nets`` those of the others, who are ``who`` as
    :func:`okey101.kernel.seats.play_mixture` tells them; ``scores`` is int64[deals]. Returns the
    number of actions.
    """
    seed = np.empty(8, dtype=np.int64)
    hashed = np.empty(64, dtype=np.uint32)
    words = np.empty(R.WORDS, dtype=np.int64)
    minds = words, weights, nets, np.empty(R.DESK, dtype=np.int64)
    row = np.empty(SIZE, dtype=np.int64)
    log = np.empty(0, dtype=np.int64)
    decisions = 0
    for d in range(scores.shape[0]):
        deal_seed(root, first + d, hashed, seed)
        deal(row, rules, seed, (first + d) % rules[R_PLAYERS])
        while row[PHASE] != P_OVER:
            decisions += play_mixture(tables, rules, row, log, minds, who, 1 << seat)
            if row[PHASE] == P_OVER:
                break
            action = master_choice(tables, rules, row, words, own)
            if action < 0:
                actions = tables[1][R.ACTIONS : R.POOL]
                legal_actions(tables, rules, row, actions, words, False)
                action = actions[0]
            play_noted(rules, row, words, log, action)
            decisions += 1
        scores[d] = row[SCORES + seat]
    return decisions
