"""What holds for every rack."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from okey101.solver import (
    Objective,
    arrange_bits,
    arrangements_bits,
    best_value_bits,
    count_pairs_bits,
    outs_bits,
    reaches_bits,
)
from okey101.solver.bounds import at_most_tiles
from okey101.solver.search import checked_natural_bits
from okey101.tiles import Rack, Tile
from solver.racks import Position

COLOURS = 13


@st.composite
def positions(draw: st.DrawFn, most: int = 22) -> Position:
    """Racks of any size up to a full one, often of few numbers."""
    okey = draw(st.integers(0, 51))
    low = draw(st.integers(0, 9))
    high = draw(st.sampled_from([12, low + 3]))
    natural = [k for k in range(52) if low <= k % 13 <= high and k != okey] + [52]
    tiles = draw(st.lists(st.sampled_from([*natural, *natural, 53]), max_size=most))
    bits = 0
    for tile in tiles:
        if bits >> 2 * tile & 3 < 2:
            bits += 1 << 2 * tile
    return Position(bits, okey)


GROWING = [Objective.POINTS, Objective.TILES, Objective.PAIRS]


@given(positions())
def test_a_tile_more_never_makes_it_worse(position: Position) -> None:
    for objective in GROWING:
        assert all(out.gain >= 0 for out in outs_bits(*position, objective, every=True))
    # In the hand a tile costs at most itself.
    for out in outs_bits(*position, Objective.LEFT, every=True):
        worth = Rack([out.tile]).points(position.okey)
        assert out.gain >= -worth


@given(positions())
def test_an_okey_does_what_any_tile_does(position: Position) -> None:
    bits, okey = position
    if bits >> 106 == 2:
        return
    with_okey = bits + (1 << 2 * Tile.OKEY)
    for objective in GROWING:
        best = max((out.value for out in outs_bits(bits, okey, objective, every=True)), default=0)
        assert best_value_bits(with_okey, okey, objective) >= best


@given(positions())
def test_values_agree_with_each_other(position: Position) -> None:
    bits, okey = position
    rack = Rack.from_bits(bits)
    tiles = best_value_bits(bits, okey, Objective.TILES)
    assert tiles <= len(rack)
    assert count_pairs_bits(bits, okey) <= len(rack) // 2
    assert (best_value_bits(bits, okey, Objective.LEFT) == 0) == (tiles == len(rack))
    for objective in Objective:
        found = arrange_bits(bits, okey, objective)
        assert found is not None
        assert found.left_points == found.left.points(okey)
        assert found.tiles + len(found.left) == len(rack)


@given(positions())
def test_colours_are_alike(position: Position) -> None:
    """Turning every tile to the next colour changes no value."""
    bits, okey = position
    natural = bits & (1 << 104) - 1
    turned = (natural << 26 | natural >> 78) & (1 << 104) - 1
    other = turned | bits >> 104 << 104
    for objective in Objective:
        assert best_value_bits(other, (okey + COLOURS) % 52, objective) == best_value_bits(
            bits, okey, objective
        )


@given(positions(10))
@settings(max_examples=40)
def test_keeping_more_tiles_never_helps(position: Position) -> None:
    for objective in (Objective.POINTS, Objective.PAIRS):
        size = len(Rack.from_bits(position.bits))
        values = []
        for keep in range(size + 1):
            found = arrange_bits(*position, objective, keep=keep)
            assert found is not None
            assert len(found.left) >= keep
            values.append(found.pairs if objective is Objective.PAIRS else found.points)
        assert values == sorted(values, reverse=True)
        assert arrange_bits(*position, objective, keep=size + 1) is None


@given(positions(9))
@settings(max_examples=40)
def test_the_best_are_the_first_of_more(position: Position) -> None:
    for objective in Objective:
        few = arrangements_bits(*position, objective, 3)
        many = arrangements_bits(*position, objective, 8)
        assert few == many[: len(few)]
        assert len(few) == min(3, len(many))


@given(positions(), st.sampled_from([Objective.POINTS, Objective.TILES]), st.integers(-3, 3))
def test_reaches_is_the_best_value_compared(
    position: Position, objective: Objective, more: int
) -> None:
    need = best_value_bits(*position, objective) + more
    assert reaches_bits(*position, need, objective) is (more <= 0 or need <= 0)


@given(positions())
def test_no_rack_lays_more_tiles_than_the_bound_says(position: Position) -> None:
    natural, okeys = checked_natural_bits(position.bits, position.okey), position.bits >> 106
    most = best_value_bits(position.bits, position.okey, Objective.TILES)
    assert most <= at_most_tiles(natural, okeys)
    for need in (most, most + 1):
        assert reaches_bits(position.bits, position.okey, need, Objective.TILES) == (need == most)
