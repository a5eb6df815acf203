"""Whether a review's figures are what they claim: points lost against measured strength.

    .venv/bin/python -m benchmarks.review_calibration --deals 300 --resume ROWS

One seat is a bot of a certain strength, the three others play the policy of the review's worlds.
Each deal is also played by four of these: the difference of the seat's scores is the bot's measured
strength on these deals. The review looks at the bot's seat. If its figures are right, own play has
the mean of the measured difference, and the luck of deal and draws is nothing on average.

``--resume`` keeps a line for each review and goes on from there. With ``--part 1/2`` and ``2/2``
two of them share the deals, each with lines of its own; the last one names both files.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Final, TypeAlias

from okey101.bots import Bot, make_bot
from okey101.bots.playing import play_out
from okey101.game import Deal, Options, View, record_of
from okey101.game.actions import Action, Discard
from okey101.game.dealing import Layout, deal_from_seed, seed_of
from okey101.game.ruleset import RuleSet
from okey101.review.analysis import POLICIES
from okey101.review.balance import TERMS
from okey101.review.matches import review_deal
from okey101.sim.stats import cluster_mean

RESULTS: Final = Path(__file__).with_name("review_calibration.json")
_SEED: Final = "okey101 review calibration"


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
        "master": make_bot("master", number),
    }


BOTS: Final = tuple(bots_of(0))


@cache
def usual_scores(policy: str, seed: str, number: int) -> tuple[int, ...]:
    """The points by seat where the policy has all seats."""
    rules = RuleSet.preset("altinstar")
    bots: list[Bot] = [make_bot(policy) for _ in range(4)]
    result = play_out(Deal.start(rules, layout_of(rules, seed, number)), bots).result
    assert result is not None
    return result.scores


def layout_of(rules: RuleSet, seed: str, number: int) -> Layout:
    """A deal of the calibration."""
    return deal_from_seed(rules, seed_of(f"{_SEED} {seed} {number}"), (number // 4) % 4)


def one(number: int, name: str, given: argparse.Namespace) -> dict[str, float]:
    """The figures of one deal of a bot, in points."""
    rules = RuleSet.preset("altinstar")
    seat = number % 4
    seated: list[Bot] = [make_bot(given.policy) for _ in range(4)]
    seated[seat] = bots_of(number)[name]
    deal = play_out(Deal.start(rules, layout_of(rules, given.seed, number)), seated)
    assert deal.result is not None
    score = deal.result.scores[seat]
    found = review_deal(
        record_of(rules, [deal]), 0, seat, worlds=given.worlds, seed=number, policy=given.policy
    )
    return {
        **{term: value.mean for term, value in zip(TERMS, found.balance.terms, strict=True)},
        "score": score,
        "difference": score - usual_scores(given.policy, given.seed, number)[seat],
        "lost": found.lost.mean,
        "marks": found.small + found.large,
        "decisions": len(found.decisions),
    }


Figure: TypeAlias = Sequence[float]
"""A mean and its standard error."""


def slope(xs: Sequence[Figure], ys: Sequence[Figure]) -> tuple[float, float]:
    """The slope through the origin and its standard error; both sides have errors.

    The slope being about one, a point is weighed by the two together (effective variance).
    """
    weights = [1 / max(math.hypot(x[1], y[1]), 0.5) ** 2 for x, y in zip(xs, ys, strict=True)]
    below = sum(w * x[0] ** 2 for w, x in zip(weights, xs, strict=True))
    value = sum(w * x[0] * y[0] for w, x, y in zip(weights, xs, ys, strict=True)) / below
    return value, math.sqrt(1 / below)


def slopes(bots: Mapping[str, Mapping[str, Figure]], policy: str) -> dict[str, list[float]]:
    """The slopes over all bots, and over all but ``random``, of which most of the weight is."""
    usual = bots[policy]["lost"][0]
    found = {}
    for key, left_out in (("", ""), ("_without_random", "random")):
        names = [name for name in bots if name != left_out]
        measured = [bots[name]["difference"] for name in names]
        lost = [(bots[name]["lost"][0] - usual, bots[name]["lost"][1]) for name in names]
        found[f"slope_of_own_play{key}"] = slope([bots[name]["skill"] for name in names], measured)
        found[f"slope_of_lost{key}"] = slope(lost, measured)
    return {name: [round(n, 3) for n in pair] for name, pair in found.items()}


def kept(files: Sequence[Path]) -> Iterator[tuple[int, str, dict[str, float]]]:
    """What was reviewed before, by deal and bot."""
    for file in files:
        if file.exists():
            for line in file.read_text(encoding="utf-8").splitlines():
                number, name, row = json.loads(line)
                yield number, name, row


def play(rows: dict[tuple[int, str], dict[str, float]], given: argparse.Namespace) -> None:
    """Review what is missing of this part, a line each."""
    part, parts = map(int, given.part.split("/"))
    began, done = monotonic(), 0
    with given.resume[0].open("a", encoding="utf-8") as file:
        for number in range(part - 1, given.deals, parts):
            for name in BOTS:
                if (number, name) in rows:
                    continue
                row = rows[number, name] = one(number, name, given)
                file.write(json.dumps([number, name, row]) + "\n")
                file.flush()
                done += 1
            if number // parts % 10 == 9:
                seconds = monotonic() - began
                print(f"{number + 1} deals, {seconds:.0f} s", file=sys.stderr, flush=True)


def told(rows: dict[tuple[int, str], dict[str, float]], given: argparse.Namespace) -> str:
    """The figures of all, as JSON."""
    raw = {name: [rows[number, name] for number in range(given.deals)] for name in BOTS}
    table: dict[str, dict[str, list[float]]] = {}
    for name, found in raw.items():
        table[name] = {}
        for key in found[0]:
            estimate = cluster_mean([[row[key]] for row in found])
            table[name][key] = [round(estimate.mean, 2), round(estimate.error, 2)]
    luck = {
        term: [round(e.mean, 2), round(e.error, 2)]
        for term in ("deal", "draws", "residual")
        for e in [
            cluster_mean([[row[term] for row in deal] for deal in zip(*raw.values(), strict=True)])
        ]
    }
    answer = {
        "rules": "altinstar", "deals": given.deals, "worlds": given.worlds,
        "policy": given.policy, "seed": f"{_SEED} {given.seed}", "bots": table, "luck": luck,
        **slopes(table, given.policy),
    }  # fmt: skip
    return json.dumps(answer, indent=1) + "\n"


def main() -> None:
    """Review so many deals of each bot; write the figures when all are there."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.review_calibration")
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--policy", choices=POLICIES, default="master")
    parser.add_argument("--worlds", type=int, default=100)
    parser.add_argument("--seed", default="2", help="other deals than before")
    parser.add_argument("--part", default="1/1", help="such as 1/2: every second deal")
    parser.add_argument("--resume", type=Path, nargs="+", required=True, metavar="ROWS")
    given = parser.parse_args()
    rows = {(number, name): row for number, name, row in kept(given.resume)}
    play(rows, given)
    if len(rows) >= given.deals * len(BOTS):
        RESULTS.write_text(told(rows, given), encoding="utf-8")


if __name__ == "__main__":
    main()
