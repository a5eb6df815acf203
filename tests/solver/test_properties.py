"""What holds of any rack: properties, tables and patience."""

import json
import random
from collections.abc import Iterator, Sequence
from itertools import count, islice
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from benchmarks import worst_racks
from benchmarks.worst_racks import FILE, SIZE, counting
from hypothesis import given, strategies as st

from conftest import Size, script
from okey101.errors import OkeyError
from okey101.solver import (
    Objective,
    arrange_bits,
    arrangement_dp,
    arrangements_bits,
    best_value_bits,
    can_lay_all_but_one_bits,
    k_best,
    max_laid_bits,
    outs_bits,
    reaches_bits,
    search,
    solve as module,
    values_without_bits,
)
from okey101.solver.objectives import WEIGHTS
from okey101.solver.search import TooLongError, checked_natural_bits, search as search_sets
from okey101.solver.tables import HIGH, LOW, raw_table, run_table
from okey101.tiles import BITS_OF, OKEY, Rack, Tile, distinct_bits
from solver.brute import Position, draw


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


@given(positions(), st.sampled_from([Objective.POINTS, Objective.TILES]), st.integers(-3, 3))
def test_reaches_is_the_best_value_compared(
    position: Position, objective: Objective, more: int
) -> None:
    need = best_value_bits(*position, objective) + more
    assert reaches_bits(*position, need, objective) is (more <= 0 or need <= 0)


SCRIPT = Path(__file__).parents[2] / "scripts" / "build_tables.py"


@pytest.fixture(scope="module")
def builder() -> ModuleType:
    return script(SCRIPT)


@pytest.mark.parametrize("name", WEIGHTS)
def test_rebuilding_gives_the_same_table(name: str, builder: ModuleType) -> None:
    assert builder.table(WEIGHTS[name]) == raw_table(name)


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=() if n in ("points", "left") else pytest.mark.long) for n in WEIGHTS],
)
def test_a_fourth_open_run_changes_no_cell(name: str, builder: ModuleType) -> None:
    """Two tiles and two okeys of a number are four: so this is a proof, not a sample."""
    three = builder.best_runs(WEIGHTS[name])
    four = builder.best_runs(WEIGHTS[name], open_runs=4)
    assert all((a == b).all() for a, b in zip(three, four, strict=True))


def test_two_open_runs_would_be_too_few(builder: ModuleType) -> None:
    two = builder.best_runs(WEIGHTS["points"], open_runs=2)
    table = run_table("points")
    rack = [0] * 8 + [1, 1, 2, 2, 2]  # 9 10 11 11 12 12 13 13
    index = sum(copies * 3**place for place, copies in enumerate(rack))
    assert int(two[1][index]) == 101
    assert table.none[index] + table.one[index] == 102


def test_indices() -> None:
    bits = sum((n % 3) << 2 * n for n in range(13))
    expected = sum(n % 3 * 3**n for n in range(13))
    assert LOW[bits & (1 << 14) - 1] + HIGH[bits >> 14] == expected


WORST = json.loads(FILE.read_text())


def answers(position: Position, objective: Objective) -> list[object]:
    """Values and ranks: what has to be the same whichever way it was found."""
    held = list(Rack.from_bits(position.bits))
    found = [
        arrange_bits(*position, objective),
        arrange_bits(*position, objective, must=held[0]),
        arrange_bits(*position, objective, keep=len(held) // 2),
        *arrangements_bits(*position, objective, 6),
    ]
    first = objective.partition("_")[0]
    name = {"left": "left_points"}.get(first, first)
    plans = [
        max_laid_bits(*position, [("run", 0, 5, 8), ("set", 4, 0b0111, 0)]),
        can_lay_all_but_one_bits(*position, [("run", 0, 5, 8), ("run", 1, 4, 6)], allow_pairs=True),
    ]
    return [
        best_value_bits(*position, objective),
        [(out.tile, out.gain) for out in outs_bits(*position, objective)],
        [one and getattr(one, name) for one in found],
        [plan and plan.left_points for plan in plans],
    ]


@pytest.mark.parametrize("objective", Objective)
def test_without_patience(
    objective: Objective, monkeypatch: pytest.MonkeyPatch, size: Size
) -> None:
    rng = random.Random(f"patience {objective}")
    count = size(3, long=60)
    positions = [draw(rng, rng.randint(4, 18), n % 3, rng.choice((1, 2, 4))) for n in range(count)]
    patient = [answers(position, objective) for position in positions]
    for searching, patience in ((search, 1), (k_best, 5)):
        monkeypatch.setattr(searching, "PATIENCE", patience)
    assert [answers(position, objective) for position in positions] == patient


def test_racks_larger_than_hands() -> None:
    """Racks of 30 tiles in few numbers, and one of every kind there is."""
    tiles = [kind for kind in range(52) if kind % 13 < 8 and kind != Tile.B6]
    rack = Rack([*tiles[:29], Tile.OKEY])
    for objective in (Objective.POINTS, Objective.TILES, Objective.LEFT):
        found = arrange_bits(rack.bits, Tile.B6, objective)
        again = arrangements_bits(rack.bits, Tile.B6, objective, 1)[0]
        assert found is not None
        value = "left_points" if objective is Objective.LEFT else "points"
        assert getattr(found, value) == getattr(again, value)
        assert found.tiles == again.tiles
    whole = Rack([kind for kind in range(52) if kind != Tile.B6])
    assert best_value_bits(whole.bits, Tile.B6, Objective.TILES) == 51


def test_a_rack_that_melds_nearly_whole_takes_no_look_at_all_ways(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All tiles of the game, and of three colours; a million and a half of ways took 15 s."""
    ways, seen = arrangement_dp._run_choices, count()

    def counted(*asked: Any) -> Iterator[Any]:
        return (way for way in ways(*asked) if next(seen) < 150_000)

    monkeypatch.setattr(arrangement_dp, "_run_choices", counted)
    okeys = [Tile.OKEY, Tile.OKEY]
    rack = Rack([*[kind for kind in range(52) if kind // 13 != 2] * 2, *okeys])
    assert best_value_bits(rack.bits, Tile.B6) == 2 * 3 * 91 + 2 * 13
    game = Rack([*[kind for kind in range(53) if kind != Tile.B6] * 2, *okeys])
    assert best_value_bits(game.bits, Tile.B6) == 2 * 4 * 91 + 2 * 13
    assert next(seen) < 150_000


@pytest.mark.parametrize("entry", WORST, ids=lambda entry: f"{entry['table']}-{entry['okeys']}")
def test_the_worst_racks_found_take_no_more_work_than_noted(entry: dict[str, Any]) -> None:
    """Work is counted in look-ups of the run table; how long they take is for the benchmarks."""
    bits = Rack.parse(entry["rack"]).bits
    table, plane = counting(entry["table"])
    assert len(Rack.from_bits(bits)) == SIZE
    search_sets(
        checked_natural_bits(bits, worst_racks.OKEY), entry["okeys"], table
    )  # is not given up
    assert 0 < plane.reads <= entry["lookups"]


def test_a_rack_that_is_all_melds_is_worth_all_of_it_either_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rack = Rack(range(52)).bits
    monkeypatch.setattr(search, "PATIENCE", 1)
    with pytest.raises(TooLongError):
        search_sets(rack, 0, run_table("tiles"))
    assert best_value_bits(rack, None, Objective.TILES) == 52


BOTH = [Objective.POINTS, Objective.TILES]


def one_by_one(
    bits: int, okey: int | None, tiles: Sequence[int], floors: Sequence[int], objective: Objective
) -> list[int]:
    return [
        best_value_bits(bits - BITS_OF[tile], okey, objective, floor)
        for tile, floor in zip(tiles, floors, strict=True)
    ]


@given(positions(27), st.data())
def test_any_rack_and_any_floors_up_to_what_is_enough(
    position: tuple[int, int], data: st.DataObject
) -> None:
    bits, okey = position
    tiles = distinct_bits(bits)
    for objective in BOTH:
        most = best_value_bits(bits, okey, objective)
        floors = [data.draw(st.integers(-1, most + 1)) for _ in tiles]
        best = max(most, min(floors, default=-1))
        wanted = one_by_one(bits, okey, tiles, floors, objective)
        assert values_without_bits(bits, okey, tiles, floors, objective) == (best, wanted)
        enough = data.draw(st.integers(0, most + 2))
        whole, values = values_without_bits(bits, okey, tiles, floors, objective, enough)
        assert min(whole, enough) == min(best, enough)
        assert [min(value, enough) for value in values] == [min(w, enough) for w in wanted]


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
