"""A sequential test: as few deals as it takes to tell a better bot from one that is no better.

The generalised sequential probability ratio test of two means, as chess engines are tested: H0 says
that the challenger gains nothing, H1 that it gains a point a deal. Gates alone are decided so: an
estimate from a test that stopped early is biased, so released numbers have a fixed number of deals.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

__all__ = ["FIRST_LOOK", "LOOK_EVERY", "Gate", "GateVerdict", "gate", "ratio"]

ERROR_RATE: Final = 0.05
"""How often it may take a bot for better that is not, and the other way round."""
BOUND: Final = math.log((1 - ERROR_RATE) / ERROR_RATE)
FIRST_LOOK: Final = 100
"""Before so many deals the variance is not known well enough."""
LOOK_EVERY: Final = 25
"""It looks after every so many deals, whatever chunks they came in."""


class GateVerdict(StrEnum):
    """What a gate says."""

    BETTER = "better"
    NO_BETTER = "no-better"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Gate:
    """A verdict, after how many deals it fell, and the logarithm of the ratio of likelihoods."""

    verdict: GateVerdict
    deals: int
    ratio: float


def ratio(count: int, total: float, squares: float, *, gain: float = 1.0) -> float:
    """The logarithm of how much likelier H1 is than H0, from sums over the deals' gains.

    >>> round(ratio(400, 200.0, 160_000.0), 3)
    0.0
    """
    mean = total / count
    variance = max((squares - count * mean * mean) / (count - 1), 1e-9)
    return count * gain * (2 * mean - gain) / (2 * variance)


def gate(differences: Sequence[float]) -> Gate:
    """The verdict on differences by deal, in the deals' order; below zero is a gain.

    It falls at the first look that tells, so deals beyond it change nothing.
    """
    last = 0.0
    for count, total, squares in _sums(differences):
        last = ratio(count, total, squares)
        if abs(last) >= BOUND:
            verdict = GateVerdict.BETTER if last > 0 else GateVerdict.NO_BETTER
            return Gate(verdict, count, last)
    return Gate(GateVerdict.UNDECIDED, len(differences), last)


def _sums(differences: Sequence[float]) -> Iterator[tuple[int, float, float]]:
    total = squares = 0.0
    for count, difference in enumerate(differences, 1):
        total -= difference
        squares += difference * difference
        if count >= FIRST_LOOK and count % LOOK_EVERY == 0:
            yield count, total, squares
