"""The shapes of a review, as :meth:`okey101.review.matches.MatchReview.to_dict` writes it.

Points are those of the score sheet, low for good, with a 95 % interval.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from okey101.review.wording import ReasonCode, Verb

__all__ = ["KeptReview"]

_Mark = Literal["", "small", "large"]


class ReviewFigure(Struct):
    """A mean with its interval."""

    mean: float
    low: float
    high: float


class ReviewChoice(Struct):
    """A choice in the notation and for people; ``points`` are pairs where it opens with pairs."""

    action: str
    verb: Verb
    tile: str
    tiles: str
    points: int


class ReviewPriced(ReviewChoice):
    """A choice that was weighed, and how much more it costs than the best found."""

    loss: ReviewFigure


class ReviewWhy(Struct):
    """Why another choice is better: a code, and the facts of its sentence."""

    code: ReasonCode
    tile: str
    other: str
    points: int
    need: int


class ReviewLater(Struct):
    """What the true hands tell; nobody at the table could know it."""

    taken: bool
    other: str
    fed: ReviewFigure
    loss: ReviewFigure


class ReviewDecision(Struct):
    """An own decision; ``action`` is its place among the deal's actions, from 0."""

    action: int
    played: ReviewChoice
    best: ReviewChoice
    value: ReviewFigure
    skill: ReviewFigure
    loss: ReviewFigure
    mark: _Mark
    why: ReviewWhy | None
    weighed: list[ReviewPriced]
    hindsight: ReviewLater | None
    actor: str | None


class ReviewBalance(Struct):
    """Where a score comes from; the means add up to it."""

    par: ReviewFigure
    deal: ReviewFigure
    draws: ReviewFigure
    others: ReviewFigure
    skill: ReviewFigure
    residual: ReviewFigure
    score: int


class ReviewMoment(Struct):
    """What the seat was to expect after so many actions."""

    actions: int
    points: float


class ReviewedDeal(Struct):
    """One seat in one deal, and what it was to expect at each moment."""

    number: int
    seat: int
    balance: ReviewBalance
    lost: ReviewFigure
    small: int
    large: int
    curve: list[ReviewMoment]
    decisions: list[ReviewDecision]


class ReviewedSeat(Struct):
    """One seat over the whole match."""

    seat: int
    deals: int
    balance: ReviewBalance
    lost: ReviewFigure
    small: int
    large: int


class KeptReview(Struct):
    """The review of a match, as it is kept."""

    format: Literal["okey101-review/1"]
    rules_version: int
    policy: str
    worlds: int
    seed: int
    teams: bool
    players: list[str] | None
    summary: list[ReviewedSeat]
    deals: list[ReviewedDeal]
