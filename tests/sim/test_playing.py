"""Playing one deal with bots, known by name or one's own, with the same outcome each time."""

from __future__ import annotations

import pytest

import okey101
from okey101.bots import make_bot
from okey101.errors import OkeyError
from okey101.game import Deal, Options, RuleSet, View, deal_from_seed
from okey101.game.actions import Action, Discard
from okey101.sim.playing import play_deal


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
        with pytest.raises(OkeyError) as error:
            play_deal("pagat", bots, seed=7)
        assert error.value.code == code
