"""A deal in the middle of its course, written as a row of the kernel, is that deal."""

from __future__ import annotations

import random

import numpy as np
import pytest

from conftest import Size
from kernel.kernel_states import any_rules, state_of_deal, state_of_row
from okey101.bots.greedy import GreedyBot
from okey101.game import PRESETS, Deal, Options, RuleSet, View, apply, options_of, view_of
from okey101.game.actions import Indicator, Take
from okey101.kernel.greedy import play_one
from okey101.kernel.layout import SCORES, SIZE
from okey101.kernel.legal import MOST_ACTIONS
from okey101.kernel.playouts import Playouts, Policy
from okey101.kernel.positions import row_of_deal
from okey101.kernel.rules import rules_vector
from okey101.kernel.tables import tables


def states(rules: RuleSet, rng: random.Random) -> list[Deal]:
    """The states of a deal played at random, with tiles taken back now and then."""
    deal = Deal.start(rules, seed=rng.randbytes(32), dealer=rng.randrange(rules.players))
    found = [deal]
    while not deal.over and len(found) < 400:
        deal = apply(deal, rng.choice(options_of(deal).actions()))
        found.append(deal)
    return found


@pytest.mark.parametrize("part", range(2))
def test_a_row_says_what_the_deal_says(part: int, size: Size) -> None:
    rng = random.Random(f"positions {part}")
    for _ in range(size(6, long=400)):
        found = states(any_rules(rng), rng)
        for deal in rng.sample(found, min(12, len(found))):
            if deal.over:
                with pytest.raises(ValueError, match="over"):
                    row_of_deal(deal)
                continue
            row = row_of_deal(deal)
            assert row.shape == (SIZE,)
            assert state_of_row(row) == state_of_deal(deal)


@pytest.mark.parametrize("preset", PRESETS)
def test_greedy_goes_on_from_there_as_in_the_game(preset: str, size: Size) -> None:
    """Playouts from the middle of a deal end with the scores that the readable bot reaches."""
    rng = random.Random(f"onwards {preset}")
    rules = RuleSet.preset(preset)
    words, actions = np.zeros(64, dtype=np.int64), np.zeros(MOST_ACTIONS, dtype=np.int64)
    greedy = GreedyBot()
    for _ in range(size(2, long=300)):
        found = states(rules, rng)
        deal = rng.choice(found[len(found) // 2 : -1])
        row = row_of_deal(deal)
        play_one(tables(), rules_vector(rules), row, words, actions, np.zeros(0, dtype=np.int64))
        while not deal.over:
            view = view_of(deal, deal.turn)
            deal = apply(deal, greedy.choose(view, Options(view)))
        assert deal.result is not None
        assert tuple(row[SCORES : SCORES + rules.players]) == deal.result.scores


LONG_SEARCH = """
discard Y2 | draw | discard Y4 | draw | discard Y3 | draw | discard Y9 | take
meld R1 R2 R3 / R7 R8 R9 / Y6 Y7 Y8 Y9 / B1 B2 B3 / Y9 B9 K9 / Y10 B10 K10
discard K12 | draw | discard K2 | draw | discard B7 | draw | discard B1 | draw | discard R11 | take
meld R9 R10 R11 / B8 B9 B10 B11 / K9 *K10 K11 / R5 Y5 K5
discard Y12 | draw | discard B12 | draw | discard Y1 | draw | discard Y2 | take
meld Y1 Y2 Y3 Y4
discard Y7 | draw | discard K11 | take
meld B4 B5 B6 / K1 K2 K3 / K3 K4 K5 / R8 Y8 K8 / R11 B11 K11 / R12 B12 K12
lay Y5 > 3 | lay B4 > 4 | discard K13 | draw | lay R12 > 7
discard R7 | draw | lay B3 > 12 | lay B2 > 12 | lay K6 > 14 | discard R2
"""


def after(rules: str, seed: bytes, dealer: int, actions: str) -> View:
    """What the seat to act sees after some actions of a deal."""
    deal = Deal.start(rules, seed=seed, dealer=dealer)
    for action in actions.replace("\n", " | ").strip(" |").split(" | "):
        deal = apply(deal, action)
    return view_of(deal, deal.turn)


def test_a_playout_does_not_look_for_minutes_for_what_to_lay_down() -> None:
    """The hand with the tile that lies there, beside 17 melds, has a million states to look at."""
    seed = bytes.fromhex("fed2216f56bbe4cec5c7b40c43370b082be3d730ad9070e30c6e87e0622a890f")
    view = after("altinstar", seed, 0, LONG_SEARCH)
    points = Playouts(view, "greedy").outcomes([Take()], 1, 0, 2)
    assert points.tolist() == [[[13, 12, 107, -101], [5, 13, 107, -101]]]


LAST_INDICATOR = """
meld Y1 Y2 Y3 / B11 B12 B13 / R12 Y12 K12 / R13 Y13 K13 | discard R13 | draw | discard Y11
draw | discard K1 | draw | discard K4 | draw | discard K12 | draw | discard K11 | draw
discard R4 | draw | discard R3 | take | meld R3 R4 R5 | discard K10 | draw
meld R8 R8 / R10 R10 / B7 B7 / K2 K2 / Y12 *Y12 | lay Y4 > 1 | lay Y5 > 1 | lay Y6 > 1
lay B10 > 2 | discard Y8 | draw | discard Y10 | draw
meld R1 R2 R3 / Y9 Y10 Y11 / B3 B4 B5 / B8 B9 B10 / K8 F K10 | lay B13 > 4 | lay R6 > 5
lay R7 > 5 | discard K13 | draw | lay Y7 > 1 | lay B6 > 13 | discard B8 | draw | lay B2 > 13
lay B1 > 13 | lay B11 > 14 | lay K7 > 15 | discard K5 | draw | discard Y13 | draw | lay B12 > 14
discard R12 | draw | discard R7 | draw | discard B4 | draw | discard B1 | draw | discard R11
draw | discard Y9 | draw | discard Y1
"""
"""The next player may draw the indicator, for with it the whole hand goes down."""


@pytest.mark.parametrize(("policy", "rounds"), [("greedy", 0), ("own", 2)])
def test_E4_who_drew_the_indicator_finishes_in_playouts_as_well(
    policy: Policy, rounds: int
) -> None:
    """However long it takes to see how: who gave up drew it and put it back, over and over."""
    seed = bytes.fromhex("8f7d1593b3335f2d288f31e2409d51d42b2a8c968eb37da18275fcf9526fdc63")
    view = after("wiki", seed, 3, LAST_INDICATOR)
    playouts = Playouts(view, policy, steps=1, rounds=rounds)
    points = playouts.outcomes([Indicator()], 1, 0, 2)
    assert points[0, :, view.seat].tolist() == [-101, -101]
