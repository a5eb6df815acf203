"""A server that is killed over and over loses nothing, and one that would is found out."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from faults.kills import LOSSES_EVERY
from faults.storm import ride

HASTY = Path(__file__).with_name("hasty.py")


def test_kills_lose_nothing() -> None:
    tally = ride(tables=3, kills=4, life=0.4, deals=1, losses_every=2)
    assert tally.problems == []
    assert tally.kills["play"] >= 3
    assert tally.kills["early"] or tally.kills["drain"]
    assert tally.kills["start"]
    assert tally.matches >= 3
    assert tally.notes.counts["resumed"]
    assert tally.notes.counts["fresh views compared"]
    assert tally.compared
    assert tally.losses["deleted"]
    assert tally.losses["zeroed"]
    assert tally.refusals


@pytest.mark.long
def test_two_hundred_kills_with_fifty_tables_lose_nothing() -> None:
    tally = ride(tables=50, kills=200, pauses=10, losses_every=LOSSES_EVERY)
    assert tally.problems == []
    assert sum(tally.losses.values()) >= 40
    assert tally.matches >= 50


@pytest.mark.parametrize(
    ("fault", "kills", "shown"),
    [
        ("acknowledge", 30, ("lost",)),
        ("forget", 30, ("and then refused", "is in rows", "and is in the log")),
    ],
    ids=["acknowledge", "forget"],
)
def test_a_server_with_a_fault_is_found_out(fault: str, kills: int, shown: tuple[str, ...]) -> None:
    # It ends at the first kill that shows it; how many that takes depends on the machine.
    program = [sys.executable, str(HASTY), fault]
    tally = ride(tables=4, kills=kills, life=0.5, deals=1, whole=False, program=program)
    assert any(words in problem for problem in tally.problems for words in shown), tally.problems
