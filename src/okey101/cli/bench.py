"""``okey101 bench``: how fast the solver and the game are on this machine, in a few seconds."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Iterator
from functools import partial
from time import perf_counter
from typing import TypeAlias

from okey101.bots import make_bot
from okey101.bots.playing import play_out
from okey101.cli.output import Exit, Failure, Output
from okey101.game import Deal, apply, options_of
from okey101.solver import best_value_bits
from okey101.tiles import OKEY, Rack

_SEED = 101
_OKEY = 31
"""The blue 6: which kind is the okey makes no difference to the solver."""


_Figures: TypeAlias = dict[str, int | float]


def measure(output: Output, seconds: float) -> int:
    """Measure solver and play, each for some seconds, and print the figures; returns the exit code.

    ``median_us`` and ``p99_us`` are microseconds for the best value of a rack of 22 tiles.
    """
    if math.isnan(seconds):
        raise Failure.of(output.texts, Exit.USAGE, "bad-option", option="--seconds")
    texts = output.texts
    found: dict[str, _Figures] = {}

    def run(key: str, name: str, words: str, work: Callable[[], _Figures]) -> None:
        output.note(texts("bench-running", what=name))
        found[key] = work()
        if not output.as_json:
            told = {figure: str(value) for figure, value in found[key].items()}
            output.lines([f"{name}: {texts(words, **told)}"])

    for okeys in range(3):
        name = texts("bench-solver", okeys=okeys)
        run(f"solver_{okeys}_okeys", name, "bench-median", partial(_solver, okeys, seconds / 3))
    random_play, greedy_play = partial(_random_play, seconds), partial(_bot_play, "greedy", seconds)
    run("random_play", texts("bench-random"), "bench-decisions", random_play)
    run("greedy_play", texts("bench-bots", bot="greedy"), "bench-deals", greedy_play)
    if output.as_json:
        output.answer({"seconds": seconds, **found})
    return 0


def _racks(okeys: int, rng: random.Random) -> Iterator[int]:
    """Random racks of 22 tiles with that many okeys, packed."""
    others = [tile for tile in range(53) for _ in range(2) if tile != _OKEY]
    while True:
        yield Rack([*rng.sample(others, 22 - okeys), *[OKEY] * okeys]).bits


def _solver(okeys: int, seconds: float) -> _Figures:
    times = list[float]()
    now, end = 0.0, perf_counter() + seconds
    racks = _racks(okeys, random.Random(_SEED))
    best_value_bits(next(racks), _OKEY)  # the first question reads the tables
    while now <= end:
        bits, start = next(racks), perf_counter()
        best_value_bits(bits, _OKEY)
        now = perf_counter()
        times.append(now - start)
    times.sort()
    return {
        "racks": len(times),
        "median_us": round(statistics.median(times) * 1e6, 1),
        "p99_us": round(times[len(times) * 99 // 100] * 1e6, 1),
    }


def _random_play(seconds: float) -> _Figures:
    rng = random.Random(_SEED)
    decisions = 0
    start = perf_counter()
    while True:
        deal = Deal.start("altinstar", seed=rng.randbytes(32))
        while not deal.over:
            deal = apply(deal, rng.choice(options_of(deal).actions()))
            decisions += 1
            spent = perf_counter() - start
            if spent > seconds:
                return {"decisions_per_second": round(decisions / spent), "decisions": decisions}


def _bot_play(name: str, seconds: float) -> _Figures:
    rng = random.Random(_SEED)
    bots = [make_bot(name, seat) for seat in range(4)]
    deals = 0
    start = perf_counter()
    spent = 0.0
    while not deals or spent < seconds:
        play_out(Deal.start("altinstar", seed=rng.randbytes(32)), bots)
        deals += 1
        spent = perf_counter() - start
    return {"deals_per_second": round(deals / spent, 1), "deals": deals}
