"""Duplicate deals, the oracle, and means over clusters."""

import math
import random
from collections import Counter

import pytest

import okey101
from bots.tables import choice
from conftest import raises_code, unwrap
from okey101.bots import BOTS, BotFault, bot_info, bot_of, make_bot
from okey101.bots.greedy import GreedyBot
from okey101.bots.novice import RandomBot
from okey101.bots.playing import play_deal, play_out
from okey101.game import (
    PRESETS,
    Deal,
    Options,
    RuleSet,
    View,
    apply,
    deal_from_seed,
    options_of,
    view_of,
)
from okey101.game.actions import Action, Back, Discard
from okey101.sim.arena import Chunk, Job, arena_deal, bot_seed, duplicate, play_chunk
from okey101.sim.arena.results import draws, interval, results_of
from okey101.sim.conduct import play_table
from okey101.sim.oracle import ORACLE, OracleBot, best_action
from okey101.sim.stats import cluster_mean, t_quantile


def test_a_bot_against_itself_differs_nowhere() -> None:
    found = duplicate(RuleSet(), "greedy", "greedy", deals=4, seed=2)
    assert found.unchanged == 1
    assert found.estimate[:4] == (0, 0, 0, 0)


def test_a_difference_is_the_score_in_the_same_seat_of_the_same_deal() -> None:
    rules = PRESETS["wiki"]
    scores = play_chunk(Job(rules, ("random", "greedy"), 5), range(3, 5)).scores
    for row, number in enumerate((3, 4)):
        anchors, own = scores[8 * row : 8 * row + 4], scores[8 * row + 4 : 8 * row + 8]
        dealt = arena_deal(rules, 5, number)
        seeds = [bot_seed(unwrap(dealt.seed), seat) for seat in range(4)]
        base = play_deal(rules, ["greedy"] * 4, dealt).result
        for seat in range(4):
            names = ["greedy"] * 4
            names[seat] = "random"
            bots = [bot_of(name, seeds[at]) for at, name in enumerate(names)]
            result = unwrap(play_deal(rules, bots, dealt).result)
            difference = result.scores[seat] - unwrap(base).scores[seat]
            assert own[seat] - anchors[seat] == difference


@pytest.mark.long
def test_workers_change_nothing() -> None:
    alone, two = (
        duplicate(RuleSet(), "random", "greedy", deals=6, seed=9, workers=workers)
        for workers in (1, 2)
    )
    assert two.to_dict("ab") == alone.to_dict("ab")


def test_the_seats_deal_in_turn() -> None:
    for rules in (RuleSet(), RuleSet(players=3)):
        dealers = [arena_deal(rules, 1, number).dealer for number in range(6)]
        assert dealers == [number % rules.players for number in range(6)]
    assert arena_deal(RuleSet(), 1, 0) != arena_deal(RuleSet(), 2, 0)


def test_in_teams_the_candidate_takes_both_seats_of_a_side() -> None:
    rules = RuleSet(teams=True)
    scores = play_chunk(Job(rules, ("random", "greedy"), 1), range(1)).scores
    dealt = arena_deal(rules, 1, 0)
    seeds = [bot_seed(unwrap(dealt.seed), seat) for seat in range(4)]
    for side in range(2):
        names = ["random" if seat % 2 == side else "greedy" for seat in range(4)]
        bots = [bot_of(name, seeds[seat]) for seat, name in enumerate(names)]
        result = unwrap(play_deal(rules, bots, dealt).result)
        assert scores[2 + side] == sum(result.scores[side::2])
    assert len(scores) == 4


def test_a_factory_plays_as_its_name_does() -> None:
    named = play_chunk(Job(RuleSet(), ("greedy", "random"), 3), range(1))
    made = play_chunk(Job(RuleSet(), (GreedyBot, RandomBot), 3), range(1))
    assert made.scores == named.scores


def test_the_randomness_of_a_bot_is_of_its_deal_and_seat() -> None:
    seeds = {bot_seed(bytes([deal]) * 32, seat) for deal in range(3) for seat in range(4)}
    assert len(seeds) == 12


def test_unknown_bots_are_refused_before_anything_is_played() -> None:
    with raises_code("unknown-bot"):
        duplicate(RuleSet(), "greedy", "nobody", deals=1_000_000)
    with raises_code("unknown-preset"):
        duplicate("nowhere", "greedy", "random", deals=2)
    for deals in (1, 0, -1):
        with raises_code("out-of-range"):
            duplicate("pagat", "greedy", "random", deals=deals)


# Playing one deal ---------------------------------------------------------------------------------


class FirstBot:
    """Throws the first tile it may, and else does what is listed first: it draws."""

    name = "first"

    def choose(self, view: View, options: Options) -> Action:
        if options.discards:
            return Discard(options.discards[0].tile)
        return options.actions()[0]


def test_a_deal_is_the_same_again() -> None:
    names = ["greedy", "random", "greedy", "random"]
    deal = play_deal("pagat", names, seed=7)
    assert deal.over
    assert deal == play_deal("pagat", names, seed="7")
    assert deal == play_deal(
        RuleSet.preset("pagat"), [make_bot(n, s) for s, n in enumerate(names)], seed=7
    )
    assert deal != play_deal("pagat", names, seed=7, bot_seed=1)
    assert deal.layout == Deal.start("pagat", seed=7).layout
    assert okey101.play_deal is play_deal


def test_own_bots_sit_beside_known_ones() -> None:
    rules = RuleSet(players=2)
    layout = deal_from_seed(rules, bytes(32), 1)
    deal = play_deal(rules, [FirstBot(), "random"], layout)
    assert deal.over
    assert deal.layout is layout


def test_every_seat_needs_a_known_bot() -> None:
    for bots, code in ((["greedy"] * 3, "wrong-count"), (["deep-blue"] * 4, "unknown-bot")):
        with raises_code(code):
            play_deal("pagat", bots, seed=7)


def test_a_bot_that_does_not_end_its_turn_ends_the_call() -> None:
    class Waverer:
        """Lays a tile off, takes it back, lays it off again."""

        name = "waverer"

        def choose(self, view: View, options: Options) -> Action:
            return options.actions()[-1]

    with raises_code("too-many-actions", match="does not end its turn"):
        play_deal("altinstar", [Waverer()] * 4, seed=1)


# The oracle sits at no table but the arena's ------------------------------------------------------

TWO = RuleSet(players=2)


def late(rules: RuleSet, seed: int, stock: int, *, closed: bool = False) -> Deal:
    """A deal of ``greedy`` with so many tiles left to draw, perhaps with a hand not opened."""
    greedy = GreedyBot()
    for number in range(seed, seed + 100):
        deal = Deal.start(rules, seed=number, dealer=number % rules.players)
        while not deal.over and deal.public.stock_count > stock:
            deal = deal.apply(choice(greedy, deal))
        if not deal.over and (not closed or None in deal.public.opened):
            return deal
    raise AssertionError("every deal ends early")


def test_the_choice_is_the_best_by_trying() -> None:
    deal = late(TWO, 0, 12)
    several = 0
    while not deal.over:
        options = options_of(deal)
        actions = [a for a in options.actions() if not isinstance(a, Back)]
        seat = deal.turn
        scores = []
        for action in actions:
            result = unwrap(play_out(apply(deal, action), [GreedyBot()] * 2).result)
            scores.append(result.scores[seat])
        chosen = best_action(deal, options)
        assert chosen == actions[scores.index(min(scores))], "ties go to the first"
        several += len(actions) > 1
        deal = apply(deal, chosen)
    assert several
    found = play_table(late(TWO, 0, 12), [OracleBot(), OracleBot()], 10**9)
    assert not found.defaults, "a table shows it the deal"


def test_no_table_seats_it() -> None:
    assert ORACLE not in BOTS
    with raises_code("unknown-bot"):
        bot_info(ORACLE)
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
    with raises_code("arena-bots"):
        _ = Job(RuleSet(players=3), ("greedy",) * 3, oracle=True).plan


# Means over clusters and their intervals ----------------------------------------------------------


def test_mean_and_error_of_clusters_by_hand() -> None:
    found = cluster_mean([[1, 3], [5], [0, 0, 3]])
    assert found.mean == pytest.approx(8 / 3)
    assert found.error == pytest.approx(math.sqrt((4 / 9 + 49 / 9 + 25 / 9) / 2 / 3))
    assert found.low < found.mean < found.high
    assert found.clusters == 3


def test_copies_inside_a_cluster_make_nothing_surer() -> None:
    once = cluster_mean([[1], [4], [6], [2]])
    assert cluster_mean([[1] * 9, [4] * 9, [6] * 9, [2] * 9]) == once


def test_too_few_clusters_are_refused() -> None:
    for clusters in ([], [[1.0]], [[1.0], []]):
        with pytest.raises(ValueError, match="two clusters"):
            cluster_mean(clusters)


def test_the_interval_holds_the_true_mean_nineteen_times_in_twenty() -> None:
    rng = random.Random(7)
    held = 0
    for _ in range(400):
        shifts = [rng.gauss(2, 3) for _ in range(12)]
        found = cluster_mean([[rng.gauss(shift, 1) for _ in range(4)] for shift in shifts])
        held += found.low <= 2 <= found.high
    assert 365 <= held <= 395


def test_the_bootstrap_agrees_with_student() -> None:
    rng = random.Random(3)
    clusters = [[rng.gauss(shift, 5) for _ in range(4)] for shift in [rng.gauss(0, 9)] * 300]
    found = cluster_mean(clusters)
    means = [sum(cluster) / 4 for cluster in clusters]
    low, high = interval([mean for (mean,) in draws([means])])
    assert low == pytest.approx(found.low, abs=found.error / 4)
    assert high == pytest.approx(found.high, abs=found.error / 4)


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(1, 12.706), (5, 2.571), (19, 2.093), (199, 1.972)]
)
def test_quantiles_of_student(freedom: int, quantile: float) -> None:
    assert t_quantile(freedom) == pytest.approx(quantile, abs=2e-3)
    with pytest.raises(ValueError, match="degree"):
        t_quantile(0)
