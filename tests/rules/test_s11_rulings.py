"""Section 11: rulings that have no place of their own among the tests of the other sections."""

from __future__ import annotations

import pytest

from okey101.game import PRESETS, Deal, Phase, options_of
from okey101.tiles import OKEY, Rack
from rules.table import MELDS, NEUTRAL, PAIRS, fines, idle, play, refuses, scores, table, tabled


@pytest.mark.parametrize("preset", PRESETS)
def test_R1_what_is_laid_before_the_taken_tile_must_leave_it_a_use(preset: str) -> None:
    """The example of the ruling: laying the 8 and then the taken 9 is fine."""
    melds = "R11 Y11 K11 / R12 Y12 K12 / R13 Y13 K13"
    hands = ["B3 R9 B5", f"{melds} R5 R6 R7 R8 Y9 Y8"]
    deal = table(preset, hands, stock="B2 B4 B6")
    deal = play(deal, "discard B3", "draw", f"meld {melds}", "meld R5 R6 R7", "discard B2")
    deal = play(deal, "draw", "discard R9", "take", "lay R8 > 4", "lay R9 > 4", "discard Y9")
    assert tabled(deal, 4) == "R5 R6 R7 R8 R9"


@pytest.mark.parametrize("preset", ["altinstar", "wiki"])
def test_R1_a_put_back_discard_is_gone_for_this_turn_only(preset: str) -> None:
    deal = table(preset, ["K13 B3 B5", "Y9 Y8"], stock="B2 B4 B6")
    deal = play(deal, "discard K13", "take", "return", "draw", "discard B2", "draw", "discard B4")
    assert deal.phase is Phase.DRAW
    assert play(deal, "take").public.taken is not None
    assert str(Rack(deal.public.discards[0])) == "B4 K13"


def test_R2_taking_back_and_the_counts_of_tiles() -> None:
    hands = [f"{MELDS} R5 R6 R7 R10 K8 K9", "B9 B1"]
    deal = play(table("altinstar", hands, stock=NEUTRAL), f"meld {MELDS}", "meld R5 R6 R7")
    deal = play(deal, "lay R10 > 1", "back 1")
    assert fines(deal) == []
    assert fines(play(deal, "back 3")) == [(0, "P4", 101)]


@pytest.mark.parametrize("preset", PRESETS)
def test_R3_a_short_opening_with_pairs(preset: str) -> None:
    four = " / ".join(PAIRS[0].split(" / ")[:4])
    deal = table(preset, [f"{PAIRS[0]} B3 B5", "Y9"], stock="B2")
    deal = play(deal, f"meld {four}", f"meld {PAIRS[0]}")
    assert fines(deal) == [(0, "P3", 101)]


@pytest.mark.parametrize("preset", PRESETS)
def test_R4_O7_no_fine_stands_in_a_void_deal(preset: str) -> None:
    hands = [f"{PAIRS[0]} * * B3 B5", f"{PAIRS[1]} B7 B9"]
    deal = table(preset, hands, stock=NEUTRAL)
    deal = play(deal, "meld R1 R1", f"meld {PAIRS[0]}", "discard *", "draw")
    assert [f.rule for f in fines(deal)] == ["P3", "P1"]
    deal = play(deal, f"meld {PAIRS[1]}")
    assert fines(deal) == ([(0, "P5", 101)] if preset == "pagat" else [])
    assert scores(deal) == ((101, 0) if preset == "pagat" else (0, 0))


def test_R4_E3_nor_in_a_void_deal_at_the_end_of_the_stock() -> None:
    deal = table("pagat", ["R7 R8 R9 * B3", "Y9 *"], stock="B2")
    deal = play(deal, "meld R7 R8 R9", "discard *", "draw", "discard B2", "pass")
    assert fines(deal) == [(1, "P5", 101)]
    assert scores(deal) == (0, 101)


def test_R5_every_discard_with_the_stock_empty_asks_anew() -> None:
    hands = ["K13 B3", f"{MELDS.replace('K13', 'R10')} Y10 Y9", f"{MELDS} B9 B1"]
    deal = play(table("pagat", hands), "discard K13")
    assert deal.phase is Phase.LAST_DISCARD
    deal = play(deal, "take", f"meld {MELDS}", "discard Y10")
    assert (deal.turn, deal.phase) == (2, Phase.LAST_DISCARD)
    assert play(deal, "pass").result is not None


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


def test_R8_a_plain_finish_in_a_riziko_deal_is_a_plain_finish() -> None:
    deal = table("wiki", [f"{MELDS} B3", "Y9"], indicator="F", stock="B2")
    assert scores(play(deal, f"meld {MELDS}", "discard B3")) == (-202, 404)


def test_R10_a_thrown_okey_that_fits_is_one_act() -> None:
    deal = play(table("wiki", [f"{MELDS} * B3", "Y9"], stock="B2"), f"meld {MELDS}", "discard *")
    assert fines(deal) == [(0, "P1", 101)]


@pytest.mark.parametrize("players", [2, 3])
def test_R11_the_previous_player_is_the_one_before_in_the_round(players: int) -> None:
    hands = ["K13 B3 B5", "Y9 Y8", "B7 B9"][:players]
    deal = idle(play(table("altinstar", hands, stock=NEUTRAL), "discard B3"), players - 1)
    assert deal.turn == 0
    assert str(Rack([play(deal, "take").public.taken or 0])) == NEUTRAL.split()[players - 2]


def test_R12_pairs_and_doubles_at_an_okey_finish() -> None:
    hands = [f"{MELDS} B3 *", f"{PAIRS[0]} B7 B9"]
    deal = table("wiki", hands, stock="B2 R10")
    deal = play(deal, f"meld {MELDS}", "discard B3", "draw", f"meld {PAIRS[0]}", "discard B2")
    assert scores(play(deal, "draw", "lay R10 > 1", "discard *")) == (-202, 16 * 4)


@pytest.mark.parametrize("preset", PRESETS)
def test_R14_two_okeys_kept_cost_202_and_the_unopened_nothing_beside_the_flat_sum(
    preset: str,
) -> None:
    hands = [f"{MELDS} B3 B5", f"{MELDS} K2", "K7 K9 * *"]
    deal = table(preset, hands, stock="B2 B4 R10")
    deal = play(deal, f"meld {MELDS}", "discard B3", "draw", f"meld {MELDS}", "discard B2")
    deal = play(deal, "draw", "discard B4", "draw", "lay R10 > 1", "discard B5")
    assert scores(deal) == (-101, 2, 202)
    hands = [f"{MELDS} B3 B5", f"{MELDS} K2 * *"]
    deal = play(table(preset, hands, stock="B2 R10"), f"meld {MELDS}", "discard B3", "draw")
    deal = play(deal, f"meld {MELDS}", "discard B2", "draw", "lay R10 > 1", "discard B5")
    assert scores(deal) == (-101, 2 + 202)


def test_R15_a_discard_may_be_taken_to_lay_it_off() -> None:
    deal = table("pagat", [f"{MELDS} B3 B5", f"{MELDS} R10 B7 B9"], stock="B2 B4")
    deal = play(deal, f"meld {MELDS}", "discard B3", "draw", f"meld {MELDS}", "discard R10")
    assert tabled(play(deal, "take", "lay R10 > 1"), 1) == "R10 R11 R12 R13"


def test_R16_a_used_discard_costs_the_throwers_team_ten_times_its_number() -> None:
    hands = ["R6 B3", "R7 R8 R11 R12 R13 Y11 Y12 Y13 K11 K12 K13 B9", "K7 K9", "K5 K4"]
    deal = table("wiki", hands, stock="B2 B4 B6 B8 B10", teams=True)
    deal = play(deal, "discard R6", "take", f"meld {MELDS} / R6 R7 R8", "discard B9")
    assert scores(deal) == (404 + 60, -202, 404, 404)


def lone(preset: str) -> Deal:
    """A position in which the starter has one tile only, and has not opened."""
    return play(table(preset, ["B3", "Y9 *"], stock="B2"), "discard B3")


@pytest.mark.parametrize("preset", PRESETS)
def test_R7_E1_a_winner_who_never_opened_scores_as_with_melds(preset: str) -> None:
    assert scores(lone(preset)) == (-101, 202)


def test_R8_the_false_joker_is_read_as_the_okey_when_discarded() -> None:
    deal = table("wiki", [f"{MELDS} * B3 B1", "Y9"], indicator="F", stock=NEUTRAL)
    assert str(play(deal, "discard F").public.actions[-1][1]) == "discard *"
