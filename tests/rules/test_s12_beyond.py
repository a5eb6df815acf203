"""Section 12: what is played beyond the sources."""

from __future__ import annotations

from typing import Any

import pytest

from okey101.errors import RuleSetError
from okey101.game import PRESETS, Deal, Opened, RuleSet, options_of
from rules.table import MELDS, NEUTRAL, PAIRS, fines, play, refuses, scores, table, tabled, texts

LOW = "R5 R6 R7 R8 / R13 Y13 K13 / Y9 Y10 Y11 / R2 Y2 K2"
"""An opening of exactly 101."""


@pytest.mark.parametrize("preset", PRESETS)
def test_X1_X2_presets_leave_them_off(preset: str) -> None:
    assert not PRESETS[preset].rising
    assert not PRESETS[preset].reclaim_okey


def rising(first: str, hand: str, **changes: Any) -> Deal:
    """Seat 0 has opened with ``first``; seat 1 has drawn a tile and holds ``hand``."""
    changes = {"rising": True, **changes}
    deal = table(
        "altinstar", [f"{first} B3 B5", f"{hand} B7", "B9 Y7"], stock="B4 B6 B8", **changes
    )
    return play(deal, f"meld {first}", "discard B3", "draw")


def test_X1_an_opening_must_beat_the_highest_by_a_point() -> None:
    assert options_of(rising(LOW, MELDS)).need_points == 102
    deal = play(rising(LOW, MELDS), f"meld {MELDS}")
    assert (deal.public.opened[1], deal.public.high_points) == (Opened.MELDS, 108)
    deal = play(rising(LOW, LOW), f"meld {LOW}")
    assert deal.public.opened[1] is None
    assert fines(deal) == [(1, "P3", 101)]
    assert play(rising(LOW, LOW, rising=False), f"meld {LOW}").public.opened[1] is Opened.MELDS


def test_X1_a_fined_try_does_not_raise_the_threshold() -> None:
    deal = play(rising(LOW, LOW), f"meld {LOW}", "discard B7", "draw")
    assert options_of(deal).need_points == 102


def test_X1_pairs_rise_by_one_pair_up_to_seven() -> None:
    assert options_of(rising(PAIRS[0], PAIRS[1])).need_pairs == 6
    deal = table(
        "altinstar",
        [f"{PAIRS[0]} B3 B5", f"{PAIRS[1]} B9 B9 B1 B1 B7", "Y9 Y7"],
        stock=NEUTRAL,
        rising=True,
    )
    deal = play(deal, f"meld {PAIRS[0]}", "discard B3", "draw")
    assert fines(play(deal, f"meld {PAIRS[1]}")) == [(1, "P3", 101)]
    assert play(deal, f"meld {PAIRS[1]} / B9 B9").public.high_pairs == 6
    seven = play(deal, f"meld {PAIRS[1]} / B9 B9 / B1 B1", "discard B7", "draw")
    assert options_of(seven).need_pairs == 7


def test_X1_seven_pairs_are_always_enough() -> None:
    hands = [f"{PAIRS[0]} B9 B9 B1 B1 B11 B11 B3", f"{PAIRS[1]} K9 K9 K4 K4 B7", "Y9 Y7"]
    deal = table("altinstar", [hands[0] + " B5", *hands[1:]], stock="B2 B4 B6", rising=True)
    deal = play(deal, f"meld {PAIRS[0]} / B9 B9 / B1 B1 / B11 B11", "discard B3", "draw")
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
    hands = [f"{MELDS} B3 B5", "R1 R2 R3 Y1 Y2 Y3", "B1 Y9"]
    deal = table("pagat", hands, stock=NEUTRAL, rising=True)
    deal = play(deal, f"meld {MELDS}", "discard B3", "draw", "meld R1 R2 R3 / Y1 Y2 Y3")
    assert deal.public.opened[1] is Opened.MELDS
    assert deal.public.high_points == 108


def test_X1_X3_refused_where_short_openings_are() -> None:
    deal = rising(LOW, LOW, short_opening="refuse")
    refuses(deal, f"meld {LOW}", "below-threshold", "X1")
    refuses(deal, "meld R5 R6 R7 R8", "below-threshold", "O1")
    deal = rising(PAIRS[0], PAIRS[1], short_opening="refuse")
    refuses(deal, f"meld {PAIRS[1]}", "below-threshold", "X1")


def reclaim(laid: str, hand: str, **changes: Any) -> Deal:
    """Seat 0 has laid ``laid`` as group 4; seat 1 has opened (groups 5-7) and holds ``hand``."""
    held = " ".join("*" if t.startswith("*") else t for t in laid.split())
    changes = {"reclaim_okey": True, **changes}
    hands = [f"{MELDS} {held} B3 B5", f"{MELDS} {hand} B7"]
    deal = table("altinstar", hands, stock=NEUTRAL, **changes)
    deal = play(deal, f"meld {MELDS}", f"meld {laid}", "discard B3", "draw")
    return play(deal, f"meld {MELDS}")


@pytest.mark.parametrize(
    ("laid", "tile", "after"),
    [
        ("R4 *R5 R6", "R5", "R4 R5 R6"),
        ("*R4 R5 R6", "R4", "R4 R5 R6"),
        ("R5 Y5 *B5", "B5", "R5 Y5 B5"),
        ("R5 Y5 B5 *5", "K5", "R5 Y5 B5 K5"),
        ("R5 Y5 *5 *5", "K5", "R5 Y5 K5 *B5"),
        ("R5 Y5 *5 *5", "B5", "R5 Y5 B5 *K5"),
    ],
)
def test_X2_the_real_tile_takes_the_okeys_place(laid: str, tile: str, after: str) -> None:
    deal = reclaim(laid, tile)
    size = len(deal.rack(1))
    deal = play(deal, f"swap {tile} > 4")
    assert tabled(deal, 4) == after
    assert deal.rack(1).count(53) == 1
    assert deal.rack(1).count(0) == 0
    assert len(deal.rack(1)) == size
    assert deal.public.sizes[1] == size


def test_X2_J2_a_false_joker_is_the_real_tile_of_the_okeys_own_kind() -> None:
    deal = play(reclaim("B11 B12 *B13", "F"), "swap F > 4")
    assert tabled(deal, 4) == "B11 B12 F"


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
    hands = [f"{MELDS} R4 * R6 B3 B5", "R5 B7"]
    deal = table("altinstar", hands, stock=NEUTRAL, reclaim_okey=True)
    deal = play(deal, f"meld {MELDS}", "meld R4 *R5 R6", "discard B3", "draw")
    refuses(deal, "swap R5 > 4", "not-opened", "X2")
    refuses(reclaim("R4 *R5 R6", "R9"), "swap R5 > 4", "not-in-hand", "X2")
    refuses(reclaim("R4 *R5 R6", "R9"), "swap R5 > 8", "no-group", "O3")


def test_X2_in_the_turn_of_the_opening_and_the_okey_is_used_at_once() -> None:
    deal = play(reclaim("R4 *R5 R6", "R5 K4 Y4"), "swap R5 > 4", "meld K4 Y4 *4")
    assert tabled(deal, 8) == "Y4 K4 *4"


def test_X2_from_a_pair() -> None:
    opening = "R1 *R1 / Y1 Y1 / K1 K1 / R2 R2 / *2 Y2"
    hands = ["R1 * Y1 Y1 K1 K1 R2 R2 * Y2 B3 B5", f"{MELDS} R1 B7"]
    deal = table("altinstar", hands, stock=NEUTRAL, reclaim_okey=True)
    deal = play(deal, f"meld {opening}", "discard B3", "draw", f"meld {MELDS}", "swap R1 > 1")
    assert tabled(deal, 1) == "R1 R1"


def test_X2_never_from_a_pair_of_two_okeys() -> None:
    hands = [f"{PAIRS[0]} * * B3 B5", f"{MELDS} R5 B7"]
    deal = table("altinstar", hands, stock=NEUTRAL, reclaim_okey=True)
    deal = play(deal, f"meld {PAIRS[0]} / *5 *5", "discard B3", "draw", f"meld {MELDS}")
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


def test_X2_U2_a_taken_discard_may_be_used_in_a_swap() -> None:
    for preset in PRESETS:
        hands = [f"{MELDS} R4 * R6 R5 B3 B5", f"{MELDS} B7 B9"]
        deal = table(preset, hands, stock=NEUTRAL, reclaim_okey=True)
        deal = play(deal, f"meld {MELDS}", "meld R4 *R5 R6", "discard B3", "draw", f"meld {MELDS}")
        deal = play(deal, "discard B2", "draw", "discard R5", "take", "swap R5 > 4", "discard B7")
        assert str(deal.rack(1)) == "B9 *"


def test_X2_U3_a_use_with_the_reclaimed_okey() -> None:
    # Red 4 sets the okey free, which makes a run of the taken black 8.
    hands = [f"{MELDS} R4 * R6 K8 B3 B5", f"{MELDS} R5 K9 B7"]
    deal = table("pagat", hands, stock="B2 B4", reclaim_okey=True)
    deal = play(deal, f"meld {MELDS}", "meld R4 *R5 R6", "discard B3", "draw", f"meld {MELDS}")
    deal = play(deal, "discard B2", "draw", "discard K8", "take", "swap R5 > 4")
    assert texts(play(deal, "meld K8 K9 *K10"))[7:] == ["K8 K9 *K10"]


def test_X2_U3_a_use_with_an_okey_that_a_lay_off_sets_free() -> None:
    # Black 5 fills the set, so the okey is blue 5, and the blue 5 sets it free.
    hands = [f"{MELDS} R5 Y5 * K8 B3 B1", f"{MELDS} K5 B5 K9 B7"]
    deal = table("pagat", hands, stock="B2 B4", reclaim_okey=True)
    deal = play(deal, f"meld {MELDS}", "meld R5 Y5 *5", "discard B3", "draw", f"meld {MELDS}")
    deal = play(deal, "discard B2", "draw", "discard K8", "take", "lay K5 > 4", "swap B5 > 4")
    assert play(deal, "meld K8 K9 *K10", "discard B7").over


@pytest.mark.parametrize(
    ("laid", "hand", "lines"),
    [
        ("R4 *R5 R6", "R5 Y9", ["swap R5 > 4", "lay *R10 > 1", "lay B12 > 8"]),
        ("R5 Y5 *5", "K5 B5 Y9", ["lay K5 > 4", "swap B5 > 4", "lay *R10 > 1", "lay B12 > 8"]),
    ],
)
def test_X2_E4_finishing_with_a_reclaimed_okey(laid: str, hand: str, lines: list[str]) -> None:
    held = " ".join("*" if t.startswith("*") else t for t in laid.split())
    hands = [f"{MELDS} {held} B3 B1", f"{MELDS} B9 B10 B11 {hand}"]
    for swaps in (True, False):
        deal = table("wiki", hands, stock="B2 B4", reclaim_okey=swaps)
        deal = play(deal, f"meld {MELDS}", f"meld {laid}", "discard B3", "draw", f"meld {MELDS}")
        deal = play(deal, "meld B9 B10 B11", "discard B2", "draw", "discard B4")
        if swaps:
            deal = play(deal, "indicator", *lines)
            assert scores(play(deal, "discard Y9"))[1] == -101
        else:
            refuses(deal, "indicator", "indicator-no-finish", "E4")


def test_X2_E4_unopened_only_the_opening_and_lay_offs_count() -> None:
    hands = [f"{MELDS} R4 * R6 B3 B5 B1", f"{MELDS} B9 B10 B11 R5 Y9"]
    deal = table("wiki", hands, stock="B2 B4", reclaim_okey=True)
    deal = play(deal, f"meld {MELDS}", "meld R4 *R5 R6", "discard B3", "draw", "discard B2")
    deal = play(deal, "draw", "discard B4")
    refuses(deal, "indicator", "indicator-no-finish", "E4")


@pytest.mark.parametrize(
    ("field", "low", "high"),
    [
        ("open_points", 51, 151),
        ("open_pairs", 4, 7),
        ("okey_discard_fine", 0, 1010),
        ("playable_discard_fine", 0, 1010),
    ],
)
def test_X3_thresholds_and_their_ranges(field: str, low: int, high: int) -> None:
    for value in (low, high):
        assert getattr(RuleSet().with_(**{field: value}), field) == value
    wrong: tuple[object, ...] = (low - 1, high + 1, 100.0, "101", None, True)
    for refused in wrong:
        with pytest.raises(RuleSetError) as caught:
            RuleSet().with_(**{field: refused})
        assert caught.value.fields == (field,)


@pytest.mark.parametrize(("points", "opens"), [(51, True), (100, True), (101, True), (102, False)])
def test_X3_other_thresholds_for_points(points: int, opens: bool) -> None:
    deal = table("altinstar", [f"{LOW} B3 B5", "B9"], stock="B2", open_points=points)
    assert (play(deal, f"meld {LOW}").public.opened[0] is Opened.MELDS) == opens


@pytest.mark.parametrize(("pairs", "opens"), [(4, True), (5, True), (6, False), (7, False)])
def test_X3_other_thresholds_for_pairs(pairs: int, opens: bool) -> None:
    deal = table("altinstar", [f"{PAIRS[0]} B3 B5", "B9"], stock="B2", open_pairs=pairs)
    assert (play(deal, f"meld {PAIRS[0]}").public.opened[0] is Opened.PAIRS) == opens


def test_X3_fines_of_nothing_switch_them_off() -> None:
    deal = table(
        "altinstar",
        [f"{MELDS} R10 * B3", "B9"],
        stock="B2",
        okey_discard_fine=0,
        playable_discard_fine=0,
    )
    deal = play(deal, f"meld {MELDS}")
    assert fines(play(deal, "discard *")) == fines(play(deal, "discard R10")) == []


def test_X2_P5_a_reclaimed_okey_that_is_kept_costs_as_any() -> None:
    hands = [f"{MELDS} R4 * R6 B3 B5", f"{MELDS} R5 B7"]
    deal = table("altinstar", hands, stock="B2 R10", reclaim_okey=True)
    deal = play(deal, f"meld {MELDS}", "meld R4 *R5 R6", "discard B3", "draw", f"meld {MELDS}")
    deal = play(deal, "swap R5 > 4", "discard B7", "draw", "lay R10 > 1", "discard B5")
    assert scores(deal) == (-101, 2 + 101)
