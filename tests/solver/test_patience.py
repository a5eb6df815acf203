"""Racks too large for one way are left to another: the answers are the same."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from benchmarks.worst_racks import FILE, OKEY, SIZE, counting

from conftest import Size
from okey101.solver import (
    Objective,
    arrange_bits,
    arrange_weighted_bits,
    arrangements_bits,
    best_value_bits,
    can_lay_all_but_one_bits,
    k_best,
    max_laid_bits,
    outs_bits,
    search,
    search_two_okeys,
)
from okey101.solver.search import TooLongError, checked_natural_bits
from okey101.solver.search import search as search_sets
from okey101.solver.tables import run_table
from okey101.tiles import Rack, Tile
from solver.racks import Position, draw

WORST = json.loads(FILE.read_text())


def answers(position: Position, objective: Objective) -> list[object]:
    """Values and ranks: what has to be the same whichever way it was found."""
    held = list(Rack.from_bits(position.bits))
    weights = [(7 * kind) % 23 - 4 for kind in range(52)]
    found = [
        arrange_bits(*position, objective),
        arrange_bits(*position, objective, must=held[0]),
        arrange_bits(*position, objective, keep=len(held) // 2),
        *arrangements_bits(*position, objective, 6),
    ]
    first = objective.partition("_")[0]
    name = {"left": "left_points"}.get(first, first)
    weighted = arrange_weighted_bits(*position, weights, 3, must=held[-1])
    plans = [
        max_laid_bits(*position, [("run", 0, 5, 8), ("set", 4, 0b0111, 0)]),
        can_lay_all_but_one_bits(*position, [("run", 0, 5, 8), ("run", 1, 4, 6)], allow_pairs=True),
    ]
    return [
        best_value_bits(*position, objective),
        [(out.tile, out.gain) for out in outs_bits(*position, objective)],
        [one and getattr(one, name) for one in found],
        weighted and weighted[0],
        [plan and plan.left_points for plan in plans],
    ]


@pytest.mark.parametrize("objective", [o for o in Objective if o is not Objective.PAIRS])
def test_without_patience(
    objective: Objective, monkeypatch: pytest.MonkeyPatch, size: Size
) -> None:
    rng = random.Random(f"patience {objective}")
    count = size(3, long=60)
    positions = [draw(rng, rng.randint(4, 18), n % 3, rng.choice((1, 2, 4))) for n in range(count)]
    patient = [answers(position, objective) for position in positions]
    for module, patience in ((search, 1), (search_two_okeys, 1), (k_best, 5)):
        monkeypatch.setattr(module, "PATIENCE", patience)
    assert [answers(position, objective) for position in positions] == patient


def test_racks_larger_than_hands() -> None:
    """Racks of 30 tiles in few numbers, and one of every kind there is."""
    tiles = [kind for kind in range(52) if kind % 13 < 8 and kind != Tile.B6]
    rack = Rack([*tiles[:29], Tile.OKEY])
    for objective in (Objective.POINTS, Objective.TILES, Objective.LEFT):
        found = arrange_bits(rack.bits, Tile.B6, objective)
        again = arrangements_bits(rack.bits, Tile.B6, objective, 1)[0]
        assert found is not None
        assert (found.points, found.tiles) == (again.points, again.tiles)
    whole = Rack([kind for kind in range(52) if kind != Tile.B6])
    assert best_value_bits(whole.bits, Tile.B6, Objective.TILES) == 51


@pytest.mark.parametrize("entry", WORST, ids=lambda entry: f"{entry['table']}-{entry['okeys']}")
def test_the_worst_racks_found_take_no_more_work_than_noted(entry: dict[str, Any]) -> None:
    """Work is counted in look-ups of the run table; how long they take is for the benchmarks."""
    bits = Rack.parse(entry["rack"]).bits
    table, plane = counting(entry["table"])
    assert len(Rack.from_bits(bits)) == SIZE
    search_sets(checked_natural_bits(bits, OKEY), entry["okeys"], table)  # is not given up
    assert 0 < plane.reads <= entry["lookups"]


def test_a_rack_that_is_all_melds_is_worth_all_of_it_either_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rack = Rack(range(52)).bits
    monkeypatch.setattr(search, "PATIENCE", 1)
    with pytest.raises(TooLongError):
        search_sets(rack, 0, run_table("tiles"))
    assert best_value_bits(rack, None, Objective.TILES) == 52


def test_a_plan_that_gives_up_more_tiles_for_the_okey_is_found_either_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The red run holds twelve points and three of the okey, the yellow one eleven and seven."""
    rack = Rack.parse("R1 R2 R4 R5 Y5 Y6 *").bits
    for patience in (k_best.PATIENCE, 0):
        monkeypatch.setattr(k_best, "PATIENCE", patience)
        plan = max_laid_bits(rack, Tile.B13, [], objective=Objective.POINTS, keep=0)
        assert plan is not None
        assert Rack.from_bits(plan.left_bits) == Rack.parse("R1 R2 R4 R5")
