"""Whatever is wrong with a record, it is refused with a code and a place, and nothing else."""

from __future__ import annotations

import copy
import io
import json
import re
from pathlib import Path

import pytest

from game.broken_records import RECORD, SMALL, TEXT, VALIDATOR, changed, check, refusal
from okey101.errors import RecordError
from okey101.game import Record, parse_record, replay
from okey101.game.record.form import MAX_BYTES


def test_the_small_record_is_good() -> None:
    assert check(json.dumps(SMALL)) is None
    assert VALIDATOR.is_valid(SMALL)


def deep(levels: int) -> str:
    return "[" * levels + "]" * levels


DEAL = ("deals", 0)
FAIR = (*DEAL, "fair")
FAIR_OBJECT: dict[str, object] = SMALL["deals"][0]["fair"]  # type: ignore[index,call-overload,assignment]
ROUND: dict[str, object] = {
    "commitment": "c0" * 32,
    "seats": ["-", "bot:greedy"],
    "commitments": ["5c" * 32, ""],
    "randomness": ["", ""],
    "secret": "5e" * 32,
    "reason": "not-revealed",
}


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
    "deep-rule": (changed("rules", "players", to=json.loads(deep(100))), "too-deep", ""),
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
    "third-copy-about": (
        changed(*DEAL, "stock", to="R2 R2"),
        "too-many-tiles",
        "deals[0]",
    ),
    "third-okey": (changed(*DEAL, "stock", to="* B6 b6"), "too-many-tiles", "deals[0]"),
    "two-indicators": (changed(*DEAL, "stock", to="B5 B5"), "too-many-tiles", "deals[0]"),
    "riziko-joker": (
        changed(*DEAL, "indicator", to="F") | {"rules": {"preset": "pagat", "players": 2}},
        "bad-indicator",
        "deals[0]",
    ),
    "empty-hand": (changed(*DEAL, "hands", 1, to=""), "empty-hand", "deals[0]"),
    "lone-surrogate": (
        json.dumps(SMALL).replace('"a"', '"\\ud800"'),
        "lone-surrogate",
        "",
    ),
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
    ("format", "okey101/" + "9" * 190, "newer-format", ""),
    ("format", "chess/1", "bad-format", ""),
    ("format", "okey101/1.0", "bad-format", ""),
    ("rules_version", 3, "newer-rules", ""),
    ("rules_version", 0, "out-of-range", ""),
    ("rules_version", 10**6, "newer-rules", ""),
    ("rules_version", 10**6 + 1, "out-of-range", ""),
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
    ("deals_agreed", 0, "out-of-range", ""),
    ("players", ["a", "b", "c"], "wrong-count", ""),
    ("players[0]", "a" * 201, "too-long", ""),
    ("deals[0].hands", ["R1", "R2", "R3"], "wrong-count", ""),
    ("totals", [0], "wrong-count", ""),
    ("deals[0].dice", [4], "wrong-count", ""),
    ("deals[0].dice", [4, 7], "out-of-range", "[1]"),
    ("deals[0].dealer", 2, "out-of-range", ""),
    ("deals[0].seed", "00" * 31, "bad-seed", ""),
    ("deals[0].seed", "0x" + "00" * 31, "bad-seed", ""),
    ("deals[0].seed", " " * 2 + "00" * 31, "bad-seed", ""),
    ("deals[0].fair", None, "wrong-type", ""),
    ("deals[0].fair", {}, "missing", ".version"),
    ("deals[0].fair", {"version": 1}, "missing", ".context"),
    ("deals[0].fair.commitment", "c0" * 31, "bad-hex", ""),
    ("deals[0].fair.secret", "５" * 64, "bad-hex", ""),
    ("deals[0].fair.secret", "00" * 32 + "\n", "bad-hex", ""),
    ("deals[0].fair.context.table", "x" * 201, "too-long", ""),
    ("deals[0].fair.context.match", -1, "out-of-range", ""),
    ("deals[0].fair.context.deal", True, "wrong-type", ""),
    ("deals[0].fair.seed", 1, "unknown-name", ""),
    ("deals[0].fair.randomness", [""] * 3, "wrong-count", ""),
    ("deals[0].fair.randomness[1]", "5e" * 15, "bad-randomness", ""),
    ("deals[0].fair.randomness[1]", "5e" * 33, "bad-randomness", ""),
    ("deals[0].fair.randomness[1]", "5e" * 16 + "5", "bad-randomness", ""),
    ("deals[0].fair.randomness[1]", None, "wrong-type", ""),
    ("deals[0].fair.version", 2, "out-of-range", ""),
    ("deals[0].fair.context", {"table": "salon", "match": 1, "deal": 0}, "missing", ".round"),
    ("deals[0].fair.seats", None, "wrong-type", ""),
    ("deals[0].fair.seats", ["-"] * 3, "wrong-count", ""),
    ("deals[0].fair.commitments", ["c0" * 31, ""], "bad-hex", "[0]"),
    ("deals[0].fair.abandoned", 1, "wrong-type", ""),
    ("deals[0].fair.abandoned", [{}] * 1001, "too-long", ""),
    ("deals[0].fair.abandoned", [{}], "missing", "[0].reason"),
    ("deals[0].fair.abandoned", [ROUND | {"reason": "LEFT"}], "bad-value", "[0].reason"),
    (
        "deals[0].fair.abandoned",
        [ROUND | {"randomness": [""] * 3}],
        "wrong-count",
        "[0].randomness",
    ),
    ("deals[0].actors", None, "wrong-type", ""),
    ("deals[0].actors", ["person"], "actor-count", ""),
    ("deals[0].actors", ["person"] * 3, "actor-count", ""),
    ("deals[0].actors[1]", "user", "bad-actor", ""),
    ("deals[0].actors[1]", "bot:steady", "bad-actor", ""),
    ("deals[0].actors[1]", "bot:steady/0", "bad-actor", ""),
    ("deals[0].actors[1]", "bot", "bad-actor", ""),
    ("deals[0].actors[0]", "bot:steady/１", "bad-actor", ""),
    ("deals[0].actors[0]", None, "wrong-type", ""),
    ("deals[0].actors[0]", "x" * 201, "too-long", ""),
    ("deals[0].hands[1]", "R14", "bad-tile", ""),
    ("deals[0].hands[1]", "R１", "bad-tile", ""),
    ("deals[0].indicator", "*", "bad-indicator", ""),
    ("deals[0].hands[1]", "R2 R2 R2", "too-many-copies", ""),
    ("deals[0].actions[0]", "1: meld R13 Y13 B13 K13", "not-your-turn", ""),
    ("deals[0].actions[0]", "9: draw", "bad-seat", ""),
    ("deals[0].actions", ["draw"] * 20_001, "too-long", ""),
    ("deals[0].actions[0]", "fly", "unknown-action", ""),
    ("deals[0].actions[0]", "draw", "already-drawn", ""),
    ("deals[0].actions[1]", "discard R9", "not-in-hand", ""),
    ("deals[0].actions[0]", "x" * 1000, "unknown-action", ""),
    ("deals[0].actions[0]", "x" * 1001, "too-long", ""),
    ("deals[0].actions[0]", "lay R1 > 99999999", "bad-action", ""),
    ("deals[0].result.winner", 1, "result-differs", ""),
    ("deals[0].result.end", None, "result-differs", ""),
    ("deals[0].result.scores", [0, 0], "result-differs", ""),
    ("deals[0].result.fines", [{"seat": 0, "rule": "P1", "points": 101}], "result-differs", ""),
    ("deals[0].result.fines", [{"seat": 0, "rule": "P1"}], "missing", "[0].points"),
    ("deals[0].result.fines", [{"seat": 0, "rule": "P" * 11, "points": 1}], "too-long", "[0].rule"),
    ("totals", [0, 404], "totals-differ", ""),
    ("team_totals", [0, 0], "unexpected", ""),
]
"""A place, what is put there, the code of the refusal, and where below that place it is seen."""
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
    with pytest.raises(RecordError) as caught:
        Record.read(path)
    assert caught.value.code == "too-large"
    assert caught.value.details["limit"] == MAX_BYTES
    assert sum(read) <= MAX_BYTES + 1


def test_no_file_is_an_error_of_the_file(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.okey.json"):
        with pytest.raises(OSError, match=tmp_path.name):
            Record.read(path)


def test_a_refused_tile_is_named_in_the_notation() -> None:
    record = parse_record(
        json.dumps(
            {
                "format": "okey101/1",
                "rules": {"preset": "altinstar", "players": 2},
                "deals": [
                    {
                        "indicator": "B5",
                        "hands": ["R7 R8 K1", "Y1"],
                        "actions": ["0: discard R11"],
                    }
                ],
            }
        )
    )
    with pytest.raises(RecordError) as error:
        replay(record)
    assert (error.value.code, error.value.details["tile"]) == ("not-in-hand", "R11")
