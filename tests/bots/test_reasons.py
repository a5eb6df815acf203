"""Hints: what steady would do, for reasons that hold, from what the seat sees alone (T2)."""

from __future__ import annotations

import random

import pytest

from bots.tables import TABLES, dealt
from bots.test_sparing import before_a_finish
from game.hidden import other_deal, replayed
from okey101.bots import make_bot
from okey101.bots.reasons import REASONS, Advice, advice
from okey101.errors import IllegalAction
from okey101.game import Deal, Options, View, apply, view_of
from okey101.game.actions import Discard
from okey101.game.bot_tools import can_use
from okey101.i18n import load
from okey101.solver import best_value_bits
from okey101.tiles import BITS_OF, OKEY, Tile, parse_tile, size_of_bits
from rules.table import NEUTRAL, table


def _advised(deal: Deal) -> list[tuple[View, Advice]]:
    """A deal in which everybody follows the advice."""
    found = []
    while not deal.over:
        view = view_of(deal, deal.turn)
        found.append((view, advice(view)))
        deal = apply(deal, found[-1][1].action)
    return found


@pytest.mark.parametrize("name", ["altinstar-4", "wiki-4"])
def test_advice_is_what_steady_does_and_its_facts_hold(name: str) -> None:
    seen: set[str] = set()
    for view, (action, reason) in _advised(dealt(TABLES[name], 3)):
        assert make_bot("steady").choose(view, Options(view)) == action
        seen.add(reason.code)
        public, hand = view.public, view.hand or 0
        if reason.code in ("draw-useless", "draw-rather"):
            tile = public.discards[public.previous][-1]
            assert reason.tile == str(Tile(tile))
            usable = can_use(public, hand + BITS_OF[tile], tile)
            assert usable == (reason.code == "draw-rather")
        if isinstance(action, Discard):
            assert reason.tile == str(Tile(action.tile))
            fine = next(d.points for d in Options(view).discards if d.tile == action.tile)
            assert (reason.code in ("fined", "all-fined")) == (fine > 0)
            assert reason.code != "finish" or size_of_bits(hand) == 1
            if reason.safe:
                assert not (
                    public.playable >> action.tile & 1
                    and public.opened[(public.turn + 1) % public.players]
                )
            if reason.code == "loose":
                okey = public.setup.okey
                rest = hand - BITS_OF[action.tile]
                assert best_value_bits(rest, okey) == best_value_bits(hand, okey)
        if reason.code == "open":
            assert reason.points >= reason.need
    assert len(seen) >= 6, seen


def test_deals_that_differ_in_hidden_tiles_get_equal_advice() -> None:
    rng = random.Random(7)
    compared = 0
    states = [dealt(TABLES["altinstar-4"], 2)]
    while not states[-1].over:
        states.append(apply(states[-1], advice(view_of(states[-1], states[-1].turn)).action))
    for length in rng.sample(range(1, len(states)), 14):
        seen = states[:length]
        seat = seen[-1].turn
        try:
            other = replayed(other_deal(seen, seat, rng), seen)[-1]
        except IllegalAction:
            continue  # another seat could not have done there what it did
        assert other.hands != seen[-1].hands or other.stock != seen[-1].stock
        assert advice(view_of(other, seat)) == advice(view_of(seen[-1], seat))
        compared += 1
    assert compared >= 3


@pytest.mark.parametrize("language", ["tr", "en"])
def test_every_reason_has_its_sentence(language: str) -> None:
    texts = load(language)
    assert [code for code in REASONS if not texts.has(f"hint-why-{code}")] == []
    own = {key for key in texts.keys() if key.startswith("hint-why-")}  # noqa: SIM118
    assert own == {f"hint-why-{code}" for code in REASONS}
    for code in REASONS:
        assert texts.variables(f"hint-why-{code}") <= {"tile", "points", "need"}


def test_P1_an_opening_and_the_last_tile() -> None:
    melds = "R8 R9 R10 R11 Y9 Y10 Y11 Y12 B10 B11 B12 K3"
    first = advice(view_of(table("altinstar", [melds, "K2 K4"], stock=NEUTRAL), 0))
    assert (first.reason.code, first.reason.need) == ("open-finish", 0)
    deal = apply(table("altinstar", [melds, "K2 K4"], stock=NEUTRAL), first.action)
    while size_of_bits(view_of(deal, 0).hand or 0) > 1:
        deal = apply(deal, advice(view_of(deal, 0)).action)
    last = advice(view_of(deal, 0))
    assert last.reason.code == "finish"
    assert isinstance(last.action, Discard)
    assert last.action.tile == parse_tile("K3") != OKEY


@pytest.mark.parametrize("opened", [True, False])
def test_C1_no_finish_at_the_partners_cost_is_advised(opened: bool) -> None:
    view = view_of(before_a_finish(teams=True, opened=opened), 0)
    assert not isinstance(make_bot("steady").choose(view, Options(view)), Discard)
    action, reason = advice(view)
    assert make_bot("master").choose(view, Options(view)) == action
    assert isinstance(action, Discard)
    assert (reason.code, reason.tile) == ("wait-partner", str(Tile(action.tile)))
    alone = advice(view_of(before_a_finish(opened=opened), 0))
    assert alone.reason.code in ("open-finish", "lay-finish", "meld")
