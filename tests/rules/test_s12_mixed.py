"""Section 12: players who opened with melds lay pairs as well, once pairs lie there."""

from __future__ import annotations

from typing import Any

import pytest

from okey101.game import PRESETS, Deal, Opened, options_of
from rules.table import MELDS, NEUTRAL, PAIRS, play, refuses, scores, table, texts


@pytest.mark.parametrize("preset", PRESETS)
def test_X8_presets_leave_it_off(preset: str) -> None:
    assert not PRESETS[preset].melds_lay_pairs


def beside(hand: str, preset: str = "altinstar", **changes: Any) -> Deal:
    """Seat 0 has opened with pairs, seat 1 with melds and holds ``hand`` beside a blue 7."""
    changes = {"melds_lay_pairs": True, **changes}
    hands = [f"{PAIRS[0]} B3 B5 B1", f"{MELDS} {hand} B7", "K9 K7"]
    deal = table(preset, hands, stock="B2 B4 B6 B9 B10", **changes)
    deal = play(deal, f"meld {PAIRS[0]}", "discard B3", "draw")
    return play(deal, f"meld {MELDS}")


@pytest.mark.parametrize("preset", PRESETS)
def test_X8_pairs_may_be_laid_once_pairs_lie_on_the_table(preset: str) -> None:
    deal = play(beside("Y9 Y9 R5 *", preset), "meld Y9 Y9", "meld R5 *R5")
    assert texts(deal)[8:] == ["Y9 Y9", "R5 *R5"]
    assert deal.public.opened[1] is Opened.MELDS
    refuses(beside("Y9 Y9", preset, melds_lay_pairs=False), "meld Y9 Y9", "melds-only", "M5")


def test_X8_M5_not_before() -> None:
    deal = table("altinstar", [f"{MELDS} Y9 Y9 B3", "B9"], stock="B2", melds_lay_pairs=True)
    deal = play(deal, f"meld {MELDS}")
    refuses(deal, "meld Y9 Y9", "no-pairs-yet", "X8")
    assert options_of(deal).melds == ()


def test_X8_pairs_and_melds_together_after_the_opening_and_never_in_it() -> None:
    deal = beside("Y9 Y9 R5 R6 R7")
    assert {str(m) for m in options_of(deal).melds} == {"meld Y9 Y9", "meld R5 R6 R7"}
    assert texts(play(deal, "meld Y9 Y9 / R5 R6 R7"))[8:] == ["Y9 Y9", "R5 R6 R7"]
    hands = [f"{PAIRS[0]} B3 B5 B1", f"{MELDS} Y9 Y9 B7"]
    deal = table("altinstar", hands, stock=NEUTRAL, melds_lay_pairs=True)
    deal = play(deal, f"meld {PAIRS[0]}", "discard B3", "draw")
    refuses(deal, f"meld {MELDS} / Y9 Y9", "mixed-forms", "M5")


def test_X8_M5_who_opened_with_pairs_lays_no_melds_for_all_that() -> None:
    hands = [f"{PAIRS[0]} R7 R8 R9 B3", "B9"]
    deal = play(table("altinstar", hands, melds_lay_pairs=True), f"meld {PAIRS[0]}")
    refuses(deal, "meld R7 R8 R9", "pairs-only", "M5")


@pytest.mark.parametrize("rule", [True, False])
def test_X8_U2_a_taken_discard_may_be_used_in_a_pair(rule: bool) -> None:
    hands = [f"{PAIRS[0]} K7 B3 B5", f"{MELDS} K7 K8 B7"]
    deal = table("pagat", hands, stock="B2 B4 B6 B9", melds_lay_pairs=rule)
    deal = play(deal, f"meld {PAIRS[0]}", "discard B3", "draw", f"meld {MELDS}", "discard B2")
    deal = play(deal, "draw", "discard K7")
    if rule:
        assert texts(play(deal, "take", "meld K7 K7"))[8:] == ["K7 K7"]
    else:
        refuses(deal, "take", "taken-useless", "U3")


def test_X8_U5_a_pair_comes_back_whole() -> None:
    deal = play(beside("Y9 Y9"), "meld Y9 Y9")
    refuses(deal, "back 1", "breaks-group", "R2")
    assert play(deal, "back 2").public.table == beside("Y9 Y9").public.table


def test_X8_C1_it_stays_an_opening_with_melds() -> None:
    hands = [f"{PAIRS[0]} B3 B5", f"{MELDS} K7 K7 B7"]
    deal = table("altinstar", hands, stock="B7 B4", melds_lay_pairs=True)
    deal = play(deal, f"meld {PAIRS[0]}", "discard B3", "draw", f"meld {MELDS}", "meld K7 K7")
    assert scores(play(deal, "discard B7", "draw", "discard B4"))[1] == 7


@pytest.mark.parametrize("rule", [True, False])
def test_X8_E4_the_indicator_finishes_with_pairs(rule: bool) -> None:
    hands = [f"{PAIRS[0]} B3 B5", f"{MELDS} K7 K7"]
    for opens_first in (True, False):
        deal = table("wiki", hands, stock="B2 B4", melds_lay_pairs=rule)
        opening = [f"meld {MELDS}"]
        deal = play(deal, f"meld {PAIRS[0]}", "discard B3", "draw", *opening[: int(opens_first)])
        deal = play(deal, "discard B2", "draw", "discard B4")
        if not rule:
            refuses(deal, "indicator", "indicator-no-finish", "E4")
            continue
        deal = play(deal, "indicator", *opening[int(opens_first) :])
        assert scores(play(deal, "meld K7 K7", "discard B12"))[1] == -101
