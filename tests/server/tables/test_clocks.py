"""What happens by itself: the clock, absence, the pause before a deal."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
import structlog

from game.random_play import short_opening
from okey101.errors import OkeyError
from okey101.game import options_of, parse_action
from okey101.game.actions import PASS, Discard
from okey101.game.deal_parts import Phase
from okey101.server.protocol import client_messages as ask
from okey101.server.tables import log_entries as log
from okey101.server.tables import table as table_module
from okey101.server.tables.clocks import rest_of_turn
from okey101.server.tables.command_handler import MAX_FINES, entry_for
from okey101.server.tables.reduce import MAX_TURN_ACTIONS, applied, reduce
from okey101.server.tables.state import Stage, TableState
from okey101.server.work import bot_thoughts
from server.contributions import commit, reveal
from server.server_stories import EPOCH_MS, PEOPLE, story, table_options
from server.simulation import World
from server.tables.at_tables import deal_of
from server.tables.clock_worlds import (
    act,
    all_come,
    live,
    stage,
    to_act,
    written,
)


@live(clock=30)
async def test_a_turn_is_ended_when_its_time_and_a_moment_are_over(world: World) -> None:
    all_come(world)
    seat, begun = world.table.state.deal, len(world.store.rows)
    assert seat is not None
    await asyncio.sleep(30.4)
    assert len(world.store.rows) == begun
    await asyncio.sleep(0.2)
    [(at, entry)] = written(world, begun)
    assert isinstance(entry, log.Acted)
    assert (entry.seat, entry.by) == (seat.turn, "clock")
    assert isinstance(entry.actions[-1], Discard)
    assert at == pytest.approx(30.5, abs=0.01)
    assert world.table.state.deadline == EPOCH_MS + 60_500


@live(clock=30)
async def test_who_draws_has_no_more_time(world: World) -> None:
    all_come(world)
    await asyncio.sleep(31)  # the starter's turn, which has no draw
    await asyncio.sleep(20)
    begun = len(world.store.rows)
    assert await act(world, "draw") is None
    await asyncio.sleep(10.5)
    assert [type(entry) for _, entry in written(world, begun)] == [log.Acted, log.Acted]
    assert written(world, begun)[1][0] == pytest.approx(61, abs=0.01)


@live(clock=10)
async def test_after_two_turns_that_the_clock_ended_a_bot_plays(world: World) -> None:
    all_come(world)
    first = to_act(world.table.state)
    begun = len(world.store.rows)
    await asyncio.sleep(5 * 10.5 + 0.1)
    entries = [entry for _, entry in written(world, begun)]
    assert [e.by for e in entries if isinstance(e, log.Acted)] == ["clock"] * 5
    seat = world.table.state.seat_of(first)
    assert seat is not None
    assert entries[-1] == log.Away(seat=seat, on=True, why="late")
    rid = world.rid()
    assert await world.send(first, ask.Act(rid=rid, action="draw")) == "bot-plays"
    assert await world.send(first, ask.Resume(rid=world.rid())) is None
    assert world.table.state.seats[seat].human
    assert world.table.state.seats[seat].missed == 0


@live(clock=10)
async def test_a_turn_played_in_between_counts_anew(world: World) -> None:
    all_come(world)
    first = to_act(world.table.state)
    for _ in range(3):
        while to_act(world.table.state) != first:
            hand = await _throw(world)
            assert hand is None
        await asyncio.sleep(10.6)
        while to_act(world.table.state) != first:
            assert await _throw(world) is None
        assert await _throw(world) is None
    assert not any(isinstance(entry, log.Away) for _, entry in written(world))


async def _throw(world: World) -> str | None:
    """The whole turn of whoever is to act."""
    deal = deal_of(world.table.state)
    if deal.phase is Phase.DRAW:
        await act(world, "draw")
    deal = deal_of(world.table.state)
    return await act(world, str(rest_of_turn(deal)[-1]))


@live(clock=0)
async def test_without_a_clock_the_table_waits_for_who_is_there(world: World) -> None:
    all_come(world)
    begun = len(world.store.rows)
    await asyncio.sleep(1_000_000)
    assert len(world.store.rows) == begun
    assert await _throw(world) is None


# Absence -------------------------------------------------------------------------------------


@pytest.mark.parametrize("clock", [0, 600])
@live()
async def test_after_90_s_a_bot_plays_for_who_is_away(world: World, clock: int) -> None:
    gone = to_act(world.table.state)
    all_come(world)
    await asyncio.sleep(10)
    world.drop(gone)
    begun = len(world.store.rows)
    await asyncio.sleep(89.9)
    assert len(world.store.rows) == begun
    await asyncio.sleep(0.2)
    [(at, entry)] = written(world, begun)
    seat = world.table.state.seat_of(gone)
    assert seat is not None
    assert entry == log.Away(seat=seat, on=True, why="absent")
    assert at == pytest.approx(100)
    await asyncio.sleep(3)
    assert any(isinstance(e, log.Acted) and e.by == "bot" for _, e in written(world, begun))


@live(clock=0)
async def test_who_is_away_shortly_keeps_the_seat(world: World) -> None:
    all_come(world)
    begun = len(world.store.rows)
    for _ in range(5):
        world.drop("u2")
        await asyncio.sleep(80)
        world.connect("u2", resume=True)
    assert len(world.store.rows) == begun


@pytest.mark.parametrize("failures", [0, 3])
@live(clock=120, bot_delay=10000)
async def test_who_comes_back_has_the_seat_at_once_and_the_whole_turn(
    world: World, failures: int
) -> None:
    gone = to_act(world.table.state)
    all_come(world, gone)
    await asyncio.sleep(95)
    seat = world.table.state.seat_of(gone)
    assert seat is not None
    assert world.table.state.seats[seat].away
    begun = len(world.store.rows)
    world.store.memory.fail_next(failures)
    world.connect(gone)
    await asyncio.sleep(0.1 if not failures else 10)
    [(at, entry)] = written(world, begun)
    assert entry == log.Away(seat=seat, on=False, why="back")
    assert world.table.state.deadline == EPOCH_MS + round(1000 * (at + 120))


# A restart -----------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["stop", "crash"])
@pytest.mark.parametrize("failures", [0, 2])
@live(clock=30)
async def test_a_restart_gives_the_running_turn_its_whole_time(
    world: World, how: str, failures: int
) -> None:
    all_come(world)
    await asyncio.sleep(29)
    begun = len(world.store.rows)
    world.store.memory.fail_next(failures)
    await world.restart(how)
    all_come(world)
    await asyncio.sleep(29)
    assert {type(entry) for _, entry in written(world, begun)} == {log.Restarted}
    await asyncio.sleep(6)
    assert isinstance(written(world)[-1][1], log.Acted)


@live(clock=30)
async def test_a_server_that_was_down_for_long_ends_no_turn(world: World) -> None:
    all_come(world)
    await world.table.stop()
    await asyncio.sleep(100_000)
    begun = len(world.store.rows)
    await world.restart("crash")
    all_come(world)
    await asyncio.sleep(30)
    assert [type(entry) for _, entry in written(world, begun)] == [log.Restarted]


# Before a deal -------------------------------------------------------------------------------


GIVEN = b"a contribution of"


async def _ready(world: World, user: str) -> None:
    command = commit(world.table.state, user, GIVEN, world.rid())
    assert await world.send(user, command) is None
    assert await world.send(user, ask.Ready(rid=world.rid())) is None


def revealing(world: World) -> bool:
    """Whether the commitments are shown; asked for anew each time."""
    return world.table.state.shown


async def _reveal(world: World, user: str) -> None:
    assert await world.send(user, reveal(GIVEN, world.rid())) is None


@live("dealing")
async def test_the_tiles_are_dealt_at_once_when_all_are_ready_and_have_revealed(
    world: World,
) -> None:
    all_come(world)
    for user in PEOPLE:
        assert not revealing(world)
        await _ready(world, user)
    await asyncio.sleep(0.01)
    assert revealing(world)
    for user in PEOPLE:
        assert stage(world) is Stage.DEALING
        await _reveal(world, user)
    await asyncio.sleep(0.01)
    assert stage(world) is Stage.PLAYING
    assert world.table.state.cuts == (GIVEN,) * 4


@live("dealing")
async def test_the_tiles_are_dealt_at_the_deadline_without_the_rest(world: World) -> None:
    all_come(world)
    await _ready(world, "u1")
    await asyncio.sleep(4.9)
    assert not revealing(world)
    await asyncio.sleep(0.2)
    assert revealing(world)
    await _reveal(world, "u1")
    await asyncio.sleep(0.01)
    assert stage(world) is Stage.PLAYING
    cuts = world.table.state.cuts
    assert [cut is not None for cut in cuts] == [False, True, False, False]


@pytest.mark.parametrize("clock", [30, 0])
@live("last", deals=5)
async def test_between_deals_who_is_away_is_waited_for_only_where_no_clock_runs(
    world: World, clock: int
) -> None:
    """There it may be a page that is loaded again; a bot plays before long, or the time is up."""
    all_come(world, "u3")
    while stage(world) is Stage.PLAYING:
        deal = deal_of(world.table.state)
        if deal.phase in (Phase.LAST_DISCARD, Phase.LAST_INDICATOR):
            await act(world, str(PASS))
        else:
            await _throw(world)
    assert stage(world) is Stage.DEALING
    for user in ("u0", "u1", "u2"):
        await _ready(world, user)
    await asyncio.sleep(0.01)
    assert revealing(world) is bool(clock)
    if not clock:
        await asyncio.sleep(31)
    for user in ("u0", "u1", "u2"):
        await _reveal(world, user)
    await asyncio.sleep(0.01)
    assert stage(world) is Stage.PLAYING


@live("last", clock=5, deals=5)
async def test_people_who_read_the_sheet_have_the_whole_pause(world: World) -> None:
    all_come(world)
    await asyncio.sleep(60)
    deals = [n for n, (_, e) in enumerate(written(world)) if isinstance(e, log.Dealt)]
    last, shown, dealt = written(world)[deals[-1] - 2 : deals[-1] + 1]
    assert isinstance(last[1], log.Acted)
    assert isinstance(shown[1], log.CommitmentsShown)
    assert dealt[0] == pytest.approx(last[0] + 30, abs=0.01)


# Idle tables ---------------------------------------------------------------------------------


def short_opening_at_hand() -> tuple[TableState, str]:
    """A table, and an opening of the seat to act that falls short."""
    rng = random.Random(5)
    told = story(table_options(preset="pagat", clock=30), "playing", 3)
    assert told.state.deal is not None
    opening = None
    while opening is None:
        opening = short_opening(options_of(told.state.deal), rng)
    return told.state, str(opening)


def test_short_openings_end_at_a_limit_and_the_turn_goes_on() -> None:
    state, opening = short_opening_at_hand()
    deal = deal_of(state)
    one = log.Acted(seat=deal.turn, actions=(parse_action(opening),), user=to_act(state))
    for _ in range(MAX_TURN_ACTIONS):
        state = reduce(state, one, state.at_ms)
    with pytest.raises(OkeyError) as caught:
        reduce(state, one, state.at_ms)
    assert caught.value.code == "too-many-actions"
    assert state.deal is not None
    rest = rest_of_turn(state.deal)
    late = log.Acted(seat=deal.turn, actions=rest, by="clock")
    after = applied(state, late, state.at_ms)[1]
    assert after.turn_actions == 0
    assert after.deal is not None
    assert after.deal.turn != deal.turn


@pytest.mark.parametrize(("deal_off", "turn_off"), [(0, 1), (0, 4), (1, 0), (1, 1)])
def test_what_was_meant_for_another_turn_is_not_done(deal_off: int, turn_off: int) -> None:
    """It may have waited until the line was back, and fit the seat's next turn by chance."""
    state, opening = short_opening_at_hand()
    user, deal = to_act(state), state.deal
    assert deal is not None
    number, turn = state.shown_number, deal.public.turns
    for meant in (number, None), (None, turn), (number, turn), (None, None):
        act = ask.Act(rid="r", action=opening, deal=meant[0], turn=meant[1])
        entry_for(state, user, act)
    late = ask.Act(rid="r", action=opening, deal=number + deal_off, turn=turn + turn_off)
    with pytest.raises(OkeyError) as caught:
        entry_for(state, user, late)
    assert caught.value.code == "turn-over"


def test_fines_of_a_seat_are_bounded_and_the_turn_goes_on() -> None:
    """Every event of the deal lists all fines; nobody may collect as many as he likes."""
    state, opening = short_opening_at_hand()
    user = to_act(state)
    act = ask.Act(rid="r", action=opening)
    for _ in range(MAX_FINES):
        state = reduce(state, entry_for(state, user, act), state.at_ms)
    with pytest.raises(OkeyError) as caught:
        entry_for(state, user, act)
    assert caught.value.code == "too-many-fines"
    deal = deal_of(state)
    assert len(deal.public.fines) == MAX_FINES
    reduce(
        state, log.Acted(seat=deal.turn, actions=(parse_action(opening),), user=user), state.at_ms
    )  # old rows
    tile = options_of(deal).discards[0].tile
    discard = ask.Act(rid="d", action=str(Discard(tile)))
    after = reduce(state, entry_for(state, user, discard), state.at_ms)
    assert after.deal is not None
    assert after.deal.turn != deal.turn


# Faults --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.long) for n in (2, 3))])
@live(bot_delay=0.0, deals=1)
async def test_a_store_that_fails_while_something_is_due_now_is_asked_again(
    world: World, seed: int
) -> None:
    """A loop need not tell the time of a timer that is due already."""
    await asyncio.sleep(89)
    world.store.trouble = 0.5
    while not world.over:  # bots play without a breath, and people look in
        world.store.slow = world.random.choice((0.0, 0.01))
        world.connect("s0")
        await asyncio.sleep(0)
        world.drop("s0")
        await asyncio.sleep(0)
        world.connect("s0")
        await asyncio.sleep(world.random.random() * 0.1)
        world.drop("s0")
        await asyncio.sleep(0)
        assert asyncio.get_running_loop().time() < 3_600


@pytest.mark.parametrize("error", [ValueError, TypeError, RuntimeError])
@live(clock=30)
async def test_no_fault_stops_the_clock(
    world: World, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    """A table that fails to do what is due tries again, and says so in the log."""
    left = 3

    def fails(*given: Any) -> Any:
        nonlocal left
        if left:
            left -= 1
            raise error
        return applied(*given)

    all_come(world)
    begun = len(world.store.rows)
    monkeypatch.setattr(table_module, "applied", fails)
    with structlog.testing.capture_logs() as lines:
        await asyncio.sleep(40)
    assert len(world.store.rows) > begun
    assert [line["event"] for line in lines] == ["table-task-failed"] * 3


@pytest.mark.parametrize("error", [ValueError, TypeError, RuntimeError])
@live()
async def test_a_bot_that_fails_in_any_way_is_passed_over(
    world: World, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def broken(*_: object) -> Any:
        raise error

    begun = len(world.store.rows)
    monkeypatch.setattr(bot_thoughts, "make_bot", broken)
    with structlog.testing.capture_logs() as lines:
        await asyncio.sleep(100)
    assert len(world.store.rows) > begun + 3
    assert {line["event"] for line in lines} == {"bot-failed"}
