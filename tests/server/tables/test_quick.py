"""Quick tables: people meet people, bots fill what is empty, and who leaves is replaced."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from typing import Any
from unittest.mock import AsyncMock

import msgspec
import pytest

from conftest import Patch, raises_code, unwrap
from okey101.bots import STAND_IN
from okey101.errors import OkeyError
from okey101.server.protocol import client_messages as ask
from okey101.server.protocol.options import Applied
from okey101.server.protocol.views import Called
from okey101.server.settings import load_settings
from okey101.server.tables import log_entries as log, quick, serialise
from okey101.server.tables.dependencies import Dependencies
from okey101.server.tables.quick import (
    MOST_LEFT,
    PENANCE_MS,
    QUICK_S,
    WITHIN_MS,
    QuickTables,
    quick_options,
)
from okey101.server.tables.registry import Tables
from okey101.server.tables.state import Seat, Stage, TableState, changed
from okey101.server.tables.table import Table
from okey101.server.work.tasks import Tasks
from server.accounts.people import code_of
from server.server_stories import story, table_options
from server.simulation import lent, simulate
from server.store.memory import MemoryStore
from server.tables.twins import Screen, deal_over, table_at

EPOCH_MS = 1_800_000_000_000
SLOW_BOTS = 100_000.0


class Server:
    """All that quick tables need of a server, in virtual time."""

    def __init__(
        self, store: MemoryStore | None = None, skew_ms: int = 0,
        lines: deque[bytes] | None = None,
    ) -> None:  # fmt: skip
        rng = random.Random(7)
        self.store = store or MemoryStore()
        self.skew_ms = skew_ms
        self.deps = Dependencies(
            store=self.store,
            now_ms=self.now_ms,
            called=lambda user: Called(user.upper()),
            bot_delay=SLOW_BOTS,
            secret=lambda: rng.randbytes(32).hex(),
            on_closed=self._closed,
        )
        self.tables = Tables(self.deps, load_settings())
        self.lines = deque[bytes](maxlen=1) if lines is None else lines
        self.quick = QuickTables(self.tables, self.now_ms, Tasks(), self)
        self.opened = 0

    async def note(self, kind: str, data: bytes, most: int) -> None:
        assert (kind, most) == ("quick-left", 1)
        self.lines.append(data)

    async def noted(self, kind: str, count: int) -> list[bytes]:
        assert (kind, count) == ("quick-left", 1)
        return [*self.lines]

    @property
    def left(self) -> dict[str, list[int]]:
        return self.quick._left

    def now_ms(self) -> int:
        return EPOCH_MS + self.skew_ms + round(asyncio.get_running_loop().time() * 1000)

    def _closed(self, table: str) -> None:
        self.quick.closed(unwrap(self.tables.loaded(table)))
        self.tables.forget(table)

    async def press(self, user: str) -> Table:
        table = await self.seat(user)
        if user not in table.audience.seated and table.state.seat_of(user) is not None:
            table.attach(Screen(user))
        return table

    async def seat(self, user: str, left: Sequence[int] = ()) -> Table:
        async def open_one() -> Table:
            self.opened += 1
            return await self.tables.create(user, quick_options())

        return await self.quick.seat(user, open_one, left)

    async def again(self) -> Server:
        """The same log after a restart."""
        await self.tables.drain()
        await asyncio.sleep(0.01)  # until it is kept who left
        other = Server(self.store, self.skew_ms, self.lines)
        await other.quick.load()
        await other.tables.bring_back()
        await other.tables.wait_back()
        return other


def live(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Have a test run in virtual time; its first argument is a server that has just begun."""

    def run(**given: Any) -> None:
        async def main() -> None:
            server = Server()
            await server.tables.bring_back()
            await test(server, **given)
            await server.tables.drain()

        simulate(main, given.get("seed", 1))

    return lent(test, run)


def players(state: TableState) -> list[str | None]:
    return [seat.user or (seat.bot and f"bot:{seat.bot}") for seat in state.seats]


def shown_seats(table: Table) -> Any:
    return serialise.table_view(table.state, lambda user: Called(user.upper()))["seats"]


BOT = f"bot:{STAND_IN}"


async def dealt(table: Table) -> None:
    """The tiles on the table, without anybody's randomness; the table may be first to deal."""
    await table._do(lambda now: None if now.shown else log.CommitmentsShown())
    await table._do(lambda now: log.Dealt() if now.stage is Stage.DEALING else None)


async def match_over(table: Table) -> None:
    while table.state.stage is not Stage.OVER:
        if table.state.stage is Stage.DEALING:
            await dealt(table)
        await deal_over(table)


# Meeting --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
@live
async def test_two_strangers_meet_and_bots_fill_the_rest(server: Server, seed: int) -> None:
    """Whoever comes first, even at the same moment: one table, and a deal after eight seconds."""
    first, second = await asyncio.gather(server.press("ali"), server.press("veli"))
    assert first is second
    assert server.opened == 1
    state = first.state
    assert state.stage is Stage.WAITING
    assert sorted(state.people) == ["ali", "veli"]
    assert (await server.quick.sat("veli")).at == Applied(state.table, state.seq)
    assert (await server.quick.sat("can")).at is None
    assert unwrap(state.deadline) - server.now_ms() <= 1000 * QUICK_S
    stages: list[Stage] = [state.stage]
    # Nobody of them commits, and the deal begins all the same.
    for seconds in (7.5, 1.0, 20.0):
        await asyncio.sleep(seconds)
        stages.append(first.state.stage)
    assert stages == [Stage.WAITING, Stage.WAITING, Stage.DEALING, Stage.PLAYING]
    assert sorted(map(str, players(first.state))) == ["ali", BOT, BOT, "veli"]


@live
async def test_a_full_table_does_not_wait(server: Server) -> None:
    tables = [await server.press(name) for name in ("a", "b", "c", "d")]
    assert len({id(table) for table in tables}) == 1
    await asyncio.sleep(0.1)
    assert tables[0].state.stage is Stage.DEALING
    assert players(tables[0].state) == ["a", "b", "c", "d"]
    assert (await server.press("e")) is not tables[0]


@live
async def test_who_is_still_on_the_way_keeps_the_seat(server: Server) -> None:
    table = await server.press("ali")
    assert (await server.seat("gone")) is table
    await asyncio.sleep(QUICK_S - 4)
    assert (await server.seat("late")) is table
    await asyncio.sleep(4.1)
    assert players(table.state) == ["ali", BOT, "late", BOT]


@live
async def test_who_never_comes_is_not_waited_for(server: Server) -> None:
    """A seat without a connection is free again, and a table of nobody goes."""
    table = await server.press("ali")
    assert (await server.seat("gone")) is table
    await asyncio.sleep(QUICK_S + 1)
    assert players(table.state) == ["ali", BOT, BOT, BOT]
    assert await server.seat("nobody") is table  # a bot's seat, in the deal that is prepared
    empty = await server.tables.create("lost", quick_options())
    await asyncio.sleep(QUICK_S + 40)
    assert empty.state.stage is Stage.CLOSED


# A bot's seat ---------------------------------------------------------------------------------


@live
async def test_the_next_who_presses_takes_a_bots_seat_from_the_next_deal_on(server: Server) -> None:
    table = await seated(server)
    seats = table.state.seats
    with Patch.context() as patch:
        patch.setattr(quick, "NEAR_END", 200)  # however long it takes
        assert (await server.press("ayşe")) is table
    assert server.opened == 1
    assert table.state.seats == seats
    assert table.state.coming_to("ayşe") == 2
    assert shown_seats(table)[2] == {"name": None, "bot": STAND_IN, "coming": "AYŞE"}
    await deal_over(table)
    assert table.state.stage is Stage.DEALING
    assert players(table.state) == ["ali", "veli", "ayşe", BOT]
    # Between deals the last seat of a bot is had at once.
    assert (await server.press("can")) is table
    assert players(table.state) == ["ali", "veli", "ayşe", "can"]


@live
async def test_nobody_waits_for_the_end_of_a_deal_that_has_just_begun(server: Server) -> None:
    await seated(server)
    assert players((await server.press("ayşe")).state) == ["ayşe", None, None, None]


@live
async def test_nobody_is_promised_a_deal_that_may_not_come(server: Server) -> None:
    """In the last deal of a match a new table is opened."""
    table = await seated(server, "ali", deal=False)
    while table.state.counted < table.state.options.deals - 1:
        await dealt(table)
        await deal_over(table)
    await dealt(table)
    assert players((await server.press("veli")).state) == ["veli", None, None, None]


@live
async def test_a_table_that_everybody_has_left_attracts_nobody(server: Server) -> None:
    table = await seated(server, "ali", deal=False)
    table.detach(table.audience.seated["ali"])
    assert (await server.press("veli")) is not table


async def test_a_table_where_a_deal_is_nearly_over_is_good_for_whoever_may_come(
    monkeypatch: Patch,
) -> None:
    state = story(table_options(people=2, deals=2), "late", 1).state
    table, looker = table_at(state), Screen(None)
    stock = unwrap(state.deal).public.stock_count
    monkeypatch.setattr(quick, "NEAR_END", stock)
    table.attach(looker)
    assert quick._rank(table, "x") is None
    player = Screen("u0")
    table.attach(player)
    for change in (
        {"sent_away": frozenset({"x"})}, {"quits": (("x", 1),)}, {"coming": ((2, "y"), (3, "z"))},
        {"options": msgspec.structs.replace(state.options, deals=1)},
    ):  # fmt: skip
        table.state = changed(state, **change)
        assert quick._rank(table, "x") is None
    table.state = changed(state, coming=((2, "y"),))
    assert quick._rank(table, "x") == (2, stock, table)
    monkeypatch.setattr(quick, "NEAR_END", stock - 1)
    assert quick._rank(table, "x") is None


# Leaving --------------------------------------------------------------------------------------


async def seated(server: Server, *people: str, deal: bool = True) -> Table:
    table, *_ = [await server.press(user) for user in people or ("ali", "veli")]
    await asyncio.sleep(QUICK_S + 0.1)
    if deal:
        await dealt(table)
    return table


@live
async def test_who_leaves_is_replaced_by_a_marked_bot_and_may_come_back(server: Server) -> None:
    table = await seated(server)
    deal = table.state.deal
    await table.command("veli", ask.Leave(rid="1"))
    assert table.state.seats[1] == Seat(bot=STAND_IN)
    assert table.state.deal is deal
    assert shown_seats(table)[1] == {"name": None, "bot": STAND_IN}
    assert (await server.press("veli")) is not table  # who left looks for others
    await table.command("veli", ask.Sit(rid="2", seat=1))
    assert table.state.seats[1].user == "veli"
    assert table.state.quits == ()


async def leave_often(server: Server, times: int, gap: float) -> None:
    for number in range(times):
        table = await seated(server, "ali", deal=False)
        await table.command("ali", ask.Leave(rid=f"l{number}"))
        await asyncio.sleep(gap)


@pytest.mark.parametrize("gap", [0.0, 60.0])
@live
async def test_who_leaves_three_tables_in_an_hour_waits(server: Server, gap: float) -> None:
    """Whether those tables are open still, or closed by now."""
    await leave_often(server, MOST_LEFT - 1, gap)
    await (await seated(server, "ali", deal=False)).command("ali", ask.Leave(rid="last"))
    details = {"count": MOST_LEFT, "seconds": PENANCE_MS // 1000}
    await asyncio.sleep(0.9)  # a second that has begun counts
    with raises_code("left-often", details=details):
        await server.press("ali")
    await server.press("veli")  # nobody else waits
    await asyncio.sleep(PENANCE_MS / 1000 + 1)
    await server.press("ali")


@live
async def test_a_restart_forgets_nobody_who_left_tables_that_are_closed(server: Server) -> None:
    await leave_often(server, MOST_LEFT, 0.0)
    for table in [*server.tables]:
        await table.close()
    assert [*server.left] == ["ali"]
    server = await server.again()
    assert await code_of(server.press("ali")) == "left-often"
    await asyncio.sleep(PENANCE_MS / 1000 + 1)
    await server.press("ali")


@live
async def test_what_another_node_has_kept_since_makes_nobody_forgotten(server: Server) -> None:
    """And what several have read is one leave: they all tell of it."""
    await leave_often(server, MOST_LEFT, 0.0)
    other = Server(lines=server.lines)
    last = await seated(other, "veli", deal=False)
    await last.command("veli", ask.Leave(rid="l"))
    for table in (*server.tables, last):
        await table.close()
        await asyncio.sleep(0.01)  # until it is kept
    server = await server.again()
    assert await code_of(server.press("ali")) == "left-often"
    await server.seat("ece", server.left["ali"][:1] * MOST_LEFT)


@live
async def test_in_whatever_order_tables_close_the_last_that_were_left_count(
    server: Server,
) -> None:
    await leave_often(server, MOST_LEFT, 0.0)
    await asyncio.sleep(PENANCE_MS / 1000 + 1)
    await leave_often(server, 1, 0.0)
    for table in reversed([*server.tables]):
        await table.close()
    assert await code_of(server.press("ali")) == "left-often"


@pytest.mark.parametrize("closed", [False, True])
@live
async def test_an_hour_is_over_to_the_millisecond(server: Server, closed: bool) -> None:
    await leave_often(server, 1, 0.0)
    first = server.now_ms()
    for table in [*server.tables] if closed else ():
        await table.close()
    await asyncio.sleep(WITHIN_MS / 1000 - 120)
    await leave_often(server, MOST_LEFT - 1, 0.0)
    await asyncio.sleep((first + WITHIN_MS - 1 - server.now_ms()) / 1000)
    assert await code_of(server.press("ali")) == "left-often"
    while server.now_ms() < first + WITHIN_MS:  # noqa: ASYNC110  # steps of the clock, not a wait
        await asyncio.sleep(0.0002)
    await server.press("ali")


@pytest.mark.parametrize("closed", [False, True])
@live
async def test_nobody_waits_for_a_clock_that_was_a_day_ahead(server: Server, closed: bool) -> None:
    server.skew_ms = 24 * WITHIN_MS
    await leave_often(server, MOST_LEFT, 0.0)
    server.skew_ms = 0
    for table in [*server.tables] if closed else ():
        await table.close()
    await server.press("ali")
    assert not server.left


@live
async def test_before_the_match_anybody_may_go(server: Server) -> None:
    for number in range(MOST_LEFT + 1):
        table = await server.press("ali")
        await table.command("ali", ask.Leave(rid=f"l{number}"))
        assert table.state.people == ()
    await server.press("ali")


# The log --------------------------------------------------------------------------------------


@live
async def test_a_restart_loses_neither_who_waits_nor_who_left(server: Server) -> None:
    tables = []
    for number in range(MOST_LEFT):
        table = await seated(server, "ali", f"other {number}", deal=False)
        await table.command("ali", ask.Leave(rid="1"))
        tables.append(table)
        for user in table.state.people:  # so that nobody joins them here
            table.detach(table.audience.seated[user])
    waiting = await server.press("veli")
    await asyncio.sleep(QUICK_S / 2)
    server = await server.again()
    assert await code_of(server.press("ali")) == "left-often"
    back = await server.press("veli")
    assert back.state.table == waiting.state.table
    assert (await server.press("ayşe")) is back
    await asyncio.sleep(QUICK_S - 0.5)
    assert back.state.stage is Stage.WAITING  # the clocks begin anew
    await asyncio.sleep(1)
    assert sorted(map(str, players(back.state))) == ["ayşe", BOT, BOT, "veli"]


# Nobody owns it -------------------------------------------------------------------------------


@live
async def test_nobody_has_an_owners_rights(server: Server) -> None:
    table = await server.press("ali")
    await server.press("veli")
    bot = ask.SetBot(rid="3", seat=2, bot="greedy")
    for command in (ask.Start(rid="1"), ask.Kick(rid="2", seat=1), bot):
        assert await code_of(table.command("ali", command)) == "not-owner"
    assert [seat.get("owner") for seat in shown_seats(table)] == [False, False, None, None]


# Another match --------------------------------------------------------------------------------


@pytest.mark.parametrize("people", [["ali"], ["ali", "veli"]])
@live
async def test_a_rematch_asks_each_person_once(server: Server, people: list[str]) -> None:
    table = await seated(server, *people)
    await match_over(table)
    for user in people:
        assert table.state.stage is Stage.OVER
        await table.command(user, ask.Rematch(rid="1"))
    assert (table.state.stage, table.state.match) == (Stage.DEALING, 2)
    assert players(table.state) == [*people, BOT, BOT, BOT][:4]


@live
async def test_when_the_other_one_goes_the_table_waits_for_people_again(server: Server) -> None:
    table = await seated(server)
    await match_over(table)
    await table.command("ali", ask.Rematch(rid="1"))
    # Left when the match was over, so the seat was to be had.
    assert await server.press("veli") is table
    assert table.state.stage is Stage.WAITING
    assert sorted(table.state.people) == ["ali", "veli"]
    assert table.state.deadline == table.state.at_ms + 1000 * table.state.options.quick
    assert (await server.press("can")) is table


@live
async def test_a_table_that_closes_meanwhile_keeps_nobody_from_the_next(server: Server) -> None:
    table = await seated(server, deal=False)
    await match_over(table)
    server.store.delay = lambda _: asyncio.sleep(0.1)
    closing = asyncio.create_task(table.close())
    await asyncio.sleep(0.05)
    other = await server.press("ali")
    await closing
    assert other is not table


@pytest.mark.parametrize("code", ["table-full", "store-failed"])
@live
async def test_only_what_says_nothing_of_other_tables_is_passed_over(
    server: Server, monkeypatch: Patch, code: str
) -> None:
    first = await server.press("ali")
    monkeypatch.setattr(first, "command", AsyncMock(side_effect=OkeyError(code, code)))
    if code == "table-full":
        assert await server.press("veli") is not first
    else:
        assert await code_of(server.press("veli")) == code


@live
async def test_any_table_begins_again_once_everybody_wants_it(server: Server) -> None:
    """A table of friends, and one against bots; with an empty seat it waits for its owner."""
    for bots, gone in (((None, None, "greedy", "greedy"), False), ((None,) * 4, True)):
        options = msgspec.structs.replace(quick_options(), quick=0, bots=bots, deals=1)
        table = await server.tables.create("u0", options)
        people = [n for n, bot in enumerate(bots) if bot is None]
        table.attach(Screen("u0"))
        for seat in people[1:]:
            await table.command(f"u{seat}", ask.Sit(rid="s", seat=seat))
            await table.command(f"u{seat}", ask.Ready(rid="r"))
            table.attach(Screen(f"u{seat}"))
        await table.command("u0", ask.Start(rid="b"))
        await match_over(table)
        if gone:
            await table.command("u3", ask.Leave(rid="l"))
            people = people[:3]
        for seat in people:
            assert table.state.stage is Stage.OVER
            await table.command(f"u{seat}", ask.Rematch(rid="m"))
        assert table.state.stage is (Stage.WAITING if gone else Stage.DEALING)
