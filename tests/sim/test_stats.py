"""Means over clusters and their intervals."""

from __future__ import annotations

import math
import random

import pytest

from okey101.sim.stats import bootstrap, cluster_mean, t_quantile


def test_mean_and_error_of_clusters_by_hand() -> None:
    found = cluster_mean([[1, 3], [5], [0, 0, 3]])
    assert found.mean == pytest.approx(8 / 3)
    assert found.error == pytest.approx(math.sqrt((4 / 9 + 49 / 9 + 25 / 9) / 2 / 3))
    assert found.low < found.mean < found.high
    assert found.clusters == 3


def test_copies_inside_a_cluster_make_nothing_surer() -> None:
    once = cluster_mean([[1], [4], [6], [2]])
    assert cluster_mean([[1] * 9, [4] * 9, [6] * 9, [2] * 9]) == once


def test_too_few_clusters_are_refused() -> None:
    for clusters in ([], [[1.0]], [[1.0], []]):
        with pytest.raises(ValueError, match="two clusters"):
            cluster_mean(clusters)


def test_the_interval_holds_the_true_mean_nineteen_times_in_twenty() -> None:
    rng = random.Random(7)
    held = 0
    for _ in range(400):
        shifts = [rng.gauss(2, 3) for _ in range(12)]
        found = cluster_mean([[rng.gauss(shift, 1) for _ in range(4)] for shift in shifts])
        held += found.low <= 2 <= found.high
    assert 365 <= held <= 395


def test_the_bootstrap_agrees_with_student() -> None:
    rng = random.Random(3)
    clusters = [[rng.gauss(shift, 5) for _ in range(4)] for shift in [rng.gauss(0, 9)] * 300]
    found = cluster_mean(clusters)
    low, high = bootstrap(clusters)
    assert low == pytest.approx(found.low, abs=found.error / 4)
    assert high == pytest.approx(found.high, abs=found.error / 4)
    assert bootstrap(clusters) == (low, high)


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(1, 12.706), (5, 2.571), (19, 2.093), (199, 1.972)]
)
def test_quantiles_of_student(freedom: int, quantile: float) -> None:
    assert t_quantile(freedom) == pytest.approx(quantile, abs=2e-3)
    with pytest.raises(ValueError, match="degree"):
        t_quantile(0)
