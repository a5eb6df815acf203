"""Simulated days of a server: nothing lost, nothing lost in silence, and no false alarm."""

import sys
from pathlib import Path
from typing import Any

import pytest

from conftest import Size, only_long, ran_python
from faults.simulated_days import PLANTED

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="SQLite's VFS for Unix, and /dev/shm"
)


def days(*options: object, of: str = "simulated_days", ends: int = 0) -> str:
    """What some days say in a process of their own, which the order of sets is a part of."""
    here: dict[str, Any] = {"cwd": Path(__file__).parents[1], "env": {"PYTHONHASHSEED": "0"}}
    return ran_python("-m", f"faults.{of}", *options, ends=ends, **here).stdout


def test_a_server_lives_through_bad_days(size: Size) -> None:
    days("--many", size(40, long=2_000), *["--short"] * size(1, long=0))


def test_no_damage_loses_anything_in_silence(size: Size) -> None:
    days("--many", size(6, long=1_000), "--bases", size(1, long=4), of="damage")


@pytest.mark.parametrize("plant", [next(iter(PLANTED)), *only_long(*[*PLANTED][1:])])
def test_a_planted_fault_is_found(plant: str, size: Size) -> None:
    where = ("--first", 120, "--short")[: size(3, long=0)]  # it is found soon after
    assert days("--plant", plant, "--many", 1000, *where, ends=1).endswith(", 1 wrong\n")


@pytest.mark.long
def test_a_seed_tells_the_same_day_every_time() -> None:
    # A killed process leaves a journal, the next one goes on with it, and the power goes.
    assert days("--one", 16355) == days("--one", 16355)
