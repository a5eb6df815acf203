"""The solver against an integer programme on random racks and on racks of one or two colours."""

import random
from collections.abc import Sequence

import pytest

from conftest import Size
from okey101.solver import Arrangement, Objective, arrange_bits, best_value_bits
from okey101.solver.arrangement_dp import Problem, best_usages
from okey101.solver.k_best import NEVER
from solver import ip
from solver.brute import Position, counts, draw

FACES = [kind % 13 + 1 for kind in range(52)]
NUMBERS = list(range(14))
WORTHS = {"points": (FACES, NUMBERS), "tiles": ([1] * 52, [1] * 14), "left": (FACES, [101] * 14)}
BIG = 2048
TIE_BREAK = {
    Objective.POINTS: "tiles", Objective.TILES: "points", Objective.LEFT: "tiles",
    Objective.PAIRS: "points", Objective.POINTS_TILES: "tiles", Objective.POINTS_LEFT: "left",
    Objective.TILES_POINTS: "points", Objective.LEFT_TILES: "tiles",
}  # fmt: skip


def worth_of(found: Arrangement, first: str, total: int) -> int:
    """What an arrangement is worth in the programme's terms."""
    return {
        "points": found.points,
        "tiles": found.tiles,
        "left": total - found.left_points,
        "pairs": found.pairs,
    }[first]


def check(position: Position, objective: Objective, must: int | None) -> None:
    held = counts(position)
    bits, okey = position
    okeys = bits >> 106
    total = sum(n * face for n, face in zip(held, FACES, strict=True)) + 101 * okeys
    first, second = objective.partition("_")[0], TIE_BREAK[objective]
    if first == "pairs":
        melds = ip.pairs(held, okeys)
        tile, wild = [BIG // 2 + n for n in FACES], [BIG // 2 + n for n in NUMBERS]
    else:
        melds = ip.sets_and_runs(held, okeys)
        tile, wild = (
            [BIG * a + b for a, b in zip(WORTHS[first][i], WORTHS[second][i], strict=True)]
            for i in (0, 1)
        )
    forced = None if must is None else {52: okey, 53: -1}.get(must, must)
    expected = ip.optimum(held, okeys, melds, tile, wild, must=forced)
    found = arrange_bits(bits, okey, objective, must=must)
    if expected is None:
        assert found is None
        return
    assert found is not None
    got = BIG * worth_of(found, first, total) + worth_of(found, second, total)
    assert got == expected
    if must is None:
        value = best_value_bits(bits, okey, objective)
        assert value == (total - expected // BIG if first == "left" else expected // BIG)


def force(position: Position, rng: random.Random) -> int | None:
    """A tile of the rack for one rack in four."""
    held = [tile for tile in range(54) if position.bits >> 2 * tile & 3]
    return rng.choice(held) if rng.random() < 0.25 else None


OBJECTIVES = tuple(Objective)


@pytest.mark.parametrize("batch", range(8))
@pytest.mark.parametrize(
    ("sizes", "colours"), [((14, 21, 22, 22), (4,)), (range(8, 23), (1, 2))], ids=str
)
def test_racks(batch: int, sizes: Sequence[int], colours: Sequence[int], size: Size) -> None:
    """Random ones, and racks squeezed into one or two colours."""
    rng = random.Random(1000 * len(colours) + batch)
    for number in range(size(24, long=1500)):
        position = draw(rng, rng.choice(sizes), number % 3, rng.choice(colours))
        check(position, OBJECTIVES[(number // 3 + batch) % 8], force(position, rng))


@pytest.mark.parametrize("batch", range(4))
def test_arbitrary_weights(batch: int, size: Size) -> None:
    rng = random.Random(3000 + batch)
    for number in range(size(24, long=500)):
        position = draw(rng, rng.randint(5, 22), number % 3, rng.choice((1, 2, 4)))
        held = counts(position)
        okeys = position.bits >> 106
        tile = [rng.randint(-9, 20) for _ in range(52)]
        wild = [rng.randint(-30, 30) for _ in range(13)]
        must = force(position, rng)
        forced = None if must is None else {52: position.okey, 53: -1}.get(must, must)
        keep = rng.choice((0, 0, 1, 5))
        expected = ip.optimum(
            held, okeys, ip.sets_and_runs(held, okeys), tile, [0, *wild], must=forced,
            keep=keep,
        )  # fmt: skip
        by_copies = [
            (NEVER if kind == forced else 0, worth, 2 * worth) for kind, worth in enumerate(tile)
        ]
        problem = Problem(tuple(held), okeys, by_copies, [0, *wild], keep, int(forced == -1))
        found = best_usages(problem)
        assert (found[0][0] if found else None) == expected
