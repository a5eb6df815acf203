"""The commands of docs/en/arena.md run."""

from __future__ import annotations

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
    assert len(commands) == 7
    for command in commands:
        ran = run(*shlex.split(command))
        assert ran.code == 0, ran.err
    assert {path.name for path in tmp_path.iterdir()} == {
        "kept.jsonl", "report.html", "deals.jsonl.gz", "deals.jsonl.gz.summary.json",
    }  # fmt: skip
