"""The sessions on the pages about the command line are what the command line prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from .conftest import SRC

DOCS = SRC.parent / "docs"


def sessions() -> Iterator[tuple[str, str, str]]:
    """Every command on the pages with the output that stands below it."""
    for page in sorted(DOCS.glob("*/command-line.md")):
        for block in re.findall(
            r"```console\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL
        ):
            for part in block.split("$ ")[1:]:
                command, _, output = part.partition("\n")
                yield page.parent.name, command, output


@pytest.mark.parametrize(("page", "command", "output"), list(sessions()))
def test_session(page: str, command: str, output: str) -> None:
    program = f'"{sys.executable}" -m okey101 '
    done = subprocess.run(
        re.sub(r"(?:^|(?<=\| ))okey101 ", lambda _: program, command),
        shell=True,
        capture_output=True,
        env=os.environ | {"PYTHONPATH": str(SRC), "PYTHONIOENCODING": "utf-8"},
        check=False,
    )
    assert done.stdout.decode() + done.stderr.decode() == output


def test_there_are_sessions_in_both_languages() -> None:
    assert {page for page, _, _ in sessions()} == {"tr", "en"}
