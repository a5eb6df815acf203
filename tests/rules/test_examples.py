"""The worked examples of the sources, one by one."""

from __future__ import annotations

import pytest

from conftest import unwrap
from okey101.errors import IllegalAction
from okey101.game import PRESETS, Opened, options_of
from okey101.melds import parse_group
from okey101.tiles import OKEY, Rack, Tile
from rules.table import MELDS, fines, play, refuses, table


@pytest.mark.parametrize("preset", PRESETS)
def test_O1_four_melds_of_108_open(preset: str) -> None:
    melds = "R7 R8 R9 / R11 Y11 K11 / Y4 Y5 Y6 / K11 K12 K13"
    deal = table(preset, [f"{melds} B1 B3", "B9"], stock="B2")
    deal = play(deal, f"meld {melds}")
    assert deal.public.high_points == 108
    assert deal.public.opened[0] is Opened.MELDS


@pytest.mark.parametrize("preset", PRESETS)
def test_O1_the_fourth_tile_of_a_run_brings_it_to_101(preset: str) -> None:
    melds = "R5 R6 R7 R8 / R13 Y13 K13 / Y9 Y10 Y11 / R2 Y2 K2"
    deal = table(preset, [f"{melds} B1 B3", "B9"], stock="B4")
    without = play(deal, f"meld {melds.replace('R7 R8', 'R7')}")
    assert fines(without) == [(0, "P3", 101)]
    assert sum(parse_group(g).points for g in melds.replace("R7 R8", "R7").split("/")) == 93
    deal = play(deal, f"meld {melds}")
    assert (deal.public.high_points, deal.public.opened[0]) == (101, Opened.MELDS)


@pytest.mark.parametrize(
    ("indicator", "okey"), [("B5", Tile.B6), ("R13", Tile.R1), ("K5", Tile.K6), ("Y10", Tile.Y11)]
)
def test_J1_J2_indicator_okeys_and_false_jokers(indicator: str, okey: Tile) -> None:
    deal = table("altinstar", [f"{okey.name} F F B9", f"{okey.name} B9"], indicator=indicator)
    assert deal.public.okey == okey
    assert [deal.rack(seat).count(OKEY) for seat in (0, 1)] == [1, 1]
    assert parse_group("F F", okey=okey).points == 2 * okey.number
    assert Rack.parse("F").points(okey) == okey.number


@pytest.mark.parametrize(("text", "rule"), [("B10 R10 B10", "M1"), ("K13 K1 K2", "M2")])
def test_M1_M2_no_meld(text: str, rule: str) -> None:
    with pytest.raises(IllegalAction) as caught:
        parse_group(text)
    assert caught.value.rule == rule


@pytest.mark.parametrize(
    ("text", "form"), [("K5 R5 B5", "set"), ("R7 R8 R9", "run"), ("K5 K5", "pair")]
)
def test_M1_M2_M3_melds_and_pairs(text: str, form: str) -> None:
    assert parse_group(text).form.value == form


@pytest.mark.parametrize("preset", PRESETS)
def test_U4_two_tiles_left_and_the_third_of_the_run_drawn(preset: str) -> None:
    deal = table(preset, [f"{MELDS} B7 B8 B3", f"{MELDS} B1 B5"], stock="B2 B9 B4")
    deal = play(deal, f"meld {MELDS}", "discard B3", "draw", f"meld {MELDS}", "discard B2", "draw")
    assert str(deal.rack(0)) == "B7 B8 B9"
    refuses(deal, "meld B7 B8 B9", "nothing-left", "U4")
    assert play(deal, "discard B9").turn == 1


@pytest.mark.parametrize("preset", PRESETS)
def test_U7_a_6_costs_60(preset: str) -> None:
    hand = f"{MELDS} B7 B8 B3"
    deal = table(preset, ["B1 B6 B5", hand], stock="B2 B4 B9")
    deal = play(deal, "discard B1", "draw", f"meld {MELDS}", "discard B2", "draw", "discard B6")
    deal = play(deal, "take", "meld B6 B7 B8", "discard B3")
    assert [f for f in fines(deal) if f.rule == "U7"] == (
        [(0, "U7", 60)] if preset == "wiki" else []
    )


def test_O4_21_tiles_at_once() -> None:
    whole = "R1 R2 R3 / Y1 Y2 Y3 / K1 K2 K3 / R4 Y4 K4 / R5 Y5 K5 / R6 Y6 K6 / R7 Y7 K7"
    deal = table("pagat", [f"{whole} B9", "B1", "B3", "B5"], stock="B2")
    opening = unwrap(options_of(deal).opening)
    assert sum(map(len, opening.pieces)) == 21
    assert play(deal, str(opening), "discard B9").over


def test_J3_the_set_of_two_fives_and_an_okey() -> None:
    group = parse_group("B5 R5 *5", okey=Tile.B6)
    assert group.takes(Tile.Y5)
    assert group.takes(Tile.K5)
    assert not group.takes(Tile.R5)


def test_O7_ten_pairs_are_the_most_and_a_lay_off_is_needed_to_finish() -> None:
    pairs = " / ".join(f"{c}{n} {c}{n}" for c in "RY" for n in (1, 2, 3, 4, 5))
    deal = table("pagat", [f"{MELDS} B9 B7", f"{pairs} R10"], stock="B2 B4")
    deal = play(deal, f"meld {MELDS}", "discard B9", "draw", f"meld {pairs}")
    assert not play(deal, "discard B2").over
    assert play(deal, "lay R10 > 1", "discard B2").over
