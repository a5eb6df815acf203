"""Stepping rows, alone and in batches, and random play as one compiled loop."""

from __future__ import annotations

import numpy as np

from okey101.kernel import layout as L, room as R
from okey101.kernel.compiling import Row, Rows, compiled
from okey101.kernel.dealing import deal, deal_seed, generator, next_below
from okey101.kernel.legal import legal_actions
from okey101.kernel.solver import Tables
from okey101.kernel.steps import lay_down, note_code, note_melds, play


@compiled
def step(rules: Row, row: Row, action: int, openings: Row) -> None:
    """Play one legal micro-action; ``openings`` (int64[64]) is what came with the list."""
    operation = action & L.OP
    if operation == L.A_MELD:
        openings[0] = action >> 4 & L.WORD
        lay_down(rules, row, openings, 1)
    elif operation == L.A_OPEN:
        lay_down(rules, row, openings[1 : R.BY_PAIRS], openings[0])
    elif operation == L.A_PAIRS:
        lay_down(rules, row, openings[R.BY_PAIRS + 1 : R.WORDS], openings[R.BY_PAIRS])
    else:
        play(rules, row, action)


@compiled
def note(row: Row, log: Row, action: int, openings: Row) -> None:
    """Write an action that was played to a deal's log, an opening as its groups.

    Beyond the log's end entries are only counted.
    """
    operation = action & L.OP
    if operation == L.A_OPEN or operation == L.A_PAIRS:
        at = 0 if operation == L.A_OPEN else R.BY_PAIRS
        note_melds(row, log, openings[at + 1 :], openings[at])
    else:
        note_code(row, log, action)


@compiled
def deal_many(rules: Row, rows: Rows, root: Row, first: int) -> None:
    """Deal a batch: row ``b`` is deal ``first + b`` of the root seed, the seats dealing in turn."""
    seed = np.empty(8, dtype=np.int64)
    words = np.empty(64, dtype=np.uint32)
    for b in range(rows.shape[0]):
        deal_seed(root, first + b, words, seed)
        deal(rows[b], rules, seed, (first + b) % rules[L.R_PLAYERS])


@compiled
def list_many(
    tables: Tables, rules: Row, rows: Rows, backs: int, out: Row, starts: Row, openings: Rows
) -> int:
    """List the legal micro-actions of each row, and return how many there are in all.

    Those of row ``b`` go to ``out[starts[b]:starts[b + 1]]``, ``starts`` being int64[B + 1] and
    ``openings`` int64[B, 64]; of those that ``out`` has no room for nothing is written. Where
    ``backs`` is 0 taking back is left out.
    """
    actions = tables[1][R.ACTIONS : R.POOL]
    total = 0
    for b in range(rows.shape[0]):
        starts[b] = total
        n = legal_actions(tables, rules, rows[b], actions, openings[b], backs != 0)
        if total + n <= out.shape[0]:
            for i in range(n):
                out[total + i] = actions[i]
        total += n
    starts[rows.shape[0]] = total
    return total


@compiled
def random_many(
    tables: Tables, rules: Row, rows: Rows, root: Row, first: int, logs: Rows, play_seed: int
) -> int:
    """Deal a batch and play it at random; returns the number of decisions.

    Each micro-action but taking back is as likely as any other, and the randomness of a deal is
    that of its number alone. ``logs`` is int64[B, L], L being 0 where none is wanted.
    """
    actions = tables[1][R.ACTIONS : R.POOL]
    openings = np.zeros(R.WORDS, dtype=np.int64)
    deal_many(rules, rows, root, first)
    decisions = 0
    for b in range(rows.shape[0]):
        row = rows[b]
        row[L.RANDOM] = generator(play_seed, first + b)
        while row[L.PHASE] != L.P_OVER:  # till then there is always something to do
            n = legal_actions(tables, rules, row, actions, openings, False)
            action = actions[next_below(row, L.RANDOM, n)]
            decisions += 1
            step(rules, row, action, openings)
            if logs.shape[1]:
                note(row, logs[b], action, openings)
    return decisions


@compiled
def step_many(rules: Row, rows: Rows, actions: Row, openings: Rows) -> None:
    """Play one legal micro-action in each row of a batch; a row that is over stays as it is."""
    for b in range(rows.shape[0]):
        if rows[b, L.PHASE] != L.P_OVER:
            step(rules, rows[b], actions[b], openings[b])
