"""The compiled kernel: random decisions a second, dealing from the seed included.

Deals are dealt, played and scored inside the kernel, in batches of 1, 64 and 1,024 a call; the
readable engine plays beside it in the same run.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from benchmarks.engine import _rate as readable_rate
from benchmarks.engine import play
from benchmarks.measure import interleaved, median, table
from okey101.game import PRESETS
from okey101.kernel import play_random, warm

__all__ = ["report"]

SECONDS = 1.0
ROUNDS = 5
BATCHES = (1, 64, 1_024)
_DEALS = 1_024


def rate(preset: str, batch: int) -> Callable[[], float]:
    """Decisions a second of processor time at random play, so many deals in each call."""
    first = 0

    def run() -> float:
        nonlocal first
        start = time.process_time()
        decisions = 0
        while time.process_time() - start < SECONDS:
            decisions += play_random(preset, _DEALS, first=first, batch=batch).decisions
            first += _DEALS
        return decisions / (time.process_time() - start)

    return run


def report() -> str:
    """Measure, and give a section of results.md."""
    start = time.process_time()
    warm().join()
    warming = time.process_time() - start
    runs: dict[str, Callable[[], float]] = {}
    for preset in PRESETS:
        for batch in BATCHES:
            runs[f"{preset}, batch {batch:,}"] = rate(preset, batch)
        runs[f"{preset}, okey101.game"] = readable_rate(partial(play, PRESETS[preset]), 1)
    for run in runs.values():
        run()
    figures = interleaved(runs, ROUNDS)
    rows = [
        (name, f"{median(f):,.0f}", f"{min(f):,.0f} to {max(f):,.0f}")
        for name, f in figures.items()
    ]
    return (
        "## The kernel\n\n"
        "Decisions per cpu-second of random play on one core, dealing from the seed included: the "
        "legal micro-actions are listed, one is drawn and applied (taking back is left out in the "
        f"kernel). Median of {ROUNDS} interleaved rounds of {SECONDS:g} s. Loading the compiled "
        f"code, or compiling where nothing was cached, took {warming:.0f} s of processor time."
        "\n\n" + table(("rules and batch", "decisions/s", "range"), rows) + "\n"
    )


if __name__ == "__main__":
    print(report())
