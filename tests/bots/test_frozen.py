"""The frozen bots play as they did when they were frozen: tables of strength stand on them."""

from __future__ import annotations

import json

import pytest

from bots.frozen import DEALS, FILE, FROZEN, digest, played
from conftest import Size
from okey101.bots import BOTS
from okey101.game import PRESETS

KEPT: dict[str, dict[str, list[str]]] = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", FROZEN)
def test_a_frozen_bot_plays_as_ever(name: str, preset: str, size: Size) -> None:
    """Where this fails the bot has changed: it gets a new version, and all tables anew."""
    bot = FROZEN[name]
    assert BOTS[bot].mark.replace("/", "-") == name
    hashes = " ".join(KEPT[name][preset]).split()
    assert len(hashes) == DEALS
    for number in range(0, DEALS, DEALS // size(4, long=DEALS)):
        assert digest(played(bot, PRESETS[preset], number)) == hashes[number]
