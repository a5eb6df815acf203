"""``oracle-1``: it is better than anybody could be, and sits at no table but the arena's."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from okey101.bots import BOTS, bot_info
from okey101.bots.base import BotFault
from okey101.bots.greedy import GreedyBot
from okey101.errors import OkeyError
from okey101.game import Deal, Options, RuleSet, apply, options_of, view_of
from okey101.game.actions import Back
from okey101.sim.arena import Chunk, Job, play_chunk
from okey101.sim.arena.results import results_of
from okey101.sim.conduct import play_table
from okey101.sim.oracle import ORACLE, OracleBot, best_action
from okey101.sim.playing import play_out

TWO = RuleSet(players=2)


def late_position() -> Deal:
    """A deal of two with few tiles left to draw, so that playing it out is quick."""
    greedy = GreedyBot()
    for seed in range(100):
        deal = Deal.start(TWO, seed=seed)
        while not deal.over and deal.public.stock_count > 12:
            view = view_of(deal, deal.turn)
            deal = apply(deal, greedy.choose(view, Options(view)))
        if not deal.over:
            return deal
    raise AssertionError("every deal ends early")


def test_the_choice_is_the_best_by_trying() -> None:
    deal = late_position()
    several = 0
    while not deal.over:
        options = options_of(deal)
        actions = [a for a in options.actions() if not isinstance(a, Back)]
        seat = deal.turn
        scores = []
        for action in actions:
            result = play_out(apply(deal, action), [GreedyBot()] * 2).result
            assert result is not None
            scores.append(result.scores[seat])
        chosen = best_action(deal, options)
        assert chosen == actions[scores.index(min(scores))], "ties go to the first"
        several += len(actions) > 1
        deal = apply(deal, chosen)
    assert several
    found = play_table(late_position(), [OracleBot(), OracleBot()], 10**9)
    assert not found.defaults, "a table shows it the deal"


def test_no_table_seats_it() -> None:
    assert ORACLE not in BOTS
    with pytest.raises(OkeyError) as caught:
        bot_info(ORACLE)
    assert caught.value.code == "unknown-bot"
    deal = Deal.start(TWO, seed=3)
    view = view_of(deal, deal.turn)
    bot = OracleBot()
    for shown in (None, Deal.start(TWO, seed=4)):
        if shown is not None:
            bot.show(shown)
        with pytest.raises(BotFault):
            bot.choose(view, Options(view))


@pytest.mark.long
def test_it_gains_what_nobody_else_does() -> None:
    job = Job(TWO, ("random", "greedy"), 1, oracle=True)
    random_row, oracle = results_of(job, [play_chunk(job, range(4))]).rows
    assert oracle.estimate.mean < 0 < random_row.estimate.mean
    assert oracle.tally["crashed"] == 0


def test_it_is_the_yardstick() -> None:
    job = Job(TWO, ("steady", "greedy"), 1, oracle=True)
    rng = random.Random(1)
    scores: list[int] = []
    for _ in range(300):
        base = [rng.randrange(100), rng.randrange(100)]
        scores += [*base, *(n - rng.randrange(20) for n in base), *(n - 50 for n in base)]
    tallies = tuple(Counter[str]() for _ in job.plan.lines)
    result = results_of(job, [Chunk(0, 300, tuple(scores), tallies)])
    assert result.names == ("steady/1", "greedy/1", "oracle-1/1")
    steady, oracle = result.rows
    assert oracle.estimate.mean == -50
    assert steady.share is not None
    assert steady.share.share == pytest.approx(steady.estimate.mean / -50)
    assert steady.share.low < steady.share.share < steady.share.high
    assert 0.15 < steady.share.low < steady.share.high < 0.23
    assert oracle.share is None
    assert job.plan.tables == 1 + 2 + 2
    with pytest.raises(OkeyError) as caught:
        _ = Job(RuleSet(players=3), ("greedy",) * 3, oracle=True).plan
    assert caught.value.code == "arena-bots"
