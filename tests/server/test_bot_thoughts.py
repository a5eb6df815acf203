"""Bots wait for their turn in order, and think in threads or processes; bots of others as well."""

from __future__ import annotations

import asyncio
import dataclasses
import random
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
import structlog

from conftest import raises_code, unwrap
from okey101.bots import BotFault, make_bot
from okey101.errors import OkeyError
from okey101.game import PRESETS, Deal, Options, deal_from_seed, view_of
from okey101.game.record.form import Actor
from okey101.server.protocol.options import TableOptions, checked_options
from okey101.server.settings import SettingsError, load_settings
from okey101.server.tables import log_entries as log
from okey101.server.tables.seats import actor_of
from okey101.server.work import bot_thoughts
from okey101.server.work.bot_thoughts import BotTurns, Thinkers, Thought, think
from okey101.server.work.served_bots import OURS, ServedBots
from server.server_stories import story, table_options
from server.simulation import World, simulate
from work.jobs import wait_for


def thoughts(count: int) -> list[Thought]:
    """What several seats see."""
    rules = PRESETS["altinstar"]
    deals = [Deal.start(rules, deal_from_seed(rules, bytes([n] * 32), 0)) for n in range(count)]
    return [Thought("steady", n, view_of(deal, deal.turn)) for n, deal in enumerate(deals)]


FULL = bot_thoughts._AT_ONCE
Logged = Callable[[], list[str]]


# Turns ---------------------------------------------------------------------------------------


def test_bots_wait_in_order_and_those_with_people_come_first() -> None:
    async def main() -> None:
        turns, came = BotTurns(), list[str]()

        async def bot(name: str, *, watched: bool) -> None:
            async with turns.turn(watched=watched):
                came.append(name)
                await asyncio.sleep(1)

        full = [asyncio.create_task(bot(f"f{n}", watched=False)) for n in range(FULL)]
        await asyncio.sleep(0.1)
        later = []
        for name, watched in (("a", False), ("b", False), ("c", True), ("d", True)):
            later.append(asyncio.create_task(bot(name, watched=watched)))
            await asyncio.sleep(0.1)
        assert turns.waiting == 4
        assert turns.behind == pytest.approx(0.4)
        await asyncio.gather(*full, *later)
        assert set(came[:FULL]) == {f"f{n}" for n in range(FULL)}
        assert set(came[FULL:]) == {"a", "b", "c", "d"}
        assert (turns.waiting, turns.behind) == (0, 0.0)

    simulate(main, 1)


@pytest.mark.parametrize("seed", range(10))
def test_no_place_is_lost_where_bots_are_given_up(seed: int) -> None:
    async def main() -> None:
        turns, rng = BotTurns(), random.Random(seed)
        inside = most = 0

        async def bot() -> None:
            nonlocal inside, most
            async with turns.turn(watched=rng.random() < 0.5):
                inside += 1
                most = max(most, inside)
                try:
                    await asyncio.sleep(rng.random())
                finally:
                    inside -= 1

        tasks = [asyncio.create_task(bot()) for _ in range(100)]
        for _ in range(60):
            await asyncio.sleep(0.05)
            rng.choice(tasks).cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert most == FULL
        assert turns._free == FULL

    simulate(main, seed)


class Slow(BotTurns):
    """A bot that thinks for a while, during which the world goes on."""

    async def choose(self, thought: Thought) -> Any:
        await asyncio.sleep(3)
        return await super().choose(thought)


def test_what_a_bot_thought_of_counts_only_where_it_is_still_its_turn() -> None:
    """The person whose place it takes comes back while it thinks."""
    world = World(random.Random(1))
    world.deps = dataclasses.replace(world.deps, bots=Slow())

    async def main() -> None:
        told = story(table_options(clock=0), "playing", 1)
        world.begin(told.rows, told.state)
        gone = unwrap(told.state.seats[unwrap(told.state.deal).turn].user)
        for name in told.state.people:
            if name != gone:
                world.connect(name)
        await asyncio.sleep(90 + 0.8 + 1.5)
        assert world.table.thinking
        world.connect(gone)
        await asyncio.sleep(10)
        entries = [log.read_entry(row.entry) for row in world.store.rows]
        assert not [e for e in entries if isinstance(e, log.Acted) and e.by == "bot"]
        world.drop(gone)
        await asyncio.sleep(120)
        entries = [log.read_entry(row.entry) for row in world.store.rows]
        assert [e for e in entries if isinstance(e, log.Acted) and e.by == "bot"]
        world.check_clients()
        world.check_log()

    simulate(main, 1)


# Threads and processes -----------------------------------------------------------------------


@pytest.fixture
def logged() -> Iterator[Logged]:
    """The events that were logged by now."""
    with structlog.testing.capture_logs() as lines:
        yield lambda: [line["event"] for line in lines]


async def test_a_thread_finds_what_the_loop_would(logged: Logged) -> None:
    took: list[float] = []
    thinkers = Thinkers(0, took.append)
    for thought in thoughts(3):
        assert await thinkers.choose(thought) == think(thought)
    with raises_code("unknown-bot"):
        await thinkers.choose(thoughts(1)[0]._replace(bot="nobody"))
    assert len(took) == 4
    await thinkers.close()
    assert logged() == []


async def test_a_process_finds_the_same_and_its_end_costs_nobody_a_move(
    monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    """It is started once a crowd waits, and is told views alone."""
    monkeypatch.setattr(bot_thoughts, "_CROWD", 0)
    thinkers = Thinkers(1)
    some = thoughts(4)
    assert await thinkers.choose(some[0]) == think(some[0])  # the thread, meanwhile
    crowd = unwrap(thinkers._crowd)
    await crowd.start()
    ready = [crowd.ready]
    assert [await thinkers.choose(one) for one in some] == [think(one) for one in some]
    with pytest.raises(OkeyError, match="nobody"):
        await thinkers.choose(some[0]._replace(bot="nobody"))
    (process,) = crowd._workers._idle
    process.kill()
    found = await asyncio.gather(*map(thinkers.choose, some))
    assert found == [think(one) for one in some]
    ready.append(crowd.ready)
    assert await thinkers.choose(some[0]) == think(some[0])
    ready.append(crowd.ready)
    assert ready == [True, False, False]  # another crowd starts it again, after a while
    await thinkers.close()
    await thinkers.close()
    assert logged() == ["bot-process-failed"]


async def test_a_search_outlives_the_end_of_its_process(
    monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    """It is found out by the next thought, which another process answers."""
    monkeypatch.setattr(bot_thoughts, "SEARCHERS", {"steady": None})
    monkeypatch.setattr(bot_thoughts, "_load_search", bot_thoughts._load)
    thinkers = Thinkers(0)
    (one,) = thoughts(1)
    thinkers.prepare()
    searches = [thinkers.searches]
    assert await thinkers.choose(one) == think(one)
    searches.append(thinkers.searches)
    (process,) = thinkers._searcher._workers._idle
    process.kill()
    assert await thinkers.choose(one) == think(one)
    searches.append(thinkers.searches)
    assert searches == [False, True, True]
    await thinkers.close()
    assert logged() == ["bot-process-failed"]


async def test_a_search_leaves_out_what_nobody_waits_for_any_more(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, logged: Logged
) -> None:
    """Else a pile of late thoughts would make the ones after it late as well."""
    monkeypatch.setattr(bot_thoughts, "SEARCHERS", {"steady": None})
    monkeypatch.setattr(bot_thoughts, "_load_search", bot_thoughts._load)
    thinkers = Thinkers(0)
    one, *others = thoughts(10)
    assert await thinkers.choose(one) == think(one)
    workers = thinkers._searcher._workers
    until = tmp_path / "until"
    busy = workers.submit(wait_for, until)
    asked: list[Future[Any]] = []
    submit = workers.submit

    def noted(*job: Any) -> Future[Any]:
        asked.append(submit(*job))
        return asked[-1]

    monkeypatch.setattr(workers, "submit", noted)
    monkeypatch.setattr(bot_thoughts, "_SEARCH_S", 0.05)
    late = await asyncio.gather(*map(thinkers.choose, others), return_exceptions=True)
    assert {type(error) for error in late} == {TimeoutError}
    assert [future.cancelled() for future in asked] == [True] * len(others)
    until.touch()
    await asyncio.wrap_future(busy)
    monkeypatch.setattr(bot_thoughts, "_SEARCH_S", 60.0)
    assert await thinkers.choose(one) == think(one)
    await thinkers.close()
    assert logged() == []


def test_only_what_the_host_allows_may_play() -> None:
    with raises_code("unknown-bot"):
        checked_options(TableOptions(bots=("mine",)))
    for name in ("okey101.bots.greedy:GreedyBot", "exec:true"):
        with pytest.raises(OkeyError):
            OURS.check(name)
    served = ServedBots([("mine", "okey101.bots.greedy:GreedyBot")])
    assert checked_options(TableOptions(bots=("mine",)), served).bots[0] == "mine"
    served.check("steady")
    with pytest.raises(OkeyError):
        served.check("okey101.bots.greedy:GreedyBot")


async def test_they_think_in_processes_of_their_own() -> None:
    rules = PRESETS["altinstar"]
    deal = Deal.start(rules, deal_from_seed(rules, bytes(32), 0))
    view = view_of(deal, deal.turn)
    some = [("mine", "okey101.bots.greedy:GreedyBot"), ("broken", "no_such_module:Bot")]
    thinkers, others = Thinkers(0, served=ServedBots(some)), Thinkers(0)
    try:
        chosen = await thinkers.choose(Thought("mine", 5, view))
        assert chosen == make_bot("greedy").choose(view, Options(view))
        with pytest.raises(BotFault):
            await thinkers.choose(Thought("broken", 5, view))
        with pytest.raises(OkeyError):
            await others.choose(Thought("mine", 5, view))
    finally:
        await thinkers.close()
        await others.close()


def test_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OKEY101_BOTS", "mine=mybot:Careful; js = exec:node bot.js --fast ;")
    assert load_settings().bots == (("mine", "mybot:Careful"), ("js", "exec:node bot.js --fast"))
    for wrong in ("mine", "steady=mybot:Careful", "=x", "Mine=x:Y", "a b=x:Y", "mine="):
        monkeypatch.setenv("OKEY101_BOTS", wrong)
        with pytest.raises(SettingsError) as caught:
            load_settings()
        assert caught.value.details["wanted"] == "bots"


def test_records_mark_them() -> None:
    entry = log.Acted(seat=1, actions=(), by="bot", bot="external:mine")
    assert actor_of(entry) == "external:mine"
    assert Actor.parse("external:mine/3") == Actor("external", "mine/3")
    for wrong in ("external", "external:", "external:a b", "external:a/0"):
        with pytest.raises(OkeyError):
            Actor.parse(wrong)


def test_search_plays_where_the_host_wants_it_alone() -> None:
    with raises_code("unknown-bot", match="champion"):
        OURS.check("champion")
    served = ServedBots(search=True)
    served.check("champion")
    assert served.searchers == ("champion",)
    assert not served.outside
