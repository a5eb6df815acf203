"""Laying a hand on a table: against playing it out tile by tile."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from conftest import Size, raises_code, unwrap
from okey101.melds import AS
from okey101.solver import Plan, RunPlace, SetPlace, can_lay_all_but_one_bits, max_laid_bits
from okey101.tiles import OKEY, Rack, Tile
from solver import brute
from solver.brute import Position, draw

Place = tuple[str, int, int, int]


def some_table(rng: random.Random, colours: int) -> list[Place]:
    table: list[Place] = []
    for _ in range(rng.randint(0, 4)):
        if rng.random() < 0.6:
            low = rng.randint(1, 11)
            table.append(("run", rng.randrange(colours), low, min(13, low + rng.randint(2, 5))))
        else:
            okeys = int(rng.random() < 0.3)
            taken = sum(1 << colour for colour in rng.sample(range(4), 3 - okeys))
            table.append(("set", rng.randint(1, 13), taken, okeys))
    return table


def check_plan(position: Position, table: Sequence[Place], plan: Plan) -> None:
    """Play a plan and see that it ends where it says."""
    bits, okey = position
    hand: brute.Hand | None = brute.hand_of(bits, okey)
    places = list(table)

    def natural(piece: int) -> int:
        return okey if piece == 52 else piece

    points = 0
    for group in plan.pieces:
        pieces = [natural(piece) for piece in group]
        if len(group) > 2:
            canonical = tuple(sorted(pieces, key=lambda piece: piece & 63))
            assert canonical in brute.all_groups()
        else:
            assert len({piece & 63 for piece in pieces}) == 1
        points += sum((piece & 63) % 13 + 1 for piece in pieces)
        assert hand is not None
        hand = brute.without(hand, pieces)
    for piece, index in plan.layoffs:
        kind = natural(piece) & 63
        # An okey is laid as what the plan says it stands for.
        (places[index],) = brute.lay(places[index], kind)
        assert hand is not None
        hand = brute.without(hand, [natural(piece)])
    assert hand == brute.hand_of(plan.left_bits, okey)
    assert plan.points == points
    assert plan.left_points == plan.left.points(okey)
    assert plan.tiles == len(Rack.from_bits(bits)) - len(plan.left)
    left = list(plan.left)
    assert plan.discard == (left[0] if len(left) == 1 else None)


@pytest.mark.parametrize(("melds", "pairs"), [(1, 0), (0, 1), (0, 0), (1, 1)])
def test_against_playing_it_out(melds: int, pairs: int, size: Size) -> None:
    rng = random.Random(f"lay {melds} {pairs}")
    finished = 0
    for number in range(size(60, long=150)):
        colours = rng.choice((1, 2, 2))
        position = draw(rng, rng.randint(1, 7), 0 if number % 4 else rng.randint(0, 1), 1)
        if number % 3 == 0:
            position = draw(rng, rng.randint(2, 6), rng.randint(0, 2), 2)
        table = some_table(rng, 4 if number % 3 == 0 else colours)
        hand = brute.hand_of(*position)
        if number % 3:
            # Tables of the hand's own colour are the ones that take tiles.
            colour = min(hand) // 13 if min(hand) < 52 else 0
            table = [(p[0], colour, *p[2:]) if p[0] == "run" else p for p in table]
        hands = brute.reachable(hand, tuple(table), melds=bool(melds), pairs=bool(pairs))
        plan = max_laid_bits(*position, table, allow_melds=bool(melds), allow_pairs=bool(pairs))
        assert plan is not None
        check_plan(position, table, plan)
        kept = [left for left in hands if left]
        assert plan.left_points == min(map(brute.points_left, kept))
        least = [left for left in kept if brute.points_left(left) == plan.left_points]
        assert plan.tiles == len(hand) - min(map(len, least))
        finish = can_lay_all_but_one_bits(
            *position, table, allow_melds=bool(melds), allow_pairs=bool(pairs)
        )
        single = {left[0] for left in hands if len(left) == 1}
        assert (finish is not None) == bool(single)
        if finish is not None:
            finished += 1
            check_plan(position, table, finish)
            assert finish.discard is not None
            worth = [101 if tile == brute.OKEY else tile % 13 + 1 for tile in single]
            discard = position.okey if finish.discard == 52 else finish.discard
            assert (101 if discard == brute.OKEY else discard % 13 + 1) == max(worth)
        for tile in set(Rack.from_bits(position.bits)):
            forced = max_laid_bits(
                *position, table, allow_melds=bool(melds), allow_pairs=bool(pairs), must=tile
            )
            own = position.okey if tile == Tile.F else int(tile)
            using = [left for left in kept if left.count(own) < hand.count(own)]
            assert (forced is not None) == bool(using)
            if forced is not None:
                assert forced.left_points == min(map(brute.points_left, using))
    assert finished > size(8, long=20)


def test_an_okey_that_has_to_be_laid_is_not_the_discard() -> None:
    rack = Rack.parse("R1 B1 K1 *")
    for must, discard in ((None, OKEY), (OKEY, Tile.R1)):
        plan = unwrap(can_lay_all_but_one_bits(rack.bits, Tile.B6, [], must=must))
        assert plan.discard == discard
    in_a_run = Rack.parse("R1 R2 * K9")
    plan = unwrap(can_lay_all_but_one_bits(in_a_run.bits, Tile.B6, [], must=OKEY))
    assert plan.discard == Tile.K9


def test_a_chain_of_lay_offs() -> None:
    rack = Rack.parse("R4 R5 * F K1", okey=Tile.B6)
    table = [RunPlace("run", 0, 6, 8), SetPlace("set", 6, 0b1010, 1)]
    plan = unwrap(can_lay_all_but_one_bits(rack.bits, Tile.B6, table, allow_melds=False))
    assert set(plan.layoffs) >= {(Tile.R5, 0), (Tile.R4, 0), (Tile.F, 1)}
    assert plan.discard == Tile.K1
    assert plan.layoffs.index((Tile.R5, 0)) < plan.layoffs.index((Tile.R4, 0))


@pytest.mark.parametrize(
    "place",
    [
        ("set", 5, 0b1111, 0),
        ("set", 5, 0b10000, 2),
        ("set", 5, -1, 2),
        ("set", 0, 0b111, 0),
        ("set", 14, 0b111, 0),
        ("run", 0, 5, 6),
        ("run", 4, 5, 7),
        ("run", 0, 0, 3),
        ("run", 0, 12, 14),
        ("pair", 0, 0, 0),
    ],
)
def test_bad_places(place: Place) -> None:
    with raises_code("bad-place"):
        max_laid_bits(Rack.parse("R7").bits, Tile.B6, [place])


def test_whole_hands_on_full_tables() -> None:
    """A long table and a full hand: exact all the same."""
    rng = random.Random(5)
    for number in range(6):
        position = draw(rng, 22, number % 3)
        table = [place for _ in range(5) for place in some_table(rng, 4)]
        check_plan(position, table, unwrap(max_laid_bits(*position, table)))
    assert AS == 64


def test_two_copies_are_worth_twice_one() -> None:
    """One tile has to stay: the nine goes down before the second seven."""
    places: list[Place] = [("set", 7, 0b1110, 0), ("set", 7, 0b1110, 0), ("set", 9, 0b1101, 0)]
    plan = unwrap(max_laid_bits(Rack.parse("R7 R7 Y9").bits, Tile.B6, places))
    assert plan.left_points == 7
    assert Rack.from_bits(plan.left_bits) == Rack.parse("R7")


def test_a_second_okey_goes_into_the_set_that_the_first_one_makes() -> None:
    plan = unwrap(can_lay_all_but_one_bits(Rack.parse("R3 Y3 R10 * *").bits, Tile.B6, []))
    assert [len(group) for group in plan.pieces] == [4]
    assert plan.discard == Tile.R10
