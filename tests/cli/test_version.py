"""``okey101 version``: quick, and the same by every way."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import okey101
from okey101.cli.extras import BROUGHT

from .conftest import Run

SRC = Path(__file__).resolve().parents[2] / "src"


@pytest.mark.parametrize("arguments", [["version"], ["--version"], ["version", "--lang", "tr"]])
def test_text(run: Run, arguments: list[str]) -> None:
    ran = run(*arguments)
    assert (ran.code, ran.out, ran.err) == (0, f"okey101 {okey101.__version__}\n", "")


@pytest.mark.parametrize(
    "arguments",
    [["version", "--json"], ["--json", "version"], ["--version", "--json"]],
)
def test_json(run: Run, arguments: list[str]) -> None:
    ran = run(*arguments)
    assert ran.code == 0
    assert ran.json["version"] == okey101.__version__
    assert list(ran.json) == ["ok", "version", "python"]


@pytest.mark.parametrize(
    "arguments", ["version", "version --json", "--version", "--version --json"]
)
def test_the_long_way_says_the_same(
    run: Run, monkeypatch: pytest.MonkeyPatch, arguments: str
) -> None:
    words = arguments.split()
    quick = run(*words), run(*reversed(words))
    monkeypatch.setattr("okey101.cli._VERSION", ())
    assert (run(*words), run(*reversed(words))) == quick


def test_imports_nothing_that_takes_time() -> None:
    code = (
        "import sys, json; from okey101.cli import main; before = main(['version', '--json']);"
        "print(json.dumps([m for m in sys.modules]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(SRC)},
    )
    modules = json.loads(done.stdout.splitlines()[1])
    slow = {"click", "pydantic", "rich", "fluent", "dataclasses", "okey101.tiles", "okey101.i18n"}
    assert not slow & {m if m.startswith("okey101") else m.partition(".")[0] for m in modules}


def test_asking_a_server_loads_none_of_the_server() -> None:
    """Only ``serve`` needs the settings, whose reader takes longer than the question."""
    code = (
        "import sys, json, okey101.cli.admin.work, okey101.cli.admin.files;"
        "print(json.dumps([m.partition('.')[0] for m in sys.modules]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={"PYTHONPATH": str(SRC)},
    )  # fmt: skip
    assert not BROUGHT["server"] & set(json.loads(done.stdout))
