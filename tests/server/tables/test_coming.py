"""Who sits down in a running deal waits for the next one, and is told what spectators are."""

from __future__ import annotations

import asyncio
import json
import random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from okey101.errors import OkeyError
from okey101.server.hub import Hub
from okey101.server.protocol import client_messages as ask
from okey101.server.protocol.server_messages import read_event
from okey101.server.tables import log_entries as log
from okey101.server.tables import serialise
from okey101.server.tables.clocks import bot_action, next_due
from okey101.server.tables.command_handler import entry_for
from okey101.server.tables.queries import answer
from okey101.server.tables.reduce import reduce
from okey101.server.tables.rows import state_hash
from okey101.server.tables.state import Seat, Stage, TableState
from okey101.server.tables.table import Table
from okey101.server.web.lobby import _line
from server.contributions import commit, reveal
from server.tables.at_tables import asked, deal_over, put, refusal
from server.tables.table_stories import Story, filled, rows_of, table_options
from server.tables.twins import Screen, Unchecked, dependencies, hidden_words, promises, twins

WATCHED = ("live", "deal", "delayed")
BOTS = (None, None, "steady", "greedy")
GUEST, OTHER = "guest", "other"


def begun(spectators: str = "live", seed: str = "coming", deals: int = 2) -> Story:
    """A deal that runs, of two people and two bots."""
    options = table_options(
        "altinstar", "4", bots=BOTS, spectators=spectators, delay=60, deals=deals
    )
    made = Story(options, seed)
    made.begin()
    for _ in range(9):
        made.move("eager")
    return made


def table_at(state: TableState) -> Table:
    return Table(state, dependencies(Unchecked(), state.at_ms, 1))


def heard(viewer: Screen) -> list[dict[str, Any]]:
    for data in viewer.got:
        read_event(data)
    return [json.loads(data) for data in viewer.got]


def public(viewer: Screen) -> list[bytes]:
    """What a viewer was told, without the promise of its seat."""
    return [data for data in viewer.got if json.loads(data)["type"] != "coming"]


# The attack ----------------------------------------------------------------------------------


@pytest.mark.parametrize("spectators", WATCHED)
async def test_guests_who_sit_down_one_after_the_other_read_no_hand(spectators: str) -> None:
    """Two guests in a row looked at a whole hand each, and left."""
    made = begun(spectators)
    table = table_at(made.state)
    looker = Screen(None)
    table.attach(looker)
    for guest, seat in ((GUEST, 2), (OTHER, 3)):
        viewer = Screen(guest)
        table.attach(viewer)
        await table.command(guest, ask.Sit(rid="1", seat=seat))
        again = Screen(guest)
        table.attach(again)
        assert table.state.seats == made.state.seats
        for screen in (viewer, again):
            assert all(message.get("you") is None for message in heard(screen))
            spoken = b"\n".join(screen.got)
            assert not any(w in spoken for w in hidden_words(table.state, None))
        for what in ("options", "arrange"):
            with pytest.raises(OkeyError) as caught:
                answer(table.state, guest, ask.Ask(rid="q", what=what))
            assert caught.value.code == "not-seated"
        question = ask.Ask(rid="q", what="check", action="discard R1")
        with pytest.raises(OkeyError, match="sit"):
            answer(table.state, guest, question)
        await table.command(guest, ask.Leave(rid="2"))
    assert table.state.coming == ()
    await table.stop()


@pytest.mark.parametrize("spectators", WATCHED)
async def test_until_then_one_is_told_what_spectators_are(spectators: str) -> None:
    """Byte for byte, whatever spectators of this table are told, and when."""
    made = begun(spectators)
    table = table_at(made.state)
    looker, guest = Screen(None), Screen(GUEST)
    table.attach(looker)
    table.attach(guest)
    await table.command(GUEST, ask.Sit(rid="1", seat=2))
    at = len(made.steps)
    for _ in range(12):
        made.move("eager")
    for step in made.steps[at:]:
        await put(table, step.entry)
    back = Screen(GUEST)
    table.attach(back, made.state.seq - 3)
    assert public(guest) == looker.got
    assert [m["seat"] for m in heard(guest) if m["type"] == "coming"] == [2]
    assert heard(back)[-1] == {"type": "coming", "seat": 2}
    fresh = Screen(None)
    table.attach(fresh, made.state.seq - 3)
    assert public(back) == fresh.got
    await table.stop()


def test_where_nobody_may_watch_nobody_comes_late() -> None:
    assert refusal(begun("off").state, GUEST, ask.Sit(rid="1", seat=2)) == "seat-taken"


@pytest.mark.parametrize("spectators", WATCHED)
def test_twins_are_told_apart_by_no_newcomer(spectators: str) -> None:
    rng = random.Random(spectators)
    compared = 0
    for number in range(6):
        made = begun(spectators, f"twins {number}")
        at = len(made.steps) - 1
        for _ in range(8):
            made.move("eager")
        if made.state.stage is not Stage.PLAYING:
            continue
        twin = twins(made.steps, None, at, len(made.steps) - 1, rng)
        if twin is None:
            continue
        state = made.steps[at].state
        rows = [step.entry for step in made.steps[at + 1 :]]
        one, other = (asyncio.run(newcomer_hears(begin, rows)) for begin in (state, twin))
        assert state.commitment is not None
        assert twin.commitment is not None
        for promised, theirs in zip(promises(state), promises(twin), strict=True):
            one = [told.replace(promised, b"") for told in one]
            other = [told.replace(theirs, b"") for told in other]
        assert one == other
        assert state.deal is not None
        assert twin.deal is not None
        compared += state.deal.hands != twin.deal.hands
    assert compared


async def newcomer_hears(state: TableState, rows: list[log.Entry]) -> list[bytes]:
    table = table_at(state)
    guest = Screen(GUEST)
    table.attach(guest)
    seq = await table.command(GUEST, ask.Sit(rid="1", seat=2))
    said = [repr(seq).encode()]
    for entry in rows:
        await put(table, entry)
    table.audience._show(table.feed.release(10.0**9))
    for command in (ask.Act(rid="2", action="draw"), ask.Sit(rid="3", seat=3)):
        with pytest.raises(OkeyError) as caught:
            await table.command(GUEST, command)
        said.append(repr((caught.value.code, caught.value.details)).encode())
    again = Screen(GUEST)
    table.attach(again, state.seq)
    await table.stop()
    return said + guest.got + again.got


# From the next deal on -----------------------------------------------------------------------


async def test_the_bot_keeps_the_seat_and_the_newcomer_has_it_in_the_next_deal() -> None:
    made = begun()
    while made.state.deal is not None and made.state.deal.turn != 2:
        made.move("eager")
    table = table_at(made.state)
    guest = Screen(GUEST)
    for viewer in (guest, Screen("u0"), Screen("u1")):
        table.attach(viewer)
    await table.command(GUEST, ask.Sit(rid="1", seat=2))
    due = next_due(table, table._deps, 0)
    assert due is not None
    assert due.thinks
    entry = await bot_action(table.state, table._deps)
    assert isinstance(entry, log.Acted)
    assert (entry.seat, entry.by) == (2, "bot")
    assert heard(guest)[-1]["table"]["seats"][2] == {
        "name": None, "bot": "steady", "coming": "GUEST",
    }  # fmt: skip
    await deal_over(table)
    assert (table.state.stage, table.state.coming) == (Stage.DEALING, ())
    assert table.state.seats[2] == Seat(user=GUEST)
    assert table.state.latecomers == {GUEST}
    assert set(table.connected) == {GUEST, "u0", "u1"}
    await table.command(GUEST, commit(table.state, GUEST, bytes(16), "2"))
    await put(table, log.CommitmentsShown())
    await table.command(GUEST, reveal(bytes(16), "3"))
    await put(table, log.Dealt())
    assert table.state.deal is not None
    hand = serialise.you(table.state, 2)
    assert hand is not None
    assert heard(guest)[-1]["you"]["hand"] == hand["hand"]
    await table.stop()


def test_only_who_had_the_seat_comes_back_into_the_deal() -> None:
    made = begun()
    made.add(log.Left(user="u1"))
    assert entry_for(made.state, "u1", ask.Sit(rid="1")) == log.Sat(
        user="u1", rid="1", seat=1, late=True, digest=0
    )
    state = asked(made, "u1", ask.Sit(rid="1", seat=1))
    assert (state.seat_of("u1"), state.coming) == (1, ())
    made.add(log.Left(user="u1"))
    state = asked(made, "u1", ask.Sit(rid="2", seat=3))
    assert (state.seat_of("u1"), state.coming_to("u1")) == (None, 3)
    assert refusal(state, "u1", ask.Sit(rid="3", seat=1)) == "already-seated"
    made.add(log.Left(user="u1"))
    assert asked(made, GUEST, ask.Sit(rid="4", seat=1)).coming == ((1, GUEST),)
    assert refusal(made.state, "u1", ask.Sit(rid="5", seat=1)) == "seat-taken"


def test_a_promised_seat_is_given_up_taken_back_and_promised_once() -> None:
    made = begun()
    assert asked(made, GUEST, ask.Sit(rid="1")).coming == ((2, GUEST),)
    assert refusal(made.state, OTHER, ask.Sit(rid="1", seat=2)) == "seat-taken"
    assert asked(made, OTHER, ask.Sit(rid="1")).coming == ((2, GUEST), (3, OTHER))
    assert refusal(made.state, "x", ask.Sit(rid="1")) == "table-full"
    assert refusal(made.state, "u1", ask.Kick(rid="k", seat=3)) == "not-owner"
    assert asked(made, "u0", ask.Kick(rid="k", seat=3)).coming == ((2, GUEST),)
    assert refusal(made.state, OTHER, ask.Sit(rid="2", seat=3)) == "kicked"
    for command in (ask.Ready(rid="r"), ask.Rematch(rid="m"), ask.Resume(rid="s")):
        assert refusal(made.state, GUEST, command) in ("not-seated", "no-rematch")
    assert asked(made, GUEST, ask.Leave(rid="2")).coming == ()
    assert made.state.stage is Stage.PLAYING


def test_who_waited_for_a_deal_that_is_not_played_was_not_in_the_match() -> None:
    made = begun(deals=1)
    asked(made, GUEST, ask.Sit(rid="1", seat=2))
    while made.state.stage is not Stage.OVER:
        if made.state.stage is Stage.DEALING:
            made.deal()
            made.add(log.Left(user=GUEST))
            asked(made, GUEST, ask.Sit(rid="1", seat=2))
        made.play("eager")
    assert (made.state.coming, made.state.seat_of(GUEST)) == ((), None)


@pytest.mark.parametrize("by", ["owner", "admin", "leave", "over"])
async def test_who_loses_the_promise_is_told(by: str) -> None:
    made = begun(deals=1)
    table = table_at(made.state)
    await table.command(GUEST, ask.Sit(rid="1", seat=2))
    guest = Screen(GUEST)
    table.attach(guest)
    if by == "owner":
        await table.command("u0", ask.Kick(rid="k", seat=2))
    elif by == "admin":
        await table.kick(2)
    elif by == "leave":
        await table.remove(GUEST)
    else:
        await deal_over(table)
        assert table.state.stage is Stage.OVER
    closed = 4003 if by in ("owner", "admin") else None
    assert (guest.closed and guest.closed[0]) == closed
    assert {"type": "coming", "seat": None} in heard(guest)
    assert (guest in table.viewers) is (closed is None)
    await table.stop()


async def test_a_new_name_and_the_names_at_hand() -> None:
    made = begun()
    table = table_at(made.state)
    await table.command(GUEST, ask.Sit(rid="1", seat=2))
    looker = Screen(None)
    table.attach(looker)
    await table.renamed(GUEST)
    assert heard(looker)[-1]["what"] == {"kind": "rename", "seat": 2}
    assert heard(looker)[-1]["table"]["seats"][2]["coming"] == "GUEST"
    assert GUEST in table.known
    await table.stop()


def test_the_table_goes_to_who_waited_where_everybody_else_left() -> None:
    made = begun()
    asked(made, GUEST, ask.Sit(rid="1", seat=2))
    made.add(log.Left(user="u1"))
    made.add(log.Left(user="u0"))
    made.play("eager")
    assert (made.state.owner, made.state.people) == (GUEST, (GUEST,))


# The log -------------------------------------------------------------------------------------


def test_the_row_says_whether_the_seat_is_taken_at_once() -> None:
    made = begun()
    old = reduce(made.state, log.Sat(user=GUEST, seat=2, late=True), made.state.at_ms)
    assert (old.seat_of(GUEST), old.coming) == (2, ())
    new = reduce(made.state, log.Sat(user=GUEST, seat=2, late=True, waits=True), 0)
    assert (new.seat_of(GUEST), new.coming) == (None, ((2, GUEST),))
    assert state_hash(new) != state_hash(reduce(new, log.Left(user=GUEST), 0))
    assert b"waits" not in log.encode_entry(log.Sat(user=GUEST, seat=2, late=True))


async def test_the_promise_outlives_a_restart() -> None:
    made = begun()
    asked(made, GUEST, ask.Sit(rid="1", seat=2))
    made.move("eager")
    store = await filled([*rows_of(made.steps)])
    table = await Table.load(made.state.table, dependencies(store, made.state.at_ms, 1))
    assert table is not None
    assert table.frozen is None
    assert table.state.coming == ((2, GUEST),)
    guest = Screen(GUEST)
    table.attach(guest)
    assert heard(guest)[-1] == {"type": "coming", "seat": 2}
    await table.stop()


# The lobby -----------------------------------------------------------------------------------


@pytest.mark.parametrize("spectators", ["delayed", "deal"])
async def test_the_lobby_tells_no_more_of_a_match_than_spectators_may_know(spectators: str) -> None:
    """Neither its stage nor its seats, nor by the order of the tables that it has moved."""
    made = begun(spectators)
    table = table_at(made.state)
    hub = cast("Hub", SimpleNamespace(names={}))
    first = _line(hub, table)
    assert first.free == 2
    await table.command(GUEST, ask.Sit(rid="1", seat=2))
    if spectators == "delayed":
        await deal_over(table)
        assert table.state.stage is Stage.DEALING
    assert _line(hub, table) == first
    table.audience._show(table.feed.release(10.0**9))
    if spectators == "delayed":
        assert _line(hub, table).stage == "dealing"
    await table.stop()
