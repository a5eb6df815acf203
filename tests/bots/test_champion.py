"""``champion``: its playouts end in what a network foretells, compiled or not."""

from __future__ import annotations

import random

import pytest

from bots.tables import TABLES, dealt
from conftest import Size
from okey101.bots import make_bot
from okey101.bots.champion import ChampionBot, foretold_points
from okey101.bots.search import worth_trying
from okey101.game import Deal, Options, Phase, apply, is_legal, view_of
from okey101.game.actions import Action
from okey101.kernel.playouts import Playouts


class Quick(ChampionBot):
    """The bot with next to no budget."""

    worlds = 2


def played_on(table: str, number: int, actions: int) -> Deal:
    """A deal of four ``greedy`` after so many actions, or the last one before its end."""
    deal = dealt(TABLES[table], number)
    bot = make_bot("greedy")
    for _ in range(actions):
        view = view_of(deal, deal.turn)
        after = apply(deal, bot.choose(view, Options(view)))
        if after.over:
            break
        deal = after
    return deal


def outcome(world: Deal, action: Action, own: str, rounds: int) -> int:
    """What comes of a choice in a world, by the readable bots."""
    seat, turns = world.turn, world.public.turns
    until = turns + 1 + (rounds - 1) * world.rules.players
    bots = [make_bot(own if other == seat else "greedy") for other in range(world.rules.players)]
    deal = apply(world, action)
    while not deal.over:
        view = view_of(deal, deal.turn)
        options = Options(view)
        if deal.turn == seat and deal.phase is Phase.PLAY and deal.public.turns >= until:
            found = foretold_points(view, options)
            if found is not None:
                return found
            deal = apply(deal, make_bot("neural").choose(view, options))
        else:
            deal = apply(deal, bots[deal.turn].choose(view, options))
    assert deal.result is not None
    return deal.result.scores[seat]


@pytest.mark.parametrize("table", ["altinstar-4", "pagat-4", "wiki-4", "high"])
def test_a_playout_ends_in_what_the_network_foretells(table: str, size: Size) -> None:
    """As far as the readable bots and the readable network say, world by world."""
    rng = random.Random(table)
    for number in range(size(2, long=100)):
        deal = played_on(table, number, rng.randrange(size(20, long=60), 61))
        view = view_of(deal, deal.turn)
        options = Options(view)
        choices = worth_trying(view, options, make_bot("master").choose(view, options))
        choices = choices[: size(2, long=20)]
        rounds = rng.randint(1, 2)
        playouts = Playouts(view, "own", rounds=rounds)
        scores = playouts.scores(choices, 3, 0, size(1, long=5))
        for world, points in zip(playouts.deals(3, 0, scores.shape[1]), scores.T, strict=True):
            found = [outcome(world, action, "master", rounds) for action in choices]
            assert found == points.tolist()


def test_worlds_are_those_of_whole_playouts() -> None:
    deal = played_on("altinstar-4", 3, 30)
    view = view_of(deal, deal.turn)
    whole, short = Playouts(view, "own", steps=5), Playouts(view, "own", steps=5, rounds=2)
    assert whole.deals(4, 1, 3) == short.deals(4, 1, 3)


@pytest.mark.parametrize("table", ["altinstar-4", "pagat-teams", "wiki-3"])
def test_it_plays_at_any_table(table: str) -> None:
    deal = played_on(table, 1, 40)
    view = view_of(deal, deal.turn)
    assert is_legal(deal, Quick(1).choose(view, Options(view)))
