"""Section 3: the okey and the false jokers."""

import pytest

from okey101.melds import parse_group
from okey101.tiles import Tile, okey_of, parse_tile
from rules.table import MELDS, PAIRS, fines, play, refuses, table, tabled


def test_J1_the_okey_is_one_above_the_indicator_in_its_colour() -> None:
    for colour in "RYBK":
        for number in range(1, 14):
            above = number % 13 + 1
            assert okey_of(parse_tile(f"{colour}{number}")) == parse_tile(f"{colour}{above}")


@pytest.mark.parametrize(("indicator", "okey"), [("B5", "B6"), ("R13", "R1"), ("K12", "K13")])
def test_J1_both_its_tiles_are_wild(preset: str, indicator: str, okey: str) -> None:
    deal = table(preset, [f"{okey} {okey} F", "Y9 F"], indicator=indicator)
    assert deal.public.okey == parse_tile(okey)
    assert str(deal.rack(0)) == "F * *"


OPENED = f"{MELDS} R3 R4 F B3"
"""An opening, red 3 and 4, a false joker and a tile to discard; the okey is red 5."""


@pytest.mark.parametrize(
    ("hand", "meld", "group"),
    [
        ("R3 R4 F", "R3 F R4", "R3 R4 F"),
        ("F R6 R7", "F R6 R7", "F R6 R7"),
        ("Y5 F K5", "Y5 F K5", "F Y5 K5"),
        ("Y5 F K5 B5", "Y5 F K5 B5", "F Y5 B5 K5"),
    ],
)
def test_J2_a_false_joker_is_the_natural_tile_of_the_okeys_kind_in_melds(
    preset: str, hand: str, meld: str, group: str
) -> None:
    deal = table(preset, [f"{MELDS} {hand} B3 B4", "B9"], indicator="R4", stock="B6")
    deal = play(deal, f"meld {MELDS}", f"meld {meld}")
    assert tabled(deal, 4) == group


@pytest.mark.parametrize("pair", ["F F", "F *R5"])
def test_J2_a_false_joker_pairs_with_its_twin_and_with_an_okey_for_it(
    preset: str, pair: str
) -> None:
    pairs = f"{pair} / Y1 Y1 / K1 K1 / R2 R2 / Y2 Y2"
    deal = table(preset, [f"{pairs} B3 B5", "B9"], indicator="R4", stock="B6")
    assert tabled(play(deal, f"meld {pairs}"), 1) == pair


@pytest.mark.parametrize("meld", ["F R8 R9", "Y7 K7 F", "F Y5 *R5", "R6 F R8"])
def test_J2_a_false_joker_is_not_wild(meld: str) -> None:
    hand = f"{MELDS} F * R6 R8 R9 Y7 K7 Y5 B3"
    deal = play(table("altinstar", [hand, "B9"], indicator="R4"), f"meld {MELDS}")
    code, rule = ("not-a-set", "M1") if meld == "F Y5 *R5" else ("not-a-run", "M2")
    refuses(deal, f"meld {meld}", code, rule)


def test_J2_a_false_joker_is_laid_off_as_the_okeys_kind(preset: str) -> None:
    deal = table(preset, [f"{MELDS} F F B3 B4", "B9"], indicator="R9", stock="B6")
    deal = play(deal, f"meld {MELDS}")
    refuses(deal, "lay F > 2", "does-not-fit", "M4")
    assert tabled(play(deal, "lay F > 1"), 1) == "F R11 R12 R13"


def test_J2_a_playable_false_joker_is_fined_as_such() -> None:
    deal = table("altinstar", [f"{MELDS} F B3", "B9"], indicator="R9", stock="B6")
    assert fines(play(deal, f"meld {MELDS}", "discard F")) == [(0, "P2", 101)]


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("R7 R8 *R9", 24),
        ("*R7 R8 R9", 24),
        ("R7 *R8 *R9 R10", 34),
        ("R5 Y5 *5", 15),
        ("R5 *5 *5", 15),
        ("R5 Y5 *5 *5", 20),
        ("R9 *R9", 18),
        ("*9 *9", 18),
        ("*B6 *5 R6", None),
        ("B5 *B6 B7", 18),
    ],
)
def test_J3_an_okey_has_the_value_of_what_it_stands_for(text: str, points: int | None) -> None:
    if points is None:
        with pytest.raises(ValueError, match="run"):
            parse_group(text, okey=Tile.B6)
    else:
        assert parse_group(text, okey=Tile.B6).points == points


def test_J3_an_opening_counts_the_okey_as_what_it_stands_for() -> None:
    melds = "R11 R12 *R13 / Y11 Y12 Y13 / B9 B10 *B11"
    hand = "R11 R12 Y11 Y12 Y13 B9 B10 * * B3"
    deal = play(table("altinstar", [f"{hand} K7", "B1"], stock="B6"), f"meld {melds}")
    assert sum(g.points for g in deal.public.table) == 36 + 36 + 30
    short = "*R10 R11 R12 / Y11 Y12 Y13 / *B8 B9 B10"
    deal = play(table("altinstar", [f"{hand} K7", "B1"], stock="B6"), f"meld {short}")
    assert fines(deal) == [(0, "P3", 101)]  # 33 + 36 + 27 = 96


def test_J3_in_a_set_of_three_the_colour_stays_open_while_two_are_free() -> None:
    group = parse_group("B5 R5 *5", okey=Tile.B6)
    assert [k for k in range(52) if group.accepts >> k & 1] == [Tile.Y5, Tile.K5]
    hand = f"{MELDS} B5 R5 * Y5 K5 B3 B2"
    cases = (("Y5", "K5", "R5 Y5 B5 *K5"), ("K5", "Y5", "R5 B5 K5 *Y5"))
    for tile, other, full in cases:
        deal = play(table("altinstar", [hand, "B9"]), f"meld {MELDS}", "meld B5 R5 *5")
        deal = play(deal, f"lay {tile} > 4")
        assert tabled(deal, 4) == full
        refuses(deal, f"lay {other} > 4", "does-not-fit", "M4")


def test_J3_two_okeys_in_a_set_leave_three_colours_open() -> None:
    for tile in ("Y5", "B5", "K5"):
        deal = table("altinstar", [f"{MELDS} R5 * * {tile} B3", "B9"])
        deal = play(deal, f"meld {MELDS}", "meld R5 *5 *5", f"lay {tile} > 4")
        assert len(deal.public.table[3]) == 4


def test_J3_an_okey_makes_a_pair_of_any_tile_and_two_okeys_are_a_pair() -> None:
    pairs = "R1 *R1 / Y1 Y1 / K1 K1 / R2 R2 / Y2 *2"
    deal = play(table("altinstar", [f"{pairs} B3", "B9"], stock="B6"), f"meld {pairs}")
    assert tabled(deal, 5) == "Y2 *Y2"
    deal = table("altinstar", [f"{PAIRS[0]} * * B3", "B9"])
    assert tabled(play(deal, f"meld {PAIRS[0]} / *5 *5"), 6) == "*5 *5"


def test_R6_a_named_okey_is_that_tile() -> None:
    deal = table("altinstar", [f"{MELDS} B5 R5 * Y5 K5 B3", "B9"])
    deal = play(deal, f"meld {MELDS}", "meld B5 R5 *Y5")
    refuses(deal, "lay Y5 > 4", "does-not-fit", "M4")
    assert tabled(play(deal, "lay K5 > 4"), 4) == "R5 B5 K5 *Y5"


def test_R6_M4_an_okey_laid_on_a_set_of_three_needs_no_name() -> None:
    for piece in ("*5", "*Y5", "*K5"):
        deal = play(table("altinstar", [f"{MELDS} B5 R5 * * B3", "B9"]), f"meld {MELDS}")
        deal = play(deal, "meld B5 R5 *5", f"lay {piece} > 4")
        assert tabled(deal, 4) == "R5 B5 *Y5 *K5"


def test_R6_one_named_and_one_open_okey() -> None:
    group = parse_group("B5 *R5 *5", okey=Tile.B6)
    assert [k for k in range(52) if group.accepts >> k & 1] == [Tile.Y5, Tile.K5]


def test_J4_a_played_okey_stays_where_it_is(preset: str) -> None:
    deal = table(preset, [f"{MELDS} B5 B6 * B7 B3", "B9"], stock="B2")
    deal = play(deal, f"meld {MELDS}", "meld B5 B6 *B7")
    refuses(deal, "swap B7 > 4", "no-reclaim", "X2")
    refuses(deal, "lay B7 > 4", "does-not-fit", "M4")


def test_J4_an_okey_laid_in_this_turn_may_be_taken_back_as_any_tile() -> None:
    deal = play(table("altinstar", [f"{MELDS} * B3", "B9"]), f"meld {MELDS}", "lay *R10 > 1")
    assert str(play(deal, "back 1").rack(0)) == "B3 *"
