"""Time that the process did not run is charged to nobody, and the log tells what was given back."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from conftest import unwrap
from okey101.game.actions import Discard
from okey101.server.protocol import client_messages as ask
from okey101.server.tables import log_entries as log
from okey101.server.tables.clocks import rest_of_turn
from okey101.server.tables.reduce import reduce
from okey101.server.tables.state import Stage, TableState
from server.server_stories import EPOCH_MS, Moment, story, table_options
from server.simulation import VirtualLoop, World
from server.tables.clock_worlds import live, stage, to_act

_live = partial(live, heart=True, there=True)


def stop(seconds: float) -> None:
    """Nothing of the process runs for a while, as after SIGSTOP; all clocks go on."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    loop.now += seconds


def suspend(world: World, seconds: float) -> None:
    """The machine is suspended: the clock on the wall goes on, that of the loop does not."""
    heart = world.deps.heart
    before = heart._suspended()
    heart._suspended = lambda: before + seconds
    world.skew_ms += round(seconds * 1000)


def written(world: World, since: int) -> list[log.Entry]:
    return [log.read_entry(row.entry) for row in world.store.rows[since:]]


def by_clock(world: World) -> list[log.Entry]:
    return [e for e in written(world, 0) if isinstance(e, log.Acted) and e.by == "clock"]


async def throw(world: World) -> str | None:
    """The discard of the first turn."""
    action = rest_of_turn(unwrap(world.table.state.deal))[-1]
    assert isinstance(action, Discard)
    return await world.send(to_act(world.table.state), ask.Act(rid=world.rid(), action=str(action)))


@pytest.mark.parametrize("seed", range(8))
@_live(clock=30)
async def test_a_pause_of_the_process_costs_nobody_time(world: World, seed: int) -> None:
    """As many timers as sockets are due when it goes on, in any order."""
    await asyncio.sleep(10)
    deadline, begun = world.table.state.deadline, len(world.store.rows)
    stop(50)
    await asyncio.sleep(0.3)
    [entry] = written(world, begun)
    assert isinstance(entry, log.Paused)
    assert 49_500 < entry.ms <= 50_000
    assert world.table.state.deadline == unwrap(deadline) + entry.ms
    await asyncio.sleep(19)
    assert not by_clock(world)
    assert await throw(world) is None
    await asyncio.sleep(30.4)
    assert not by_clock(world)
    await asyncio.sleep(0.3)
    assert len(by_clock(world)) == 1


@pytest.mark.parametrize("first", ["the beat", "a row"])
@_live(clock=30)
async def test_a_suspended_machine_costs_nobody_time_and_the_log_knows(
    world: World, first: str
) -> None:
    await asyncio.sleep(10)
    deadline, begun = world.table.state.deadline, len(world.store.rows)
    suspend(world, 600)
    if first == "a row":  # of the next turn, before anybody has noticed
        assert await throw(world) is None
        await asyncio.sleep(0.3)
        assert not any(isinstance(entry, log.Paused) for entry in written(world, begun))
        assert 29_000 < ((world.table.state.deadline or 0) - world.now_ms()) <= 30_000
        return
    await asyncio.sleep(0.3)
    [entry] = written(world, begun)
    assert entry == log.Paused(ms=600_000)
    assert world.table.state.deadline == unwrap(deadline) + 600_000
    await asyncio.sleep(20)
    assert not by_clock(world)
    await asyncio.sleep(0.6)
    assert len(by_clock(world)) == 1


@pytest.mark.parametrize("seed", range(20))
@_live(clock=30)
async def test_what_was_sent_during_a_pause_is_read_before_time_runs_out(
    world: World, seed: int
) -> None:
    """The pause begins a moment before the clock would play, and what waits is read a bit later."""
    await asyncio.sleep(30.495)
    seq = world.table.state.seq
    stop(30)
    await asyncio.sleep(0.1)  # the loop reads the sockets
    assert await throw(world) is None
    assert not by_clock(world)
    assert world.table.state.seq >= seq + 1
    await asyncio.sleep(5)


@_live(clock=30)
async def test_a_pause_is_given_back_once_even_where_the_store_fails(world: World) -> None:
    await asyncio.sleep(5)
    world.store.memory.fail_next(3)
    begun, deadline = len(world.store.rows), world.table.state.deadline
    stop(20)
    await asyncio.sleep(10)
    found = [entry for entry in written(world, begun) if isinstance(entry, log.Paused)]
    assert len(found) == 1
    assert world.table.state.deadline == unwrap(deadline) + found[0].ms
    await asyncio.sleep(15.3)
    assert not by_clock(world)
    await asyncio.sleep(1)
    assert len(by_clock(world)) == 1


@_live(clock=30)
async def test_a_pause_while_a_row_is_stored_belongs_to_the_turn_that_the_row_begins(
    world: World,
) -> None:
    world.store.slow = 0.01
    throwing = asyncio.create_task(throw(world))
    while not world.store._writing:  # noqa: ASYNC110  # nothing tells
        await asyncio.sleep(0)
    stop(25)
    assert await throwing is None
    await asyncio.sleep(0.3)
    assert isinstance(written(world, 0)[-1], log.Paused)
    assert world.table.state.deadline == pytest.approx(EPOCH_MS + 55_000, abs=600)
    await asyncio.sleep(29)
    assert not by_clock(world)


@_live(clock=30)
async def test_short_pauses_are_given_back_once_they_add_up(world: World) -> None:
    begun = len(world.store.rows)
    for _ in range(10):
        stop(0.6)
        await asyncio.sleep(0.5)
    await asyncio.sleep(23.5)
    assert not by_clock(world)
    given = [entry.ms for entry in written(world, begun) if isinstance(entry, log.Paused)]
    assert 0 < len(given) < 10
    assert 4_000 < sum(given) <= 6_000
    await asyncio.sleep(3)
    assert len(by_clock(world)) == 1


@_live(clock=0)
async def test_absence_is_not_counted_while_the_process_does_not_run(world: World) -> None:
    world.drop(to_act(world.table.state))
    await asyncio.sleep(80)
    stop(60)
    await asyncio.sleep(5)
    assert not any(isinstance(entry, log.Away) for entry in written(world, 0))
    await asyncio.sleep(10)
    assert any(isinstance(entry, log.Away) for entry in written(world, 0))


@_live("dealing")
async def test_the_pause_before_a_deal_waits_as_long_as_it_should(world: World) -> None:
    await asyncio.sleep(1)
    assert stage(world) is Stage.DEALING
    deadline = unwrap(world.table.state.deadline)
    stop(100)
    await asyncio.sleep(0.5)
    assert stage(world) is Stage.DEALING
    assert written(world, 0)[-1] == log.Paused(ms=world.table.state.deadline - deadline)  # type: ignore[operator]
    await asyncio.sleep(30)
    assert stage(world) is Stage.PLAYING


@_live(clock=0)
async def test_without_a_clock_nothing_is_written(world: World) -> None:
    begun = len(world.store.rows)
    stop(100)
    await asyncio.sleep(10)
    assert not written(world, begun)


def state_of(moment: Moment, clock: int) -> TableState:
    return story(table_options(clock=clock), moment, 1).state


@pytest.mark.parametrize(
    ("ms", "given"), [(3_000, 3_000), (-5, 0), (10_000, 4_000), (10**12, 4_000)]
)
def test_no_clock_ever_has_more_than_its_whole_time(ms: int, given: int) -> None:
    before = state_of("playing", 30)
    after = reduce(before, log.Paused(ms=ms), before.turn_since + 4_000)
    assert after.deadline is not None
    assert after.deadline == unwrap(before.deadline) + given
    assert after.turn_since == before.turn_since + given
    assert after.deadline - after.at_ms <= 30_000


def test_a_whole_turn_for_who_comes_back_is_given_after_a_pause_as_well() -> None:
    """The pause does not count as the turn's second time."""
    before = state_of("playing", 30)
    assert before.deal is not None
    at = before.turn_since
    state = reduce(before, log.Paused(ms=9_000), at + 10_000)
    state = reduce(state, log.Away(seat=before.deal.turn, on=True, why="absent"), at + 20_000)
    state = reduce(state, log.Away(seat=before.deal.turn, on=False, why="back"), at + 21_000)
    assert state.deadline == at + 51_000
