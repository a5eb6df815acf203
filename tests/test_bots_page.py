"""The page about bots: its code is a bot, and its commands run."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "en" / "bots.md").read_text("utf-8")


def test_the_code_and_the_commands_of_the_page(tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (code,) = (block for block in blocks if "class Careful" in block)
    (tmp_path / "mybot.py").write_text(code, encoding="utf-8")
    for beside in (ROOT / "examples" / "bots").iterdir():
        (tmp_path / beside.name).write_bytes(beside.read_bytes())
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    environ = os.environ | {
        "PYTHONPATH": str(ROOT / "src"),
        "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}",
    }
    commands = re.findall(r"^\$ okey101 (.*)$", PAGE, re.MULTILINE)
    assert len(commands) == 6
    for command in commands:
        if "first_bot" in command and "arena" not in command:
            continue  # tests/bots/test_process_bot.py checks the examples
        done = subprocess.run(
            [sys.executable, "-m", "okey101", *shlex.split(command)],
            cwd=tmp_path,
            env=environ,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
