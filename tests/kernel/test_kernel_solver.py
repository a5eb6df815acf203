"""The compiled solver against the readable one: the same values, and the same of equal ways."""

import inspect
import random
import re

import numpy as np
import pytest

from conftest import Size, unwrap
from kernel.kernel_states import called
from okey101.kernel import arranging, groups, plans, room, solver
from okey101.kernel.codes import bits_of_masks, masks_of_bits, pieces_of_word
from okey101.kernel.layout import A_LAY, N_GROUPS, OKEY_KIND, SIZE, TABLE
from okey101.kernel.solver import tables
from okey101.kernel.warming import warm
from okey101.melds import AS
from okey101.solver import (
    Objective,
    Plan,
    arrange_bits,
    best_value_bits,
    can_lay_all_but_one_bits,
    max_laid_bits,
)
from okey101.tiles import OKEY, Rack, size_of_bits
from solver.brute import Position, draw
from solver.test_arrangements import Place, some_table

arrange, arrange_but_one = called(arranging.arrange), called(arranging.arrange_but_one)
best_points, count_pairs = called(solver.best_points), called(groups.count_pairs)
set_up = called(plans.set_up)
least_left, lay_all = called(plans.least_left), called(plans.lay_all)
groups_of_plan, points_of = called(plans.groups_of_plan), groups.points_of
run_word, set_word = called(groups.run_word), called(groups.set_word)
first_lay_off = called(plans.first_lay_off)
left_but_one, left_of_pairs = called(arranging.left_but_one), called(arranging.left_of_pairs)

OUT = np.zeros(64, dtype=np.int64)
INFO = np.zeros(8, dtype=np.int64)


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    warm().join()


def some_rack(rng: random.Random, most: int = 22) -> Position:
    """A rack of one, two or four colours, squeezed or not, with up to two okeys."""
    okeys = rng.choice((0, 0, 1, 2))
    return draw(rng, rng.randint(max(3, okeys), most), okeys, rng.choice((1, 2, 2, 4)))


def pieces(count: int, okey: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(pieces_of_word(int(word), okey)) for word in OUT[:count])


def test_values_and_arrangements(size: Size) -> None:
    rng = random.Random("kernel arrangements")
    found = tables()
    for _ in range(size(80, long=20_000)):
        bits, okey = some_rack(rng)
        one, two = masks_of_bits(bits)
        assert best_points(found, one, two, okey) == best_value_bits(bits, okey)
        assert count_pairs(one, two, okey) == best_value_bits(bits, okey, Objective.PAIRS)
        for number, objective in (
            (solver.POINTS, Objective.POINTS),
            (solver.TILES, Objective.TILES),
        ):
            for keep, ask in ((0, arrange), (1, arrange_but_one)):
                wanted = unwrap(arrange_bits(bits, okey, objective, keep=keep))
                count = ask(found, number, one, two, okey, OUT, INFO)
                assert pieces(count, okey) == wanted.pieces
                assert (INFO[0], INFO[1]) == (wanted.points, wanted.tiles)
                assert bits_of_masks(int(INFO[2]), int(INFO[3])) == wanted.left_bits


def check_plan(plan: Plan, okey: int, table: list[Place]) -> None:
    """The kernel's plan has these groups and begins with this lay-off."""
    count = groups_of_plan(tables(), OUT)
    assert pieces(count, okey) == plan.pieces
    assert points_of(OUT, count) == plan.points
    first = int(first_lay_off(tables()))
    if not plan.layoffs:
        assert first == -1
        return
    piece, place = plan.layoffs[0]
    tile = OKEY if piece >= AS else piece
    shape, number, *_ = table[place]
    of_no_colour = number - 1 | 1 << 6
    stands = 0 if piece < AS else piece - AS if shape == "run" else of_no_colour
    assert first == A_LAY | tile << 4 | place << 10 | stands << 16


@pytest.mark.parametrize("most", [9, 13])
def test_plans(most: int, size: Size) -> None:
    rng = random.Random(f"kernel plans {most}")
    row = np.zeros(SIZE, dtype=np.int64)
    found = tables()
    finished = 0
    for _ in range(size(100 if most < 10 else 20, long=5_000)):
        bits, okey = some_rack(rng, most)
        one, two = masks_of_bits(bits)
        table = some_table(rng, 4) + some_table(rng, 4)
        row[OKEY_KIND], row[N_GROUPS] = okey, len(table)
        for at, (shape, a, b, c) in enumerate(table):
            row[TABLE + at] = run_word(a, b, c, 0, 0) if shape == "run" else set_word(a, b, 0, c)
        melds, pairs, lays_off = rng.random() < 0.8, rng.random() < 0.4, rng.random() < 0.9
        must = rng.choice([None, None, None, *map(int, Rack.from_bits(bits))])
        places = table if lays_off else []
        least = max_laid_bits(bits, okey, places, allow_melds=melds, allow_pairs=pairs, must=must)
        set_up(found, row, one, two, lays_off, melds, pairs, -1 if must is None else must)
        kept = least_left(found)
        if least is None:
            assert kept == -1
        else:
            assert (kept // 128, kept % 128) == (least.left_points, size_of_bits(least.left_bits))
            check_plan(least, okey, table)
        ends = can_lay_all_but_one_bits(
            bits, okey, places, allow_melds=melds, allow_pairs=pairs, must=must
        )
        assert lay_all(found) == (-1 if ends is None else ends.discard)
        if ends is not None:
            finished += 1
            check_plan(ends, okey, table)
    assert finished > 2


def regions() -> dict[str, int]:
    """Where each region of the room begins, in their order."""
    found = {"UNSEEN": room.UNSEEN}
    for name, before in re.findall(r"^(\w+): Final = (\w+)", inspect.getsource(room), re.M):
        if before in found and vars(room)[name] not in found.values():
            found[name] = vars(room)[name]
    return found


def lay(found: solver.Tables, one: int, two: int, okey: int) -> None:
    """Ask what a hand can put down before a table of thirteen runs."""
    row = np.zeros(SIZE, dtype=np.int64)
    row[OKEY_KIND], row[N_GROUPS] = okey, 13
    for place in range(13):
        row[TABLE + place] = run_word(place % 4, 4 + place % 3, 8, 0, 0)
    set_up(found, row, one, two, True, True, True, -1)
    least_left(found)
    lay_all(found)
    groups_of_plan(found, OUT)


def arrange_all(found: solver.Tables, one: int, two: int, okey: int) -> None:
    """Ask for the best arrangement."""
    arrange(found, solver.POINTS, one, two, okey, OUT, INFO)


def test_regions_of_the_room_follow_each_other_and_nobody_writes_into_anothers() -> None:
    begins = regions()
    assert [*begins.values()] == sorted(begins.values())
    assert {"BATCH", "CHOSEN", "PAIRED_BEST", "PLAN", "MEMO", "SEEN", "OPTIONS"} < {*begins}
    owned = (
        (best_points, {"LEVELS": "USAGE"}),
        (arrange_all, {"LEVELS": "LEFT_INFO"}),
        (left_but_one, {"LEVELS": "PAIRED"}),
        (left_of_pairs, {"PAIRED": "ONE"}),
        (lay, {"LEVELS": "USAGE", "ONE": "REACH_INFO"}),
    )
    rng = random.Random("kernel room")
    full = [draw(rng, 22, okeys, colours) for okeys in (0, 1, 2) for colours in (1, 2, 4)]
    for bits, okey in [*full, *(some_rack(rng) for _ in range(20))]:
        for ask, spans in owned:
            found = tables()[0], tables()[1].copy()
            noise = [rng.getrandbits(62) for _ in range(64)]
            found[1][: room.LOW] = np.resize(np.array(noise), room.LOW)
            found[1][room.HURRY] = 300
            before = found[1].copy()
            ask(found, *masks_of_bits(bits), okey)
            written = {*np.flatnonzero(found[1] != before).tolist()}
            for first, end in spans.items():
                written -= {*range(begins[first], begins[end])}
            assert not written
