"""The luck of the draws: 0 on average, exactly, and the same however a table was played."""

from collections import Counter
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from okey101.bots.greedy import GreedyBot
from okey101.game import PRESETS, RuleSet
from okey101.kernel import conversion, layout
from okey101.kernel.groups import pile_tile, put_on_pile
from okey101.kernel.seats import play_until
from okey101.kernel.solver import tables
from okey101.sim.arena import Chunk, Job
from okey101.sim.arena.aivat import DrawLuck, codes_played
from okey101.sim.arena.compiled import CompiledTables
from okey101.sim.arena.results import results_of
from okey101.sim.conduct import play_table
from sim.test_arena import late


def test_over_all_orders_of_the_stock_luck_is_nothing() -> None:
    """Each order is as likely as any other, and each seat's luck adds up to 0 over all of them."""
    deal = late(PRESETS["altinstar"], 4, 3, closed=True)
    start, rules = conversion.row_of_deal(deal), conversion.rules_vector(deal.rules)
    luck = DrawLuck(deal)
    end = int(start[layout.STOCK_LEN])
    at = end - int(start[layout.STOCK_COUNT])
    stock = [pile_tile(start, layout.STOCK, place) for place in range(at, end)]
    assert len(stock) == 3
    found = []
    for order in permutations(stock):
        row, log = start.copy(), np.zeros(256, dtype=np.int64)
        for place, tile in enumerate(order, at):
            put_on_pile(row, layout.STOCK, place, tile)
        dealt = row.copy()
        play_until(tables(), rules, row, log, luck.minds, 0, 0)
        found.append(luck.of(log[: int(row[layout.NOTED])].tolist(), dealt))
    assert np.abs(found).sum() > 0
    assert np.abs(np.sum(found, axis=0)).max() < 1e-9


def test_luck_is_the_same_in_the_game_and_in_the_kernel() -> None:
    deal = late(PRESETS["pagat"], 4, 2, closed=True)
    compiled = CompiledTables(deal)
    assert compiled.play([GreedyBot] * 4, [0] * 4)
    played = play_table(deal, [GreedyBot()] * 4, 10**12)
    codes = codes_played(deal, played.deal.public.actions[len(deal.public.actions) :])
    assert codes == compiled.codes()
    assert any(DrawLuck(deal).of(codes))


def test_a_difference_without_luck_is_less_by_that_of_both() -> None:
    job = Job(RuleSet(players=2), ("steady", "greedy"), aivat=True)
    scores = (10, 20, 30, 40, 50, 10, 70, 30)
    chunk = Chunk(
        0, 2, scores, (Counter(), Counter()), luck=(1.0, 2.0, 0.5, 9.0, 4.0, 0.0, 8.5, 1.0)
    )
    chunk = Chunk.from_dict(chunk.to_dict(), job.plan)
    (row,) = results_of(job, [chunk]).rows
    assert row.freed is not None
    assert row.estimate.mean == pytest.approx(20)
    assert row.freed.estimate.mean == pytest.approx(20 - (6.5 + 5.5) / 4)
    assert results_of(replace(job, aivat=False), [chunk]).rows[0].freed is None
    with pytest.raises(ValueError, match="luck"):
        Chunk.from_dict(chunk.to_dict() | {"luck": [0.0]}, job.plan)
