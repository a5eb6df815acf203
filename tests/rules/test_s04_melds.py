"""Section 4: sets, runs and pairs."""

import pytest

from okey101.errors import IllegalAction
from okey101.melds import Form, parse_group
from okey101.tiles import Tile
from rules.table import MELDS, NEUTRAL, PAIRS, play, refuses, table, tabled

FORMS: dict[str, tuple[Form, list[str], list[str]]] = {
    # Three or four tiles of one number in different colours.
    "M1": (
        Form.SET,
        ["B5 R5 K5", "R13 Y13 B13 K13", "R1 Y1 K1", "F R6 Y6", "*6 *6 R6"],
        ["B10 R10 B10", "R5 R5 R5", "R5 Y5 B5 K5 *5", "R5 Y5 B5 K5 R5", "R5 Y5 *R5", "R5 *Y5 *Y5",
         "F R6 *B6", "R5 R5 *5"],
    ),
    # Three or more consecutive numbers in one colour.
    "M2": (
        Form.RUN,
        ["R7 R8 R9", "K1 K2 K3", "K11 K12 K13", "Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 Y10 Y11 Y12 Y13",
         "B5 F B7", "B4 *B5 *B6"],
        ["K13 K1 K2", "K12 K13 K1", "R7 R8 R10", "R7 Y8 R9", "R7 R8 R8", "R7 R8 *9", "R7 *8 R9",
         "R12 R13 *R1", "*B5 *B6 F"],
    ),
    # Two tiles of the same kind.
    "M3": (
        Form.PAIR,
        ["R7 R7", "F F", "F *B6", "R7 *R7", "R7 *7", "*7 *7", "*R7 *R7"],
        ["R7 Y7", "R7 R8", "R7 *R8", "R7 *Y7", "F R6", "*R7 *Y7", "F *7"],
    ),
}  # fmt: skip
"""By rule: a form, groups that have it, and what the rule refuses."""


@pytest.mark.parametrize("rule", FORMS)
def test_M1_M2_M3_sets_runs_and_pairs(rule: str) -> None:
    form, groups, others = FORMS[rule]
    for text in groups:
        assert parse_group(text, okey=Tile.B6).form is form, text
    for text in others:
        with pytest.raises(IllegalAction) as caught:
            parse_group(text, okey=Tile.B6)
        assert caught.value.rule == rule, text


def test_M3_a_pair_is_never_extended(preset: str) -> None:
    deal = table(preset, [f"{PAIRS[0]} * B3", "B9"], stock="B2")
    deal = play(deal, f"meld {PAIRS[0]}")
    refuses(deal, "lay *R1 > 1", "does-not-fit", "M3")
    refuses(deal, "lay *1 > 1", "does-not-fit", "M3")


def test_M4_a_set_of_three_grows_by_the_missing_colour() -> None:
    deal = table("altinstar", [f"{MELDS} R5 Y5 B5 K5 Y5 B3", "B9"])
    deal = play(deal, f"meld {MELDS}", "meld R5 Y5 B5")
    refuses(deal, "lay Y5 > 4", "does-not-fit", "M4")
    deal = play(deal, "lay K5 > 4")
    assert tabled(deal, 4) == "R5 Y5 B5 K5"
    refuses(deal, "lay Y5 > 4", "does-not-fit", "M4")


def test_M4_a_full_set_takes_no_okey() -> None:
    deal = table("altinstar", [f"{MELDS} R5 Y5 B5 K5 * B3", "B9"])
    deal = play(deal, f"meld {MELDS}", "meld R5 Y5 B5 K5")
    refuses(deal, "lay *5 > 4", "does-not-fit", "M4")


def test_M4_a_run_grows_at_either_end_and_not_round_the_corner() -> None:
    deal = table("altinstar", [f"{MELDS} B4 B5 B6 B3 B7 B2 R1 R10 R9 K8", "B9"])
    deal = play(deal, f"meld {MELDS}", "meld B4 B5 B6")
    refuses(deal, "lay B2 > 4", "does-not-fit", "M4")
    deal = play(deal, "lay B3 > 4", "lay B7 > 4", "lay B2 > 4")
    assert tabled(deal, 4) == "B2 B3 B4 B5 B6 B7"
    refuses(deal, "lay R1 > 1", "does-not-fit", "M4")
    refuses(deal, "lay R9 > 1", "does-not-fit", "M4")
    assert tabled(play(deal, "lay R10 > 1", "lay R9 > 1"), 1) == "R9 R10 R11 R12 R13"


def test_M4_a_run_from_1_to_13_takes_nothing() -> None:
    assert parse_group("Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 Y10 Y11 Y12 Y13").accepts == 0
    assert parse_group("Y1 Y2 Y3").accepts == 1 << Tile.Y4


def test_M5_who_opened_with_melds_never_lays_a_pair(preset: str) -> None:
    deal = table(preset, [f"{MELDS} B3 B3 R5 Y5 B5 * B9", "B9"], stock="B2 B4")
    deal = play(deal, f"meld {MELDS}")
    refuses(deal, "meld B3 B3", "melds-only", "M5")
    refuses(deal, "meld B9 *B9", "melds-only", "M5")
    refuses(deal, "meld B3 B3 / R5 Y5 B5", "mixed-forms", "M5")


def test_M5_who_opened_with_pairs_lays_no_new_set_or_run(preset: str) -> None:
    deal = table(preset, [f"{PAIRS[0]} B3 B3 R5 Y5 B5 B9", "B9"], stock="B2 B4")
    deal = play(deal, f"meld {PAIRS[0]}")
    refuses(deal, "meld R5 Y5 B5", "pairs-only", "M5")
    refuses(deal, "meld B3 B3 / R5 Y5 B5", "mixed-forms", "M5")
    assert tabled(play(deal, "meld B3 B3"), 6) == "B3 B3"


def test_M5_who_opened_with_pairs_lays_off_on_others_melds_and_lays_more_pairs(preset: str) -> None:
    deal = table(preset, [f"{MELDS} B3 K3", f"{PAIRS[0]} R10 B5 B5 B9"], stock=NEUTRAL)
    deal = play(
        deal, f"meld {MELDS}", "discard B3", "draw", f"meld {PAIRS[0]}", "lay R10 > 1", "meld B5 B5"
    )
    assert tabled(deal, 1) == "R10 R11 R12 R13"


def test_M5_an_opening_is_of_one_kind() -> None:
    deal = table("altinstar", [f"{MELDS} {PAIRS[0]} B3", "B9"])
    refuses(deal, f"meld {MELDS} / {PAIRS[0]}", "mixed-forms", "M5")
    assert not play(deal, f"meld {MELDS}").public.fines
