"""Section 12: partners, and what may be laid off."""

from __future__ import annotations

from typing import Any

import pytest

from okey101.errors import RuleSetError
from okey101.game import PRESETS, Deal, Opened, RuleSet, options_of
from rules.table import MELDS, NEUTRAL, PAIRS, fines, play, refuses, scores, table, tabled, texts


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


# What who opened with pairs may lay off, and when anybody may (X6) --------------------------------


BLACK = "Y9 Y10 Y11 Y12 Y13 / K10 K11 K12 K13"
"""An opening of exactly 101 that red 10 does not go with."""


def pairs(hand: str, preset: str = "altinstar", thrown: str = "B3", **changes: Any) -> Deal:
    """Seat 0 has opened with melds and thrown a tile; seat 1 holds pairs and ``hand``."""
    changes = {"pairs_lay_off": "none", **changes}
    hands = [f"{MELDS} B3 {thrown} B5", f"{PAIRS[0]} {hand} B7", "K9 Y8"]
    deal = table(preset, hands, stock="B2 B4 B6 B8 B9 B10", **changes)
    deal = play(deal, f"meld {MELDS}", "discard B3", "draw", f"meld {PAIRS[0]}")
    if thrown == "B3":
        return deal
    return play(deal, "discard B2", "draw", "discard B4", "draw", f"discard {thrown}")


@pytest.mark.parametrize("preset", PRESETS)
def test_X6_who_opened_with_pairs_lays_nothing_off(preset: str) -> None:
    deal = pairs("R10 Y9 Y9 *", preset)
    refuses(deal, "lay R10 > 1", "pairs-lay-nothing-off", "X6")
    refuses(deal, "lay *R10 > 1", "pairs-lay-nothing-off", "X6")
    assert options_of(deal).lays == ()
    assert texts(play(deal, "meld Y9 Y9"))[8:] == ["Y9 Y9"]
    assert tabled(play(pairs("R10", preset, pairs_lay_off="all"), "lay R10 > 1"), 1)[:3] == "R10"


def test_X6_who_opened_with_melds_is_free() -> None:
    hands = [f"{PAIRS[0]} B3 B5", f"{MELDS} R10 B7"]
    deal = table("altinstar", hands, stock=NEUTRAL, pairs_lay_off="none")
    deal = play(deal, f"meld {PAIRS[0]}", "discard B3", "draw", f"meld {MELDS}", "lay R10 > 6")
    assert tabled(deal, 6) == "R10 R11 R12 R13"


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
    deal = pairs(hand, "pagat", tile)
    if use:
        assert options_of(play(deal, "take")).melds
    else:
        refuses(deal, "take", "taken-useless", "U3")


def test_X6_X2_U2_a_swap_is_no_laying_off() -> None:
    melds = MELDS.replace("R12", "*R12")
    hands = [f"{MELDS.replace('R12', '*')} B3 R12 B5", f"{PAIRS[0]} Y9 B7", "K9 Y8"]
    deal = table("pagat", hands, stock=NEUTRAL, pairs_lay_off="none", reclaim_okey=True)
    deal = play(deal, f"meld {melds}", "discard B3", "draw", f"meld {PAIRS[0]}", "discard B2")
    deal = play(deal, "draw", "discard B4", "draw", "discard R12", "take")
    assert tabled(play(deal, "swap R12 > 1"), 1) == "R11 R12 R13"


def test_X6_X2_U2_no_lay_off_settles_what_an_okey_stands_for() -> None:
    # Black 5 would fill the set, and blue 5 then set its okey free for a pair of black 8s.
    for choice in ("all", "none"):
        hands = [f"{MELDS} R5 Y5 * K8 B3 B1", f"{PAIRS[0]} K5 B5 K9 B7"]
        changes: dict[str, Any] = {"pairs_lay_off": choice, "reclaim_okey": True}
        deal = table("pagat", hands, stock="B2 B4 B6", **changes)
        deal = play(deal, f"meld {MELDS}", "meld R5 Y5 *5", "discard B3", "draw")
        deal = play(deal, f"meld {PAIRS[0]}", "discard B2", "draw", "discard K8")
        if choice == "all":
            play(deal, "take", "lay K5 > 4", "swap B5 > 4", "meld K8 *K8")
        else:
            refuses(deal, "take", "taken-useless", "U3")


def indicator(opening: str, hand: str, lines: tuple[str, ...] = (), **changes: Any) -> Deal:
    """Seat 1 is offered the indicator, a blue 12, at the end; it has opened if told so."""
    hands = [f"{MELDS} B3 B5", f"{opening} {hand}"]
    deal = table("wiki", hands, stock="B2 B4", **changes)
    deal = play(deal, f"meld {MELDS}", "discard B3", "draw", *lines, "discard B2")
    return play(deal, "draw", "discard B4")


@pytest.mark.parametrize(("choice", "hand"), [("all", "R10 Y10"), ("none", "R10 Y10")])
def test_X6_E4_pairs_finish_without_lay_offs(choice: str, hand: str) -> None:
    opened = (f"meld {PAIRS[0]}",)
    deal = indicator(PAIRS[0], hand, opened, pairs_lay_off=choice)
    if choice == "all":
        assert scores(play(deal, "indicator", "lay R10 > 1", "lay Y10 > 2", "discard B12"))[1] < 0
    else:
        refuses(deal, "indicator", "indicator-no-finish", "E4")
    deal = indicator(PAIRS[0], "B12 K8", opened, pairs_lay_off=choice)
    assert scores(play(deal, "indicator", "meld B12 B12", "discard K8"))[1] == -202


@pytest.mark.parametrize("field", ["pairs_lay_off", "lay_off_when_opening"])
@pytest.mark.parametrize("opening", [PAIRS[0], BLACK])
def test_X6_E4_an_opening_finishes_with_the_lay_offs_it_may_be_followed_by(
    field: str, opening: str
) -> None:
    off: dict[str, Any] = {field: "none" if field == "pairs_lay_off" else False}
    for changes in ({}, off):
        deal = indicator(opening, "R10", **changes)
        if not changes or (field, opening) == ("pairs_lay_off", BLACK):
            deal = play(deal, "indicator", f"meld {opening}", "lay R10 > 1", "discard B12")
            assert scores(deal)[1] == (-101 if opening == BLACK else -202)
        else:
            refuses(deal, "indicator", "indicator-no-finish", "E4")
    assert indicator(opening, "", **off).phase == "last-indicator"
    assert scores(play(indicator(opening, "", **off), "indicator", f"meld {opening}",
                       "discard B12"))[1] < 0  # fmt: skip


def test_X6_E4_all_but_one_goes_down_in_melds_where_no_lay_off_may_follow() -> None:
    deal = indicator(MELDS, "R10 Y9", lay_off_when_opening=False)
    refuses(deal, "indicator", "indicator-no-finish", "E4")
    deal = play(indicator(MELDS, "R10 B11 B10", lay_off_when_opening=False), "indicator")
    refuses(deal, f"meld {MELDS} / R10 R10 R10", "not-in-hand", "O1")
    deal = play(deal, f"meld {MELDS}")
    refuses(deal, "lay R10 > 1", "lay-off-later", "X6")
    assert scores(play(deal, "meld B10 B11 B12", "discard R10"))[1] == -101
    deal = play(indicator(MELDS, "R10 B11 B10 Y9", lay_off_when_opening=False), "pass")
    assert deal.over


@pytest.mark.parametrize("preset", PRESETS)
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
    melds = MELDS.replace("R12", "*R12")
    hands = [f"{MELDS.replace('R12', '*')} B3 B5", f"{MELDS} B7"]
    deal = table("altinstar", hands, stock="R12 B2", lay_off_when_opening=False, reclaim_okey=True)
    deal = play(deal, f"meld {melds}", "discard B3", "draw", f"meld {MELDS}", "swap R12 > 1")
    assert tabled(deal, 1) == "R11 R12 R13"


def test_X6_P2_a_tile_that_fits_is_fined_for_all_that() -> None:
    deal = pairs("R10")
    assert fines(play(deal, "discard R10")) == [(1, "P2", 101)]
