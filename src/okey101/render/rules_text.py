"""The rules of any rule set as text, in both languages, every number taken from the rule set."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, fields
from typing import NamedTuple

from okey101.game.record.sheet import aligned
from okey101.game.ruleset import RuleSet, rule_of_field
from okey101.game.scoring import (
    OKEY_POINTS,
    UNOPENED_POINTS,
    WINNER_POINTS,
    finish_factors,
    flat_loss,
    unopened_points,
)
from okey101.i18n import Texts

_SECTIONS = {
    "tiles": "T1 T2", "deal": "D1 D2 D3 D4 D5 D6 D7 D8", "okey": "J1 J2 J3 J4",
    "melds": "M1 M2 M3 M4 M5", "opening": "O1 O2 O3 O4 O5 O6 O7", "turn": "U1 U2 U3 U4 U5 U6 U7",
    "end": "E1 E2 E3 E4", "scoring": "C1 C2 C3 C4", "fines": "P1 P2 P3 P4 P5 P6",
    "teams": "G1 G2 G3", "options": "X1 X2 X3 X4 X5 X6 X7 X8 X9",
}  # fmt: skip
_TEAMS = ("G2", "G3", "X5", "X9")
"""Of interest only in the team game."""
_TILES, _STARTER_TILES, _HAND_TILES = 106, 22, 21


class Paragraph(NamedTuple):
    """One rule as text, with its id in the catalogue of rules."""

    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class RulesTable:
    """The scoring table: column titles, and rows of as many cells; h is the value of a hand."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Section(NamedTuple):
    """A titled part of the rules; ``table`` follows the paragraphs."""

    title: str
    paragraphs: tuple[Paragraph, ...]
    table: RulesTable | None = None


def rules_text(rules: RuleSet, texts: Texts) -> list[Section]:
    """The rules of a rule set: sections 1 to 10 and 12, then what differs from a preset.

    A preset is compared with ``altinstar``, any other rule set with the nearest preset.
    """
    numbers = _numbers(rules)
    sections = []
    for name, ids in _SECTIONS.items():
        told = [i for i in ids.split() if rules.teams or i not in _TEAMS]
        paragraphs = [Paragraph(i, texts(f"rule-{i}", **numbers)) for i in told]
        table = None
        if name == "scoring":
            table = _scoring_table(rules, texts)
            if rules.unopened_pairs_okey < 4 * UNOPENED_POINTS:
                paragraphs.insert(1, Paragraph("C1", texts("rule-C1-fixed", **numbers)))
        sections.append(Section(texts(f"rules-section-{name}"), tuple(paragraphs), table))
    sections.append(_differences(rules, texts))
    return sections


def _numbers(rules: RuleSet) -> dict[str, str | int]:
    """Every field as the catalogues take it, and the numbers that follow from the fields."""
    numbers: dict[str, str | int] = {
        f.name: _catalogue_value(getattr(rules, f.name)) for f in fields(rules)
    }
    return numbers | {
        "tiles": _TILES,
        "starter_tiles": _STARTER_TILES,
        "hand_tiles": _HAND_TILES,
        "stock": _TILES - _STARTER_TILES - _HAND_TILES * (rules.players - 1) - 1,
        "okey_points": OKEY_POINTS,
        "unopened": UNOPENED_POINTS,
        "opened_with_fine": rules.opened_with_fine,
        "fine_of_a_six": 6 * rules.taken_discard_fine,
    }


def _catalogue_value(value: object) -> str | int:
    if isinstance(value, bool):
        return "yes" if value else "no"
    assert isinstance(value, str | int)
    return value


def _scoring_table(rules: RuleSet, texts: Texts) -> RulesTable:
    keys = [f"{kind}-{end}" for kind in ("melds", "pairs", "whole") for end in ("plain", "okey")]
    if rules.false_joker_indicator == "riziko":
        keys += ["riziko-melds", "riziko-pairs"]
    columns = ("finish", "winner", "melds", "pairs", "unopened")
    return RulesTable(
        tuple(texts(f"table-{name}") for name in columns),
        tuple((texts(f"table-{key}"), *_cells(rules, key)) for key in keys),
    )


def _cells(rules: RuleSet, finish: str) -> tuple[str, str, str, str]:
    riziko = "riziko" in finish
    factors = finish_factors(
        okey=riziko or "okey" in finish, pairs="pairs" in finish, whole="whole" in finish,
        riziko=riziko,
    )  # fmt: skip
    times = 2 ** len(factors)
    base, doubled = unopened_points(rules, factors)
    flat = str(base * 2 ** len(doubled))
    melds, pairs = "h" if times == 1 else f"{times}h", f"{2 * times}h"
    if flat_loss(rules, factors):
        melds = pairs = flat
    if "whole-hand" in factors:
        melds = pairs = "-"
    return str(WINNER_POINTS * times), melds, pairs, flat


def _differences(rules: RuleSet, texts: Texts) -> Section:
    name = rules.preset_name
    preset = name if rules.differences(name) else "altinstar"
    differences = rules.differences(preset)
    paragraphs = []
    for field, values in differences.items():
        theirs, ours = (_value(value, texts) for value in values)
        named = {"field": texts(f"field-{field}"), "preset": preset, "theirs": theirs, "ours": ours}
        paragraphs.append(Paragraph(rule_of_field(field), texts("rules-difference", **named)))
    if not paragraphs:
        paragraphs = [Paragraph("", texts("rules-no-difference"))]
    return Section(texts("rules-section-differences", preset=preset), tuple(paragraphs))


def _value(value: object, texts: Texts) -> str:
    word = _catalogue_value(value)
    return str(word) if isinstance(word, int) else texts(f"field-value-{word}")


def _heading(rules: RuleSet, texts: Texts) -> tuple[str, str]:
    count = len(rules.differences())
    key = "rules-near-preset" if count else "rules-preset"
    return texts("rules-heading"), texts(key, preset=rules.preset_name, count=count)


def rules_plain(rules: RuleSet, texts: Texts, *, width: int = 80) -> str:
    """The rules as plain text in lines of at most ``width`` characters, the table excepted."""
    title, subtitle = _heading(rules, texts)
    lines = [title, "=" * len(title), subtitle]
    for section in rules_text(rules, texts):
        lines += ["", section.title, "-" * len(section.title)]
        for paragraph in section.paragraphs:
            lines += textwrap.wrap(
                paragraph.text, width, initial_indent=f"{paragraph.rule:<4}",
                subsequent_indent="    ", break_long_words=False, break_on_hyphens=False,
            )  # fmt: skip
        if section.table:
            lines += ["", *_plain_table(section.table)]
    return "\n".join(lines) + "\n"


def _plain_table(table: RulesTable) -> list[str]:
    head, *lines = aligned([table.head, *table.rows])
    widths = [max(map(len, column)) for column in zip(table.head, *table.rows, strict=True)]
    return [head, "  ".join("-" * w for w in widths), *lines]


def rules_markdown(rules: RuleSet, texts: Texts) -> str:
    """The rules as Markdown, with the table as a table."""
    title, subtitle = _heading(rules, texts)
    lines = [f"# {title}", "", subtitle]
    for section in rules_text(rules, texts):
        lines += ["", f"## {section.title}", ""]
        for paragraph in section.paragraphs:
            rule = f"**{paragraph.rule}** " if paragraph.rule else ""
            lines.append(f"- {rule}{paragraph.text}")
        if section.table:
            head, rows = section.table.head, section.table.rows
            lines += ["", f"| {' | '.join(head)} |", f"| --- |{' ---: |' * (len(head) - 1)}"]
            lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines) + "\n"
