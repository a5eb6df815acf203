"""Bots that play their choices out: by their view alone, the same everywhere."""

from __future__ import annotations

import asyncio
import json
import random
import threading
from typing import ClassVar

import pytest

from bots.tables import TABLES, dealt
from conftest import Size, raises_code, ran_python, unwrap
from okey101.bots import bot_of, make_bot
from okey101.bots.champion import ChampionBot
from okey101.bots.neural import Network, NeuralBot, NeuralInputs
from okey101.bots.search import SearchBot, better_choices, worth_trying
from okey101.bots.steady import SteadyBot
from okey101.game import Action, Back, Deal, Discard, Options, Phase, View, apply, view_of
from okey101.kernel import warming
from okey101.kernel.plans import R_HURRY
from okey101.kernel.playouts import Playouts
from okey101.kernel.solver import tables
from okey101.sim.oracle import TimedSearch
from okey101.weights.neural import NET, values_of


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


WRITTEN = {
    ("altinstar-4", 2, 5): "lay B8 > 7 [[11, 7, 11, 11], [23, 11, 23, 23], [19, 7, 19, 19]]",
    ("altinstar-4", 3, 5): "draw [[-101, -101, 1, 1], [-101, -101, 1, 1]]",
    ("pagat-teams", 1, 5): "meld Y2 B2 K2 [[204, 81, 204, 204], [205, 82, 203, 205], "
    "[205, 82, 203, 205]]",
    ("wiki-3", 2, 7): "draw [[-51, -51, 52, 56], [-51, -51, 52, 56]]",
    ("riziko-3", 1, 5): "discard B1 [[13, 4, 15, 13], [8, -101, 9, 2], [7, -101, 9, 2]]",
    ("riziko-3", 1, 7): "discard K6 [[12, 12, -101, 9], [13, 13, -101, 9], [16, 16, -101, 12]]",
}
"""What the compiled bot chose: table, deal, place from its end."""


@pytest.mark.parametrize("position", WRITTEN, ids=str)
def test_it_chooses_alike_compiled_or_not(position: tuple[str, int, int]) -> None:
    """The short tests run the kernel as plain Python, the long ones compiled."""
    table, number, back = position
    deal = played(table, number)[-back]
    view = view_of(deal, deal.turn)
    options = Options(view)
    base = make_bot("master").choose(view, options)
    choices = worth_trying(view, options, base)
    scores = Playouts(view, "own", steps=30).scores(choices[:3], 9, 0, 4)
    found = f"{Quick(5).choose(view, options)} {scores.tolist()}"
    assert found == WRITTEN[position]


def test_the_budget_is_spent_where_choices_are_close() -> None:
    class Counting(Quick):
        worlds = 8
        rounds: ClassVar[list[int]] = []

        def _more(self, played: int) -> int:
            self.rounds.append(played)
            return min(4, self.worlds - played)

    deal = played("altinstar-4", 1)[-8]
    view = view_of(deal, deal.turn)
    assert Counting(3).choose(view, Options(view)) in Options(view).actions()
    assert Counting.rounds[0] == 0
    assert Counting.rounds[-1] <= Counting.worlds


def test_a_search_by_the_clock_that_has_no_time_plays_as_master() -> None:
    class Hasty(TimedSearch):
        milliseconds = 0

    deal = played("altinstar-4", 1)[-6]
    view = view_of(deal, deal.turn)
    master = make_bot("master").choose(view, Options(view))
    assert Hasty(3).choose(view, Options(view)) == master
    assert not TimedSearch.replayable


def test_its_searches_do_not_hurry_those_of_others() -> None:
    deal = played("altinstar-4", 1)[-6]
    view = view_of(deal, deal.turn)
    Playouts(view, steps=3).scores([None], 1, 0, 1)
    assert tables()[1][R_HURRY] == 0


def test_a_world_is_the_same_by_its_number_alone() -> None:
    deal = played("altinstar-4", 1)[-6]
    view = view_of(deal, deal.turn)
    options = Options(view)
    choices = better_choices(view, options, SteadyBot().choose(view, options))[:2]
    both = Playouts(view).scores(choices, 7, 0, 3)
    assert both.shape == (len(choices), 3)
    assert (Playouts(view).scores(choices[-1:], 7, 1, 2) == both[-1:, 1:]).all()


def test_without_the_extra_the_arena_says_which() -> None:
    program = (
        "import sys; sys.modules['numba'] = None\n"
        "from okey101.cli import main; sys.exit(main(['arena', 'search', 'greedy', '--json']))"
    )
    error = json.loads(ran_python("-c", program, ends=2).stdout)["error"]
    assert (error["code"], error["extra"]) == ("missing-extra", "sim")


def test_it_is_not_made_on_an_event_loop_that_would_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warming, "_done", threading.Event())

    async def make() -> None:
        bot_of("search", 1)

    with raises_code("kernel-cold"):
        asyncio.run(make())


# champion: playouts end in what a network foretells, compiled or not ------------------------------


class QuickChampion(ChampionBot):
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


def foretold_points(view: View, options: Options) -> int | None:
    """What the seat to act will have in the end, as the network foretells it; None for no choice.

    Of what it may do, what ``greedy`` would lay down and the discard that costs ``master`` least
    are looked at. Its fines so far are counted.
    """
    inputs = NeuralBot().weighed(view, options)
    if not isinstance(inputs, NeuralInputs):
        return None
    public, found = view.public, values_of(view.public.rules)
    most = 1 if isinstance(inputs.choices[0].action, Discard) else 2
    opened = public.opened[public.turn] is not None
    net, begin = Network(found[NET * opened : NET * (opened + 1)]), found[opened - 2]
    costs = net.costs(inputs.position, (choice.inputs for choice in inputs.choices[:most]))
    fines = sum(fine.points for fine in public.fines if fine.seat == public.turn)
    return begin + (min(costs) + (1 << 19) >> 20) + fines


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
    return unwrap(deal.result).scores[seat]


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
    assert QuickChampion(1).choose(view, Options(view)) in deal.legal_actions()
