"""Outs: against solving again with each tile."""

from __future__ import annotations

import random

import pytest

from okey101.solver import Objective, best_value_bits, outs_bits
from okey101.tiles import Rack, Tile
from solver.racks import draw


@pytest.mark.parametrize("objective", list(Objective))
def test_against_solving_again(objective: Objective) -> None:
    rng = random.Random(f"outs {objective}")
    for number in range(36):
        position = draw(rng, rng.choice((6, 14, 21)), number % 3, rng.choice((1, 2, 4, 4)))
        bits, okey = position
        now = best_value_bits(bits, okey, objective)
        found = {out.tile: out for out in outs_bits(bits, okey, objective, every=True)}
        drawable = {t for t in range(54) if t != okey and bits >> 2 * t & 3 < 2}
        assert set(found) == drawable
        for tile, out in found.items():
            value = best_value_bits(bits + (1 << 2 * tile), okey, objective)
            lower_is_better = objective in (Objective.LEFT, Objective.LEFT_TILES)
            assert out.value == value
            assert out.gain == (now - value if lower_is_better else value - now)
            assert out.copies == 2 - (bits >> 2 * tile & 3)
        gaining = outs_bits(bits, okey, objective)
        assert {out.tile for out in gaining} == {t for t, out in found.items() if out.gain > 0}
        order = [(-out.gain, out.tile) for out in gaining]
        assert order == sorted(order)


def test_the_tile_that_is_waited_for() -> None:
    rack = Rack.parse("R7 R8 K1 K1")
    gains = {Tile(out.tile).name: out.gain for out in outs_bits(rack.bits, Tile.B6)}
    assert gains == {"R9": 24, "OKEY": 24, "R6": 21}


def test_R8_a_riziko_deal_has_one_okey_and_no_false_joker_else() -> None:
    drawn = {out.tile: out.copies for out in outs_bits(Rack.parse("R7 R8").bits, None, every=True)}
    assert Tile.F not in drawn
    assert drawn[Tile.OKEY] == 1
    assert Tile.OKEY not in {o.tile for o in outs_bits(Rack.parse("R7 *").bits, None, every=True)}
