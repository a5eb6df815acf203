"""Means with their uncertainty, where observations come in clusters such as the seats of a deal."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Estimate", "bootstrap", "cluster_mean", "t_quantile"]


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

    All clusters weigh the same, whatever their size. ValueError for fewer than two clusters or an
    empty one.

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


def bootstrap(
    clusters: Sequence[Sequence[float]], *, rounds: int = 2_000, seed: int = 0
) -> tuple[float, float]:
    """The percentile 95 % interval of the mean, whole clusters drawn with replacement."""
    means = [sum(cluster) / len(cluster) for cluster in clusters]
    rng = random.Random(seed)
    n = len(means)
    drawn = sorted(sum(rng.choices(means, k=n)) / n for _ in range(rounds))
    return drawn[int(0.025 * rounds)], drawn[math.ceil(0.975 * rounds) - 1]


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
