"""Section 12: what is played beyond the sources: thresholds, okeys, pairs, amounts, partners."""

from typing import Any

import pytest

from conftest import raises_code
from okey101.errors import RuleSetError
from okey101.game import Back, Deal, Opened, RuleSet, options_of
from okey101.game.duties import finishing_opening
from okey101.tiles import Rack
from rules.table import (
    MELDS,
    NEUTRAL,
    NO_K13,
    PAIRS,
    fines,
    opened,
    play,
    refuses,
    scores,
    table,
    tabled,
    texts,
)

LOW = "R5 R6 R7 R8 / R13 Y13 K13 / Y9 Y10 Y11 / R2 Y2 K2"
"""An opening of exactly 101."""


def rising(first: str, hand: str, **changes: Any) -> Deal:
    """Seat 0 has opened with ``first``; seat 1 has drawn a tile and holds ``hand``."""
    changes = {"rising": True, "stock": "B4 B6 B8", "rules": "altinstar", **changes}
    deal = table(hands=[f"{first} B3 B5", f"{hand} B7", "K7 Y7"], **changes)
    return play(deal, f"meld {first}", "discard B3", "draw")


def test_X1_an_opening_must_beat_the_highest_by_a_point() -> None:
    assert options_of(rising(LOW, MELDS)).need_points == 102
    deal = play(rising(LOW, MELDS), f"meld {MELDS}")
    assert (deal.public.opened[1], deal.public.high_points) == (Opened.MELDS, 108)
    deal = play(rising(LOW, LOW), f"meld {LOW}")
    assert deal.public.opened[1] is None
    assert fines(deal) == [(1, "P3", 101)]
    assert options_of(play(deal, "discard B7", "draw")).need_points == 102  # it raises nothing
    assert play(rising(LOW, LOW, rising=False), f"meld {LOW}").public.opened[1] is Opened.MELDS


def test_X1_pairs_rise_by_one_pair_up_to_seven_which_are_always_enough() -> None:
    deal = rising(PAIRS[0], f"{PAIRS[1]} B9 B9 B1 B1")
    assert options_of(deal).need_pairs == 6
    assert fines(play(deal, f"meld {PAIRS[1]}")) == [(1, "P3", 101)]
    assert play(deal, f"meld {PAIRS[1]} / B9 B9").public.high_pairs == 6
    seven = play(deal, f"meld {PAIRS[1]} / B9 B9 / B1 B1", "discard B7", "draw")
    assert options_of(seven).need_pairs == 7
    eight = f"{PAIRS[0]} / B9 B9 / B1 B1 / B11 B11"
    deal = rising(eight, f"{PAIRS[1]} K9 K9 K4 K4", stock="B2 B4 B6")
    assert options_of(deal).need_pairs == 7
    assert play(deal, f"meld {PAIRS[1]} / K9 K9 / K4 K4").public.opened[1] is Opened.PAIRS


def test_X1_points_and_pairs_rise_apart() -> None:
    assert options_of(rising(MELDS, PAIRS[0])).need_pairs == 5
    assert options_of(rising(PAIRS[0], MELDS)).need_points == 101
    assert play(rising(MELDS, PAIRS[0]), f"meld {PAIRS[0]}").public.opened[1] is Opened.PAIRS


def test_X1_only_what_was_laid_in_the_opening_counts() -> None:
    deal = table("altinstar", [f"{LOW} R9 R10 R11 Y8 B3 B5", "Y9 B7"], stock=NEUTRAL, rising=True)
    deal = play(deal, f"meld {LOW}", "meld R9 R10 R11", "lay Y8 > 3", "discard B3", "draw")
    assert options_of(deal).need_points == 102


def test_X1_the_highest_counts_not_the_last() -> None:
    hands = [f"{MELDS} B3 B5", "B7 B9", "B1 Y9"]
    deal = play(table("altinstar", hands, stock=NEUTRAL, rising=True), f"meld {MELDS}")
    assert options_of(play(deal, "discard B3", "draw", "discard B2", "draw")).need_points == 109


def test_X1_O4_the_whole_hand_is_not_bound_by_it() -> None:
    deal = rising(MELDS, "R1 R2 R3 Y1 Y2 Y3 B5 B6", rules="pagat")
    deal = play(deal, "meld R1 R2 R3 / Y1 Y2 Y3 / B5 B6 B7")
    assert deal.public.opened[1] is Opened.MELDS
    assert deal.public.high_points == 108


def test_X1_X3_refused_where_short_openings_are() -> None:
    deal = rising(LOW, LOW, short_opening="refuse")
    refuses(deal, f"meld {LOW}", "below-threshold", "X1")
    refuses(deal, "meld R5 R6 R7 R8", "below-threshold", "O1")
    deal = rising(PAIRS[0], PAIRS[1], short_opening="refuse")
    refuses(deal, f"meld {PAIRS[1]}", "below-threshold", "X1")


def reclaim(laid: str, hand: str, rules: str = "altinstar", **changes: Any) -> Deal:
    """Seat 0 has laid ``laid`` as group 4; seat 1 has opened (groups 5-7) and holds ``hand``."""
    return opened(rules, MELDS, MELDS, f"{hand} B7", laid=laid, reclaim_okey=True, **changes)


@pytest.mark.parametrize(
    ("laid", "tile", "after"),
    [
        ("R4 *R5 R6", "R5", "R4 R5 R6"),
        ("*R4 R5 R6", "R4", "R4 R5 R6"),
        ("R5 Y5 *B5", "B5", "R5 Y5 B5"),
        ("R5 Y5 B5 *5", "K5", "R5 Y5 B5 K5"),
        ("R5 Y5 *5 *5", "K5", "R5 Y5 K5 *B5"),
        ("R5 Y5 *5 *5", "B5", "R5 Y5 B5 *K5"),
        ("B11 B12 *B13", "F", "B11 B12 F"),  # of the okey's own kind (J2)
    ],
)
def test_X2_J2_the_real_tile_takes_the_okeys_place(laid: str, tile: str, after: str) -> None:
    deal = reclaim(laid, tile)
    size = len(deal.rack(1))
    deal = play(deal, f"swap {tile} > 4")
    assert tabled(deal, 4) == after
    assert deal.rack(1).count(53) == 1
    assert deal.rack(1).count(0) == 0
    assert len(deal.rack(1)) == size
    assert deal.public.sizes[1] == size


@pytest.mark.parametrize(
    ("laid", "tile"),
    [
        ("R5 Y5 *5", "B5"),
        ("R5 Y5 *5", "K5"),
        ("R5 *5 *5", "Y5"),
        ("R5 Y5 *B5", "K5"),
        ("R4 *R5 R6", "R6"),
        ("R4 *R5 R6", "R7"),
    ],
)
def test_X2_not_where_a_doubt_is_left(laid: str, tile: str) -> None:
    refuses(reclaim(laid, tile), f"swap {tile} > 4", "not-reclaimable", "X2")


def test_X2_once_the_set_is_full_the_doubt_is_gone() -> None:
    deal = reclaim("R5 Y5 *5", "K5 B5")
    refuses(deal, "swap B5 > 4", "not-reclaimable", "X2")
    assert tabled(play(deal, "lay K5 > 4", "swap B5 > 4"), 4) == "R5 Y5 B5 K5"


def test_X2_only_after_opening_and_with_the_tile_in_hand() -> None:
    deal = table("altinstar", [f"{MELDS} R4 *R5 R6 B3 B5", "R5 B7"], stock="B2", reclaim_okey=True)
    deal = play(deal, f"meld {MELDS}", "meld R4 *R5 R6", "discard B3", "draw")
    refuses(deal, "swap R5 > 4", "not-opened", "X2")
    refuses(reclaim("R4 *R5 R6", "R9"), "swap R5 > 4", "not-in-hand", "X2")
    refuses(reclaim("R4 *R5 R6", "R9"), "swap R5 > 8", "no-group", "O3")


def test_X2_in_the_turn_of_the_opening_and_the_okey_is_used_at_once() -> None:
    deal = play(reclaim("R4 *R5 R6", "R5 K4 Y4"), "swap R5 > 4", "meld K4 Y4 *4")
    assert tabled(deal, 8) == "Y4 K4 *4"


def test_X2_from_a_pair_but_never_of_two_okeys() -> None:
    opening = "R1 *R1 / Y1 Y1 / K1 K1 / R2 R2 / *2 Y2"
    deal = opened("altinstar", opening, MELDS, "R1 B7", reclaim_okey=True)
    assert tabled(play(deal, "swap R1 > 1"), 1) == "R1 R1"
    deal = opened("altinstar", f"{PAIRS[0]} / *5 *5", MELDS, "R5 B7", reclaim_okey=True)
    refuses(deal, "swap R5 > 6", "not-reclaimable", "X2")


def test_X2_U5_a_swap_is_a_tile_put_down_and_may_be_taken_back() -> None:
    deal = reclaim("R4 *R5 R6", "R5 R10")
    again = play(deal, "swap R5 > 4", "back 1")
    assert (again.hands, again.public.table) == (deal.hands, deal.public.table)
    assert fines(again) == []
    both = play(deal, "swap R5 > 4", "lay *R10 > 1", "back 2")
    assert (both.hands, both.public.table) == (deal.hands, deal.public.table)
    assert fines(both) == [(1, "P4", 101)]
    assert both.public.sizes == deal.public.sizes


@pytest.mark.parametrize("own", ["*", "B9"])
@pytest.mark.parametrize("back", [["back 1", "back 1"], ["back 2"]])
def test_X2_T2_a_swap_taken_back_tells_nothing_of_an_okey_in_hand(
    own: str, back: list[str]
) -> None:
    deal = play(reclaim("R4 *R5 R6", f"R5 {own}"), "swap R5 > 4", "lay *R10 > 1", *back)
    assert str(Rack.from_bits(deal.public.known[1])) == "R5"


def test_X2_U2_a_taken_discard_may_be_used_in_a_swap(preset: str) -> None:
    deal = reclaim("R4 *R5 R6", "B9", preset, thrown="R5")
    assert str(play(deal, "take", "swap R5 > 4", "discard B7").rack(1)) == "B9 *"


@pytest.mark.parametrize(
    ("laid", "hand", "lines"),
    [
        ("R4 *R5 R6", "R5 K9", ["swap R5 > 4"]),
        # Black 5 fills the set, so the okey is blue 5, and the blue 5 sets it free.
        ("R5 Y5 *5", "K5 B5 K9", ["lay K5 > 4", "swap B5 > 4"]),
    ],
)
def test_X2_U3_a_use_with_the_reclaimed_okey(laid: str, hand: str, lines: list[str]) -> None:
    deal = play(reclaim(laid, hand, "pagat", thrown="K8"), "take", *lines)
    assert play(deal, "meld K8 K9 *K10", "discard B7").over


def test_X2_U3_an_okey_is_set_free_once_for_the_use_of_a_discard() -> None:
    deal = reclaim("R9 Y9 *9", "K9 K9 B9 B9", "pagat", thrown="K5")
    refuses(deal, "take", "taken-useless", "U3")  # black 5 would need two okeys


def test_X2_U2_a_swap_leaves_the_other_groups_to_the_taken_discard() -> None:
    second = MELDS.replace("Y11 Y12 Y13", "B8 B9 B10 B11")
    laid = {"laid": "R4 *R5 R6", "thrown": "B7"}
    deal = opened("altinstar", MELDS, second, "R5 Y2 Y4", reclaim_okey=True, **laid)
    deal = play(deal, "take", "swap R5 > 4", "lay B7 > 6")
    assert tabled(deal, 6) == "B7 B8 B9 B10 B11"


@pytest.mark.parametrize(
    ("laid", "hand", "lines"),
    [
        ("R4 *R5 R6", "R5 Y9", ["swap R5 > 4", "lay *R10 > 1", "lay B12 > 8"]),
        ("R5 Y5 *5", "K5 B5 Y9", ["lay K5 > 4", "swap B5 > 4", "lay *R10 > 1", "lay B12 > 8"]),
    ],
)
def test_X2_E4_finishing_with_a_reclaimed_okey(laid: str, hand: str, lines: list[str]) -> None:
    for swaps in (True, False):
        changes: dict[str, Any] = {"stock": "B2 B4", "reclaim_okey": swaps}
        deal = opened("wiki", MELDS, MELDS, f"B9 B10 B11 {hand}", laid=laid, **changes)
        deal = play(deal, "meld B9 B10 B11", "discard B2", "draw", "discard B4")
        if swaps:
            deal = play(deal, "indicator", *lines)
            assert scores(play(deal, "discard Y9"))[1] == -101
        else:
            refuses(deal, "indicator", "indicator-no-finish", "E4")


def test_X2_E4_unopened_only_the_opening_and_lay_offs_count() -> None:
    hands = [f"{MELDS} R4 *R5 R6 B3 B5 B1", f"{MELDS} B9 B10 B11 R5 Y9"]
    deal = table("wiki", hands, stock="B2 B4", reclaim_okey=True)
    deal = play(deal, f"meld {MELDS}", "meld R4 *R5 R6", "discard B3", "draw", "discard B2")
    refuses(play(deal, "draw", "discard B4"), "indicator", "indicator-no-finish", "E4")


@pytest.mark.parametrize(
    ("field", "opening", "way", "enough", "too_much"),
    [
        ("open_points", LOW, Opened.MELDS, (51, 100, 101), (102,)),
        ("open_pairs", PAIRS[0], Opened.PAIRS, (4, 5), (6, 7)),
    ],
)
def test_X3_other_thresholds(
    field: str, opening: str, way: Opened, enough: tuple[int, ...], too_much: tuple[int, ...]
) -> None:
    for need in enough + too_much:
        changes: dict[str, Any] = {field: need}
        deal = table("altinstar", [f"{opening} B3 B5", "B9"], stock="B2", **changes)
        assert (play(deal, f"meld {opening}").public.opened[0] is way) == (need in enough)


def test_X2_P5_a_reclaimed_okey_that_is_kept_costs_as_any() -> None:
    deal = play(reclaim("R4 *R5 R6", "R5", stock="B2 R10"), "swap R5 > 4", "discard B7", "draw")
    assert scores(play(deal, "lay R10 > 1", "discard B5")) == (-101, 2 + 101)


# Who opened with melds lays pairs as well, once pairs lie there (X8) ------------------------------


def beside(hand: str, rules: str = "altinstar", **changes: Any) -> Deal:
    """Seat 0 has opened with pairs, seat 1 with melds and holds ``hand`` beside a blue 7."""
    return opened(rules, PAIRS[0], MELDS, f"{hand} B7", **{"melds_lay_pairs": True, **changes})


def test_X8_pairs_may_be_laid_once_pairs_lie_on_the_table(preset: str) -> None:
    deal = play(beside("Y9 Y9 R5 *", preset), "meld Y9 Y9", "meld R5 *R5")
    assert texts(deal)[8:] == ["Y9 Y9", "R5 *R5"]
    assert deal.public.opened[1] is Opened.MELDS
    refuses(beside("Y9 Y9", preset, melds_lay_pairs=False), "meld Y9 Y9", "melds-only", "M5")


def test_X8_M5_not_before_and_no_melds_by_who_opened_with_pairs() -> None:
    deal = table("altinstar", [f"{MELDS} Y9 Y9 B3", "B9"], stock="B2", melds_lay_pairs=True)
    deal = play(deal, f"meld {MELDS}")
    refuses(deal, "meld Y9 Y9", "no-pairs-yet", "X8")
    assert options_of(deal).melds == ()
    hands = [f"{PAIRS[0]} R7 R8 R9 B3", "B9"]
    deal = play(table("altinstar", hands, melds_lay_pairs=True), f"meld {PAIRS[0]}")
    refuses(deal, "meld R7 R8 R9", "pairs-only", "M5")


def test_X8_pairs_and_melds_together_after_the_opening_and_never_in_it() -> None:
    deal = beside("Y9 Y9 R5 R6 R7")
    assert {str(m) for m in options_of(deal).melds} == {"meld Y9 Y9", "meld R5 R6 R7"}
    assert texts(play(deal, "meld Y9 Y9 / R5 R6 R7"))[8:] == ["Y9 Y9", "R5 R6 R7"]
    hands = [f"{PAIRS[0]} B3 B5", f"{MELDS} Y9 Y9 B7"]
    deal = table("altinstar", hands, stock="B2", melds_lay_pairs=True)
    deal = play(deal, f"meld {PAIRS[0]}", "discard B3", "draw")
    refuses(deal, f"meld {MELDS} / Y9 Y9", "mixed-forms", "M5")


@pytest.mark.parametrize("rule", [True, False])
def test_X8_U2_a_taken_discard_may_be_used_in_a_pair(rule: bool) -> None:
    deal = beside("K7 K8", "pagat", melds_lay_pairs=rule, thrown="K7")
    if rule:
        assert texts(play(deal, "take", "meld K7 K7"))[8:] == ["K7 K7"]
    else:
        refuses(deal, "take", "taken-useless", "U3")


def test_X8_U5_a_pair_comes_back_whole() -> None:
    deal = play(beside("Y9 Y9"), "meld Y9 Y9")
    refuses(deal, "back 1", "breaks-group", "R2")
    assert play(deal, "back 2").public.table == beside("Y9 Y9").public.table


def test_X8_C1_it_stays_an_opening_with_melds() -> None:
    deal = play(beside("K7 K7", stock="B7 B4"), "meld K7 K7", "discard B7", "draw", "discard B4")
    assert scores(deal)[1] == 7


@pytest.mark.parametrize("rule", [True, False])
def test_X8_E4_the_indicator_finishes_with_pairs(rule: bool) -> None:
    for opens_first in (True, False):
        changes: dict[str, Any] = {"melds_lay_pairs": rule}
        deal = indicator(PAIRS[0], MELDS, "K7 K7", opens_first=opens_first, **changes)
        if not rule:
            refuses(deal, "indicator", "indicator-no-finish", "E4")
            continue
        deal = play(deal, "indicator", *([] if opens_first else [f"meld {MELDS}"]))
        assert scores(play(deal, "meld K7 K7", "discard B12"))[1] == -101


@pytest.mark.parametrize(
    ("first", "hand", "moves", "finishes"),
    [
        (MELDS, f"{LOW} K10 K9 B12", ["announce"], True),
        (MELDS, f"{LOW} K10 K10 B12", ["announce"], False),
        (PAIRS[1], f"{LOW} Y7 Y7", [], True),
        (PAIRS[1], "R10 R11 R12 R13 R13 K11 K12 K13 B7 B8 B9", [], False),
    ],
)
def test_X8_E4_what_is_laid_after_an_opening_fits_and_makes_no_whole_hand(
    first: str, hand: str, moves: list[str], finishes: bool
) -> None:
    changes: dict[str, Any] = {"melds_lay_pairs": True, "whole_hand_opens": True}
    deal = table("wiki", [f"{first} B3 B5", hand], stock="Y10", **changes)
    deal = play(deal, f"meld {first}", "discard B3", "draw", *moves)
    assert (finishing_opening(deal.public, deal.hands[1]) is not None) is finishes


# What a discard taken to open costs, and the amounts of the fines (X4, X7) ------------------------


def opened_with(preset: str, tile: str, melds: str, hand: str, **changes: Any) -> Deal:
    """Seat 0 throws a tile, and seat 1 opens with it and throws a blue 9."""
    changes = {"taken_to_open_fine": 55, **changes}
    deal = table(preset, [f"{tile} B3", f"{hand} B9 B1"], stock="B2 B4", **changes)
    return play(deal, f"discard {tile}", "take", f"meld {melds}", "discard B9")


def test_X4_who_throws_what_the_next_one_opens_with_pays(preset: str) -> None:
    deal = opened_with(preset, "K13", MELDS, NO_K13, taken_discard_fine=0)
    assert fines(deal) == [(0, "X4", 55)]
    hand = PAIRS[0].removesuffix(" Y2")
    changes: dict[str, Any] = {"taken_to_open_fine": 202, "taken_discard_fine": 0}
    assert fines(opened_with(preset, "Y2", PAIRS[0], hand, **changes)) == [(0, "X4", 202)]


def test_X4_U7_R8_both_are_charged_where_both_are_played() -> None:
    deal = opened_with("wiki", "K13", MELDS, NO_K13)
    assert fines(deal) == [(0, "U7", 130), (0, "X4", 55)]
    melds = MELDS.replace("K13", "*K13")
    deal = opened_with("wiki", "*", melds, NO_K13, indicator="F")  # which has no number (R8)
    assert fines(deal) == [(0, "P1", 101), (0, "X4", 55)]


def test_X4_not_for_a_discard_that_is_put_to_use_otherwise() -> None:
    deal = table("altinstar", ["B9 R10 B3", f"{MELDS} Y9 B1"], stock=NEUTRAL, taken_to_open_fine=55)
    deal = play(deal, "discard B9", "draw", f"meld {MELDS}", "discard Y9", "draw", "discard R10")
    deal = play(deal, "take", "lay R10 > 1", "discard B1")
    assert [f.rule for f in fines(deal)] == ["P2"]


@pytest.mark.parametrize(
    ("hand", "lines", "fined"),
    [
        (MELDS, ["return", "draw", f"meld {MELDS}"], []),
        ("K11 K12", ["meld K11 K12 K13", "return", "draw"], [(1, "P3", 101)]),
    ],
)
def test_X4_U3_O5_not_for_one_that_is_put_back_or_a_short_opening(
    hand: str, lines: list[str], fined: list[tuple[int, str, int]]
) -> None:
    deal = table("altinstar", ["K13 B3", f"{hand} B9"], stock="B2 B4", taken_to_open_fine=55)
    assert fines(play(deal, "discard K13", "take", *lines, "discard B9")) == fined


def test_X4_C3_it_counts_with_the_finish() -> None:
    deal = table("wiki", ["K13 B3", f"{NO_K13} B1"], stock="B2", taken_to_open_fine=55)
    deal = play(deal, "discard K13", "take", f"meld {MELDS}", "discard B1")
    assert scores(deal) == (404 + 130 + 55, -202)


@pytest.mark.parametrize("points", [0, 50, 1010])
def test_X7_P3_what_a_short_opening_costs(points: int) -> None:
    deal = table("altinstar", ["R7 R8 R9 B3", "Y9"], stock="B2", short_opening_fine=points)
    deal = play(deal, "meld R7 R8 R9", "meld R7 R8 R9")
    assert fines(deal) == [(0, "P3", points)] * (2 if points else 0)
    assert deal.public.known[0] == table("altinstar", ["R7 R8 R9", "B3"]).hands[0]


@pytest.mark.parametrize("points", [0, 50, 1010])
def test_X7_P4_what_taking_back_costs(points: int) -> None:
    deal = table("altinstar", [f"{MELDS} R10 Y10 B3", "B9"], stock="B2", take_back_fine=points)
    deal = play(deal, f"meld {MELDS}", "lay R10 > 1", "lay Y10 > 2")
    assert options_of(deal).backs == ((Back(1), 0), (Back(2), points))
    assert fines(play(deal, "back 2")) == ([(0, "P4", points)] if points else [])


@pytest.mark.parametrize("points", [0, 50, 1010])
def test_X7_P5_what_an_okey_kept_costs(points: int) -> None:
    for choice in ("fine_101", "tile_101"):
        changes: dict[str, Any] = {"okey_in_hand_fine": points, "okey_in_hand": choice}
        deal = opened("altinstar", MELDS, MELDS, "K2 * *", stock="B2 R10", **changes)
        deal = play(deal, "discard B2", "draw", "lay R10 > 1", "discard B5")
        flat = choice == "fine_101"
        assert fines(deal) == ([(1, "P5", points)] * 2 if flat and points else [])
        assert scores(deal) == (-101, 2 + 2 * (points if flat else 101))


@pytest.mark.parametrize("points", [0, 50])
def test_X7_R4_in_void_deals_whatever_an_okey_counts_as(points: int) -> None:
    hands = ["Y9 * B3", "K9 B5"]
    deal = table("pagat", hands, stock="B2", okey_in_hand_fine=points)
    deal = play(deal, "discard B3", "draw", "discard B2", "pass")
    assert scores(deal) == (points, 0)
    hands = [f"{PAIRS[0]} * * B3 B5", f"{PAIRS[1]} B7 B9"]
    deal = table("pagat", hands, stock=NEUTRAL, okey_in_hand_fine=points)
    deal = play(deal, f"meld {PAIRS[0]}", "discard B3", "draw", f"meld {PAIRS[1]}")
    assert scores(deal) == (2 * points, 0)


@pytest.mark.parametrize("field", ["partner_opens", "partner_waived"])
def test_X5_X9_with_teams_only(field: str) -> None:
    assert getattr(RuleSet().with_(teams=True, **{field: True}), field)
    with raises_code("needs-teams", RuleSetError, fields=(field, "teams")):
        RuleSet().with_(**{field: True})


def partners(hand: str, opening: str = MELDS, preset: str = "altinstar", **changes: Any) -> Deal:
    """Seat 0 has opened; seat 2, its partner, is to draw, and holds ``hand``."""
    changes = {"teams": True, "partner_opens": True, **changes}
    hands = [f"{opening} B3 B5", f"{MELDS} B1 B9", f"{hand} B7", "K9 Y8"]
    deal = table(preset, hands, stock="B2 B4 B6 B8 K2", **changes)
    return play(deal, f"meld {opening}", "discard B3", "draw", "discard B2")


@pytest.mark.parametrize("opening", [MELDS, PAIRS[0]])
@pytest.mark.parametrize(("meld", "way"), [("R7 R8 R9", Opened.MELDS), ("Y9 Y9", Opened.PAIRS)])
def test_X5_the_partner_opens_without_a_threshold_in_either_way(
    preset: str, opening: str, meld: str, way: Opened
) -> None:
    deal = play(partners(meld, opening, preset), "draw")
    options = options_of(deal)
    assert (options.need_points, options.need_pairs) == (1, 1)
    found = options.opening if way is Opened.MELDS else options.opening_pairs
    assert str(found) == f"meld {meld}"
    deal = play(deal, f"meld {meld}")
    assert deal.public.opened[2] is way
    assert fines(deal) == []


def test_X5_nobody_else_does() -> None:
    deal = play(partners("R7 R8 R9", partner_opens=False), "draw", "meld R7 R8 R9")
    assert fines(deal) == [(2, "P3", 101)]
    hands = [f"{MELDS} B3 B5", "R7 R8 R9 B7", "K9 Y9", "R2 R3 R4 B9"]
    deal = table("altinstar", hands, stock=NEUTRAL, teams=True, partner_opens=True)
    deal = play(deal, f"meld {MELDS}", "discard B3", "draw")
    assert options_of(deal).need_points == 101
    deal = play(deal, "meld R7 R8 R9", "discard B7", "draw", "discard K9", "draw")
    assert options_of(deal).need_points == 101
    assert fines(play(deal, "meld R2 R3 R4"))[1:] == [(3, "P3", 101)]


def test_X5_nothing_but_melds_opens() -> None:
    deal = play(partners("R7 R8 Y2"), "draw")
    assert not options_of(deal).can_open
    refuses(deal, "meld R7 R8", "not-a-pair", "M3")
    refuses(deal, "lay R7 > 1", "not-opened", "O3")


def test_X5_X1_it_neither_rises_nor_raises() -> None:
    deal = play(partners("R7 R8 R9 Y9 Y9", rising=True), "draw", "meld R7 R8 R9")
    assert deal.public.high_points == 108
    deal = play(deal, "discard B7", "draw")
    assert (options_of(deal).need_points, options_of(deal).need_pairs) == (109, 5)
    deal = play(partners("Y9 Y9", rising=True), "draw", "meld Y9 Y9")
    assert deal.public.high_pairs == 0


def test_X5_X1_a_partner_who_lays_more_raises_nothing_either() -> None:
    hands = [f"{LOW} B3 B5", "B1 B9", f"{MELDS} B7", "K9 Y9"]
    deal = table("altinstar", hands, stock=NEUTRAL, teams=True, partner_opens=True, rising=True)
    deal = play(deal, f"meld {LOW}", "discard B3", "draw", "discard B2", "draw", f"meld {MELDS}")
    assert deal.public.high_points == 101


def test_X5_U2_a_taken_discard_is_still_used_in_the_opening(preset: str) -> None:
    hands = [f"{MELDS} B3 B5", "R9 B1", "R7 R8 Y9 Y9 B7", "K9 Y8"]
    deal = table(preset, hands, stock=NEUTRAL, teams=True, partner_opens=True)
    deal = play(deal, f"meld {MELDS}", "discard B3", "draw", "discard R9", "take")
    refuses(deal, "meld Y9 Y9", "taken-not-used", "U2")
    assert texts(play(deal, "meld R7 R8 R9"))[3:] == ["R7 R8 R9"]


def test_X5_U3_what_no_opening_holds_is_not_taken_to_be_used() -> None:
    hands = [f"{MELDS} B3 B5", "K5 B1", "R7 R8 R9 B7", "K9 Y8"]
    deal = table("pagat", hands, stock=NEUTRAL, teams=True, partner_opens=True)
    deal = play(deal, f"meld {MELDS}", "discard B3", "draw", "discard K5")
    refuses(deal, "take", "taken-useless", "U3")


@pytest.mark.parametrize(
    ("hand", "end"), [("R7 R8 R9 Y9", "discard Y9"), ("Y9 Y9 K8", "discard K8")]
)
def test_X5_E4_the_indicator_finishes_without_a_threshold(hand: str, end: str) -> None:
    hands = [f"{MELDS} B3 B5", "B1 B9", f"{hand} B10 B11", "K9 Y8"]
    for free in (True, False):
        deal = table("wiki", hands, stock="B2", teams=True, partner_opens=free)
        deal = play(deal, f"meld {MELDS}", "discard B3", "draw", "discard B2")
        if free and "R7" in hand:
            deal = play(deal, "indicator", "meld R7 R8 R9 / B10 B11 B12", end)
            assert scores(deal)[2] == -101
        else:
            refuses(deal, "indicator", "indicator-no-finish", "E4")


def ended(left: str, opening: str = "", **changes: Any) -> Deal:
    """Seat 0 finishes; its partner keeps ``left``, perhaps after an opening."""
    preset = changes.pop("preset", "altinstar")
    last = changes.pop("last", "B5")
    hands = [f"{MELDS} B3 {last}", "K9 Y8 *" if last != "*" else "K9 Y8", f"{opening} {left} B7",
             f"{PAIRS[0]} K5"]  # fmt: skip
    deal = table(preset, hands, stock="B2 B4 B6 R10", teams=True, **changes)
    deal = play(deal, f"meld {MELDS}", "discard B3", "draw", "discard B2", "draw")
    deal = play(deal, *([f"meld {opening}"] if opening else []), "discard B7", "draw")
    deal = play(deal, f"meld {PAIRS[0]}", "discard B6", "draw", "lay R10 > 1")
    return play(deal, f"discard {last}")


def test_X9_the_winners_partner_pays_nothing_for_his_hand(preset: str) -> None:
    assert scores(ended("K2", preset=preset)) == (-101, 202, 202, 10)
    assert scores(ended("K2", preset=preset, partner_waived=True)) == (-101, 202, 0, 10)
    with_melds = ended("K2", MELDS, preset=preset, partner_waived=True)
    assert scores(with_melds) == (-101, 202, 0, 10)


def test_X9_P5_fines_stay_and_an_okey_that_counts_as_a_tile_is_none() -> None:
    deal = ended("K2 *", MELDS, partner_waived=True)
    assert (scores(deal)[2], fines(deal)) == (101, [(2, "P5", 101)])
    assert scores(ended("K2 *", MELDS, partner_waived=True, okey_in_hand="tile_101"))[2] == 0
    assert scores(ended("K2 *", partner_waived=True))[2] == 0
    hands = [f"{MELDS} B3 B5", "K9 Y8", "R10 B7", "K5 K4"]
    deal = table("altinstar", hands, stock="B2 B4 B6 Y10", teams=True, partner_waived=True)
    deal = play(deal, f"meld {MELDS}", "discard B3", "draw", "discard B2", "draw", "discard R10")
    deal = play(deal, "draw", "discard B6", "draw", "lay Y10 > 2", "discard B5")
    assert scores(deal) == (-101, 202, 101, 202)


@pytest.mark.parametrize("losers", ["flat", "hand"])
def test_X9_R8_in_a_riziko_deal_too(losers: str) -> None:
    changes: dict[str, Any] = {"preset": "wiki", "indicator": "F", "last": "*"}
    deal = ended("K2", riziko_losers=losers, partner_waived=True, **changes)
    assert (scores(deal)[0], scores(deal)[2]) == (-404, 0)
    assert scores(deal)[1] == (404 if losers == "flat" else 808)


def test_X9_not_where_nobody_finished() -> None:
    hands = [f"{MELDS} B3 B5", "K9 Y8", "K2 B7", "K5 K4"]
    deal = table("altinstar", hands, stock="B2", teams=True, partner_waived=True)
    deal = play(deal, f"meld {MELDS}", "discard B3", "draw", "discard B2")
    assert scores(deal) == (5, 202, 202, 202)


# What who opened with pairs may lay off, and when anybody may (X6) --------------------------------

BLACK = "Y9 Y10 Y11 Y12 Y13 / K10 K11 K12 K13"
"""An opening of exactly 101 that red 10 does not go with."""


def pairs(hand: str, rules: str = "altinstar", **changes: Any) -> Deal:
    """Seat 0 has opened with melds, seat 1 with pairs and holds ``hand`` beside a blue 7."""
    return opened(rules, MELDS, PAIRS[0], f"{hand} B7", **{"pairs_lay_off": "none", **changes})


def test_X6_who_opened_with_pairs_lays_nothing_off(preset: str) -> None:
    deal = pairs("R10 Y9 Y9 *", preset)
    refuses(deal, "lay R10 > 1", "pairs-lay-nothing-off", "X6")
    refuses(deal, "lay *R10 > 1", "pairs-lay-nothing-off", "X6")
    assert options_of(deal).lays == ()
    assert texts(play(deal, "meld Y9 Y9"))[8:] == ["Y9 Y9"]
    assert tabled(play(pairs("R10", preset, pairs_lay_off="all"), "lay R10 > 1"), 1)[:3] == "R10"


def test_X6_who_opened_with_melds_is_free() -> None:
    deal = opened("altinstar", PAIRS[0], MELDS, "R10 B7", pairs_lay_off="none")
    assert tabled(play(deal, "lay R10 > 6"), 6) == "R10 R11 R12 R13"


@pytest.mark.parametrize(
    ("hand", "tile", "use"),
    [
        ("Y9", "R10", False),
        ("R10 Y9", "R9", False),
        ("R10 K8", "R10", True),
        ("* K8", "R10", True),
        ("* K8", "K5", True),
        ("K8 K7", "K5", False),
        ("R10 K8", "*", True),
    ],
)
def test_X6_U2_a_pair_is_the_only_use_of_a_taken_discard(hand: str, tile: str, use: bool) -> None:
    deal = pairs(hand, "pagat", thrown=tile)
    if use:
        assert options_of(play(deal, "take")).melds
    else:
        refuses(deal, "take", "taken-useless", "U3")


def test_X6_X2_U2_a_swap_is_no_laying_off() -> None:
    first = MELDS.replace("R12", "*R12")
    changes: dict[str, Any] = {"pairs_lay_off": "none", "reclaim_okey": True}
    deal = opened("pagat", first, PAIRS[0], "Y9 B7", thrown="R12", **changes)
    assert tabled(play(deal, "take", "swap R12 > 1"), 1) == "R11 R12 R13"


def test_X6_X2_U2_no_lay_off_settles_what_an_okey_stands_for() -> None:
    # Black 5 would fill the set, and blue 5 then set its okey free for a pair of black 8s.
    for choice in ("all", "none"):
        changes: dict[str, Any] = {"pairs_lay_off": choice, "reclaim_okey": True}
        deal = pairs("K5 B5 K9", "pagat", laid="R5 Y5 *5", thrown="K8", **changes)
        if choice == "all":
            play(deal, "take", "lay K5 > 4", "swap B5 > 4", "meld K8 *K8")
        else:
            refuses(deal, "take", "taken-useless", "U3")


def indicator(
    first: str, second: str, hand: str, *, opens_first: bool = False, **changes: Any
) -> Deal:
    """Seat 1 is offered the indicator, a blue 12, at the end; it has opened if told so."""
    deal = table("wiki", [f"{first} B3 B5", f"{second} {hand}"], stock="B2 B4", **changes)
    lines = [f"meld {second}"] if opens_first else []
    deal = play(deal, f"meld {first}", "discard B3", "draw", *lines, "discard B2")
    return play(deal, "draw", "discard B4")


@pytest.mark.parametrize("choice", ["all", "none"])
def test_X6_E4_pairs_finish_without_lay_offs(choice: str) -> None:
    changes: dict[str, Any] = {"opens_first": True, "pairs_lay_off": choice}
    deal = indicator(MELDS, PAIRS[0], "R10 Y10", **changes)
    if choice == "all":
        assert scores(play(deal, "indicator", "lay R10 > 1", "lay Y10 > 2", "discard B12"))[1] < 0
    else:
        refuses(deal, "indicator", "indicator-no-finish", "E4")
    deal = indicator(MELDS, PAIRS[0], "B12 K8", **changes)
    assert scores(play(deal, "indicator", "meld B12 B12", "discard K8"))[1] == -202


@pytest.mark.parametrize("field", ["pairs_lay_off", "lay_off_when_opening"])
@pytest.mark.parametrize("opening", [PAIRS[0], BLACK])
def test_X6_E4_an_opening_finishes_with_the_lay_offs_it_may_be_followed_by(
    field: str, opening: str
) -> None:
    off: dict[str, Any] = {field: "none" if field == "pairs_lay_off" else False}
    for changes in ({}, off):
        deal = indicator(MELDS, opening, "R10", **changes)
        if not changes or (field, opening) == ("pairs_lay_off", BLACK):
            deal = play(deal, "indicator", f"meld {opening}", "lay R10 > 1", "discard B12")
            assert scores(deal)[1] == (-101 if opening == BLACK else -202)
        else:
            refuses(deal, "indicator", "indicator-no-finish", "E4")
    deal = indicator(MELDS, opening, "", **off)
    assert scores(play(deal, "indicator", f"meld {opening}", "discard B12"))[1] < 0


def test_X6_E4_all_but_one_goes_down_in_melds_where_no_lay_off_may_follow() -> None:
    deal = indicator(MELDS, MELDS, "R10 Y9", lay_off_when_opening=False)
    refuses(deal, "indicator", "indicator-no-finish", "E4")
    deal = play(indicator(MELDS, MELDS, "R10 B11 B10", lay_off_when_opening=False), "indicator")
    refuses(deal, f"meld {MELDS} / R10 R10 R10", "not-in-hand", "O1")
    deal = play(deal, f"meld {MELDS}")
    refuses(deal, "lay R10 > 1", "lay-off-later", "X6")
    assert scores(play(deal, "meld B10 B11 B12", "discard R10"))[1] == -101
    deal = play(indicator(MELDS, MELDS, "R10 B11 B10 Y9", lay_off_when_opening=False), "pass")
    assert deal.over


def test_X6_nobody_lays_off_in_the_turn_of_his_opening(preset: str) -> None:
    hands = [f"{MELDS} R10 R5 R6 R7 R8 B3 B5", f"{MELDS} Y10 B7"]
    deal = table(preset, hands, stock=NEUTRAL, lay_off_when_opening=False)
    deal = play(deal, f"meld {MELDS}", "meld R5 R6 R7")
    refuses(deal, "lay R10 > 1", "lay-off-later", "X6")
    refuses(deal, "lay R8 > 4", "lay-off-later", "X6")
    assert options_of(deal).lays == ()
    deal = play(deal, "discard B3", "draw", f"meld {MELDS}")
    refuses(deal, "lay Y10 > 2", "lay-off-later", "X6")
    deal = play(deal, "discard B7", "draw", "lay R10 > 1", "lay R8 > 4")
    assert tabled(deal, 1) == "R10 R11 R12 R13"


def test_X6_X2_an_okey_may_be_reclaimed_in_the_turn_of_the_opening() -> None:
    changes: dict[str, Any] = {"lay_off_when_opening": False, "reclaim_okey": True}
    deal = opened("altinstar", MELDS.replace("R12", "*R12"), MELDS, stock="R12 B2", **changes)
    assert tabled(play(deal, "swap R12 > 1"), 1) == "R11 R12 R13"


def test_X6_P2_a_tile_that_fits_is_fined_for_all_that() -> None:
    assert fines(play(pairs("R10"), "discard R10")) == [(1, "P2", 101)]
