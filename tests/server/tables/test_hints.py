"""Hints at a table: who gets them, what they say, and that they come of the own view alone (T2)."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import msgspec
import pytest

from okey101.bots.reasons import advice
from okey101.errors import IllegalAction, OkeyError
from okey101.game import PRESETS, Deal, determinize, options_of, parse_action, view_of
from okey101.server.protocol import client_messages as ask
from okey101.server.protocol.server_messages import Answer, read_event
from okey101.server.tables import serialise
from okey101.server.tables.queries import answer, hint
from okey101.server.tables.state import Seat, TableState, changed
from okey101.server.work.bot_thoughts import BotTurns
from rules.table import MELDS, NEUTRAL, PAIRS, play, table
from server.tables.table_stories import at_table


def dealt(own: str, preset: str = "altinstar", **changes: Any) -> Deal:
    """Two seats; the first, with this hand, starts."""
    return table(preset, [own, "K2 K4 K6 K8"], stock=NEUTRAL, **changes)


def hinted(state: TableState, user: str = "u0") -> Any:
    return _sent("hint", asyncio.run(hint(state, user, BotTurns())))


def opening(state: TableState, user: str = "u0") -> Any:
    return _sent("opening", answer(state, user, ask.Ask(rid="q", what="opening")))


def _sent(what: str, found: Any) -> Any:
    """The answer, which has to be one that the protocol knows."""
    message = read_event(serialise.encode({"type": "answer", "rid": "q", "what": what, **found}))
    assert isinstance(message, Answer)
    return found


def with_options(state: TableState, **options: Any) -> TableState:
    return changed(state, options=msgspec.structs.replace(state.options, **options))


@pytest.mark.parametrize("preset", PRESETS)
def test_a_hint_is_legal_and_says_why(preset: str) -> None:
    deal = dealt(f"{MELDS} B3 B5", preset)
    found = hinted(at_table(deal))
    assert found["action"] in deal.legal_actions()
    assert found["reason"]["code"] == advice(view_of(deal, 0)).reason.code
    assert found["reason"].keys() == {"code", "tile", "points", "need", "safe"}


def test_a_hint_and_an_opening_follow_from_the_view_alone() -> None:
    deal = dealt(f"{MELDS} B3 B5")
    other = determinize(view_of(deal, 0), random.Random(1))
    assert other.stock != deal.stock or other.hands != deal.hands
    for asked in (hinted, opening):
        assert asked(at_table(other)) == asked(at_table(deal))


def test_a_hint_is_for_the_own_turn() -> None:
    with pytest.raises(IllegalAction) as refused:
        hinted(at_table(dealt(f"{MELDS} B3 B5")), "u1")
    assert refused.value.code == "not-your-turn"


@pytest.mark.parametrize("asked", [hinted, opening])
@pytest.mark.parametrize(
    ("options", "strangers", "given"),
    [
        ({}, False, True),
        ({"hints": False}, False, False),
        ({"assisted": False}, False, False),
        ({"listed": True}, True, False),
        ({"listed": True}, False, True),
    ],
)
def test_the_owner_and_strangers_turn_hints_off(
    asked: Any, options: dict[str, bool], strangers: bool, given: bool
) -> None:
    state = with_options(at_table(dealt(f"{MELDS} B3 B5")), **options)
    if not strangers:
        state = changed(state, seats=(Seat(user="u0"), Seat(bot="steady")))
    if given:
        assert asked(state)
        return
    with pytest.raises(OkeyError) as refused:
        asked(state)
    assert refused.value.code == "no-hints"


def test_O1_O2_the_opening_is_the_solvers_and_legal() -> None:
    melds = opening(at_table(dealt(f"{MELDS} B3 B5")))
    assert (melds["form"], melds["points"]) == ("melds", 108)
    assert melds["opening"] == {"need_points": 101, "need_pairs": 5}
    deal = dealt(f"{MELDS} B3 B5")
    action = parse_action("meld " + " / ".join(melds["groups"]))
    assert action in deal.legal_actions()
    assert action == options_of(deal).opening
    pairs = opening(at_table(dealt(f"{PAIRS[0]} B3 B5")))
    assert (pairs["form"], pairs["pairs"]) == ("pairs", 5)
    assert "meld " + " / ".join(pairs["groups"]) in dealt(f"{PAIRS[0]} B3 B5").legal_actions()
    # Off turn as well.
    assert opening(at_table(dealt(f"{MELDS} B3 B5")), "u1")["form"] is None


def test_what_comes_nearest_and_what_is_best_after_opening() -> None:
    short = opening(at_table(dealt("R11 R12 R13 B3 B5 K1")))
    assert (short["form"], short["points"], short["groups"]) == (None, 36, ["R11 R12 R13"])
    twins = opening(at_table(dealt("R11 R12 R13 B3 B3 K1 K1 Y9")))
    assert (twins["form"], twins["points"], twins["pairs"]) == (None, 36, 2)
    deal = play(dealt(f"{MELDS} R1 R2 R3 B5"), f"meld {MELDS}")
    later = opening(at_table(deal))
    assert (later["form"], later["opening"], later["groups"]) == (None, None, ["R1 R2 R3"])
