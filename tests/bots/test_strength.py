"""Bots play whole deals under every rule set: legal, as strong as said, as they were."""

import json
import random

import pytest

from bots.frozen import DEALS, FILE, FROZEN, digest, played
from bots.tables import TABLES, dealt, play
from conftest import Size, every_other, only_long, unwrap
from okey101.bots import BOTS, make_bot
from okey101.game import PRESETS, Deal, Options, View, record_of, replay
from okey101.game.actions import Action, Back, Discard, Meld
from okey101.sim.arena import duplicate


def test_greedy_beats_random(preset: str) -> None:
    found = duplicate(PRESETS[preset], "random", "greedy", deals=4, seed=4)
    assert found.estimate.mean > 30


@pytest.mark.parametrize("preset", ["wiki", *only_long("altinstar")])
def test_steady_beats_greedy(preset: str, size: Size) -> None:
    found = duplicate(PRESETS[preset], "steady", "greedy", deals=size(10, long=400), seed=101)
    assert found.estimate.mean < 0
    assert found.unchanged < 0.8


# The frozen bots: tables of strength stand on them ------------------------------------------------

KEPT: dict[str, dict[str, list[str]]] = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", FROZEN)
def test_a_frozen_bot_plays_as_ever(name: str, preset: str, size: Size) -> None:
    """Where this fails the bot has changed: it gets a new version, and all tables anew."""
    bot = FROZEN[name]
    assert BOTS[bot].mark.replace("/", "-") == name
    hashes = " ".join(KEPT[name][preset]).split()
    assert len(hashes) == DEALS
    for number in range(0, DEALS, DEALS // size(4, long=DEALS)):
        assert digest(played(bot, PRESETS[preset], number)) == hashes[number]


THINKING = ("greedy", "steady")


def watch(_deal: Deal, _view: View, options: Options, action: Action) -> None:
    """Who thinks takes nothing back, and pays P1 and P2 only where every discard costs one."""
    assert not isinstance(action, Back)
    if isinstance(action, Discard):
        costs = {d.tile: d.points for d in options.discards}
        assert costs[action.tile] == min(costs.values())


@pytest.mark.parametrize(("name", "table"), every_other(BOTS, TABLES))
def test_a_bot_plays_whole_deals_by_itself(name: str, table: str, size: Size) -> None:
    rules, thinks = TABLES[table], name in THINKING
    for number in range(size(1, long=60)):
        start = dealt(rules, number)
        deal = play(start, [name] * rules.players, number, watch if thinks else None)
        short = {f.rule for f in unwrap(deal.result).fines} - {"P1", "P2", "P5", "U7", "X4"}
        assert not (thinks and short)


@pytest.mark.parametrize("table", TABLES)
def test_bots_of_all_kinds_play_together_and_the_record_replays(table: str, size: Size) -> None:
    rules = TABLES[table]
    for number in range(size(1, long=100)):
        rng = random.Random(number)
        names = rng.choices(list(BOTS), k=rules.players)
        deal = play(dealt(rules, 1_000 + number), names, number)
        assert replay(record_of(rules, [deal])).deals[0] == deal


@pytest.mark.parametrize(
    ("name", "table"), every_other(BOTS, ["altinstar-4", "pagat-beyond", "wiki-teams"])
)
def test_a_bot_keeps_nothing_between_choices(name: str, table: str, size: Size) -> None:
    rules = TABLES[table]

    def again(_deal: Deal, view: View, _options: Options, action: Action) -> None:
        fresh = make_bot(name, 5 + (view.seat or 0))
        assert fresh.choose(view, Options(view)) == action

    for number in range(size(1, long=2)):
        first = play(dealt(rules, number), [name] * rules.players, 5, again)
        assert play(dealt(rules, number), [name] * rules.players, 5) == first


def test_greedy_opens_at_once_when_it_can() -> None:
    missed = 0

    def opens(_deal: Deal, _view: View, options: Options, action: Action) -> None:
        nonlocal missed
        missed += options.can_open and not isinstance(action, Meld)

    for number in range(20):
        play(dealt(PRESETS["altinstar"], number), ["greedy"] * 4, number, opens)
    assert not missed
