"""The registry: names, seeds and errors."""

from __future__ import annotations

import pytest

from okey101.bots import BOTS, EXPERT, SEARCHERS, Bot, make_bot
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
