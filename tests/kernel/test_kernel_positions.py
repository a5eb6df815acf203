"""A deal in the middle of its course, written as a row of the kernel, is that deal."""

from __future__ import annotations

import random

import numpy as np
import pytest

from conftest import Size
from kernel.kernel_states import any_rules, state_of_deal, state_of_row
from okey101.bots.greedy import GreedyBot
from okey101.game import PRESETS, Deal, Options, RuleSet, apply, options_of, view_of
from okey101.kernel.greedy import play_one
from okey101.kernel.layout import SCORES, SIZE
from okey101.kernel.legal import MOST_ACTIONS
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
