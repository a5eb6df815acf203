"""Means with their uncertainty, where observations come in clusters such as the seats of a deal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple


class Estimate(NamedTuple):
    """A mean with its standard error and 95 % interval; ``clusters`` independent units."""

    mean: float
    error: float
    low: float
    high: float
    clusters: int

    def __str__(self) -> str:
        return f"{self.mean:+.2f} [{self.low:+.2f}, {self.high:+.2f}]"


def cluster_mean(clusters: Sequence[Sequence[float]]) -> Estimate:
    """The mean of cluster means, and Student's 95 % interval over the clusters.

    Clusters of any size weigh the same. ValueError for fewer than two clusters or an empty one.

    >>> str(cluster_mean([[1.0, 3.0], [2.0, 4.0], [0.0, 2.0]]))
    '+2.00 [-0.48, +4.48]'
    """
    means = [sum(cluster) / len(cluster) for cluster in clusters if cluster]
    if len(means) < 2 or len(means) < len(clusters):
        raise ValueError("an interval needs two clusters, none of them empty")
    mean = sum(means) / len(means)
    variance = sum((m - mean) ** 2 for m in means) / (len(means) - 1)
    error = math.sqrt(variance / len(means))
    reach = t_quantile(len(means) - 1) * error
    return Estimate(mean, error, mean - reach, mean + reach, len(means))


def t_quantile(freedom: int) -> float:
    """The 97.5 % quantile of Student's distribution, good to 0.001 from 2 degrees of freedom on.

    >>> [round(t_quantile(n), 2) for n in (1, 2, 10, 100, 10_000)]
    [12.71, 4.3, 2.23, 1.98, 1.96]
    """
    if freedom < 1:
        raise ValueError("Student's distribution needs a degree of freedom")
    exact = {1: 12.7062, 2: 4.3027, 3: 3.1824, 4: 2.7764}
    if freedom in exact:
        return exact[freedom]
    # The expansion of Cornish and Fisher around the normal quantile.
    z, n = 1.959964, float(freedom)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    fourth = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    return z + first / n + second / n**2 + third / n**3 + fourth / n**4


# A sequential test: as few deals as it takes to tell a better bot from one that is no better.
#
# The generalised sequential probability ratio test of two means, as chess engines are tested: H0
# says that the challenger gains nothing, H1 that it gains a point a deal. Gates alone are decided
# so: an estimate from a test that stopped early is biased, so released numbers have a fixed number
# of deals.

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


def ratio(count: int, total: float, squares: float) -> float:
    """The logarithm of how much likelier H1 is than H0, from sums over the deals' gains.

    >>> round(ratio(400, 200.0, 160_000.0), 3)
    0.0
    """
    mean = total / count
    variance = max((squares - count * mean * mean) / (count - 1), 1e-9)
    return count * (2 * mean - 1) / (2 * variance)


def gate(differences: Sequence[float]) -> Gate:
    """The verdict on differences by deal, in the deals' order; below zero is a gain.

    It falls at the first look that tells, so deals beyond it change nothing.
    """
    total = squares = last = 0.0
    for count, difference in enumerate(differences, 1):
        total -= difference
        squares += difference * difference
        if count < FIRST_LOOK or count % LOOK_EVERY:
            continue
        last = ratio(count, total, squares)
        if abs(last) >= BOUND:
            verdict = GateVerdict.BETTER if last > 0 else GateVerdict.NO_BETTER
            return Gate(verdict, count, last)
    return Gate(GateVerdict.UNDECIDED, len(differences), last)
