"""The bot that plays its choices out: it knows its view alone, and is the same everywhere."""

from __future__ import annotations

import contextlib
import random

import pytest

from bots.tables import TABLES, dealt
from conftest import Size
from game.hidden import other_deal, replayed
from okey101.bots.search import SearchBot, better_choices
from okey101.bots.steady import SteadyBot
from okey101.errors import IllegalAction
from okey101.game import Deal, Options, apply, determinize, is_legal, view_of
from okey101.game.actions import Back, Discard
from okey101.kernel.playouts import Playouts


class Quick(SearchBot):
    """The bot with next to no budget."""

    worlds = 2


def played(table: str, number: int) -> list[Deal]:
    """The states of a deal that steady and chance play."""
    rng = random.Random(f"{table} {number}")
    states = [dealt(TABLES[table], number)]
    while True:
        deal = states[-1]
        options = Options(view_of(deal, deal.turn))
        action = SteadyBot(number).choose(options.view, options)
        if isinstance(action, Discard) and rng.random() < 0.3:
            action = rng.choice([a for a in options.actions() if not isinstance(a, Back)])
        deal = apply(deal, action)
        if deal.over:
            return states
        states.append(deal)


@pytest.mark.parametrize("table", ["altinstar-4", "pagat-teams", "wiki-3"])
def test_T2_the_choice_depends_on_the_view_alone(table: str, size: Size) -> None:
    """Late positions in the short form: there is less to play out."""
    compared = 0
    for number in range(size(1, long=10)):
        states = played(table, number)
        rng = random.Random(number)
        most = len(states)
        for length in rng.sample(range(most - size(12, long=most - 1), most + 1), size(2, long=12)):
            seen = states[:length]
            seat = seen[-1].turn
            view = view_of(seen[-1], seat)
            choice = Quick(3).choose(view, Options(view))
            assert is_legal(seen[-1], choice)
            others = [determinize(view, rng)]
            with contextlib.suppress(IllegalAction):  # another seat may not have been able to
                others.append(replayed(other_deal(seen, seat, rng), seen)[-1])
            for other in others:
                again = view_of(other, seat)
                assert Quick(3).choose(again, Options(again)) == choice
                compared += other.hands != seen[-1].hands
    assert compared


def test_a_world_is_the_same_by_its_number_alone() -> None:
    deal = played("altinstar-4", 1)[-6]
    view = view_of(deal, deal.turn)
    options = Options(view)
    choices = better_choices(view, options, SteadyBot().choose(view, options))[:2]
    both = Playouts(view).scores(choices, 7, 0, 3)
    assert both.shape == (len(choices), 3)
    assert (Playouts(view).scores(choices[-1:], 7, 1, 2) == both[-1:, 1:]).all()
