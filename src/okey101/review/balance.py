"""Where a score comes from: par, luck and skill, which add up to it exactly.

The value of a position is what its seat scores on average from there on, by what it sees, with the
policy playing for everybody. The score of a deal is a way from value to value: each step belongs to
one term, so that nothing is left over and nothing is counted twice.

* the par: the value before the tiles are dealt
* luck of the deal: from there to the value of the own tiles
* luck of the draws: what each tile drawn from the stock changed
* what others did: from the end of an own turn to the next own turn, or to the end
* own skill: what each own choice changed against the policy's choice in the same worlds
* the residual: steps in which nothing came to light, where the two values differ only because
  each is measured in a number of worlds
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from okey101.review.spread import NOTHING, Spread, summed

__all__ = ["TERMS", "Balance", "Way", "balance_of"]

TERMS: Final = ("par", "deal", "draws", "others", "skill", "residual")
"""The terms in their order; each has its words in the catalogues, as ``review-term-NAME``."""


class Way(NamedTuple):
    """An own decision: the values before it, after it, and why the next value is another one.

    ``after`` names the term that the way to the next own decision belongs to.
    """

    before: Spread
    skill: Spread
    after: str


class Balance(NamedTuple):
    """The terms of a score: points (low is good), each with its interval."""

    par: Spread
    deal: Spread
    draws: Spread
    others: Spread
    skill: Spread
    residual: Spread
    score: int

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON."""
        terms = zip(TERMS, self.terms, strict=True)
        return {**{name: term.to_dict() for name, term in terms}, "score": self.score}

    def plus(self, other: Balance) -> Balance:
        """The balance of two deals together; of pars, which may be one estimate, errors add up."""
        terms = [summed((a, b)) for a, b in zip(self.terms, other.terms, strict=True)]
        terms[0] = Spread(terms[0].tenths, self.par.reach + other.par.reach)
        return _balance(terms, self.score + other.score)

    @property
    def terms(self) -> tuple[Spread, ...]:
        """The terms in the order of :data:`TERMS`; their tenths add up to ten times the score."""
        return (self.par, self.deal, self.draws, self.others, self.skill, self.residual)


def balance_of(par: Spread, dealt: Spread, steps: list[Way], score: int) -> Balance:
    """The terms of a score, from the value of the dealt tiles and the own decisions in order.

    >>> step = Way(Spread(400, 20), Spread(30, 10), "others")
    >>> found = balance_of(Spread(500, 5), Spread(420, 20), [step], 60)
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
        now = Spread(step.before.tenths + step.skill.tenths, step.before.reach)
        why = step.after
    parts[why].append(_way(now, Spread(10 * score, 0)))
    return _balance([summed(parts[name] or [NOTHING]) for name in TERMS], score)


def _balance(terms: Sequence[Spread], score: int) -> Balance:
    par, deal, draws, others, skill, residual = terms
    return Balance(par, deal, draws, others, skill, residual, score)


def _way(old: Spread, new: Spread) -> Spread:
    return summed((Spread(-old.tenths, old.reach), new))
