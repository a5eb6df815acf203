"""Who sits down when: after a match, or from the next deal on; and who owns the table."""

import asyncio
import json
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock

import msgspec
import pytest

from conftest import raises_code, unwrap
from okey101.errors import OkeyError
from okey101.server.hub import Hub
from okey101.server.people.persons import NameLookups
from okey101.server.protocol import client_messages as ask
from okey101.server.protocol.server_messages import read_event
from okey101.server.tables import log_entries as log, serialise
from okey101.server.tables.clocks import bot_action, next_due
from okey101.server.tables.command_handler import entry_for
from okey101.server.tables.queries import answer
from okey101.server.tables.reduce import reduce
from okey101.server.tables.rows import state_hash
from okey101.server.tables.state import Seat, Stage, changed
from okey101.server.tables.table import Table
from okey101.server.web.lobby import _line
from server.contributions import commit, reveal
from server.simulation import World, live
from server.tables.table_stories import Story, story, table_options
from server.tables.twins import (
    Screen,
    asked,
    brought_back,
    deal_over,
    hidden_words,
    put,
    refusal,
    table_at,
)

LATE = "late"
HIDDEN = ("delayed", "off")
SHOWN = ("live", "deal")
BOTS = (None, None, "steady", "greedy")


def begun(seats: str = "4", bots: tuple[str | None, ...] = (None, None, "steady", None)) -> Story:
    """A match that runs, of the people u0, u1 and so on, and a bot."""
    made = Story(table_options("altinstar", seats, bots=bots), "sitting")
    made.begin()
    return made


def ended(spectators: str, **changes: Any) -> Story:
    """A match that has ended, of two people and two bots."""
    changes |= {"deals": 1, "spectators": spectators, "bots": BOTS}
    return story("altinstar", "4", "ended", style="eager", **changes)


# After a match --------------------------------------------------------------------------------


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("spectators", HIDDEN)
def test_a_hidden_match_takes_no_new_people(spectators: str, late: bool) -> None:
    """Neither in a bot's seat nor in one that is free."""
    made = ended(spectators, late=late)
    made.add(log.Left(user="u1"))
    for seat in (None, 1, 2):
        assert refusal(made.state, "x", ask.Sit(rid="1", seat=seat)) == "match-ended"
        assert refusal(made.state, "u0", ask.Sit(rid="1", seat=seat)) != "match-ended"


@pytest.mark.parametrize("seat", [None, 1, 2])
@pytest.mark.parametrize("spectators", SHOWN)
def test_a_shown_match_takes_new_people_for_the_next(spectators: str, seat: int | None) -> None:
    made = ended(spectators)
    made.add(log.Left(user="u1"))
    state = asked(made, "x", ask.Sit(rid="1", seat=seat))
    assert (state.stage, state.seat_of("x")) == (Stage.OVER, seat or 1)


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("spectators", HIDDEN)
def test_who_stayed_alone_finds_new_people(spectators: str, first: bool) -> None:
    """Whether another match was asked for before the others left, or after."""
    made = ended(spectators)
    told: list[log.Entry] = [log.RematchSet(user="u0"), log.Left(user="u1")]
    for entry in told if first else told[::-1]:
        made.add(entry)
    assert made.state.stage is Stage.WAITING
    assert asked(made, "x", ask.Sit(rid="1")).seat_of("x") == 1
    assert (made.state.played, made.state.deal) == ((), None)


# In a running match ---------------------------------------------------------------------------


def test_the_owner_sends_away_who_came_in_late() -> None:
    made = begun()
    state = made.add(log.Sat(user=LATE, seat=2, late=True))
    assert state.latecomers == {LATE}
    assert refusal(state, "u1", ask.Kick(rid="1", seat=2)) == "not-owner"
    after = asked(made, "u0", ask.Kick(rid="1", seat=2))
    assert after.seats[2] == Seat(bot="steady")
    assert (after.stage, after.deal, after.latecomers) == (Stage.PLAYING, state.deal, frozenset())
    assert refusal(after, LATE, ask.Sit(rid="2")) == "kicked"


def test_who_began_the_match_stays_and_who_came_late_may_be_sent_away() -> None:
    """Who left and came back came in late, and so did who comes between deals."""
    made = begun()
    asked(made, LATE, ask.Sit(rid="1"))
    for seat in (1, 3):
        assert refusal(made.state, "u0", ask.Kick(rid="1", seat=seat)) == "not-waiting"
    made.add(log.Left(user=LATE))
    assert refusal(made.state, "u0", ask.Kick(rid="1", seat=2)) == "not-waiting"
    assert made.state.latecomers == frozenset()
    made.add(log.Left(user="u1"))
    asked(made, "u1", ask.Sit(rid="2", seat=1))
    assert asked(made, "u0", ask.Kick(rid="2", seat=1)).seats[1] == Seat(bot="steady")
    made.play("eager")
    assert made.state.stage is Stage.DEALING
    asked(made, LATE, ask.Sit(rid="3", seat=2))
    made.deal()
    assert asked(made, "u0", ask.Kick(rid="3", seat=2)).seat_of(LATE) is None


def test_the_table_goes_to_who_began_the_match_with_its_owner() -> None:
    """A stranger in a seat before theirs can't send them away, nor stay against their will."""
    made = begun(bots=(None, "steady", None, None))
    made.add(log.Sat(user=LATE, seat=1, late=True))
    assert made.add(log.Left(user="u0")).owner == "u2"
    assert made.add(log.Left(user="u2")).owner == "u3"
    assert made.add(log.Left(user="u3")).owner == LATE
    asked(made, "u3", ask.Sit(rid="1", seat=3))
    assert refusal(made.state, LATE, ask.Kick(rid="2", seat=1)) == "no-seat"


def test_whoever_plays_another_match_began_it() -> None:
    made = Story(table_options("altinstar", "2", deals=1, bots=(None, "greedy")), "again")
    made.add(log.Started(user="u0", secret=made.secret()))
    asked(made, LATE, ask.Sit(rid="1"))
    made.deal()
    made.play_out()
    assert made.state.latecomers == {LATE}
    for user in ("u0", LATE):
        asked(made, user, ask.Rematch(rid="r"))
    assert (made.state.stage, made.state.match) == (Stage.DEALING, 2)
    assert made.state.latecomers == frozenset()
    assert refusal(made.state, "u0", ask.Kick(rid="1", seat=1)) == "not-waiting"


async def test_nobody_holds_up_a_match_without_a_clock() -> None:
    """A stranger takes the bot's seat and does nothing; the owner sends him away."""
    made = begun("2", (None, "steady"))
    while made.state.deal is not None and made.state.deal.turn != 1:
        made.move("eager")
    table = table_at(made.state)
    stranger = Screen(LATE)
    table.attach(Screen("u0"))
    table.attach(stranger)
    await put(table, log.Sat(user=LATE, seat=1, late=True))
    assert next_due(table, table._deps, 0) is None  # nothing will happen by itself
    await table.command("u0", ask.Kick(rid="1", seat=1))
    assert stranger.closed == (4003, "kicked")
    await assert_bot_moves(table, 1)


# Who waits for the next deal ---------------------------------------------------------------------

WATCHED = ("live", "deal", "delayed")
GUEST, OTHER = "guest", "other"
WAITS = log.Sat(user=GUEST, seat=2, late=True, waits=True)


def running(spectators: str = "live", seed: str = "coming", deals: int = 2) -> Story:
    """A deal that runs, of two people and two bots."""
    choices: dict[str, object] = {"spectators": spectators, "delay": 60, "deals": deals}
    made = Story(table_options("altinstar", "4", bots=BOTS, **choices), seed)
    made.begin()
    for _ in range(9):
        made.move("eager")
    return made


async def assert_bot_moves(table: Table, seat: int) -> None:
    assert unwrap(next_due(table, table._deps, 0)).what is None
    entry = await bot_action(table.state, table._deps)
    assert isinstance(entry, log.Acted)
    assert (entry.seat, entry.by) == (seat, "bot")


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
    made = running(spectators)
    table = table_at(made.state)
    table.attach(Screen(None))
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
        for what in ("options", "arrange", "check"):
            with raises_code("not-seated"):
                answer(table.state, guest, ask.Ask(rid="q", what=what, action="discard R1"))
        await table.command(guest, ask.Leave(rid="2"))
    assert table.state.coming == ()


@pytest.mark.parametrize("spectators", WATCHED)
async def test_until_then_one_is_told_what_spectators_are(spectators: str) -> None:
    """Byte for byte, whatever spectators of this table are told, and when."""
    made = running(spectators)
    table = table_at(made.state)
    looker, guest = Screen(None), Screen(GUEST)
    table.attach(looker)
    table.attach(guest)
    await table.command(GUEST, ask.Sit(rid="1", seat=2))
    with raises_code("not-seated", details={}):
        await table.command(GUEST, ask.Act(rid="2", action="draw"))
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


def test_whose_a_table_is_and_how_many_seats_somebody_may_have() -> None:
    made = Story(table_options("altinstar", "4", bots=BOTS), "vacant")
    assert made.state.vacant == 3
    made = running()
    assert made.state.vacant == 2
    state = asked(made, GUEST, ask.Sit(rid="1", seat=2))
    for change, vacant, hosts in (
        ({}, 1, {"u0"}), ({"late": False}, 0, {"u0"}), ({"quick": 8}, 1, {"u0", "u1", GUEST}),
    ):  # fmt: skip
        other = changed(state, options=msgspec.structs.replace(state.options, **change))
        assert other.vacant == vacant
        assert other.hosts == hosts


def test_where_nobody_may_watch_nobody_comes_late() -> None:
    assert refusal(running("off").state, GUEST, ask.Sit(rid="1", seat=2)) == "seat-taken"


# From the next deal on -----------------------------------------------------------------------


async def test_the_bot_keeps_the_seat_and_the_newcomer_has_it_in_the_next_deal() -> None:
    made = running()
    while made.state.deal is not None and made.state.deal.turn != 2:
        made.move("eager")
    table = table_at(made.state)
    guest = Screen(GUEST)
    for viewer in (guest, Screen("u0"), Screen("u1")):
        table.attach(viewer)
    await table.command(GUEST, ask.Sit(rid="1", seat=2))
    await assert_bot_moves(table, 2)
    promised = {"name": None, "bot": "steady", "coming": "GUEST"}
    assert heard(guest)[-1]["table"]["seats"][2] == promised
    await deal_over(table)
    assert (table.state.stage, table.state.coming) == (Stage.DEALING, ())
    assert table.state.seats[2] == Seat(user=GUEST)
    assert table.state.latecomers == {GUEST}
    assert set(table.audience.seated) == {GUEST, "u0", "u1"}
    await table.command(GUEST, commit(table.state, GUEST, bytes(16), "2"))
    await put(table, log.CommitmentsShown())
    await table.command(GUEST, reveal(bytes(16), "3"))
    await put(table, log.Dealt())
    assert table.state.deal is not None
    hand = unwrap(serialise.you(table.state, 2))
    assert heard(guest)[-1]["you"]["hand"] == hand["hand"]


def test_only_who_had_the_seat_comes_back_into_the_deal() -> None:
    made = running()
    made.add(log.Left(user="u1"))
    sat = log.Sat(user="u1", rid="1", seat=1, late=True, digest=0)
    assert entry_for(made.state, "u1", ask.Sit(rid="1")) == sat
    state = asked(made, "u1", ask.Sit(rid="1", seat=1))
    assert (state.seat_of("u1"), state.coming) == (1, ())
    made.add(log.Left(user="u1"))
    state = asked(made, "u1", ask.Sit(rid="2", seat=3))
    assert (state.seat_of("u1"), state.coming_to("u1")) == (None, 3)
    assert refusal(state, "u1", ask.Sit(rid="3", seat=1)) == "already-seated"
    made.add(log.Left(user="u1"))
    assert asked(made, GUEST, ask.Sit(rid="4", seat=1)).coming == ((1, GUEST),)
    assert refusal(made.state, "u1", ask.Sit(rid="5", seat=1)) == "seat-taken"


def test_nobody_is_promised_a_deal_after_the_last() -> None:
    """Who had a hand in the last deal may come back to it."""
    made = running(deals=1)
    assert (made.state.vacant, refusal(made.state, GUEST, ask.Sit(rid="1"))) == (0, "match-ended")
    made.add(log.Left(user="u1"))
    for user, seat in ((GUEST, 1), ("u1", 2)):
        assert refusal(made.state, user, ask.Sit(rid="1", seat=seat)) == "match-ended"
    assert asked(made, "u1", ask.Sit(rid="1")).seat_of("u1") == 1


def test_who_left_the_deal_before_has_a_seat_from_the_next_one_on() -> None:
    """Once commitments are shown, as anybody else: that hand is no more."""
    made = running(deals=3)
    made.add(log.Left(user="u1"))
    made.play("eager")
    made.add(log.CommitmentsShown())
    assert made.state.stage is Stage.DEALING
    assert asked(made, GUEST, ask.Sit(rid="1", seat=2)).coming == ((2, GUEST),)
    assert asked(made, "u1", ask.Sit(rid="1", seat=1)).coming_to("u1") == 1


def test_a_promised_seat_is_given_up_taken_back_and_promised_once() -> None:
    made = running()
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
    """A log of before may promise a deal that there is not."""
    made = running(deals=1)
    made.add(WAITS)
    while made.state.stage is not Stage.OVER:
        if made.state.stage is Stage.DEALING:
            made.deal()
            made.add(log.Left(user=GUEST))
            made.add(WAITS)
        made.play("eager")
    assert (made.state.coming, made.state.seat_of(GUEST)) == ((), None)


@pytest.mark.parametrize("by", ["owner", "admin", "leave", "over"])
async def test_who_loses_the_promise_is_told(by: str) -> None:
    table = table_at(running(deals=1).state)
    await put(table, WAITS)
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
    assert (guest in table.audience.everybody) is (closed is None)


async def test_a_new_name_and_the_names_at_hand() -> None:
    table = table_at(running().state)
    await table.command(GUEST, ask.Sit(rid="1", seat=2))
    looker = Screen(None)
    table.attach(looker)
    await table.renamed(GUEST)
    assert heard(looker)[-1]["what"] == {"kind": "rename", "seat": 2}
    assert heard(looker)[-1]["table"]["seats"][2]["coming"] == "GUEST"
    assert GUEST in table.known


def test_the_table_goes_to_who_waited_where_everybody_else_left() -> None:
    made = running()
    asked(made, GUEST, ask.Sit(rid="1", seat=2))
    made.add(log.Left(user="u1"))
    made.add(log.Left(user="u0"))
    made.play("eager")
    assert (made.state.owner, made.state.people) == (GUEST, (GUEST,))


# The log -------------------------------------------------------------------------------------


def test_the_row_says_whether_the_seat_is_taken_at_once() -> None:
    made = running()
    old = reduce(made.state, log.Sat(user=GUEST, seat=2, late=True), made.state.at_ms)
    assert (old.seat_of(GUEST), old.coming) == (2, ())
    new = reduce(made.state, log.Sat(user=GUEST, seat=2, late=True, waits=True), 0)
    assert (new.seat_of(GUEST), new.coming) == (None, ((2, GUEST),))
    assert state_hash(new) != state_hash(reduce(new, log.Left(user=GUEST), 0))
    assert b"waits" not in log.encode_entry(log.Sat(user=GUEST, seat=2, late=True))


async def test_the_promise_outlives_a_restart() -> None:
    made = running()
    asked(made, GUEST, ask.Sit(rid="1", seat=2))
    made.move("eager")
    table = await brought_back(made)
    assert table.state.coming == ((2, GUEST),)
    guest = Screen(GUEST)
    table.attach(guest)
    assert heard(guest)[-1] == {"type": "coming", "seat": 2}


# The lobby -----------------------------------------------------------------------------------


@pytest.mark.parametrize("spectators", ["delayed", "deal"])
async def test_the_lobby_tells_no_more_of_a_match_than_spectators_may_know(spectators: str) -> None:
    """Neither its stage nor its seats, nor by the order of the tables that it has moved."""
    table = table_at(running(spectators).state)
    hub = cast("Hub", SimpleNamespace(names=NameLookups(AsyncMock())))
    first = _line(hub, table)
    assert first.free == 2
    await table.command(GUEST, ask.Sit(rid="1", seat=2))
    if spectators == "delayed":
        await deal_over(table)
        assert table.state.stage is Stage.DEALING
    assert _line(hub, table) == first
    table.audience._show(table.audience.feed.shown, table.audience.feed.release(10.0**9))
    if spectators == "delayed":
        assert _line(hub, table).stage == "dealing"


# Who owns the table next -------------------------------------------------------------------------

BOT, OTHER_BOT = "b_careful", "b_other"


async def replaced(world: World, seats: dict[int, str]) -> None:
    """The table with others in some of its seats; they have nobody to write to."""
    for seat, user in seats.items():
        await world.table.command(f"u{seat}", ask.Leave(rid=f"gone{seat}"))
        await world.table.command(user, ask.Sit(rid="here", seat=seat))
        await world.table.command(user, ask.Ready(rid="ready"))


@pytest.mark.parametrize("kicked", [False, True])
@live("waiting")
async def test_a_person_inherits_before_a_bot_account(world: World, kicked: bool) -> None:
    world.all_come()
    await replaced(world, {1: BOT})
    if kicked:
        await world.table.kick(0)
    else:
        await world.table.command("u0", ask.Leave(rid="bye"))
    assert world.people() == (BOT, "u2", "u3")
    assert world.table.state.owner == "u2"
    await world.table.command("u2", ask.SetBot(rid="b", seat=0, bot="random"))


async def orphaned(world: World) -> None:
    await replaced(world, {1: BOT, 2: OTHER_BOT})
    for user in ("u3", "u0"):
        await world.table.command(user, ask.Leave(rid="bye"))
    assert world.people() == (BOT, OTHER_BOT)
    assert world.table.state.orphaned


@live("waiting")
async def test_a_table_of_bot_accounts_alone_waits_for_a_person(world: World) -> None:
    await orphaned(world)
    with pytest.raises(OkeyError, match="owner"):
        await world.table.command(BOT, ask.Start(rid="go"))
    await world.table.command("b_third", ask.Sit(rid="1", seat=3))
    assert world.table.state.orphaned
    await world.table.command("u9", ask.Sit(rid="1", seat=0))
    assert world.table.state.owner == "u9"
    for user in ("b_third", "u9"):
        await world.table.command(user, ask.Ready(rid="2"))
    await world.table.command("u9", ask.Start(rid="3"))


@pytest.mark.parametrize("left", [False, True])
def test_a_person_who_waited_for_a_seat_takes_over_before_a_bot_account(left: bool) -> None:
    """And has not left any more; where nobody is there the first who comes has the table."""
    state = changed(
        running().state, owner="gone", coming=((2, BOT), (3, GUEST)), quits=((GUEST, 5), (OTHER, 6))
    )
    if left:
        state = changed(state, seats=(Seat(bot="steady"), *state.seats[1:])).put(1, Seat())
    taken = state.seats_taken()
    assert taken.owner == (BOT if left else GUEST)
    assert taken.quits == ((OTHER, 6),)
    assert taken.latecomers == {BOT, GUEST}
    assert taken.coming == ()
    assert (taken.seats[2], taken.seats[3]) == (Seat(user=BOT), Seat(user=GUEST))


@pytest.mark.parametrize("over", [False, True])
@pytest.mark.parametrize("of_a_day", [False, True])
@pytest.mark.parametrize("heir", [None, "account"])
async def test_only_a_running_try_of_a_day_is_inherited(
    over: bool, of_a_day: bool, heir: str | None
) -> None:
    day = log.Day(date="2026-11-26", secrets=("5e" * 32,) * 4, closes_ms=5)
    made = ended("live") if over else running()
    table = table_at(changed(made.state, day=day if of_a_day else None))
    await table.remove("u0", heir)
    inherited = heir is not None and of_a_day and not over
    assert table.state.seat_of("u0") is None
    assert table.state.seat_of("account") == (0 if inherited else None)


@live("waiting")
async def test_a_table_of_bot_accounts_alone_closes_as_an_idle_one(world: World) -> None:
    await orphaned(world)
    await asyncio.sleep(1_799)
    assert not world.over
    await asyncio.sleep(2)
    assert world.written()[-1][1] == log.Closed(why="idle")
