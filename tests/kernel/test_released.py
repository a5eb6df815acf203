"""The released strength of ``master``: kernel, arena and page say the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import Size
from neural_strength import mark_of_nets
from okey101.bots import BOTS, SEARCHERS
from okey101.game import PRESETS
from okey101.sim.arena import duplicate
from okey101.sim.arena.plan import RELEASE_DEALS
from strength_search import arenas_of, plain, released

ROOT = Path(__file__).resolve().parents[2]
KEPT = json.loads((ROOT / "benchmarks" / "master.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("preset", PRESETS)
def test_the_arena_plays_the_released_deals_alike(preset: str, size: Size) -> None:
    kept = KEPT["master/1"]  # version 2 is another one in teams alone
    rows = kept["rules"][preset]["gains"]
    assert len(rows) == RELEASE_DEALS
    deals = size(2, long=100)
    found = duplicate(PRESETS[preset], "master", "greedy", deals=deals, seed=kept["seed"])
    played = zip(found.anchors, found.candidates, strict=True)
    assert rows[:deals] == [sum(own) - sum(anchor) for anchor, own in played]


@pytest.mark.parametrize("preset", PRESETS)
def test_the_arena_plays_the_released_deals_of_neural_alike(preset: str, size: Size) -> None:
    file = ROOT / "benchmarks" / "neural.json"
    kept = json.loads(file.read_text(encoding="utf-8"))[BOTS["neural"].mark]["rules"][preset]
    assert kept["networks"] == mark_of_nets(preset)
    for name in ("neural", "master"):
        rows = kept[name]
        assert len(rows) == RELEASE_DEALS
        deals = size(1, long=50)
        found = duplicate(PRESETS[preset], name, "greedy", deals=deals, seed=kept["seed"])
        played = zip(found.anchors, found.candidates, strict=True)
        assert rows[:deals] == [sum(own) - sum(anchor) for anchor, own in played]


@pytest.mark.long
@pytest.mark.parametrize("bot", SEARCHERS)
@pytest.mark.parametrize("preset", PRESETS)
def test_the_arena_plays_the_deals_of_those_that_search_alike(preset: str, bot: str) -> None:
    """One deal of each release, of this version or of one that says it chooses alike there."""
    kept = [a for a in arenas_of(bot) if released(a) and plain(a) and a["rules"] == preset][-1]
    found = duplicate(PRESETS[preset], bot, "greedy", deals=1, seed=kept["seed"])
    assert [*found.candidates[0]] == kept["search"][0]
    assert [*found.anchors[0]] == kept["greedy"][0]
