"""The commands of docs/en/arena.md run."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from .conftest import SRC, Run

PAGE = (SRC.parent / "docs" / "en" / "arena.md").read_text("utf-8")


def test_the_commands_of_the_page(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^\$ okey101 (.*)$", PAGE, re.MULTILINE)
    assert len(commands) == 6
    for command in commands:
        ran = run(*shlex.split(command))
        assert ran.code == 0, ran.err
    assert {path.name for path in tmp_path.iterdir()} == {
        "kept.jsonl", "report.html", "deals.jsonl.gz", "deals.jsonl.gz.summary.json",
    }  # fmt: skip


def test_the_same_numbers_compiled(run: Run, tmp_path: Path) -> None:
    """With bots whose choices take little where nothing is compiled."""
    arena = ("arena", "random", "random", "--set", "players=2", "--deals", "2", "--json")
    plain, compiled = json.loads(run(*arena).out), json.loads(run(*arena, "--compiled").out)
    for answer in (plain, compiled):
        del answer["times"]
    assert plain.pop("manifest")["kernel"] is None
    manifest = compiled.pop("manifest")
    assert re.fullmatch("[0-9a-f]{64}", manifest["kernel"])
    assert manifest["command"].endswith("--compiled")
    assert plain == compiled
    files = [tmp_path / "plain.jsonl", tmp_path / "compiled.jsonl"]
    for file, more in zip(files, ((), ("--compiled",)), strict=True):
        data = ("simulate", "random", "--set", "players=2", "--deals", "1", "--out", str(file))
        assert run(*data, *more).code == 0
    assert files[0].read_bytes() == files[1].read_bytes()
