"""Where a score comes from: par, luck and skill, which add up to it exactly."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, Self

from okey101.game.dealing import starter_of
from okey101.game.ruleset import PRESETS, RuleSet

# A mean over worlds with its 95 % interval, from whole numbers and in tenths of a point.

_REACH: Final = 1.96
"""Standard errors to either side: an interval that holds the true mean 95 times of 100."""


@dataclass(frozen=True, slots=True)
class Spread:
    """A mean and the ends of its 95 % interval in points, each a whole number of tenths.

    It is exact for the worlds that were played: sums of whole numbers, one square root.
    """

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, tenths: int, reach: int) -> Self:
        """A mean in tenths of a point, and how many tenths its interval reaches to either side."""
        return cls(tenths / 10, (tenths - reach) / 10, (tenths + reach) / 10)

    @property
    def tenths(self) -> int:
        """The mean in tenths of a point."""
        return round(10 * self.mean)

    @property
    def reach(self) -> int:
        """How many tenths of a point the interval reaches to either side."""
        return round(10 * self.high) - self.tenths

    def __str__(self) -> str:
        return f"{self.mean:+.1f} [{self.low:+.1f}, {self.high:+.1f}]"


NOTHING: Final = Spread.of(0, 0)


def spread_of(total: int, squares: int, count: int) -> Spread:
    """The mean of ``count`` whole numbers with this sum and this sum of squares.

    >>> spread_of(30, 350, 4)
    Spread(mean=7.5, low=1.1, high=13.9)
    """
    if count < 2:
        return Spread.of(10 * total, 0)
    mean = (20 * total + count) // (2 * count)  # halves upward
    spread = count * squares - total * total
    error = math.sqrt(spread / (count * count * (count - 1)))
    return Spread.of(mean, math.ceil(10 * _REACH * error))


def summed(parts: Iterable[Spread]) -> Spread:
    """The sum of independent figures."""
    tenths, squares = 0, 0
    for part in parts:
        tenths += part.tenths
        squares += part.reach * part.reach
    return Spread.of(tenths, math.isqrt(squares - 1) + 1 if squares else 0)


TERMS: Final = ("par", "deal", "draws", "others", "skill", "residual")
"""The terms in their order; each has its words in the catalogues, as ``review-term-NAME``."""


class Way(NamedTuple):
    """An own decision: the values before it, after it, and why the next value is another one.

    ``after`` names the term that the way to the next own decision belongs to.
    """

    before: Spread
    skill: Spread
    after: str


@dataclass(frozen=True, slots=True)
class Balance:
    """The terms of a score in points, low for good; their means add up to it."""

    par: Spread
    deal: Spread
    draws: Spread
    others: Spread
    skill: Spread
    residual: Spread
    score: int

    def plus(self, other: Balance) -> Balance:
        """The balance of two deals together; errors of pars add up, as they may be one estimate."""
        terms = [summed((a, b)) for a, b in zip(self.terms, other.terms, strict=True)]
        terms[0] = Spread.of(terms[0].tenths, self.par.reach + other.par.reach)
        return Balance(**dict(zip(TERMS, terms, strict=True)), score=self.score + other.score)

    @property
    def terms(self) -> tuple[Spread, ...]:
        """The terms in the order of :data:`TERMS`; their tenths add up to ten times the score."""
        return (self.par, self.deal, self.draws, self.others, self.skill, self.residual)


def balance_of(par: Spread, dealt: Spread, steps: list[Way], score: int) -> Balance:
    """The terms of a score, from the value of the dealt tiles and the own decisions in order.

    >>> step = Way(Spread.of(400, 20), Spread.of(30, 10), "others")
    >>> found = balance_of(Spread.of(500, 5), Spread.of(420, 20), [step], 60)
    >>> [term.tenths for term in found.terms], found.score
    ([500, -80, 0, 150, 30, 0], 60)
    """
    parts: dict[str, list[Spread]] = {name: [] for name in TERMS}
    parts["par"].append(par)
    parts["deal"].append(_way(par, dealt))
    now, why = dealt, "others"
    for step in steps:
        parts[why].append(_way(now, step.before))
        parts["skill"].append(step.skill)
        now = Spread.of(step.before.tenths + step.skill.tenths, step.before.reach)
        why = step.after
    parts[why].append(_way(now, Spread.of(10 * score, 0)))
    return Balance(**{name: summed(parts[name]) for name in TERMS}, score=score)


def _way(old: Spread, new: Spread) -> Spread:
    return summed((Spread.of(-old.tenths, old.reach), new))


# What a seat scores on average before its tiles are known: by its place after the starter.

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
    by_place = known or measured(rules, policy, _DEALS)
    if not rules.teams:
        return by_place[place]
    return summed((by_place[place], by_place[(place + 2) % 4]))


def name_of(rules: RuleSet) -> str | None:
    """The word that pars are kept by; None for rules that are no preset's but for its seats."""
    for name, preset in PRESETS.items():
        if rules == preset.with_(players=rules.players, teams=rules.teams):
            return f"{name} {rules.players}{' teams' if rules.teams else ''}"
    return None


@cache
def measured(rules: RuleSet, policy: str, deals: int) -> tuple[Spread, ...]:
    """The average points of each place after the starter, over so many deals of a fixed seed."""
    from okey101.kernel.deals import play_bots

    scores = play_bots(rules, deals, policy, seed=_SEED).scores
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
def _kept() -> dict[str, tuple[Spread, ...]]:
    data = json.loads(_FILE.read_text(encoding="utf-8"))
    return {
        name: tuple(Spread.of(tenths, reach) for tenths, reach in places)
        for name, places in data["pars"].items()
    }
