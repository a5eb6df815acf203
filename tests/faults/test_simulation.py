"""Simulated days of a server: nothing lost, nothing lost in silence, and no false alarm."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import Size
from faults.simulated_days import PLANTED

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="SQLite's VFS for Unix, and /dev/shm"
)


def days(*options: str, of: str = "simulated_days") -> subprocess.CompletedProcess[str]:
    """Some days in a process of their own, which the order of sets is a part of."""
    command = [sys.executable, "-m", f"faults.{of}", *options]
    ordered = os.environ | {"PYTHONHASHSEED": "0"}
    return subprocess.run(
        command,
        cwd=Path(__file__).parents[1],
        env=ordered,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_server_lives_through_bad_days(size: Size) -> None:
    done = days("--many", str(size(100, long=2_000)), *["--short"] * size(1, long=0))
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"


def test_no_damage_loses_anything_in_silence(size: Size) -> None:
    done = days("--many", str(size(8, long=1_000)), of="damage")
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"


@pytest.mark.parametrize(
    "plant",
    [
        pytest.param(name, marks=() if name == "sync-left-out" else pytest.mark.long)
        for name in PLANTED
    ],
)
def test_a_planted_fault_is_found(plant: str, size: Size) -> None:
    done = days("--plant", plant, "--many", "1000", *["--short"] * size(1, long=0))
    assert done.returncode == 1, f"{done.stdout}{done.stderr}"


@pytest.mark.long
def test_a_seed_tells_the_same_day_every_time() -> None:
    # A killed process leaves a journal, the next one goes on with it, and the power goes.
    first, again = days("--one", "16355"), days("--one", "16355")
    assert first.returncode == 0, f"{first.stdout}{first.stderr}"
    assert first.stdout == again.stdout
