"""What holds for every rack."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from okey101.solver import (
    Objective,
    arrange,
    arrangements,
    best_value,
    count_pairs,
    outs,
    reaches,
)
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
        assert all(out.gain >= 0 for out in outs(*position, objective, every=True))
    # In the hand a tile costs at most itself.
    for out in outs(*position, Objective.LEFT, every=True):
        worth = Rack([out.tile]).points(position.okey)
        assert out.gain >= -worth


@given(positions())
def test_an_okey_does_what_any_tile_does(position: Position) -> None:
    bits, okey = position
    if bits >> 106 == 2:
        return
    with_okey = bits + (1 << 2 * Tile.OKEY)
    for objective in GROWING:
        best = max((out.value for out in outs(bits, okey, objective, every=True)), default=0)
        assert best_value(with_okey, okey, objective) >= best


@given(positions())
def test_values_agree_with_each_other(position: Position) -> None:
    bits, okey = position
    rack = Rack.from_bits(bits)
    tiles = best_value(bits, okey, Objective.TILES)
    assert tiles <= len(rack)
    assert count_pairs(bits, okey) <= len(rack) // 2
    assert (best_value(bits, okey, Objective.LEFT) == 0) == (tiles == len(rack))
    for objective in Objective:
        found = arrange(bits, okey, objective)
        assert found is not None
        assert found.left_points == Rack.from_bits(found.left).points(okey)
        assert found.tiles + len(Rack.from_bits(found.left)) == len(rack)


@given(positions())
def test_colours_are_alike(position: Position) -> None:
    """Turning every tile to the next colour changes no value."""
    bits, okey = position
    natural = bits & (1 << 104) - 1
    turned = (natural << 26 | natural >> 78) & (1 << 104) - 1
    other = turned | bits >> 104 << 104
    for objective in Objective:
        assert best_value(other, (okey + COLOURS) % 52, objective) == best_value(
            bits, okey, objective
        )


@given(positions(10))
@settings(max_examples=40)
def test_keeping_more_tiles_never_helps(position: Position) -> None:
    for objective in (Objective.POINTS, Objective.PAIRS):
        size = len(Rack.from_bits(position.bits))
        values = []
        for keep in range(size + 1):
            found = arrange(*position, objective, keep=keep)
            assert found is not None
            assert len(Rack.from_bits(found.left)) >= keep
            values.append(found.pairs if objective is Objective.PAIRS else found.points)
        assert values == sorted(values, reverse=True)
        assert arrange(*position, objective, keep=size + 1) is None


@given(positions(9))
@settings(max_examples=40)
def test_the_best_are_the_first_of_more(position: Position) -> None:
    for objective in Objective:
        few = arrangements(*position, objective, 3)
        many = arrangements(*position, objective, 8)
        assert few == many[: len(few)]
        assert len(few) == min(3, len(many))


@given(positions(), st.sampled_from([Objective.POINTS, Objective.TILES]), st.integers(-3, 3))
def test_reaches_is_the_best_value_compared(
    position: Position, objective: Objective, more: int
) -> None:
    need = best_value(*position, objective) + more
    assert reaches(*position, need, objective) is (more <= 0 or need <= 0)
