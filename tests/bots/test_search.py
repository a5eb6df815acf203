"""The bot that plays its choices out: it knows its view alone, and is the same everywhere."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import subprocess
import sys
import threading
from typing import ClassVar

import pytest

from bots.tables import TABLES, dealt
from conftest import Size
from game.hidden import other_deal, replayed
from okey101.bots import bot_of, make_bot
from okey101.bots.search import SearchBot, better_choices, worth_trying
from okey101.bots.steady import SteadyBot
from okey101.errors import IllegalAction, OkeyError
from okey101.game import Deal, Options, apply, determinize, is_legal, view_of
from okey101.game.actions import Back, Discard
from okey101.kernel import warming
from okey101.kernel.plan_room import R_HURRY
from okey101.kernel.playouts import Playouts
from okey101.kernel.tables import tables
from okey101.sim.timed_search import TimedSearch


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
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2
    error = json.loads(ran.stdout)["error"]
    assert (error["code"], error["extra"]) == ("missing-extra", "sim")


def test_it_is_not_made_on_an_event_loop_that_would_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warming, "_done", threading.Event())

    async def make() -> None:
        bot_of("search", 1)

    with pytest.raises(OkeyError) as error:
        asyncio.run(make())
    assert error.value.code == "kernel-cold"
