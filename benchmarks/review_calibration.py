"""Whether a review's figures are what they claim: points lost against measured strength.

    .venv/bin/python -m benchmarks.review_calibration 300 > benchmarks/review_calibration.json

One seat is a bot of a certain strength, the three others play ``greedy``, the policy of the
review's worlds. Each deal is also played by four ``greedy``: the difference of the seat's scores is
the bot's measured strength on these deals. The review looks at the bot's seat. If its figures are
right, own play has the mean of the measured difference, and the luck of deal and draws is nothing
on average.
"""

from __future__ import annotations

import json
import math
import random
import sys
from collections.abc import Sequence
from time import monotonic
from typing import Final

from okey101.bots import Bot, make_bot
from okey101.game import Deal, Options, View, record_of
from okey101.game.actions import Action, Discard
from okey101.game.dealing import deal_from_seed, seed_of
from okey101.game.ruleset import RuleSet
from okey101.review.balance import TERMS
from okey101.review.deals import review_deal
from okey101.sim.playing import play_out
from okey101.sim.stats import cluster_mean

_WORLDS: Final = 200
_SEED: Final = "okey101 review calibration 1"


class Weakened:
    """``greedy`` that throws any tile now and then: for calibrating alone."""

    def __init__(self, share: float, seed: int) -> None:
        self._share, self._rng, self._base = share, random.Random(seed), make_bot("greedy")
        self.name = f"greedy, {share:.0%} at random"

    def choose(self, view: View, options: Options) -> Action:
        """Its choice."""
        action = self._base.choose(view, options)
        if isinstance(action, Discard) and self._rng.random() < self._share:
            return Discard(self._rng.choice(options.discards).tile)
        return action


def bots_of(number: int) -> dict[str, Bot]:
    """The bots that are reviewed, the weakest first, fresh for a deal."""
    return {
        "random": make_bot("random", number),
        "greedy-half": Weakened(0.5, number),
        "greedy-fifth": Weakened(0.2, number),
        "greedy": make_bot("greedy"),
        "steady": make_bot("steady", number),
    }


def one(rules: RuleSet, number: int, name: str) -> dict[str, float]:
    """The figures of one deal of a bot, in points."""
    seat = number % 4
    layout = deal_from_seed(rules, seed_of(f"{_SEED} {number}"), (number // 4) % 4)
    usual: list[Bot] = [make_bot("greedy") for _ in range(4)]
    par = play_out(Deal.start(rules, layout), usual).result
    seated = list(usual)
    seated[seat] = bots_of(number)[name]
    deal = play_out(Deal.start(rules, layout), seated)
    assert par is not None
    assert deal.result is not None
    found = review_deal(record_of(rules, [deal]), 0, seat, worlds=_WORLDS, seed=number)
    return {
        **{term: value.mean for term, value in zip(TERMS, found.balance.terms, strict=True)},
        "score": deal.result.scores[seat],
        "difference": deal.result.scores[seat] - par.scores[seat],
        "lost": found.lost.mean,
        "marks": found.marked("small") + found.marked("large"),
        "decisions": len(found.decisions),
    }


def slope(xs: Sequence[float], ys: Sequence[float], errors: Sequence[float]) -> tuple[float, float]:
    """The slope through the origin, weighted by the errors of ``ys``, and its standard error."""
    weights = [1 / max(error, 0.5) ** 2 for error in errors]
    below = sum(w * x * x for w, x in zip(weights, xs, strict=True))
    value = sum(w * x * y for w, x, y in zip(weights, xs, ys, strict=True)) / below
    return value, math.sqrt(1 / below)


def main() -> None:
    """Review so many deals of each bot and print the figures as JSON."""
    deals = int(sys.argv[1])
    rules = RuleSet.preset("altinstar")
    began = monotonic()
    table: dict[str, dict[str, list[float]]] = {}
    raw: dict[str, list[dict[str, float]]] = {name: [] for name in bots_of(0)}
    for number in range(deals):
        for name, rows in raw.items():
            rows.append(one(rules, number, name))
        if number % 10 == 9:
            print(f"{number + 1} deals, {monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    for name, rows in raw.items():
        table[name] = {}
        for key in rows[0]:
            estimate = cluster_mean([[row[key]] for row in rows])
            table[name][key] = [round(estimate.mean, 2), round(estimate.error, 2)]
    names = list(raw)
    measured = [table[name]["difference"] for name in names]
    greedy = table["greedy"]["lost"][0]
    by_skill = slope(
        [table[name]["skill"][0] for name in names],
        [value for value, _ in measured],
        [error for _, error in measured],
    )
    by_lost = slope(
        [table[name]["lost"][0] - greedy for name in names],
        [value for value, _ in measured],
        [error for _, error in measured],
    )
    luck = {
        term: [round(e.mean, 2), round(e.error, 2)]
        for term in ("deal", "draws", "residual")
        for e in [
            cluster_mean([[row[term] for row in rows] for rows in zip(*raw.values(), strict=True)])
        ]
    }
    answer = {
        "rules": "altinstar", "deals": deals, "worlds": _WORLDS, "policy": "greedy",
        "seed": _SEED, "seconds": round(monotonic() - began), "bots": table, "luck": luck,
        "slope_of_own_play": [round(n, 3) for n in by_skill],
        "slope_of_lost": [round(n, 3) for n in by_lost],
    }  # fmt: skip
    print(json.dumps(answer, indent=1))


if __name__ == "__main__":
    main()
