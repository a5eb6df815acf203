"""Tables that the kernel plays are the readable ones: scores, counts and all."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from bots.tables import TABLES
from conftest import Size
from kernel.kernel_states import any_rules
from okey101.game import PRESETS, RuleSet
from okey101.sim.arena import Chunk, Job, play_chunk
from okey101.sim.arena.chunks import CLOCKS


def told(chunk: Chunk) -> tuple[object, ...]:
    """All that a chunk says but for times, which depend on the machine."""
    counts = [{k: n for k, n in t.items() if k not in CLOCKS and n} for t in chunk.tallies]
    return chunk.first, chunk.deals, chunk.scores, counts


def same(job: Job, numbers: range) -> Counter[str]:
    """Play deals in both ways and compare; the counts over all lines."""
    readable, compiled = (play_chunk(replace(job, compiled=c), numbers) for c in (False, True))
    assert told(readable) == told(compiled)
    return sum(compiled.tallies, Counter())


@pytest.mark.parametrize("preset", PRESETS)
def test_leagues_are_alike(preset: str, size: Size) -> None:
    job = Job(PRESETS[preset], ("random", "greedy", "steady"), seed=8, league=True)
    counts = same(job, range(size(1, long=40)))
    assert counts["choices"]


@pytest.mark.parametrize("preset", PRESETS)
def test_the_oracle_chooses_alike(preset: str, size: Size) -> None:
    rules = PRESETS[preset] if size(0, long=1) else PRESETS[preset].with_(players=2)
    job = Job(rules, ("random", "greedy"), seed=9, oracle=True)
    same(job, range(size(1, long=6)))


def test_all_orders_and_teams_are_alike(size: Size) -> None:
    teams = RuleSet(teams=True)
    same(Job(teams, ("master", "steady"), seed=4), range(size(1, long=20)))
    same(Job(RuleSet(players=3), ("random", "master", "steady"), seed=4), range(size(1, long=20)))


def test_other_rules_are_alike(size: Size) -> None:
    rng = random.Random("compiled tables")
    rules = [*TABLES.values()][:: size(6, long=1)]
    rules += [any_rules(rng) for _ in range(size(2, long=100))]
    for number, one in enumerate(rules):
        same(Job(one, ("random", "steady"), seed=number), range(1))


def test_a_bot_without_a_twin_plays_as_ever() -> None:
    same(Job(RuleSet(players=2), ("novice", "greedy"), seed=3), range(2))
