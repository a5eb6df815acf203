"""A deal in the middle of its course, written as a row of the kernel, is that deal."""

from __future__ import annotations

import random

import pytest

from conftest import Size
from kernel.kernel_states import any_rules, state_of_deal, state_of_row
from okey101.game import Deal, RuleSet, apply, options_of
from okey101.kernel.layout import SIZE
from okey101.kernel.positions import row_of_deal


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
