"""How long ``search`` thinks, and how many worlds it plays: ``python -m benchmarks.search_speed``.

Writes search_speed.json, from which docs/en/strength.md is made: milliseconds of a choice and of a
turn, and playouts a second, in deals of development seeds against ``greedy``, on one core.
"""

from __future__ import annotations

import json
import platform
import sys
import time
from pathlib import Path

from okey101.bots import Bot
from okey101.bots.greedy import GreedyBot
from okey101.bots.search import SearchBot
from okey101.game import PRESETS, Deal, Options, apply, view_of
from okey101.kernel import warm
from okey101.kernel.playouts import Playouts
from okey101.sim.arena.chunks import arena_deal

__all__ = ["RESULTS"]

RESULTS = Path(__file__).with_name("search_speed.json")
DEALS = 24
SEED = 71


def measured(preset: str) -> dict[str, float]:
    """The times of one seat's choices in so many deals, and of playouts alone."""
    choices: list[float] = []
    turns: dict[tuple[int, int], float] = {}
    played = seconds = drawn = drawing = 0.0
    rules = PRESETS[preset]
    for number in range(DEALS):
        deal = Deal.start(rules, arena_deal(rules, SEED, number))
        bots: list[Bot] = [GreedyBot() for _ in range(rules.players)]
        seat = number % rules.players
        bots[seat] = SearchBot(number)
        while not deal.over:
            view = view_of(deal, deal.turn)
            options = Options(view)
            begun = time.perf_counter()
            action = bots[deal.turn].choose(view, options)
            spent = time.perf_counter() - begun
            if deal.turn == seat:
                key = number, deal.public.turns
                turns[key] = turns.get(key, 0.0) + spent
                if len(options.actions()) > 1:
                    choices.append(spent)
                    playouts = Playouts(view, "own", steps=30)
                    begun = time.process_time()
                    playouts.scores([action], number, 0, 50)
                    seconds += time.process_time() - begun
                    played += 50
                    begun = time.process_time()
                    playouts.scores([], number, 0, 50)
                    drawing += time.process_time() - begun
                    drawn += 50
            deal = apply(deal, action)
    choices.sort()
    spans = sorted(turns.values())
    return {
        "choices": len(choices),
        "choice_ms": round(1e3 * sum(choices) / len(choices), 1),
        "choice_p95_ms": round(1e3 * choices[len(choices) * 95 // 100], 1),
        "turn_ms": round(1e3 * sum(spans) / len(spans), 1),
        "turn_p95_ms": round(1e3 * spans[len(spans) * 95 // 100], 1),
        "worlds_a_second": round(drawn / drawing),
        "playouts_a_second": round(played / (seconds - drawing)),
    }


def main() -> int:
    """Measure, write and tell."""
    warm().join()
    found = {
        "worlds": SearchBot.worlds,
        "python": platform.python_version(),
        "rules": {preset: measured(preset) for preset in PRESETS},
    }
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(found, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
