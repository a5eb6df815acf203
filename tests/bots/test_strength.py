"""The bots in order of strength on a small sample, and the frozen ones as they were."""

from __future__ import annotations

import json

import pytest

from bots.frozen import DEALS, FILE, FROZEN, digest, played
from conftest import Size
from okey101.bots import BOTS
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


# The frozen bots: tables of strength stand on them ------------------------------------------------


KEPT: dict[str, dict[str, list[str]]] = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", FROZEN)
def test_a_frozen_bot_plays_as_ever(name: str, preset: str, size: Size) -> None:
    """Where this fails the bot has changed: it gets a new version, and all tables anew."""
    bot = FROZEN[name]
    assert BOTS[bot].mark.replace("/", "-") == name
    hashes = " ".join(KEPT[name][preset]).split()
    assert len(hashes) == DEALS
    for number in range(0, DEALS, DEALS // size(4, long=DEALS)):
        assert digest(played(bot, PRESETS[preset], number)) == hashes[number]
