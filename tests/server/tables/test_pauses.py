"""Time that the process did not run is charged to nobody, and nobody holds up a match."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from itertools import cycle

import pytest

from conftest import raises_code, unwrap
from okey101.game import Action, Deal, Phase
from okey101.game.actions import DRAW, PASS, Discard
from okey101.server.protocol import client_messages as ask
from okey101.server.protocol.options import TableOptions, checked_options
from okey101.server.tables import clocks
from okey101.server.tables import log_entries as log
from okey101.server.tables.clocks import rest_of_turn
from okey101.server.tables.dependencies import Dependencies
from okey101.server.tables.reduce import MAX_TURN_ACTIONS, MAX_VOID_DEALS, applied, create, reduce
from okey101.server.tables.state import Stage, TableState, changed
from okey101.server.tables.table import Table
from okey101.tiles import OKEY, distinct_bits
from server.server_stories import EPOCH_MS, Moment, story, table_options
from server.simulation import World, live, stall, until
from server.store.memory import MemoryStore
from server.tables.twins import dependencies

_live = partial(live, heart=True, there=True)
SECRET = "ab" * 32


def suspend(world: World, seconds: float) -> None:
    """The machine is suspended: the clock on the wall goes on, that of the loop does not."""
    heart = world.deps.heart
    before = heart._suspended()
    heart._suspended = lambda: before + seconds
    world.skew_ms += round(seconds * 1000)


def by_clock(world: World) -> list[log.Entry]:
    return [e for e in world.entries() if isinstance(e, log.Acted) and e.by == "clock"]


@pytest.mark.parametrize("seed", range(8))
@_live(clock=30)
async def test_a_pause_of_the_process_costs_nobody_time(world: World, seed: int) -> None:
    """As many timers as sockets are due when it goes on, in any order."""
    await asyncio.sleep(10)
    deadline, begun = world.table.state.deadline, len(world.store.rows)
    stall(50)
    await asyncio.sleep(0.3)
    [entry] = world.entries(begun)
    assert isinstance(entry, log.Paused)
    assert 49_500 < entry.ms <= 50_000
    assert world.table.state.deadline == unwrap(deadline) + entry.ms
    await asyncio.sleep(19)
    assert not by_clock(world)
    assert await world.throw() is None
    await asyncio.sleep(30.4)
    assert not by_clock(world)
    await asyncio.sleep(0.3)
    assert len(by_clock(world)) == 1


@pytest.mark.parametrize("first", ["the beat", "a row"])
@_live(clock=30)
async def test_suspending_costs_nobody_time_and_the_log_knows(world: World, first: str) -> None:
    await asyncio.sleep(10)
    deadline, begun = world.table.state.deadline, len(world.store.rows)
    suspend(world, 600)
    if first == "a row":  # of the next turn, before anybody has noticed
        assert await world.throw() is None
        await asyncio.sleep(0.3)
        assert not any(isinstance(entry, log.Paused) for entry in world.entries(begun))
        assert 29_000 < ((world.table.state.deadline or 0) - world.now_ms()) <= 30_000
        return
    await asyncio.sleep(0.3)
    [entry] = world.entries(begun)
    assert entry == log.Paused(ms=600_000)
    assert world.table.state.deadline == unwrap(deadline) + 600_000
    await asyncio.sleep(20)
    assert not by_clock(world)
    await asyncio.sleep(0.6)
    assert len(by_clock(world)) == 1


@pytest.mark.parametrize("seed", range(20))
@_live(clock=30)
async def test_what_was_sent_in_a_pause_is_read_before_time_is_up(world: World, seed: int) -> None:
    """The pause begins a moment before the clock would play, and what waits is read a bit later."""
    await asyncio.sleep(30.495)
    seq = world.table.state.seq
    stall(30)
    await asyncio.sleep(0.1)  # the loop reads the sockets
    assert await world.throw() is None
    assert not by_clock(world)
    assert world.table.state.seq >= seq + 1
    await asyncio.sleep(5)


@_live(clock=30)
async def test_a_pause_is_given_back_once_even_where_the_store_fails(world: World) -> None:
    await asyncio.sleep(5)
    world.store.memory.fail_next(3)
    begun, deadline = len(world.store.rows), world.table.state.deadline
    stall(20)
    await asyncio.sleep(10)
    found = [entry for entry in world.entries(begun) if isinstance(entry, log.Paused)]
    assert len(found) == 1
    assert world.table.state.deadline == unwrap(deadline) + found[0].ms
    await asyncio.sleep(15.3)
    assert not by_clock(world)
    await asyncio.sleep(1)
    assert len(by_clock(world)) == 1


@_live(clock=30)
async def test_a_pause_while_a_row_is_stored_belongs_to_the_turn_it_begins(world: World) -> None:
    world.store.slow = 0.01
    throwing = asyncio.create_task(world.throw())
    while not world.store._writing:  # noqa: ASYNC110  # nothing tells
        await asyncio.sleep(0)
    stall(25)
    assert await throwing is None
    await asyncio.sleep(0.3)
    assert isinstance(world.entries()[-1], log.Paused)
    assert world.table.state.deadline == pytest.approx(EPOCH_MS + 55_000, abs=600)
    await asyncio.sleep(29)
    assert not by_clock(world)


@_live(clock=30)
async def test_short_pauses_are_given_back_once_they_add_up(world: World) -> None:
    begun = len(world.store.rows)
    for _ in range(10):
        stall(0.6)
        await asyncio.sleep(0.5)
    await asyncio.sleep(23.5)
    assert not by_clock(world)
    given = [entry.ms for entry in world.entries(begun) if isinstance(entry, log.Paused)]
    assert 0 < len(given) < 10
    assert 4_000 < sum(given) <= 6_000
    await asyncio.sleep(3)
    assert len(by_clock(world)) == 1


@_live(clock=0)
async def test_absence_is_not_counted_while_the_process_does_not_run(world: World) -> None:
    world.drop(world.to_act())
    await asyncio.sleep(80)
    stall(60)
    await asyncio.sleep(5)
    assert log.Away not in map(type, world.entries())
    await asyncio.sleep(10)
    assert log.Away in map(type, world.entries())


@_live("dealing")
async def test_the_pause_before_a_deal_waits_as_long_as_it_should(world: World) -> None:
    await asyncio.sleep(1)
    assert world.stage() is Stage.DEALING
    deadline = unwrap(world.table.state.deadline)
    stall(100)
    await asyncio.sleep(0.5)
    assert world.stage() is Stage.DEALING
    assert world.entries()[-1] == log.Paused(ms=world.table.state.deadline - deadline)  # type: ignore[operator]
    await asyncio.sleep(30)
    assert world.stage() is Stage.PLAYING


@_live(clock=0)
async def test_without_a_clock_nothing_is_entries(world: World) -> None:
    begun = len(world.store.rows)
    stall(100)
    await asyncio.sleep(10)
    assert not world.entries(begun)


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


_alone = partial(live, people=1, clock=30, there=True)
_pair = partial(live, people=2, players=2, clock=30, there=True)


def deal_of(world: World) -> Deal:
    return unwrap(world.table.state.deal)


def moved(world: World) -> int:
    """How many actions the deal has."""
    return len(deal_of(world).public.actions)


def bots_turn(world: World) -> bool:
    """Whether a bot is to act."""
    return not world.table.state.seats[deal_of(world).turn].human


@pytest.mark.parametrize("same", [False, True])
@_alone()
async def test_who_sits_down_and_leaves_stops_no_bot(world: World, same: bool) -> None:
    """At another bot's seat, and at that of the bot to move."""
    await until(lambda: bots_turn(world))
    turn, before = deal_of(world).turn, moved(world)
    other = turn if same else next(seat for seat in (1, 2, 3) if seat != turn)
    for _ in range(20):
        if same and moved(world) > before:
            return  # whoever has seen the hand does not sit down again
        for command in (ask.Sit(rid=world.rid(), seat=other), ask.Leave(rid=world.rid())):
            assert await world.send("stranger", command) is None
            await asyncio.sleep(0.3)
    assert moved(world) > before


@pytest.mark.parametrize(("slow", "strangers"), [(0.04, 3), (0.1, 2)])
@_alone()
async def test_rows_before_it_put_no_clock_off(world: World, slow: float, strangers: int) -> None:
    await until(lambda: not bots_turn(world))
    world.store.slow = slow
    loop = asyncio.get_running_loop()
    begun, before = loop.time(), moved(world)

    async def come_and_go(name: str, seat: int) -> None:
        turns: list[Callable[..., ask.Logged]] = [partial(ask.Sit, seat=seat), ask.Leave]
        for command in cycle(turns):
            if loop.time() > begun + 60 or moved(world) > before:
                return
            next_at = loop.time() + 0.1
            assert await world.send(name, command(rid=world.rid())) is None
            await asyncio.sleep(max(0.0, next_at - loop.time()))

    await asyncio.gather(*(come_and_go(f"x{n}", 1 + n) for n in range(strangers)))
    assert moved(world) > before
    assert loop.time() < begun + 35


@_pair()
async def test_who_comes_back_again_and_again_has_one_more_turn_and_no_more(world: World) -> None:
    await until(lambda: deal_of(world).turn == 1)
    turns, begun = deal_of(world).public.turns, asyncio.get_running_loop().time()
    world.drop("u1")
    world.table.audience.absent["u1"] = begun - 1_000
    while deal_of(world).turn == 1 and deal_of(world).public.turns == turns:
        if world.table.state.seats[1].away:
            assert await world.send("u1", ask.Resume(rid=world.rid())) is None
        await asyncio.sleep(0.1)
        assert asyncio.get_running_loop().time() < begun + 65


@pytest.mark.parametrize("back_s", [3_600, 86_400])
@_pair()
async def test_a_wall_clock_that_is_set_back_prolongs_no_turn(world: World, back_s: int) -> None:
    loop = asyncio.get_running_loop()
    await asyncio.sleep(5)
    world.skew_ms = -1000 * back_s
    begun = loop.time()
    for turns in (1, 2, 3):
        seq = world.table.state.seq
        await until(lambda seq=seq: world.table.state.seq > seq)  # type: ignore[misc]
        assert 30 * turns - 6 < loop.time() - begun < 31 * turns + 1
        if any(seat.missed > 1 for seat in world.table.state.seats):
            return


@_pair(clock=0)
async def test_who_comes_while_the_seat_is_handed_to_a_bot_has_it_back(world: World) -> None:
    world.store.slow = 0.5
    world.drop("u1")
    await asyncio.sleep(90.01)
    assert not world.table.state.seats[1].away  # the row is on its way
    world.connect("u1")
    await asyncio.sleep(2)
    assert not world.table.state.seats[1].away


def test_a_bot_ends_a_turn_whose_actions_are_used_up() -> None:
    """It sits down for somebody who has laid and taken back all that one turn may hold."""
    state = story(table_options(), "playing", 1).state
    deal = unwrap(state.deal)
    full = changed(state, turn_actions=MAX_TURN_ACTIONS)
    entry = asyncio.run(clocks.bot_action(full, dependencies(MemoryStore(), EPOCH_MS, 1)))
    assert isinstance(entry, log.Acted)
    assert entry.actions == rest_of_turn(deal)[:1]
    assert (entry.by, entry.bot) == ("fallback", None)


# A mark that was used before ---------------------------------------------------------------------


async def created(deps: Dependencies) -> Table:
    """A new table of somebody and three bots."""
    options = checked_options(TableOptions(bots=(None, "greedy", "greedy", "greedy")))
    return await Table.create("t", log.Created(user="a", options=options), deps)


async def test_a_mark_belongs_to_one_command() -> None:
    async def say(table: Table, command: ask.Logged) -> int:
        return await table.command("a", command, digest=ask.digest_of(command))

    deps = dependencies(MemoryStore(), EPOCH_MS, 1)
    table = await created(deps)
    seq = await say(table, ask.Ready(rid="1", on=False))
    others = (ask.Ready(rid="1"), ask.Start(rid="1"), ask.SetBot(rid="1", seat=1, bot=None))
    for command in others:
        with raises_code("rid-used"):
            await say(table, command)
    assert await say(table, ask.Ready(rid="1", on=False)) == seq == table.state.seq
    await table.stop()
    again = unwrap(await Table.load("t", deps))
    with raises_code("rid-used", match="another command"):
        await say(again, ask.Start(rid="1"))
    assert await say(again, ask.Ready(rid="1", on=False)) == seq == again.state.seq


# Deals that do not count -----------------------------------------------------------------------


def test_a_match_of_void_deals_ends() -> None:
    """Nobody can open, and so no deal counts (E3)."""
    rules: dict[str, str | int | bool] = {
        "preset": "pagat", "players": 2, "open_points": 151, "open_pairs": 7,
        "short_opening": "refuse",
    }  # fmt: skip
    options = checked_options(TableOptions(rules=rules, deals=1, clock=0))
    state = create("t", log.Created(user="a", options=options), EPOCH_MS)
    begin = (
        log.Sat(user="b", seat=1),
        log.ReadySet(user="b"),
        log.Started(user="a", secret=SECRET),
    )
    for entry in begin:
        state = reduce(state, entry, EPOCH_MS)
    while state.stage is not Stage.OVER:
        if state.stage is Stage.DEALING:
            state = reduce(reduce(state, log.CommitmentsShown(), EPOCH_MS), log.Dealt(), EPOCH_MS)
        deal = unwrap(state.deal)
        match deal.phase:
            case Phase.DRAW:
                action: Action = DRAW
            case Phase.PLAY:
                tiles = distinct_bits(deal.hands[deal.turn])
                action = Discard(next(tile for tile in tiles if tile != OKEY))
            case _:
                action = PASS
        state = applied(state, log.Acted(seat=deal.turn, actions=(action,)), EPOCH_MS)[1]
    assert state.counted == 0
    assert len(state.played) == MAX_VOID_DEALS


async def test_nothing_is_insisted_on_once_the_table_has_stopped() -> None:
    table = await created(dependencies(MemoryStore(), EPOCH_MS, 1))
    await table.stop()
    async with asyncio.timeout(5):
        await table._insist(lambda _: log.Away(seat=0, on=True, why="absent"))
    assert table.state.seq == 1
