"""What a rack is worth without each of its tiles: as solved one by one."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import Size
from okey101.errors import OkeyError
from okey101.solver import Objective, best_value_bits, values_without_bits
from okey101.solver import without as module
from okey101.solver.search import TooLongError
from okey101.tiles import BITS_OF, OKEY, distinct_bits
from solver.racks import draw
from solver.test_properties import positions

BOTH = [Objective.POINTS, Objective.TILES]


def one_by_one(
    bits: int, okey: int | None, tiles: Sequence[int], floors: Sequence[int], objective: Objective
) -> list[int]:
    return [
        best_value_bits(bits - BITS_OF[tile], okey, objective, floor)
        for tile, floor in zip(tiles, floors, strict=True)
    ]


@given(positions(27), st.data())
def test_any_rack_and_any_floors(position: tuple[int, int], data: st.DataObject) -> None:
    bits, okey = position
    tiles = distinct_bits(bits)
    for objective in BOTH:
        whole = best_value_bits(bits, okey, objective)
        floors = [data.draw(st.integers(-1, whole + 1)) for _ in tiles]
        assert values_without_bits(bits, okey, tiles, floors, objective) == (
            max(whole, min(floors, default=-1)),
            one_by_one(bits, okey, tiles, floors, objective),
        )


@pytest.mark.parametrize("okeys", [0, 1, 2])
@pytest.mark.parametrize("objective", BOTH)
def test_hands_with_a_few_tiles_more(okeys: int, objective: Objective, size: Size) -> None:
    rng = random.Random(okeys)
    for _ in range(size(40, long=3_000)):
        bits, okey = draw(rng, rng.randint(14, 27), okeys)
        tiles = rng.sample(distinct_bits(bits), 6)
        floors = [rng.randint(0, 60) for _ in tiles]
        _, values = values_without_bits(bits, okey, tiles, floors, objective)
        assert values == one_by_one(bits, okey, tiles, floors, objective)


@given(positions(27), st.data())
def test_up_to_what_is_enough(position: tuple[int, int], data: st.DataObject) -> None:
    bits, okey = position
    tiles = distinct_bits(bits)
    for objective in BOTH:
        most = best_value_bits(bits, okey, objective)
        floors = [data.draw(st.integers(-1, most + 1)) for _ in tiles]
        enough = data.draw(st.integers(0, most + 2))
        whole, values = values_without_bits(bits, okey, tiles, floors, objective, enough)
        wanted = one_by_one(bits, okey, tiles, floors, objective)
        assert min(whole, enough) == min(max(most, min(floors, default=-1)), enough)
        assert [min(value, enough) for value in values] == [min(w, enough) for w in wanted]


def test_without_an_okey_in_the_deal() -> None:
    bits = sum(1 << 2 * kind for kind in range(0, 52, 3)) + (2 << 2 * OKEY)
    tiles = distinct_bits(bits)
    floors = [-1] * len(tiles)
    _, values = values_without_bits(bits, None, tiles, floors)
    assert values == one_by_one(bits, None, tiles, floors, Objective.POINTS)


def test_no_tiles_have_no_values() -> None:
    assert values_without_bits(1 << 20, 51, [], []) == (0, [])


def test_where_the_search_gives_up_each_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    position = draw(random.Random(3), 22, 1)
    tiles = [*islice(distinct_bits(position.bits), 4), OKEY]
    floors = [0, 10, -1, 200, 5]
    wanted = one_by_one(*position, tiles, floors, Objective.POINTS)

    def give_up(*_: object) -> None:
        raise TooLongError

    monkeypatch.setattr(module, "search", give_up)
    assert values_without_bits(*position, tiles, floors)[1] == wanted


def test_what_is_no_rack_is_refused() -> None:
    with pytest.raises(OkeyError, match="written as the okey"):
        values_without_bits(1, 0, [0], [-1])
