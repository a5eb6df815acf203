"""What a review costs, and whether its figures are what they claim (``review_calibration.py``)."""

from __future__ import annotations

import json
import time
from pathlib import Path

from benchmarks.measure import median, quantile, table
from okey101.bots import make_bot
from okey101.bots.playing import play_out
from okey101.game import Deal, record_of
from okey101.kernel import warm
from okey101.review.analysis import POLICIES
from okey101.review.matches import review_deal

__all__ = ["report"]

_DEALS = 12
_WORLDS = (250, 1_000, 4_000)
_CALIBRATION = Path(__file__).with_name("review_calibration.json")


def report() -> str:
    """Measure, and give a section of results.md."""
    warm().join()
    records = []
    for number in range(_DEALS):
        bots = [make_bot("steady" if seat % 2 else "greedy", seat) for seat in range(4)]
        deal = play_out(Deal.start("altinstar", seed=f"review {number}"), bots)
        records.append(record_of(deal.rules, [deal]))
    rows: list[tuple[object, ...]] = []
    for worlds in _WORLDS:
        taken: list[float] = []
        reaches: list[float] = []
        for number, record in enumerate(records):
            start = time.process_time()
            found = review_deal(record, 0, number % 4, worlds=worlds)
            taken.append(time.process_time() - start)
            reaches += [one.loss.reach / 10 for one in found.decisions if one.loss.reach]
        rows.append(
            (
                f"{worlds:,}",
                f"{median(taken):.2f}",
                f"{quantile(taken, 0.95):.2f}",
                f"{2 * median(taken):.1f}",
                f"± {median(reaches):.1f}",
            )
        )
    seconds = table(
        ("worlds", "seat, median s", "seat, p95 s", "deal on two cores, s", "a loss"),
        rows,
    )
    return (
        "## The review\n\n"
        f"Processor seconds for one seat of one deal (altinstar, {_DEALS} deals of greedy and "
        "steady), and how far the interval of a loss reaches, in the middle of all choices that "
        f"were not the best; {POLICIES[0]} plays on in the worlds. A whole deal has four seats.\n\n"
        f"{seconds}\n\n{_calibration()}"
    )


def _calibration() -> str:
    found = json.loads(_CALIBRATION.read_text("utf-8"))

    def figure(pair: list[float]) -> str:
        return f"{pair[0]:+.1f} ± {1.96 * pair[1]:.1f}"

    keys = ("difference", "skill", "lost", "deal", "draws", "others", "residual")
    rows = [(name, *(figure(bot[key]) for key in keys)) for name, bot in found["bots"].items()]
    head = (
        "bot", "measured", "own play", "lost", "luck of deal", "luck of draws", "others",
        "residual",
    )  # fmt: skip
    policy = found["policy"]
    own, lost, some, less = (
        f"{found[name][0]:.2f} ± {1.96 * found[name][1]:.2f}"
        for name in (
            "slope_of_own_play", "slope_of_lost", "slope_of_own_play_without_random",
            "slope_of_lost_without_random",
        )
    )  # fmt: skip
    luck = ", ".join(f"{name} {figure(pair)}" for name, pair in found["luck"].items())
    return (
        f"Calibration: {found['deals']} deals each, {found['worlds']} worlds, one seat the bot and "
        f"three {policy}, which also plays on in the worlds; points a deal with 95 % intervals. "
        f"*Measured* is the difference to {policy} in the same seat of the same deals.\n\n"
        f"{table(head, rows)}\n\n"
        f"Measured difference by own play: slope {own}; by points lost beyond {policy}'s: {lost}. "
        f"Without `random`, which weighs most: {some} and {less}. Over all bots together, by deal: "
        f"{luck}."
    )
