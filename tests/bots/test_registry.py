"""Bots by their names: ours, those of packages, classes and programs of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from okey101.bots import BOTS, EXPERT, SEARCHERS, Bot, bot_info, bot_of, make_bot
from okey101.bots.greedy import GreedyBot
from okey101.bots.registry import info_of, installed, is_foreign, runs_code
from okey101.errors import OkeyError


def test_the_bots_there_are() -> None:
    assert list(BOTS) == ["random", "novice", "greedy", "steady", "master", "neural"]
    assert list(SEARCHERS) == ["search", "champion"]
    assert EXPERT in SEARCHERS
    for name, info in SEARCHERS.items():
        assert (info.name, info.description) == (name, f"bot-{name}")


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_has_the_name_it_is_known_by(name: str) -> None:
    bot = make_bot(name, 3)
    assert isinstance(bot, Bot)
    assert bot.name == name == BOTS[name].name
    assert BOTS[name].description == f"bot-{name}"


def test_an_unknown_bot_is_refused_with_the_known_ones() -> None:
    with pytest.raises(OkeyError, match="random, novice, greedy, steady, master, neural") as caught:
        make_bot("deep-blue")
    assert caught.value.code == "unknown-bot"
    assert caught.value.details["name"] == "deep-blue"


# Words that name bots -----------------------------------------------------------------------------


OWN = """
from okey101.bots.greedy import GreedyBot

class Careful(GreedyBot):
    name = "careful"
    version = 3

class Nameless(GreedyBot):
    name = "two words"

class Versions(GreedyBot):
    version = "one"

nothing = 7
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in with a module of bots, which nothing else imports."""
    (tmp_path / "own_bots_of_a_test.py").write_text(OWN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    bot_info.cache_clear()
    return tmp_path


def refused(spec: str) -> OkeyError:
    with pytest.raises(OkeyError) as caught:
        bot_info(spec)
    assert caught.value.details["name"] == spec
    return caught.value


def test_our_own_bots_are_known_by_their_names() -> None:
    for name, info in {**BOTS, **SEARCHERS}.items():
        assert bot_info(name) is info
        assert info.replayable
        assert not is_foreign(name)
    assert refused("deep-blue").code == "unknown-bot"


def test_a_class_in_the_current_folder(folder: Path) -> None:
    info = bot_info("own_bots_of_a_test:Careful")
    assert (info.mark, info.replayable) == ("careful/3", False)
    bot = bot_of("own_bots_of_a_test:Careful", 5)
    assert bot.name == "careful"
    assert runs_code("own_bots_of_a_test:Careful")
    with pytest.raises(ImportError):
        __import__("no_such_module_here")


@pytest.mark.parametrize(
    "spec",
    [
        "no_such_module_here:Bot",
        "own_bots_of_a_test:Missing",
        "own_bots_of_a_test:nothing",
        "own_bots_of_a_test:Nameless",
        "own_bots_of_a_test:Versions",
        ":",
        "exec:",
        "exec:no-such-program-here --fast",
        "exec:'",
    ],
)
def test_what_is_no_bot_is_refused(folder: Path, spec: str) -> None:
    assert refused(spec).code == "bot-unloadable"


def test_bots_of_installed_packages(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = folder / "theirs-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text(
        "[okey101.bots]\nhasty = own_bots_of_a_test:Careful\ngreedy = own_bots_of_a_test:Careful\n"
        "broken = no_such_module_here:Bot\n"
    )
    monkeypatch.syspath_prepend(folder)
    assert list(installed()) == ["broken", "hasty"]
    assert bot_info("hasty").mark == "hasty/3"
    assert bot_info("greedy").factory is GreedyBot
    assert refused("broken").code == "bot-unloadable"
    assert "hasty" in refused("unheard").message
    bot_info.cache_clear()


def test_a_factory_says_who_it_is() -> None:
    class Mine(GreedyBot):
        name = "mine"
        version = 2
        replayable = True

    assert info_of(Mine)[:2] == ("mine", 2)
    assert info_of(Mine).replayable
    with pytest.raises(OkeyError) as caught:
        info_of(7)
    assert caught.value.code == "bot-unloadable"


def test_programs_are_named_by_their_command() -> None:
    info = bot_info("exec:node bots/first.js --fast")
    assert info.mark == "node-bots-first.js---fast/1"
    assert not info.replayable
