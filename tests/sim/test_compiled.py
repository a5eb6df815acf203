"""Tables that the kernel plays are the readable ones: scores, counts and all."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from bots.tables import TABLES
from game.random_play import random_rules
from okey101.bots.base import BotFactory
from okey101.bots.greedy import GreedyBot
from okey101.bots.master import MasterBot
from okey101.bots.neural import NeuralBot
from okey101.bots.novice import NoviceBot, RandomBot
from okey101.bots.steady import _COMPANY, Draws, Outlook, SteadyBot, Worth
from okey101.game import PRESETS, Deal, RuleSet
from okey101.kernel.steady import remains
from okey101.sim.arena import Chunk, Job, play_chunk
from okey101.sim.arena.chunks import CLOCKS
from okey101.sim.arena.compiled import CompiledSteady, CompiledTables
from okey101.sim.conduct import Outcome, PlayedTable, play_table
from okey101.sim.data import DataJob
from okey101.sim.oracle import OracleBot
from sim.test_arena import late

BOTS: tuple[BotFactory, ...] = (
    SteadyBot, RandomBot, OracleBot, NoviceBot, GreedyBot, MasterBot, NeuralBot,
)  # fmt: skip
WORTH = Worth(205, 140)


def both(deal: Deal, makers: Sequence[BotFactory]) -> tuple[Outcome, Outcome | None, PlayedTable]:
    """What comes of a table in the game and in the kernel."""
    seeds = [7 + seat for seat in range(len(makers))]
    bots = [maker(seed) for maker, seed in zip(makers, seeds, strict=True)]
    table = play_table(deal, bots, 10**12)
    tables = CompiledTables(deal)
    outcome = tables.play(makers, seeds)
    if outcome is not None:
        assert tables.finished().public == table.deal.public
        for conduct in (*outcome.conducts, *table.conducts):
            conduct.spent_ns = conduct.slowest_ns = 0
    return Outcome.of(table), outcome, table


def test_the_end_of_a_deal_is_alike(preset: str) -> None:
    deal = late(PRESETS[preset], 4, 3, closed=True)
    turn = [*PRESETS].index(preset)
    readable, compiled, table = both(deal, [BOTS[(seat + turn) % len(BOTS)] for seat in range(4)])
    assert compiled is not None
    fresh = [seat for seat in range(4) if deal.public.opened[seat] is None]
    assert [compiled.turns[seat] for seat in fresh] == [readable.turns[seat] for seat in fresh]
    assert compiled._replace(turns=()) == readable._replace(turns=())
    assert not table.defaults


def test_a_bot_without_a_twin_is_left_to_the_game() -> None:
    deal = Deal.start(RuleSet(players=2), seed=1)
    assert CompiledTables(deal).play([type("Own", (GreedyBot,), {}), GreedyBot], [1, 2]) is None


def test_what_steady_counts_is_the_same() -> None:
    """What futures are worth, and what stays in a hand."""
    rng = random.Random("foresight")
    compiled = CompiledSteady(0, lambda: False)._draws
    for number in range(7):
        deck = [tile for tile in range(54) for _ in range(2) if tile != 20]
        rng.shuffle(deck)
        hand, unseen = (sum(1 << 2 * tile for tile in part) for part in (deck[:22], deck[22:90]))
        kinds = sorted(set(deck[:22]))
        small = sorted(deck[: 2 + number])
        playable = rng.getrandbits(52)
        found = []
        for asked in (Draws(), compiled):

            def sees(asked: Draws = asked, unseen: int = unseen, number: int = number) -> Outlook:
                rng = random.Random(number)
                return Outlook(unseen, 1 + number % 6, 20, (51, 4), WORTH, rng, asked)

            opens = sees().opens(hand, 1)
            better = sees().advantages(hand, kinds[0], kinds[1:3])
            drawn = [random.Random(number).sample(deck[22:90], number)] * 3
            left = asked.ask(
                remains, small, small, drawn, playable, number % 3, _COMPANY,
                [0] * (len(small) + 1), out=[0] * len(small),
            )  # fmt: skip
            found.append((better, opens, left))
        assert found[0] == found[1]


def told(chunk: Chunk) -> tuple[object, ...]:
    """All that a chunk says but for times, which depend on the machine."""
    counts = [{k: n for k, n in t.items() if k not in CLOCKS and n} for t in chunk.tallies]
    return chunk.first, chunk.deals, chunk.scores, counts


def same(job: Job, numbers: range) -> Counter[str]:
    """Play deals in both ways and compare; the counts over all lines."""
    readable, compiled = (play_chunk(replace(job, compiled=c), numbers) for c in (False, True))
    assert told(readable) == told(compiled)
    return sum(compiled.tallies, Counter())


@pytest.mark.long
def test_leagues_are_alike(preset: str) -> None:
    job = Job(PRESETS[preset], ("random", "novice", "steady", "neural"), seed=8, league=True)
    assert same(job, range(40))["choices"]


@pytest.mark.long
def test_the_oracle_chooses_alike(preset: str) -> None:
    same(Job(PRESETS[preset], ("random", "greedy"), seed=9, oracle=True), range(6))


@pytest.mark.long
def test_all_orders_and_teams_are_alike() -> None:
    same(Job(RuleSet(teams=True), ("master", "steady"), seed=4), range(20))
    same(Job(RuleSet(players=3), ("random", "master", "steady"), seed=4), range(20))


@pytest.mark.long
def test_other_rules_are_alike() -> None:
    rng = random.Random("compiled tables")
    rules = [*TABLES.values(), *(random_rules(rng) for _ in range(100))]
    for number, one in enumerate(rules):
        same(Job(one, ("random", "steady"), seed=number), range(1))


@pytest.mark.long
def test_data_are_alike(preset: str) -> None:
    job = DataJob(PRESETS[preset], ("random", "greedy", "steady", "master"), seed=3)
    for number in range(20):
        assert replace(job, compiled=True).line(number) == job.line(number)
