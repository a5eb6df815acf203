"""What playouts that end in a network's forecast find: ``python -m benchmarks.search_ends``.

Deals of development seeds, ``master`` against three ``greedy``, and at most three of its choices in
each. What is worth trying is played out in thousands of worlds, to the end of the deal: that prices
each choice. Then it is played in other worlds, few of them, to the end or to the network's forecast
after one own turn or more: how much better than ``master``'s is the choice that looks best there?
Written to search_ends.json: points a decision by way and by worlds, with the 95 % interval of the
difference to whole playouts, over deals.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.search_forecasts import positions
from okey101.game import PRESETS, view_of
from okey101.kernel.deals import Playouts, Policy

__all__ = ["RESULTS"]

RESULTS = Path(__file__).with_name("search_ends.json")
PRICED = {"own": 4_000, "learned": 1_000}
"""Worlds of the prices, by who goes on in them for the seat: ``master``, ``neural``."""
BUDGETS = (40, 100, 200, 400, 600)
WAYS: dict[str, tuple[Policy, int]] = {
    "the end of the deal": ("own", 0),
    "the next own turn": ("own", 1),
    "the next but one": ("own", 2),
    "the next but two": ("own", 3),
    "the next but one, as `neural`": ("learned", 2),
}
"""By its words: who goes on for the seat, and own turns until the forecast."""
_DRAWS = 15
"""Choices that are made with each budget, from worlds drawn out of all of them."""


def found(
    preset: str, seed: int, number: int, spent: dict[str, list[float]]
) -> NDArray[np.float64]:
    """What each way gains with each budget, for both prices, in the choices of one deal.

    float64[choices, prices, ways, budgets]; the best that could be gained is in a last way.
    """
    rng = np.random.default_rng(number)
    some = list(positions(preset, seed, number))
    random.Random(number).shuffle(some)
    lines = np.zeros((len(some[:3]), len(PRICED), len(WAYS) + 1, len(BUDGETS)))
    for line, (deal, choices) in zip(lines, some[:3], strict=True):
        view = view_of(deal, deal.turn)
        prices = []
        for nth, (policy, worlds) in enumerate(PRICED.items()):
            playouts = Playouts(view, policy, steps=30)  # type: ignore[arg-type]
            price = playouts.scores(choices, 11 + nth, 0, worlds).mean(axis=1)
            prices.append(price[0] - price)
            line[nth, -1] = prices[-1].max()
        for way, (name, (policy, rounds)) in enumerate(WAYS.items()):
            begun = time.process_time()
            playouts = Playouts(view, policy, steps=30, rounds=rounds)
            points = playouts.scores(choices, 13, 0, BUDGETS[-1])
            spent[name][0] += time.process_time() - begun
            spent[name][1] += points.size
            for at, budget in enumerate(BUDGETS):
                drawn = rng.integers(0, BUDGETS[-1], (_DRAWS, budget))
                best = points[:, drawn].mean(axis=2).argmin(axis=0)
                for nth, price in enumerate(prices):
                    line[nth, way, at] = price[best].mean()
    return lines


def main() -> int:
    """Play, write and tell."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.search_ends")
    parser.add_argument("--rules", choices=list(PRESETS), default="altinstar")
    parser.add_argument("--deals", type=int, default=50)
    parser.add_argument("--first", type=int, default=100)
    parser.add_argument("--seed", type=int, default=61)
    given = parser.parse_args()
    spent = {name: [0.0, 0.0] for name in WAYS}
    deals = []
    for number in range(given.first, given.first + given.deals):
        deals.append(found(given.rules, given.seed, number, spent))
        print(f"{len(deals)} of {given.deals} deals", file=sys.stderr, flush=True)
    deals = [lines for lines in deals if len(lines)]
    lines = np.concatenate(deals)
    gains = lines.mean(axis=0)
    apart = np.array([(one - one[:, :, :1]).sum(axis=0) for one in deals])
    errors = 1.96 * apart.std(axis=0, ddof=1) * math.sqrt(len(deals)) / len(lines)

    def told(prices: int, way: int) -> list[dict[str, float]]:
        return [
            {"worlds": budget, "gain": round(gains[prices, way, at], 3),
             "error": round(errors[prices, way, at], 3)}
            for at, budget in enumerate(BUDGETS)
        ]  # fmt: skip

    result = {
        "rules": given.rules, "seed": given.seed, "first": given.first, "deals": given.deals,
        "positions": len(lines),
        "best": {policy: round(gains[nth, -1, 0], 3) for nth, policy in enumerate(PRICED)},
        "ways": {
            name: {
                "microseconds": round(1e6 * spent[name][0] / spent[name][1], 1),
                **{policy: told(nth, way) for nth, policy in enumerate(PRICED)},
            }
            for way, name in enumerate(WAYS)
        },
    }  # fmt: skip
    RESULTS.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=1, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
