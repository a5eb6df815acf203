"""The options of ``okey101 play``, turned into the settings of a match."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from okey101.cli.failures import Failure
from okey101.cli.play import PlaySettings
from okey101.cli.play.command import Wishes, settings_of
from okey101.game import RuleSet
from okey101.game.dealing import seed_of
from okey101.i18n import load

from .conftest import Run


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[PlaySettings]:
    """What the match was called with, which is not played."""
    found: list[PlaySettings] = []

    def note(settings: PlaySettings) -> int:
        found.append(settings)
        return 0

    monkeypatch.setattr("okey101.cli.play.command.run", note)
    return found


def test_the_defaults(run: Run, asked: list[PlaySettings]) -> None:
    assert run("play").code == 0
    assert asked == [PlaySettings()]


def test_all_options(run: Run, asked: list[PlaySettings]) -> None:
    line = (
        "play --rules pagat --set open_points=91 --players 3 --deals 5 --bots greedy,random"
        " --seed tavla --lang tr --record m.okey.json --resume --name Ayşe"
    )
    assert run(*line.split()).code == 0
    assert asked == [
        PlaySettings(
            rules=RuleSet.preset("pagat").with_(open_points=91, players=3),
            deals=5,
            bots=("greedy", "random"),
            seed=hashlib.sha256(b"tavla").digest(),
            lang="tr",
            record=Path("m.okey.json"),
            name="Ayşe",
            resume=True,
        )
    ]


def test_teams_and_colours(
    run: Run, asked: list[PlaySettings], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    run("play", "--teams", "--new")
    assert asked == [PlaySettings(rules=RuleSet(teams=True), color=True)]


def test_a_seed_is_64_digits_or_any_text() -> None:
    assert seed_of("0F" * 32) == bytes([15]) * 32
    assert seed_of("g" * 64) == hashlib.sha256(b"g" * 64).digest()
    assert seed_of("ş") == hashlib.sha256("ş".encode()).digest()


@pytest.mark.parametrize(
    ("wishes", "code"),
    [
        (Wishes(rules="nope"), "unknown-preset"),
        (Wishes(teams=True, players=2), "teams-need-four"),
        (Wishes(bots="a,b"), "bad-bots"),
        (Wishes(bots="greedy,exec:true,greedy"), "bot-unloadable"),
        (Wishes(settings=("rising",)), "bad-setting"),
    ],
)
def test_wishes_that_can_not_be_met(wishes: Wishes, code: str) -> None:
    for language in ("tr", "en"):
        with pytest.raises(Failure) as caught:
            settings_of(wishes, load(language), colour=False)
        assert (caught.value.exit_code, caught.value.code) == (2, code)


def test_play_has_no_json(run: Run) -> None:
    ran = run("play", "--json")
    assert (ran.code, ran.error["code"]) == (2, "no-such-option")


OWN = """
from okey101.bots.greedy import GreedyBot

class Broken(GreedyBot):
    name = "broken"

    def choose(self, view, options):
        raise ZeroDivisionError

"""


def test_bots_of_ones_own(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_bots_of_a_test.py").write_text(OWN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    bot = "broken_bots_of_a_test:Broken"
    file = str(tmp_path / "m.okey.json")
    started = ("play", "--record", file, "--players", "2", "--seed", "x")
    ran = run(*started, "--bots", bot, stdin=b"auto 1\nauto 8\nquit\n")
    assert ran.code == 0, ran.err
    assert "no legal action" in ran.err
    assert f"--bots {bot}" in ran.out
    again = run("play", "--record", file, "--resume", stdin=b"quit\n")
    assert again.code == 2, "a file can't have code of others run"
    assert bot in again.err
    allowed = run("play", "--record", file, "--resume", "--bots", bot, stdin=b"quit\n")
    assert allowed.code == 0, allowed.err
