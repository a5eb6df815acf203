"""Typed code as the guides teach it passes ``mypy --strict``, and runs."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

GUIDE = Path(__file__).with_name("typed_guide.py")


def test_typed_code_of_the_guides_passes_mypy_and_runs() -> None:
    command = [sys.executable, "-m", "mypy", "--strict", str(GUIDE)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=GUIDE.parents[1])
    assert run.returncode == 0, run.stdout + run.stderr
    assert runpy.run_path(str(GUIDE))["done"].over
