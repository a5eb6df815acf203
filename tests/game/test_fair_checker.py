"""What shares nothing with our own code: checkers by the documents alone, and the seeds of bots."""

import ast
import copy
import hmac
import json
import random
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from conftest import Size, answering, missing, raises_code
from game.fair_match import (
    DAY_CHECK,
    VECTORS,
    day_check,
    fair_match,
    matches,
    rounds,
    vectors,
    wrong,
)
from game.random_play import STYLES, states
from okey101 import play_deal
from okey101.bots import make_bot
from okey101.game import PRESETS, RuleSet, deal_from_seed, record_of
from okey101.game.fair.rounds import bot_seed, commitment
from okey101.game.fair.transcript import Fair

CHECKER = VECTORS.with_name("fairness-check.mjs")


def node() -> str:
    found = shutil.which("node")
    if found is None:
        missing("NODE IS MISSING: the checker in JavaScript was not run")
    return found


def checker(file: Path, *noted: str | Path) -> subprocess.CompletedProcess[str]:
    words = [node(), str(CHECKER), str(file), *map(str, noted)]
    return subprocess.run(
        words, capture_output=True, text=True, encoding="utf-8", check=False, timeout=60
    )


def run_checker(file: Path, *noted: str | Path) -> tuple[int, str]:
    done = checker(file, *noted)
    assert done.stderr == ""
    return done.returncode, done.stdout


def written(tmp_path: Path, data: object) -> Path:
    path = tmp_path / "told.okey.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_the_checker_agrees(tmp_path: Path) -> None:
    records = vectors()
    code, said = run_checker(VECTORS, records[0]["deals"][0]["fair"]["commitment"])
    deals = len(records) + len(rounds()) + sum(len(match["deals"]) for match in matches())
    assert (code, said.splitlines()[-1]) == (0, f"{deals} deals checked, 0 wrong")
    code, said = run_checker(VECTORS, "00" * 32)
    assert code == 1
    assert "no deal has the commitment" in said
    file = tmp_path / "match.okey.json"
    record = fair_match(PRESETS["pagat"], "node", 3, "çay ☕")
    file.write_text(record.to_json(), encoding="utf-8")
    assert run_checker(file)[0] == 0


def test_the_checker_counts_thrown_rounds_over_all_files(tmp_path: Path) -> None:
    """As ``okey101 verify`` does; a match that is given twice counts once."""
    files = []
    for number in range(4):
        data = json.loads(fair_match(RuleSet(), f"thrown {number}", 2, f"t{number}").to_json())
        data["deals"][1]["fair"]["abandoned"][0]["reason"] = "restored"
        files.append(tmp_path / f"{number}.okey.json")
        files[-1].write_text(json.dumps(data), encoding="utf-8")
    words = "{} of {} rounds lacked an opening, and files were put back in {}"
    for given_files, counts in ((files, (0, 12, 4)), (files[:1] * 4, (0, 3, 1))):
        code, said = run_checker(*given_files)
        assert words.format(*counts) in said
        assert code == (counts[2] > 1)
        assert ("WRONG" in said) is (counts[2] > 1)


Change = Callable[[dict[str, Any]], object]


def found_in(tmp_path: Path, records: list[dict[str, Any]]) -> list[str]:
    """What is said of records of one deal each."""
    file = tmp_path / VECTORS.name
    file.write_text(json.dumps({"records": records, "rounds": [], "matches": []}), encoding="utf-8")
    code, said = run_checker(file)
    assert code == 1
    return [line for line in said.splitlines() if line.startswith("deal 1: ")]


def test_the_checker_finds_what_is_wrong(tmp_path: Path) -> None:
    good = vectors()[0]
    deal = good["deals"][0]
    first, second, *rest = deal["stock"].split()
    wrong = {
        "commitment": {"fair": deal["fair"] | {"commitment": "00" * 32}},
        "seed": {"seed": "00" * 32},
        "dealer": {"dealer": (deal["dealer"] + 1) % 4},
        "dice": {"dice": [6, 6]},
        "indicator": {"indicator": "R13"},
        "stock": {"stock": " ".join([second, first, *rest])},
    }
    lines = found_in(tmp_path, [good | {"deals": [deal | change]} for change in wrong.values()])
    for name, said in zip(wrong, lines, strict=True):
        assert name in said.partition("WRONG: ")[2]


ROUNDS: list[tuple[Change, str]] = [
    (lambda fair: fair["randomness"].__setitem__(0, "5e" * 16), "opening"),
    (lambda fair: fair["randomness"].__setitem__(0, ""), "opening"),
    (lambda fair: fair["seats"].__setitem__(0, "bot:steady"), "bot"),
    (lambda fair: fair["abandoned"].pop(), "rounds"),
    (lambda fair: fair["abandoned"][0].update(secret="00" * 32), "commitment of abandoned"),
    (lambda fair: fair["abandoned"][0]["randomness"].__setitem__(0, "5e" * 16), "opening of"),
    (lambda fair: fair["abandoned"][0]["seats"].__setitem__(0, "bot:greedy"), "bot of"),
]


def test_the_checker_looks_at_every_round(tmp_path: Path) -> None:
    good = next(r for r in rounds() if r["_vector"] == "three rounds before")
    spoilt = [copy.deepcopy(good) for _ in ROUNDS]
    for record, (change, _) in zip(spoilt, ROUNDS, strict=True):
        change(record["deals"][0]["fair"])
    right, *lines = found_in(tmp_path, [good, *spoilt])
    assert right == "deal 1: right"
    for said, (_, told) in zip(lines, ROUNDS, strict=True):
        assert f"WRONG: {told}" in said or f", {told}" in said


def test_the_checker_finds_what_is_wrong_among_the_vectors(tmp_path: Path) -> None:
    lines = found_in(tmp_path, wrong())
    assert len(lines) == len(wrong())
    assert all(line.startswith("deal 1: WRONG: ") for line in lines)


def test_no_record_passes_for_test_vectors(tmp_path: Path) -> None:
    """Theirs are not counted with the rounds that were thrown away."""
    done = checker(written(tmp_path, {"records": matches()[:1], "rounds": [], "matches": []}))
    assert (done.returncode, "the format is undefined" in done.stderr) == (2, True)


def test_the_checker_takes_a_transcript(tmp_path: Path) -> None:
    record = rounds()[0]
    shown = Fair.from_dict(record["deals"][0]["fair"]).transcript
    assert run_checker(written(tmp_path, record), shown)[0] == 0


SPOILT: list[tuple[Change, str]] = [
    (lambda match: match["deals"][1].update(dealer=1), "deal 2: WRONG: dealer"),
    (lambda match: match["deals"][2].update(dealer=1), "deal 3: WRONG: dealer"),
    (lambda match: match["deals"].pop(1), "deal 2: WRONG: context"),
    (lambda match: match["deals"].pop(), "WRONG: the totals are not the sums"),
    (lambda match: match["deals"][1]["result"].update(end="finish"), "WRONG: the match was over"),
    (lambda match: match["deals"][1].pop("fair"), "WRONG: deal 2: it is finished"),
    (lambda match: match["deals"][1]["fair"].pop("secret"), "WRONG: deal 2: it is finished"),
    (lambda match: match["deals"][1]["fair"]["context"].update(table="else"), "WRONG: commitment"),
]


@pytest.mark.parametrize(("change", "told"), SPOILT)
def test_the_checker_looks_at_the_whole_match(tmp_path: Path, change: Change, told: str) -> None:
    match = matches()[0]
    change(match)
    code, said = run_checker(written(tmp_path, match))
    assert (code, told in said) == (1, True)


def test_the_checker_tells_of_deals_that_lack(tmp_path: Path) -> None:
    match = matches()[0]
    match["deals"].pop()
    del match["totals"]
    assert "1 of 2 agreed deals are there" in run_checker(written(tmp_path, match))[1]


def test_the_checker_looks_for_contributions(tmp_path: Path) -> None:
    match = matches()[0]
    file = written(tmp_path, match)
    mine = match["deals"][1]["fair"]["randomness"][0].upper()
    assert run_checker(file, "--mine", mine)[0] == 0
    code, said = run_checker(file, mine)
    assert (code, "no deal has the commitment" in said) == (1, True)
    code, said = run_checker(file, "--mine", "5e" * 16)
    assert (code, "no deal has the contribution" in said) == (1, True)


def test_the_checker_tells_a_contribution_that_was_thrown_away(tmp_path: Path) -> None:
    """Of somebody who gave nothing to the round that was dealt from."""
    record = next(r for r in rounds() if r["_vector"] == "a seat did not reveal")
    fair, file = record["deals"][0]["fair"], written(tmp_path, record)
    gone, dealt = fair["abandoned"][0]["randomness"][0], fair["randomness"][0]
    code, said = run_checker(file, "--mine", gone)
    assert (code, "only in rounds that were thrown away" in said) == (1, True)
    assert run_checker(file, "--mine", gone, "--mine", dealt)[0] == 0


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


# The seeds of bots at fair tables -----------------------------------------------------------------

TABLES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
NUMBERS = st.integers(0, 10**9)
BASE = (bytes(range(32)), "salon", 1, 0, 0, 2)


@given(st.binary(min_size=32, max_size=32), TABLES, NUMBERS, NUMBERS, NUMBERS, NUMBERS)
def test_an_independent_computation_agrees(
    secret: bytes, table: str, match: int, deal: int, round_: int, seat: int
) -> None:
    name = table.encode()
    text = b"okey101 bot seed 1" + struct.pack(">Q", len(name)) + name
    text += struct.pack(">QQQQ", match, deal, round_, seat)
    digits = hmac.digest(secret, text, "sha256").hex()
    assert bot_seed(secret, table, match, deal, round_, seat) == int(digits, 16)


@pytest.mark.parametrize(
    ("case", "code"),
    [
        ((b"x" * 31, "t", 1, 0, 0, 0), "bad-secret"),
        ((b"x" * 33, "t", 1, 0, 0, 0), "bad-secret"),
        ((BASE[0], "", 1, 0, 0, 0), "bad-context"),
        ((BASE[0], "t" * 201, 1, 0, 0, 0), "bad-context"),
        ((BASE[0], "\ud800", 1, 0, 0, 0), "bad-context"),
        ((BASE[0], "t", -1, 0, 0, 0), "bad-context"),
        ((BASE[0], "t", 1, 10**9 + 1, 0, 0), "bad-context"),
        ((BASE[0], "t", 1, 0, -1, 0), "bad-context"),
        ((BASE[0], "t", 1, 0, 0, -1), "bad-context"),
    ],
)
def test_what_is_out_of_range_is_refused(
    case: tuple[bytes, str, int, int, int, int], code: str
) -> None:
    """In the commitment of a round as in a bot's seed, which knows the seat besides."""
    calls: list[Callable[[], object]] = [lambda: bot_seed(*case)]
    if case[5] >= 0:
        calls.append(lambda: commitment(*case[:5]))
    for call in calls:
        with raises_code(code) as caught:
            call()
        assert "xxx" not in caught.value.message


def test_points_follow_from_actions_by_the_rules_alone(size: Size) -> None:
    """As the program that makes a day again counts them (C1 to C3, E2, E3, O5, O7, P1 to P5)."""
    checker, rules, ended = day_check(), RuleSet(), set[str]()
    tiles = deal_from_seed(rules, random.Random(11_537).randbytes(32), dealer=1)
    random_bots = [make_bot("random", 4 * 11_537 + seat) for seat in range(4)]
    deals = [play_deal(rules, random_bots, tiles)]  # all have opened with pairs
    for number in range(size(60, long=3_000)):
        rng = random.Random(f"points {number}")
        deals.append(states(rules, rng, STYLES[number % len(STYLES)])[-1])
    for number, deal in enumerate(deals):
        told = json.loads(record_of(rules, [deal]).to_json())["deals"][0]
        fines = sorted((one["seat"], one["rule"], one["points"]) for one in told["result"]["fines"])
        hands, stock = [hand.split() for hand in told["hands"]], told["stock"].split()
        made = checker.result_of({**told, "hands": hands, "stock": stock})
        assert made == {**told["result"], "fines": fines}, number
        ended.add(made["end"])
    assert ended == {"finish", "stock", "all-pairs"}


@pytest.mark.parametrize(
    "answer", [b"1;\r\n{\r\n100\r\n", b"ffff\r\n" + b"[" * 65_535 + b"\r\n0\r\n\r\n"]
)
def test_an_answer_that_breaks_off_or_makes_no_sense_says_nothing_of_a_day(answer: bytes) -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    with answering(head + answer) as url:
        words = [sys.executable, str(DAY_CHECK), url, "2026-11-27"]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert done.stderr.startswith("it can't be read: ")


def test_a_day_is_made_again_by_the_standard_library_alone() -> None:
    imported = {
        name.partition(".")[0]
        for node in ast.walk(ast.parse(DAY_CHECK.read_text(encoding="utf-8")))
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom)
            else [one.name for one in node.names] if isinstance(node, ast.Import)
            else []
        )
    }  # fmt: skip
    assert imported < sys.stdlib_module_names
