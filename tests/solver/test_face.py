"""The questions asked of racks agree with the packed ones, and their answers are made of tiles."""

from __future__ import annotations

import random

import pytest

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
        found = arrange_bits(bits, okey, objective)
        assert found is not None
        assert all(isinstance(group, Group) for group in found.groups)
        assert sum(group.points for group in found.groups) == found.points
        tiles = [tile for group in found.groups for tile in group]
        assert all(isinstance(tile, Tile) for tile in tiles)
        assert Rack(tiles) + found.left == Rack.from_bits(bits)
        assert groups_text(group.pieces for group in found.groups) == str(found)
        forms |= {group.form for group in found.groups}
    assert forms == set(Form)


def test_answers_print_as_notation() -> None:
    found = arrange(Rack.parse("R7 R8 R9 K11 Y11 * F K1"), okey=Tile.B6)
    assert found is not None
    assert str(found) == "R7 R8 R9 / Y11 K11 *R11"
    assert repr(found) == "<Arrangement 'R7 R8 R9 / Y11 K11 *R11': 57 points, left 'K1 F'>"
    assert found.left == Rack.parse("K1 F")
    assert found.left_bits == found.left.bits
    assert found.pieces == tuple(group.pieces for group in found.groups)
    plan = max_laid_bits(Rack.parse("R7 R8 R9 K1").bits, Tile.B6, [])
    assert plan is not None
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
    with pytest.raises(TypeError, match=r"\*_bits"):
        best_value(Rack.parse("R7").bits, Tile.B6)  # type: ignore[arg-type]
    with pytest.raises(OkeyError) as error:
        arrange(Rack.parse("R7"), okey=Tile.F)
    assert error.value.code == "bad-okey"
    with pytest.raises(OkeyError) as error:
        best_value(Rack.parse("R7 F"), okey=None)
    assert error.value.code == "false-joker-in-riziko"
