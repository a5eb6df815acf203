"""Every command that the site and both front pages print: run, or asked of what would run it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from okey101.cli.app import app
from okey101.client import Client
from test_tutorials import free_port, listening

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    ROOT / "README.md",
    ROOT / "README.tr.md",
    *sorted(ROOT.glob("docs/en/**/*.md")),
    *sorted(ROOT.glob("docs/tr/**/*.md")),
    *sorted(ROOT.glob("benchmarks/*.md")),
]
RUN_ELSEWHERE = {
    "docs/en/tutorials": "tests/test_tutorials.py",
    "docs/en/bots.md": "tests/bots/test_bots_page.py",
    "docs/en/client.md": "tests/client/test_page.py",
    "docs/en/command-line.md": "tests/cli/test_documents.py",
    "docs/tr/command-line.md": "tests/cli/test_documents.py",
    "docs/en/arena.md": "tests/cli/test_arena_page.py",
}
"""Pages whose blocks of the kind ``console`` run in a test of their own."""
NOT_RUN = {
    "docker": "tests/deploy does the steps of image and service where there is no engine",
    "systemctl": "it would change this machine; tests/deploy rates the unit",
}
PROGRAMS = {"okey101", "pip", "pipx", "python", "python3", "uv", "uvx", "make", "sudo", *NOT_RUN}
SAMPLE = ROOT / "docs" / "en" / "tutorials" / "match.okey.json"


def printed(page: Path) -> Iterator[tuple[str, str]]:
    """The commands of a page, each with what it stands in: ``sh``, ``console`` or nothing."""
    kind = None
    for line in page.read_text("utf-8").split("\n"):
        if line.startswith("```"):
            kind = None if kind is not None else line[3:].strip()
        elif kind in ("sh", "console"):
            if kind == "sh" or line.startswith("$ "):
                yield kind, line.removeprefix("$ ")
        elif kind is None and line.startswith("    "):
            bare = re.sub(r"^(\$ )?((?:[A-Z]\w+=\S+ )*)", "", line.strip())
            program = bare.partition(" ")[0]
            if "=" not in program and Path(program).name in PROGRAMS:
                yield "", bare


def words_of(command: str) -> list[str]:
    """A command without comment, and without who and where it is run by."""
    words = shlex.split(command.replace("$(date +%F)", "today"), comments=True)
    if words[0] == "sudo":
        words = words[words.index("-u") + 2 :]
    return [words[0].rpartition("/")[2], *words[1:]]


ALL = [
    (page.relative_to(ROOT).as_posix(), kind, command)
    for page in PAGES
    for kind, command in printed(page)
]


def of_okey101(page: str) -> list[str]:
    return [command for where, _, command in ALL if where == page
            and words_of(command)[0] == "okey101"]  # fmt: skip


def understood(words: list[str]) -> None:
    """The command line reads these words: its commands, their options and their values."""
    command: click.Command = app
    context, rest = None, words
    while True:
        known = command.make_context(command.name, list(rest), parent=context)
        if not isinstance(command, click.Group):
            return
        context, rest = known, [*known._protected_args, *known.args]
        _, found, rest = command.resolve_command(context, rest)
        assert found is not None, words
        command = found


@pytest.mark.parametrize(("page", "kind", "command"), ALL)
def test_every_command_is_one(page: str, kind: str, command: str) -> None:
    by_test = [test for start, test in RUN_ELSEWHERE.items() if page.startswith(start)]
    if kind == "console" and by_test:
        assert (ROOT / by_test[0]).is_file()
        return
    name, *rest = words_of(command)
    if name == "." or name in NOT_RUN:
        return
    if name == "okey101":
        understood(rest)
    elif name == "make":
        targets = re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text("utf-8"), re.M)
        assert rest[0] in targets
    elif name in ("pip", "pipx", "uv", "uvx"):
        with (ROOT / "pyproject.toml").open("rb") as file:
            extras = tomllib.load(file)["project"]["optional-dependencies"]
        asked = ",".join(re.findall(r"\[([\w,]+)\]", command))
        assert set(filter(None, asked.split(","))) <= set(extras)
        if name == "uvx":
            understood(rest[rest.index("okey101") + 1 :])
    elif rest[:2] == ["-m", "venv"]:
        assert len(rest) == 3
    elif rest[0] == "-m":
        assert (ROOT / (rest[1].replace(".", "/") + ".py")).is_file()
    else:
        assert name in ("python", "python3")
        found = [path for path in (ROOT / rest[0], ROOT / "examples" / rest[0]) if path.is_file()]
        text = found[0].read_text("utf-8")
        for option in (word for word in rest if word.startswith("--")):
            assert f'"{option}"' in text, option


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
    """Served with a mirror, looked after, backed up, and put back from both; in folders here."""
    places = {"/var/lib/okey101": "data", "/backup/": "backup/", "/mnt/other/": "other/"}
    for name in ("backup", "other"):
        (tmp_path / name).mkdir()
    environ["OKEY101_DATA"] = str(tmp_path / "data")

    def here(command: str) -> str:
        command = re.sub(r"-(\d{4}-\d\d-\d\d|\$\(date \+%F\))", "-today", command)
        for place, name in places.items():
            command = command.replace(place, f"{tmp_path}/{name}")
        return command

    commands = [here(command) for command in of_okey101(f"docs/{language}/hosting.md")]
    (serve,) = (command for command in commands if "--mirror" in command)
    restores = [command for command in commands if " admin restore " in command]
    server = serving(serve, tmp_path, environ)
    try:
        told = json.loads((tmp_path / "data" / "server.json").read_text("utf-8"))
        asyncio.run(opened(told["url"]))
        for command in commands:
            if command not in restores and " serve" not in command:
                run(command, tmp_path, environ)
    finally:
        ended(server)
    assert len(restores) == 3
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
