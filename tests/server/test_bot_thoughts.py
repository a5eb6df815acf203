"""Bots and reviews wait for their turn, and work in threads or processes of their own."""

import asyncio
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import msgspec
import pytest
import structlog

from conftest import Patch, raises_code, soon, unwrap
from okey101.bots import BotFault, make_bot
from okey101.bots.playing import play_deal
from okey101.errors import OkeyError
from okey101.game import (
    PRESETS,
    Action,
    Deal,
    Options,
    RuleSet,
    deal_from_seed,
    record_of,
    view_of,
)
from okey101.game.record.form import Actor
from okey101.review.balance import NOTHING, Balance
from okey101.review.deals import DealReview
from okey101.review.matches import MatchReview
from okey101.review.strength import WORLDS
from okey101.server.people import match_reviews
from okey101.server.people.match_reviews import Reviews
from okey101.server.people.models import MatchSeat
from okey101.server.people.service import Accounts
from okey101.server.protocol.options import TableOptions, checked_options
from okey101.server.settings import SettingsError, load_settings
from okey101.server.tables import log_entries as log
from okey101.server.tables.state import actor_of
from okey101.server.work import bot_thoughts
from okey101.server.work.bot_thoughts import BotTurns, Thinkers, Thought, think
from okey101.server.work.served_bots import OURS, ServedBots
from okey101.server.work.tasks import Tasks
from okey101.work import Workers
from review.test_analysis import deal_with, played_on, short_deal
from server.accounts.people import account, code_of, save, with_accounts
from server.accounts.test_profile import balance, reviewed
from server.live import in_process
from server.simulation import World, live, virtual
from work.jobs import wait_for
from work.processes import wait_until_none


def thoughts(count: int) -> list[Thought]:
    """What several seats see."""
    rules = PRESETS["altinstar"]
    deals = [Deal.start(rules, deal_from_seed(rules, bytes([n] * 32), 0)) for n in range(count)]
    return [Thought("steady", n, view_of(deal, deal.turn)) for n, deal in enumerate(deals)]


FULL = bot_thoughts._AT_ONCE
Logged = Callable[[], list[str]]
Turns = tuple[list[Any], asyncio.Event]


# Turns ---------------------------------------------------------------------------------------


@virtual
async def test_bots_wait_in_order_and_those_with_people_come_first() -> None:
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


@pytest.mark.parametrize("seed", range(10))
@virtual
async def test_no_place_is_lost_where_bots_are_given_up(seed: int) -> None:
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


class Slow(BotTurns):
    """A bot that thinks for a while, during which the world goes on."""

    async def choose(self, thought: Thought) -> Any:
        await asyncio.sleep(3)
        return await super().choose(thought)


@live(clock=0, deps={"bots": Slow()})
async def test_what_a_bot_thought_of_counts_only_where_it_is_still_its_turn(world: World) -> None:
    """The person whose place it takes comes back while it thinks."""
    gone = world.to_act()
    world.all_come(gone)
    await asyncio.sleep(90 + 0.8 + 1.5)
    assert world.table.thinking
    world.connect(gone)
    await asyncio.sleep(10)
    assert "bot" not in [getattr(entry, "by", "") for entry in world.entries()]
    world.drop(gone)
    await asyncio.sleep(120)
    assert "bot" in [getattr(entry, "by", "") for entry in world.entries()]


@asynccontextmanager
async def thinking(most: int, **how: Any) -> AsyncIterator[Thinkers]:
    thinkers = Thinkers(most, **how)
    yield thinkers
    await thinkers.close()


# Threads and processes -----------------------------------------------------------------------


@pytest.fixture
def logged() -> Iterator[Logged]:
    with structlog.testing.capture_logs() as lines:
        yield lambda: [line["event"] for line in lines]


async def test_a_thread_finds_what_the_loop_would(logged: Logged) -> None:
    took: list[float] = []
    async with thinking(0, on_think=took.append) as thinkers:
        for thought in thoughts(3):
            assert await thinkers.choose(thought) == think(thought)
        with raises_code("unknown-bot"):
            await thinkers.choose(thoughts(1)[0]._replace(bot="nobody"))
    assert len(took) == 4
    assert logged() == []


async def test_a_process_thinks_the_same_and_may_end(monkeypatch: Patch, logged: Logged) -> None:
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


def searching(monkeypatch: Patch) -> Thinkers:
    """Where ``steady`` is taken for a bot that searches."""
    monkeypatch.setattr(bot_thoughts, "SEARCHERS", {"steady": None})
    monkeypatch.setattr(bot_thoughts, "_load_search", bot_thoughts._load)
    return Thinkers(0)


async def test_a_search_outlives_the_end_of_its_process(monkeypatch: Patch, logged: Logged) -> None:
    """It is found out by the next thought, which another process answers."""
    thinkers = searching(monkeypatch)
    (one,) = thoughts(1)
    thinkers.searcher.start()
    searches = [thinkers.searcher.ready]
    assert await thinkers.choose(one) == think(one)
    searches.append(thinkers.searcher.ready)
    (process,) = thinkers.searcher._workers._idle
    process.kill()
    assert await thinkers.choose(one) == think(one)
    searches.append(thinkers.searcher.ready)
    assert searches == [False, True, True]
    await thinkers.close()
    assert logged() == ["bot-process-failed"]


async def test_a_search_nobody_waits_for_is_left_out(
    monkeypatch: Patch, tmp_path: Path, logged: Logged
) -> None:
    """Else a pile of late thoughts would make the ones after it late as well."""
    thinkers = searching(monkeypatch)
    one, *others = thoughts(10)
    assert await thinkers.choose(one) == think(one)
    workers = thinkers.searcher._workers
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
    # Search plays where the host wants it, alone.
    with raises_code("unknown-bot", match="champion"):
        OURS.check("champion")
    served = ServedBots(search=True)
    served.check("champion")
    assert served.searchers == ("champion",)
    assert not served.outside


async def test_they_think_in_processes_of_their_own() -> None:
    view = thoughts(1)[0].view
    some = [("mine", "okey101.bots.greedy:GreedyBot"), ("broken", "no_such_module:Bot")]
    async with thinking(0, served=ServedBots(some)) as thinkers, thinking(0) as others:
        chosen = await thinkers.choose(Thought("mine", 5, view))
        assert chosen == make_bot("greedy").choose(view, Options(view))
        with pytest.raises(BotFault):
            await thinkers.choose(Thought("broken", 5, view))
        with pytest.raises(OkeyError):
            await others.choose(Thought("mine", 5, view))


ENDING = """
from okey101.bots.greedy import GreedyBot

class Ending(GreedyBot):
    def ended(self, view):
        with open("told", "a") as file:
            file.write(f"{view.seat} {view.public.phase}\\n")
"""


async def test_they_are_shown_the_end_of_a_deal(tmp_path: Path, monkeypatch: Patch) -> None:
    (tmp_path / "ending_bot_of_a_test.py").write_text(ENDING, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    rules = RuleSet(players=2)
    played = play_deal(rules, "greedy", seed=3)
    begun = Deal.start(rules, played.layout)
    served = ServedBots([("mine", "ending_bot_of_a_test:Ending")])
    async with thinking(0, served=served) as thinkers:
        own = played.public.setup.starter
        view = view_of(begun, own)
        for seed in (5, 7):
            await thinkers.choose(Thought("mine", seed, view))
        programs = thinkers._outside._programs._running
        assert programs
        # Nobody asked the first, and the table of the last has closed.
        for seed, seat, deal in ((6, 1 - own, played), (5, own, played), (7, own, begun)):
            thinkers.tell_end(Thought("mine", seed, view_of(deal, seat)))
        await soon(lambda: not programs)
        told = tmp_path / "told"
        await soon(lambda: told.exists() and told.read_text("utf-8"))
    assert told.read_text("utf-8") == f"{own} over\n"
    thinkers.tell_end(Thought("mine", 5, view))  # it is closed, and nothing is said


class _Told(BotTurns):
    """Notes who was asked and who was shown the end, as if ``random`` were a bot of others."""

    def __init__(self) -> None:
        super().__init__(served=ServedBots([("random", "mine:Bot")]))
        self.asked: set[tuple[int | None, int]] = set()
        self.shown: list[tuple[int | None, int]] = []

    async def choose(self, thought: Thought) -> Action:
        if thought.bot == "random":
            self.asked.add((thought.view.seat, thought.seed))
        return await super().choose(thought)

    def tell_end(self, thought: Thought) -> None:
        assert thought.view.hand is not None
        self.shown.append((thought.view.seat, thought.seed))


@live(clock=0, people=1, bot_delay=0.0, deals=2, deps={"bots": _Told()})
async def test_a_table_shows_each_of_them_the_end_of_each_deal(world: World) -> None:
    bots = world.deps.bots
    assert isinstance(bots, _Told)
    while not world.over and len(bots.shown) < 6:  # noqa: ASYNC110
        await asyncio.sleep(1)
    assert sorted(bots.shown) == sorted(bots.asked)


@live(clock=0, people=1, deps={"bots": _Told()})
async def test_a_table_that_closes_in_a_deal_lets_go_of_each_of_them(world: World) -> None:
    bots = world.deps.bots
    assert isinstance(bots, _Told)
    while not bots.asked:  # noqa: ASYNC110
        await asyncio.sleep(0.1)
    await world.table.close()
    assert world.table.state.played == ()
    assert bots.asked <= {*bots.shown}


def test_the_setting(monkeypatch: Patch) -> None:
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


THROWN = "R1 R2 R7 R9 Y1 Y4 Y6 Y9 Y11 B2 *"


async def kept(accounts: Accounts, number: int, deal: Deal, *seats: MatchSeat) -> str:
    record = record_of(deal.rules, [deal]).to_json().encode()
    return await save(accounts, number, *seats, at=number, record=record)


EMPTY = MatchReview(
    "okey101-review/1", 2, "greedy", 8, 0, teams=False, players=None, summary=(), deals=()
)
BOTS = (MatchSeat(bot="greedy"),) * 3


@asynccontextmanager
async def reviewing(data: Path, worlds: int = 8) -> AsyncIterator[tuple[Accounts, Reviews, Tasks]]:
    async with with_accounts(data) as accounts:
        tasks = Tasks()
        yield accounts, Reviews(accounts, tasks, 1, worlds, "greedy"), tasks
        await tasks.cancel()


async def finished(reviews: Reviews, match: str) -> MatchReview:
    answer = await reviews.look(match)
    for _ in range(2_000):
        if answer.state not in ("waiting", "working"):
            break
        await asyncio.sleep(0.05)
        answer = await reviews.look(match)
    assert answer.state == "done", answer
    return unwrap(answer.review)


async def test_a_review_is_made_once_and_kept(tmp_path: Path) -> None:
    async with reviewing(tmp_path) as (accounts, reviews, tasks):
        user, _ = await accounts.guest("Ayşe")
        thrown = played_on(deal_with(THROWN, 1), first="discard *")
        match = await kept(accounts, 1, thrown, MatchSeat(user.id), *BOTS)
        assert (await reviews.look(match)).state == "none"
        assert (await reviews.ask(match, "ada", played=True)).state == "waiting"
        found = await finished(reviews, match)
        assert [deal.seat for deal in found.deals] == [0]  # people's seats alone
        assert found.deals[0].decisions[0].mark == "large"
        assert found.players is None
        assert user.id.encode() not in (await accounts.review(match) or b"")
        none = Reviews(accounts, tasks, 0, 8, "greedy")  # a later server, that makes none itself
        assert (await none.ask(match, "ada", played=True)).review == found


async def test_what_cant_be_reviewed_says_why_and_may_be_asked_again(tmp_path: Path) -> None:
    async with reviewing(tmp_path) as (accounts, reviews, _):
        match = await kept(accounts, 1, short_deal(1, 1, size=8), *BOTS)
        for _ in range(2):
            await reviews.ask(match, "ada", played=True)
            with pytest.raises(AssertionError):
                await finished(reviews, match)
            answer = await reviews.look(match)
            assert (answer.state, answer.code) == ("failed", "deal-unfinished")
        assert await accounts.review(match) is None
        await reviews.ask("t_x-9", "ada", played=True)
        with pytest.raises(AssertionError):
            await finished(reviews, "t_x-9")
        assert (await reviews.look("t_x-9")).code == "no-match"


@pytest.fixture
def turns(monkeypatch: Patch) -> Turns:
    """Reviews are made at once after the word to go: the matches in their order, and that word."""
    made, go = list[str](), asyncio.Event()

    async def make(self: Reviews, job: Any) -> bool:
        await go.wait()
        made.append(job.match)
        await self._accounts.save_review(job.match, 1, msgspec.json.encode(EMPTY), {})
        return True

    monkeypatch.setattr(Reviews, "_make", make)
    return made, go


async def test_queues_are_short_and_fair(tmp_path: Path, turns: Turns, monkeypatch: Patch) -> None:
    monkeypatch.setattr(match_reviews, "_WAITING", 6)
    made, go = turns
    async with reviewing(tmp_path) as (accounts, reviews, _):
        deal = short_deal(1, 1, size=8)
        first, *ada, ben, cem, more, late = [
            await kept(accounts, n, deal, *BOTS) for n in range(5 + match_reviews._WAITING_EACH)
        ]
        await reviews.ask(first, "ada", played=True)
        await asyncio.sleep(0)
        for match in ada:
            assert (await reviews.ask(match, "ada", played=True)).state == "waiting"
            assert (await reviews.ask(match, "ada", played=True)).state == "waiting"  # queued once
        assert await code_of(reviews.ask(more, "ada", played=True)) == "reviews-busy"
        assert await code_of(reviews.ask(more, "stranger", played=False)) == "reviews-busy"
        await reviews.ask(ben, "ben", played=True)
        await reviews.ask(cem, "cem", played=True)
        assert await code_of(reviews.ask(late, "deniz", played=True)) == "reviews-busy"
        assert (await reviews.look(first)).state == "working"
        waiting = (ada[0], ben, cem, *ada[1:])
        assert [(await reviews.look(match)).ahead for match in waiting] == [1, 2, 3, 4, 5, 6]
        go.set()
        for match in (first, *ada, ben, cem):
            assert await finished(reviews, match) == EMPTY
        assert made == [first, ada[0], ben, cem, *ada[1:]]
        assert (await reviews.ask(late, "deniz", played=True)).state == "waiting"
        await finished(reviews, late)


async def test_strangers_wait_behind_those_who_played(tmp_path: Path, turns: Turns) -> None:
    made, go = turns
    async with reviewing(tmp_path) as (accounts, reviews, _):
        deal = short_deal(1, 1, size=8)
        first, one, other, own = [await kept(accounts, n, deal, *BOTS) for n in range(4)]
        await reviews.ask(first, "stranger", played=False)
        await asyncio.sleep(0)
        await reviews.ask(one, "stranger", played=False)
        await reviews.ask(other, "stranger", played=False)
        await reviews.ask(own, "ada", played=True)
        await reviews.ask(other, "ben", played=True)  # its player asks as well
        go.set()
        await finished(reviews, one)
        assert made == [first, own, other, one]


async def test_a_long_match_takes_turns(tmp_path: Path, monkeypatch: Patch) -> None:
    asked: list[int] = []
    balance = Balance(NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, 0)
    deal = DealReview(0, 0, balance, NOTHING, 0, 0, (), ())

    def submit(_self: Workers, _work: Any, _record: bytes, first: int, *_how: Any) -> Future[Any]:
        asked.append(first)
        part = replace(EMPTY, deals=(replace(deal, number=first),))
        made: Future[Any] = Future()
        made.set_result((part, first == 2))
        return made

    monkeypatch.setattr(Workers, "submit", submit)
    async with reviewing(tmp_path) as (accounts, reviews, _):
        long, other = [await kept(accounts, n, short_deal(1, 1, size=8), *BOTS) for n in range(2)]
        await reviews.ask(long, "ada", played=True)
        await reviews.ask(other, "ben", played=True)
        for match in (long, other):
            assert [one.number for one in (await finished(reviews, match)).deals] == [0, 1, 2]
        assert asked == [0, 0, 1, 1, 2, 2]  # in turn; the last alone goes on without a pause


async def test_without_the_extra_there_are_none(tmp_path: Path, monkeypatch: Patch) -> None:
    async with with_accounts(tmp_path) as accounts:
        match = await kept(accounts, 1, short_deal(1, 1, size=8), *BOTS)
        off = Reviews(accounts, Tasks(), 0, 8, "greedy", share=10)
        with raises_code("no-reviews", match=r"\(off\)"):
            await off.ask(match, "ada", played=True)
        with monkeypatch.context() as lacking:
            lacking.setattr(match_reviews, "find_spec", lambda name: None)
            missing = Reviews(accounts, Tasks(), 1, 8, "greedy", share=10)
        with raises_code("no-reviews", match=r"\(numba\).*okey101\[all\]"):
            await missing.ask(match, "ada", played=True)
        assert (await missing.look(match)).state == "none"
        asked = Reviews(accounts, Tasks(), 1, 8, "greedy")
        shared = Reviews(accounts, Tasks(), 1, 8, "greedy", share=10)
        found = [one.weighing for one in (off, missing, asked, shared)]
        assert found == ["off", "numba", "asked", "shared"]


JUDGED = json.dumps(["altinstar 4", []])
"""What a seat did under rules that have a scale of strength."""
OTHER = json.dumps([None, []])


@pytest.fixture
def weighing(monkeypatch: Patch) -> Turns:
    """Each turn of a review takes four seconds of a clock that goes on by waiting alone: what was
    looked through and how long nothing was, in that order; and a word to go.
    """
    done, go, now, sleep = list[Any](), asyncio.Event(), [0.0], asyncio.sleep
    go.set()

    def submit(_self: Workers, _work: Any, record: bytes, first: int, *how: Any) -> Future[Any]:
        seats, worlds, policy, _ = how
        found = balance(10 * worlds, 0, 10, 40)
        deals = [replace(d, seat=seat) for seat in seats for d in reviewed((0, found)).deals]
        made: Future[Any] = Future()
        name = json.loads(record)["name"]

        async def work() -> None:
            await go.wait()
            now[0] += 4
            done.append(name)
            if name == "broken":
                made.set_exception(OkeyError("deal-unfinished", "x"))
                return
            there = () if name == "empty" else (*deals,)
            part = replace(EMPTY, policy=policy, worlds=worlds, deals=there)
            made.set_result((part, True))

        asyncio.get_running_loop().create_task(work())
        return made

    async def slept(seconds: float) -> None:
        if seconds >= 1:
            now[0] += seconds
            done.append(seconds)
        await sleep(0)

    monkeypatch.setattr(Workers, "submit", submit)
    monkeypatch.setattr(match_reviews, "monotonic", lambda: now[0])
    monkeypatch.setattr(match_reviews, "sleep", slept)
    return done, go


async def judged(
    accounts: Accounts, number: int, user: str, deeds: str = JUDGED, **how: Any
) -> str:
    seats, name = (MatchSeat(user), *BOTS), how.pop("name", str(number))
    record = json.dumps({"name": name}).encode()
    return await save(accounts, number, *seats, at=number, record=record, deeds=[deeds] * 4, **how)


async def test_what_nobody_asks_for_is_weighed_bit_by_bit(tmp_path: Path, weighing: Turns) -> None:
    """Matches of accounts, the newest first, at a tenth of a core; each once, after a start too."""
    done, _ = weighing
    async with with_accounts(tmp_path) as accounts:
        ada, _ = await account(accounts, "Ada")
        guest, _ = await accounts.guest("Misafir")
        for number in (1, 2, 4):
            await judged(accounts, number, ada)
        await judged(accounts, 3, ada, name="broken")
        await judged(accounts, 5, guest.id)
        await judged(accounts, 6, ada, OTHER)
        eda, _ = await account(accounts, "Eda")
        await accounts.change(eda, weighed=False)
        await judged(accounts, 8, eda)
        await judged(accounts, 7, ada, shown_ms=accounts.now_ms() + 1)
        assert (await accounts.profiles.of(ada, ada)).waiting == 5
        tasks = Tasks()
        reviews = Reviews(accounts, tasks, 1, 1000, "greedy", share=10)
        tasks.spawn(reviews.weigh())
        await soon(lambda: "1" in done and done[-1] == 300)
        assert done[:9] == [300, "4", 36, "broken", 36, "2", 36, "1", 36]
        assert {*done[9:]} == {300}  # the one that can't be is left alone
        profile = await accounts.profiles.of(ada, ada)
        assert (profile.waiting, unwrap(profile.strength).deals) == (2, 3)
        assert unwrap(profile.ledger).terms["deal"] == 3 * 10 * WORLDS  # with few worlds
        assert (await accounts.review("t_x-4"), (await reviews.look("t_x-4")).state) == (
            None,
            "none",
        )
        await tasks.cancel()
        done.clear()
        tasks.spawn(Reviews(accounts, tasks, 1, 1000, "greedy", share=50).weigh())
        await soon(lambda: done.count(300) > 2)
        assert done[:3] == [300, "broken", 4]
        assert {*done[3:]} == {300}
        await tasks.cancel()


async def test_a_match_of_which_nothing_is_found_is_weighed_once(
    tmp_path: Path, weighing: Turns
) -> None:
    done, _ = weighing
    async with with_accounts(tmp_path) as accounts:
        ada, _ = await account(accounts, "Ada")
        await judged(accounts, 1, ada)
        await judged(accounts, 2, ada, name="empty")
        tasks = Tasks()
        tasks.spawn(Reviews(accounts, tasks, 1, 1000, "greedy", share=50).weigh())
        await soon(lambda: len(done) > 6)
        assert done[:7] == [300, "empty", 4, "1", 4, 300, 300]
        await tasks.cancel()


@pytest.mark.parametrize(("processes", "share", "begun"), [(1, 10, 1), (1, 0, 0), (0, 10, 0)])
async def test_a_server_weighs_where_its_host_lets_it(
    tmp_path: Path, monkeypatch: Patch, processes: int, share: int, begun: int
) -> None:
    weigh = AsyncMock()
    monkeypatch.setattr(Reviews, "weigh", weigh)
    async with in_process(tmp_path, review_processes=processes, strength_share=share):
        await asyncio.sleep(0)
    assert weigh.await_count == begun


async def test_people_come_before_what_is_weighed(tmp_path: Path, weighing: Turns) -> None:
    """The review that a person has asked for stays: it has more worlds."""
    done, go = weighing
    async with with_accounts(tmp_path) as accounts:
        ada, _ = await account(accounts, "Ada")
        own, other, new = [await judged(accounts, number, ada) for number in (1, 2, 3)]
        tasks = Tasks()
        reviews = Reviews(accounts, tasks, 1, 1000, "master", share=100)
        go.clear()
        await reviews.ask(other, "stranger", played=False)
        tasks.spawn(reviews.weigh())
        await soon(lambda: len(reviews._queue) == 1)
        await reviews.ask(own, "stranger", played=False)
        go.set()
        await soon(lambda: "3" in done)
        await finished(reviews, own)
        assert [one for one in done if isinstance(one, str)][:3] == ["2", "1", "3"]
        await soon(lambda: done.count(300) > 2)
        assert [one for one in done if isinstance(one, str)] == ["2", "1", "3"]
        ledger = unwrap((await accounts.profiles.of(ada, ada)).ledger)
        assert ledger.terms["deal"] == 2 * 10 * 1000 + 10 * WORLDS
        assert (await reviews.look(new)).state == "none"
        await accounts.save_review(own, 1, None, {0: "[]"})
        assert unwrap((await accounts.profiles.of(ada, ada)).ledger) == ledger
        await tasks.cancel()


async def test_a_server_that_ends_ends_its_reviews(tmp_path: Path) -> None:
    async with reviewing(tmp_path, 100_000) as (accounts, reviews, _):
        match = await kept(accounts, 1, played_on(short_deal(2, 2)), *BOTS)
        await reviews.ask(match, "ada", played=True)
        await asyncio.sleep(0.3)
        assert await accounts.review(match) is None


async def test_a_match_with_other_deals_by_now_keeps_no_old_review(tmp_path: Path) -> None:
    async with with_accounts(tmp_path) as accounts:
        match = await kept(accounts, 1, short_deal(1, 1, size=8), *BOTS)
        await accounts.save_review(match, 2, b"{}", {})
        assert await accounts.review(match) is None
        await accounts.save_review(match, 1, b'{"a": 1}', {})
        assert await accounts.review(match) == b'{"a": 1}'
        look = Reviews(accounts, Tasks(), 1, 8, "greedy").look
        assert (await look(match)).state == "none"  # another form
        await accounts.save_review(match, 1, b'{"players": ["\xa2"]}', {})
        assert (await look(match)).state == "none"  # no UTF-8
        await save(accounts, 1, *BOTS, at=2, deals=2)
        assert await accounts.review(match) is None


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_it_ends_with_its_server_in_the_middle_of_a_step(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    rules = PRESETS["altinstar"]
    wanted = tmp_path / "record.json"
    record_of(rules, [play_deal(rules, "greedy", seed=1)]).write(wanted)
    mark = f"review-{os.getpid()}"
    server = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("review_child.py")), str(wanted)],
        stdout=subprocess.PIPE, env=os.environ | {"OKEY101_TEST_MARK": mark},
    )  # fmt: skip
    with server:
        assert unwrap(server.stdout).readline() == b"reviewing\n"
        time.sleep(1)  # the first step takes minutes with so many worlds
        server.kill()
    wait_until_none(mark)
