"""The rules as text: complete, in both languages, every number taken from the rule set."""

import re
from dataclasses import fields
from typing import Any

import pytest

from okey101.game.ruleset import PRESETS, RuleSet
from okey101.i18n import LANGUAGES, Texts, load
from okey101.render.rules_text import Section, rules_markdown, rules_plain, rules_text

IDS = [
    f"{letter}{number}"
    for letter, count in zip("TDJMOUECPGX", (2, 8, 4, 5, 7, 7, 4, 4, 6, 3, 9), strict=True)
    for number in range(1, count + 1)
]
OTHER: dict[str, object] = {
    "players": 3, "teams": True, "starter": "right_of_dealer", "false_joker_indicator": "riziko",
    "open_points": 87, "open_pairs": 6, "short_opening": "refuse", "all_pairs": "void_but_okeys",
    "taken_discard_fine": 7, "empty_stock": "void_but_okeys", "okey_in_hand": "tile_101",
    "unopened_pairs_okey": 404, "okey_discard_fine": 55, "playable_discard_fine": 66,
    "riziko_losers": "hand", "short_opening_fine": 77, "taken_to_open_fine": 88,
    "team_taken_to_open_fine": 44, "okey_in_hand_fine": 99, "take_back_fine": 111,
    "pairs_lay_off": "none",
}  # fmt: skip
BASE: dict[str, RuleSet] = {
    "riziko_losers": RuleSet(false_joker_indicator="riziko"),
    "partner_opens": RuleSet(teams=True),
    "partner_waived": RuleSet(teams=True),
    "team_taken_to_open_fine": RuleSet(teams=True),
}
"""What a field says nothing without."""


def base(name: str) -> RuleSet:
    """A rule set in which a field matters."""
    return BASE.get(name, RuleSet())


def changed(name: str) -> RuleSet:
    """The same with the field changed."""
    return base(name).with_(**{name: OTHER.get(name, not getattr(base(name), name))})


def rules_alone(rules: RuleSet, texts: Texts) -> list[Section]:
    """The sections without the list of differences."""
    return rules_text(rules, texts)[:-1]


def words(sections: list[Section]) -> str:
    lines = [p.text for s in sections for p in s.paragraphs]
    lines += [" ".join(row) for s in sections if s.table for row in s.table.rows]
    return "\n".join(lines)


@pytest.fixture(params=LANGUAGES)
def texts(request: pytest.FixtureRequest) -> Texts:
    return load(request.param)


@pytest.mark.parametrize("name", [f.name for f in fields(RuleSet)])
def test_every_field_changes_the_text(name: str, texts: Texts) -> None:
    default, other = rules_alone(base(name), texts), rules_alone(changed(name), texts)
    assert words(default) != words(other)
    differences = rules_text(changed(name), texts)[-1]
    assert texts(f"field-{name}") in words([differences])


def test_every_rule_is_cited(preset: str, texts: Texts) -> None:
    rules = PRESETS[preset].with_(teams=True)
    cited = [p.rule for s in rules_alone(rules, texts) for p in s.paragraphs]
    assert list(dict.fromkeys(cited)) == IDS


def test_numbers_of_the_rule_set_appear(texts: Texts) -> None:
    fewer: Any = {"open_points": 87, "okey_discard_fine": 55, "playable_discard_fine": 66}
    rules = RuleSet(players=3, open_pairs=6, short_opening="refuse", taken_discard_fine=7, **fewer)
    numbers = set(re.findall(r"\d+", words(rules_alone(rules, texts))))
    assert {"87", "6", "7", "42", "55", "66", "41", "22", "21", "106"} <= numbers
    fines = ("short_opening_fine", "okey_in_hand_fine", "take_back_fine", "taken_to_open_fine")
    amounts = RuleSet(**fewer).with_(**{name: OTHER[name] for name in fines})
    said = words(rules_alone(amounts, texts))
    assert {"77", "88", "99", "111"} <= set(re.findall(r"\d+", said))
    assert said.count("101") == said.count("-101") == 1  # the winner's
    nothing = RuleSet(short_opening_fine=0, take_back_fine=0, taken_to_open_fine=0)
    costs = {p.rule: p.text for s in rules_alone(nothing, texts) for p in s.paragraphs}
    assert not any(
        re.search(r"(?<![A-Z])\d", costs[rule]) for rule in ("O5", "U5", "P3", "P4", "X4")
    )
    opening = words([s for s in rules_text(rules, texts) if s.paragraphs[0].rule == "O1"])
    assert "101" not in opening


@pytest.mark.parametrize(("players", "stock"), [(2, 62), (3, 41), (4, 20)])
def test_D7_size_of_the_stock(players: int, stock: int, texts: Texts) -> None:
    sections = rules_text(RuleSet(players=players), texts)
    paragraph = next(p for s in sections for p in s.paragraphs if p.rule == "D7")
    assert str(stock) in paragraph.text


def table(rules: RuleSet) -> list[tuple[str, ...]]:
    section = next(s for s in rules_text(rules, load("en")) if s.table)
    assert section.table
    return [row[1:] for row in section.table.rows]


def test_C1_scoring_table_of_altinstar() -> None:
    assert table(PRESETS["altinstar"]) == [
        ("-101", "h", "2h", "202"),
        ("-202", "2h", "4h", "404"),
        ("-202", "2h", "4h", "404"),
        ("-404", "4h", "8h", "808"),
        ("-202", "-", "-", "404"),
        ("-404", "-", "-", "808"),
    ]


def test_C1_scoring_table_of_pagat() -> None:
    assert table(PRESETS["pagat"])[3] == ("-404", "4h", "8h", "404")
    assert table(PRESETS["pagat"])[:3] == table(PRESETS["altinstar"])[:3]


def test_D8_scoring_table_of_riziko_deals() -> None:
    assert table(PRESETS["wiki"])[:6] == table(PRESETS["altinstar"])
    assert table(PRESETS["wiki"])[6:] == [
        ("-404", "404", "404", "404"),
        ("-808", "808", "808", "808"),
    ]
    assert table(PRESETS["wiki"].with_(riziko_losers="hand"))[6:] == [
        ("-404", "4h", "8h", "808"),
        ("-808", "8h", "16h", "1616"),
    ]


def test_no_placeholder_is_left(preset: str, texts: Texts) -> None:
    for text in (rules_plain(PRESETS[preset], texts), rules_markdown(PRESETS[preset], texts)):
        assert not re.search(r"[{}$]|_[a-z]|[a-z]_", text.replace("fine_of", ""))


def test_differences_of_presets(texts: Texts) -> None:
    assert words(rules_text(PRESETS["altinstar"], texts)[-1:]) == texts("rules-no-difference")
    pagat = rules_text(PRESETS["pagat"], texts)[-1]
    assert [p.rule for p in pagat.paragraphs] == ["D4", "O4", "O7", "U3", "E2", "E3", "C2", "C1"]
    near = rules_text(PRESETS["wiki"].with_(players=2), texts)[-1]
    assert [p.rule for p in near.paragraphs] == ["D1"]
    assert "wiki" in near.title


def test_plain_text_keeps_its_width(texts: Texts) -> None:
    for width in (60, 80, 100):
        lines = rules_plain(RuleSet(), texts, width=width).splitlines()
        first = next(i for i, line in enumerate(lines) if line.startswith(texts("table-finish")))
        last = next(i for i in range(first, len(lines)) if not lines[i])
        assert all(len(line) <= width for line in lines[:first] + lines[last:])


def test_markdown_tables_are_whole(texts: Texts) -> None:
    rows = [r for r in rules_markdown(RuleSet(), texts).splitlines() if r.startswith("|")]
    assert len(rows) == 8
    assert {row.count("|") for row in rows} == {6}


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("tr", "Riziko elinde bunun yerine D8 geçerlidir."),
        ("en", "In a riziko deal D8 applies instead."),
    ],
)
def test_J1_J2_D8_a_riziko_rule_set_says_what_holds_instead(language: str, said: str) -> None:
    for preset, times in (("wiki", 2), ("altinstar", 0)):
        assert rules_markdown(RuleSet.preset(preset), load(language)).count(said) == times
