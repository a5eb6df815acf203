"""The command as a process: pipes, signals, colours, completion, and what it is called by."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from socket import create_server

import pexpect
import pytest

from conftest import missing, ran
from okey101.i18n import load

from .conftest import PYTHON, Run, started, surroundings

ENVIRON = surroundings()


@pytest.mark.parametrize("command", ["rules --lang tr", "solve -", "--help"])
def test_a_reader_that_leaves_early_is_no_error(command: str) -> None:
    with started(*command.split(), PYTHONUNBUFFERED="") as (process, stdin, stdout, stderr):
        stdout.close()
        with suppress(BrokenPipeError):
            stdin.write(b"B6: R7 R8 R9\n" * 5000)
            stdin.close()
        assert stderr.read() == b""
        assert process.wait(30) in (0, 1)


@pytest.mark.parametrize("command", ["version", "rules"])
def test_a_full_disk_is_told_in_a_line(command: str) -> None:
    if not Path("/dev/full").exists():
        missing("NO /dev/full HERE: what a command says on a full disk was not tried")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*PYTHON, command], stdout=full, stderr=subprocess.PIPE, env=ENVIRON, check=False
        )
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams(closed: str) -> None:
    """An answer that is lost is a failure, as on a full disk; one that says nothing is not."""
    for command in ("solve -", "rules"):
        shell = f'"{sys.executable}" -m okey101 {command} {closed}'
        done = subprocess.run(
            shell, shell=True, env=ENVIRON, capture_output=True, input=b"", check=False
        )
        lost = command == "rules" and " >&- " in f" {closed} "
        assert done.returncode == lost, shell
        assert len(done.stderr.splitlines()) == (lost and "2>&-" not in closed)


@pytest.mark.parametrize("command", ["ladder", "audit"])
def test_ctrl_c_ends_with_130_while_a_server_says_nothing(command: str) -> None:
    with create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(30)
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with started(command, url) as (process, _, _, stderr):
            near, _ = silent.accept()
            with near:
                near.recv(65_536)
                process.send_signal(signal.SIGINT)
                assert process.wait(60) == 130
            assert stderr.read() == b"okey101: Interrupted.\n"


def test_ctrl_c_ends_with_130() -> None:
    with started("solve", "-") as (process, stdin, stdout, stderr):
        stdin.write(b"B6: R7\n")
        stdin.flush()
        assert stdout.readline().startswith(b'{"ok": true')
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert stderr.read() == b"okey101: Interrupted.\n"


def test_colours_only_where_they_are_wanted(run: Run) -> None:
    solve = ("solve", "R7 R8 R9 K1 *", "--okey", "B6")
    assert "\x1b" not in run(*solve).out
    assert "\x1b[31mR7\x1b[0m" in run(*solve, FORCE_COLOR="1").out
    assert "\x1b" not in run(*solve, FORCE_COLOR="1", NO_COLOR="1").out
    assert "\x1b" not in run(*solve, FORCE_COLOR="0").out
    assert "\x1b" not in run(*solve, "--json", FORCE_COLOR="1").out


def test_colours_on_a_terminal() -> None:
    arguments = [*PYTHON[1:], "solve", "R7 R8 R9", "--okey", "B6"]
    for environ, coloured in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
        child: pexpect.spawn[bytes] = pexpect.spawn(
            sys.executable, arguments, env=ENVIRON | {"TERM": "xterm"} | environ
        )
        child.expect(pexpect.EOF)
        out = child.before
        assert isinstance(out, bytes)
        assert child.wait() == 0
        assert (b"\x1b[31m" in out) == coloured


def test_letters_the_terminal_lacks_are_no_failure(spawn: Run) -> None:
    ran = spawn("rules", "--lang", "tr", PYTHONIOENCODING="ascii")
    assert (ran.code, ran.err) == (0, "")
    ran = spawn("bots", "--lang", "tr", "--json", PYTHONIOENCODING="ascii")
    assert "?" not in ran.json["bots"][0]["description"]


def test_arguments_that_are_not_text() -> None:
    with started("replay", os.fsdecode(b"\xff.json"), "--json") as (process, *_):
        out, _ = process.communicate()
    assert process.returncode == 1
    assert b'"file-not-found"' in out


def test_completion_of_commands(run: Run) -> None:
    for typed, at, proposed in (
        ("so", "1", ["solve"]), ("solve --m", "2", ["--must"]),
        ("admin b", "2", ["ban", "backup", "bots"]),
    ):  # fmt: skip
        where = {"COMP_WORDS": f"okey101 {typed}", "COMP_CWORD": at}
        ran = run(_OKEY101_COMPLETE="bash_complete", **where)
        assert ran.out.split() == [f"plain,{word}" for word in proposed]


def test_completion_tells_what_words_mean_in_the_language(run: Run) -> None:
    how = {"_OKEY101_COMPLETE": "zsh_complete", "OKEY101_LANG": "tr"}
    assert "Sürümü yazar" in run(**how, COMP_WORDS="okey101 ver", COMP_CWORD="1").out
    ran = run(**how, COMP_WORDS="okey101 outs --l", COMP_CWORD="2")
    assert ran.out.splitlines()[1:] == ["--lang", load("tr")("opt-lang")]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_completion_scripts(run: Run, shell: str) -> None:
    ran = run("--show-completion", shell)
    assert (ran.code, ran.err) == (0, "")
    assert "okey101" in ran.out
    assert f"{shell}_complete" in ran.out


def test_a_shell_completes_by_the_script(spawn: Run, tmp_path: Path) -> None:
    script = tmp_path / "complete.bash"
    script.write_text(
        spawn("--show-completion", "bash").out
        + "COMP_WORDS=(okey101 ou)\nCOMP_CWORD=1\n_okey101_completion okey101\n"
        + 'echo "${COMPREPLY[@]}"\n'
    )
    program = tmp_path / "okey101"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m okey101 "$@"\n')
    program.chmod(0o755)
    done = ran("bash", script, env=ENVIRON | {"PATH": f"{tmp_path}:{os.environ['PATH']}"})
    assert (done.stdout, done.stderr) == ("outs\n", "")
