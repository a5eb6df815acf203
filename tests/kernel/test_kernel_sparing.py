"""What the kernel's bots do for their partners: the same as the readable ones."""

from __future__ import annotations

import numpy as np
import pytest

from bots.test_sparing import BOTS, before_a_finish
from okey101.bots import make_bot
from okey101.game import Deal, Options, RuleSet, replay, view_of
from okey101.game.dealing import deal_from_seed, match_seed, seed_of
from okey101.kernel import play_neural
from okey101.kernel.exporting import actions_of
from okey101.kernel.layout import NOTED
from okey101.kernel.positions import row_of_deal
from okey101.kernel.rules import rules_vector
from okey101.kernel.seats import play_until
from okey101.kernel.tables import tables
from okey101.master_weights import weights_of
from okey101.neural_weights import nets_of
from okey101.sim.playing import play_deal


def turn_of(name: str, deal: Deal) -> list[str]:
    """What the kernel's bot does in its turn."""
    rules, seat = deal.rules, deal.turn
    row, words, log = row_of_deal(deal), np.zeros(64, dtype=np.int64), np.zeros(99, dtype=np.int64)
    weights = np.array(weights_of(rules), dtype=np.int64)
    nets = np.array(nets_of(rules), dtype=np.int64)
    play_until(
        tables(), rules_vector(rules), row, words, log, weights, nets,
        1 << (seat if name == "neural" else seat + 4), 15 ^ 1 << seat,
    )  # fmt: skip
    return [str(action) for action in actions_of(log[: row[NOTED]], deal.public.okey)]


@pytest.mark.parametrize("name", BOTS)
def test_a_finish_is_put_off_and_made_alike(name: str) -> None:
    for deal in (
        before_a_finish(teams=True),
        before_a_finish(teams=True, opened=False),
        before_a_finish(teams=True, partner=True),
        before_a_finish(teams=True, both=False),
        before_a_finish(teams=True, partner_waived=True),
        before_a_finish("altinstar", teams=True),
        before_a_finish(rest="R10 Y10", drawn="K10", teams=True),
    ):
        after, seat, bot = deal, deal.turn, make_bot(name)
        while not after.over and after.turn == seat:
            view = view_of(after, seat)
            after = after.apply(bot.choose(view, Options(view)))
        played = after.public.actions[len(deal.public.actions) :]
        assert turn_of(name, deal) == [str(action) for _, action in played]


@pytest.mark.long
@pytest.mark.parametrize("name", BOTS)
def test_teams_play_the_same_deals(name: str) -> None:
    """In fifteen of 400 such deals a finish is put off at least once."""
    rules, mask = RuleSet.preset("pagat").with_(teams=True), 0b0101
    neurals, masters = (mask, 0) if name == "neural" else (0, mask)
    for number in range(400):
        played = play_neural(
            rules, 1, seed="sparing", first=number, neurals=neurals, masters=masters, log=True
        )
        layout = deal_from_seed(rules, match_seed(seed_of("sparing"), number), number % 4)
        wanted = play_deal(rules, [name, "greedy"] * 2, layout)
        actions = replay(played.record(0)).deals[0].public.actions
        assert [str(a) for a in actions] == [str(a) for a in wanted.public.actions]
