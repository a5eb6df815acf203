"""Duplicate deals: pairing, repeatability, and that the better bot shows."""

from __future__ import annotations

import pytest

from okey101.bots import bot_of
from okey101.bots.greedy import GreedyBot
from okey101.bots.random_bot import RandomBot
from okey101.errors import OkeyError
from okey101.game import PRESETS, RuleSet
from okey101.sim.arena import Duplicate, arena_deal, bot_seed, duplicate
from okey101.sim.playing import play_deal


def test_a_bot_against_itself_differs_nowhere() -> None:
    found = duplicate(RuleSet(), "greedy", "greedy", deals=4, seed=2)
    assert found.anchors == found.candidates
    assert found.unchanged == 1
    assert found.estimate[:4] == (0, 0, 0, 0)


def test_a_difference_is_the_score_in_the_same_seat_of_the_same_deal() -> None:
    rules = PRESETS["wiki"]
    found = duplicate(rules, "random", "greedy", deals=2, seed=5, first=3)
    for row, number in enumerate((3, 4)):
        dealt = arena_deal(rules, 5, number)
        assert dealt.seed is not None
        seeds = [bot_seed(dealt.seed, seat) for seat in range(4)]
        base = play_deal(rules, ["greedy"] * 4, dealt).result
        for seat in range(4):
            names = ["greedy"] * 4
            names[seat] = "random"
            bots = [bot_of(name, seeds[at]) for at, name in enumerate(names)]
            result = play_deal(rules, bots, dealt).result
            assert result is not None
            assert base is not None
            difference = result.scores[seat] - base.scores[seat]
            assert found.differences[row][seat] == difference


def test_deals_do_not_depend_on_how_they_are_split() -> None:
    whole = duplicate(RuleSet(), "random", "greedy", deals=4, seed=9)
    parts = [
        duplicate(RuleSet(), "random", "greedy", deals=2, seed=9, first=first) for first in (0, 2)
    ]
    assert whole.candidates == parts[0].candidates + parts[1].candidates
    assert whole.anchors == parts[0].anchors + parts[1].anchors


@pytest.mark.long
def test_workers_change_nothing() -> None:
    done: list[tuple[int, int]] = []
    alone = duplicate(RuleSet(), "random", "greedy", deals=6, seed=9)
    two = duplicate(
        RuleSet(),
        "random",
        "greedy",
        deals=6,
        seed=9,
        workers=2,
        progress=lambda n, of: done.append((n, of)),
    )
    assert two == alone
    assert done == [(n, 6) for n in range(1, 7)]


def test_the_seats_deal_in_turn() -> None:
    for rules in (RuleSet(), RuleSet(players=3)):
        dealers = [arena_deal(rules, 1, number).dealer for number in range(6)]
        assert dealers == [number % rules.players for number in range(6)]
    assert arena_deal(RuleSet(), 1, 0) != arena_deal(RuleSet(), 2, 0)


def test_in_teams_the_candidate_takes_both_seats_of_a_side() -> None:
    rules = RuleSet(teams=True)
    found = duplicate(rules, "random", "greedy", deals=1, seed=1)
    dealt = arena_deal(rules, 1, 0)
    assert dealt.seed is not None
    seeds = [bot_seed(dealt.seed, seat) for seat in range(4)]
    for side in range(2):
        names = ["random" if seat % 2 == side else "greedy" for seat in range(4)]
        bots = [bot_of(name, seeds[seat]) for seat, name in enumerate(names)]
        result = play_deal(rules, bots, dealt).result
        assert result is not None
        assert found.candidates[0][side] == sum(result.scores[side::2])
    assert len(found.anchors[0]) == 2


def test_a_factory_plays_as_its_name_does() -> None:
    named = duplicate(RuleSet(), "greedy", "random", deals=1, seed=3)
    made = duplicate(RuleSet(), GreedyBot, RandomBot, deals=1, seed=3)
    assert made == named


def test_the_randomness_of_a_bot_is_of_its_deal_and_seat() -> None:
    seeds = {bot_seed(bytes([deal]) * 32, seat) for deal in range(3) for seat in range(4)}
    assert len(seeds) == 12


def test_unknown_bots_are_refused_before_anything_is_played() -> None:
    with pytest.raises(OkeyError) as caught:
        duplicate(RuleSet(), "greedy", "nobody", deals=1_000_000)
    assert caught.value.code == "unknown-bot"


def test_greedy_is_far_better_than_random() -> None:
    found = duplicate(RuleSet(), "random", "greedy", deals=8, seed=1)
    assert found.estimate.low > 50


def test_a_bootstrap_of_known_differences() -> None:
    anchors = tuple((0, 0) for _ in range(50))
    candidates = tuple((n % 5 - 3, n % 3 - 2) for n in range(50))
    found = Duplicate("a", "b", 0, 0, anchors, candidates)
    low, high = found.bootstrap()
    assert low < found.estimate.mean < high < 0
