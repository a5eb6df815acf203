"""A finish that the partner would pay for is put off, where a void deal costs nothing (C1, E3)."""

from __future__ import annotations

from typing import Any

import pytest

from okey101.bots import make_bot
from okey101.bots.sparing import spares_partner
from okey101.game import Deal, Options, view_of
from okey101.game.actions import Action, Discard
from rules.table import MELDS, PAIRS, play, table

__all__ = ["BOTS", "before_a_finish"]

BOTS = ["master", "neural"]


def before_a_finish(
    rules: str = "pagat",
    rest: str = "B1 B3 K9",
    drawn: str = "B2",
    *,
    partner: bool = False,
    both: bool = True,
    opened: bool = True,
    **changes: Any,
) -> Deal:
    """Seat 0 may finish: the others opened with pairs, but for the partner and one not asked."""
    deal = table(
        rules,
        [f"{MELDS} {rest} R1", f"{PAIRS[1]} K4 B4", f"{PAIRS[2]} B6", f"{PAIRS[3]} B8 Y2"],
        stock=f"K2 K6 K8 {drawn} B10 Y10 R9 K8 B9 Y9",
        **changes,
    )
    if opened:
        deal = play(deal, f"meld {MELDS}")
    deal = play(deal, "discard R1")
    for seat, opens in ((1, True), (2, partner), (3, both)):
        deal = play(deal, "draw")
        if opens:
            deal = play(deal, f"meld {PAIRS[seat]}")
        deal = play(deal, f"discard {('K2', 'K6', 'K8')[seat - 1]}")
    return play(deal, "draw")


def chosen(name: str, deal: Deal) -> Action:
    view = view_of(deal, deal.turn)
    return make_bot(name).choose(view, Options(view))


@pytest.mark.parametrize("name", BOTS)
def test_the_team_goes_on_until_the_partner_has_opened(name: str) -> None:
    for opened in (True, False):
        deal = before_a_finish(teams=True, opened=opened)
        assert spares_partner(deal.public)
        assert isinstance(chosen(name, deal), Discard)
    assert not isinstance(chosen(name, before_a_finish(teams=True, partner=True)), Discard)


@pytest.mark.parametrize("name", BOTS)
def test_who_plays_alone_or_for_more_finishes(name: str) -> None:
    """Alone, where hands count in any case (E3), where the partner is let off (X9)."""
    for deal in (
        before_a_finish(),
        before_a_finish("altinstar", teams=True),
        before_a_finish(teams=True, partner_waived=True),
        before_a_finish(teams=True, both=False),
    ):
        assert not spares_partner(deal.public)
        assert not isinstance(chosen(name, deal), Discard)


@pytest.mark.parametrize("name", BOTS)
def test_no_fine_is_paid_to_go_on(name: str) -> None:
    """Each tile that could be thrown lies on the table as well (P2): then it is time to finish."""
    deal = before_a_finish(rest="R10 Y10", drawn="K10", teams=True)
    assert spares_partner(deal.public)
    assert not isinstance(chosen(name, deal), Discard)
