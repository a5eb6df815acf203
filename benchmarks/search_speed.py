"""How long the bots that search think, and how many worlds they play.

``make bench ARGS=search_speed`` writes search_speed.json, from which benchmarks/strength.md is
made, and a section of results.md: processor milliseconds of a choice and of a turn, worlds and
playouts a second, in deals of development seeds against ``greedy``.
"""

from __future__ import annotations

import json
import platform
import time
from pathlib import Path
from typing import Any, Final

from benchmarks.measure import table
from okey101.bots import Bot
from okey101.bots.champion import ChampionBot
from okey101.bots.greedy import GreedyBot
from okey101.bots.registry import SEARCHERS
from okey101.bots.search import SearchBot
from okey101.game import PRESETS, Deal, Options, View, apply, view_of
from okey101.game.actions import Action
from okey101.kernel import warm
from okey101.sim.arena.chunks import arena_deal

__all__ = ["RESULTS", "report"]

RESULTS = Path(__file__).with_name("search_speed.json")
DEALS: Final = 24
SEED: Final = 71
_BOTS: Final[dict[str, type[SearchBot]]] = {"search": SearchBot, "champion": ChampionBot}
_WORLDS: Final = 50
"""Worlds at each choice by which playouts alone are timed."""


def report() -> str:
    """Measure, write the file, and give a section of results.md."""
    warm().join()
    bots = {
        name: {
            "version": bot.version,
            "worlds": bot.worlds,
            "rules": {preset: measured(bot, preset) for preset in PRESETS},
        }
        for name, bot in _BOTS.items()
    }
    found: dict[str, Any] = {"python": platform.python_version(), "bots": bots}
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    rows = [
        (
            f"`{SEARCHERS[name].mark}`, {preset}",
            f"{times['choice_ms']} / {times['choice_p95_ms']}",
            f"{times['turn_ms']} / {times['turn_p95_ms']}",
            f"{times['worlds_a_second']:,}",
            f"{times['playouts_a_second']:,}",
        )
        for name, facts in bots.items()
        for preset, times in facts["rules"].items()  # type: ignore[attr-defined]
    ]
    head = ("", "a choice, ms", "a turn, ms", "worlds/s", "playouts/s")
    return (
        "## A choice of a bot that searches\n\n"
        "Processor milliseconds on average / at p95, where there is a choice, in "
        f"{DEALS} deals a preset among three `greedy`; {SearchBot.worlds} worlds at most for "
        f"`search`, {ChampionBot.worlds} for `champion`. Worlds drawn, and choices played out in "
        "one, each a second of one core; those of `champion` end in a network's forecast.\n\n"
        f"{table(head, rows)}"
    )


def measured(kind: type[SearchBot], preset: str) -> dict[str, float]:
    """The times of one seat's choices in so many deals, and of playouts alone."""
    choices: list[float] = []
    turns: dict[tuple[int, int], float] = {}
    drawing = playing = 0.0
    rules = PRESETS[preset]
    for number in range(DEALS):
        deal = Deal.start(rules, arena_deal(rules, SEED, number))
        bots: list[Bot] = [GreedyBot() for _ in range(rules.players)]
        seat = number % rules.players
        own = bots[seat] = kind(number)
        while not deal.over:
            view = view_of(deal, deal.turn)
            options = Options(view)
            begun = time.process_time()
            action = bots[deal.turn].choose(view, options)
            spent = time.process_time() - begun
            if deal.turn == seat:
                key = number, deal.public.turns
                turns[key] = turns.get(key, 0.0) + spent
                if len(options.actions()) > 1:
                    choices.append(spent)
                    drawn, played = _playouts(own, view, action, number)
                    drawing += drawn
                    playing += played
            deal = apply(deal, action)
    choices.sort()
    spans = sorted(turns.values())
    count = _WORLDS * len(choices)
    return {
        "choices": len(choices),
        "choice_ms": round(1e3 * sum(choices) / len(choices), 1),
        "choice_p95_ms": round(1e3 * choices[len(choices) * 95 // 100], 1),
        "turn_ms": round(1e3 * sum(spans) / len(spans), 1),
        "turn_p95_ms": round(1e3 * spans[len(spans) * 95 // 100], 1),
        "worlds_a_second": round(count / drawing),
        "playouts_a_second": round(count / (playing - drawing)),
    }


def _playouts(bot: SearchBot, view: View, action: Action, seed: int) -> tuple[float, float]:
    """Seconds for drawing worlds alone, and for drawing them and playing a choice out in each."""
    playouts = bot._playouts(view)
    begun = time.process_time()
    playouts.scores([], seed, 0, _WORLDS)
    drawn = time.process_time()
    playouts.scores([action], seed, 0, _WORLDS)
    return drawn - begun, time.process_time() - drawn
