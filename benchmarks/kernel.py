"""The compiled kernel: random decisions and deals of ``greedy`` a second, dealing included.

Deals are dealt from their seeds, played and scored inside the kernel, in batches of 1, 64 and 1,024
a call; the readable engine and the readable bot play beside it in the same run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from functools import partial

from benchmarks.engine import _rate as readable_rate, play
from benchmarks.measure import interleaved, median, table
from okey101.bots.playing import play_deal
from okey101.game import PRESETS
from okey101.game.dealing import deal_from_seed, match_seed, seed_of
from okey101.kernel import play_bots, play_random, warm

__all__ = ["report"]

SECONDS = 1.0
ROUNDS = 5
BATCHES = (1, 64, 1_024)
_DEALS = 1_024


def _a_second(play: Callable[[int], int]) -> Callable[[], float]:
    """How much is played in a second of processor time; ``play`` takes the first deal's number."""
    first = 0

    def run() -> float:
        nonlocal first
        start = time.process_time()
        played = 0
        while time.process_time() - start < SECONDS:
            played += play(first)
            first += _DEALS
        return played / (time.process_time() - start)

    return run


def rate(preset: str, batch: int) -> Callable[[], float]:
    """Decisions a second of processor time at random play, so many deals in each call."""
    return _a_second(lambda first: play_random(preset, _DEALS, first=first, batch=batch).decisions)


def greedy_rate(preset: str, batch: int) -> Callable[[], float]:
    """Deals a second of processor time with ``greedy`` in every seat."""
    return _a_second(lambda first: len(play_bots(preset, _DEALS, first=first, batch=batch).scores))


def readable_greedy_rate(preset: str) -> Callable[[], float]:
    """The same with the readable bot."""
    rules = PRESETS[preset]
    first = 0

    def run() -> float:
        nonlocal first
        start = time.process_time()
        played = 0
        while time.process_time() - start < SECONDS:
            layout = deal_from_seed(rules, match_seed(seed_of(0), first), first % rules.players)
            play_deal(rules, ["greedy"] * rules.players, layout)
            first += 1
            played += 1
        return played / (time.process_time() - start)

    return run


def report() -> str:
    """Measure, and give a section of results.md."""
    start = time.process_time()
    warm().join()
    warming = time.process_time() - start
    random: dict[str, Callable[[], float]] = {}
    greedy: dict[str, Callable[[], float]] = {}
    for preset in PRESETS:
        for batch in BATCHES:
            random[f"{preset}, batch {batch:,}"] = rate(preset, batch)
            greedy[f"{preset}, batch {batch:,}"] = greedy_rate(preset, batch)
        random[f"{preset}, okey101.game"] = readable_rate(partial(play, PRESETS[preset]), 1)
        greedy[f"{preset}, okey101.bots"] = readable_greedy_rate(preset)
    runs = random | {f"greedy {name}": run for name, run in greedy.items()}
    for run in runs.values():
        run()
    figures = interleaved(runs, ROUNDS)
    return (
        "## The kernel\n\n"
        "Decisions per cpu-second of random play on one core, dealing from the seed included: the "
        "legal micro-actions are listed, one is drawn and applied (taking back is left out in the "
        f"kernel). Median of {ROUNDS} interleaved rounds of {SECONDS:g} s. Loading the compiled "
        f"code, or compiling where nothing was cached, took {warming:.0f} s of processor time."
        "\n\n"
        + table(("rules and batch", "decisions/s", "range"), _rows(figures, random, ""))
        + "\n\nDeals per cpu-second with `greedy` in every seat, in the same rounds:\n\n"
        + table(("rules and batch", "deals/s", "range"), _rows(figures, greedy, "greedy "))
        + "\n\n"
        + _aims(figures)
    )


def _aims(figures: dict[str, list[float]]) -> str:
    """What came of the aims, in the figures of this run."""
    decisions = min(median(figures[f"{preset}, batch 1"]) for preset in PRESETS)
    deals = [median(figures[f"greedy {preset}, batch 64"]) for preset in PRESETS]
    times = [
        fast / median(figures[f"greedy {preset}, okey101.bots"])
        for preset, fast in zip(PRESETS, deals, strict=True)
    ]
    reached = "reached" if min(deals) >= 15_000 else "not reached on this machine"
    return (
        f"Aims: 300,000 random decisions a second, reached ({decisions:,.0f} at the least); 15,000 "
        f"deals of `greedy` a second, {reached} ({min(deals):,.0f} to {max(deals):,.0f}). The "
        "aim was set where the readable `greedy` played 84 deals a second; in this run the kernel "
        f"plays {min(times):,.0f} to {max(times):,.0f} times as many as that one does. "
        "What C or Rust could do about it is measured in "
        "[kernel_c.md](kernel_c.md): 4 to 7 % of the search with okeys, nothing without, as Numba "
        "and a C compiler make the same code of integers in flat arrays.\n"
    )


def _rows(
    figures: dict[str, list[float]], names: Iterable[str], before: str
) -> list[tuple[str, str, str]]:
    rows = []
    for name in names:
        found = figures[before + name]
        rows.append((name, f"{median(found):,.0f}", f"{min(found):,.0f} to {max(found):,.0f}"))
    return rows


if __name__ == "__main__":
    print(report())
