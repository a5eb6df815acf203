"""Whatever is wrong with a record, it is refused with a code and a place, and nothing else."""

from __future__ import annotations

import copy
import io
import json
from pathlib import Path

import pytest

from game.broken_records import RECORD, SMALL, TEXT, VALIDATOR, changed, check, refusal
from okey101.errors import RecordError
from okey101.game import parse_record, read_record, replay
from okey101.game.record import MAX_BYTES


def test_the_small_record_is_good() -> None:
    assert check(json.dumps(SMALL)) is None
    assert VALIDATOR.is_valid(SMALL)


def deep(levels: int) -> str:
    return "[" * levels + "]" * levels


DEAL = ("deals", 0)
FAIR = (*DEAL, "fair")
ROUND: dict[str, object] = {
    "commitment": "c0" * 32,
    "seats": ["-", "bot:greedy"],
    "commitments": ["5c" * 32, ""],
    "randomness": ["", ""],
    "secret": "5e" * 32,
    "reason": "not-revealed",
}


def changed_round(**changes: object) -> dict[str, object]:
    """The small record with fairness of version 2, some of it changed."""
    context = {"table": "salon", "match": 1, "deal": 0, "round": 0}
    whole = {k: v for k, v in ROUND.items() if k != "reason"} | {"version": 2, "context": context}
    return changed(*FAIR, to=whole | changes)


FAIR_OBJECT: dict[str, object] = SMALL["deals"][0]["fair"]  # type: ignore[index,call-overload,assignment]
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
    "long-rule": (
        changed("rules", "starter", to="x" * 10**6),
        "bad-value",
        "rules.starter",
    ),
    "deep-own": (json.dumps(SMALL)[:-1] + f', "_x": {deep(50_000)}}}', "too-deep", ""),
    "duplicate": ('{"format": "okey101/1", "format": "okey101/1"}', "duplicate-name", ""),
    "duplicate-own": ('{"_x": {"a": 1, "a": 1}}', "duplicate-name", ""),
    "comment": ("// a record\n{}", "not-json", "line 1"),
    "trailing-comma": ('{"format": "okey101/1",}', "not-json", "line 1"),
    "no-format": ({}, "missing", "format"),
    "newer-format": (changed("format", to="okey101/2"), "newer-format", "format"),
    "far-newer-format": (changed("format", to="okey101/" + "9" * 190), "newer-format", "format"),
    "other-format": (changed("format", to="chess/1"), "bad-format", "format"),
    "odd-format": (changed("format", to="okey101/1.0"), "bad-format", "format"),
    "newer-rules": (changed("rules_version", to=3), "newer-rules", "rules_version"),
    "rules-zero": (changed("rules_version", to=0), "out-of-range", "rules_version"),
    "newest-rules": (changed("rules_version", to=10**6), "newer-rules", "rules_version"),
    "too-new-rules": (changed("rules_version", to=10**6 + 1), "out-of-range", "rules_version"),
    "no-rules": ({"format": "okey101/1", "deals": []}, "missing", "rules"),
    "no-deals": ({"format": "okey101/1", "rules": {}}, "missing", "deals"),
    "no-actions": (changed(*DEAL, to={"seed": "00" * 32}), "missing", "deals[0].actions"),
    "no-deal": (changed(*DEAL, to={"actions": []}), "no-deal", "deals[0]"),
    "hands-alone": (
        changed(*DEAL, to={"actions": [], "hands": ["R1", "R2"]}),
        "no-deal",
        "deals[0]",
    ),
    "unknown-preset": (changed("rules", to={"preset": "home"}), "unknown-preset", "rules.preset"),
    "unknown-rule": (changed("rules", "joker", to=1), "unknown-field", "rules.joker"),
    "bad-rule": (changed("rules", "players", to=5), "bad-value", "rules.players"),
    "true-for-two": (changed("rules", "open_pairs", to=True), "bad-value", "rules.open_pairs"),
    "teams-of-two": (changed("rules", "teams", to=True), "teams-need-four", "rules.teams"),
    "unknown-name": (changed("note", to=1), "unknown-name", "note"),
    "unknown-deal-name": (changed(*DEAL, "note", to=1), "unknown-name", "deals[0].note"),
    "unknown-result-name": (
        changed(*DEAL, "result", "note", to=1),
        "unknown-name",
        "deals[0].result.note",
    ),
    "no-deals-agreed": (changed("deals_agreed", to=0), "out-of-range", "deals_agreed"),
    "three-names": (changed("players", to=["a", "b", "c"]), "wrong-count", "players"),
    "long-name": (changed("players", 0, to="a" * 201), "too-long", "players[0]"),
    "three-hands": (
        changed(*DEAL, "hands", to=["R1", "R2", "R3"]),
        "wrong-count",
        "deals[0].hands",
    ),
    "one-score": (changed("totals", to=[0]), "wrong-count", "totals"),
    "one-throw": (changed(*DEAL, "dice", to=[4]), "wrong-count", "deals[0].dice"),
    "seven": (changed(*DEAL, "dice", to=[4, 7]), "out-of-range", "deals[0].dice[1]"),
    "seat-2": (changed(*DEAL, "dealer", to=2), "out-of-range", "deals[0].dealer"),
    "short-seed": (changed(*DEAL, "seed", to="00" * 31), "bad-seed", "deals[0].seed"),
    "odd-seed": (changed(*DEAL, "seed", to="0x" + "00" * 31), "bad-seed", "deals[0].seed"),
    "blanks-in-seed": (
        changed(*DEAL, "seed", to=" " * 2 + "00" * 31),
        "bad-seed",
        "deals[0].seed",
    ),
    "no-fairness": (changed(*FAIR, to=None), "wrong-type", "deals[0].fair"),
    "no-commitment": (changed(*FAIR, to={}), "missing", "deals[0].fair.context"),
    "short-commitment": (
        changed(*FAIR, "commitment", to="c0" * 31),
        "bad-hex",
        "deals[0].fair.commitment",
    ),
    "wide-digits-in-secret": (
        changed(*FAIR, "secret", to="５" * 64),
        "bad-hex",
        "deals[0].fair.secret",
    ),
    "line-feed-after-secret": (
        changed(*FAIR, "secret", to="00" * 32 + "\n"),
        "bad-hex",
        "deals[0].fair.secret",
    ),
    "no-table": (changed(*FAIR, "context", "table", to=""), "bad-value", "deals[0].fair.context"),
    "long-table": (
        changed(*FAIR, "context", "table", to="x" * 201),
        "too-long",
        "deals[0].fair.context.table",
    ),
    "match-below-zero": (
        changed(*FAIR, "context", "match", to=-1),
        "out-of-range",
        "deals[0].fair.context.match",
    ),
    "deal-of-true": (
        changed(*FAIR, "context", "deal", to=True),
        "wrong-type",
        "deals[0].fair.context.deal",
    ),
    "unknown-fair-name": (changed(*FAIR, "seed", to=1), "unknown-name", "deals[0].fair.seed"),
    "three-contributions": (
        changed(*FAIR, "randomness", to=[""] * 3),
        "wrong-count",
        "deals[0].fair.randomness",
    ),
    "short-contribution": (
        changed(*FAIR, "randomness", 1, to="5e" * 15),
        "bad-randomness",
        "deals[0].fair.randomness[1]",
    ),
    "long-contribution": (
        changed(*FAIR, "randomness", 1, to="5e" * 33),
        "bad-randomness",
        "deals[0].fair.randomness[1]",
    ),
    "half-a-byte": (
        changed(*FAIR, "randomness", 1, to="5e" * 16 + "5"),
        "bad-randomness",
        "deals[0].fair.randomness[1]",
    ),
    "no-contribution": (
        changed(*FAIR, "randomness", 1, to=None),
        "wrong-type",
        "deals[0].fair.randomness[1]",
    ),
    "a-later-protocol": (
        changed(*FAIR, "version", to=3),
        "out-of-range",
        "deals[0].fair.version",
    ),
    "commitments-in-version-1": (
        changed(*FAIR, "commitments", to=["", ""]),
        "unexpected",
        "deals[0].fair.commitments",
    ),
    "a-round-in-version-1": (
        changed(*FAIR, "context", "round", to=0),
        "unexpected",
        "deals[0].fair.context.round",
    ),
    "version-2-without-rounds": (
        changed(*FAIR, "version", to=2),
        "missing",
        "deals[0].fair.context.round",
    ),
    "no-seats": (changed_round(seats=None), "wrong-type", "deals[0].fair.seats"),
    "a-seat-too-many": (changed_round(seats=["-"] * 3), "wrong-count", "deals[0].fair.seats"),
    "a-short-commitment": (
        changed_round(commitments=["c0" * 31, ""]),
        "bad-hex",
        "deals[0].fair.commitments[0]",
    ),
    "a-number-for-abandoned": (
        changed_round(abandoned=1),
        "wrong-type",
        "deals[0].fair.abandoned",
    ),
    "too-many-rounds": (
        changed_round(abandoned=[{}] * 1001),
        "too-long",
        "deals[0].fair.abandoned",
    ),
    "an-empty-round": (
        changed_round(abandoned=[{}]),
        "missing",
        "deals[0].fair.abandoned[0].reason",
    ),
    "a-shouted-reason": (
        changed_round(abandoned=[ROUND | {"reason": "LEFT"}]),
        "bad-value",
        "deals[0].fair.abandoned[0].reason",
    ),
    "a-round-of-three": (
        changed_round(abandoned=[ROUND | {"randomness": [""] * 3}]),
        "wrong-count",
        "deals[0].fair.abandoned[0].randomness",
    ),
    "secret-alone": (
        changed(*FAIR, to={k: v for k, v in FAIR_OBJECT.items() if k != "randomness"}),
        "missing",
        "deals[0].fair.randomness",
    ),
    "no-actors": (changed(*DEAL, "actors", to=None), "wrong-type", "deals[0].actors"),
    "too-few-actors": (changed(*DEAL, "actors", to=["person"]), "actor-count", "deals[0].actors"),
    "too-many-actors": (
        changed(*DEAL, "actors", to=["person"] * 3),
        "actor-count",
        "deals[0].actors",
    ),
    "unknown-actor": (changed(*DEAL, "actors", 1, to="user"), "bad-actor", "deals[0].actors[1]"),
    "bot-without-version": (
        changed(*DEAL, "actors", 1, to="bot:steady"),
        "bad-actor",
        "deals[0].actors[1]",
    ),
    "bot-of-version-0": (
        changed(*DEAL, "actors", 1, to="bot:steady/0"),
        "bad-actor",
        "deals[0].actors[1]",
    ),
    "wide-digit-in-version": (
        changed(*DEAL, "actors", 0, to="bot:steady/１"),
        "bad-actor",
        "deals[0].actors[0]",
    ),
    "actor-of-none": (changed(*DEAL, "actors", 0, to=None), "wrong-type", "deals[0].actors[0]"),
    "long-actor": (changed(*DEAL, "actors", 0, to="x" * 201), "too-long", "deals[0].actors[0]"),
    "no-tile": (changed(*DEAL, "hands", 1, to="R14"), "bad-tile", "deals[0].hands[1]"),
    "wide-digit": (changed(*DEAL, "hands", 1, to="R１"), "bad-tile", "deals[0].hands[1]"),
    "no-indicator": (changed(*DEAL, "indicator", to="*"), "bad-indicator", "deals[0].indicator"),
    "third-copy": (
        changed(*DEAL, "hands", 1, to="R2 R2 R2"),
        "too-many-copies",
        "deals[0].hands[1]",
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
    "wrong-seat": (
        changed(*DEAL, "actions", 0, to="1: meld R13 Y13 B13 K13"),
        "not-your-turn",
        "deals[0].actions[0]",
    ),
    "seat-9": (changed(*DEAL, "actions", 0, to="9: draw"), "bad-seat", "deals[0].actions[0]"),
    "endless": (
        changed(*DEAL, "actions", to=["draw"] * 20_001),
        "too-long",
        "deals[0].actions",
    ),
    "no-action": (changed(*DEAL, "actions", 0, to="fly"), "unknown-action", "deals[0].actions[0]"),
    "illegal": (changed(*DEAL, "actions", 0, to="draw"), "already-drawn", "deals[0].actions[0]"),
    "not-held": (
        changed(*DEAL, "actions", 1, to="discard R9"),
        "not-in-hand",
        "deals[0].actions[1]",
    ),
    "long-action": (
        changed(*DEAL, "actions", 0, to="meld " + "R1 " * 400),
        "too-long",
        "deals[0].actions[0]",
    ),
    "big-group": (
        changed(*DEAL, "actions", 0, to="lay R1 > 99999999"),
        "bad-action",
        "deals[0].actions[0]",
    ),
    "other-winner": (
        changed(*DEAL, "result", "winner", to=1),
        "result-differs",
        "deals[0].result.winner",
    ),
    "other-end": (
        changed(*DEAL, "result", "end", to=None),
        "result-differs",
        "deals[0].result.end",
    ),
    "other-scores": (
        changed(*DEAL, "result", "scores", to=[0, 0]),
        "result-differs",
        "deals[0].result.scores",
    ),
    "other-fines": (
        changed(*DEAL, "result", "fines", to=[{"seat": 0, "rule": "P1", "points": 101}]),
        "result-differs",
        "deals[0].result.fines",
    ),
    "half-a-fine": (
        changed(*DEAL, "result", "fines", to=[{"seat": 0, "rule": "P1"}]),
        "missing",
        "deals[0].result.fines[0].points",
    ),
    "other-totals": (changed("totals", to=[0, 404]), "totals-differ", "totals"),
    "team-totals": (changed("team_totals", to=[0, 0]), "unexpected", "team_totals"),
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
        read_record(path)
    assert caught.value.code == "too-large"
    assert caught.value.details["limit"] == MAX_BYTES
    assert sum(read) <= MAX_BYTES + 1


def test_no_file_is_an_error_of_the_file(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.okey.json"):
        with pytest.raises(OSError, match=tmp_path.name):
            read_record(path)


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
