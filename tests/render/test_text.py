"""Racks, tables and score sheets as text."""

import re

import pytest

from okey101.game import End, Fine, Result, RuleSet, Score
from okey101.i18n import Texts, load
from okey101.melds import ANY, AS
from okey101.render.text import (
    Ink,
    Order,
    deal_sheet_lines,
    match_sheet_lines,
    place_lines,
    rack_lines,
    shelves,
)
from okey101.tiles import Rack, Tile

EN, TR = load("en"), load("tr")
NAMES = ("Ann", "Ben", "Cem", "Dua")
OKEY = Tile.B6


def bits(text: str) -> int:
    return Rack.parse(text, okey=OKEY).bits


class TestInk:
    def test_notation(self) -> None:
        assert Ink(EN).row([Tile.R7, Tile.F, Tile.OKEY, AS + Tile.B6, ANY + 5]) == "R7 F * *B6 *5"

    @pytest.mark.parametrize(
        ("texts", "words"),
        [
            (EN, "red 7, false joker, okey, okey as blue 6, okey as 5"),
            (TR, "kırmızı 7, sahte okey, okey, mavi 6 yerine okey, 5 yerine okey"),
        ],
    )
    def test_words(self, texts: Texts, words: str) -> None:
        row = Ink(texts, words=True).row([Tile.R7, Tile.F, Tile.OKEY, AS + Tile.B6, ANY + 5])
        assert row == words

    def test_colour_adds_to_the_letters_and_takes_nothing(self) -> None:
        pieces = [Tile.R7, Tile.Y7, Tile.B7, Tile.K7, Tile.F, Tile.OKEY]
        coloured = Ink(EN, color=True).row(pieces)
        codes = re.findall(r"\x1b\[([0-9;]*)m", coloured)
        assert len(set(codes[::2])) == 6
        assert set(codes[1::2]) == {"0"}
        assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == Ink(EN).row(pieces)


class TestRack:
    RACK = "R7 R8 R9 K11 Y11 * K1 B1 B1 F"

    @pytest.mark.parametrize(
        ("order", "texts", "lines"),
        [
            (Order.MELDS, EN, ["  Melds: R7 R8 R9 | Y11 K11 *R11", "  Rest: B1 B1 K1 F"]),
            (Order.PAIRS, TR, ["  Çiftler: B1 B1 | K11 *K11", "  Kalan: R7 R8 R9 Y11 K1 F"]),
            (Order.COLOURS, EN, ["  R7 R8 R9 | Y11", "  B1 B1 | K1 K11 | F *"]),
        ],
    )
    def test_in_each_order(self, order: Order, texts: Texts, lines: list[str]) -> None:
        assert rack_lines(bits(self.RACK), OKEY, order, Ink(texts)) == lines

    def test_an_empty_rack(self) -> None:
        for order in Order:
            assert all("none" in line for line in rack_lines(0, OKEY, order, Ink(EN)))

    @pytest.mark.parametrize("order", Order)
    def test_no_tile_is_lost(self, order: Order) -> None:
        groups, rest = shelves(bits(self.RACK), OKEY, order)
        tiles = [p if p < AS else Tile.OKEY for group in groups for p in group]
        assert Rack([*tiles, *rest]).bits == bits(self.RACK)


def result(*totals: int, counts: bool = True, fines: tuple[Fine, ...] = ()) -> Result:
    sheet = tuple(Score(seat, total, (), 0, total) for seat, total in enumerate(totals))
    return Result(End.FINISH, 0, totals, fines, sheet, counts)


class TestScoreSheets:
    def test_doublings_and_fines_are_spelled_out(self) -> None:
        fines = (Fine(1, "P2", 101), Fine(1, "P5", 101))
        sheet = (
            Score(0, -101, ("okey", "pairs"), 0, -404),
            Score(1, 30, ("okey", "pairs", "own-pairs"), 202, 442),
        )
        ended = Result(End.FINISH, 0, (-404, 442), fines, sheet, True)
        lines = deal_sheet_lines(ended, NAMES, (-404, 500), EN)
        parts = [
            "  Ben: 30 x 2 (finished with the okey)",
            "x 2 (finished with pairs)",
            "x 2 (opened with pairs)",
            "+ 101 points (P2, a playable tile was discarded)",
            "+ 101 points (P5, an okey was kept)",
            "= 442; total 500",
        ]
        assert lines == [
            "Score sheet of the deal:",
            "  Ann: -101 x 2 (finished with the okey) x 2 (finished with pairs) = -404; total -404",
            " ".join(parts),
        ]

    def test_the_match_in_columns(self) -> None:
        results = [result(-101, 202, 20, 5), result(0, 101, 0, 0, counts=False), result(1, 2, 3, 4)]
        assert match_sheet_lines(RuleSet(), results, NAMES, EN) == [
            "                Ann  Ben  Cem  Dua",
            "  1            -101  202   20    5",
            "  not counted     0  101    0    0",
            "  2               1    2    3    4",
            "  Total        -100  305   23    9",
        ]

    def test_equal_totals_share_a_place(self) -> None:
        assert place_lines(RuleSet(), (5, -3, 5, 9), NAMES, EN) == [
            "  1. Ben: -3 points",
            "  2. Ann: 5 points",
            "  2. Cem: 5 points",
            "  4. Dua: 9 points",
        ]

    def test_teams_have_one_line_each(self) -> None:
        rules = RuleSet(teams=True)
        assert place_lines(rules, (5, -3, 5, 9), NAMES, TR) == [
            "  1. Ben ve Dua: 6 puan",
            "  2. Ann ve Cem: 10 puan",
        ]
