"""One call of each compiled function that Python calls, so that none is compiled later."""

from __future__ import annotations

import numpy as np

from okey101.kernel.beliefs import E_SIZE, GRADES, chance_of
from okey101.kernel.dealing import begin
from okey101.kernel.exporting import seed_words
from okey101.kernel.greedy import play_greedily
from okey101.kernel.layout import A_PASS, N_GROUPS, N_PLACED, SIZE
from okey101.kernel.legal import MOST_ACTIONS
from okey101.kernel.master import play_masters
from okey101.kernel.piles import put_on_pile
from okey101.kernel.playing import deal_many, note, run, step, step_many
from okey101.kernel.rules import rules_vector
from okey101.kernel.steps import lay_groups
from okey101.kernel.tables import tables
from okey101.kernel.worlds import MOST_CODES, draw_worlds, play_worlds
from okey101.master_weights import SIZE as WEIGHTS

__all__ = ["call_all"]


def call_all() -> None:
    """Compile everything, or load it from the cache; takes up to a minute."""
    found, rules = tables(), rules_vector("altinstar")
    rows = np.zeros((1, SIZE), dtype=np.int64)
    logs = np.zeros((1, 0), dtype=np.int64)
    row, log = rows[0], logs[0]
    root = seed_words(bytes(32))
    actions = np.zeros(MOST_ACTIONS, dtype=np.int64)
    openings = np.zeros((1, 64), dtype=np.int64)
    starts = np.zeros(2, dtype=np.int64)
    begin(row, rules, 0, 0)
    put_on_pile(row, 0, 0, 0)
    deal_many(rules, rows, root, 0)
    run(found, rules, rows, root, 0, 0, logs, actions, starts, openings, 1)
    play_greedily(found, rules, rows, root, 0, logs)
    note(row, log, 0, openings[0])
    step(rules, row, A_PASS, openings[0])
    step_many(rules, rows, actions[:1], openings)
    row[N_GROUPS] = row[N_PLACED] = 0
    lay_groups(rules, row, openings[0], 0)
    choices, scores = np.zeros((1, MOST_CODES), dtype=np.int64), np.zeros((1, 0), dtype=np.int64)
    weights = np.zeros(WEIGHTS, dtype=np.int64)
    evidence = np.full((4, E_SIZE), -1, dtype=np.int64)
    pool, grades = actions[:0], weights[:GRADES]
    play_worlds(
        found, rules, row, pool, choices, 0, 0, 0, 100, evidence, grades, 0, weights, 0, scores
    )
    draw_worlds(found, rules, row, pool, 0, 0, 0, 100, evidence, grades, 0, rows[:0])
    chance_of(found, rules, row, 0, evidence, grades)
    play_masters(found, rules, weights, 0, rows, root, 0, logs)
