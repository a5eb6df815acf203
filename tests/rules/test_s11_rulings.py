"""Section 11: rulings that have no place of their own among the tests of the other sections."""

from typing import Any

import pytest

from okey101.game import Back, Deal, Opened, Phase, RuleSet, options_of
from okey101.game.match import team_totals
from okey101.tiles import OKEY, Rack
from rules.table import MELDS, NEUTRAL, PAIRS, fines, idle, play, refuses, scores, table, tabled


@pytest.mark.parametrize("preset", ["altinstar", "wiki"])
def test_R1_a_put_back_discard_is_gone_for_this_turn_only(preset: str) -> None:
    deal = table(preset, ["K13 B3 B5", "Y9 Y8"], stock="B2 B4 B6")
    deal = play(deal, "discard K13", "take", "return", "draw", "discard B2", "draw", "discard B4")
    assert deal.phase is Phase.DRAW
    assert play(deal, "take").public.taken is not None
    assert str(Rack(deal.public.discards[0])) == "B4 K13"


def test_R4_O7_no_fine_stands_in_a_void_deal(preset: str) -> None:
    deal = table(preset, [f"{PAIRS[0]} * * B3 B5", f"{PAIRS[1]} B7 B9"], stock=NEUTRAL)
    deal = play(deal, "meld R1 R1", f"meld {PAIRS[0]}", "discard *", "draw")
    assert [f.rule for f in fines(deal)] == ["P3", "P1"]
    deal = play(deal, f"meld {PAIRS[1]}")
    assert fines(deal) == ([(0, "P5", 101)] if preset == "pagat" else [])
    assert scores(deal) == ((101, 0) if preset == "pagat" else (0, 0))


def test_R8_the_one_okey_of_a_riziko_deal_is_wild() -> None:
    deal = table("wiki", [f"{MELDS} R5 R6 * B3", "Y9"], indicator="F", stock=NEUTRAL)
    deal = play(deal, f"meld {MELDS}", "meld R5 R6 *R7")
    assert tabled(deal, 4) == "R5 R6 *R7"
    assert deal.public.okey is None


def test_R8_no_numbered_tile_is_wild_and_no_false_joker_is_about() -> None:
    deal = table("wiki", [f"{MELDS} F R1 B3", "Y9"], indicator="F", stock=NEUTRAL)
    assert deal.rack(0).count(OKEY) == 1  # the other false joker is the okey
    deal = play(deal, f"meld {MELDS}")
    refuses(deal, "lay F > 1", "not-in-hand", "O3")
    assert options_of(deal).lays
    assert all(str(lay).startswith("lay *") for lay in options_of(deal).lays)


@pytest.mark.parametrize(("choice", "points"), [("fine_101", 2 + 101), ("tile_101", 2 + 101)])
def test_R8_C2_the_riziko_okey_kept(choice: str, points: int) -> None:
    hands = [f"{MELDS} B3 B5", f"{MELDS} K2 *"]
    deal = table("wiki", hands, indicator="F", stock="B2 R10", okey_in_hand=choice)
    deal = play(deal, f"meld {MELDS}", "discard B3", "draw", f"meld {MELDS}", "discard B2")
    assert scores(play(deal, "draw", "lay R10 > 1", "discard B5")) == (-101, points)


@pytest.mark.parametrize("players", [2, 3])
def test_R11_the_previous_player_is_the_one_before_in_the_round(players: int) -> None:
    hands = ["K13 B3 B5", "Y9 Y8", "B7 B9"][:players]
    deal = idle(play(table("altinstar", hands, stock=NEUTRAL), "discard B3"), players - 1)
    assert deal.turn == 0
    assert str(Rack([play(deal, "take").public.taken or 0])) == NEUTRAL.split()[players - 2]


NO_R6 = "R7 R8 R11 R12 R13 Y11 Y12 Y13 K11 K12 K13 B9"
WITH_R6 = f"{MELDS} / R6 R7 R8"


def opened_with_r6(rules: str, **changes: Any) -> Deal:
    """Seat 0 throws the red 6, with which seat 1 opens and finishes."""
    hands = ["R6 B3", NO_R6, "K7 K9", "K5 K4"]
    deal = play(table(rules, hands, stock="B2 B4", **changes), "discard R6", "take")
    deal = play(deal, f"meld {WITH_R6}")
    assert fines(deal) == []  # charged when the turn ends
    return play(deal, "discard B9")


def test_R16_X4_G2_U7_a_discard_that_an_opponent_opens_with_costs_the_team() -> None:
    deal = opened_with_r6("wiki", teams=True)
    assert fines(deal) == [(0, "U7", 60), (0, "X4", 101)]
    assert scores(deal) == (404 + 60 + 101, -202, 404, 404)
    assert team_totals(deal.rules, scores(deal)) == (404 + 60 + 101 + 404, 202)


@pytest.mark.parametrize(("flat", "charged"), [(0, 101), (55, 101), (101, 101), (202, 202)])
def test_R16_X4_of_the_two_fines_the_larger_is_charged_once(flat: int, charged: int) -> None:
    deal = opened_with_r6("wiki", teams=True, taken_to_open_fine=flat)
    assert fines(deal) == [(0, "U7", 60), (0, "X4", charged)]


def test_R16_only_in_the_team_game_and_only_in_wiki() -> None:
    assert fines(opened_with_r6("wiki")) == [(0, "U7", 60)]
    assert fines(opened_with_r6("wiki", taken_to_open_fine=55)) == [(0, "U7", 60), (0, "X4", 55)]
    for preset in ("altinstar", "pagat"):
        assert fines(opened_with_r6(preset, teams=True)) == []
        deal = opened_with_r6(preset, teams=True, team_taken_to_open_fine=7)
        assert fines(deal) == [(0, "X4", 7)]


def test_R16_X5_an_opening_without_a_threshold_counts() -> None:
    hands = ["B9 R6 B3", "R7 R8 Y9 B1", "K7 K9", f"{MELDS} B5 B7"]
    deal = table("wiki", hands, stock=NEUTRAL, starter=3, teams=True, partner_opens=True)
    deal = play(deal, f"meld {MELDS}", "discard B5", "draw", "discard R6", "take")
    assert fines(play(deal, "meld R6 R7 R8", "discard B1")) == [(0, "U7", 60), (0, "X4", 101)]


def test_R16_not_for_a_discard_that_is_used_after_the_opening() -> None:
    hands = ["B9 R6 B3", f"{MELDS} R7 R8 Y9 B1", "K7 K9", "K5 K4"]
    deal = play(table("wiki", hands, stock="B2 B4 B6 B8 K2", teams=True), "discard B9", "draw")
    deal = play(deal, f"meld {MELDS}", "discard B2", "draw", "discard B4", "draw", "discard B6")
    deal = play(deal, "draw", "discard R6", "take", "meld R6 R7 R8", "discard B1")
    assert fines(deal) == [(0, "U7", 60)]


LOW = "R1 R2 R3 / Y1 Y2 Y3 / K4 K5 K6"
"""A whole hand of 27 points."""
NO_K6 = LOW.replace(" K6", "")


def test_R17_a_discard_for_the_whole_hand_below_101_can_not_be_taken() -> None:
    deal = play(table("pagat", ["K6 B3", f"{NO_K6} B9"], stock="B2"), "discard K6")
    refuses(deal, "take", "taken-useless", "U3")
    last = play(table("pagat", ["K6 B3", f"{NO_K6} B9"]), "discard K6")
    refuses(last, "take", "taken-useless", "E2")
    assert not options_of(deal).take


@pytest.mark.parametrize("twin", [False, True])
def test_R17_O5_where_it_may_be_put_back_such_an_opening_is_short(twin: bool) -> None:
    """Whichever twin is laid: a black 6 of the hand, or the taken one."""
    hand = f"{LOW if twin else NO_K6} B9"
    deal = table("pagat", ["K6 B3 B5", hand], stock="K8 B2", return_discard=True)
    deal = play(deal, "discard K6", "take")
    assert options_of(deal).opening is None
    assert fines(play(deal, f"meld {LOW}")) == [(1, "P3", 101)]
    refusing = deal.rules.with_(short_opening="refuse")
    deal = play(table(refusing, ["K6 B3", hand], stock="B2"), "discard K6", "take")
    refuses(deal, f"meld {LOW}", "below-threshold", "O1")


def test_R17_U3_a_discard_that_was_put_back_does_not_count() -> None:
    deal = table("pagat", ["B8 B3", f"{NO_K6} B9"], stock="K6 B2", return_discard=True)
    deal = play(deal, "discard B8", "take", "return", "draw", f"meld {LOW}")
    assert scores(play(deal, "discard B9")) == (404, -202)


def test_R17_X1_X5_the_threshold_that_then_applies() -> None:
    hands = ["K6 B3", f"{NO_K6} B9", "K7", f"{MELDS} B5 B1"]
    changes: dict[str, Any] = {"starter": 3, "teams": True, "partner_opens": True}
    deal = play(table("pagat", hands, stock="B2", **changes), f"meld {MELDS}", "discard B5")
    deal = play(deal, "draw", "discard K6", "take", f"meld {LOW}")
    assert (deal.public.opened[1], fines(deal)) == (Opened.MELDS, [])
    hands = [f"{MELDS} K13 B3", f"{MELDS.replace(' K13', '')} B9"]
    deal = table("pagat", hands, stock="B2", rising=True, return_discard=True)
    deal = play(deal, f"meld {MELDS}", "discard K13", "take", f"meld {MELDS}")
    assert fines(deal) == [(1, "P3", 101)]


def test_R17_E4_the_starters_tile_and_the_indicator_are_from_hand() -> None:
    deal = play(table("pagat", [f"{LOW} B9", "B1"], stock="B2"), f"meld {LOW}")
    assert fines(deal) == []
    hands = ["B3 B5", f"{NO_K6} B9"]
    rules = RuleSet(whole_hand_opens=True, indicator_is_last_tile=True)
    deal = play(table(rules, hands, indicator="K6"), "discard B3", "indicator")
    assert scores(play(deal, f"meld {LOW}", "discard B9")) == (404, -202)


def laid(preset: str, hand: str, **changes: Any) -> Deal:
    """Seat 0 has opened and laid off the red 10, of the tiles in its hand."""
    deal = table(preset, [f"{MELDS} R10 {hand} B3 B5", "B9"], stock=NEUTRAL, **changes)
    return play(deal, f"meld {MELDS}", "lay R10 > 1")


def test_R18_one_tile_at_a_time_is_free_as_often_as_one_likes(preset: str) -> None:
    deal = laid(preset, "Y10")
    for _ in range(3):
        deal = play(deal, "back 1", "lay Y10 > 2", "back 1", "lay R10 > 1")
        assert options_of(deal).backs == ((Back(1), 0),)
    assert fines(deal) == []


def test_R18_P4_two_in_a_row_cost_101_once_a_turn(preset: str) -> None:
    deal = play(laid(preset, "Y10 K10"), "lay Y10 > 2")
    assert options_of(deal).backs == ((Back(1), 0), (Back(2), 101))
    assert fines(play(deal, "back 2")) == [(0, "P4", 101)]
    deal = play(deal, "back 1", "lay K10 > 3", "back 1")
    assert fines(deal) == []
    assert options_of(deal).backs == ((Back(1), 101),)
    deal = play(deal, "back 1")
    assert fines(deal) == [(0, "P4", 101)]
    deal = play(deal, "lay R10 > 1", "lay Y10 > 2", "back 2", "lay R10 > 1", "back 1")
    assert fines(deal) == [(0, "P4", 101)]  # it stands, and is not charged again


def test_R18_R2_a_meld_counts_all_its_tiles() -> None:
    deal = play(laid("altinstar", "Y5 Y6 Y7 Y8"), "back 1", "meld Y5 Y6 Y7")
    assert fines(play(deal, "back 3")) == [(0, "P4", 101)]
    deal = play(laid("altinstar", "Y5 Y6 Y7 Y8"), "meld Y5 Y6 Y7 Y8", "back 1")
    assert fines(deal) == []
    assert fines(play(deal, "lay Y8 > 4", "back 1")) == []
    assert fines(play(deal, "back 3")) == [(0, "P4", 101)]


def test_R18_X2_a_swap_is_put_down_too() -> None:
    melds = MELDS.replace("K13", "*K13")
    hands = [f"{melds} K13 R10 B3", "B9"]
    deal = play(table("altinstar", hands, stock=NEUTRAL, reclaim_okey=True), f"meld {melds}")
    deal = play(deal, "lay R10 > 1", "back 1", "swap K13 > 3", "back 1")
    assert fines(deal) == []
    assert fines(play(deal, "swap K13 > 3", "lay R10 > 1", "back 2")) == [(0, "P4", 101)]


def test_R18_U2_a_taken_discard_that_comes_back_binds_again_fined_or_not(preset: str) -> None:
    hands = ["B9 R10 B3", f"{MELDS} Y10 K10 B1", "K7 K9"]
    deal = table(preset, hands[:2], stock=NEUTRAL, taken_discard_fine=0)
    deal = play(deal, "discard B9", "draw", f"meld {MELDS}", "discard B2", "draw", "discard R10")
    deal = play(deal, "take", "lay R10 > 1")
    free, fined = play(deal, "back 1"), play(deal, "lay Y10 > 2", "back 2")
    for back in (free, fined):
        refuses(back, "discard B1", "taken-not-used", "U2")
        assert play(back, "lay R10 > 1", "discard B1").turn == 0
    assert [f.rule for f in fines(free)] == ["P2"]
    assert [f.rule for f in fines(fined)] == ["P2", "P4"]


def test_R7_E1_a_winner_who_never_opened_scores_as_with_melds(preset: str) -> None:
    deal = table(preset, ["B3", "Y9 *"], stock="B2")  # the starter has one tile, and is not open
    assert scores(play(deal, "discard B3")) == (-101, 202)


def test_R8_the_false_joker_is_read_as_the_okey_when_discarded() -> None:
    deal = table("wiki", [f"{MELDS} * B3 B1", "Y9"], indicator="F", stock=NEUTRAL)
    assert str(play(deal, "discard F").public.actions[-1][1]) == "discard *"
