"""A client that adds what events tell to the view it began with has what a fresh view shows."""

from __future__ import annotations

import json

import pytest

from conftest import every_other, unwrap
from okey101.game import PRESETS
from okey101.server.protocol.views import Called
from okey101.server.tables import log_entries as log
from okey101.server.tables import serialise
from okey101.server.tables.state import TableState
from okey101.server.tables.table import Table
from server.model import Model
from server.protocol.test_messages import checked
from server.tables.table_stories import Step, Story, story, table_options
from server.tables.twins import Screen, Unchecked, dependencies


def compared(known: Model, state: TableState, seat: int | None, *, options: bool) -> None:
    """The client's table is the server's; options count only on the seat's own turn."""
    told = {
        "table": serialise.table_view(state, lambda user: Called(user.upper())),
        "deal": serialise.deal_view(state),
        "you": serialise.you(state, seat, serialise.options_for(state, seat or 0)),
    }
    fresh = json.loads(serialise.encode(told))
    mine, yours = known.you, fresh["you"]
    turn = None if state.deal is None or state.deal.over else state.deal.turn
    if mine is not None and (turn != seat or not options):
        mine, yours = ({k: v for k, v in you.items() if k != "options"} for you in (mine, yours))
    assert (known.seq, known.at) == (state.seq, state.at_ms)
    assert (known.table, known.deal, mine) == (fresh["table"], fresh["deal"], yours)


async def follow(steps: list[Step]) -> int:
    """Tell a table's whole life to clients of all seats and one without; the rows compared.

    One of the seats is told no options.
    """
    first = steps[0].state
    table = Table(first, dependencies(Unchecked(), first.at_ms, 1))
    clients = {
        Screen(user, options=user != "u1"): Model()
        for user in (None, *(f"u{n}" for n, _ in enumerate(first.seats)))
    }
    for screen in clients:
        table.attach(screen)
    short = len(steps) < 300
    for step in steps[1:]:
        table._swap(step.entry, step.state)
        state = step.state
        for screen, known in clients.items():
            for data in screen.got:
                checked(data)
                known.take(json.loads(data))
            screen.got.clear()
            if screen.closed is None and (short or state.seq % 5 == 0):
                seat = state.seat_of(screen.user)
                compared(known, state, seat, options=screen.options)
                here = zip(state.seats, known.here, table.audience.here(), strict=True)
                assert all(one == other for seat, one, other in here if seat.user)
    await table.stop()
    return len(steps) - 1


@pytest.mark.parametrize(("preset", "seats"), every_other(PRESETS, ("2", "3", "4", "teams")))
async def test_views_and_events_agree_in_whole_matches(preset: str, seats: str) -> None:
    """Each message is one of the protocol's as well, and nothing in it is unknown there."""
    assisted = preset != "wiki"
    options = table_options(preset, seats, deals=1, spectators="live", assisted=assisted)
    told = Story(options, f"follow {preset} {seats}")
    told.fill()
    told.match("eager")
    told.rematch()
    told.add(log.Left(user="u0"))
    told.add(log.Sat(user="u0", seat=0))
    told.add(log.ReadySet(user="u0"))
    for user in told.state.people:
        told.add(log.ReadySet(user=user))
    told.match("by-kind")
    told.add(log.Closed(why="idle"))
    assert await follow(told.steps) > 60


def test_every_entry_is_told_without_names_and_secrets() -> None:
    told = Story(table_options("wiki", "3", deals=1), "what")
    told.fill()
    told.match("eager")
    for before, after in zip(told.steps, told.steps[1:], strict=False):
        what = serialise.what_happened(after.entry, before.state)
        text = serialise.encode(what)
        assert b"u0" not in text
        assert b"rid" not in text
        assert set(what) <= {"kind", "seat", "on", "actions", "by", "why", "bot", "random"}
        assert not isinstance(after.entry, log.Sat | log.Revealed | log.ReadySet) or "seat" in what


def test_E1_the_hand_of_who_finished_is_empty() -> None:
    ended = (story("altinstar", "2", f"end {n}", style="eager").steps for n in range(9))
    states = (step.state for steps in ended for step in steps)
    for state in states:
        result = None if state.deal is None else state.deal.result
        if result is not None and result.winner is not None:
            assert unwrap(serialise.you(state, result.winner))["hand"] == ""
            return
    raise AssertionError("nobody finished")
