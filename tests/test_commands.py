"""Every command that the site and both front pages print: run, or asked of what would run it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lints.commands import ALL, words_of
from okey101.client import Client
from test_tutorials import free_port, listening

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "docs" / "en" / "tutorials" / "match.okey.json"


def of_okey101(page: str) -> list[str]:
    return [command for where, _, command in ALL if where == page
            and words_of(command)[0] == "okey101"]  # fmt: skip


def run(command: str, folder: Path, environ: dict[str, str]) -> str:
    ran = subprocess.run(
        [sys.executable, "-m", "okey101", *words_of(command)[1:]],
        cwd=folder, env=environ, input="quit\n", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, f"{command}\n{ran.stdout}{ran.stderr}"
    return ran.stdout


def serving(command: str, folder: Path, environ: dict[str, str]) -> subprocess.Popen[str]:
    """A server that answers; whoever asked for it ends it."""
    words, port = words_of(command.replace("0.0.0.0", "127.0.0.1")), free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", *words], cwd=folder, env=environ | {"OKEY101_PORT": str(port)},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    listening(f"http://127.0.0.1:{port}", process)
    return process


def ended(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGTERM)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 0, said


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """Folders of its own for whatever is kept."""
    own = {name: str(tmp_path / name) for name in ("XDG_STATE_HOME", "XDG_DATA_HOME")}
    return os.environ | own | {"PYTHONPATH": str(ROOT / "src"), "OKEY101_LANG": "en"}


@pytest.mark.parametrize(
    "page", ["README.md", pytest.param("README.tr.md", marks=pytest.mark.long)]
)
def test_the_commands_of_the_front_pages_run(
    page: str, tmp_path: Path, environ: dict[str, str]
) -> None:
    shutil.copy(SAMPLE, tmp_path)
    commands = of_okey101(page)
    assert len(commands) == 9
    for command in commands:
        if words_of(command)[1] == "serve":
            ended(serving(command, tmp_path, environ))
        else:
            assert run(command, tmp_path, environ)


async def opened(url: str) -> None:
    """A table, so that there is something to keep."""
    await (await Client.as_guest(url, "A guest")).create()


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.long), "tr"])
def test_a_host_s_commands_run(language: str, tmp_path: Path, environ: dict[str, str]) -> None:
    """Served, looked after, backed up, and put back; in folders here."""
    places = {"/var/lib/okey101": "data", "/backup/": "backup/"}
    (tmp_path / "backup").mkdir()
    environ["OKEY101_DATA"] = str(tmp_path / "data")

    def here(command: str) -> str:
        command = re.sub(r"-(\d{4}-\d\d-\d\d|\$\(date \+%F\))", "-today", command)
        for place, name in places.items():
            command = command.replace(place, f"{tmp_path}/{name}")
        return command

    commands = [here(command) for command in of_okey101(f"docs/{language}/hosting.md")]
    restores = [command for command in commands if " admin restore " in command]
    server = serving("okey101 serve", tmp_path, environ)
    try:
        told = json.loads((tmp_path / "data" / "server.json").read_text("utf-8"))
        asyncio.run(opened(told["url"]))
        for command in commands:
            if command not in restores and " serve" not in command:
                run(command, tmp_path, environ)
    finally:
        ended(server)
    assert len(restores) == 1
    for command in restores:
        run(command, tmp_path, environ)


LONG = sorted(
    {
        re.sub(r"--deals \d+", "--deals 2", command).replace(" --compiled", "")
        for page, kind, command in ALL
        if kind == "" and command.startswith(("okey101 arena", "okey101 simulate"))
    }
)
"""What takes minutes to hours, with two deals in place of thousands, by readable bots."""


@pytest.mark.long
@pytest.mark.parametrize("command", LONG)
def test_what_takes_long_runs_with_two_deals(
    command: str, tmp_path: Path, environ: dict[str, str]
) -> None:
    assert run(command.replace(" --ray FIRST:6379", ""), tmp_path, environ)
