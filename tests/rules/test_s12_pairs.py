"""Section 12: what a player who opened with pairs may lay off, and when anybody may."""

from __future__ import annotations

from typing import Any

import pytest

from okey101.errors import RuleSetError
from okey101.game import PRESETS, Deal, RuleSet, options_of
from rules.table import MELDS, NEUTRAL, PAIRS, fines, play, refuses, scores, table, tabled, texts

BLACK = "Y9 Y10 Y11 Y12 Y13 / K10 K11 K12 K13"
"""An opening of exactly 101 that red 10 does not go with."""


@pytest.mark.parametrize("preset", PRESETS)
def test_X6_presets_let_everybody_lay_off(preset: str) -> None:
    assert PRESETS[preset].pairs_lay_off == "all"
    assert PRESETS[preset].lay_off_when_opening


@pytest.mark.parametrize(
    "changes", [{"pairs_lay_off": "melds"}, {"pairs_lay_off": False}, {"lay_off_when_opening": 1}]
)
def test_X6_its_values(changes: dict[str, object]) -> None:
    with pytest.raises(RuleSetError) as caught:
        RuleSet().with_(**changes)
    assert caught.value.code == "bad-value"


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
