"""Deals played at random under every preset, at every table, and under mixed rule sets."""

from __future__ import annotations

import random

import pytest

from conftest import Size
from game.random_play import (
    STYLES,
    TABLES,
    Tally,
    play_deal,
    play_many,
    random_rules,
    riziko_seed,
    rules_of,
)
from okey101.game import PRESETS

CHUNKS = 20


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every preset and table; the long form plays all 10,000 deals of each, in chunks."""
    if "chunk" in metafunc.fixturenames:
        parts = CHUNKS if metafunc.config.getoption("--long") else 1
        cases = [(p, t, n) for n in range(parts) for p in PRESETS for t in TABLES]
        metafunc.parametrize("preset,table,chunk", cases)


def test_presets(preset: str, table: str, chunk: int, size: Size) -> None:
    each = 10_000 // CHUNKS
    count = size(9, long=each)
    tally = play_many(preset, table, chunk * each, count, size(25, long=5) / 100)
    assert sum(tally.ends.values()) == count
    if count >= each:
        assert tally.ends["finish"]
        assert len(tally.openings) == 3
        assert tally.fines["P4"] or PRESETS[preset].empty_stock == "void_but_okeys"


@pytest.mark.parametrize("part", range(4))
def test_mixed_rule_sets(part: int, size: Size) -> None:
    tally = Tally()
    for number in range(size(25, long=1500)):
        rng = random.Random(f"mixed {part} {number}")
        rules = random_rules(rng)
        style = STYLES[number % len(STYLES)]
        play_deal(rules, rng.randbytes(32), rng, style=style, tally=tally, checked=0.25)
    assert tally.ends["finish"]


def test_riziko_deals(size: Size) -> None:
    tally = Tally()
    for number in range(size(30, long=3000)):
        rng = random.Random(f"riziko {number}")
        rules = rules_of("wiki", TABLES[number % len(TABLES)])
        if number % 2:
            rules = random_rules(rng).with_(false_joker_indicator="riziko")
        seed = riziko_seed(rules, rng)
        style = STYLES[number % len(STYLES)]
        deal = play_deal(rules, seed, rng, style=style, tally=tally, checked=0.25)
        assert deal.public.setup.okey is None
    assert tally.ends["finish"]
