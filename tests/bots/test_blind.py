"""T2: a bot sees its view and its options, and nothing that is hidden."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest

import okey101.bots
from bots.tables import TABLES, dealt
from conftest import Size, every_other
from game.hidden import other_deal, replayed
from okey101.bots import BOTS, make_bot
from okey101.errors import IllegalAction
from okey101.game import Deal, Options, apply, determinize, view_of

_FILES = sorted(Path(okey101.bots.__file__).parent.glob("*.py"))
_HIDDEN = {"Deal", "Layout", "determinize", "view_of", "options_of", "apply", "judge"}


@pytest.mark.parametrize("path", _FILES, ids=lambda p: p.stem)
def test_no_bot_names_what_holds_hidden_tiles(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom | ast.Import)
        for alias in node.names
    }
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert not imported & _HIDDEN
    assert not attributes & {"dealt", "hands", "stock"}


@pytest.mark.parametrize("name", BOTS)
def test_no_bot_uses_the_global_generator(name: str) -> None:
    state = random.getstate()
    deal = dealt(TABLES["altinstar-4"], 1)
    bots = [make_bot(name, seat) for seat in range(4)]
    for _ in range(30):
        if deal.over:
            break
        view = view_of(deal, deal.turn)
        deal = apply(deal, bots[deal.turn].choose(view, Options(view)))
    assert random.getstate() == state


@pytest.mark.parametrize(("name", "table"), every_other(BOTS, ["altinstar-4", "pagat-3", "wiki-4"]))
def test_deals_that_differ_in_hidden_tiles_get_equal_choices(
    name: str, table: str, size: Size
) -> None:
    rules = TABLES[table]
    compared = differing = 0
    for number in range(size(2, long=4)):
        states = _states(dealt(rules, number), name)
        rng = random.Random(number)
        for length in rng.sample(range(1, len(states) + 1), 8):
            seen = states[:length]
            seat = seen[-1].turn
            bot = make_bot(name, seat)
            choice = bot.choose(view_of(seen[-1], seat), Options(view_of(seen[-1], seat)))
            world = determinize(view_of(seen[-1], seat), rng)
            again = view_of(world, seat)
            assert bot.choose(again, Options(again)) == choice
            try:
                other = replayed(other_deal(seen, seat, rng), seen)[-1]
            except IllegalAction:
                continue  # another seat could not have done there what it did
            again = view_of(other, seat)
            assert bot.choose(again, Options(again)) == choice
            compared += 1
            differing += other.hands != seen[-1].hands
    assert compared >= differing > 5


def _states(deal: Deal, name: str) -> list[Deal]:
    bots = [make_bot(name, seat) for seat in range(deal.rules.players)]
    states = [deal]
    while True:
        view = view_of(deal, deal.turn)
        deal = apply(deal, bots[deal.turn].choose(view, Options(view)))
        if deal.over:
            return states
        states.append(deal)
