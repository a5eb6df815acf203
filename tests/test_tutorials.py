"""The tutorials: what a reader saves is saved, and what a reader types runs, in a new folder."""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import Size

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "docs" / "en" / "tutorials").glob("*.md"))

SERVED = ("own-client", "server-at-home")
"""For the long form alone: the client's page and the host's have the like of their commands run."""
LESS = {
    "first-environment": {
        "OkeyVectorEnv(64,": "OkeyVectorEnv(4,",
        "range(200)": "range(20)",
        "range(10)": "range(2)",
    }
}
"""By page, what the short form does less of: as it is written, the kernel is slow."""


def steps(page: str) -> Iterator[tuple[str, str]]:
    """Files to save, as (name, text), and commands, as ("", command), from top to bottom."""
    blocks = re.compile(r"(?P<before>[^\n]*)\n\n```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.M | re.S)
    for block in blocks.finditer(page):
        saved = re.search(r"[Ss]ave (?:this|it) as `([\w.]+)`:$", block["before"])
        if saved:
            yield saved[1], block["text"]
        elif block["kind"] == "console":
            for command in re.findall(r"^\$ (.*)$", block["text"], re.MULTILINE):
                yield "", command


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


def listening(address: str, server: subprocess.Popen[str]) -> None:
    for _ in range(600):
        assert server.poll() is None, server.communicate()
        try:
            urllib.request.urlopen(f"{address}/readyz", timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError("the server does not answer")


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=page.stem, marks=[pytest.mark.long] if page.stem in SERVED else ())
        for page in PAGES
    ],
)
def test_what_a_reader_does(page: Path, tmp_path: Path, size: Size) -> None:
    port = free_port()
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, words in (("python", ""), ("okey101", "-m okey101")):
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n', "utf-8")
        program.chmod(0o755)
    for beside in page.parent.glob("*.json"):
        (tmp_path / beside.name).write_bytes(beside.read_bytes())
    environ = os.environ | {
        "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{tmp_path}",
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        # Nobody looks on.
        "OKEY101_BOT_DELAY_MS": "0",
        "OKEY101_DEALING_S": "0",
        "OKEY101_FIRST_DEAL_WAIT_S": "1",
    }
    text = page.read_text("utf-8").replace("8101", str(port))
    text = text.replace("0.0.0.0", "127.0.0.1")
    for full, less in LESS.get(page.stem, {}).items():
        assert text.count(full) == 1, full
        text = text.replace(full, (less, full)[size(0, long=1)])
    running: list[subprocess.Popen[str]] = []
    done = 0
    try:
        for name, step in steps(text):
            done += 1
            if name:
                (tmp_path / name).write_text(step, "utf-8")
                continue
            typed = shlex.split(step.removesuffix("&"))
            if step.endswith("&"):
                running.append(
                    subprocess.Popen(
                        typed, cwd=tmp_path, env=environ, text=True,
                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                    )
                )  # fmt: skip
                listening(f"http://127.0.0.1:{port}", running[-1])
                continue
            run = subprocess.run(
                typed, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False
            )
            assert run.returncode == 0, f"{step}\n{run.stdout}{run.stderr}"
    finally:
        for process in running:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)
    assert done, "a tutorial without anything to do"
