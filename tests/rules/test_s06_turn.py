"""Section 6: the turn, and taking tiles back (U5)."""

from typing import Any

import pytest

from okey101.game import Deal, Opened, Phase, parse_action
from okey101.tiles import Rack, Tile
from rules.table import (
    MELDS,
    NEUTRAL,
    NO_K13,
    PAIRS,
    fines,
    play,
    refuses,
    scores,
    table,
    tabled,
    texts,
)


def test_U1_draw_or_take_then_play_then_discard(preset: str) -> None:
    deal = table(preset, ["K13 B3", f"{NO_K13} B9 B1"], stock="B2 B4")
    refuses(deal, "discard K12", "not-in-hand", "U1")
    deal = play(deal, "discard K13")
    assert deal.phase is Phase.DRAW
    for line in ("discard B9", f"meld {MELDS}", "lay B9 > 1", "back 1"):
        refuses(deal, line, "must-draw-first", "U1")
    refuses(deal, "return", "nothing-taken", "U3")
    for line in ("pass", "indicator"):
        refuses(deal, line, "not-asked", "E4" if line == "indicator" else "E2")
    drawn = play(deal, "draw")
    refuses(drawn, "draw", "already-drawn", "U1")
    refuses(drawn, "take", "already-drawn", "U1")
    assert len(drawn.rack(1)) == len(deal.rack(1)) + 1
    took = play(deal, "take")
    refuses(took, "draw", "already-drawn", "U1")
    assert took.public.discards[0] == ()
    assert play(took, f"meld {MELDS}", "discard B9").turn == 0


def test_U1_only_the_last_discard_of_the_previous_player_is_taken(preset: str) -> None:
    hands = ["K13 B3", "B1 B9", f"{NO_K13} B7 B8"]
    deal = play(table(preset, hands, stock="B2 B4 B6"), "discard K13", "draw", "discard B2")
    if preset == "pagat":
        refuses(deal, "take", "taken-useless", "U3")
    else:
        deal = play(deal, "take")
        assert deal.public.taken == Tile.B2
        refuses(deal, f"meld {MELDS}", "not-in-hand", "O1")


def opened_and_thrown(
    preset: str, hand: str, tile: str, melds: str = MELDS, **changes: Any
) -> Deal:
    """Seat 1 has opened (groups from 1 on) and holds ``hand``; seat 0 has thrown ``tile``."""
    hands = [f"B5 {tile} B3", f"{melds} {hand} Y9"]
    deal = play(table(preset, hands, stock=NEUTRAL, **changes), "discard B5", "draw")
    return play(deal, f"meld {melds}", "discard B2", "draw", f"discard {tile}")


def test_U2_unopened_the_taken_tile_must_be_in_the_opening_and_counts(preset: str) -> None:
    extra = "B7 B8 B9"
    deal = table(preset, ["K13 B3", f"{NO_K13} {extra} B1"], stock="B2 B4")
    deal = play(deal, "discard K13", "take")
    refuses(deal, "discard K13", "taken-not-used", "U2")
    refuses(deal, "discard B1", "taken-not-used", "U2")
    deal = play(deal, f"meld {MELDS}")
    assert deal.public.high_points == 108
    assert play(deal, "discard B1").turn == 0


def test_U2_an_opening_without_the_taken_tile_is_refused(preset: str) -> None:
    melds = "R11 R12 R13 / Y11 Y12 Y13 / B9 B10 B11 / R9 Y9 K9"
    deal = table(preset, ["K10 B3", f"{melds} R10 Y10 B1"], stock="B2 B4")
    deal = play(deal, "discard K10", "take")
    refuses(deal, f"meld {melds}", "taken-not-used", "U2")
    with_it = "R11 R12 R13 / Y11 Y12 Y13 / R9 Y9 K9 / R10 Y10 K10"
    deal = play(deal, f"meld {with_it}", "discard B1")
    assert deal.public.opened[1] is Opened.MELDS


def test_U2_in_a_pairs_opening_too(preset: str) -> None:
    pairs = PAIRS[0]
    hand = pairs.replace("Y2 Y2", "Y2") + " B7 B7 B1"
    deal = play(table(preset, ["Y2 B3", hand], stock="B2 B4"), "discard Y2", "take")
    without = pairs.replace("Y2 Y2", "B7 B7")
    refuses(deal, f"meld {without}", "taken-not-used", "U2")
    deal = play(deal, f"meld {pairs}", "discard B1")
    assert deal.public.opened[1] is Opened.PAIRS


@pytest.mark.parametrize(
    ("hand", "tile", "use"),
    [
        ("B9", "R10", "lay R10 > 1"),
        ("B7 B8 B9", "B10", "meld B8 B9 B10"),
        ("R4 Y4 B9", "K4", "meld R4 Y4 K4"),
        ("R4 * B9", "K4", "meld R4 *4 K4"),
    ],
)
def test_U2_R15_opened_it_goes_into_a_new_meld_or_is_laid_off(
    preset: str, hand: str, tile: str, use: str
) -> None:
    deal = play(opened_and_thrown(preset, hand, tile), "take")
    refuses(deal, "discard Y9", "taken-not-used", "U2")
    refuses(deal, f"discard {tile}", "taken-not-used", "U2")
    assert play(deal, use, "discard Y9").turn == 0


def test_R1_a_twin_of_the_taken_tile_serves_as_well(preset: str) -> None:
    deal = play(opened_and_thrown(preset, "R10 B9", "R10"), "take", "lay R10 > 1")
    assert not deal.public.taken_waits
    assert str(deal.rack(1)) == "R10 Y9 B9"
    assert play(deal, "discard Y9").turn == 0


LOW = "R5 R6 R7 R8 / R13 Y13 K13 / Y9 Y10 Y11 / K1 K2 K3"


@pytest.mark.parametrize(
    ("hand", "tile", "lines", "after", "melds"),
    [
        ("B9", "*", ["lay *R10 > 1"], "*R10 R11 R12 R13", MELDS),
        ("R10 B9", "R9", ["lay R10 > 1", "lay R9 > 1"], "R9 R10 R11 R12 R13", MELDS),
        (
            "R9 * B9", "R8", ["lay *R10 > 1", "lay R9 > 1", "lay R8 > 1"],
            "R8 R9 *R10 R11 R12 R13", MELDS,
        ),
        ("R9 B9", "R10", ["lay R9 > 1", "lay R10 > 1"], "R5 R6 R7 R8 R9 R10", LOW),
    ],
)  # fmt: skip
def test_U2_R1_use_by_a_chain_of_lay_offs(
    preset: str, hand: str, tile: str, lines: list[str], after: str, melds: str
) -> None:
    deal = play(opened_and_thrown(preset, hand, tile, melds), "take")
    assert fines(deal) == ([(0, "P1", 101)] if tile == "*" else [])
    refuses(deal, f"discard {tile}", "taken-not-used", "U2")
    for line in lines[1:]:
        refuses(deal, line, "does-not-fit", "M4")
    assert tabled(play(deal, *lines, "discard Y9"), 1) == after


def test_U2_R1_a_chain_that_would_leave_nothing_to_discard_is_no_use(preset: str) -> None:
    deal = table(preset, ["B5 R9 B3", f"{MELDS} R10"], stock=NEUTRAL)
    deal = play(deal, "discard B5", "draw", f"meld {MELDS}", "discard B2", "draw", "discard R9")
    if preset == "pagat":
        refuses(deal, "take", "taken-useless", "U3")
    else:
        deal = play(deal, "take")
        refuses(deal, "lay R10 > 1", "taken-not-used", "R1")
        deal = play(deal, "return", "draw")
        assert deal.phase is Phase.PLAY


def test_R1_a_lay_off_that_spoils_the_only_use_is_refused(preset: str) -> None:
    # Red 10 bridges the red run to red 9, and would fit the set of tens too.
    melds = f"{MELDS} / Y10 B10 K10"
    deal = play(opened_and_thrown(preset, "R10 B8", "R9", melds), "take")
    refuses(deal, "lay R10 > 4", "taken-not-used", "R1")
    assert play(deal, "lay R10 > 1", "lay R9 > 1", "discard Y9").turn == 0


@pytest.mark.parametrize(
    ("held", "thrown"), [("R10 > 1", "Y10 > 2"), ("Y10 > 2", "R10 > 1"), ("K10 > 3", "Y10 > 2")]
)
def test_R1_a_lay_off_leaves_the_use_on_every_other_group(
    preset: str, held: str, thrown: str
) -> None:
    deal = opened_and_thrown(preset, f"{held.split(maxsplit=1)[0]} B8", thrown.split(maxsplit=1)[0])
    assert play(deal, "take", f"lay {held}", f"lay {thrown}", "discard Y9").turn == 0


def test_R1_a_meld_that_spoils_the_only_use_is_refused(preset: str) -> None:
    deal = play(opened_and_thrown(preset, "R4 Y4 K4 K5 B9", "K6"), "take")
    refuses(deal, "meld R4 Y4 K4", "taken-not-used", "R1")
    assert play(deal, "meld K4 K5 K6", "discard Y9").turn == 0


def test_R1_a_meld_that_opens_a_use_is_fine(preset: str) -> None:
    deal = play(opened_and_thrown(preset, "K3 K4 K5 B9", "K6"), "take", "meld K3 K4 K5")
    assert play(deal, "lay K6 > 4", "discard Y9").turn == 0


def test_R1_the_last_tile_but_one_is_kept_for_the_use() -> None:
    # With Y9 laid off nothing would be left to discard after the red 10.
    deal = table("altinstar", ["B5 R10 B3", f"{MELDS} Y10"], stock=NEUTRAL)
    deal = play(deal, "discard B5", "draw", f"meld {MELDS}", "discard B2", "draw", "discard R10")
    deal = play(deal, "take")
    refuses(deal, "lay Y10 > 2", "taken-not-used", "R1")
    assert scores(play(deal, "lay R10 > 1", "discard Y10"))[1] == -101


@pytest.mark.parametrize("preset", ["altinstar", "wiki"])
def test_U3_R1_the_taken_tile_may_be_put_back_free_and_obliges_to_draw(preset: str) -> None:
    deal = play(table(preset, ["K13 B3", "B9 B1"], stock="B2 B4"), "discard K13", "take", "return")
    assert deal.phase is Phase.MUST_DRAW
    assert not fines(deal)
    refuses(deal, "take", "draw-only", "R1")
    refuses(deal, "discard B1", "must-draw-first", "U1")
    refuses(deal, "return", "nothing-taken", "U3")
    deal = play(deal, "draw", "discard B1")
    assert [len(pile) for pile in deal.public.discards] == [1, 1]
    assert not fines(deal)


def test_U3_not_after_something_was_laid_that_was_not_taken_back() -> None:
    taken = play(opened_and_thrown("altinstar", "Y10 B9", "R10"), "take")
    deal = play(taken, "lay Y10 > 2")
    refuses(deal, "return", "already-laid", "U3")
    refuses(play(deal, "lay R10 > 1"), "return", "already-laid", "U3")
    assert play(taken, "lay R10 > 1", "back 1", "return", "draw").phase is Phase.PLAY
    deal = play(table("altinstar", ["K13 B3", f"{NO_K13} B9 B1"], stock="B2"), "discard K13")
    refuses(play(deal, "take", f"meld {MELDS}"), "return", "already-laid", "U3")


@pytest.mark.parametrize(
    "hand", ["B9 B1", NO_K13, "K11 K12 R7 R8 R9 B1 B9", "R1 R1 Y1 Y1 K1 K1 R2 R2 K13"]
)
def test_U3_S1_lets_it_be_taken_only_where_a_use_exists(hand: str) -> None:
    deal = play(table("pagat", ["K13 B3", hand], stock="B2 B4"), "discard K13")
    refuses(deal, "take", "taken-useless", "U3")


@pytest.mark.parametrize(
    ("hand", "meld"),
    [
        (f"{NO_K13} B1", MELDS),
        ("R1 R1 Y1 Y1 K1 K1 R2 R2 K13 B1", "R1 R1 / Y1 Y1 / K1 K1 / R2 R2 / K13 K13"),
        ("R1 R1 Y1 Y1 K1 K1 R2 R2 * B1", "R1 R1 / Y1 Y1 / K1 K1 / R2 R2 / K13 *K13"),
    ],
)
def test_U3_S1_where_it_may_be_taken_it_can_be_used_and_not_put_back(hand: str, meld: str) -> None:
    deal = play(table("pagat", ["K13 B3", hand], stock="B2 B4"), "discard K13")
    deal = play(deal, "take")
    refuses(deal, "return", "return-not-allowed", "U3")
    assert play(deal, f"meld {meld}", "discard B1").over


def test_U4_melding_the_last_tile_is_illegal(preset: str) -> None:
    deal = table(preset, [f"{MELDS}", "B9"], stock="B2")
    refuses(deal, f"meld {MELDS}", "nothing-left", "U4")
    refuses(table(preset, [PAIRS[0], "B9"], stock="B2"), f"meld {PAIRS[0]}", "nothing-left", "U4")
    deal = table(preset, [f"{MELDS} R10", "B9"], stock="B2")
    refuses(play(deal, f"meld {MELDS}"), "lay R10 > 1", "nothing-left", "U4")


@pytest.mark.parametrize("opening", [MELDS, PAIRS[0]])
def test_U6_the_discard_of_a_pairs_opener_alone_is_protected(preset: str, opening: str) -> None:
    deal = table(preset, [f"{opening} K13 B3", f"{NO_K13} B9 B1"], stock="B2 B4")
    deal = play(deal, f"meld {opening}", "discard K13")
    if preset == "wiki" and opening == PAIRS[0]:
        refuses(deal, "take", "discard-protected", "U6")
    else:
        assert play(deal, "take", f"meld {MELDS}").public.opened[1] is Opened.MELDS


@pytest.mark.parametrize(
    ("indicator", "tile", "points"),
    [("B12", "R10", 100), ("B12", "Y10", 100), ("R9", "F", 100), ("K5", "*", 60), ("R13", "*", 10)],
)
def test_U7_a_taken_and_used_discard_costs_the_thrower(
    indicator: str, tile: str, points: int
) -> None:
    deal = play(opened_and_thrown("wiki", "B1", tile, indicator=indicator), "take")
    deal = play(
        deal, "lay *Y10 > 2" if tile == "*" else f"lay {tile} > {2 if tile == 'Y10' else 1}"
    )
    thrown = (0, "P1" if tile == "*" else "P2", 101)
    assert fines(deal) == [thrown]
    assert fines(play(deal, "discard B1")) == [thrown, (0, "U7", points)]


def test_U7_not_where_it_was_put_back() -> None:
    deal = table("wiki", ["K13 B3", "B9 B1"], stock="B2 B4")
    deal = play(deal, "discard K13", "take", "return", "draw", "discard B9")
    assert fines(deal) == []


def test_U7_P1_R8_the_riziko_okey_has_no_number() -> None:
    deal = opened_and_thrown("wiki", "B1", "*", indicator="F")
    assert fines(play(deal, "take", "lay *R10 > 1", "discard B1")) == [(0, "P1", 101)]


# Taking back (U5), with the rulings R1 and R2 -----------------------------------------------------


def opened(preset: str = "altinstar", hand: str = "", **changes: Any) -> Deal:
    """Seat 0 has just opened with melds (groups 1-3) and holds ``hand`` and a black 8 and 9."""
    deal = table(preset, [f"{MELDS} {hand} K8 K9", "B9 B1"], stock=NEUTRAL, **changes)
    return play(deal, f"meld {MELDS}")


def test_U5_the_last_tile_put_down_comes_back_free(preset: str) -> None:
    deal = opened(preset, "R10 Y10")
    again = play(deal, "lay R10 > 1", "back 1")
    assert (again.hands, again.public.table) == (deal.hands, deal.public.table)
    assert fines(again) == []


def test_U5_R2_anew_in_the_next_turn() -> None:
    deal = play(opened("altinstar", "R10 Y10 R9"), "lay R10 > 1", "lay Y10 > 2", "back 2")
    deal = play(deal, "discard K8", "draw", "discard B2", "draw", "lay R10 > 1", "lay R9 > 1")
    assert fines(play(deal, "back 1")) == [(0, "P4", 101)]
    assert fines(play(deal, "back 2")) == [(0, "P4", 101), (0, "P4", 101)]


def test_U5_an_opening_is_not_taken_back(preset: str) -> None:
    deal = opened(preset, "R10 Y10")
    refuses(deal, "back 1", "nothing-to-take-back", "U5")
    deal = play(deal, "lay R10 > 1")
    for count in ("0", "2", "9"):
        refuses(deal, f"back {count}", "nothing-to-take-back", "U5")


def test_U5_nor_what_was_put_down_in_an_earlier_turn() -> None:
    deal = play(
        opened("altinstar", "R10"), "lay R10 > 1", "discard K8", "draw", "discard B2", "draw"
    )
    refuses(deal, "back 1", "nothing-to-take-back", "U5")


def test_U5_the_order_is_latest_first() -> None:
    deal = play(opened("altinstar", "R10 R9 Y10"), "lay R10 > 1", "lay Y10 > 2", "lay R9 > 1")
    deal = play(deal, "back 1")
    assert str(deal.rack(0)) == "R9 K8 K9"
    assert (tabled(deal, 1), tabled(deal, 2)) == ("R10 R11 R12 R13", "Y10 Y11 Y12 Y13")


@pytest.mark.parametrize(
    ("hand", "lines", "breaks", "stay"),
    [
        ("R5 Y5 B5 K5", ["meld R5 Y5 B5 K5"], (2, 3), {1: ["R5 Y5 B5"], 4: []}),
        # Runs come back from their high end.
        ("R5 R6 R7 R8", ["meld R8 R7 R6 R5"], (2, 3), {1: ["R5 R6 R7"], 4: []}),
        ("R5 Y5 B5 *", ["meld *5 B5 Y5 R5"], (2, 3), {1: ["R5 Y5 B5"], 4: []}),
        # A new meld of three comes back whole or not at all; a lay-off on it before it.
        ("R5 R6 R7", ["meld R5 R6 R7"], (1, 2), {3: []}),
        ("R5 R6 R7 R8", ["meld R5 R6 R7", "lay R8 > 4"], (2, 3), {1: ["R5 R6 R7"], 4: []}),
        (
            "R5 R6 R7 R8 Y5 Y6 Y7", ["meld R5 R6 R7 R8 / Y5 Y6 Y7"], (1, 2, 5, 6),
            {3: ["R5 R6 R7 R8"], 4: ["R5 R6 R7"], 7: []},
        ),
        # A set with two okeys does not shrink to a pair (M5), and those of a full one are free
        # again when it shrinks (J3).
        ("R5 * *", ["meld R5 *5 *5"], (1, 2), {3: []}),
        ("R5 Y5 * *", ["meld R5 Y5 *5 *5"], (2, 3), {1: ["R5 Y5 *5"], 4: []}),
        ("R5 Y5 * B5", ["meld R5 Y5 *5", "lay B5 > 4"], (2, 3), {1: ["R5 Y5 *5"], 4: []}),
    ],
)  # fmt: skip
def test_R2_M5_J3_what_stays_must_be_a_group(
    hand: str, lines: list[str], breaks: tuple[int, ...], stay: dict[int, list[str]]
) -> None:
    before = opened("altinstar", hand)
    deal = play(before, *lines)
    for count in breaks:
        refuses(deal, f"back {count}", "breaks-group", "R2")
    for count, groups in stay.items():
        back = play(deal, f"back {count}")
        assert texts(back)[3:] == groups
        assert fines(back) == ([(0, "P4", 101)] if count > 1 else [])
        assert groups or back.hands == before.hands


def test_R2_pairs() -> None:
    deal = table("altinstar", [f"{PAIRS[0]} B7 B7 B9 B9 B1", "Y9"], stock="B2")
    deal = play(deal, f"meld {PAIRS[0]}", "meld B7 B7 / B9 B9")
    refuses(deal, "back 1", "breaks-group", "R2")
    assert len(texts(play(deal, "back 2"))) == 6
    assert fines(play(deal, "back 2")) == [(0, "P4", 101)]
    refuses(deal, "back 3", "breaks-group", "R2")
    assert len(texts(play(deal, "back 4"))) == 5


def test_R2_taking_back_is_no_way_round_the_fine_for_a_taken_tile() -> None:
    deal = play(opened_and_thrown("wiki", "Y10", "R10"), "take", "lay R10 > 1", "back 1")
    assert (0, "U7", 100) not in fines(deal)
    assert (0, "U7", 100) not in fines(play(deal, "return", "draw", "discard Y9"))
    deal = play(deal, "lay R10 > 1", "discard Y9")
    assert [f for f in fines(deal) if f.rule == "U7"] == [(0, "U7", 100)]


def test_U5_R2_a_tile_taken_back_is_known_and_the_hand_stays_open() -> None:
    deal = play(opened("altinstar", "R10"), "lay R10 > 1", "back 1")
    assert deal.public.known[0] == Rack.parse("R10").bits
    assert deal.public.opened[0] is Opened.MELDS


def test_U5_what_came_back_fits_again_and_is_fined_when_thrown(preset: str) -> None:
    deal = play(opened(preset, "R10 R9"), "lay R10 > 1", "back 1")
    refuses(deal, "lay R9 > 1", "does-not-fit", "M4")
    assert fines(play(deal, "discard R9")) == []
    assert fines(play(deal, "discard R10")) == [(0, "P2", 101)]


# A taken okey that only a new meld can use, for nothing on the table takes a tile -----------------

FULL_SETS = "R13 Y13 B13 K13 / R12 Y12 B12 K12 / R11 Y11 B11 K11"


@pytest.mark.parametrize(
    ("hand", "usable"),
    [
        ("R3 R4 Y9", True),
        ("R3 R5 Y9", True),
        ("R3 K3 Y9", True),
        ("R3 R6 Y9", False),
        ("R3 R3 Y9", False),
        ("R3 R4", False),  # the okey's meld would leave nothing to discard
    ],
)
def test_U3_a_taken_okey_needs_a_meld_where_the_table_takes_nothing(
    hand: str, *, usable: bool
) -> None:
    held = FULL_SETS.replace("/ ", "")
    deal = table("pagat", ["B9 * K7 K7", f"{held} {hand}"], stock="B2 B3 B7 B8")
    deal = play(deal, "discard B9", "draw", f"meld {FULL_SETS}", "discard B2")
    assert deal.public.playable == 0
    deal = play(deal, "draw", "discard *")
    if usable:
        assert parse_action("take") in deal.legal_actions()
    else:
        refuses(deal, "take", "taken-useless", "U3")
