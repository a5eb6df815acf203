"""Positions to solve: each that is shipped is sound, and its answer comes out again."""

import json

import pytest

from conftest import only_long, raises_code
from okey101.bots import make_bot
from okey101.errors import NotationError
from okey101.game import PRESETS, Options, position_of
from okey101.game.actions import Action, parse_action
from okey101.game.legality import rule_on
from okey101.review import analyse
from okey101.review.balance import Spread
from okey101.review.puzzles import ASKED, FILE, FORMAT, THEMES, Puzzle, puzzle, puzzles_about
from okey101.review.strength import REFERENCE
from okey101.tiles import OKEY, Rack

EVERY = puzzles_about()
TENTHS = pytest.mark.parametrize("tenth", [0, *only_long(*range(1, 10))])


def tenth_of_all(tenth: int) -> list[Puzzle]:
    return [puzzle(number) for number in EVERY[tenth::10]]


@TENTHS
def test_each_position_asks_a_seat_for_its_choice(tenth: int) -> None:
    for one in tenth_of_all(tenth):
        assert one.view.to_act, one.number
        assert position_of(one.view) == one.position
        tiles = one.hand.replace(" /", "")
        assert Rack.parse(tiles, okey=OKEY).bits == one.view.hand


@TENTHS
def test_each_answer_is_legal_and_well_ahead(tenth: int) -> None:
    for one in tenth_of_all(tenth):
        for action in (one.best, *one.costs):
            ruled = rule_on(one.view.public, one.view.hand or 0, parse_action(action))
            assert isinstance(ruled.action, Action), one.number
        assert one.best not in one.costs
        assert one.played in one.costs
        assert min(cost.low for cost in one.costs.values()) >= 3
        put_down = one.best.startswith(one.played.partition(">")[0])
        assert one.why.code != "keep" or not put_down, one.number


def test_they_are_many_and_of_every_kind() -> None:
    head, *every = map(json.loads, FILE.read_text("utf-8").splitlines())
    assert (head["format"], head["reference"]) == (FORMAT, REFERENCE.mark)
    assert len({one["position"] for one in every}) == len(every) == len(EVERY)
    found = {theme: puzzles_about(theme) for theme in THEMES}
    assert sorted(number for numbers in found.values() for number in numbers) == EVERY
    under = {preset: puzzles_about(rules=preset) for preset in PRESETS}
    assert sorted(number for numbers in under.values() for number in numbers) == EVERY
    for preset, numbers in under.items():
        assert len(numbers) >= 100
        assert puzzle(numbers[-1]).view.public.rules == PRESETS[preset]


@pytest.mark.long
@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_answer_comes_out_again(number: int) -> None:
    one = puzzle(number)
    found = analyse(one.view, 600, seed=7, also=list(one.costs))
    assert str(found.best) == one.best


@pytest.mark.parametrize("number", [1, 2, 3])
def test_it_says_how_many_bots_find_the_answer(number: int) -> None:
    one, options = puzzle(number), Options(puzzle(number).view)
    found = [str(make_bot(name).choose(one.view, options)) for name in ASKED]
    assert found.count(one.best) == one.found


def test_an_answer_has_its_cost() -> None:
    one = puzzle(1)
    assert one.cost(one.best) == Spread.of(0, 0)
    assert one.cost(one.played) == one.costs[one.played]
    assert one.cost("announce") is None
    with pytest.raises(NotationError):
        one.cost("nonsense")
    for number in (0, len(EVERY) + 1):
        with raises_code("no-such-puzzle"):
            puzzle(number)
