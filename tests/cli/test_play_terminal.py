"""Whole matches at a real terminal, and what happens when it goes away."""

import os
import re
import signal
from pathlib import Path
from typing import Any

import pexpect
import pytest

from cli.playing import play
from conftest import only_long
from okey101.cli.play.command_words import COMMANDS, Verb
from okey101.cli.play.main import PlaySettings
from okey101.cli.play.moves import read_command
from okey101.cli.play.saved import read_saved
from okey101.game import PRESETS, Record, replay
from okey101.i18n import load

from .conftest import PYTHON, surroundings

PHASES = ("draw", "must-draw", "last-discard", "last-indicator", "play")


def played(*words: str, **how: Any) -> "pexpect.spawn[str]":
    arguments = [*PYTHON[1:], "play", "--bots", "greedy", *words]
    env = surroundings(TERM="dumb", PYTHONUTF8="1")
    return pexpect.spawn(PYTHON[0], arguments, env=env, encoding="utf-8", timeout=20, **how)


class Terminal:
    def __init__(
        self, file: Path, lang: str, preset: str, deals: int = 3, *, resume: bool = False
    ) -> None:
        self.lang = lang
        self.said = ""
        prompts = {re.escape(load(lang)("play-prompt", phase=phase)) for phase in PHASES}
        question = re.escape(load(lang)("play-yes-no"))
        self._prompt = re.compile(f"(?:^|\n)(?:{'|'.join(prompts)}) > $")
        self._question = re.compile(f"{question} > $")
        new = ["--rules", preset, "--deals", str(deals), "--seed", "terminal-0"]
        words = ["--record", str(file), "--lang", lang, *(["--resume"] if resume else new)]
        self.child = played(*words, echo=False, dimensions=(50, 1000))
        self.child.delaybeforesend = None

    def wait(self) -> str:
        """Read to the next prompt: ``prompt``, ``question``, or ``end``."""
        found = self.child.expect([self._prompt, self._question, pexpect.EOF])
        self.said += self.child.before or ""
        if isinstance(self.child.after, str):
            self.said += self.child.after
        return ("prompt", "question", "end")[found]

    def send(self, line: str) -> None:
        self.said += f"{line}\n"
        self.child.sendline(line)

    def interrupt(self) -> None:
        """Press Ctrl-C, again if need be, and read to the end.

        Python looks for signals before it waits for a line: one that comes in that very moment is
        heard with the next key alone. A person never is that quick after the prompt; a test is.
        """
        for _ in range(5):
            self.child.sendintr()
            found = self.child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=5)
            if found == 0:
                break
        assert found == 0
        self.said += self.child.before or ""

    def end(self) -> int:
        self.child.close()
        assert self.child.exitstatus is not None, self.said[-2000:]
        return int(self.child.exitstatus)

    def hint(self) -> str:
        self.send("h")
        assert self.wait() == "prompt"
        return str(re.findall(r"^(?:Hint|İpucu): (.*?)\. ", self.said, re.MULTILINE)[-1])


@pytest.mark.parametrize(
    ("preset", "lang"),
    [
        ("altinstar", "tr"),
        ("pagat", "en"),
        *only_long(["altinstar", "en"], ["pagat", "tr"], ["wiki", "tr"], ["wiki", "en"]),
    ],
)
def test_a_whole_match(preset: str, lang: str, tmp_path: Path) -> None:
    """Three deals, in notation, in short commands and with ``auto`` by turns."""
    file = tmp_path / "match.okey.json"
    terminal = Terminal(file, lang, preset)
    typed: set[str] = set()
    turn = 0
    state = terminal.wait()
    while state != "end":
        if state == "question":
            terminal.send("e" if lang == "tr" else "y")
        elif turn % 3 == 2:
            terminal.send("oto" if lang == "tr" else "auto")
        else:
            command = read_command(terminal.hint(), lang)
            words = (COMMANDS[command.verb][lang][0], command.verb.value)
            typed.add(words[turn % 3])
            terminal.send(f"{words[turn % 3]} {command.rest}".strip())
        turn += 1
        state = terminal.wait()
    assert terminal.end() == 0
    texts = load(lang)
    assert texts("play-end-match") in terminal.said
    short = {COMMANDS[verb][lang][0] for verb in (Verb.DRAW, Verb.DISCARD)}
    assert {"draw", "discard"} | short <= typed
    assert "\x1b" not in terminal.said
    told = replay(Record.read(file))
    assert sum(deal.result is not None and deal.result.counts for deal in told.deals) == 3
    assert terminal.said.count(texts("text-sheet-heading")) == len(told.deals)
    for refused in (texts("error-unknown-command", word="")[-12:], texts("play-not-done")):
        assert refused not in terminal.said


def test_ctrl_c_saves_and_says_so(tmp_path: Path) -> None:
    file = tmp_path / "m.json"
    terminal = Terminal(file, "en", "altinstar")
    terminal.wait()
    terminal.send("auto 3")
    terminal.wait()
    terminal.interrupt()
    assert terminal.end() == 130
    assert "The match is saved in" in terminal.said
    assert f"okey101 play --resume --record {file}" in terminal.said
    assert read_saved(file).running is not None


def test_end_of_input_saves_and_leaves(tmp_path: Path) -> None:
    terminal = Terminal((tmp_path / "m.json"), "tr", "wiki")
    terminal.wait()
    terminal.child.sendeof()
    assert terminal.wait() == "end"
    assert terminal.end() == 0
    assert "Maç kaydedildi" in terminal.said


@pytest.mark.parametrize("preset", ["wiki", *only_long("altinstar", "pagat")])
def test_kill_9_in_the_middle_of_a_turn_loses_nothing(preset: str, tmp_path: Path) -> None:
    file, whole = tmp_path / "killed.json", tmp_path / "whole.json"
    settings = PlaySettings(
        rules=PRESETS[preset], deals=1, bots=("greedy",), seed=b"terminal-0", record=whole
    )
    play(settings, "auto 9999")
    terminal = Terminal(file, "en", preset, 1)
    kills = 0
    while terminal.wait() != "end":
        terminal.send("auto 2" if kills < 3 else "auto 9999")
        if kills < 3:
            assert terminal.wait() == "prompt"
            before = Record.read(file)
            assert terminal.child.pid is not None
            os.kill(terminal.child.pid, signal.SIGKILL)
            terminal.child.wait()
            kills += 1
            assert Record.read(file) == before
            terminal = Terminal(file, "en", preset, 1, resume=True)
    assert terminal.end() == 0
    assert [d.actions for d in Record.read(file).deals] == [
        d.actions for d in Record.read(whole).deals
    ]


def test_the_command_itself() -> None:
    child = played("--deals", "1", "--lang", "en", "--seed", "x")
    for question in (r"red\s+7", "adviser"):
        child.expect(question)
        child.expect("n: no.+ > ")
        child.sendline("n")
    child.expect("Your [a-z, ]+ > ")
    child.sendline("quit")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
