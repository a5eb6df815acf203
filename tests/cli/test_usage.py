"""Help, wrong usage, failures and the version: in both languages, as text and as objects."""

import importlib
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import click
import pytest

import okey101
from conftest import Patch, ran_python
from okey101.cli.admin import admin
from okey101.cli.app import app
from okey101.cli.extras import BROUGHT
from okey101.client import calls
from okey101.i18n import LANGUAGES, Texts, load

from .conftest import SRC, Run, surroundings

COMMANDS = [
    "play", "serve", "solve", "outs", "replay", "verify", "audit", "review", "strength", "puzzle",
    "daily", "profile", "friends", "families", "ladder", "rules", "bots", "client-check", "arena",
    "evaluate", "simulate", "stats", "bench", "doctor", "warm", "version", "admin", "store",
]  # fmt: skip
ADMIN = [
    "status", "tables", "close", "kick", "users", "ban", "unban", "mute", "unmute", "settle",
    "appoint", "dismiss", "reset-password", "export", "erase", "backup", "restore", "check",
    "journal", "reports", "ladder", "strength", "bots", "revoke-bot", "remove-bot",
]  # fmt: skip


def test_the_commands_are_those_of_the_design() -> None:
    assert list(app.commands) == COMMANDS
    assert list(admin.commands) == ADMIN


@pytest.mark.parametrize("command", [*COMMANDS, *(f"admin {name}" for name in ADMIN)])
def test_help_of_each_command(run: Run, command: str, texts: Texts, language: str) -> None:
    ran = run(*command.split(), "--help", "--lang", language)
    assert (ran.code, ran.err) == (0, "")
    said = " ".join(ran.out.split())
    assert said.startswith(f"{texts('help-usage')}: okey101 {command} ")
    assert texts(f"cli-{command.replace(' ', '-')}").split("\n")[0].split(".")[0] in said
    assert texts("opt-help") in said
    assert all(len(line) <= 100 for line in ran.out.splitlines())


def test_help_lists_the_commands(run: Run, language: str) -> None:
    for group, names in (((), COMMANDS), (("admin",), ADMIN)):
        out = run(*group, "--help", "--lang", language).out
        assert {*names} <= {*re.findall(r"^  (\S+) +\S", out, re.MULTILINE)}
    other = load("en" if language == "tr" else "tr")
    assert f"{other('help-usage')}: " not in out


def test_every_option_has_its_help_in_turkish(run: Run) -> None:
    english = [load("en")(key) for key in load("en").keys() if key.startswith("opt-")]  # noqa: SIM118
    for command in COMMANDS:
        out = " ".join(run(command, "--help", "--lang", "tr").out.split())
        assert not [text for text in english if text in out]


def test_the_environment_picks_the_language(run: Run, monkeypatch: Patch) -> None:
    monkeypatch.setenv("OKEY101_LANG", "tr")
    assert run("--help").out.startswith("Kullanım: ")
    assert run("--help", "--lang", "en").out.startswith("Usage: ")
    assert run("--help", "--lang=en").out.startswith("Usage: ")
    assert "than the command takes: R8 R9" in run("solve", "R7", "R8", "R9", "--lang=en").err
    monkeypatch.delenv("OKEY101_LANG")
    monkeypatch.setenv("LANG", "tr_TR.UTF-8")
    assert "açmadı" in load("tr")("opened", opened="no", points=0)
    assert run("solve").err.startswith("okey101: RACK eksik.")


WRONG = {
    "no-command": "; --lang tr; admin",
    "no-such-command": "dance; admin dance",
    "missing-parameter": "solve; replay; admin kick t; arena",
    "missing-value": "solve R7 --okey",
    "bad-option": (
        "solve R7 --json=yes; play --new=yes; bench --seconds nan; solve deal;x --okey B6; "
        "outs deal;x --okey B6; replay deal;x --until 1; review deal;x --deal 1; "
        "review deal;x --html x; puzzle 1 --theme pairs; puzzle 1 --rules wiki; "
        "play --resume --deals 3; play --resume --rules wiki; play --resume --teams; "
        "daily verify http://127.0.0.1:1 --over week; daily play http://127.0.0.1:1 --deal 1; "
        "daily challenge http://127.0.0.1:1 --from 1; daily http://127.0.0.1:1 --bot greedy"
    ),
    "no-such-option": "solve R7 --dance",
    "extra-argument": "solve R7 R8 --okey B6; rules pagat wiki",
    "bad-choice": "solve R7 --okey B6 --for fun; --show-completion cmd; rules --lang de",
    "bad-parameter": (
        "solve R7 --okey B6 --best 0; solve R7 --okey B6 --best many; admin ban x --days 0; "
        'admin status --data " "; admin kick t 4; serve --data ""; serve --store " "; '
        'admin backup ""; admin restore ""; store copy a ""; store copy " " a; '
        "admin status --data ~no.body/x; admin backup ~no.body; admin restore ~no.body; "
        "store copy a ~no.body/x; store copy ~no.body a; serve --store ~no.body; "
        "play --deals 0; play --players 5; bench --seconds 0; arena greedy random --deals 1"
    ),
    "bad-date": "admin ban x --until 2001-01-01; admin ban x --until soon",
    "bad-day": "daily http://127.0.0.1:1 x; daily verify http://127.0.0.1:1 2026-1-1",
    "two-ends": "admin ban x --until 2040-01-01 --days 2",
    "bad-address": (
        "daily http://a..b; ladder http://[::1; profile http://127.0.0.1:port; "
        "friends http://127.0.0.1:1/ü; families 127.0.0.1; audit http://127.0.0.1:65536; "
        "admin tables --url 127.0.0.1; admin tables --url file:///etc/passwd; "
        "admin tables --url http://[::1; admin tables --url http://127.0.0.1:port"
    ),
    "missing-okey": 'solve "R7 R8 R9"',
    "unknown-preset": "rules nope; play --rules nope",
    "unknown-field": "rules --set colour=red",
    "bad-value": (
        "rules --set open_points=high; rules --set open_points=10; rules --set rising=2; "
        "rules --set starter=me; rules --set open_points=--5"
    ),
    "teams-need-four": "rules --set teams=true --set players=3; play --teams --players 2",
    "bad-setting": "rules --set rising; rules --set =3; play --set rising",
    "bad-bots": "play --bots a,b",
    "bot-unloadable": (
        "play --bots greedy,exec:true,greedy; arena greedy no_such_module_here:Bot; "
        "arena exec:true greedy"
    ),
    "arena-bots": "arena greedy",
    "unknown-bot": "arena greedy deep-blue",
    "seed-range": "arena greedy random --seed 2000000",
    "release-fixed": "arena greedy random --release x --deals 5",
    "gate-duel": "arena greedy random --league --gate",
}
"""Wrong command lines by the code of their error."""
CASES = [(shlex.split(words), code) for code, lines in WRONG.items() for words in lines.split("; ")]


@pytest.mark.parametrize("text", ["", "ü", "one\ntwo"])
def test_what_can_not_be_a_token_is_none(run: Run, tmp_path: Path, text: str) -> None:
    (file := tmp_path / "token").write_text(text, "utf-8")
    ran = run("profile", "http://127.0.0.1:1", "--token-file", str(file), "--json")
    assert (ran.refusal, ran.error["path"]) == ((1, "no-token"), str(file))


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (f"solve {'Q' * 3000} --okey B6", (3, "bad-tile")),
        (f"replay {'q' * 3000}", (1, "file-failed")),
        (f"simulate random --deals 1 --out {'n' * 300}.jsonl", (1, "file-failed")),
        (f"arena random greedy --deals 2 --html {'n' * 300}.html", (1, "file-failed")),
        ("profile http://127.0.0.1:1 --token-file /dev/zero", (1, "no-token")),
        ("audit http://127.0.0.1:1 --memory /dev/zero", (2, "bad-audit-file")),
        ("daily http://ç.invalid", (4, "no-server")),
        ("daily http://127.0.0.1:1", (4, "no-server")),
        ("daily verify http://127.0.0.1:1", (4, "no-server")),
        ("friends http://127.0.0.1:1", (4, "no-server")),
        ("ladder http://127.0.0.1:1", (4, "no-server")),
    ],
    ids=lambda told: str(told)[:40],
)
def test_what_is_too_long_has_no_end_no_ascii_or_no_server_is_refused(
    run: Run, words: str, refusal: tuple[int, str], monkeypatch: Patch
) -> None:
    monkeypatch.setattr(calls, "_PAUSE_S", 0)
    assert run(*words.split(), "--json").refusal == refusal


@pytest.mark.parametrize(("arguments", "code"), CASES)
def test_wrong_usage(run: Run, arguments: list[str], code: str) -> None:
    assert run("--json", *arguments).refusal == (2, code)
    for language in () if "--lang" in arguments else LANGUAGES:
        text = run(*arguments, "--lang", language)
        assert (text.code, text.out) == (2, "")
        assert text.err.startswith("okey101: ")
        assert "Traceback" not in text.err
        assert (f"{load(language)('help-usage')}: okey101" in text.err) == (code == "no-command")


def test_the_object_of_wrong_usage_names_what_is_wrong(run: Run) -> None:
    error = run("rules", "--lang", "de", "--json").error
    assert (error["parameter"], error["choices"]) == ("--lang", "tr, en")
    assert run("dance", "--json").error["command"] == "dance"
    assert run("solve", "R7", "--dance", "--json").error["option"] == "--dance"
    assert run("solve", "--json", "R7", "--okey").error["option"] == "--okey"
    assert run("admin", "kick", "t", "x", "--json").error["parameter"] == "SEAT"
    assert run("puzzle", "x", "--json").error["parameter"] == "NUMBER"
    assert run("rules", "wiki", "a", "b", "--json").error["argument"] == "a b"
    assert run("serve", "--data", "", "--json").error["wanted"] == "folder"


@pytest.mark.parametrize(
    "line", ["--dance", "dance", "solve R7 --okey", "admin ban", "admin check --json=x"]
)
def test_wrong_usage_says_whose_help_tells_more(run: Run, line: str) -> None:
    command = " ".join(["okey101", *re.findall("^(?:solve|admin \\w+)", line)])
    assert run(*line.split(), "--lang", "en").err.endswith(f"\nSee {command} --help.\n")


def test_nothing_is_read_from_english_sentences(run: Run, monkeypatch: Patch) -> None:
    """Whatever Click says of an error, the codes and their details stay the same."""
    before = [run("--json", *arguments).error for arguments, _ in CASES]
    monkeypatch.setattr(click.UsageError, "format_message", lambda _: "?")
    for module in ("core", "exceptions", "formatting", "parser", "types"):
        found = importlib.import_module(f"click.{module}")
        for name in ("_", "gettext"):
            if hasattr(found, name):
                monkeypatch.setattr(found, name, lambda _: "?")
        if hasattr(found, "ngettext"):
            monkeypatch.setattr(found, "ngettext", lambda *_: "?")
    assert [run("--json", *arguments).error for arguments, _ in CASES] == before
    out = run("solve", "--help").out
    assert out.startswith("Usage: okey101 solve")
    assert "?" not in out


RANGES = [
    (["play", "--players", "5"], ("2", "4")),
    (["play", "--deals", "many"], ("1", "1000")),
    (["bench", "--seconds", "0"], ("0.01", "3600")),
    (["replay", "x", "--until", "-1"], ("0",)),
    (["serve", "--port", "70000"], ("0", "65535")),
]


@pytest.mark.parametrize(("arguments", "bounds"), RANGES)
def test_a_number_out_of_its_range_is_told_the_range(
    run: Run, arguments: list[str], bounds: tuple[str, ...]
) -> None:
    error = run("--json", *arguments).error
    assert tuple(error[name] for name in ("low", "high") if name in error) == bounds
    for language in LANGUAGES:
        words = run(*arguments, "--lang", language).err.splitlines()[0].rstrip(".").split()
        assert [word for word in words if word in bounds] == [*bounds]


def test_json_before_the_command(run: Run) -> None:
    assert run("--json", "rules").out == run("rules", "--json").out
    assert run("solve", "--", "--json").code == 2
    assert run("--json", "play").refusal == (2, "no-such-option")


def test_an_unforeseen_error_is_one_line(run: Run, monkeypatch: Patch) -> None:
    broken = mock.Mock(side_effect=ZeroDivisionError("oh\nno"))
    monkeypatch.setattr("okey101.cli.bots.show_bots", broken)
    assert run("bots", "--json").refusal == (1, "internal-error")
    text = run("bots", "--lang", "tr")
    assert (text.code, text.out) == (1, "")
    assert len(text.err.splitlines()) == 1
    assert "ZeroDivisionError: oh" in text.err
    monkeypatch.setenv("OKEY101_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        run("bots")


def test_an_interruption(run: Run, monkeypatch: Patch) -> None:
    monkeypatch.setattr("okey101.cli.bots.show_bots", mock.Mock(side_effect=KeyboardInterrupt))
    assert (run("bots").code, run("bots").err) == (130, "okey101: Interrupted.\n")
    assert run("bots", "--json").refusal == (130, "interrupted")


def test_terminals_get_no_control_characters(run: Run) -> None:
    assert "\x1b" not in run("solve", "\x1b[2J", "--okey", "B6").err
    assert "\x1b" not in run("replay", "\x1b[2J").err


NEARLY = {
    "solve": "solv R7", "--okey": "solve R7 --oky B6", "pagat": "play --rules paget",
    "steady": "play --bots stedy", "open_points": "rules --set open_point=51",
    "B6": "solve R7 --okey 6B", "points": "solve R7 --for pionts",
    "greedy": "review x --policy gredy", "bash": "--show-completion bsh",
    "dealer": "rules --set starter=deler",
}  # fmt: skip


@pytest.mark.parametrize("meant", NEARLY)
def test_a_name_that_is_nearly_right_is_asked_for(run: Run, meant: str, language: str) -> None:
    told = run(*NEARLY[meant].split(), "--lang", language).err
    asked = {"en": "Did you mean {}?", "tr": "Şunu mu demek istediniz: {}?"}[language]
    assert asked.format(meant) in told


# The version: quick, and the same by every way ----------------------------------------------------


@pytest.mark.parametrize("arguments", ["version", "--version", "version --lang tr"])
def test_the_version_by_every_way(run: Run, monkeypatch: Patch, arguments: str) -> None:
    words = arguments.split()
    for _ in ("quick", "long"):
        ran = run(*words)
        assert (ran.code, ran.out, ran.err) == (0, f"okey101 {okey101.__version__}\n", "")
        for told in (run(*words, "--json"), run("--json", *words)):
            assert (told.code, told.json["version"]) == (0, okey101.__version__)
            assert list(told.json) == ["ok", "version", "python"]
        monkeypatch.setattr("okey101.cli._VERSION", ())


def test_imports_nothing_that_takes_time() -> None:
    slow = {"click", "pydantic", "rich", "fluent", "dataclasses", "okey101.tiles", "okey101.i18n"}
    assert not slow & loaded("from okey101.cli import main; main(['version', '--json'])")


def loaded(code: str) -> set[str]:
    """The modules that are there once something has run: ours, and the others' packages."""
    done = ran_python(
        "-c", f"{code}; import sys; print(*sys.modules)", env={"PYTHONPATH": str(SRC)}
    )
    modules = done.stdout.splitlines()[-1].split()
    return {m if m.startswith("okey101") else m.partition(".")[0] for m in modules}


def test_asking_a_server_loads_none_of_the_server() -> None:
    """Only ``serve`` needs the settings, whose reader takes longer than the question."""
    code = "import okey101.cli.admin.server, okey101.cli.admin.files"
    assert not BROUGHT["server"] & loaded(code)


DOCS = SRC.parent / "docs"


def sessions() -> Iterator[tuple[str, str, str]]:
    """Every command on the pages with the output that stands below it."""
    for page in sorted(DOCS.glob("*/command-line.md")):
        for block in re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
            for part in block.split("$ ")[1:]:
                command, _, output = part.partition("\n")
                yield page.parent.name, command, output


@pytest.mark.parametrize(("page", "command", "output"), list(sessions()))
def test_session(page: str, command: str, output: str) -> None:
    program = f'"{sys.executable}" -m okey101 '
    shell = re.sub(r"(?:^|(?<=\| ))okey101 ", lambda _: program, command)
    done = subprocess.run(shell, shell=True, capture_output=True, env=surroundings(), check=False)
    assert done.stdout.decode() + done.stderr.decode() == output


def test_there_are_sessions_in_both_languages() -> None:
    assert {page for page, _, _ in sessions()} == {"tr", "en"}
