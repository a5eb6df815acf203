"""The checker in JavaScript of the documents: it agrees, and finds what is wrong in a record."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import missing
from game.fair_match import fair_match
from game.fair_vectors import VECTORS, matches, rounds, vectors, wrong
from okey101.game import PRESETS
from okey101.game.fair_record import Fair

CHECKER = VECTORS.with_name("fairness-check.mjs")


def node() -> str:
    found = shutil.which("node")
    if found is None:
        missing("NODE IS MISSING: the checker in JavaScript was not run")
    return found


def checker(file: Path, *noted: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [node(), str(CHECKER), str(file), *noted],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )


def run_checker(file: Path, *noted: str) -> tuple[int, str]:
    done = checker(file, *noted)
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_the_checker_agrees(tmp_path: Path) -> None:
    records = vectors()
    code, said = run_checker(VECTORS, records[0]["deals"][0]["fair"]["commitment"])
    deals = len(records) + len(rounds()) + sum(len(match["deals"]) for match in matches())
    assert (code, said.splitlines()[-1]) == (0, f"{deals} deals checked, 0 wrong")
    code, said = run_checker(VECTORS, "00" * 32)
    assert code == 1
    assert "no deal has the commitment" in said
    file = tmp_path / "match.okey.json"
    file.write_text(fair_match(PRESETS["pagat"], "node").to_json(), encoding="utf-8")
    assert run_checker(file)[0] == 0


@pytest.mark.parametrize("name", ["commitment", "seed", "dealer", "dice", "indicator", "stock"])
def test_the_checker_finds_what_is_wrong(tmp_path: Path, name: str) -> None:
    record = vectors()[0]
    deal = record["deals"][0]
    if name == "commitment":
        deal["fair"]["commitment"] = "00" * 32
    elif name == "stock":
        first, second, *rest = deal["stock"].split()
        deal["stock"] = " ".join([second, first, *rest])
    else:
        wrong = {"seed": "00" * 32, "dealer": (deal["dealer"] + 1) % 4, "dice": [6, 6]}
        deal[name] = wrong.get(name, "R13")
    file = tmp_path / "wrong.okey.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    code, said = run_checker(file)
    assert code == 1
    assert name in said


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda fair: fair["randomness"].__setitem__(0, "5e" * 16), "opening"),
        (lambda fair: fair["randomness"].__setitem__(0, ""), "opening"),
        (lambda fair: fair["seats"].__setitem__(0, "bot:steady"), "bot"),
        (lambda fair: fair["abandoned"].pop(), "rounds"),
        (lambda fair: fair["abandoned"][0].update(secret="00" * 32), "commitment of abandoned"),
        (lambda fair: fair["abandoned"][0]["randomness"].__setitem__(0, "5e" * 16), "opening of"),
        (lambda fair: fair["abandoned"][0]["seats"].__setitem__(0, "bot:greedy"), "bot of"),
    ],
)
def test_the_checker_looks_at_every_round(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], told: str
) -> None:
    record = next(r for r in rounds() if r["_vector"] == "three rounds before")
    file = tmp_path / "rounds.okey.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    assert run_checker(file)[0] == 0
    change(record["deals"][0]["fair"])
    file.write_text(json.dumps(record), encoding="utf-8")
    code, said = run_checker(file)
    assert code == 1
    assert f"WRONG: {told}" in said or f", {told}" in said


@pytest.mark.parametrize("vector", wrong(), ids=lambda vector: str(vector["_vector"]))
def test_the_checker_finds_what_is_wrong_among_the_vectors(
    tmp_path: Path, vector: dict[str, Any]
) -> None:
    file = tmp_path / "wrong.okey.json"
    file.write_text(json.dumps(vector), encoding="utf-8")
    code, said = run_checker(file)
    assert code == 1
    assert "deal 1: WRONG: " in said


def test_the_checker_takes_a_transcript(tmp_path: Path) -> None:
    record = rounds()[0]
    shown = Fair.from_dict(record["deals"][0]["fair"]).transcript
    assert shown is not None
    file = tmp_path / "rounds.okey.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    assert run_checker(file, shown)[0] == 0


SPOILT: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (lambda match: match["deals"][1].update(dealer=1), "deal 2: WRONG: dealer"),
    (lambda match: match["deals"][2].update(dealer=1), "deal 3: WRONG: dealer"),
    (lambda match: match["deals"].pop(1), "deal 2: WRONG: context"),
    (lambda match: match["deals"].pop(), "WRONG: the totals are not the sums"),
    (lambda match: match["deals"][1].pop("fair"), "WRONG: deal 2: it is finished"),
    (lambda match: match["deals"][1]["fair"].pop("secret"), "WRONG: deal 2: it is finished"),
    (lambda match: match["deals"][1]["fair"]["context"].update(table="else"), "WRONG: commitment"),
]


@pytest.mark.parametrize(("change", "told"), SPOILT)
def test_the_checker_looks_at_the_whole_match(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], told: str
) -> None:
    match = matches()[0]
    change(match)
    file = tmp_path / "match.okey.json"
    file.write_text(json.dumps(match), encoding="utf-8")
    code, said = run_checker(file)
    assert code == 1
    assert told in said


def test_the_checker_tells_of_deals_that_lack(tmp_path: Path) -> None:
    match = matches()[0]
    match["deals"].pop()
    del match["totals"]
    file = tmp_path / "match.okey.json"
    file.write_text(json.dumps(match), encoding="utf-8")
    assert "1 of 2 agreed deals are there" in run_checker(file)[1]


def test_the_checker_looks_for_contributions(tmp_path: Path) -> None:
    match = matches()[0]
    file = tmp_path / "match.okey.json"
    file.write_text(json.dumps(match), encoding="utf-8")
    mine = match["deals"][1]["fair"]["randomness"][0].upper()
    assert run_checker(file, "--mine", mine)[0] == 0
    code, said = run_checker(file, mine)
    assert (code, "no deal has the commitment" in said) == (1, True)
    code, said = run_checker(file, "--mine", "5e" * 16)
    assert (code, "no deal has the contribution" in said) == (1, True)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("# no JSON", "can't be read as a record"),
        ("", "can't be read as a record"),
        ("null", "a record is an object"),
        ('{"format": "okey101/2"}', "the format is"),
        ('{"format": "okey101/1", "format": "okey101/1"}', "twice"),
        ('{"format": "okey101/1", "rules": {"players": 4}, "deals": [{"dealer": "0"}]}', "dealer"),
        ('{"format": "okey101/1", "rules": {"players": 4}, "deals": 3}', "deals"),
    ],
)
def test_the_checker_says_what_it_can_not_read(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "none.json"
    file.write_text(text, encoding="utf-8")
    done = checker(file)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert "    at " not in done.stderr
