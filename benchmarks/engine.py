"""Decisions per second of random legal play, beside OpenSpiel's gin rummy in the same run.

A decision is one choice of a player from all legal ones: the options are listed, one of them is
drawn at random, and it is applied. Deals and shuffles are part of the time on both sides.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial

from benchmarks.measure import interleaved, median, table
from okey101.game import PRESETS, Deal, RuleSet, apply, deal_from_seed, options_of

__all__ = ["report"]

SECONDS = 2.0
ROUNDS = 5


def play(rules: RuleSet, rng: random.Random) -> int:
    """Play one deal at random and count its decisions."""
    deal = Deal.start(rules, deal_from_seed(rules, rng.randbytes(32), 0))
    decisions = 0
    while not deal.over:
        actions = options_of(deal).actions()
        deal = apply(deal, actions[int(rng.random() * len(actions))])
        decisions += 1
    return decisions


def shares(rules: RuleSet, rng: random.Random) -> tuple[float, float, float]:
    """The shares of dealing, of listing the options and of applying a choice."""
    dealing = listing = applying = 0.0
    while dealing + listing + applying < SECONDS:
        start = time.process_time()
        deal = Deal.start(rules, deal_from_seed(rules, rng.randbytes(32), 0))
        dealing += time.process_time() - start
        while not deal.over:
            start = time.process_time()
            actions = options_of(deal).actions()
            chosen = actions[int(rng.random() * len(actions))]
            listed = time.process_time()
            deal = apply(deal, chosen)
            listing += listed - start
            applying += time.process_time() - listed
    total = dealing + listing + applying
    return dealing / total, listing / total, applying / total


def gin_rummy() -> Callable[[random.Random], int]:
    """One game of OpenSpiel's gin rummy at random, driven from Python; chance is not counted."""
    import pyspiel

    game = pyspiel.load_game("gin_rummy")

    def once(rng: random.Random) -> int:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(rng.random() * len(actions))])
                decisions += 1
        return decisions

    return once


def _rate(once: Callable[[random.Random], int], seed: int) -> Callable[[], float]:
    rng = random.Random(seed)

    def run() -> float:
        start = time.process_time()
        decisions = 0
        while time.process_time() - start < SECONDS:
            decisions += once(rng)
        return decisions / (time.process_time() - start)

    return run


def report() -> str:
    """Measure, and give a section of results.md."""
    runs: dict[str, Callable[[], float]] = {}
    for name, rules in PRESETS.items():
        runs[f"okey101, {name}"] = _rate(partial(play, rules), 1)
    try:
        runs["OpenSpiel gin_rummy from Python"] = _rate(gin_rummy(), 1)
    except ImportError:
        print("engine: open-spiel is not installed, its row is missing")
    for run in runs.values():
        run()
    figures = interleaved(runs, ROUNDS)
    rows = [
        (name, f"{median(f):,.0f}", f"{min(f):,.0f} to {max(f):,.0f}")
        for name, f in figures.items()
    ]
    slowest = min(median(figures[f"okey101, {name}"]) for name in PRESETS)
    parts = [
        (name, *(f"{share:.0%}" for share in shares(rules, random.Random(1))))
        for name, rules in PRESETS.items()
    ]
    return (
        "## Random legal play\n\n"
        "Decisions per cpu-second on one core: the legal actions are listed, one is drawn and "
        f"applied. Median of {ROUNDS} interleaved rounds of {SECONDS:g} s. A low round of wiki is "
        "a player who drew the indicator (E4) and lays and takes back at random for thousands of "
        "actions before finishing.\n\n"
        + table(("engine", "decisions/s", "range"), rows)
        + "\n\nWhere the time goes:\n\n"
        + table(("rules", "dealing", "listing the options", "applying the choice"), parts)
        + f"\n\nThe aim is 40,000 for each; the slowest does {slowest:,.0f} here (on a quiet "
        "machine, 2026-11-21: 29,447, 20,322 and 23,942 beside gin_rummy's 43,633). It stops there "
        "because a decision costs as many small steps as the rules ask for, and none stands "
        "out: in a profile no function has more than 5 % of the time, the solver's search for "
        "openings apart (12 to 15 %; a hand that is asked about again comes from a cache). Each "
        "choice makes an immutable deal with its own open side, and each list of options is "
        "made of values; that is what makes the engine readable, its deals safe to keep and its "
        "records exact. Who needs more plays in the [kernel](../docs/en/kernel.md), which takes "
        "the same decisions about a hundred times as fast.\n"
    )


if __name__ == "__main__":
    print(report())
