"""``greedy`` in the kernel: the same choices as the readable one, deal by deal."""

from __future__ import annotations

import random

import numpy as np
import pytest

from bots.tables import TABLES
from conftest import Size
from kernel.kernel_states import any_rules
from okey101.bots.greedy import GreedyBot
from okey101.game import PRESETS, Deal, Options, RuleSet, replay, view_of
from okey101.game.dealing import deal_from_seed, match_seed, seed_of
from okey101.kernel import play_greedy
from okey101.kernel.exporting import actions_of
from okey101.kernel.positions import row_of_deal
from okey101.kernel.rules import rules_vector
from okey101.kernel.seats import play_plainly
from okey101.kernel.tables import tables
from okey101.sim.playing import play_deal


def same_deals(rules: RuleSet, deals: int, seed: str | int, first: int = 0) -> None:
    """Play deals in the kernel, replay their records, and play them with the readable bot."""
    played = play_greedy(rules, deals, seed=seed, first=first, log=True)
    for place, record in enumerate(played.records()):
        deal = replay(record).deals[0]
        number = first + place
        layout = deal_from_seed(rules, match_seed(seed_of(seed), number), number % rules.players)
        wanted = play_deal(rules, ["greedy"] * rules.players, layout)
        assert [str(a) for a in deal.public.actions] == [str(a) for a in wanted.public.actions]
        assert deal.result == wanted.result
        assert deal.result is not None
        assert deal.result.scores == tuple(played.scores[place])


@pytest.mark.parametrize("preset", PRESETS)
def test_greedy_plays_the_same_deals(preset: str, size: Size) -> None:
    same_deals(PRESETS[preset], size(3, long=10_000), "greedy")


@pytest.mark.parametrize(("preset", "number"), [("pagat", 1070), ("wiki", 2555)])
def test_an_opening_that_finishes_is_looked_for_long(preset: str, number: int) -> None:
    """All but one tile can be laid, but hundreds of ways to open leave nothing or too little."""
    same_deals(PRESETS[preset], 1, 7, first=number)


def test_an_okey_laid_off_on_a_set_names_no_colour() -> None:
    """The log said R1, whatever the set: one deal of five thousand could not be replayed."""
    rules, greedy = PRESETS["altinstar"], GreedyBot()
    deal = Deal.start(rules, deal_from_seed(rules, match_seed(seed_of("greedy"), 3865), 1))
    while len(deal.public.actions) < 57:
        view = view_of(deal, deal.turn)
        deal = deal.apply(greedy.choose(view, Options(view)))
    row, words, log = row_of_deal(deal), np.zeros(64, dtype=np.int64), np.zeros(9, dtype=np.int64)
    assert play_plainly(tables(), rules_vector(rules), row, words, log) == 1
    assert [str(action) for action in actions_of(log[:1], deal.public.okey)] == ["lay *12 > 4"]


def test_greedy_plays_the_same_deals_under_all_rules(size: Size) -> None:
    for rules in TABLES.values():
        same_deals(rules, size(1, long=100), "tables")
    rng = random.Random("greedy under any rules")
    for number in range(size(3, long=500)):
        same_deals(any_rules(rng), size(1, long=4), f"any {number}")
