"""The released strength of ``master``: kernel, arena and page say the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import Size
from neural_strength import mark_of_nets
from okey101.bots import BOTS, SEARCHERS
from okey101.game import PRESETS
from okey101.sim.arena import Job, play_chunk
from okey101.sim.arena.plan import RELEASE_DEALS
from strength_search import arenas_of, plain, released

ROOT = Path(__file__).resolve().parents[2]
KEPT = json.loads((ROOT / "benchmarks" / "master.json").read_text(encoding="utf-8"))


def played(preset: str, bot: str, seed: int, deals: int) -> list[tuple[list[int], list[int]]]:
    """The scores of four ``greedy``, and of a bot in each seat, deal by deal."""
    job = Job(PRESETS[preset], (bot, "greedy"), seed)
    scores, width = [*play_chunk(job, range(deals)).scores], job.plan.width
    starts = range(0, len(scores), 2 * width)
    return [(scores[at : at + width], scores[at + width : at + 2 * width]) for at in starts]


@pytest.mark.parametrize("preset", PRESETS)
def test_the_arena_plays_the_released_deals_alike(preset: str, size: Size) -> None:
    kept = KEPT["master/1"]  # version 2 is another one in teams alone
    rows = kept["rules"][preset]["gains"]
    assert len(rows) == RELEASE_DEALS
    deals = size(2, long=100)
    assert rows[:deals] == [
        sum(own) - sum(anchor) for anchor, own in played(preset, "master", kept["seed"], deals)
    ]


@pytest.mark.parametrize("preset", PRESETS)
def test_the_arena_plays_the_released_deals_of_neural_alike(preset: str, size: Size) -> None:
    file = ROOT / "benchmarks" / "neural.json"
    kept = json.loads(file.read_text(encoding="utf-8"))[BOTS["neural"].mark]["rules"][preset]
    assert kept["networks"] == mark_of_nets(preset)
    for name in ("neural", "master"):
        rows = kept[name]
        assert len(rows) == RELEASE_DEALS
        deals = size(1, long=50)
        seed = kept["seed"]
        assert rows[:deals] == [
            sum(own) - sum(anchor) for anchor, own in played(preset, name, seed, deals)
        ]


@pytest.mark.long
@pytest.mark.parametrize("bot", SEARCHERS)
@pytest.mark.parametrize("preset", PRESETS)
def test_the_arena_plays_the_deals_of_those_that_search_alike(preset: str, bot: str) -> None:
    """One deal of each release, of this version or of one that says it chooses alike there."""
    kept = [a for a in arenas_of(bot) if released(a) and plain(a) and a["rules"] == preset][-1]
    [(anchors, own)] = played(preset, bot, kept["seed"], 1)
    assert own == kept["search"][0]
    assert anchors == kept["greedy"][0]
