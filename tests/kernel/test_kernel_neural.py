"""``neural`` in the kernel: the same choices as the readable one, deal by deal."""

from __future__ import annotations

import random

import pytest

from bots.tables import TABLES
from conftest import Size
from kernel.kernel_states import any_rules
from okey101.bots import neural
from okey101.bots.greedy import GreedyBot
from okey101.bots.neural import NeuralBot
from okey101.errors import OkeyError
from okey101.game import PRESETS, RuleSet, replay
from okey101.game.dealing import deal_from_seed, match_seed, seed_of
from okey101.kernel import play_greedy, play_master, play_neural
from okey101.neural_inputs import NET
from okey101.sim.playing import play_deal


def any_nets(seed: str) -> list[int]:
    """Networks in which everything that they are told matters."""
    rng = random.Random(seed)
    return [rng.randrange(-(1 << 16), 1 << 16) for _ in range(2 * NET)]


def same_deals(
    rules: RuleSet, deals: int, seed: str | int, nets: list[int] | None = None, first: int = 0
) -> None:
    """Play deals in the kernel, ``neural`` in some seats, and again with the readable bots."""
    rng = random.Random(f"{seed} {first}")
    for number in range(first, first + deals):
        neurals = [rng.random() < 0.7 for _ in range(rules.players)]
        mask = sum(1 << seat for seat, is_neural in enumerate(neurals) if is_neural)
        played = play_neural(rules, 1, seed=seed, first=number, neurals=mask, nets=nets, log=True)
        deal = replay(played.record(0)).deals[0]
        layout = deal_from_seed(rules, match_seed(seed_of(seed), number), number % rules.players)
        bots = [NeuralBot() if is_neural else GreedyBot() for is_neural in neurals]
        wanted = play_deal(rules, bots, layout)
        assert [str(a) for a in deal.public.actions] == [str(a) for a in wanted.public.actions]
        assert deal.result == wanted.result


@pytest.mark.parametrize(
    "preset", ["wiki", *(pytest.param(p, marks=pytest.mark.long) for p in ("altinstar", "pagat"))]
)
def test_neural_plays_the_same_deals(preset: str, size: Size) -> None:
    same_deals(PRESETS[preset], size(1, long=2_000), "neural")


def test_neural_plays_the_same_deals_under_all_rules(
    size: Size, monkeypatch: pytest.MonkeyPatch
) -> None:
    nets = any_nets("neural under all rules")
    monkeypatch.setattr(neural, "nets_of", lambda _: tuple(nets))
    neural.networks_of.cache_clear()
    for rules in [*TABLES.values()][:: size(9, long=1)]:
        same_deals(rules, size(1, long=30), "tables", nets)
    rng = random.Random("neural under any rules")
    for number in range(size(2, long=200)):
        same_deals(any_rules(rng), size(1, long=3), f"any {number}", nets)
    monkeypatch.undo()
    neural.networks_of.cache_clear()


def test_neural_sits_where_it_is_told() -> None:
    none = play_neural("altinstar", 1, seed=3, neurals=0)
    assert (none.scores == play_greedy("altinstar", 1, seed=3).scores).all()
    masters = play_neural("altinstar", 1, seed=3, neurals=0, masters=5)
    assert (masters.scores == play_master("altinstar", 1, seed=3, masters=5).scores).all()
    one = play_neural("altinstar", 1, seed=3, first=1, neurals=4)
    both = play_neural("altinstar", 2, seed=3, neurals=4)
    assert (both.scores[1:] == one.scores).all()


def test_weights_are_counted() -> None:
    with pytest.raises(OkeyError, match="weights"):
        play_neural("altinstar", 1, nets=[1, 2])
