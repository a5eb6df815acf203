"""Reviews are made once, in a process beside the server, within a bounded queue, and kept."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from concurrent.futures import Future
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from conftest import unwrap
from okey101.game import PRESETS, Deal, record_of
from okey101.review.balance import NOTHING, Balance
from okey101.review.deals import DealReview
from okey101.review.matches import MatchReview
from okey101.server.people import Accounts, MatchSeat, match_reviews
from okey101.server.people.match_reviews import Reviews
from okey101.server.work.tasks import Tasks
from okey101.sim.playing import play_deal
from okey101.work import Workers
from review.test_analysis import deal_with, played_on, short_deal
from server.accounts.people import code_of, with_accounts
from work.processes import wait_until_none

THROWN = "R1 R2 R7 R9 Y1 Y4 Y6 Y9 Y11 B2 *"


async def kept(accounts: Accounts, number: int, deal: Deal, *seats: MatchSeat) -> str:
    record = record_of(deal.rules, [deal]).to_json().encode()
    return await accounts.save_match(
        table_id="t_x", number=number, finished_ms=number, rules=PRESETS["altinstar"], deals=1,
        seats=seats, totals=[0] * 4, record=record,
    )  # fmt: skip


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
    """The review of a match once it is made; AssertionError where it can't be."""
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


@pytest.fixture
def turns(monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], asyncio.Event]:
    """Reviews are made at once after the word to go: the matches in their order, and that word."""
    made, go = list[str](), asyncio.Event()

    async def make(self: Reviews, job: Any) -> bool:
        await go.wait()
        made.append(job.match)
        await self._accounts.save_review(job.match, 1, msgspec.json.encode(EMPTY))
        return True

    monkeypatch.setattr(Reviews, "_make", make)
    return made, go


async def test_the_queue_is_bounded_and_fair(
    tmp_path: Path, turns: tuple[list[str], asyncio.Event], monkeypatch: pytest.MonkeyPatch
) -> None:
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


async def test_strangers_wait_behind_those_who_played(
    tmp_path: Path, turns: tuple[list[str], asyncio.Event]
) -> None:
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


async def test_a_long_match_takes_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    balance = Balance(NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, 0)
    deal = DealReview(0, 0, balance, NOTHING, 0, 0, (), ())

    def submit(_self: Workers, _work: Any, _record: bytes, first: int, *_how: Any) -> Future[Any]:
        asked.append(first)
        part = replace(EMPTY, deals=(replace(deal, number=first),))
        made: Future[Any] = Future()
        made.set_result((msgspec.json.encode(part), first == 2))
        return made

    monkeypatch.setattr(Workers, "submit", submit)
    async with reviewing(tmp_path) as (accounts, reviews, _):
        long, other = [await kept(accounts, n, short_deal(1, 1, size=8), *BOTS) for n in range(2)]
        await reviews.ask(long, "ada", played=True)
        await reviews.ask(other, "ben", played=True)
        for match in (long, other):
            assert [one.number for one in (await finished(reviews, match)).deals] == [0, 1, 2]
        assert asked == [0, 0, 1, 1, 2, 2]  # in turn; the last alone goes on without a pause


async def test_without_the_extra_there_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with with_accounts(tmp_path) as accounts:
        match = await kept(accounts, 1, short_deal(1, 1, size=8), *BOTS)
        off = Reviews(accounts, Tasks(), 0, 8, "greedy")
        assert await code_of(off.ask(match, "ada", played=True)) == "no-reviews"
        monkeypatch.setattr(match_reviews, "find_spec", lambda name: None)
        missing = Reviews(accounts, Tasks(), 1, 8, "greedy")
        assert await code_of(missing.ask(match, "ada", played=True)) == "no-reviews"
        assert (await missing.look(match)).state == "none"


async def test_a_server_that_ends_ends_its_reviews(tmp_path: Path) -> None:
    async with reviewing(tmp_path, 100_000) as (accounts, reviews, _):
        match = await kept(accounts, 1, played_on(short_deal(2, 2)), *BOTS)
        await reviews.ask(match, "ada", played=True)
        await asyncio.sleep(0.3)
        assert await accounts.review(match) is None


async def test_a_match_with_other_deals_by_now_keeps_no_old_review(tmp_path: Path) -> None:
    async with with_accounts(tmp_path) as accounts:
        match = await kept(accounts, 1, short_deal(1, 1, size=8), *BOTS)
        await accounts.save_review(match, 2, b"{}")
        assert await accounts.review(match) is None
        await accounts.save_review(match, 1, b'{"a": 1}')
        assert await accounts.review(match) == b'{"a": 1}'
        look = Reviews(accounts, Tasks(), 1, 8, "greedy").look
        assert (await look(match)).state == "none"  # another form
        await accounts.save_match(
            table_id="t_x", number=1, finished_ms=2, rules=PRESETS["altinstar"], deals=2,
            seats=BOTS, totals=[0] * 4, record=b'{"deals": []}',
        )  # fmt: skip
        assert await accounts.review(match) is None


async def test_no_match_no_review(tmp_path: Path) -> None:
    async with reviewing(tmp_path) as (_, reviews, _):
        await reviews.ask("t_x-1", "ada", played=True)
        with pytest.raises(AssertionError):
            await finished(reviews, "t_x-1")
        assert (await reviews.look("t_x-1")).code == "no-match"


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
        time.sleep(3)  # the first step takes minutes with so many worlds
        server.kill()
    wait_until_none(mark)
