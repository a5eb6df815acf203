"""``okey101 bench``: how fast the solver and the game are on this machine, in a few seconds."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from time import perf_counter

from okey101.bots import BOTS, make_bot
from okey101.cli.output import Output
from okey101.game import Deal, RuleSet, apply, deal_from_seed, options_of, view_of
from okey101.solver import best_value_bits
from okey101.tiles import FALSE_JOKER, OKEY, Rack

_SEED = 101
_OKEY = 31
"""The blue 6: which kind is the okey makes no difference to the solver."""


@dataclass(frozen=True, slots=True)
class _Measured:
    name: str
    figures: dict[str, int | float]


def measure(output: Output, seconds: float) -> int:
    """Measure solver and play, each for some seconds, and print the figures; returns the exit code.

    ``median_us`` and ``p99_us`` are microseconds for the best value of a rack of 22 tiles.
    """
    found = list(_all(output, seconds))
    if output.as_json:
        output.answer({"seconds": seconds} | {m.name: m.figures for m in found})
    return 0


def _all(output: Output, seconds: float) -> Iterator[_Measured]:
    texts = output.texts
    for okeys in range(3):
        name = texts("bench-solver", okeys=okeys)
        figures = _with_progress(output, name, partial(_solver, okeys, seconds / 3))
        words = {key: str(value) for key, value in figures.items()}
        _say(
            output,
            name,
            texts(
                "bench-median",
                median=words["median_us"],
                p99=words["p99_us"],
                count=words["racks"],
            ),
        )
        yield _Measured(f"solver_{okeys}_okeys", figures)
    name = texts("bench-random")
    figures = _with_progress(output, name, partial(_random_play, seconds))
    rate = str(figures["decisions_per_second"])
    _say(output, name, texts("bench-decisions", rate=rate))
    yield _Measured("random_play", figures)
    bot = "greedy" if "greedy" in BOTS else next(iter(BOTS))
    name = texts("bench-bots", bot=bot)
    figures = _with_progress(output, name, partial(_bot_play, bot, seconds))
    _say(output, name, texts("bench-deals", rate=str(figures["deals_per_second"])))
    yield _Measured(f"{bot}_play", figures)


def _with_progress(
    output: Output, name: str, work: Callable[[], dict[str, int | float]]
) -> dict[str, int | float]:
    output.note(output.texts("bench-running", what=name))
    return work()


def _say(output: Output, name: str, text: str) -> None:
    if not output.as_json:
        output.lines([f"{name}: {text}"])


def _racks(okeys: int, rng: random.Random) -> Iterator[int]:
    """Random racks of 22 tiles with that many okeys, packed."""
    others = [tile for tile in range(53) for _ in range(2) if tile != _OKEY]
    assert OKEY not in others and FALSE_JOKER in others
    while True:
        yield Rack([*rng.sample(others, 22 - okeys), *[OKEY] * okeys]).bits


def _solver(okeys: int, seconds: float) -> dict[str, int | float]:
    times = []
    end = perf_counter() + seconds
    racks = _racks(okeys, random.Random(_SEED))
    best_value_bits(next(racks), _OKEY)  # the first question reads the tables
    for bits in racks:
        start = perf_counter()
        best_value_bits(bits, _OKEY)
        now = perf_counter()
        times.append(now - start)
        if now > end:
            break
    times.sort()
    return {
        "racks": len(times),
        "median_us": round(statistics.median(times) * 1e6, 1),
        "p99_us": round(times[len(times) * 99 // 100] * 1e6, 1),
    }


def _random_play(seconds: float) -> dict[str, int | float]:
    rng = random.Random(_SEED)
    decisions = 0
    start = perf_counter()
    while True:
        deal = Deal.start(RuleSet(), deal_from_seed(RuleSet(), rng.randbytes(32), 0))
        while not deal.over:
            deal = apply(deal, rng.choice(options_of(deal).actions()))
            decisions += 1
            spent = perf_counter() - start
            if spent > seconds:
                return {"decisions_per_second": round(decisions / spent), "decisions": decisions}


def _bot_play(name: str, seconds: float) -> dict[str, int | float]:
    rng = random.Random(_SEED)
    bots = [make_bot(name, seat) for seat in range(4)]
    deals = 0
    start = perf_counter()
    spent = 0.0
    while not deals or spent < seconds:
        deal = Deal.start(RuleSet(), deal_from_seed(RuleSet(), rng.randbytes(32), 0))
        while not deal.over:
            seat = deal.turn
            deal = apply(deal, bots[seat].choose(view_of(deal, seat), options_of(deal)))
        deals += 1
        spent = perf_counter() - start
    return {"deals_per_second": round(deals / spent, 1), "deals": deals}
