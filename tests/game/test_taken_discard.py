"""The quick answers about openings agree with the solver's forced tile."""

from __future__ import annotations

import random

import pytest

from okey101.game import PRESETS, Deal, RuleSet, deal_from_seed
from okey101.game.openings import best_melds, melds_reach
from okey101.solver import Objective, arrange_bits
from okey101.tiles import BITS_OF, distinct_bits


@pytest.mark.parametrize("seed", range(40))
def test_U2_the_best_opening_with_a_taken_tile_is_the_solvers(seed: int) -> None:
    rng = random.Random(seed)
    rules: RuleSet = rng.choice(list(PRESETS.values()))
    deal = Deal.start(rules, deal_from_seed(rules, rng.randbytes(32), 0))
    public = deal.public
    for hand in deal.hands[1:]:
        with_it = hand + BITS_OF[deal.stock[0]] if not hand >> 2 * deal.stock[0] & 2 else hand
        for tile in distinct_bits(with_it):
            wanted = arrange_bits(with_it, public.okey, Objective.POINTS, must=tile, keep=1)
            found = best_melds(public, with_it, tile)
            assert (found is None) == (wanted is None)
            points = 0 if wanted is None else wanted.points
            if found is not None:
                assert found.points == points
            for need in (points - 1, points, points + 1):
                if need > 0:
                    assert melds_reach(public, with_it, tile, need) is (points >= need)
