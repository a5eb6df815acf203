"""Section 6: taking tiles back (U5), with the rulings R1 and R2."""

from __future__ import annotations

from typing import Any

import pytest

from okey101.game import PRESETS, Deal, Opened
from okey101.tiles import Rack
from rules.table import MELDS, NEUTRAL, PAIRS, fines, play, refuses, table, tabled, texts


def opened(preset: str = "altinstar", hand: str = "", **changes: Any) -> Deal:
    """Seat 0 has just opened with melds (groups 1-3) and holds ``hand`` and a black 8 and 9."""
    deal = table(preset, [f"{MELDS} {hand} K8 K9", "B9 B1"], stock=NEUTRAL, **changes)
    return play(deal, f"meld {MELDS}")


@pytest.mark.parametrize("preset", PRESETS)
def test_U5_the_last_tile_put_down_comes_back_free(preset: str) -> None:
    deal = opened(preset, "R10 Y10")
    again = play(deal, "lay R10 > 1", "back 1")
    assert (again.hands, again.public.table) == (deal.hands, deal.public.table)
    assert fines(again) == []


@pytest.mark.parametrize("preset", PRESETS)
def test_U5_second_take_back_costs_101(preset: str) -> None:
    deal = play(opened(preset, "R10 Y10"), "lay R10 > 1", "lay Y10 > 2")
    assert fines(play(deal, "back 2")) == [(0, "P4", 101)]
    assert fines(play(deal, "back 1", "back 1")) == [(0, "P4", 101)]
    assert fines(play(deal, "back 1", "lay Y10 > 2", "back 1")) == [(0, "P4", 101)]


@pytest.mark.parametrize("preset", PRESETS)
def test_U5_R2_once_a_turn(preset: str) -> None:
    deal = play(opened(preset, "R10 Y10 K10"), "lay R10 > 1", "lay Y10 > 2", "lay K10 > 3")
    assert fines(play(deal, "back 3")) == [(0, "P4", 101)]
    deal = play(deal, "back 1", "back 1", "back 1")
    assert fines(play(deal, "lay R10 > 1", "back 1")) == [(0, "P4", 101)]


def test_U5_R2_anew_in_the_next_turn() -> None:
    deal = play(opened("altinstar", "R10 Y10 R9"), "lay R10 > 1", "lay Y10 > 2", "back 2")
    deal = play(deal, "discard K8", "draw", "discard B2", "draw", "lay R10 > 1", "back 1")
    assert fines(deal) == [(0, "P4", 101)]
    deal = play(deal, "lay R10 > 1", "back 1")
    assert fines(deal) == [(0, "P4", 101), (0, "P4", 101)]


@pytest.mark.parametrize("preset", PRESETS)
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


def test_R2_what_stays_must_be_a_group() -> None:
    deal = play(opened("altinstar", "R5 Y5 B5 K5"), "meld R5 Y5 B5 K5")
    assert texts(play(deal, "back 1"))[3:] == ["R5 Y5 B5"]
    assert fines(play(deal, "back 1")) == []
    refuses(deal, "back 2", "breaks-group", "R2")
    refuses(deal, "back 3", "breaks-group", "R2")
    whole = play(deal, "back 4")
    assert len(texts(whole)) == 3
    assert fines(whole) == [(0, "P4", 101)]


def test_R2_runs_come_back_from_their_high_end() -> None:
    deal = play(opened("altinstar", "R5 R6 R7 R8"), "meld R8 R7 R6 R5", "back 1")
    assert texts(deal)[3:] == ["R5 R6 R7"]
    deal = play(opened("altinstar", "R5 Y5 B5 *"), "meld *5 B5 Y5 R5", "back 1")
    assert texts(deal)[3:] == ["R5 Y5 B5"]


def test_R2_a_new_meld_of_three_comes_back_whole_or_not_at_all() -> None:
    deal = play(opened("altinstar", "R5 R6 R7"), "meld R5 R6 R7")
    refuses(deal, "back 1", "breaks-group", "R2")
    refuses(deal, "back 2", "breaks-group", "R2")
    assert texts(play(deal, "back 3")) == MELDS.split(" / ")


def test_R2_a_lay_off_on_a_new_meld_comes_back_before_it() -> None:
    deal = play(opened("altinstar", "R5 R6 R7 R8"), "meld R5 R6 R7", "lay R8 > 4")
    assert texts(play(deal, "back 1"))[3:] == ["R5 R6 R7"]
    refuses(deal, "back 2", "breaks-group", "R2")
    back = play(deal, "back 4")
    assert len(texts(back)) == 3
    assert str(back.rack(0)) == "R5 R6 R7 R8 K8 K9"


def test_R2_several_groups_in_one_meld() -> None:
    deal = play(opened("altinstar", "R5 R6 R7 R8 Y5 Y6 Y7"), "meld R5 R6 R7 R8 / Y5 Y6 Y7")
    refuses(deal, "back 1", "breaks-group", "R2")
    assert texts(play(deal, "back 3"))[3:] == ["R5 R6 R7 R8"]
    assert texts(play(deal, "back 4"))[3:] == ["R5 R6 R7"]
    refuses(deal, "back 5", "breaks-group", "R2")
    assert texts(play(deal, "back 7"))[3:] == []


def test_R2_M5_a_set_with_two_okeys_does_not_shrink_to_a_pair() -> None:
    deal = play(opened("altinstar", "R5 * *"), "meld R5 *5 *5")
    refuses(deal, "back 1", "breaks-group", "R2")
    assert len(texts(play(deal, "back 3"))) == 3


def test_R2_J3_okeys_of_a_full_set_are_free_again_when_it_shrinks() -> None:
    deal = play(opened("altinstar", "R5 Y5 * *"), "meld R5 Y5 *5 *5")
    deal = play(deal, "back 1")
    assert texts(deal)[3:] == ["R5 Y5 *5"]
    laid = play(opened("altinstar", "R5 Y5 * * B5"), "meld R5 Y5 *5", "lay B5 > 4", "back 1")
    assert texts(laid)[3:] == ["R5 Y5 *5"]


def test_R2_pairs() -> None:
    deal = table("altinstar", [f"{PAIRS[0]} B7 B7 B9 B9 B1", "Y9"], stock="B2")
    deal = play(deal, f"meld {PAIRS[0]}", "meld B7 B7 / B9 B9")
    refuses(deal, "back 1", "breaks-group", "R2")
    assert len(texts(play(deal, "back 2"))) == 6
    assert fines(play(deal, "back 2")) == [(0, "P4", 101)]
    refuses(deal, "back 3", "breaks-group", "R2")
    assert len(texts(play(deal, "back 4"))) == 5


def taken(preset: str, hand: str) -> Deal:
    """Seat 1 has opened, and has taken the red 10 that seat 0 has thrown."""
    deal = table(preset, ["B5 R10 B3", f"{MELDS} {hand} Y9"], stock=NEUTRAL)
    return play(
        deal, "discard B5", "draw", f"meld {MELDS}", "discard B2", "draw", "discard R10", "take"
    )


@pytest.mark.parametrize("preset", PRESETS)
def test_R2_when_the_taken_discard_comes_back_it_binds_again(preset: str) -> None:
    deal = play(taken(preset, "Y10"), "lay R10 > 1", "lay Y10 > 2")
    refuses(play(deal, "back 2"), "discard Y9", "taken-not-used", "U2")
    deal = play(deal, "back 1")
    assert play(deal, "discard Y9").turn == 0
    deal = play(deal, "lay Y10 > 2", "back 2", "lay R10 > 1", "discard Y9")
    assert deal.public.fines[-1:] in (((1, "P4", 101),), ((0, "U7", 100),))


def test_R2_taking_back_is_no_way_round_the_fine_for_a_taken_tile() -> None:
    deal = play(taken("wiki", "Y10"), "lay R10 > 1", "back 1")
    assert (0, "U7", 100) not in fines(deal)
    assert (0, "U7", 100) not in fines(play(deal, "return", "draw", "discard Y9"))
    deal = play(deal, "lay R10 > 1", "discard Y9")
    assert [f for f in fines(deal) if f.rule == "U7"] == [(0, "U7", 100)]


def test_R2_a_tile_taken_back_is_known() -> None:
    deal = play(opened("altinstar", "R10"), "lay R10 > 1", "back 1")
    assert deal.public.known[0] == Rack.parse("R10").bits


def test_U5_taking_back_never_closes_the_hand() -> None:
    deal = play(opened("altinstar", "R5 R6 R7"), "meld R5 R6 R7", "back 3")
    assert deal.public.opened[0] is Opened.MELDS


@pytest.mark.parametrize("preset", PRESETS)
def test_U5_what_came_back_fits_again_and_is_fined_when_thrown(preset: str) -> None:
    deal = play(opened(preset, "R10 R9"), "lay R10 > 1", "back 1")
    refuses(deal, "lay R9 > 1", "does-not-fit", "M4")
    assert fines(play(deal, "discard R9")) == []
    assert fines(play(deal, "discard R10")) == [(0, "P2", 101)]
