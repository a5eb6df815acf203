"""Every choice of the rules is offered where a table is made, and told where one sits."""

from __future__ import annotations

from dataclasses import fields

import pytest
from playwright.sync_api import Locator, expect

from okey101.game import RuleSet
from page.conftest import Visit
from page.visitors import PATIENCE_S, Visitor

expect.set_options(timeout=PATIENCE_S * 1000)

CHANGED: dict[str, str | int | bool] = {
    "riziko_losers": "hand", "false_joker_indicator": "riziko", "stock_pairs_doubled": False,
    "taken_to_open_fine": 50, "team_taken_to_open_fine": 55, "partner_opens": True,
    "partner_waived": True,
    "pairs_lay_off": "none", "lay_off_when_opening": False, "short_opening_fine": 60,
    "take_back_fine": 70, "okey_in_hand_fine": 80, "melds_lay_pairs": True,
}  # fmt: skip
"""The fields of X4 to X9, R8 and R13, each other than the standard has it."""
FIRST = {"players", "teams", "rising"}
"""What has a place of its own above the other fields."""


def value_words(visitor: Visitor, value: str | int | bool) -> str:
    if isinstance(value, bool):
        return visitor.say(f"field-value-{'yes' if value else 'no'}")
    return str(value) if isinstance(value, int) else visitor.say(f"field-value-{value}")


def control(visitor: Visitor, field: str) -> Locator:
    """Where a field is chosen, by what is read out for it."""
    form, name = visitor.page.locator("form"), visitor.say(f"field-{field}")
    number = form.get_by_role("spinbutton", name=name, exact=True)
    return form.get_by_role("combobox", name=name, exact=True).or_(number)


def noted(visitor: Visitor) -> dict[str, str]:
    """The notes on a table's rules, as they are read."""
    notes = visitor.page.locator("details dl > div")
    visitor.page.locator("details summary").first.click()
    notes.first.wait_for()
    return dict(text.split("\n", 1) for text in notes.all_inner_texts())


@pytest.mark.parametrize(
    ("language", "size"),
    [
        ("tr", (390, 844)),
        pytest.param("en", (844, 390), marks=pytest.mark.long),
        pytest.param("en", (1440, 900), marks=pytest.mark.long),
    ],
)
def test_R8_R13_X4_X9_every_field_is_offered_and_told(
    visit: Visit, language: str, size: tuple[int, int]
) -> None:
    visitor = visit("Ayşe", language=language, size=size)
    visitor.go("/new")
    visitor.page.get_by_label(visitor.say("page-teams"), exact=True).check()
    visitor.page.locator("form details summary").click()
    for field in fields(RuleSet):
        if field.name not in FIRST:
            expect(control(visitor, field.name)).to_be_visible()
    wide = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert visitor.page.evaluate(wide) <= 0, "the longest value moves nothing out of sight"
    for name, value in CHANGED.items():
        if isinstance(value, int) and not isinstance(value, bool):
            control(visitor, name).fill(str(value))
        else:
            control(visitor, name).select_option(value_words(visitor, value))
    visitor.button("page-create").click()
    visitor.until(lambda: visitor.model.table, "the table")
    rules = visitor.model.table["options"]["rules"]
    assert {name: rules[name] for name in CHANGED} == CHANGED
    told = noted(visitor)
    for name, value in CHANGED.items():
        assert told[visitor.say(f"field-{name}")] == value_words(visitor, value)
    unfit = {"short_opening_fine"} if rules["short_opening"] != "fine" else set[str]()
    assert {visitor.say(f"field-{f.name}") for f in fields(RuleSet)} - told.keys() == {
        visitor.say(f"field-{name}") for name in {"players"} | unfit
    }
