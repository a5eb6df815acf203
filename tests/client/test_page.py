"""The page about clients and the example: what they show runs, and every code has its sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from okey101.client import CLIENT_CODES
from okey101.i18n import LANGUAGES, load
from server.live import LiveServer

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "client.py"


def test_the_example_plays_a_match() -> None:
    assert EXAMPLE.read_text("utf-8").count("\n") <= 40
    with LiveServer() as server:
        ran = subprocess.run(
            [sys.executable, str(EXAMPLE), server.url],
            env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        server.assert_clean()
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("seat 0, place ")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", CLIENT_CODES)
def test_every_code_has_its_sentence(code: str, language: str) -> None:
    texts = load(language)
    needs = texts.variables(f"error-{code}")
    assert all(f"{{{name}}}" in CLIENT_CODES[code] for name in needs)
