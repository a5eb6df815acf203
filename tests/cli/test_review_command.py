"""``okey101 review``, ``strength`` and ``puzzle``: what they print, write and refuse."""

import json
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import Patch, ran_python
from okey101.cli.app import POLICIES, THEMES, app, review
from okey101.game import record_of
from okey101.review import puzzles, strength
from okey101.review.analysis import POLICIES as KNOWN
from okey101.review.puzzles import puzzle, puzzles_about
from review.test_analysis import deal_with, played_on, short_deal
from review.test_strength import two_records

from .conftest import SRC, Run, started

THROWN = "R1 R2 R7 R9 Y1 Y4 Y6 Y9 Y11 B2 *"


@pytest.fixture(scope="module")
def record_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Two finished deals, an okey thrown in the first, and one that has just begun."""
    deals = [
        played_on(deal_with(THROWN, 2), first="discard *"),
        played_on(short_deal(8, 2, size=12)),
        short_deal(9, 2, size=12),
    ]
    path = tmp_path_factory.mktemp("review") / "match.okey.json"
    names = ("Ayşe", "<b>Ali</b>", "Can", "Ece")
    record_of(deals[0].rules, deals, players=names).write(path)
    return str(path)


def test_the_options_are_those_of_the_library() -> None:
    usual = {one.name: one.default for one in (*review.params, *app.commands["strength"].params)}
    assert (usual["policy"], usual["worlds"]) == ("master", strength.WORLDS)
    assert (POLICIES, THEMES) == (KNOWN, puzzles.THEMES)


QUICK = ("--worlds", "8", "--policy", "greedy")


def test_the_text_tells_cost_and_reason(record_file: str, run: Run) -> None:
    ran = run("review", record_file, *QUICK, "--deal", "1", "--seat", "0", "--lang", "en")
    assert ran.code == 0
    assert "Ayşe, seat 0" in ran.out
    assert "1: discard *: +" in ran.out
    assert "(large); better: discard" in ran.out
    assert "You discarded an okey, the tile that fits everywhere. Fine: 101 points." in ran.out
    assert "average of this seat" in ran.out
    turkish = run("review", record_file, *QUICK, "--deal", "1", "--seat", "0", "--lang", "tr")
    assert "Her yere uyan taşı, okeyi attınız. Ceza: 101 puan." in turkish.out


def test_json_adds_up_and_leaves_the_running_deal_out(record_file: str, run: Run) -> None:
    data = run("review", record_file, *QUICK, "--seat", "0", "--seat", "3", "--json").json
    assert data["format"] == "okey101-review/1"
    assert [(deal["number"], deal["seat"]) for deal in data["deals"]] == [
        (0, 0), (0, 3), (1, 0), (1, 3),
    ]  # fmt: skip
    for part in (*data["deals"], *data["summary"]):
        balance = dict(part["balance"])
        score = balance.pop("score")
        assert round(sum(term["mean"] for term in balance.values()), 6) == score
    first = data["deals"][0]["decisions"][0]
    assert first["played"]["action"] == "discard *"
    assert first["mark"] == "large"
    assert first["why"]["code"] == "okey-thrown"
    assert first["hindsight"]["taken"] in (True, False)


def test_the_page_needs_nothing_else(
    record_file: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    page = tmp_path / "new folder" / "review.html"
    ran = run("review", record_file, *QUICK, "--html=~/new folder/review.html", "--lang", "en")
    assert ran.code == 0
    assert str(page) in ran.err
    text = page.read_text("utf-8")
    assert text.count("<svg") == 8
    assert "<b>Ali" not in text
    assert "&lt;b&gt;Ali" in text
    assert not any(word in text for word in ("http://", "https://", "<script", "<link"))
    assert 'class="path"' in text


@pytest.mark.parametrize(
    ("code", "exit_code", "options"),
    [
        ("no-such-deal", 3, ("--deal", "4")),
        ("deal-unfinished", 3, ("--deal", "3")),
        ("bad-parameter", 2, ("--worlds", "7")),
        ("bad-parameter", 2, ("--seat", "4")),
        ("file-is-folder", 1, ("--html", "/")),
    ],
)
def test_what_is_refused(
    record_file: str, run: Run, code: str, exit_code: int, options: tuple[str, ...]
) -> None:
    assert run("review", record_file, "--json", *options).refusal == (exit_code, code)


def test_the_page_never_takes_the_place_of_the_record(record_file: str, run: Run) -> None:
    before = Path(record_file).read_bytes()
    ran = run("review", record_file, *QUICK, "--html", record_file, "--json")
    assert ran.refusal == (1, "file-exists")
    assert Path(record_file).read_bytes() == before


def test_a_record_without_deals(run: Run) -> None:
    empty = b'{"format":"okey101/1","rules":{"preset":"altinstar"},"deals":[]}'
    assert run("review", "-", "--json", stdin=empty).refusal == (3, "no-deals")


def test_without_the_extra_it_says_which(
    record_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    program = (
        "import sys; sys.modules['numba'] = None; sys.path.insert(0, sys.argv[1])\n"
        "from okey101.cli import main; sys.exit(main(['review', sys.argv[2], '--json']))"
    )
    error = json.loads(ran_python("-c", program, SRC, record_file, ends=2).stdout)["error"]
    assert (error["code"], error["extra"]) == ("missing-extra", "sim")


def test_interrupting_leaves_nothing_half_done(record_file: str, tmp_path: Path) -> None:
    page = tmp_path / "review.html"
    words = ("review", record_file, "--worlds", "100000", "--html", str(page), "--lang", "en")
    with started(*words, NUMBA_DISABLE_JIT="1") as (child, *_):
        deadline = time.monotonic() + 30
        while not page.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        try:
            _, err = child.communicate(timeout=20)
        except subprocess.TimeoutExpired:  # a callback of an import has swallowed it
            child.send_signal(signal.SIGINT)
            _, err = child.communicate(timeout=60)
    # Where it came in the middle of exec, as some imports do, CPython ends by the signal, whoever
    # caught it: to a shell both are 130.
    assert child.returncode in (130, -signal.SIGINT)
    assert b"Traceback" not in err
    assert b"Interrupted" in err
    assert not page.exists()


# The strength of a player -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Two records of two deals; the players change their seats."""
    folder = tmp_path_factory.mktemp("strength")
    paths = [folder / "1.okey.json", folder / "2.okey.json"]
    for path, record in zip(paths, two_records(), strict=True):
        record.write(path)
    return [*map(str, paths)]


Told = tuple[dict[str, Any], Callable[[object], str]]


@pytest.fixture
def told(files: list[str], run: Run, tmp_path: Path, monkeypatch: Patch) -> Told:
    """What ``--json`` prints where two deals tell, and what writes something into a file."""
    monkeypatch.setattr(strength, "LEAST_DEALS", 2)
    path = tmp_path / "strength.json"

    def write(data: object) -> str:
        path.write_text(json.dumps(data), encoding="utf-8")
        return str(path)

    return run("strength", *files, "--player", "Ali", "--worlds", "8", "--json").json, write


def test_the_text_tells_the_strength_or_what_it_lacks(
    files: list[str], run: Run, monkeypatch: Patch
) -> None:
    asked = ("strength", *files, "--player", "Ali", "--worlds", "8")
    few = run(*asked, "--lang", "en")
    assert few.code == 0
    assert "You have 4 of the 30 deals" in few.out
    monkeypatch.setattr(strength, "LEAST_DEALS", 2)
    english = run(*asked, "--lang", "en").out
    assert "Strength without luck: Ali" in english
    assert "points a deal, give or take" in english
    assert "0 means playing as master/2 does" in english
    assert "4 el sonunda el başına" in run(*asked, "--lang", "tr").out


def test_the_numbers_are_made_again(files: list[str], run: Run, told: Told) -> None:
    data, write = told
    assert data["strength"]["low"] < data["strength"]["mean"] < data["strength"]["high"]
    again = run("strength", "verify", write(data), *files, "--json")
    assert (again.code, again.json) == (0, {"ok": True, "deals": 4, "reference": "master/2"})
    data["deals"][2]["own"]["mean"] += 0.1
    changed = run("strength", "verify", write(data), *files, "--json")
    assert changed.refusal == (3, "strength-differs")
    assert changed.error["path"] == "deals[2].own.mean"
    del data["deals"][3]
    fewer = run("strength", "verify", write(data), *files, "--json")
    assert fewer.error["path"] == "deals"


def test_what_is_no_strength_is_refused(files: list[str], run: Run, told: Told) -> None:
    data, write = told

    def refusal(changes: dict[str, object]) -> tuple[int, str]:
        return run("strength", "verify", write(data | changes), *files, "--json").refusal

    assert refusal({"reference": "master/1"}) == (3, "other-reference")
    assert refusal({"format": "okey101/1"}) == (3, "bad-format")
    assert refusal({"worlds": "many"}) == (3, "wrong-type")
    assert refusal({"player": None}) == (3, "no-one-named")
    assert run("strength", "verify", write([]), *files, "--json").refusal == (3, "missing")
    told_of = run("strength", "verify", write({"format": "okey101/1"}), *files).err
    assert told_of == "okey101: format: okey101/1 is not the format that is needed here.\n"
    assert run("strength", "verify", write(data), "--json").refusal == (3, "no-one-named")
    assert run("strength", *files, "--json").refusal == (3, "no-one-named")
    assert run("strength", "verify", "none.json", *files, "--json").refusal == (
        1, "file-not-found",
    )  # fmt: skip


# Positions to solve -------------------------------------------------------------------------------


def test_an_answer_is_judged_in_both_languages(run: Run) -> None:
    one = puzzle(1)
    right = run("puzzle", "1", "--answer", one.best, "--lang", "en")
    assert right.code == 0
    assert "Which move is best?" in right.out
    assert "Right: " in right.out
    wrong = run("puzzle", "1", "--answer", one.played, "--lang", "tr")
    assert "Daha iyisi: " in wrong.out
    assert "Ayrıntı" in wrong.out
    far = run("puzzle", "1", "--answer", "announce", "--lang", "en")
    assert "not even among the likely ones" in far.out


def test_the_answer_may_be_typed_by_its_number(run: Run) -> None:
    place = sorted([puzzle(1).best, *puzzle(1).costs]).index(puzzle(1).best) + 1
    told = run("puzzle", "1", "--lang", "en", stdin=b"\xff\n99\n%d\n" % place).out
    assert told.index("Answer with the number of a choice") < told.index("Right: ")
    unanswered = run("puzzle", "1", "--lang", "en", stdin=b"")
    assert (unanswered.code, unanswered.err) == (1, "")


def test_any_of_a_theme_and_all_of_it_as_json(run: Run) -> None:
    (data,) = [run("puzzle", "--theme", "discards", "--json").json]
    assert data["number"] in puzzles_about("discards")
    (data,) = [run("puzzle", "--rules", "pagat", "--json").json]
    assert data["position"].split("; ")[1] == "pagat"
    assert data["costs"][data["played"]]["low"] >= 3


def test_what_is_no_choice_is_refused(run: Run) -> None:
    last = len(puzzles_about())
    assert run("puzzle", str(last + 1), "--json").refusal == (3, "no-such-puzzle")
    assert run("puzzle", "--rules", "x", "--json").refusal[1] == "unknown-preset"
    for answer in ("0", "99", "00019", "nonsense"):
        refusal = run("puzzle", "1", "--answer", answer, "--json").refusal
        assert refusal == (2, "no-such-choice")
