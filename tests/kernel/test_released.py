"""The released strength of ``master``: kernel, arena and page say the same."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import Size
from neural_strength import mark_of_nets
from okey101.bots import BOTS, SEARCHERS
from okey101.game import PRESETS
from okey101.sim.arena import duplicate
from okey101.sim.arena.seeds import RELEASE_DEALS

ROOT = Path(__file__).resolve().parents[2]
KEPT = json.loads((ROOT / "benchmarks" / "master.json").read_text(encoding="utf-8"))


def test_the_page_of_strength_is_what_the_results_say() -> None:
    script = ROOT / "scripts" / "make_strength.py"
    assert subprocess.run([sys.executable, script, "--check"], check=False).returncode == 0


@pytest.mark.parametrize("preset", PRESETS)
def test_the_arena_plays_the_released_deals_alike(preset: str, size: Size) -> None:
    kept = KEPT[BOTS["master"].mark]
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
@pytest.mark.parametrize("preset", PRESETS)
def test_the_arena_plays_the_deals_of_search_alike(preset: str) -> None:
    file = ROOT / "benchmarks" / "search_strength.json"
    kept = json.loads(file.read_text(encoding="utf-8"))[f"{preset} seed 2000000 worlds 600"]
    assert kept["version"] == SEARCHERS["search"].version
    found = duplicate(PRESETS[preset], "search", "greedy", deals=1, seed=kept["seed"])
    assert [*found.candidates[0]] == kept["search"][0]
    assert [*found.anchors[0]] == kept["greedy"][0]
