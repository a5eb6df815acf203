"""``master`` in the kernel: the same choices as the readable one, deal by deal."""

from __future__ import annotations

import random

import pytest

from bots.tables import TABLES
from conftest import Size
from kernel.kernel_states import any_rules
from okey101.errors import OkeyError
from okey101.game import PRESETS, RuleSet, replay
from okey101.game.dealing import deal_from_seed, match_seed, seed_of
from okey101.kernel import play_greedy, play_master
from okey101.sim.playing import play_deal


def same_deals(rules: RuleSet, deals: int, seed: str | int, first: int = 0) -> None:
    """Play deals in the kernel, ``master`` in some seats, and again with the readable bots."""
    rng = random.Random(f"{seed} {first}")
    for number in range(first, first + deals):
        masters = [rng.random() < 0.7 for _ in range(rules.players)]
        mask = sum(1 << seat for seat, is_master in enumerate(masters) if is_master)
        played = play_master(rules, 1, seed=seed, first=number, masters=mask, log=True)
        deal = replay(played.record(0)).deals[0]
        layout = deal_from_seed(rules, match_seed(seed_of(seed), number), number % rules.players)
        bots = ["master" if is_master else "greedy" for is_master in masters]
        wanted = play_deal(rules, bots, layout)
        assert [str(a) for a in deal.public.actions] == [str(a) for a in wanted.public.actions]
        assert deal.result == wanted.result


@pytest.mark.parametrize("preset", PRESETS)
def test_master_plays_the_same_deals(preset: str, size: Size) -> None:
    same_deals(PRESETS[preset], size(2, long=2_000), "master")


def test_master_plays_the_same_deals_under_all_rules(size: Size) -> None:
    for rules in [*TABLES.values()][:: size(5, long=1)]:
        same_deals(rules, size(1, long=30), "tables")
    rng = random.Random("master under any rules")
    for number in range(size(3, long=200)):
        same_deals(any_rules(rng), size(1, long=3), f"any {number}")


def test_master_sits_where_it_is_told() -> None:
    none = play_master("altinstar", 3, seed=3, masters=0)
    assert (none.scores == play_greedy("altinstar", 3, seed=3).scores).all()
    one = play_master("altinstar", 2, seed=3, first=1, masters=4)
    both = play_master("altinstar", 3, seed=3, masters=4)
    assert (both.scores[1:] == one.scores).all()


def test_weights_are_counted() -> None:
    with pytest.raises(OkeyError, match="weights"):
        play_master("altinstar", 1, weights=[1, 2])
