"""The shipped run tables: rebuilt, and proven to need three open runs in a colour and no more."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from okey101.solver.objectives import WEIGHTS
from okey101.solver.tables import HIGH, LOW, raw_table, run_table

SCRIPT = Path(__file__).parents[2] / "scripts" / "build_tables.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_tables", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["build_tables"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", WEIGHTS)
def test_rebuilding_gives_the_same_table(name: str, script: ModuleType) -> None:
    assert script.table(WEIGHTS[name]) == raw_table(name)


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=() if n in ("points", "left") else pytest.mark.long) for n in WEIGHTS],
)
def test_a_fourth_open_run_changes_no_cell(name: str, script: ModuleType) -> None:
    """Two tiles and two okeys of a number are four: so this is a proof, not a sample."""
    three = script.best_runs(WEIGHTS[name])
    four = script.best_runs(WEIGHTS[name], open_runs=4)
    assert all((a == b).all() for a, b in zip(three, four, strict=True))


def test_two_open_runs_would_be_too_few(script: ModuleType) -> None:
    two = script.best_runs(WEIGHTS["points"], open_runs=2)
    table = run_table("points")
    rack = [0] * 8 + [1, 1, 2, 2, 2]  # 9 10 11 11 12 12 13 13
    index = sum(copies * 3**place for place, copies in enumerate(rack))
    assert int(two[1][index]) == 101
    assert table.none[index] + table.one[index] == 102


def test_indices() -> None:
    bits = sum((n % 3) << 2 * n for n in range(13))
    expected = sum(n % 3 * 3**n for n in range(13))
    assert LOW[bits & (1 << 14) - 1] + HIGH[bits >> 14] == expected
