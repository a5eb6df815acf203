"""What a choice costs each bot that needs nothing but Python."""

from __future__ import annotations

import statistics
import time

from benchmarks.measure import median, quantile, table
from okey101.bots import BOTS, make_bot
from okey101.game import PRESETS, Deal, Options, apply, view_of

__all__ = ["report"]

_DEALS = 12
_ROUNDS = 3


def report() -> str:
    """Measure, and give a section of results.md."""
    for name in BOTS:  # what is read once is read
        _times(name, "altinstar", 1)
    rows = [(f"`{name}`", *(_told(name, preset) for preset in PRESETS)) for name in BOTS]
    return (
        "## A choice of a bot\n\n"
        "Processor milliseconds that a bot takes to choose an action, on average / at the median / "
        f"at p95: in {_DEALS} deals a preset among its like, each choice the fastest of {_ROUNDS} "
        "(the machine has other guests). Plain Python, the options counted before.\n\n"
        f"{table(('', *PRESETS), rows)}"
    )


def _told(name: str, preset: str) -> str:
    rounds = [_times(name, preset, _DEALS) for _ in range(_ROUNDS)]
    times = [min(same) for same in zip(*rounds, strict=True)]
    return f"{statistics.mean(times):.2f} / {median(times):.2f} / {quantile(times, 0.95):.2f}"


def _times(name: str, preset: str, deals: int) -> list[float]:
    """Milliseconds of each choice; the choices are the same each time."""
    found = []
    for number in range(deals):
        deal = Deal.start(PRESETS[preset], seed=f"choices {number}")
        bots = [make_bot(name, seat) for seat in range(deal.rules.players)]
        while not deal.over:
            view = view_of(deal, deal.turn)
            options = Options(view)
            options.actions()
            begun = time.process_time()
            action = bots[deal.turn].choose(view, options)
            found.append(1e3 * (time.process_time() - begun))
            deal = apply(deal, action)
    return found
