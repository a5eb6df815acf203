"""The questions asked of racks, and outs: their answers are made of tiles."""

from __future__ import annotations

import random

import pytest

from conftest import raises_code, unwrap
from okey101.errors import NotationError, OkeyError
from okey101.melds import Form, Group, groups_text
from okey101.solver import (
    Arrangement,
    Objective,
    arrange,
    arrange_bits,
    arrangements,
    arrangements_bits,
    best_value,
    best_value_bits,
    count_pairs,
    count_pairs_bits,
    max_laid_bits,
    outs,
    outs_bits,
)
from okey101.tiles import Rack, Tile
from solver.racks import draw


def test_racks_get_the_packed_answers() -> None:
    rng = random.Random("face")
    for _ in range(60):
        bits, okey = draw(rng, rng.randint(2, 22), rng.randint(0, 2))
        rack, objective = Rack.from_bits(bits), rng.choice(list(Objective))
        assert best_value(rack, okey, objective) == best_value_bits(bits, okey, objective)
        assert count_pairs(rack, okey) == count_pairs_bits(bits, okey)
        assert arrange(rack, okey, objective) == arrange_bits(bits, okey, objective)
        assert arrange(rack, okey, keep=1) == arrange_bits(bits, okey, keep=1)
        few = arrangements(rack, okey, objective, best=3)
        assert few == arrangements_bits(bits, okey, objective, 3)
        assert outs(rack, okey, objective) == outs_bits(bits, okey, objective)


def test_arrangements_are_made_of_groups_and_tiles() -> None:
    rng = random.Random("groups")
    forms = set()
    for _ in range(120):
        bits, okey = draw(rng, rng.randint(14, 22), rng.randint(0, 2))
        objective = rng.choice((Objective.POINTS, Objective.PAIRS, Objective.LEFT))
        found = unwrap(arrange_bits(bits, okey, objective))
        assert all(isinstance(group, Group) for group in found.groups)
        assert sum(group.points for group in found.groups) == found.points
        tiles = [tile for group in found.groups for tile in group]
        assert all(isinstance(tile, Tile) for tile in tiles)
        assert Rack(tiles) + found.left == Rack.from_bits(bits)
        assert groups_text(group.pieces for group in found.groups) == str(found)
        forms |= {group.form for group in found.groups}
    assert forms == set(Form)


def test_answers_print_as_notation() -> None:
    found = unwrap(arrange(Rack.parse("R7 R8 R9 K11 Y11 * F K1"), okey=Tile.B6))
    assert str(found) == "R7 R8 R9 / Y11 K11 *R11"
    assert repr(found) == "<Arrangement 'R7 R8 R9 / Y11 K11 *R11': 57 points, left 'K1 F'>"
    assert found.left == Rack.parse("K1 F")
    assert found.left_bits == found.left.bits
    assert found.pieces == tuple(group.pieces for group in found.groups)
    plan = unwrap(max_laid_bits(Rack.parse("R7 R8 R9 K1").bits, Tile.B6, []))
    assert plan.left == Rack.parse("K1")


def test_the_okeys_own_face_is_the_okey() -> None:
    asked = Rack.parse("R7 R8 B6")
    assert asked.seen(Tile.B6) == Rack.parse("R7 R8 *")
    assert asked.seen(Tile.R6) is asked
    assert best_value(asked, okey=Tile.B6) == 24
    found = arrange(asked, Tile.B6, must=Tile.B6)
    assert isinstance(found, Arrangement)
    assert found.left == Rack()
    with pytest.raises(NotationError, match="more than two tiles"):
        best_value(Rack.parse("B6 B6 *"), okey=Tile.B6)


def test_what_is_no_rack_or_no_okey() -> None:
    with pytest.raises(OkeyError, match="a list is wanted here, not int"):
        best_value(Rack.parse("R7").bits, Tile.B6)  # type: ignore[arg-type]
    with raises_code("bad-okey"):
        arrange(Rack.parse("R7"), okey=Tile.F)
    with raises_code("false-joker-in-riziko"):
        best_value(Rack.parse("R7 F"), okey=None)


# Outs ---------------------------------------------------------------------------------------------


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
