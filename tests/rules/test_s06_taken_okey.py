"""A taken okey that only a new meld can use, for nothing on the table takes a tile (U2, U3)."""

from __future__ import annotations

import pytest

from okey101.game import is_legal, parse_action
from rules.table import play, refuses, table

FULL_SETS = "R13 Y13 B13 K13 / R12 Y12 B12 K12 / R11 Y11 B11 K11"


@pytest.mark.parametrize(
    ("hand", "usable"),
    [
        ("R3 R4 Y9", True),
        ("R3 R5 Y9", True),
        ("R3 K3 Y9", True),
        ("R3 R6 Y9", False),
        ("R3 R3 Y9", False),
        ("R3 R4", False),  # the okey's meld would leave nothing to discard
    ],
)
def test_U3_a_taken_okey_needs_a_meld_where_the_table_takes_nothing(
    hand: str, *, usable: bool
) -> None:
    held = FULL_SETS.replace("/ ", "")
    deal = table("pagat", ["B9 * K7 K7", f"{held} {hand}"], stock="B2 B3 B7 B8")
    deal = play(deal, "discard B9", "draw", f"meld {FULL_SETS}", "discard B2")
    assert deal.public.playable == 0
    deal = play(deal, "draw", "discard *")
    if usable:
        assert is_legal(deal, parse_action("take"))
    else:
        refuses(deal, "take", "taken-useless", "U3")
