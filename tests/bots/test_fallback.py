"""What clock and fallback play: legal, the end of the turn, and by what the seat sees alone."""

from __future__ import annotations

import random

import pytest

from bots.tables import TABLES, dealt
from game.hidden import other_deal, replayed
from okey101.bots import make_bot
from okey101.bots.fallback import fallback_action
from okey101.errors import IllegalAction
from okey101.game import Deal, Discard, Options, Pass, apply, determinize, view_of


def states_of(table: str, number: int) -> list[Deal]:
    """A deal in which bots of all kinds and the fallback take turns, before each action."""
    rng = random.Random(f"{table} {number}")
    deal = dealt(TABLES[table], number)
    states: list[Deal] = []
    while not deal.over:
        states.append(deal)
        view = view_of(deal, deal.turn)
        name = rng.choice(("greedy", "random", "greedy", ""))
        action = make_bot(name, number).choose(view, Options(view)) if name else None
        deal = apply(deal, action or fallback_action(view))
    return states


@pytest.mark.parametrize("table", TABLES)
def test_it_ends_the_turn_by_legal_actions(table: str) -> None:
    for deal in states_of(table, 1):
        seat, count = deal.turn, 0
        while True:
            action = fallback_action(view_of(deal, seat))
            assert action in deal.legal_actions()
            deal = apply(deal, action, seat)
            count += 1
            if isinstance(action, Discard | Pass):
                break
        assert count < 60


@pytest.mark.parametrize("table", ["altinstar-4", "pagat-3", "wiki-teams", "pairs-apart"])
def test_hidden_tiles_change_nothing(table: str) -> None:
    states = states_of(table, 2)
    rng = random.Random(table)
    compared = 0
    for length in rng.sample(range(1, len(states) + 1), min(12, len(states))):
        seen = states[:length]
        seat = seen[-1].turn
        view = view_of(seen[-1], seat)
        action = fallback_action(view)
        assert fallback_action(view_of(determinize(view, rng), seat)) == action
        try:
            other = replayed(other_deal(seen, seat, rng), seen)[-1]
        except IllegalAction:
            continue  # another seat could not have done there what it did
        assert fallback_action(view_of(other, seat)) == action
        compared += 1
    assert compared > 2
