"""Nobody holds up a table: not somebody who comes and goes, not a bot, and not the wall clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from itertools import count
from typing import Any

import pytest
import structlog.testing

from conftest import raises_code, unwrap
from okey101.errors import OkeyError
from okey101.game import Action, Deal, Options, Phase, View, parse_action
from okey101.game.actions import DRAW, PASS, Discard
from okey101.server.protocol import client_messages as ask
from okey101.server.protocol.options import TableOptions, checked_options
from okey101.server.store import MemoryStore
from okey101.server.tables import clocks
from okey101.server.tables import log_entries as log
from okey101.server.tables.clocks import rest_of_turn
from okey101.server.tables.dependencies import Dependencies
from okey101.server.tables.reduce import MAX_TURN_ACTIONS, MAX_VOID_DEALS, applied, create, reduce
from okey101.server.tables.state import Stage, TableState, changed
from okey101.server.tables.table import Table
from okey101.server.work import bot_thoughts
from okey101.tiles import OKEY, distinct_bits
from server.server_stories import EPOCH_MS, story, table_options
from server.simulation import lent, simulate
from server.tables.twins import Screen

BOTS = TableOptions(bots=(None, "greedy", "greedy", "greedy"), clock=30)
Body = Callable[..., Coroutine[Any, Any, None]]


class Place:
    """A table whose match has begun, with a wall clock that can be set."""

    table: Table

    def __init__(self, slow: float) -> None:
        self.skew_ms = 0
        self.slow = slow
        self.rids = count()
        self.deps = Dependencies(store=MemoryStore(self._step), now_ms=self._now_ms)

    async def _step(self, step: str) -> None:
        await asyncio.sleep(self.slow if step == "append" else 0)

    def _now_ms(self) -> int:
        return EPOCH_MS + self.skew_ms + round(asyncio.get_running_loop().time() * 1000)

    async def begin(self, options: TableOptions) -> None:
        """Seat "a", and "b" where there is a seat for a second person, and play."""
        entry = log.Created(user="a", options=checked_options(options))
        self.table = await Table.create("t", entry, self.deps)
        self.table.attach(Screen("a"))
        if not options.bots:
            await self.say("b", ask.Sit(rid=self.rid(), seat=1))
            self.table.attach(Screen("b"))
            await self.say("b", ask.Ready(rid=self.rid()))
        await self.say("a", ask.Start(rid=self.rid()))
        await self.until(lambda state: state.stage is Stage.PLAYING)

    def rid(self) -> str:
        """A new mark."""
        return f"r{next(self.rids)}"

    async def say(self, user: str, command: ask.Logged) -> int:
        """Have somebody send a command."""
        return await self.table.command(user, command, digest=ask.digest_of(command))

    async def until(self, so: Callable[[TableState], bool]) -> None:
        """Wait for a state."""
        async with asyncio.timeout(7_200):
            while not so(self.table.state):  # noqa: ASYNC110  # the loop's clock is its own
                await asyncio.sleep(0.1)

    @property
    def deal(self) -> Deal:
        """The running deal."""
        return unwrap(self.table.state.deal)

    @property
    def bots_turn(self) -> bool:
        """Whether a bot is to act."""
        return not self.table.state.seats[self.deal.turn].human


def held(options: TableOptions, slow: float = 0.0) -> Callable[[Body], Callable[..., None]]:
    """Have a test run at a table that plays, its first argument; ``slow`` may be the test's."""

    def of(test: Body) -> Callable[..., None]:
        def run(**given: Any) -> None:
            async def main() -> None:
                place = Place(given.get("slow", slow))
                await place.begin(options)
                await test(place, **given)
                await place.table.stop()

            simulate(main, 1)

        return lent(test, run)

    return of


PAIR = TableOptions(rules={"players": 2}, clock=30)


@pytest.mark.parametrize("there", [False, True])
@held(BOTS)
async def test_who_sits_down_and_leaves_stops_no_bot(place: Place, there: bool) -> None:
    """At another bot's seat, and at that of the bot to move."""
    await place.until(lambda _: place.bots_turn)
    turn, moved = place.deal.turn, len(place.deal.public.actions)
    other = turn if there else next(seat for seat in (1, 2, 3) if seat != turn)
    for _ in range(20):
        if there and len(place.deal.public.actions) > moved:
            return  # whoever has seen the hand does not sit down again
        await place.say("stranger", ask.Sit(rid=place.rid(), seat=other))
        await asyncio.sleep(0.3)
        await place.say("stranger", ask.Leave(rid=place.rid()))
        await asyncio.sleep(0.3)
    assert len(place.deal.public.actions) > moved


@pytest.mark.parametrize(("slow", "strangers"), [(0.04, 3), (0.1, 2)])
@held(BOTS)
async def test_rows_that_come_first_put_no_clock_off(
    place: Place, slow: float, strangers: int
) -> None:
    await place.until(lambda _: not place.bots_turn)
    loop = asyncio.get_running_loop()
    begun, moved = loop.time(), len(place.deal.public.actions)

    async def come_and_go(name: str, seat: int) -> None:
        for number in count():
            if loop.time() > begun + 60 or len(place.deal.public.actions) > moved:
                return
            next_at = loop.time() + 0.1
            here = number % 2
            rid = place.rid()
            command = ask.Leave(rid=rid) if here else ask.Sit(rid=rid, seat=seat)
            await place.say(name, command)
            await asyncio.sleep(max(0.0, next_at - loop.time()))

    await asyncio.gather(*(come_and_go(f"s{n}", 1 + n) for n in range(strangers)))
    assert len(place.deal.public.actions) > moved
    assert loop.time() < begun + 35


@held(PAIR)
async def test_who_comes_back_again_and_again_has_one_more_turn_and_no_more(place: Place) -> None:
    await place.until(lambda state: state.deal is not None and state.deal.turn == 1)
    viewer = place.table.audience.seated["b"]
    turns, begun = place.deal.public.turns, asyncio.get_running_loop().time()
    place.table.detach(viewer)
    place.table.audience.absent["b"] = begun - 1_000
    while place.deal.turn == 1 and place.deal.public.turns == turns:
        if place.table.state.seats[1].away:
            await place.say("b", ask.Resume(rid=place.rid()))
        await asyncio.sleep(0.1)
        assert asyncio.get_running_loop().time() < begun + 65


@pytest.mark.parametrize("back_s", [3_600, 86_400])
@held(PAIR)
async def test_a_wall_clock_that_is_set_back_prolongs_no_turn(place: Place, back_s: int) -> None:
    loop = asyncio.get_running_loop()
    await asyncio.sleep(5)
    place.skew_ms = -1000 * back_s
    begun = loop.time()
    for turns in (1, 2, 3):
        seq = place.table.state.seq
        await place.until(lambda state, seq=seq: state.seq > seq)  # type: ignore[misc]
        assert 30 * turns - 6 < loop.time() - begun < 31 * turns + 1
        if place.table.state.stage is not Stage.PLAYING or any(
            seat.missed for seat in place.table.state.seats if seat.missed > 1
        ):
            return


@held(TableOptions(rules={"players": 2}, clock=0), 0.02)
async def test_who_comes_while_the_seat_is_handed_to_a_bot_has_it_back(place: Place) -> None:
    place.table.detach(place.table.audience.seated["b"])
    await asyncio.sleep(90.01)
    assert not place.table.state.seats[1].away  # the row is on its way
    place.table.attach(Screen("b"))
    await asyncio.sleep(0.1)
    assert not place.table.state.seats[1].away


@held(BOTS)
async def test_a_bot_that_chooses_what_it_may_not_is_passed_over(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stubborn:
        """Draws, whatever there is to do."""

        def choose(self, _view: View, _options: Options) -> Action:
            return parse_action("draw")

    await place.until(lambda _: place.bots_turn)
    turns = place.deal.public.turns
    monkeypatch.setattr(bot_thoughts, "make_bot", lambda *_: Stubborn())
    with structlog.testing.capture_logs() as lines:
        await asyncio.sleep(4)
    assert place.deal.public.turns > turns
    assert {(line["event"], line["bot"]) for line in lines} == {("bot-failed", "greedy")}


def test_a_bot_ends_a_turn_whose_actions_are_used_up() -> None:
    """It sits down for somebody who has laid and taken back all that one turn may hold."""
    state = story(table_options(), "playing", 1).state
    deal = unwrap(state.deal)
    full = changed(state, turn_actions=MAX_TURN_ACTIONS)
    entry = asyncio.run(clocks.bot_action(full, Place(0.0).deps))
    assert isinstance(entry, log.Acted)
    assert entry.actions == rest_of_turn(deal)[:1]
    assert (entry.by, entry.bot) == ("fallback", None)


# A mark that was used before
# --------------------------------------------------------------------------


def test_a_mark_belongs_to_one_command() -> None:
    async def story(place: Place) -> None:
        entry = log.Created(user="a", options=checked_options(BOTS))
        table = place.table = await Table.create("t", entry, place.deps)
        seq = await place.say("a", ask.Ready(rid="1", on=False))
        for command in (
            ask.Ready(rid="1"),
            ask.Start(rid="1"),
            ask.SetBot(rid="1", seat=1, bot=None),
        ):
            with raises_code("rid-used"):
                await place.say("a", command)
        assert await place.say("a", ask.Ready(rid="1", on=False)) == seq == table.state.seq
        await table.stop()
        again = unwrap(await Table.load("t", place.deps))
        place.table = again
        with pytest.raises(OkeyError, match="another command"):
            await place.say("a", ask.Start(rid="1"))
        assert await place.say("a", ask.Ready(rid="1", on=False)) == seq == again.state.seq
        await again.stop()

    simulate(lambda: story(Place(0.0)), 1)


# Deals that do not count -----------------------------------------------------------------------


def test_a_match_of_void_deals_ends() -> None:
    """Nobody can open, and so no deal counts (E3)."""
    rules: dict[str, str | int | bool] = {
        "preset": "pagat", "players": 2, "open_points": 151, "open_pairs": 7,
        "short_opening": "refuse",
    }  # fmt: skip
    options = checked_options(TableOptions(rules=rules, deals=1, clock=0))
    state = create("t", log.Created(user="a", options=options), EPOCH_MS)
    state = reduce(state, log.Sat(user="b", seat=1), EPOCH_MS)
    state = reduce(state, log.ReadySet(user="b"), EPOCH_MS)
    state = reduce(state, log.Started(user="a", secret="ab" * 32), EPOCH_MS)
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
    place = Place(0.0)
    entry = log.Created(user="a", options=checked_options(BOTS))
    table = await Table.create("t", entry, place.deps)
    await table.stop()
    async with asyncio.timeout(5):
        await table._insist(lambda _: log.Away(seat=0, on=True, why="absent"))
    assert table.state.seq == 1
