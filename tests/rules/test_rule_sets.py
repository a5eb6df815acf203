"""The presets field by field, and rule sets that are refused with the fields named."""

from dataclasses import FrozenInstanceError, fields
from itertools import product

import pytest

from conftest import Size, raises_code
from okey101.errors import RuleSetError
from okey101.game import PRESETS, RuleSet

PRESET_FIELDS: dict[str, tuple[object, object, object]] = {
    # field: altinstar, pagat, wiki, as section by section of the rules has them
    "players": (4, 4, 4),
    "teams": (False, False, False),
    "starter": ("dealer", "right_of_dealer", "right_of_dealer"),
    "false_joker_indicator": ("rethrow", "rethrow", "riziko"),
    "riziko_losers": ("flat", "flat", "flat"),
    "open_points": (101, 101, 101),
    "open_pairs": (5, 5, 5),
    "whole_hand_opens": (False, True, False),
    "short_opening": ("fine", "fine", "fine"),
    "short_opening_fine": (101, 101, 101),
    "indicator_pairs": (False, False, True),
    "all_pairs": ("void", "void_but_okeys", "void"),
    "return_discard": (True, False, True),
    "pairs_discard_protected": (False, False, True),
    "taken_discard_fine": (0, 0, 10),
    "taken_to_open_fine": (0, 0, 0),
    "team_taken_to_open_fine": (0, 0, 101),
    "last_discard_takeable": (False, True, False),
    "empty_stock": ("count_hands", "void_but_okeys", "count_hands"),
    "stock_pairs_doubled": (True, True, False),
    "indicator_is_last_tile": (False, False, True),
    "unopened_pairs_okey": (808, 404, 808),
    "okey_in_hand_fine": (101, 101, 101),
    "take_back_fine": (101, 101, 101),
    "okey_in_hand": ("fine_101", "tile_101", "fine_101"),
    "okey_discard_fine": (101, 101, 101),
    "playable_discard_fine": (101, 101, 101),
    "rising": (False, False, False),
    "partner_opens": (False, False, False),
    "partner_waived": (False, False, False),
    "melds_lay_pairs": (False, False, False),
    "pairs_lay_off": ("all", "all", "all"),
    "lay_off_when_opening": (True, True, True),
    "reclaim_okey": (False, False, False),
}


def test_every_field_is_in_the_table() -> None:
    assert {f.name for f in fields(RuleSet)} == set(PRESET_FIELDS)
    assert list(PRESETS) == ["altinstar", "pagat", "wiki"]
    assert RuleSet() == PRESETS["altinstar"]


@pytest.mark.parametrize("field", PRESET_FIELDS)
def test_the_presets(field: str) -> None:
    assert tuple(getattr(rules, field) for rules in PRESETS.values()) == PRESET_FIELDS[field]


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"teams": True, "players": 3}, {"teams", "players"}),
        ({"teams": True, "players": 2}, {"teams", "players"}),
        (
            {"indicator_is_last_tile": True, "last_discard_takeable": True},
            {"indicator_is_last_tile", "last_discard_takeable"},
        ),
        ({"partner_opens": True}, {"partner_opens", "teams"}),
        ({"partner_waived": True}, {"partner_waived", "teams"}),
        ({"starter": "left_of_dealer"}, {"starter"}),
        ({"unopened_pairs_okey": 405}, {"unopened_pairs_okey"}),
        ({"unopened_pairs_okey": True}, {"unopened_pairs_okey"}),
        ({"rising": 1}, {"rising"}),
        ({"okey": 1}, {"okey"}),
        ({"pairs_lay_off": "melds"}, {"pairs_lay_off"}),
        ({"pairs_lay_off": False}, {"pairs_lay_off"}),
        ({"lay_off_when_opening": 1}, {"lay_off_when_opening"}),
    ],
)
def test_refused_with_the_fields_named(changes: dict[str, object], named: set[str]) -> None:
    with pytest.raises(RuleSetError) as caught:
        RuleSet().with_(**changes)
    assert set(caught.value.fields) == named
    assert all(name in caught.value.message for name in named)


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("players", 2, 4),
        ("open_points", 51, 151),
        ("open_pairs", 4, 7),
        ("short_opening_fine", 0, 1010),
        ("taken_discard_fine", 0, 101),
        ("taken_to_open_fine", 0, 202),
        ("team_taken_to_open_fine", 0, 202),
        ("okey_in_hand_fine", 0, 1010),
        ("okey_discard_fine", 0, 1010),
        ("playable_discard_fine", 0, 1010),
        ("take_back_fine", 0, 1010),
    ],
)
def test_D1_X3_X4_X7_amounts_have_their_bounds(name: str, low: int, high: int) -> None:
    for value in (low, high):
        assert getattr(RuleSet().with_(**{name: value}), name) == value
    wrong: tuple[object, ...] = (low - 1, high + 1, float(low), str(high), None, True)
    for refused in wrong:
        with raises_code("bad-value", RuleSetError, fields=(name,)):
            RuleSet().with_(**{name: refused})


def test_an_unknown_preset_is_refused() -> None:
    with pytest.raises(RuleSetError) as caught:
        RuleSet.preset("klasik")
    assert caught.value.fields == ("preset",)


def test_a_rule_set_does_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        RuleSet().players = 3  # type: ignore[misc]


def test_any_consistent_mix_is_a_rule_set(size: Size) -> None:
    choices: dict[str, tuple[object, ...]] = {
        name: tuple(dict.fromkeys(values)) for name, values in PRESET_FIELDS.items()
    }
    mixed = [name for name, values in choices.items() if len(values) > 1]
    every = [*product(*(choices[name] for name in mixed))]
    assert len(every) == 2**15
    for values in every[:: size(17, long=1)]:
        changes = dict(zip(mixed, values, strict=True))
        if changes["indicator_is_last_tile"] and changes["last_discard_takeable"]:
            continue
        rules = RuleSet().with_(**changes)
        assert RuleSet.from_dict(rules.to_dict()) == rules
