"""Section 12: what a discard taken to open costs, and the amounts of the fines."""

from __future__ import annotations

from typing import Any

import pytest

from okey101.errors import RuleSetError
from okey101.game import PRESETS, Deal, RuleSet, options_of
from okey101.game.actions import Back
from rules.table import MELDS, NEUTRAL, PAIRS, fines, play, scores, table

NO_K13 = MELDS.replace(" K13", "")


@pytest.mark.parametrize("preset", PRESETS)
def test_X4_X7_presets_leave_them_as_they_were(preset: str) -> None:
    rules = PRESETS[preset]
    assert rules.taken_to_open_fine == 0
    assert (rules.short_opening_fine, rules.take_back_fine, rules.okey_in_hand_fine) == (101,) * 3


@pytest.mark.parametrize(
    ("field", "high"),
    [
        ("taken_to_open_fine", 202),
        ("short_opening_fine", 1010),
        ("take_back_fine", 1010),
        ("okey_in_hand_fine", 1010),
    ],
)
def test_X4_X7_the_amounts_and_their_ranges(field: str, high: int) -> None:
    for value in (0, high):
        assert getattr(RuleSet().with_(**{field: value}), field) == value
    wrong: tuple[object, ...] = (-1, high + 1, 101.0, "101", None, True)
    for refused in wrong:
        with pytest.raises(RuleSetError) as caught:
            RuleSet().with_(**{field: refused})
        assert (caught.value.code, caught.value.fields) == ("bad-value", (field,))


def opened_with(preset: str, tile: str, melds: str, hand: str, **changes: Any) -> Deal:
    """Seat 0 throws a tile, and seat 1 opens with it and throws a blue 9."""
    deal = table(preset, [f"{tile} B3", f"{hand} B9 B1"], stock="B2 B4", **changes)
    return play(deal, f"discard {tile}", "take", f"meld {melds}", "discard B9")


@pytest.mark.parametrize("preset", PRESETS)
def test_X4_who_throws_what_the_next_one_opens_with_pays(preset: str) -> None:
    deal = opened_with(preset, "K13", MELDS, NO_K13, taken_to_open_fine=55, taken_discard_fine=0)
    assert fines(deal) == [(0, "X4", 55)]
    four = PAIRS[0].replace(" Y2 Y2", "").replace("/ ", "")
    deal = opened_with(
        preset, "Y2", PAIRS[0], f"{four} Y2", taken_to_open_fine=202, taken_discard_fine=0
    )
    assert fines(deal) == [(0, "X4", 202)]


def test_X4_U7_both_are_charged_where_both_are_played() -> None:
    deal = opened_with("wiki", "K13", MELDS, NO_K13, taken_to_open_fine=55)
    assert fines(deal) == [(0, "U7", 130), (0, "X4", 55)]


def test_X4_not_for_a_discard_that_is_put_to_use_otherwise() -> None:
    deal = table("altinstar", ["B9 R10 B3", f"{MELDS} Y9 B1"], stock=NEUTRAL, taken_to_open_fine=55)
    deal = play(deal, "discard B9", "draw", f"meld {MELDS}", "discard Y9", "draw", "discard R10")
    deal = play(deal, "take", "lay R10 > 1", "discard B1")
    assert [f.rule for f in fines(deal)] == ["P2"]


def test_X4_U3_not_for_one_that_is_put_back() -> None:
    deal = table("altinstar", ["K13 B3", f"{MELDS} B9"], stock="B2 B4", taken_to_open_fine=55)
    deal = play(deal, "discard K13", "take", "return", "draw", f"meld {MELDS}", "discard B9")
    assert fines(deal) == []


def test_X4_O5_a_short_opening_is_none() -> None:
    deal = table("altinstar", ["K13 B3", "K11 K12 B9"], stock="B2 B4", taken_to_open_fine=55)
    deal = play(deal, "discard K13", "take", "meld K11 K12 K13", "return", "draw", "discard B9")
    assert fines(deal) == [(1, "P3", 101)]


def test_X4_R8_the_riziko_okey_costs_it_as_any_tile() -> None:
    changes: dict[str, Any] = {"indicator": "F", "taken_to_open_fine": 55}
    deal = table("wiki", ["* B3", f"{NO_K13} B9 B1"], stock="B2 B4", **changes)
    melds = MELDS.replace("K13", "*K13")
    deal = play(deal, "discard *", "take", f"meld {melds}", "discard B9")
    assert fines(deal) == [(0, "P1", 101), (0, "X4", 55)]


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
    hands = [f"{MELDS} B3 B5", f"{MELDS} K2 * *"]
    for choice in ("fine_101", "tile_101"):
        deal = table(
            "altinstar", hands, stock="B2 R10", okey_in_hand_fine=points, okey_in_hand=choice
        )
        deal = play(deal, f"meld {MELDS}", "discard B3", "draw", f"meld {MELDS}", "discard B2")
        deal = play(deal, "draw", "lay R10 > 1", "discard B5")
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
