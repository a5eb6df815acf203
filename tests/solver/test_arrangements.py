"""Arrangements, pairs and lay-offs, of packed racks and of tiles: legal, right, all of them."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from conftest import Size, raises_code, unwrap
from okey101.errors import NotationError, OkeyError
from okey101.melds import AS, Form, Group, groups_text, parse_group
from okey101.solver import (
    Arrangement,
    Objective,
    Plan,
    RunPlace,
    SetPlace,
    arrange,
    arrange_bits,
    arrangements,
    arrangements_bits,
    best_value,
    best_value_bits,
    can_lay_all_but_one_bits,
    count_pairs,
    count_pairs_bits,
    max_laid_bits,
    outs,
    outs_bits,
)
from okey101.solver.k_best import Edge, Layered, best_paths
from okey101.tiles import OKEY, Rack, Tile
from solver import brute
from solver.brute import Position, draw

MELDED = [objective for objective in Objective if objective is not Objective.PAIRS]


def rank(found: Arrangement, objective: Objective) -> tuple[int, int]:
    points, tiles, left = found.points, found.tiles, -found.left_points
    return {
        "points": (points, tiles), "points_tiles": (points, tiles), "points_left": (points, left),
        "tiles": (tiles, points), "tiles_points": (tiles, points), "left": (left, tiles),
        "left_tiles": (left, tiles), "pairs": (found.pairs, points),
    }[objective]  # fmt: skip


def check_legal(position: Position, found: Arrangement) -> None:
    """M1 to M3, and that the sums say what the groups say."""
    bits, okey = position
    used = Counter(Tile.OKEY if p >= AS else p for group in found.pieces for p in group)
    used.update(found.left)
    assert used == Counter(Rack.from_bits(bits))
    kinds = [[okey if p == 52 else p & 63 for p in group] for group in found.pieces]
    for group in kinds:
        numbers = [kind % 13 for kind in group]
        colours = [kind // 13 for kind in group]
        if len(group) == 2:
            assert group[0] == group[1]
        elif numbers[0] == numbers[1]:
            assert len(set(numbers)) == 1
            assert len(set(colours)) == len(group) <= 4
        else:
            assert len(set(colours)) == 1
            assert len(group) >= 3
            assert numbers == list(range(numbers[0], numbers[0] + len(group)))
    assert found.points == sum(kind % 13 + 1 for group in kinds for kind in group)
    assert found.tiles == sum(len(group) for group in kinds)
    assert found.left_points == found.left.points(okey)
    assert found.pairs == sum(len(group) == 2 for group in kinds)


def check_must(position: Position, objective: Objective, found: Sequence[Arrangement]) -> None:
    """With a tile that has to be laid, the best is the first of all those that lay it."""
    rack = Rack.from_bits(position.bits)
    for tile in rack:
        melded = (rank(one, objective) for one in found if one.left.count(tile) < rack.count(tile))
        best = arrange_bits(*position, objective, must=tile)
        assert (best and rank(best, objective)) == next(melded, None)


@pytest.mark.parametrize("objective", list(Objective))
def test_arrangements_are_legal_and_agree_with_the_value(objective: Objective) -> None:
    rng = random.Random(f"legal {objective}")
    for number in range(120):
        position = draw(rng, rng.randint(1, 22), min(number % 3, 1), rng.choice((1, 2, 4)))
        found = unwrap(arrange_bits(*position, objective))
        check_legal(position, found)
        assert abs(rank(found, objective)[0]) == best_value_bits(*position, objective)
        best = arrangements_bits(*position, objective, 5)
        assert rank(best[0], objective) == rank(found, objective)
        for one in best:
            check_legal(position, one)


@pytest.mark.parametrize("okeys", range(3))
@pytest.mark.parametrize("objective", MELDED)
def test_all_arrangements_of_small_racks(objective: Objective, okeys: int, size: Size) -> None:
    rng = random.Random(f"all {objective} {okeys}")
    for _ in range(size(6, long=120)):
        position = draw(rng, rng.randint(5, 11 - 2 * okeys) + okeys, okeys, rng.choice((1, 2)))
        _, okey = position
        every = {brute.key(groups, okey) for groups in brute.arrangements(brute.hand_of(*position))}
        found = arrangements_bits(*position, objective, 10**6)
        assert {brute.key(one.pieces, okey) for one in found} == every
        assert len(found) == len(every)
        ranks = [rank(one, objective) for one in found]
        assert ranks == sorted(ranks, reverse=True)
        # A few of them are the first few of all.
        assert [
            rank(one, objective) for one in arrangements_bits(*position, objective, 4)
        ] == ranks[:4]
        for keep in (1, 3):
            kept = [r for one, r in zip(found, ranks, strict=True) if len(one.left) >= keep]
            best = arrange_bits(*position, objective, keep=keep)
            assert (best and rank(best, objective)) == (kept[0] if kept else None)
        check_must(position, objective, found)


def test_must_by_every_name() -> None:
    rack = Rack.parse("B5 F B7 R1 R2 *")
    for must, melded in ((Tile.F, Tile.F), (Tile.B6, Tile.OKEY), (Tile.OKEY, Tile.OKEY)):
        assert melded not in unwrap(arrange_bits(rack.bits, Tile.B6, must=must)).left
    assert arrange_bits(rack.bits, Tile.B6, must=Tile.K1) is None
    assert arrange_bits(Rack.parse("K1 R5 *").bits, Tile.B6, must=OKEY) is None
    assert arrange_bits(Rack.parse("B5 F K1 K2").bits, Tile.B6, must=Tile.K1) is None
    assert arrange_bits(Rack.parse("F F K1").bits, Tile.B6, Objective.PAIRS, must=Tile.K1) is None


@pytest.mark.parametrize(
    ("bits", "code"),
    [
        (3, "not-a-rack"),
        (1 << 108, "not-a-rack"),
        (-1, "not-a-rack"),
        (1 << 2 * Tile.B6, "okey-face-in-rack"),
    ],
)
@pytest.mark.parametrize("objective", [Objective.POINTS, Objective.PAIRS])
def test_bad_racks(bits: int, code: str, objective: Objective) -> None:
    for question in (best_value_bits, arrange_bits):
        with raises_code(code):
            question(bits, Tile.B6, objective)


def test_empty_rack() -> None:
    for objective in Objective:
        assert best_value_bits(0, Tile.B6, objective) == 0
        assert unwrap(arrange_bits(0, Tile.B6, objective)).pieces == ()
        assert arrange_bits(0, Tile.B6, objective, keep=1) is None
        assert len(arrangements_bits(0, Tile.B6, objective, 3)) == 1


# Pairs --------------------------------------------------------------------------------------------

Pairs = tuple[tuple[int, int], ...]


def choices(hand: brute.Hand) -> Iterator[Pairs]:
    """Every way to make pairs, two okeys as red 13s."""
    pairs = [(k, k) for k in range(52)] + [(k, AS + k) for k in range(52)]
    pairs.append((AS + 12, AS + 12))

    def go(hand: brute.Hand, first: int, chosen: Pairs) -> Iterator[Pairs]:
        yield chosen
        for place in range(first, len(pairs)):
            rest = brute.without(hand, pairs[place])
            if rest is not None:
                yield from go(rest, place, (*chosen, pairs[place]))

    yield from go(hand, 0, ())


def test_choices_by_enumeration() -> None:
    rng = random.Random(11)
    for number in range(60):
        position = draw(rng, rng.randint(2, 10), number % 3, 1)
        every = sorted(
            (
                (len(pairs), sum((p & 63) % 13 + 1 for pair in pairs for p in pair))
                for pairs in choices(brute.hand_of(*position))
            ),
            reverse=True,
        )
        found = arrangements_bits(*position, Objective.PAIRS, 10**6)
        assert [rank(one, Objective.PAIRS) for one in found] == every
        assert len({one.pieces for one in found}) == len(found)
        assert count_pairs_bits(*position) == every[0][0]
        for keep in (1, 2, 5):
            size = len(Rack.from_bits(position.bits))
            kept = (pairs for pairs in every if size - 2 * pairs[0] >= keep)
            best = arrange_bits(*position, Objective.PAIRS, keep=keep)
            assert (best and rank(best, Objective.PAIRS)) == next(kept, None)
        check_must(position, Objective.PAIRS, found)


def test_of_tiles_that_cost_the_same_the_one_stays_that_breaks_no_group() -> None:
    rack = Rack.parse("R6 R7 R8 R9 R2 Y2 B2")
    found = unwrap(arrange_bits(rack.bits, Tile.K13, Objective.POINTS, keep=1))
    assert (found.points, found.tiles) == (30, 6)
    # Seven tiles are laid either way: those that count most.
    whole = Rack.parse("R5 R6 R7 K8 K9 K10 K11 *")
    found = unwrap(arrange_bits(whole.bits, Tile.B6, Objective.TILES, keep=1))
    assert (found.tiles, found.points) == (7, 60)


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
    assert best_value(Rack.parse("R1 R2 *"), okey=None) == 6
    with raises_code("false-joker-in-riziko"):
        best_value(Rack.parse("R7 F"), okey=None)
    for best in (0, 10**6 + 1):
        with raises_code("out-of-range"):
            arrangements(Rack.parse("R7"), Tile.B6, best=best)
    assert arrangements(Rack.parse("R7"), Tile.B6, best=10**6)


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


def test_tiles_in_groups_and_in_columns() -> None:
    group = parse_group("R7 *R8 R9")
    assert [tile in group for tile in ("r7", Tile.OKEY, "R8", "x")] == [True, True, False, False]
    assert f"{Tile.R7:>4}" == "  R7"


def test_the_tile_that_is_waited_for() -> None:
    rack = Rack.parse("R7 R8 K1 K1")
    gains = {Tile(out.tile).name: out.gain for out in outs_bits(rack.bits, Tile.B6)}
    assert gains == {"R9": 24, "OKEY": 24, "R6": 21}


def test_R8_a_riziko_deal_has_one_okey_and_no_false_joker_else() -> None:
    drawn = {out.tile: out.copies for out in outs_bits(Rack.parse("R7 R8").bits, None, every=True)}
    assert Tile.F not in drawn
    assert drawn[Tile.OKEY] == 1
    assert Tile.OKEY not in {o.tile for o in outs_bits(Rack.parse("R7 *").bits, None, every=True)}


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


def test_an_okey_that_has_to_be_melded_takes_the_place_of_a_tile() -> None:
    pairs = unwrap(arrange("R5 R5 *", Tile.B6, Objective.PAIRS, must=OKEY))
    assert (pairs.pairs, pairs.left) == (1, Rack("R5"))
    melds = unwrap(arrange("R7 R8 R9 *", Tile.B6, must=OKEY, keep=1))
    assert (melds.points, melds.left) == (27, Rack("R7"))


def test_two_okeys_find_room_above_a_run_or_beside_each_other() -> None:
    bits = Rack.parse("* * K9").bits
    for last, found in ((11, True), (12, False), (13, False)):
        plan = can_lay_all_but_one_bits(bits, Tile.B6, [RunPlace("run", 0, 1, last)])
        assert (plan is not None) == found
    pair = unwrap(max_laid_bits(bits, Tile.B6, [], allow_pairs=True))
    assert (pair.pieces, pair.discard) == (((AS + Tile.R13, AS + Tile.R13),), Tile.K9)


def test_two_ways_between_the_same_states_are_two_of_the_best() -> None:
    steps = [Edge(3, "light", "end"), Edge(5, "heavy", "end")]
    graph = Layered("start", 1, lambda *_: steps, lambda _: True, lambda layer, _: 5 - 5 * layer)
    for best, found in ((1, [(5, ["heavy"])]), (2, [(5, ["heavy"]), (3, ["light"])])):
        assert best_paths(graph, best) == found


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
