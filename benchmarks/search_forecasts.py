"""How well worlds foretell what a choice is worth: ``python -m benchmarks.search_forecasts``.

Deals of development seeds, ``master`` against three ``greedy``: at each of its choices what is
worth trying is played out in 200 worlds drawn in several ways, and priced with the true hands, the
stock in 200 orders. Written to search_forecasts.json, one line for each way: how much the worlds
say too much of ``master``'s own choice, the slope of prices over forecasts for the differences
between choices (1 is right), their correlation, and the mean error, each with its 95 % interval
by deals, left out one at a time.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from okey101.bots import make_bot
from okey101.bots.search import worth_trying
from okey101.game import PRESETS, Deal, Options, apply, replay, view_of
from okey101.game.actions import Action
from okey101.kernel import play_bots
from okey101.kernel.deals import Playouts, Policy
from okey101.sim.arena.chunks import arena_deal

__all__ = ["RESULTS"]

RESULTS = Path(__file__).with_name("search_forecasts.json")
WORLDS = 200
WAYS: dict[str, tuple[Policy, int, int]] = {
    "uniform, all as `greedy`": ("greedy", 0, 100),
    "doubt, all as `greedy`": ("greedy", 0, 10),
    "walk of 30, all as `greedy`": ("greedy", 30, 0),
    "uniform, the seat as `master`": ("own", 0, 100),
    "doubt, the seat as `master`": ("own", 0, 10),
    "walk of 10, the seat as `master`": ("own", 10, 0),
    "walk of 30, the seat as `master`": ("own", 30, 0),
    "walk of 100, the seat as `master`": ("own", 100, 0),
    "walk of 30, all as `master`": ("master", 30, 0),
}
"""By its words: who goes on, steps of the walk, and of a hundred unlikely worlds those kept."""


def positions(preset: str, seed: int, number: int) -> Iterator[tuple[Deal, list[Action]]]:
    """The choices of one seat of a deal that ``master`` plays against ``greedy``."""
    rules = PRESETS[preset]
    seat = number % rules.players
    root = hashlib.sha256(f"okey101 arena 1 {seed}".encode()).digest()
    played = play_bots(rules, 1, {seat: "master"}, seed=root, first=number, log=True)
    deal = Deal.start(rules, arena_deal(rules, seed, number))
    for _, action in replay(played.record(0)).deals[0].public.actions:
        if deal.turn == seat:
            view = view_of(deal, seat)
            options = Options(view)
            choices = worth_trying(view, options, make_bot("master").choose(view, options))
            if len(choices) > 1:
                yield deal, choices
        deal = apply(deal, action)


def forecasts(preset: str, seed: int, number: int) -> NDArray[np.float64]:
    """For each choice of a deal its price, then what each way of drawing worlds foretells.

    All are differences to ``master``'s choice but the first line of a position, which has the
    points of that one: float64[N, 2 + ways], the first column says which lines these are.
    """
    lines = []
    for deal, choices in positions(preset, seed, number):
        view = view_of(deal, deal.turn)
        columns = [Playouts.with_hands(deal, "own").scores(choices, 1, 0, WORLDS).mean(axis=1)]
        for policy, steps, doubt in WAYS.values():
            drawn = Playouts(view, policy, steps=steps)
            drawn._seen = (*drawn._seen[:5], doubt, steps)
            columns.append(drawn.scores(choices, 2, 0, WORLDS).mean(axis=1))
        found = np.array(columns).T
        found[1:] -= found[0]
        lines.append(np.column_stack([np.arange(len(choices)) == 0, found]))
    return np.concatenate(lines)


def spread(deals: list[NDArray[np.float64]], figure: Callable[[NDArray[np.float64]], float]) -> str:
    """A figure with its interval, by leaving out one deal after the other."""
    whole = figure(np.concatenate(deals))
    parts = [figure(np.concatenate(deals[:n] + deals[n + 1 :])) for n in range(len(deals))]
    n = len(parts)
    error = 1.96 * float(np.sqrt((n - 1) * np.var(parts)))
    return f"{whole:.2f} ± {error:.2f}"


def row(deals: list[NDArray[np.float64]], way: int) -> dict[str, str]:
    """The figures of one way."""

    def pick(lines: NDArray[np.float64], first: bool) -> NDArray[np.float64]:
        chosen: NDArray[np.float64] = lines[lines[:, 0] == first][:, [1, 2 + way]]
        return chosen

    def bias(lines: NDArray[np.float64]) -> float:
        found = pick(lines, True)
        return float((found[:, 1] - found[:, 0]).mean())

    def slope(lines: NDArray[np.float64]) -> float:
        found = pick(lines, False)
        return float((found[:, 0] * found[:, 1]).sum() / (found[:, 1] ** 2).sum())

    def correlation(lines: NDArray[np.float64]) -> float:
        found = pick(lines, False)
        return float(np.corrcoef(found[:, 0], found[:, 1])[0, 1])

    def error(lines: NDArray[np.float64]) -> float:
        found = pick(lines, False)
        return float(np.sqrt(((found[:, 0] - found[:, 1]) ** 2).mean()))

    figures = {"bias": bias, "slope": slope, "correlation": correlation, "error": error}
    return {name: spread(deals, figure) for name, figure in figures.items()}


def main() -> int:
    """Play, write and tell."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.search_forecasts")
    parser.add_argument("--rules", choices=list(PRESETS), default="altinstar")
    parser.add_argument("--deals", type=int, default=40)
    parser.add_argument("--seed", type=int, default=61)
    parser.add_argument("--minutes", type=float, default=1e9)
    arguments = parser.parse_args()
    until = time.monotonic() + 60 * arguments.minutes
    deals: list[NDArray[np.float64]] = []
    while len(deals) < arguments.deals and time.monotonic() < until:
        deals.append(forecasts(arguments.rules, arguments.seed, len(deals)))
    lines = np.concatenate(deals)
    found = {
        "rules": arguments.rules,
        "seed": arguments.seed,
        "deals": len(deals),
        "positions": int(lines[:, 0].sum()),
        "choices": len(lines),
        "ways": {way: row(deals, n) for n, way in enumerate(WAYS)},
    }
    RESULTS.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(json.dumps(found, indent=1, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
