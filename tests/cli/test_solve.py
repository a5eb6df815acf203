"""``okey101 solve`` and ``okey101 outs``: a rack as argument, and racks on stdin."""

import json

import pytest

from okey101.game import Deal, deal_from_hands, position_of
from okey101.i18n import load

from .conftest import Run

WORKED = "R7 R8 R9 R11 Y11 K11 B4 B5 F Y11 Y12 Y13 K2"
"""The opening of 108 points among the worked examples, with an 11 and a 2 to spare."""


def test_json_has_the_shape_of_the_design(run: Run) -> None:
    ran = run("solve", WORKED, "--okey", "B6", "--json")
    assert ran.code == 0
    assert ran.json == {
        "ok": True,
        "points": 108,
        "tiles": 12,
        "left_points": 2,
        "melds": [
            [*meld.split()] for meld in ("R7 R8 R9", "Y11 Y12 Y13", "B4 B5 F", "R11 Y11 K11")
        ],
        "left": ["K2"],
    }


def test_an_okey_is_named_with_what_it_stands_for(run: Run) -> None:
    ran = run("solve", "R7 R8 b6", "--okey", "b6", "--json")
    assert ran.json["melds"] == [["R7", "R8", "*R9"]]
    assert run("solve", "K1 K3 *", "--okey", "B6", "--json").json["left"] == []
    left = run("solve", "K1 *", "--okey", "B6", "--json").json
    assert (left["left"], left["left_points"]) == (["K1", "*"], 102)


def test_aims(run: Run) -> None:
    for aim, points in (("points", 108), ("tiles", 108), ("left", 108), ("pairs", 22)):
        found = run("solve", WORKED, "--okey", "B6", "--for", aim, "--json").json
        assert found["points"] == points
    assert found["melds"] == [["Y11", "Y11"]]


def test_a_tile_that_must_be_melded(run: Run) -> None:
    rack = "R7 R8 R9 R10 Y10 B10"
    free = run("solve", rack, "--okey", "B6", "--json").json
    forced = run("solve", rack, "--okey", "B6", "--must", "R7", "--json").json
    assert any("R7" in meld for meld in forced["melds"])
    assert forced["points"] <= free["points"]
    okey = run("solve", "R7 R8 *", "--okey", "B6", "--must", "B6", "--json").json
    assert okey["melds"] == [["R7", "R8", "*R9"]]
    asked = ("solve", "R7 R8 K1", "--okey", "B6", "--json", "--must")
    assert run(*asked, "K1").refusal == (1, "no-arrangement")
    ran = run(*asked, "K2")
    assert (*ran.refusal, ran.error["tile"]) == (3, "must-not-in-rack", "K2")


def test_best(run: Run) -> None:
    ran = run("solve", WORKED, "--okey", "B6", "--best", "4", "--json")
    found = ran.json["arrangements"]
    assert list(ran.json) == ["ok", "arrangements"]
    assert len(found) == 4
    assert [a["points"] for a in found] == sorted((a["points"] for a in found), reverse=True)
    assert found[0]["points"] == 108
    assert len({json.dumps(a) for a in found}) == 4
    assert run("solve", WORKED, "--okey", "B6", "--best", "2").out.startswith("1.\n")


def test_an_empty_rack_is_worth_nothing(run: Run) -> None:
    ran = run("solve", "", "--okey", "B6", "--json")
    assert (ran.json["points"], ran.json["melds"], ran.json["left"]) == (0, [], [])
    assert load("en")("solve-nothing") in run("solve", "K1", "--okey", "B6").out


def test_a_riziko_deal_names_its_okey_f(run: Run) -> None:
    ran = run("solve", "R7 R8 *", "--okey", "F", "--json")
    assert ran.json["melds"] == [["R7", "R8", "*R9"]]
    assert run("solve", "R7 R8 F", "--okey", "F", "--json").out == ran.out
    assert run("solve", "R7 * F", "--okey", "F", "--json").refusal == (3, "one-okey-in-riziko")


@pytest.mark.parametrize(
    ("rack", "okey", "code", "position"),
    [
        ("R7 Q4", "B6", "bad-tile", 3),
        ("R7 R7 R7", "B6", "too-many-copies", 6),
        ("* B6 B6", "B6", "too-many-copies", 5),
        ("R7", "Z9", "bad-tile", 0),
        ("R7", "*", "bad-okey", 0),
        ("R7 İ4", "B6", "bad-tile", 3),
    ],
)
@pytest.mark.parametrize("command", ["solve", "outs"])
def test_bad_racks(run: Run, command: str, rack: str, okey: str, code: str, position: int) -> None:
    ran = run(command, rack, "--okey", okey, "--json")
    assert (*ran.refusal, ran.error["position"]) == (3, code, position)
    text = run(command, rack, "--okey", okey, "--lang", "tr")
    assert (text.code, text.out) == (3, "")
    assert text.err.startswith("okey101: ")


def test_a_position_has_no_larger_rack(run: Run) -> None:
    tiles = [*" ".join(f"{c}{n}" for c in "RYBK" for n in range(1, 12)).split()]
    for count, refused in ((40, False), (41, True)):
        hands = [" ".join(tiles[:count]), "R13", "Y13", "B13"]
        layout = deal_from_hands("pagat", indicator="K12", hands=hands, dealer=3)
        ran = run("solve", position_of(Deal.start("pagat", layout)), "--json")
        assert ran.code == (3 if refused else 0)
        assert not refused or ran.error["code"] == "rack-too-large"


LINES = "B6: R7 R8 R9\nfoo\nB6: Q7\n\nF: R7 R8 *\nr13: k1 k2 *\n"


def test_stdin_answers_every_line(run: Run) -> None:
    ran = run("solve", "-", stdin=LINES.encode())
    assert (ran.code, ran.err) == (3, "")
    answers = [json.loads(line) for line in ran.out.splitlines()]
    assert [a["ok"] for a in answers] == [True, False, False, False, True, True]
    told = [(a["error"]["code"], a["error"]["line"]) for a in answers if not a["ok"]]
    assert told == [("bad-line", 2), ("bad-tile", 3), ("bad-line", 4)]
    assert answers[2]["error"]["position"] == 4
    assert answers[5]["melds"] == [["K1", "K2", "*K3"]]
    assert run("solve", "-", stdin=b"B6: R7 R8 R9\r\nB6:").code == 0
    assert run("solve", "-", stdin=b"").out == ""


def test_stdin_takes_the_options(run: Run) -> None:
    ran = run("solve", "-", "--best", "2", "--for", "pairs", stdin=b"B6: R7 R7 K1 K1\n")
    first, second = ran.json["arrangements"]
    assert sorted(first["melds"]) == [["K1", "K1"], ["R7", "R7"]]
    assert second["melds"] == [["R7", "R7"]]
    refused = run("solve", "-", "--must", "K9", stdin=b"B6: R7 R7\n").refusal
    assert refused == (3, "must-not-in-rack")
    assert run("solve", "-", "--okey", "B6", stdin=b"R7 R8 *\nY1: R7 R8 B6\n").code == 0


def test_stdin_that_is_not_text(run: Run) -> None:
    ran = run("solve", "-", stdin=b"B6: R7 \xff\nB6: R7\n" + b"B6: " + b"R" * 100_000 + b"\nB6: R8")
    codes = [json.loads(line).get("error", {}).get("code") for line in ran.out.splitlines()]
    assert codes == ["not-utf8", None, "line-too-long", None]
    assert ran.code == 3


def test_outs_lists_what_helps_or_every_tile(run: Run) -> None:
    told = run("outs", "R7 R8 K1", "--okey", "B6", "--json").json
    assert (told["for"], told["value"]) == ("points", 0)
    outs = {out["tile"]: out for out in told["outs"]}
    assert outs["R9"] == {"tile": "R9", "copies": 2, "value": 24, "gain": 24}
    assert sorted((out["tile"], out["gain"]) for out in told["outs"]) == [
        ("*", 24), ("R6", 21), ("R9", 24),
    ]  # fmt: skip
    ran = run("outs", "R7 R8 R8", "--okey", "B6", "--all", "--json")
    tiles = {out["tile"] for out in ran.json["outs"]}
    assert len(tiles) == 54 - 2
    assert not {"R8", "B6"} & tiles  # no third R8, and blue 6 is the okey
    ran = run("outs", "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13", "--okey", "B6", "--for", "left")
    assert load("en")("outs-none") in ran.out


@pytest.mark.parametrize("aim", ["points", "tiles", "left", "pairs"])
def test_outs_text(run: Run, aim: str, language: str) -> None:
    ran = run("outs", WORKED, "--okey", "B6", "--for", aim, "--lang", language)
    assert ran.code == 0
    value = {"points": 108, "tiles": 12, "left": 2, "pairs": 1}[aim]
    assert ran.out.startswith(load(language)("outs-now", aim=aim, value=value))


def test_outs_stdin(run: Run) -> None:
    ran = run("outs", "-", stdin=b"B6: R7 R8\nB6: R7 R7 R7\n")
    good, bad = (json.loads(line) for line in ran.out.splitlines())
    assert ran.code == 3
    assert good["outs"][0]["tile"] == "R9"
    assert bad["error"]["code"] == "too-many-copies"
