"""Records changed in every place, cut off and shuffled: refused with a code, or read."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from game.broken_records import (
    SMALL,
    TEXT,
    VALIDATOR,
    Path_,
    changed,
    check,
    nodes,
    path_text,
    refusal,
)
from okey101.game import RuleSet, parse_record

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
    "bad-actor",
    "bad-format",
    "bad-hex",
    "bad-randomness",
    "bad-seed",
    "bad-tile",
    "bad-value",
    "missing",
    "no-deal",
    "out-of-range",
    "too-long",
    "unknown-field",
    "unknown-name",
    "unknown-preset",
    "wrong-count",
    "wrong-type",
}
"""Codes for what a schema can see as well."""


def test_every_missing_name() -> None:
    for place, _ in list(nodes(SMALL)):
        if not place or not isinstance(place[-1], str):
            continue
        data = copy.deepcopy(SMALL)
        node: object = data
        for step in place[:-1]:
            node = node[step]  # type: ignore[index]
        del node[place[-1]]  # type: ignore[attr-defined]
        error = check(json.dumps(data))
        assert VALIDATOR.is_valid(data) == (error is None or error.code not in STRUCTURAL), place


def test_every_name_misspelt() -> None:
    for place, value in list(nodes(SMALL)):
        own = any(isinstance(step, str) and step.startswith("_") for step in place)
        if isinstance(value, dict) and not own:
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


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(("R7", "*", "F", "0: draw", "discard *", "lay *5 > 1", "pagat", "finish")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
PLACES = [place for place, _ in nodes(json.loads(TEXT)) if place]


@given(st.sampled_from(PLACES), VALUES)
def test_fuzz_values(place: Path_, value: object) -> None:
    data = json.loads(TEXT)
    node = data
    for step in place[:-1]:
        node = node[step]
    node[place[-1]] = value
    check(json.dumps(data))


@given(st.data())
def test_fuzz_moves(data: st.DataObject) -> None:
    """Parts of a record are copied, removed and doubled."""
    record: Any = json.loads(TEXT)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.sampled_from(PLACES))
        other = data.draw(st.sampled_from(PLACES))
        try:
            node: Any = record
            source: Any = record
            for step in place[:-1]:
                node = node[step]
            for step in other:
                source = source[step]
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
