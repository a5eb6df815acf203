"""Deals played at random under every rule set, with every seat alike."""

import dataclasses
import random
from typing import TypeVar

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
    steps,
)
from okey101.game import PRESETS, Deal, RuleSet, apply, deal_from_seed, options_of

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


# Seats are alike ----------------------------------------------------------------------------------

T = TypeVar("T")


def turned(values: tuple[T, ...], by: int) -> tuple[T, ...]:
    """What seat s had, seat s + ``by`` has."""
    return tuple(values[(seat - by) % len(values)] for seat in range(len(values)))


def turn_table(start: Deal, by: int) -> Deal:
    """The same deal with every seat moved on."""
    dealt = start.layout
    players = start.rules.players
    other = dataclasses.replace(
        dealt,
        dealer=(dealt.dealer + by) % players,
        starter=(dealt.starter + by) % players,
        hands=turned(dealt.hands, by),
    )
    return Deal.start(start.rules, other)


def check_turned(deal: Deal, other: Deal, by: int) -> None:
    """All that belongs to a seat has moved on, and all else is the same."""
    a, b = deal.public, other.public
    players = len(a.sizes)
    assert b.turn == (a.turn + by) % players
    for name in ("sizes", "opened", "discards", "known"):
        assert getattr(b, name) == turned(getattr(a, name), by), name
    for name in ("phase", "turns", "stock_count", "table", "high_points", "high_pairs", "playable",
                 "taken", "placed", "backs", "new_opening", "must_finish"):  # fmt: skip
        assert getattr(b, name) == getattr(a, name), name
    assert b.owners == tuple((seat + by) % players for seat in a.owners)
    moved = [f._replace(seat=(f.seat + by) % players) for f in a.fines]
    assert list(b.fines) == moved
    assert other.hands == turned(deal.hands, by)
    assert other.stock == deal.stock
    if deal.result is not None:
        assert other.result is not None
        assert other.result.scores == turned(deal.result.scores, by)
        assert other.result.end is deal.result.end
        assert other.result.counts == deal.result.counts
        winner = deal.result.winner
        assert other.result.winner == (None if winner is None else (winner + by) % players)


@pytest.mark.parametrize("part", range(2))
def test_turning_the_table_turns_the_deal(part: int, size: Size) -> None:
    for number in range(size(20, long=1000)):
        rng = random.Random(f"turn {part} {number}")
        rules = rules_of(list(PRESETS)[number % 3], TABLES[number % 4])
        if number % 2:
            rules = random_rules(rng)
        seed, dealer = rng.randbytes(32), rng.randrange(rules.players)
        by = rng.randrange(1, rules.players)
        start = Deal.start(rules, deal_from_seed(rules, seed, dealer))
        other = Deal.start(rules, deal_from_seed(rules, seed, (dealer + by) % rules.players))
        assert turn_table(start, by) == other
        for deal in steps(start, rng, STYLES[number % len(STYLES)], checked=0):
            if deal.public.actions:
                other = apply(other, deal.public.actions[-1][1], other.turn)
            check_turned(deal, other, by)
            if rng.random() < 0.1:
                assert options_of(other).to_dict() == options_of(deal).to_dict()


def test_seeds_deal_every_seat_alike() -> None:
    """Over many seeds no seat is dealt more okeys, by more than chance."""
    rules = RuleSet()
    counts = [0] * 4
    for number in range(2000):
        dealt = deal_from_seed(rules, number.to_bytes(32, "big"), number % 4)
        for seat, hand in enumerate(dealt.hands):
            counts[seat] += hand >> 106
    mean = sum(counts) / 4
    assert max(abs(c - mean) for c in counts) < 5 * mean**0.5
