"""Section 9: the fines of 101. P3 and P4 stand with O5 and U5 as well."""

from typing import Any

import pytest

from okey101.game import Deal, options_of
from okey101.tiles import parse_tile
from rules.table import MELDS, NEUTRAL, fines, play, scores, table


def started(preset: str = "altinstar", hand: str = "", **changes: Any) -> Deal:
    """Seat 0 has opened with melds; seat 1, unopened, has drawn and holds ``hand``."""
    deal = table(preset, [f"{MELDS} B3 B5", f"{hand} Y9 K7"], stock=NEUTRAL, **changes)
    return play(deal, f"meld {MELDS}", "discard B3", "draw")


@pytest.mark.parametrize(("tile", "rule", "score"), [("*", "P1", -404), ("R10", "P2", -202)])
def test_P1_P2_an_okey_or_a_playable_tile_but_not_when_it_finishes(
    preset: str, tile: str, rule: str, score: int
) -> None:
    deal = play(table(preset, [f"{MELDS} {tile}", "Y9"], stock="B2"), f"meld {MELDS}")
    deal = play(deal, f"discard {tile}")
    assert (fines(deal), scores(deal)[0]) == ([], score)
    deal = table(preset, [f"{MELDS} {tile} B3", "Y9"], stock="B2 B4")
    assert fines(play(deal, f"meld {MELDS}", f"discard {tile}")) == [(0, rule, 101)]
    if tile == "*":  # before anything lies on the table, too
        assert fines(play(deal, "discard *")) == [(0, "P1", 101)]


@pytest.mark.parametrize(
    ("tiles", "fined"), [("R10 Y10 K10", [(1, "P2", 101)]), ("R9 B10 R13 R11 R1", [])]
)
def test_P2_a_tile_that_fits_and_no_other(
    preset: str, tiles: str, fined: list[tuple[int, str, int]]
) -> None:
    for tile in tiles.split():
        assert fines(play(started(preset, tile), f"discard {tile}")) == fined, tile


@pytest.mark.parametrize(
    ("melds", "fined", "free"),
    [
        ("R5 Y5 *5", "B5 K5", "R5 Y5"),
        ("R5 Y5 *B5", "K5", "B5"),
        ("R5 *5 *5", "Y5 B5 K5", "R5"),
        ("R5 *Y5 *5", "B5 K5", "Y5"),
        ("R5 Y5 B5 *5", "", "K5 R5"),
        ("R4 *R5 R6", "R3 R7", "R5"),
        ("R1 R2 R3", "R4", "R13"),
    ],
)
def test_P2_J3_R6_through_okeys_in_melds(melds: str, fined: str, free: str) -> None:
    hands = [f"{MELDS} {melds} B3 B1", f"{fined} {free} Y9 K7"]
    deal = play(table("altinstar", hands, stock=NEUTRAL), f"meld {MELDS}", f"meld {melds}")
    deal = play(deal, "discard B3", "draw")
    for tile in fined.split():
        assert fines(play(deal, f"discard {tile}")) == [(1, "P2", 101)], tile
    for tile in free.split():
        assert fines(play(deal, f"discard {tile}")) == [], tile


def test_P2_pairs_take_nothing() -> None:
    deal = table("altinstar", ["R1 R1 Y1 Y1 K1 K1 R2 R2 Y2 * B3 B1", "Y2 Y9 K7"], stock=NEUTRAL)
    deal = play(deal, "meld R1 R1 / Y1 Y1 / K1 K1 / R2 R2 / Y2 *Y2", "discard B3", "draw")
    assert fines(play(deal, "discard Y2")) == []


def test_P2_a_meld_that_grew_full_takes_nothing() -> None:
    deal = table("altinstar", [f"{MELDS} R5 Y5 B5 K5 B3 B1", "K5 Y9"], stock=NEUTRAL)
    short = play(deal, f"meld {MELDS}", "meld R5 Y5 B5", "discard B3", "draw")
    assert fines(play(short, "discard K5")) == [(1, "P2", 101)]
    full = play(deal, f"meld {MELDS}", "meld R5 Y5 B5", "lay K5 > 4", "discard B3", "draw")
    assert fines(play(full, "discard K5")) == []


def test_P1_P2_R10_an_okey_is_fined_once() -> None:
    assert fines(play(started(hand="*"), "discard *")) == [(1, "P1", 101)]


def test_P1_P2_other_figures_and_none() -> None:
    deal = started(hand="R10 *", okey_discard_fine=0, playable_discard_fine=50)
    assert fines(play(deal, "discard *")) == []
    assert fines(play(deal, "discard R10")) == [(1, "P2", 50)]
    deal = started(hand="R10 *", okey_discard_fine=202, playable_discard_fine=0)
    assert fines(play(deal, "discard *")) == [(1, "P1", 202)]
    assert fines(play(deal, "discard R10")) == []


def test_P5_R10_never_for_who_has_not_opened_in_a_scored_deal(preset: str) -> None:
    deal = play(table(preset, [f"{MELDS} B3", "* * Y9"], stock="B2"), f"meld {MELDS}", "discard B3")
    assert fines(deal) == []
    assert scores(deal) == (-202, 404)


def test_P6_unavoidable_fines_are_fined_all_the_same(preset: str) -> None:
    # Every tile of seat 1 fits a run on the table, and it can't open.
    deal = table(preset, [f"{MELDS} B3 B5", "R10 Y10"], stock="K10 B4")
    deal = play(deal, f"meld {MELDS}", "discard B3", "draw")
    options = options_of(deal).discards
    assert {(parse_tile(t), "P2", 101) for t in ("R10", "Y10", "K10")} == set(options)
    assert fines(play(deal, "discard R10")) == [(1, "P2", 101)]


def test_R10_two_acts_are_two_fines() -> None:
    deal = table("wiki", ["B5 R10 B3", f"{MELDS} Y9 B1"], stock=NEUTRAL)
    deal = play(deal, "discard B5", "draw", f"meld {MELDS}", "discard B2", "draw", "discard R10")
    deal = play(deal, "take", "lay R10 > 1", "discard B1")
    assert fines(deal) == [(0, "P2", 101), (0, "U7", 100)]
