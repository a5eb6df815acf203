"""Every command that the site and both front pages print is one, read by what would run it."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click

from lints.sources import ROOT, none
from okey101.cli.app import app

PAGES = [
    ROOT / "README.md",
    ROOT / "README.tr.md",
    *sorted(ROOT.glob("docs/en/**/*.md")),
    *sorted(ROOT.glob("docs/tr/**/*.md")),
    *sorted(ROOT.glob("benchmarks/*.md")),
]
NOT_RUN = {"docker", "systemctl"}
"""Steps of image and service, which tests/deploy does where there is no engine."""
RUN_ELSEWHERE = {
    "docs/en/tutorials": "tests/test_documents.py",
    "docs/en/bots.md": "tests/test_documents.py",
    "docs/en/client.md": "tests/client/test_page.py",
    "docs/en/command-line.md": "tests/cli/test_usage.py",
    "docs/tr/command-line.md": "tests/cli/test_usage.py",
    "docs/en/arena.md": "tests/cli/test_arena_command.py",
}
"""Pages whose blocks of the kind ``console`` run in a test of their own."""
PROGRAMS = {"okey101", "pip", "pipx", "python", "python3", "uv", "uvx", "make", "sudo", *NOT_RUN}


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


def is_one(command: str) -> None:
    """One command; AssertionError or what the command line raises, where it is none."""
    name, *rest = words_of(command)
    if name == "." or name in NOT_RUN:
        return
    if name == "okey101":
        understood(rest)
    elif name == "make":
        targets = re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text("utf-8"), re.M)
        assert rest[0] in targets, "no such target"
    elif name in ("pip", "pipx", "uv", "uvx"):
        with (ROOT / "pyproject.toml").open("rb") as file:
            extras = tomllib.load(file)["project"]["optional-dependencies"]
        asked = ",".join(re.findall(r"\[([\w,]+)\]", command))
        none(set(filter(None, asked.split(","))) - set(extras), "no such extra:")
        if name == "uvx":
            understood(rest[rest.index("okey101") + 1 :])
    elif rest[:2] == ["-m", "venv"]:
        assert len(rest) == 3, "one folder"
    elif rest[0] == "-m":
        assert (ROOT / (rest[1].replace(".", "/") + ".py")).is_file(), "no such module"
    else:
        assert name in ("python", "python3"), "no such program"
        found = [path for path in (ROOT / rest[0], ROOT / "examples" / rest[0]) if path.is_file()]
        assert found, "no such file"
        text = found[0].read_text("utf-8")
        none([word for word in rest if word[:2] == "--" and f'"{word}"' not in text], "no option")


def check_every_command_is_one() -> None:
    """Programs, commands, options, targets, extras and files that pages name are there."""
    wrong = []
    none([test for test in RUN_ELSEWHERE.values() if not (ROOT / test).is_file()])
    for page, kind, command in ALL:
        if kind == "console" and page.startswith(tuple(RUN_ELSEWHERE)):
            continue
        try:
            is_one(command)
        except (AssertionError, click.ClickException) as error:
            wrong.append(f"{page}: {command}: {error}")
    none(wrong)
