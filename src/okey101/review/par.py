"""What a seat scores on average before its tiles are known: by its place after the starter."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Final

from okey101.game.dealing import starter_of
from okey101.game.ruleset import PRESETS, RuleSet
from okey101.review.spread import Spread, spread_of, summed

__all__ = ["measured", "name_of", "par_of"]

_FILE: Final = Path(__file__).with_name("pars.json")
_DEALS: Final = 8_000
"""Deals played for rules that no par is kept for: good to two points."""
_SEED: Final = "okey101 par 1"


def par_of(rules: RuleSet, seat: int, starter: int, policy: str) -> Spread:
    """The average points of a seat (its team), ``policy`` playing in every seat.

    For the presets it is kept in a file, for other rules it is measured once in a process.
    """
    place = (seat - starter) % rules.players
    known = _kept().get(f"{policy} {name_of(rules)}")
    by_place = known or _measured_once(rules, policy)
    if not rules.teams:
        return by_place[place]
    return summed((by_place[place], by_place[(place + 2) % 4]))


def name_of(rules: RuleSet) -> str | None:
    """The word that pars are kept by; None for rules that are no preset's but for its seats."""
    for name, preset in PRESETS.items():
        if rules == preset.with_(players=rules.players, teams=rules.teams):
            return f"{name} {rules.players}{' teams' if rules.teams else ''}"
    return None


def measured(rules: RuleSet, policy: str, deals: int) -> tuple[Spread, ...]:
    """The average points of each place after the starter, over so many deals of a fixed seed."""
    from okey101.kernel.batches import play_greedy, play_master

    play = {"greedy": play_greedy, "master": play_master}[policy]
    scores = play(rules, deals, seed=_SEED).scores
    players = rules.players
    found = []
    for place in range(players):
        points = [
            int(scores[deal, (starter_of(rules, deal % players) + place) % players])
            for deal in range(deals)
        ]
        found.append(spread_of(sum(points), sum(n * n for n in points), deals))
    return tuple(found)


@cache
def _measured_once(rules: RuleSet, policy: str) -> tuple[Spread, ...]:
    return measured(rules, policy, _DEALS)


@cache
def _kept() -> dict[str, tuple[Spread, ...]]:
    data = json.loads(_FILE.read_text(encoding="utf-8"))
    return {
        name: tuple(Spread(tenths, reach) for tenths, reach in places)
        for name, places in data["pars"].items()
    }
