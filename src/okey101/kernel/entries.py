"""One call of each compiled function that Python calls, so that none is compiled later."""

from __future__ import annotations

import numpy as np

from okey101.kernel.beliefs import E_SIZE, GRADES, chance_of
from okey101.kernel.compiling import Row, Rows
from okey101.kernel.dealing import begin
from okey101.kernel.exporting import seed_words
from okey101.kernel.foresight import draw_futures, opening_gains, remains
from okey101.kernel.greedy import play_greedily
from okey101.kernel.layout import A_PASS, N_GROUPS, N_PLACED, P_OVER, PHASE, R_SIZE, SIZE
from okey101.kernel.legal import MOST_ACTIONS
from okey101.kernel.mixtures import play_mixtures
from okey101.kernel.numbering import NUMBERS
from okey101.kernel.observing import (
    WIDTH,
    codes_of_numbers,
    end_many,
    observe,
    observe_many,
    redeal,
)
from okey101.kernel.piles import put_on_pile
from okey101.kernel.playing import deal_many, note, run, step, step_many
from okey101.kernel.rules import rules_vector
from okey101.kernel.seats import oracle_code, play_plainly, play_until
from okey101.kernel.steps import lay_groups
from okey101.kernel.tables import tables
from okey101.kernel.worlds import MOST_CODES, draw_worlds, play_codes, play_worlds
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
        found, rules, row, pool, choices, 0, 0, 0, 100, evidence, grades, 0, weights,
        weights, 0, 0, scores,
    )  # fmt: skip
    draw_worlds(found, rules, row, pool, 0, 0, 0, 100, evidence, grades, 0, rows[:0])
    chance_of(found, rules, row, 0, evidence, grades)
    play_mixtures(found, rules, weights, pool, 0, rows, root, 0, logs)
    deal_many(rules, rows, root, 0)
    oracle_code(found, rules, row, actions, openings[0])
    play_until(found, rules, row, openings[0], log, weights, pool, 0, 15)
    play_plainly(found, rules, row, openings[0], log)
    play_codes(rules, row, np.full(1, A_PASS), openings[0])
    _call_for_steady()
    _call_for_learners(rows, root)


def _call_for_steady() -> None:
    none, two = np.zeros(0, dtype=np.int64), np.zeros(2, dtype=np.int64)
    futures = np.zeros((0, 1), dtype=np.int64)
    opening_gains(tables(), two, 0, none, futures, two, two, futures)
    remains(none, none, futures, 0, False, none, none)
    draw_futures(none, none, none, futures)


def _call_for_learners(rows: Rows, root: Row) -> None:
    rules = rules_vector("altinstar")
    row, none = rows[0], np.zeros(0, dtype=np.int64)
    starts, played = np.zeros(2, dtype=np.int64), np.zeros(1, dtype=np.int64)
    scaled = np.zeros(R_SIZE, dtype=np.float32)
    seen = np.zeros((1, WIDTH), dtype=np.float32)
    masks = np.zeros((1, NUMBERS), dtype=np.int8)
    row[PHASE] = P_OVER
    end_many(rules, rows, np.zeros(1, dtype=np.bool_), np.zeros((1, 4), dtype=np.float64))
    redeal(rules, rows, root, played)
    observe(rules, scaled, row, 0, seen[0])
    observe_many(rules, scaled, rows, none, starts, none, none, starts, seen, masks)
    codes_of_numbers(none, starts, none, none, none)
