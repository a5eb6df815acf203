"""The published schema: written records are valid, and it knows the names the reader knows."""

from __future__ import annotations

import dataclasses
import json
import random

import jsonschema
import pytest

from conftest import Size
from game.fair_match import fair_match
from game.random_play import STYLES, TABLES, play_deal, random_rules, riziko_seed, rules_of, steps
from game.test_golden import FOLDER
from game.test_perft import FOLDER as POSITIONS
from okey101.errors import OkeyError
from okey101.game import PRESETS, Deal, RuleSet, deal_from_seed, parse_record, record_of
from okey101.game.fair.transcript import ABANDONED_NAMES, CONTEXT_NAMES, FAIR_NAMES, Fair
from okey101.game.record import form as record_module
from okey101.game.record.form import Actor, schema

VALIDATOR = jsonschema.Draft202012Validator(schema())
FAIR = Fair("c0" * 32, "salon", 1, 0, 0, (), ()).to_dict()


def definition(name: str) -> dict[str, dict[str, object]]:
    found = schema()["$defs"]
    assert isinstance(found, dict)
    properties: dict[str, dict[str, object]] = found[name]["properties"]
    return properties


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    assert schema() is not schema()


def test_the_schema_knows_every_rule_with_its_range() -> None:
    rules = definition("rules")
    assert rules.pop("preset") == {"enum": list(PRESETS)}
    assert list(rules) == [f.name for f in dataclasses.fields(RuleSet)]
    for f in dataclasses.fields(RuleSet):
        options = f.metadata.get("options")
        if options is None:
            low, high = f.metadata["low"], f.metadata["high"]
            assert rules[f.name] == {"type": "integer", "minimum": low, "maximum": high}
        else:
            assert rules[f.name]["enum"] == list(options)


@pytest.mark.parametrize("name", ["deal", "result"])
def test_the_schema_knows_the_names_of_the_reader(name: str) -> None:
    assert set(definition(name)) == set(getattr(record_module, f"_{name.upper()}"))


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("person", True), ("clock", True), ("clock/2", True), ("fallback", True),
        ("fallback/2", True), ("fallback:master/1", True), ("bot:steady/1", True),
        ("external:mine", True), ("external:mine/3", True), ("bot", False), ("bot:steady", False),
        ("clock:steady/1", False), ("external", False),
    ],
)  # fmt: skip
def test_the_schema_knows_the_actors_of_the_reader(text: str, known: bool) -> None:
    items = definition("deal")["actors"]["items"]
    assert isinstance(items, dict)
    assert jsonschema.Draft202012Validator(items).is_valid(text) is known
    if known:
        Actor.parse(text)
    else:
        with pytest.raises(OkeyError):
            Actor.parse(text)


def test_the_schema_knows_the_names_of_fairness() -> None:
    assert tuple(definition("fair")) == FAIR_NAMES
    assert tuple(definition("context")) == CONTEXT_NAMES
    assert tuple(definition("abandoned")) == ABANDONED_NAMES


def test_the_schema_knows_the_names_at_the_top() -> None:
    top = schema()["properties"]
    assert isinstance(top, dict)
    assert set(top) == set(record_module._TOP)


def test_every_written_record_is_valid(size: Size) -> None:
    for number in range(size(40, long=2000)):
        rng = random.Random(f"schema {number}")
        rules = rules_of(list(PRESETS)[number % 3], TABLES[number % 4])
        if number % 2:
            rules = random_rules(rng)
        seed = rng.randbytes(32)
        if rules.false_joker_indicator == "riziko" and rng.random() < 0.3:
            seed = riziko_seed(rules, rng)
        deal = play_deal(rules, seed, rng, style=STYLES[number % 3], checked=0)
        # Running deals too: the record so far.
        start = Deal.start(rules, deal_from_seed(rules, rng.randbytes(32), 0))
        running = [
            d for _, d in zip(range(30), steps(start, rng, "by-kind", checked=0), strict=False)
        ]
        record = record_of(rules, [deal, running[-1]], deals_agreed=5)
        VALIDATOR.validate(json.loads(record.to_json()))


def test_checked_in_records_are_valid() -> None:
    paths = sorted(FOLDER.glob("*.okey.json"))
    assert len(paths) == 3
    for path in paths:
        VALIDATOR.validate(json.loads(path.read_text(encoding="utf-8")))
    for path in POSITIONS.glob("*.json"):
        VALIDATOR.validate(json.loads(path.read_text(encoding="utf-8"))["record"])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_counts_follow_the_number_of_seats(players: int) -> None:
    deal = {"seed": "0" * 64, "actions": []}
    base = {"format": "okey101/1", "rules": {"players": players}, "deals": [deal]}
    for count in range(1, 6):
        for data in (base | {"players": ["x"] * count}, base | {"totals": [0] * count}):
            assert VALIDATOR.is_valid(data) == (count == players)
        empty = dict.fromkeys(("seats", "commitments", "randomness"), [""] * count)
        fair = deal | {"fair": FAIR | empty}
        assert VALIDATOR.is_valid(base | {"deals": [fair]}) == (count == players)
        hands = deal | {"hands": ["R1"] * count, "indicator": "R2"}
        assert VALIDATOR.is_valid(base | {"deals": [hands]}) == (count == players)
    assert parse_record(json.dumps(base)).rules.players == players


def test_whether_a_deal_counts_can_be_told_as_the_page_says() -> None:
    rules = PRESETS["pagat"]
    record = fair_match(rules, "counts", 6)
    for deal, after in zip(record.deals, record.deals[1:], strict=False):
        assert deal.result is not None
        assert deal.dealer is not None
        end = deal.result["end"]
        void = end == "all-pairs" or (end == "stock" and rules.empty_stock == "void_but_okeys")
        assert after.dealer == (deal.dealer if void else (deal.dealer + 1) % 4)
    order = ["R", "Y", "B", "K", "F", "*"]
    assert record.deals[0].hands is not None
    for hand in record.deals[0].hands:
        places = [(order.index(t[0]), int(t[1:] or 0)) for t in hand.split()]
        assert places == sorted(places)
