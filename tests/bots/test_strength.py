"""The bots in order of strength, on a small fixed sample; the benchmarks measure it for good."""

from __future__ import annotations

import pytest

from conftest import Size
from okey101.game import PRESETS
from okey101.sim.arena import duplicate


@pytest.mark.parametrize("preset", PRESETS)
def test_greedy_beats_random(preset: str) -> None:
    found = duplicate(PRESETS[preset], "random", "greedy", deals=4, seed=4)
    assert found.estimate.mean > 30


@pytest.mark.parametrize("preset", ["wiki", pytest.param("altinstar", marks=pytest.mark.long)])
def test_steady_beats_greedy(preset: str, size: Size) -> None:
    found = duplicate(PRESETS[preset], "steady", "greedy", deals=size(10, long=400), seed=101)
    assert found.estimate.mean < 0
    assert found.unchanged < 0.8
