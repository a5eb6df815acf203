"""How often a search that is cut short in playouts plays another turn than one that is not."""

from __future__ import annotations

from typing import Final

import numpy as np

from benchmarks.measure import table
from okey101.game import PRESETS
from okey101.kernel import room, warm
from okey101.kernel.compiling import Row
from okey101.kernel.conversion import rules_vector, seed_words
from okey101.kernel.layout import NOTED, P_OVER, PHASE, SIZE, TURN
from okey101.kernel.playing import deal_many
from okey101.kernel.seats import Minds, minds_of, play_until
from okey101.kernel.solver import tables
from okey101.kernel.worlds import HURRY, PATIENCE

__all__ = ["report"]

_DEALS: Final = 20_000
_BATCH: Final = 100
_LOG: Final = 99
_MASTERS: Final = 0b1111 << 4


def report() -> str:
    """Measure, and give a section of results.md."""
    warm()
    rows = []
    for preset in PRESETS:
        turns, hurried, patient = _differing(preset)
        rows.append((preset, f"{turns:,}", str(patient), str(hurried)))
    return (
        "## A search that is cut short\n\n"
        f"Of all turns of four `master` in {_DEALS:,} deals a preset, those that are played "
        "otherwise where a search for what to lay down ends early, as it does in playouts: after "
        f"{PATIENCE:,} states in a review and in a forecast, after {HURRY} where `search` and "
        "`champion` think. What differs is that a finish in the turn of the opening is not "
        "found.\n\n"
        f"{table(('', 'turns', f'after {PATIENCE:,}', f'after {HURRY}'), rows)}"
    )


def _differing(preset: str) -> tuple[int, int, int]:
    """Turns, and those that differ after the fewer and after the more states."""
    rules, found = rules_vector(preset), tables()
    minds = minds_of(PRESETS[preset])
    turns, differing = 0, {HURRY: 0, PATIENCE: 0}
    rows = np.zeros((_BATCH, SIZE), dtype=np.int64)
    for first in range(0, _DEALS, _BATCH):
        deal_many(rules, rows, seed_words(bytes(32)), first)
        for row in rows:
            while row[PHASE] != P_OVER:
                before = row.copy()
                played = _turn(rules, minds, row)
                turns += 1
                for states in differing:
                    found[1][room.HURRY] = states
                    differing[states] += _turn(rules, minds, before.copy()) != played
                    found[1][room.HURRY] = 0
    return turns, differing[HURRY], differing[PATIENCE]


def _turn(rules: Row, minds: Minds, row: Row) -> list[int]:
    """Play one turn; the codes of its actions."""
    log = np.zeros(_LOG, dtype=np.int64)
    row[NOTED] = 0
    others = 15 ^ 1 << int(row[TURN])
    play_until(tables(), rules, row, log, minds, _MASTERS, others)
    return [int(code) for code in log[: row[NOTED]]]
