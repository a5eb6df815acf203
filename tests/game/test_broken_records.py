"""Whatever is wrong with a record, it is refused with a code and a place."""

import copy
import dataclasses
import io
import json
import random
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, strategies as st

from conftest import Size, raises_code, unwrap
from game.broken_records import (
    RECORD,
    SMALL,
    TEXT,
    VALIDATOR,
    changed,
    check,
    node_at,
    nodes,
    path_text,
    refusal,
)
from game.fair_match import fair_match
from game.random_play import STYLES, TABLES, play_deal, random_rules, riziko_seed, rules_of, steps
from game.test_golden import FOLDER
from game.test_perft import FOLDER as POSITIONS
from okey101.errors import OkeyError, RecordError
from okey101.game import PRESETS, Deal, Record, RuleSet, deal_from_seed, parse_record, record_of
from okey101.game.fair.transcript import CONTEXT_NAMES, FAIR_NAMES, AbandonedRound, Fair
from okey101.game.record import form as record_module
from okey101.game.record.form import MAX_BYTES, Actor, schema


def test_the_small_record_is_good() -> None:
    assert check(json.dumps(SMALL)) is None
    assert VALIDATOR.is_valid(SMALL)


def deep(levels: int) -> str:
    return "[" * levels + "]" * levels


DEAL = ("deals", 0)
FAIR = (*DEAL, "fair")
FAIR_OBJECT: dict[str, object] = SMALL["deals"][0]["fair"]  # type: ignore[index,call-overload,assignment]
ROUND: dict[str, object] = {
    "commitment": "c0" * 32, "seats": ["-", "bot:greedy"], "commitments": ["5c" * 32, ""],
    "randomness": ["", ""], "secret": "5e" * 32, "reason": "not-revealed",
}  # fmt: skip
_FINES = "deals[0].result.fines"


def _fine(**changes: object) -> list[dict[str, object]]:
    return [{"seat": 0, "rule": "P1", "points": 101} | changes]


CASES: dict[str, tuple[object, str, str]] = {
    "empty": ("", "truncated", "line 1, column 1"),
    "blank": (" \n ", "truncated", ""),
    "binary": (bytes(range(256)) * 4, "not-utf8", ""),
    "utf-16": (json.dumps(SMALL).encode("utf-16"), "not-utf8", ""),
    "nul": ("\0" * 100, "not-json", "line 1, column 1"),
    "zip": (b"PK\x03\x04" + bytes(60), "not-json", "line 1, column 1"),
    "text": ("hello", "not-json", "line 1, column 1"),
    "two-lines": (json.dumps(SMALL) + "\n{}\n", "more-than-one", "line 2, column 1"),
    "two-values": (json.dumps(SMALL) + "{}", "not-json", "line 1"),
    "list": ("[]", "wrong-type", ""),
    "string": ('"okey101/1"', "wrong-type", ""),
    "number": ("1", "wrong-type", ""),
    "null": ("null", "wrong-type", ""),
    "nan": ('{"format": NaN}', "not-json", ""),
    "infinity": ('{"format": -Infinity}', "not-json", ""),
    "overflow": (json.dumps(SMALL)[:-1] + ', "_x": 1e999}', "not-json", ""),
    "long-number": ('{"deals_agreed": ' + "9" * 100_000 + "}", "not-json", ""),
    "deep": (deep(100_000), "too-deep", ""),
    "deep-rule": (changed("rules", "players", to=json.loads(deep(63))), "too-deep", ""),
    "deep-own": (json.dumps(SMALL)[:-1] + f', "_x": {deep(50_000)}}}', "too-deep", ""),
    "duplicate": ('{"format": "okey101/1", "format": "okey101/1"}', "duplicate-name", ""),
    "duplicate-own": ('{"_x": {"a": 1, "a": 1}}', "duplicate-name", ""),
    "comment": ("// a record\n{}", "not-json", "line 1"),
    "trailing-comma": ('{"format": "okey101/1",}', "not-json", "line 1"),
    "no-format": ({}, "missing", "format"),
    "no-rules": ({"format": "okey101/1", "deals": []}, "missing", "rules"),
    "no-deals": ({"format": "okey101/1", "rules": {}}, "missing", "deals"),
    "no-table": (changed(*FAIR, "context", "table", to=""), "bad-value", "deals[0].fair.context"),
    "secret-alone": (
        changed(*FAIR, to={k: v for k, v in FAIR_OBJECT.items() if k != "randomness"}),
        "missing",
        "deals[0].fair.randomness",
    ),
    "third-copy-about": (changed(*DEAL, "stock", to="R2 R2"), "too-many-tiles", "deals[0]"),
    "third-okey": (changed(*DEAL, "stock", to="* B6 b6"), "too-many-tiles", "deals[0]"),
    "two-indicators": (changed(*DEAL, "stock", to="B5 B5"), "too-many-tiles", "deals[0]"),
    "riziko-joker": (
        changed(*DEAL, "indicator", to="F") | {"rules": {"preset": "pagat", "players": 2}},
        "bad-indicator",
        "deals[0]",
    ),
    "empty-hand": (changed(*DEAL, "hands", 1, to=""), "empty-hand", "deals[0]"),
    "lone-surrogate": (json.dumps(SMALL).replace('"a"', '"\\ud800"'), "lone-surrogate", ""),
    "lone-surrogate-own": (json.dumps(changed("_x", to="\udfff")), "lone-surrogate", ""),
    "lone-surrogate-text": (
        json.dumps(changed("_x", to="\udfff"), ensure_ascii=False),
        "lone-surrogate",
        "",
    ),
}
CHANGES: list[tuple[str, object, str, str]] = [
    ("rules.starter", "x" * 10**6, "bad-value", ""),
    ("format", "okey101/2", "newer-format", ""),
    ("format", "chess/1", "bad-format", ""),
    ("format", "okey101/1.0", "bad-format", ""),
    ("rules_version", 3, "newer-rules", ""),
    ("deals[0]", {"seed": "00" * 32}, "missing", ".actions"),
    ("deals[0]", {"actions": []}, "no-deal", ""),
    ("deals[0]", {"actions": [], "hands": ["R1", "R2"]}, "no-deal", ""),
    ("rules", {"preset": "home"}, "unknown-preset", ".preset"),
    ("rules.joker", 1, "unknown-field", ""),
    ("rules.players", 5, "bad-value", ""),
    ("rules.open_pairs", True, "bad-value", ""),
    ("rules.teams", True, "teams-need-four", ""),
    ("note", 1, "unknown-name", ""),
    ("deals[0].note", 1, "unknown-name", ""),
    ("deals[0].result.note", 1, "unknown-name", ""),
    ("players", ["a", "b", "c"], "wrong-count", ""),
    ("deals[0].hands", ["R1", "R2", "R3"], "wrong-count", ""),
    ("totals", [0], "wrong-count", ""),
    ("deals[0].dice", [4], "wrong-count", ""),
    ("deals[0].seed", "00" * 31, "bad-seed", ""),
    ("deals[0].seed", "0x" + "00" * 31, "bad-seed", ""),
    ("deals[0].seed", " " * 2 + "00" * 31, "bad-seed", ""),
    ("deals[0].fair", None, "wrong-type", ""),
    ("deals[0].fair", {}, "missing", ".version"),
    ("deals[0].fair", {"version": 1}, "missing", ".context"),
    ("deals[0].fair.commitment", "c0" * 31, "bad-hex", ""),
    ("deals[0].fair.secret", "５" * 64, "bad-hex", ""),
    ("deals[0].fair.secret", "00" * 32 + "\n", "bad-hex", ""),
    ("deals[0].fair.context.deal", True, "wrong-type", ""),
    ("deals[0].fair.seed", 1, "unknown-name", ""),
    ("deals[0].fair.randomness", [""] * 3, "wrong-count", ""),
    ("deals[0].fair.randomness[1]", "5e" * 16 + "5", "bad-randomness", ""),
    ("deals[0].fair.randomness[1]", None, "wrong-type", ""),
    ("deals[0].fair.context", {"table": "salon", "match": 1, "deal": 0}, "missing", ".round"),
    ("deals[0].fair.seats", None, "wrong-type", ""),
    ("deals[0].fair.seats", ["-"] * 3, "wrong-count", ""),
    ("deals[0].fair.commitments", ["c0" * 31, ""], "bad-hex", "[0]"),
    ("deals[0].fair.abandoned", 1, "wrong-type", ""),
    ("deals[0].fair.abandoned", [{}], "missing", "[0].reason"),
    ("deals[0].fair.abandoned", [ROUND | {"reason": "LEFT"}], "bad-value", "[0].reason"),
    ("deals[0].fair.abandoned", [ROUND | {"randomness": []}], "wrong-count", "[0].randomness"),
    ("deals[0].actors", None, "wrong-type", ""),
    ("deals[0].actors", ["person"], "actor-count", ""),
    ("deals[0].actors", ["person"] * 3, "actor-count", ""),
    ("deals[0].actors[1]", "user", "bad-actor", ""),
    ("deals[0].actors[1]", "bot:steady", "bad-actor", ""),
    ("deals[0].actors[1]", "bot:steady/0", "bad-actor", ""),
    ("deals[0].actors[1]", "bot", "bad-actor", ""),
    ("deals[0].actors[0]", "bot:steady/１", "bad-actor", ""),
    ("deals[0].actors[0]", None, "wrong-type", ""),
    ("deals[0].hands[1]", "R14", "bad-tile", ""),
    ("deals[0].hands[1]", "R１", "bad-tile", ""),
    ("deals[0].indicator", "*", "bad-indicator", ""),
    ("deals[0].hands[1]", "R2 R2 R2", "too-many-copies", ""),
    ("deals[0].actions[0]", "1: meld R13 Y13 B13 K13", "not-your-turn", ""),
    ("deals[0].actions[0]", "9: draw", "bad-seat", ""),
    ("deals[0].actions[0]", "fly", "unknown-action", ""),
    ("deals[0].actions[0]", "draw", "already-drawn", ""),
    ("deals[0].actions[1]", "discard R9", "not-in-hand", ""),
    ("deals[0].actions[0]", "lay R1 > 99999999", "bad-action", ""),
    ("deals[0].result.winner", 1, "result-differs", ""),
    ("deals[0].result.end", None, "result-differs", ""),
    ("deals[0].result.scores", [0, 0], "result-differs", ""),
    (_FINES, _fine(), "result-differs", ""),
    (_FINES, [{"seat": 0, "rule": "P1"}], "missing", "[0].points"),
    ("totals", [0, 404], "totals-differ", ""),
    ("team_totals", [0, 0], "unexpected", ""),
]
"""A place, what is put there, the code of the refusal, and where below that place it is seen."""
LIMITS: list[tuple[str, object, object, str, str]] = [
    ("rules_version", 1, 0, "out-of-range", ""),
    ("rules_version", 10**6, 10**6 + 1, "out-of-range", ""),
    ("deals_agreed", 1, 0, "out-of-range", ""),
    ("deals_agreed", 1000, 1001, "out-of-range", ""),
    ("players[0]", "a" * 200, "a" * 201, "too-long", ""),
    ("totals[0]", 10**9, 10**9 + 1, "out-of-range", ""),
    ("totals[0]", -(10**9), -(10**9) - 1, "out-of-range", ""),
    ("deals[0].dealer", 0, -1, "out-of-range", ""),
    ("deals[0].dealer", 1, 2, "out-of-range", ""),
    ("deals[0].dice", [1, 6], [1, 7], "out-of-range", "[1]"),
    ("deals[0].dice", [1, 6], [0, 6], "out-of-range", "[0]"),
    ("deals[0].hands[1]", "R2".ljust(1000), "R2".ljust(1001), "too-long", ""),
    ("deals[0].stock", "K1".ljust(1000), "K1".ljust(1001), "too-long", ""),
    ("deals[0].actions", ["draw"] * 20_000, ["draw"] * 20_001, "too-long", ""),
    ("deals[0].actions[0]", "x" * 1000, "x" * 1001, "too-long", ""),
    ("deals[0].actors[0]", "x" * 200, "x" * 201, "too-long", ""),
    ("deals[0].result.winner", 0, -1, "out-of-range", ""),
    ("deals[0].result.winner", 1, 2, "out-of-range", ""),
    (_FINES, _fine(seat=1), _fine(seat=2), "out-of-range", "[0].seat"),
    (_FINES, _fine(seat=0), _fine(seat=-1), "out-of-range", "[0].seat"),
    (_FINES, _fine(rule="P" * 10), _fine(rule="P" * 11), "too-long", "[0].rule"),
    (_FINES, _fine(points=0), _fine(points=-1), "out-of-range", "[0].points"),
    (_FINES, _fine(points=10**6), _fine(points=10**6 + 1), "out-of-range", "[0].points"),
    ("deals[0].fair.version", 1, 0, "out-of-range", ""),
    ("deals[0].fair.version", 1, 2, "out-of-range", ""),
    ("deals[0].fair.context.table", "x" * 200, "x" * 201, "too-long", ""),
    ("deals[0].fair.context.match", 0, -1, "out-of-range", ""),
    ("deals[0].fair.context.round", 10**9, 10**9 + 1, "out-of-range", ""),
    ("deals[0].fair.terms", {"a": "x" * 19_992}, {"a": "x" * 19_993}, "too-long", ""),
    ("deals[0].fair.terms", {"a": 10**9}, {"a": 10**9 + 1}, "bad-terms", ""),
    ("deals[0].fair.randomness[1]", "5e" * 16, "5e" * 15, "bad-randomness", ""),
    ("deals[0].fair.randomness[1]", "5e" * 32, "5e" * 33, "bad-randomness", ""),
    ("deals[0].fair.abandoned", [ROUND] * 1000, [ROUND] * 1001, "too-long", ""),
]  # fmt: skip
"""A place, what may just stand there, and what may not; how and where below it that is refused."""
_OVER = copy.deepcopy(SMALL)
_OVER["deals"][0]["actions"].append("1: draw")  # type: ignore[index,call-overload,union-attr]
_OVER["deals"][0]["actors"].append("person")  # type: ignore[index,call-overload,union-attr]
CASES["after-the-end"] = (_OVER, "deal-over", "deals[0].actions[2]")
_EXTRA = copy.deepcopy(SMALL)
_EXTRA["deals_agreed"] = 1  # type: ignore[index,call-overload]
_EXTRA["deals"] *= 2  # type: ignore[index,call-overload,operator]
CASES["deals-beyond-the-agreed"] = (_EXTRA, "too-many-deals", "deals[1]")


@pytest.mark.parametrize("name", CASES)
def test_catalogue(name: str) -> None:
    data, code, path = CASES[name]
    error = refusal(data)
    assert error.code == code, error.message
    assert error.path.startswith(path)


@pytest.mark.parametrize(
    ("place", "value", "code", "below"), CHANGES, ids=[change[0] for change in CHANGES]
)
def test_a_value_changed(place: str, value: object, code: str, below: str) -> None:
    steps = [int(step) if step.isdigit() else step for step in re.findall(r"\w+", place)]
    error = refusal(changed(*steps, to=value))
    assert error.code == code, error.message
    assert error.path.startswith(place + below)


@pytest.mark.parametrize(
    ("place", "good", "bad", "code", "below"), LIMITS, ids=[limit[0] for limit in LIMITS]
)
def test_limits_are_where_they_should_be(
    place: str, good: object, bad: object, code: str, below: str
) -> None:
    test_a_value_changed(place, bad, code, below)
    steps = [int(step) if step.isdigit() else step for step in re.findall(r"\w+", place)]
    error = check(json.dumps(changed(*steps, to=good)))
    assert error is None or error.code != code


def test_the_name_that_occurs_twice_is_told() -> None:
    assert refusal('{"a": 1, "b": 1, "c": 1, "b": 1}').details == {"name": "b"}


def test_of_a_long_format_only_the_beginning_is_repeated() -> None:
    for name, code in (("x" * 200, "bad-format"), ("okey101/" + "9" * 190, "newer-format")):
        error = refusal(changed("format", to=name))
        assert (error.code, error.details) == (code, {"format": name[:40]})


def test_what_stands_in_the_place_of_an_actor_is_not_repeated() -> None:
    error = refusal(changed(*DEAL, "actors", 1, to="bot:a secret/x"))
    assert "a secret" not in f"{error} {error.details}"


@pytest.mark.parametrize("kind", ["bom", "crlf", "cr", "tabs", "escapes"])
def test_harmless_differences_are_read(kind: str) -> None:
    texts: dict[str, str | bytes] = {
        "bom": b"\xef\xbb\xbf" + TEXT.encode(),
        "crlf": TEXT.replace("\n", "\r\n"),
        "cr": TEXT.replace("\n", "\r"),
        "tabs": json.dumps(RECORD.to_dict(), indent="\t"),
        "escapes": json.dumps(RECORD.to_dict(), ensure_ascii=True),
    }
    assert parse_record(texts[kind]) == RECORD


def test_a_large_file_is_refused_without_reading_it_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large.okey.json"
    with path.open("wb") as file:
        file.write(TEXT.encode())
        file.truncate(100 * 1024 * 1024)
    read: list[int] = []

    class Counted(io.FileIO):
        def read(self, size: int | None = -1, /) -> bytes:
            data = super().read(size)
            read.append(len(data))
            return data

    def counted(path: Path, mode: str) -> Counted:
        return Counted(path, mode)

    monkeypatch.setattr(Path, "open", counted)
    with raises_code("too-large", RecordError) as caught:
        Record.read(path)
    assert caught.value.details["limit"] == MAX_BYTES
    assert sum(read) <= MAX_BYTES + 1


def test_no_file_is_an_error_of_the_file(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.okey.json"):
        with pytest.raises(OSError, match=tmp_path.name):
            Record.read(path)
    for nowhere in (tmp_path / "none" / "match.okey.json", __file__ + "/below", "", tmp_path):
        with pytest.raises(OSError, match=r"\w") as caught:
            RECORD.write(nowhere)
        assert str(caught.value).endswith(f": {str(nowhere)!r}")
        assert caught.value.__context__ is None
    assert not [*tmp_path.iterdir()]


def test_a_refused_tile_is_named_in_the_notation() -> None:
    error = refusal(changed(*DEAL, "actions", 1, to="discard R11"))
    assert (error.code, error.details["tile"]) == ("not-in-hand", "R11")


# Changed in every place, cut off and shuffled ----------------------------------------------------

WRONG: tuple[object, ...] = (
    None, True, False, 0, -1, 1, 10**30, 1.5, "", "x", "R1", [], [[]], [None], {}, {"x": 1},
)  # fmt: skip


def test_every_value_replaced_by_every_wrong_type() -> None:
    """Each node of a record becomes each other type in turn, and each name goes missing."""
    schema_missed = []
    count = 0
    for place, _ in list(nodes(SMALL)):
        if not place:
            continue
        for wrong in WRONG:
            data = changed(*place, to=wrong)
            count += 1
            error = check(json.dumps(data))
            structural = error is not None and error.code in STRUCTURAL
            if structural and VALIDATOR.is_valid(data):
                schema_missed.append((place, wrong))
            if error is None or not structural:
                continue
            own = any(isinstance(step, str) and step.startswith("_") for step in place)
            assert not own
            if place[0] == "rules":
                continue  # another number of seats makes the counts of others wrong
            near = path_text(place)
            assert near.startswith(error.path.partition("[")[0]) or error.path.startswith(near)
    assert count > 700
    assert not schema_missed


STRUCTURAL = {
    "bad-actor", "bad-format", "bad-hex", "bad-randomness", "bad-seed", "bad-tile", "bad-value",
    "missing", "no-deal", "out-of-range", "too-long", "unknown-field", "unknown-name",
    "unknown-preset", "wrong-count", "wrong-type",
}  # fmt: skip
"""Codes for what a schema can see as well."""


def test_every_missing_name() -> None:
    for place, _ in list(nodes(SMALL)):
        if not place or not isinstance(place[-1], str):
            continue
        data = copy.deepcopy(SMALL)
        del node_at(data, place[:-1])[place[-1]]
        error = check(json.dumps(data))
        assert VALIDATOR.is_valid(data) == (error is None or error.code not in STRUCTURAL), place


def test_every_name_misspelt() -> None:
    for place, value in list(nodes(SMALL)):
        own = any(isinstance(step, str) and step.startswith("_") for step in place)
        if isinstance(value, dict) and not own and "terms" not in place:
            data = changed(*place, "nmae", to=1) if place else changed("nmae", to=1)
            error = refusal(data)
            assert error.code in ("unknown-name", "unknown-field")
            assert error.path.endswith("nmae")
            assert not VALIDATOR.is_valid(data)
            kept = changed(*place, "_nmae", to=[1]) if place else changed("_nmae", to=[1])
            assert check(json.dumps(kept)) is None
            assert parse_record(json.dumps(kept)).to_dict() == _full(kept)
            assert VALIDATOR.is_valid(kept)


def _full(data: dict[str, object]) -> dict[str, object]:
    """The record as it is written again: its rule set in full, texts in their normal form."""
    rules = data["rules"]
    assert isinstance(rules, dict)
    own = {name: value for name, value in rules.items() if name.startswith("_")}
    plain = {name: value for name, value in rules.items() if not name.startswith("_")}
    return data | {"rules": RuleSet.from_dict(plain).to_dict() | own}


def test_truncated_at_every_place() -> None:
    text = json.dumps(SMALL)
    for end in range(len(text)):
        assert refusal(text[:end]).code in ("truncated", "not-json"), end
    data = TEXT.encode()
    for end in range(0, len(data) - 2, 97):
        assert refusal(data[:end]).code in ("truncated", "not-json", "not-utf8"), end


PLACES = [place for place, _ in nodes(json.loads(TEXT)) if place]


@given(st.data())
def test_fuzz_moves(data: st.DataObject) -> None:
    """Parts of a record are copied, removed and doubled."""
    record: Any = json.loads(TEXT)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.sampled_from(PLACES))
        other = data.draw(st.sampled_from(PLACES))
        try:
            node, source = node_at(record, place[:-1]), node_at(record, other)
            verb = data.draw(st.sampled_from(("copy", "remove", "double")))
            if verb == "copy":
                node[place[-1]] = copy.deepcopy(source)
            elif verb == "remove":
                del node[place[-1]]
            elif isinstance(node, list):
                node.append(copy.deepcopy(source))
        except (KeyError, IndexError, TypeError):
            continue
    check(json.dumps(record))


@given(st.data())
def test_fuzz_bytes(data: st.DataObject) -> None:
    raw = bytearray(TEXT.encode())
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(raw) - 1))
        verb = data.draw(st.integers(0, 3))
        if verb == 0:
            raw[at] = data.draw(st.integers(0, 255))
        elif verb == 1:
            del raw[at : at + data.draw(st.integers(1, 40))]
        elif verb == 2:
            raw[at:at] = data.draw(st.binary(max_size=6))
        else:
            raw[at:at] = raw[at : at + data.draw(st.integers(1, 200))]
    check(bytes(raw))


@given(st.text() | st.binary())
def test_fuzz_anything(data: str | bytes) -> None:
    refusal(data)


# The published schema ----------------------------------------------------------------------------

FAIR_ROUND = Fair("c0" * 32, "salon", 1, 0, 0, {}, (), ()).to_dict()


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


def test_the_schema_knows_the_names_of_the_reader() -> None:
    assert set(definition("deal")) == set(record_module._DEAL)
    assert set(definition("result")) == set(record_module._RESULT)
    assert tuple(definition("fair")) == FAIR_NAMES
    assert tuple(definition("context")) == CONTEXT_NAMES
    assert tuple(definition("abandoned")) == AbandonedRound.__slots__
    top = schema()["properties"]
    assert isinstance(top, dict)
    assert set(top) == set(record_module._TOP)


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
        fair = deal | {"fair": FAIR_ROUND | empty}
        assert VALIDATOR.is_valid(base | {"deals": [fair]}) == (count == players)
        hands = deal | {"hands": ["R1"] * count, "indicator": "R2"}
        assert VALIDATOR.is_valid(base | {"deals": [hands]}) == (count == players)
    assert parse_record(json.dumps(base)).rules.players == players


def test_whether_a_deal_counts_can_be_told_as_the_page_says() -> None:
    rules = PRESETS["pagat"]
    record = fair_match(rules, "counts", 6)
    for deal, after in zip(record.deals, record.deals[1:], strict=False):
        assert deal.dealer is not None
        end = unwrap(deal.result)["end"]
        void = end == "all-pairs" or (end == "stock" and rules.empty_stock == "void_but_okeys")
        assert after.dealer == (deal.dealer if void else (deal.dealer + 1) % 4)
    order = ["R", "Y", "B", "K", "F", "*"]
    for hand in unwrap(record.deals[0].hands):
        places = [(order.index(t[0]), int(t[1:] or 0)) for t in hand.split()]
        assert places == sorted(places)
