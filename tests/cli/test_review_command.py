"""``okey101 review``: what it prints and writes, and what it refuses."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import ran_python
from okey101.cli.app import POLICIES, review
from okey101.game import record_of
from okey101.review.analysis import POLICIES as KNOWN
from review.test_analysis import deal_with, played_on, short_deal

from .conftest import SRC, Run

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


def test_master_goes_on_where_nothing_is_said() -> None:
    (policy,) = (one for one in review.params if one.name == "policy")
    assert policy.default == "master"
    assert POLICIES == KNOWN


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


def test_the_page_needs_nothing_else(record_file: str, run: Run, tmp_path: Path) -> None:
    page = tmp_path / "new folder" / "review.html"
    ran = run("review", record_file, *QUICK, "--html", str(page), "--lang", "en")
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


def test_a_record_that_is_none(run: Run, tmp_path: Path) -> None:
    assert run("review", str(tmp_path / "none"), "--json").error["code"] == "file-not-found"
    assert run("review", "-", "--json", stdin=b"{").code == 3
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
    child = subprocess.Popen(
        [sys.executable, "-m", "okey101", "review", record_file, "--worlds", "100000",
         "--html", str(page), "--lang", "en"],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + 30
    while not page.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=60)
    assert child.returncode == 130
    assert "Traceback" not in err
    assert "Interrupted" in err
    assert not page.exists()
