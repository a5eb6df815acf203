"""Section 12: partners, who open for each other, and whose loss the winner may take away."""

from __future__ import annotations

from typing import Any

import pytest

from okey101.errors import RuleSetError
from okey101.game import PRESETS, Deal, Opened, RuleSet, options_of
from rules.table import MELDS, NEUTRAL, PAIRS, fines, play, refuses, scores, table, texts


@pytest.mark.parametrize("preset", PRESETS)
def test_X5_X9_presets_leave_them_off(preset: str) -> None:
    assert not PRESETS[preset].partner_opens
    assert not PRESETS[preset].partner_waived


@pytest.mark.parametrize("field", ["partner_opens", "partner_waived"])
def test_X5_X9_with_teams_only(field: str) -> None:
    assert getattr(RuleSet().with_(teams=True, **{field: True}), field)
    with pytest.raises(RuleSetError) as caught:
        RuleSet().with_(**{field: True})
    assert (caught.value.code, caught.value.fields) == ("needs-teams", (field, "teams"))


def partners(hand: str, opening: str = MELDS, preset: str = "altinstar", **changes: Any) -> Deal:
    """Seat 0 has opened; seat 2, its partner, is to draw, and holds ``hand``."""
    changes = {"teams": True, "partner_opens": True, **changes}
    hands = [f"{opening} B3 B5", f"{MELDS} B1 B9", f"{hand} B7", "K9 Y8"]
    deal = table(preset, hands, stock="B2 B4 B6 B8 K2", **changes)
    return play(deal, f"meld {opening}", "discard B3", "draw", "discard B2")


@pytest.mark.parametrize("preset", PRESETS)
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
    low = "R5 R6 R7 R8 / R13 Y13 K13 / Y9 Y10 Y11 / R2 Y2 K2"
    hands = [f"{low} B3 B5", "B1 B9", f"{MELDS} B7", "K9 Y9"]
    deal = table("altinstar", hands, stock=NEUTRAL, teams=True, partner_opens=True, rising=True)
    deal = play(deal, f"meld {low}", "discard B3", "draw", "discard B2", "draw", f"meld {MELDS}")
    assert deal.public.high_points == 101


@pytest.mark.parametrize("preset", PRESETS)
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


@pytest.mark.parametrize("preset", PRESETS)
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
