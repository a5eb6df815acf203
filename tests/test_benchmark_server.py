"""The benchmark of the server, in a size that only shows that it works."""

from __future__ import annotations

import sys

import pytest
from benchmarks.server import KINDS, Plan, measure


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_benchmark_of_the_server_measures() -> None:
    """Even in a moment in which a server on a busy machine has done nothing yet."""
    plan = Plan(
        sizes=(1,), paced=1, pace=50.0, rounds=1, seconds=0.01, paced_rounds=1, paced_seconds=0.1
    )
    text = measure(plan)
    for name in KINDS.values():
        assert text.count(f"| {name} |") == 4
    assert "nan" not in text
