"""What a position's choices are worth: from the view alone, unbiased, the same every time."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import okey101
from conftest import Size
from okey101.errors import IllegalAction, OkeyError
from okey101.game import Options, determinize, view_of
from okey101.game.actions import Action, Discard, Lay, Meld, Swap
from okey101.review.analysis import _first
from okey101.review.spread import spread_of
from okey101.review.weighing import weigh
from review.positions import RICH, deal_with, played_on, short_deal

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Noise:
    """A player for whom all choices are equal, and each world another number."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def outcomes(
        self, choices: Sequence[Action | None], seed: int, first: int, worlds: int
    ) -> NDArray[np.int64]:
        """Points that have nothing to do with the choice."""
        shape = (len(choices), worlds, 4)
        return np.random.default_rng((self._seed, first)).integers(-100, 200, shape)


def test_equal_choices_cost_nothing_on_average(size: Size) -> None:
    """The best of many equal ones looks good on the worlds that chose it, and there alone."""
    view = view_of(short_deal(1), 0)
    choices = [Discard(one.tile) for one in Options(view).discards][:8]
    priced, chosen = [], []
    for trial in range(size(200, long=5_000)):
        prices = weigh(Noise(trial), view, choices, 64, 0, every=True)
        priced.append(prices.behind(0, prices.best).tenths)
        own = prices.first
        chosen.append(int(own[0][:, 0].sum()) - int(own[prices.best][:, 0].sum()))
    fair = spread_of(sum(priced), sum(n * n for n in priced), len(priced))
    assert abs(fair.tenths) <= 1.7 * fair.reach
    unfair = spread_of(sum(chosen), sum(n * n for n in chosen), len(chosen))
    assert unfair.low > 0


def test_halving_keeps_the_named_choices_and_asks_less() -> None:
    asked = 0

    class Counting(Noise):
        def outcomes(
            self, choices: Sequence[Action | None], seed: int, first: int, worlds: int
        ) -> NDArray[np.int64]:
            nonlocal asked
            asked += len(choices) * worlds
            return super().outcomes(choices, seed, first, worlds)

    view = view_of(short_deal(1), 0)
    choices = [Discard(one.tile) for one in Options(view).discards][:8]
    for trial in range(20):
        prices = weigh(Counting(trial), view, choices, 400, 0, kept=(0, 7))
        assert {0, 7, prices.best} <= set(prices.second)
        assert len(prices.first[7]) == len(prices.second[7]) == 200
    assert asked < 20 * 8 * 400 * 0.7


def test_a_position_has_its_figures(size: Size) -> None:
    deal = deal_with(RICH, 1)
    view = view_of(deal, 0)
    found = okey101.analyse(view, size(16, long=2_000), seed=3, policy="greedy")
    assert isinstance(found.best, Meld)
    opening = found.of(found.best)
    assert opening.behind.tenths == 0
    assert found.choices[0].action == found.best
    thrown = max(found.choices, key=lambda weighed: weighed.points.tenths)
    assert thrown.behind.low > 50
    told = found.to_dict()
    assert told["best"] == str(found.best)
    assert found == okey101.analyse(view, size(16, long=2_000), seed=3, policy="greedy")
    assert found != okey101.analyse(view, size(16, long=2_000), seed=4, policy="greedy")


def test_T2_the_figures_depend_on_the_view_alone(size: Size) -> None:
    compared = 0
    for number in range(size(1, long=20)):
        deal = short_deal(number, 2)
        view = view_of(deal, 0)
        first = okey101.analyse(view, 8, policy="greedy")
        for trial in range(2):
            other = determinize(view, random.Random(trial))
            compared += other.hands != deal.hands
            assert okey101.analyse(view_of(other, 0), 8, policy="greedy") == first
    assert compared


def test_master_plays_on_where_nobody_says_otherwise() -> None:
    view = view_of(deal_with(RICH, 1), 0)
    found = okey101.analyse(view, 8)
    assert found.policy == "master"
    assert isinstance(found.best, Meld)


def test_a_choice_that_is_asked_for_is_weighed_too() -> None:
    deal = deal_with(RICH, 1)
    view = view_of(deal, 0)
    worst = Discard("R13")
    found = okey101.analyse(view, 8, policy="greedy", also=(worst,))
    assert found.of(worst).points.tenths > found.of(found.best).points.tenths
    with pytest.raises(KeyError):
        found.of(Discard("K1"))
    named = okey101.analyse(view, 8, policy="greedy", also=["discard R13"])
    assert named == found
    assert named.of("discard R13") == found.of(worst)


@pytest.mark.parametrize("action", ["draw", "discard B6", Discard("R5"), "lay R1 > 1"])
def test_what_cannot_be_played_is_not_weighed(action: Action | str) -> None:
    with pytest.raises(IllegalAction):
        okey101.analyse(view_of(deal_with(RICH, 1), 0), 8, policy="greedy", also=[action])


@pytest.mark.parametrize(
    ("code", "seat", "worlds", "policy"),
    [
        ("not-to-act", 1, 8, "greedy"),
        ("bad-worlds", 0, 7, "greedy"),
        ("bad-worlds", 0, 1_000_001, "greedy"),
        ("unknown-policy", 0, 8, "nobody"),
    ],
)
def test_what_is_refused(code: str, seat: int, worlds: int, policy: str) -> None:
    view = view_of(short_deal(1), seat)
    with pytest.raises(OkeyError) as caught:
        okey101.analyse(view, worlds, policy=policy)
    assert caught.value.code == code


@pytest.mark.parametrize(("worlds", "seed"), [("8", 0), (8.0, 0), (True, 0), (8, "x"), (8, None)])
def test_only_whole_numbers_are_numbers(worlds: Any, seed: Any) -> None:
    view = view_of(short_deal(1), 0)
    with pytest.raises(TypeError, match="has to be a whole number"):
        okey101.analyse(view, worlds, seed=seed)


@pytest.mark.parametrize("view", [None, short_deal(1)])
def test_only_a_view_is_looked_at(view: Any) -> None:
    with pytest.raises(TypeError, match="is no view"):
        okey101.analyse(view, 8)


def test_many_ways_to_lay_down_leave_the_discards_and_swaps_in() -> None:
    """The seven discards that look best are weighed whatever else may be done."""
    layers: list[Action] = [Lay("R1", number) for number in range(1, 31)]
    discards: list[Action] = [Discard(name) for name in ("R1", "R2", "R3")]
    swap = Swap("R8", 3)
    kept = _first([layers[0], *layers[1:], swap, *discards])
    assert kept == [*layers[:20], swap, *discards]
    few = [*layers[:3], swap, *discards]
    assert _first(few) == few


def test_a_deal_that_is_over_has_no_choices() -> None:
    deal = played_on(short_deal(1, 1))
    with pytest.raises(OkeyError) as caught:
        okey101.analyse(view_of(deal, deal.turn), 8)
    assert caught.value.code == "not-to-act"
    assert not Options(view_of(deal, 0)).actions()
