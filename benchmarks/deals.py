"""Whole deals a second, four bots ``greedy`` at the table."""

from __future__ import annotations

import time
from collections.abc import Callable

from benchmarks.measure import interleaved, median, table
from okey101.bots.playing import play_deal
from okey101.game import PRESETS, RuleSet
from okey101.sim.arena import arena_deal

__all__ = ["report"]

SECONDS = 2.0
ROUNDS = 5
BOT = "greedy"


def _rate(rules: RuleSet) -> Callable[[], float]:
    number = 0

    def run() -> float:
        nonlocal number
        played = 0
        start = time.process_time()
        while time.process_time() - start < SECONDS:
            dealt = arena_deal(rules, 1, number)
            play_deal(rules, [BOT] * rules.players, dealt, bot_seed=number)
            number += 1
            played += 1
        return played / (time.process_time() - start)

    return run


def report() -> str:
    """Measure, and give a section of results.md."""
    runs = {name: _rate(rules) for name, rules in PRESETS.items()}
    figures = interleaved(runs, ROUNDS)
    rows = [
        (name, f"{median(f):.0f}", f"{min(f):.0f} to {max(f):.0f}") for name, f in figures.items()
    ]
    return (
        f"## Whole deals with four `{BOT}`\n\n"
        "Deals per cpu-second on one core, from the seed to the scores, every choice made from a "
        f"view and its options. Median of {ROUNDS} interleaved rounds of {SECONDS:g} s.\n\n"
        + table(("rules", "deals/s", "range"), rows)
        + "\n"
    )


if __name__ == "__main__":
    print(report())
