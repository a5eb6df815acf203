"""Günün elleri: one try each, the same tiles for all, and nothing told before its time."""

import asyncio
import contextlib
import copy
import gc
import hashlib
import io
import itertools
import json
import logging
import random
import re
import secrets
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from errno import ENOSPC
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar, NamedTuple, cast
from unittest.mock import AsyncMock, Mock

import httpx
import msgspec
import pytest
from hypothesis import given, strategies as st
from litestar import Litestar
from litestar.routes import HTTPRoute

from conftest import Patch, soon, unwrap
from game.fair_match import DAY_CHECK, day_check
from okey101 import play_deal
from okey101.bots import bot_info, make_bot
from okey101.cli import daily, main
from okey101.cli.app import run
from okey101.cli.play.console import Console, PlayerLeft
from okey101.client import Client, CommandRefused, play_at
from okey101.client.heads import Auditor
from okey101.game import End, Options, Result, parse_record, record_of, transition, view_of
from okey101.game.fair.rounds import bot_seed, day_digest, day_mix
from okey101.game.fair.transcript import Fair
from okey101.game.record.form import Record
from okey101.game.record.verification import Check, State, public_entries, verify_record
from okey101.server import hub as hubs
from okey101.server.errors import refuse
from okey101.server.hub import Hub
from okey101.server.net.limits import Limiter
from okey101.server.people import days
from okey101.server.people.day_tries import (
    Board,
    Boards,
    DayOfDeals,
    Try,
    begins_ms,
    date_at,
    instances_of,
)
from okey101.server.people.match_keeper import MatchKeeper
from okey101.server.people.models import MatchSeat, Session
from okey101.server.people.persons import new_token
from okey101.server.people.profile import deeds_of, found_of
from okey101.server.protocol import client_messages as ask
from okey101.server.protocol.views import DayAnswer, DayMix, Profile, Share
from okey101.server.store import Row
from okey101.server.tables import clocks, serialise
from okey101.server.tables.state import Stage
from okey101.server.tables.table import Table
from okey101.server.web import socket
from okey101.server.web.auth import erase_person
from okey101.server.web.schema import protocol_schema
from okey101.sim.bot_proofs import verify_bots
from okey101.work import Workers
from server.accounts.people import BOTS, Clock, account, save
from server.accounts.test_profile import balance, reviewed
from server.live import (
    Http,
    Json,
    LiveServer,
    asking,
    in_process,
    is_kept,
    listening,
    over_a_socket,
)

NOON = 1_795_683_600_000
"""12:00 of 2026-11-26 in Istanbul."""
TODAY, TOMORROW = "2026-11-26", "2026-11-27"
OTHER = f"{TOMORROW}-2"
"""A second instance, where there are several."""
HOUR = 3_600_000


@pytest.fixture(scope="module")
def worker() -> Iterator[Workers]:
    """A process in which bots play, for all tests: most of what one costs is its start."""
    with contextlib.closing(Workers(1)) as one:
        yield one


@pytest.fixture
def clock(monkeypatch: Patch, worker: Workers) -> Clock:
    made = Clock(NOON)
    kept = SimpleNamespace(submit=worker.submit, close=lambda: None)
    monkeypatch.setattr(days, "Workers", lambda *_, **_named: kept)
    monkeypatch.setattr(hubs, "utc_ms", made)
    monkeypatch.setattr(days, "BOT", "novice")
    monkeypatch.setattr(days.day_options, "__defaults__", ("novice",))
    monkeypatch.setattr(days, "FIELD", ("novice", "greedy"))
    return made


@contextlib.asynccontextmanager
async def running(data: Path, **settings: object) -> AsyncIterator[Litestar]:
    quick = {"bot_delay_ms": 0, "first_deal_wait_s": 0, "dealing_s": 0, "max_lag_ms": 60_000}
    async with in_process(data, **{**quick, **settings}) as app:
        hub: Hub = app.state.hub
        await hub.tables.wait_back()
        await hub.days.look()
        yield app


async def person(app: Litestar, name: str) -> str:
    _, token = await cast("Hub", app.state.hub).accounts.guest(name)
    return token


class Day(NamedTuple):
    """A server with a day that has begun, and somebody who is there as a guest."""

    app: Litestar
    hub: Hub
    http: Http


@contextlib.asynccontextmanager
async def begins(data: Path, **settings: object) -> AsyncIterator[Day]:
    async with running(data, **settings) as app, asking(app, await person(app, "Ali")) as http:
        yield Day(app, app.state.hub, http)


@pytest.fixture
def today(tmp_path: Path, clock: Clock) -> contextlib.AbstractAsyncContextManager[Day]:
    assert clock.now == NOON
    return begins(tmp_path)


async def later(hub: Hub, clock: Clock, hours: int = 24) -> None:
    """So many hours go by, and what is due by then is done."""
    clock.now += hours * HOUR
    await hub.days.look()


async def get(http: httpx.AsyncClient, path: str) -> Any:
    answer = await http.get(path if path.startswith("/") else f"/api/days/{path}")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def code(http: httpx.AsyncClient, path: str, method: str = "GET", body: object = None) -> str:
    answer = await http.request(method, path, json=body)
    return "" if answer.is_success else str(answer.json()["error"]["code"])


async def logged(hub: Hub) -> list[str]:
    await hub.public_log.publish()
    return await hub.public_log.entries(0, 1000)


async def sound_record(http: httpx.AsyncClient, match: str, shares: State) -> Record:
    """The record of a match, each deal of which is as it should be."""
    record = parse_record((await http.get(f"/api/matches/{match}/record")).text)
    found = verify_record(record)
    assert not found.errors
    for checked in found.deals:
        assert checked.verified, checked
        assert checked.states[Check.SHARES] is shares
    return record


def require_as_promised(record: Record, day: Json) -> None:
    """A record's deals are those of a closed day to which nobody contributed."""
    fairs = [Fair.from_dict(dict(unwrap(deal.fair)), players=4) for deal in record.deals]
    assert [fair.secret for fair in fairs] == day["secrets"]
    assert [fair.commitment for fair in fairs] == day["commitments"]
    assert day_digest(day["date"], [fair.transcript for fair in fairs]) == day["digest"]


async def evidence_of(
    http: httpx.AsyncClient, name: str, log: list[str], record: Record, *mine: Share
) -> daily._Evidence:
    """What a player of a day is told of it."""
    return daily._Evidence(
        msgspec.convert(await get(http, name), DayAnswer),
        msgspec.convert(await get(http, f"{name}/mix"), DayMix),
        [(n, line) for n, line in enumerate(log) if f" {name} " in line], [], record, [*mine],
    )  # fmt: skip


async def begun(app: Litestar, http: httpx.AsyncClient, date: str = TODAY) -> Table:
    answer = await http.post(f"/api/days/{date}/play")
    assert answer.status_code == 200, answer.text
    return await cast("Hub", app.state.hub).tables.get(answer.json()["table"])


async def play(table: Table, actions: int = 10**6) -> None:
    user, bot, done = unwrap(table.state.owner), make_bot("greedy"), 0
    while table.state.stage in (Stage.DEALING, Stage.PLAYING) and done < actions:
        state = table.state
        deal = state.deal
        if state.stage is Stage.DEALING and not state.seats[0].ready:
            await table.command(user, ask.Ready(rid=f"r{state.seq}"))
        elif state.stage is Stage.PLAYING and unwrap(deal).turn == 0:
            view = view_of(unwrap(deal), 0)
            action = str(bot.choose(view, Options(view)))
            await table.command(user, ask.Act(rid=f"a{state.seq}", action=action))
            done += 1
        else:
            await asyncio.sleep(0.002)


async def finish(hub: Hub, *tables: Table) -> None:
    for table in tables:
        await play(table)
    await hub.matches.wait()


async def test_a_try_from_its_beginning_to_its_place(today: Day, clock: Clock) -> None:
    app, hub, http = today
    # A day that is shown is in the head that is shown.
    log = await hub.public_log.entries(0, 1000)
    assert log == await logged(hub)
    assert [line for line in log if f" {TODAY} " in line][1].startswith("mixed ")
    async with asking(app) as stranger:
        (day,) = await get(http, "")
        assert (day["date"], day["state"], day["own"]) == (TODAY, "open", None)
        assert day["secrets"] is None
        assert not day["mixed"]
        assert day["bots"] == [None, *["novice/1"] * 3]
        assert await code(http, f"/api/days/{TODAY}/table") == "day-unplayed"
        assert await code(http, f"/api/days/{TOMORROW}") == "no-day"
        assert await code(http, f"/api/days/{TOMORROW}/play", "POST") == "no-day"
        table = await begun(app, http)
        assert await begun(app, http) is table
        where = f"/api/tables/{table.state.table}"
        assert await code(stranger, where) == "spectators-off"
        shown = (await http.get(where)).json()["table"]
        assert (shown["day"], shown["commitment"], shown["round"]) == (TODAY, None, None)
        for command in (
            ask.Leave(rid="l"),
            ask.Sit(rid="s"),
            ask.SetBot(rid="b", seat=1, bot="greedy"),
        ):
            with pytest.raises(Exception, match="day's deals"):
                await table.command(unwrap(table.state.owner), command)
        await play(table)
        assert table.state.stage is Stage.OVER
        end = unwrap(serialise.deal_view(table.state))["end"]
        assert list(cast("dict[str, object]", end)) == ["hands"]
        assert len(table.state.played) == 4
        await hub.matches.wait()
        told = await get(http, f"{TODAY}/table")
        own = told["own"]
        assert (told["ranked"], own["ranked"], own["name"]) == (4, False, "Ali")
        assert len(told["lines"]) == sum(told["spread"]) == 4
        assert 1 <= own["place"] <= 5
        assert all(line["bot"] and line["match"] is None for line in told["lines"])
        results = [unwrap(one.deal.result) for one in table.state.played]
        assert own["points"] == [one.scores[0] * one.counts for one in results]
        assert own["total"] == sum(own["points"])
        # Nothing of it is told before the day is closed.
        assert (await http.get("/api/matches/")).json() == []
        ali = unwrap(table.state.owner)
        unplayed = await hub.accounts.profiles.of(ali, ali)
        assert unplayed == Profile(0, 0, [], None, None, [])
        match = f"/api/matches/{table.state.table}-1"
        bots_run = f"/api/matches/{TODAY}_3-1"
        for path in (match, f"{match}/record", f"{match}/deals/0", f"{match}/review", bots_run):
            assert await code(http, path) == "no-match"
        assert await code(http, f"{where}/record") == "day-table"
        await hub.matches.make_again(hub.store)
        assert await code(http, match) == "no-match"
        assert await code(http, f"/api/days/{TODAY}/play", "POST") == "day-played"
        assert await code(stranger, f"/api/days/{TODAY}/table") == "day-unplayed"
        # The next noon all is opened, and it is what was promised.
        await later(hub, clock)
        old = await get(stranger, TODAY)
        assert old["state"] == "closed"
        best = (await get(stranger, f"{TODAY}/table"))["own"]
        assert best is None
        own = (await get(http, f"{TODAY}/table"))["own"]
        require_as_promised(await sound_record(http, own["match"], State.UNKNOWN), old)
        lines = await logged(hub)
        assert f"day {TODAY} {old['digest']}" in lines
        assert all(f"commitment {one}" in lines for one in old["commitments"])
        assert any(line.startswith(f"day {TOMORROW} ") for line in lines)
        # Where a match was reviewed, the own play of each deal stands beside its points.
        assert own["skill"] is None
        review = reviewed(*((n, balance(0, 0, 10 * n - 10, 0)) for n in range(4)))
        kept = msgspec.json.encode(review)
        await hub.accounts.save_review(own["match"], 4, kept, found_of(review))
        assert (await get(http, f"{TODAY}/table"))["own"]["skill"] == [-1, 0, 1, 2]
        profile = await hub.accounts.profiles.of(ali, ali)
        assert (profile.matches, profile.deals, unwrap(profile.ledger).deals) == (1, 4, 4)
        assert sum(one.count for one in profile.figures if one.kind == "opening") == 4
        # A run of the first field is played again for whoever wants to see it.
        told = await get(stranger, f"{TODAY}/table")
        (line,) = [line for line in told["lines"] if line["bot"] == 3]
        assert line["match"] == f"{TODAY}_3-1"
        answer = await stranger.get(bots_run)
        assert answer.is_success, answer.text
        seats = answer.json()["seats"]
        assert seats == ["bot:3", *["bot:novice"] * 3]
        record = await sound_record(stranger, f"{TODAY}_3-1", State.UNKNOWN)
        found: list[Any] = [deal.result for deal in record.deals]
        counted = [one["scores"][0] * (one["end"] != "all-pairs") for one in found]
        assert counted == line["points"]
        assert (await stranger.get(f"{bots_run}/deals/3")).is_success
        for other in ("5", "0", "03", "\N{ARABIC-INDIC DIGIT THREE}"):  # a run has one name
            assert await code(stranger, f"/api/matches/{TODAY}_{other}-1") == "no-match"


async def test_a_deal_that_does_not_count_scores_nothing_and_is_not_dealt_again(
    today: Day, monkeypatch: Patch
) -> None:
    """The right neighbour deals next all the same, and the day is over after four deals.

    They are those of everybody else though bots of another version sit there since an upgrade.
    """
    void = Result(End.ALL_PAIRS, None, (101, 0, 0, 0), (), (), counts=False)
    over = transition._over

    def ended(new: Any, hands: Any, result: Result) -> Any:
        second = table is not None and len(table.state.played) == 1
        return over(new, hands, void if second else result)

    table: Table | None = None
    monkeypatch.setattr(transition, "_over", ended)
    app, hub, http = today
    table = await begun(app, http)
    while not table.state.played:
        await play(table, 1)
    monkeypatch.setattr(clocks, "BOTS", {"novice": bot_info("novice")._replace(version=99)})
    await finish(hub, table)
    promised = days.Promised(await hub.days.day(TODAY))
    for number, played in enumerate(table.state.played):
        assert played.deal.whole.layout == promised.deal(number).layout, number
    dealers = [one.deal.whole.public.setup.dealer for one in table.state.played]
    assert dealers == [(dealers[0] + number) % 4 for number in range(4)]
    points = (await get(http, f"{TODAY}/table"))["own"]["points"]
    results = [unwrap(one.deal.result) for one in table.state.played]
    assert points == [one.scores[0] * one.counts for one in results]
    assert not results[1].counts


async def test_a_try_goes_on_after_a_restart_and_the_next_morning(
    tmp_path: Path, clock: Clock
) -> None:
    clock.now = NOON + 11 * HOUR
    async with running(tmp_path) as app:
        token = await person(app, "Ali")
        async with asking(app, token) as http:
            table = await begun(app, http)
            await play(table, 1)
            before = table.state
    async with running(tmp_path) as app:
        hub: Hub = app.state.hub
        async with asking(app, token) as http, asking(app, await person(app, "Veli")) as late:
            again = await begun(app, http)
            assert again.state.table == before.table
            assert unwrap(again.state.deal).layout == unwrap(before.deal).layout
            clock.now = NOON + 23 * HOUR
            await hub.days.look()
            assert [day["state"] for day in await get(http, "")] == ["open", "late"]
            assert await code(late, f"/api/days/{TODAY}/play", "POST") == "day-over"
            assert await begun(app, http) is again
            clock.now = NOON + 24 * HOUR
            again.look()
            await soon(lambda: again.state.stage is Stage.CLOSED)
            assert await code(http, f"/api/days/{TODAY}/play", "POST") in (
                "day-over",
                "table-closed",
            )
            assert [day["date"] for day in await get(http, "")] == [TOMORROW]


async def test_a_try_whose_points_are_in_its_rows_alone_is_scored(
    tmp_path: Path, clock: Clock, monkeypatch: Patch
) -> None:
    """The server died before they were kept, and comes back once the day is over."""
    monkeypatch.setattr(MatchKeeper, "keep", lambda *_: None)
    async with running(tmp_path) as app:
        _, token = await account(cast("Hub", app.state.hub).accounts, "Ali")
        clock.now += 24 * HOUR
        await cast("Hub", app.state.hub).days.look()
        async with asking(app, token) as http:
            table = await begun(app, http, TOMORROW)
            await play(table)
            assert table.state.stage is Stage.OVER
    clock.now += 24 * HOUR
    async with running(tmp_path) as app, asking(app, token) as http:
        own = (await get(http, f"{TOMORROW}/table"))["own"]
        week = await get(http, f"{TOMORROW}/totals")
        assert week["own"]["total"] == own["percent"]


async def test_a_try_whose_table_is_frozen_stands_on_no_board(today: Day, clock: Clock) -> None:
    """Its player can't end it, and the tries of the others are compared without it.

    The deals that were played are kept for who played them, once the day is closed.
    """
    app, hub, http = today
    table = await begun(app, http)
    while not table.state.played:
        await play(table, 1)
    seq = table.state.seq + 1
    torn = Row(table.state.table, seq, clock.now, b"{}", 1, "")
    await hub.store.append(torn)
    await table._replay([torn])
    assert table.frozen is not None
    await hub.matches.wait()
    assert await code(http, f"/api/days/{TODAY}/table") == "day-unplayed"
    await later(hub, clock)
    assert (await get(http, f"{TODAY}/table"))["own"] is None
    (kept,) = (await http.get("/api/matches")).json()
    assert kept["deals"] == 1


async def test_no_match_of_a_day_is_kept_too_early_nor_without_the_log(
    today: Day, clock: Clock, monkeypatch: Patch
) -> None:
    """Whenever the server ends while it makes the records; and a check misses none before."""
    app, hub, http = today
    table = await begun(app, http)
    await finish(hub, table)
    for due in (False, True):
        clock.now += due * 24 * HOUR
        assert await hub.matches.make_again(hub.store) == []
    with monkeypatch.context() as patch:
        patch.setattr(hub.matches, "_tell", AsyncMock(side_effect=ValueError))
        await hub.days.look()
    await hub.days.look()
    match = f"{table.state.table}-1"
    record = parse_record((await http.get(f"/api/matches/{match}/record")).text)
    assert {*public_entries(record)} <= {*await logged(hub)}
    assert await hub.matches.make_again(hub.store) == []
    await hub.accounts.forget_match(match)
    (told,) = await hub.matches.make_again(hub.store)
    assert match in told


async def test_days_go_on_whatever_one_of_them_raises(
    tmp_path: Path, clock: Clock, monkeypatch: Patch
) -> None:
    """What fails is tried again, and keeps no other day from being made, or closed."""
    monkeypatch.setattr(days, "_EVERY_S", 0.01)
    now, coming = (date_at(clock.now + hours * HOUR) for hours in (48, 72))
    failing = True
    async with running(tmp_path) as app:
        hub: Hub = app.state.hub
        read, made = hub.accounts.days.day, hub.days._made

        async def day(date: str) -> DayOfDeals | None:
            return refuse("accounts-failed") if failing and date == TODAY else await read(date)

        async def making(names: list[str], *given: Any) -> list[DayOfDeals]:
            if failing and names[0] == coming:
                raise ValueError("a fault of the program")
            return await made(names, *given)

        async def went_on(*closed: str) -> bool:
            found = await hub.accounts.days.closed([TODAY, TOMORROW])
            return now in hub.days._told and {*found} == {*closed}

        monkeypatch.setattr(hub.accounts.days, "day", day)
        monkeypatch.setattr(hub.days, "_made", making)
        clock.now += 48 * HOUR
        await soon(lambda: went_on(TOMORROW))
        assert coming not in hub.days._told
        failing = False
        await soon(lambda: went_on(TODAY, TOMORROW))
        await soon(lambda: coming in hub.days._told)


async def test_rows_of_a_try_are_kept_until_its_day_is_closed(tmp_path: Path, clock: Clock) -> None:
    """Its record is made of them then, however soon the archive lets go of closed tables."""
    clock.now = NOON + 12 * HOUR
    async with running(tmp_path) as app:
        hub: Hub = app.state.hub
        tokens = [await person(app, name) for name in ("Ali", "Veli")]
        async with asking(app, tokens[0]) as http, asking(app, tokens[1]) as other:
            table = (await begun(app, http, TOMORROW)).state.table
            await play(await hub.tables.get(table))
            await hub.matches.close_table(hub.tables, table)
            await begun(app, other, TOMORROW)  # the last row stays in the log
            clock.now += 35 * HOUR
            while await hub.days.archive_step(clock.now - 24 * HOUR):
                pass
            await later(hub, clock, 1)
            assert (await http.get(f"/api/matches/{table}-1/record")).is_success
            while await hub.days.archive_step(clock.now - 24 * HOUR):
                pass
            assert [row.entry for row in await hub.store.history(table)] == [b""]


async def test_all_get_the_same_tiles_and_accounts_are_ranked(today: Day, clock: Clock) -> None:
    app, hub, _ = today
    token = await person(app, "Ali")
    session = unwrap(await hub.accounts.session(token))
    token = await hub.accounts.upgrade(session, "Ali", "correct horse")
    veli, _ = await account(hub.accounts, "Veli")
    moderator = new_token()
    await hub.accounts.appoint(veli, moderator)
    await later(hub, clock)
    async with asking(app, token) as http, asking(app, moderator) as other:
        ali = unwrap(await hub.accounts.session(token)).user.id
        one, two = await begun(app, http, TOMORROW), await begun(app, other, TOMORROW)
        await finish(hub, one, two)
        told, theirs = (
            await get(http, f"{TOMORROW}/table"),
            await get(other, f"{TOMORROW}/table"),
        )
        seeds = [[(p.secret, p.sat[1:]) for p in table.state.played] for table in (one, two)]
        assert seeds[0] == seeds[1]
        assert unwrap(one.state.deal).layout == unwrap(two.state.deal).layout
        assert told["own"]["points"] == theirs["own"]["points"]  # both played as the same bot
        assert told["own"]["ranked"]
        assert not theirs["own"]["ranked"]
        assert told["ranked"] == theirs["ranked"] == 5
        # Who is a friend stands beside the others, once both want it.
        await hub.accounts.ties.befriend(veli, ali)
        assert (await get(other, f"{TOMORROW}/table"))["friends"] == []
        await hub.accounts.ties.befriend(ali, veli)
        (friend,) = (await get(other, f"{TOMORROW}/table"))["friends"]
        assert (friend["name"], friend["points"]) == ("Ali", told["own"]["points"])
        assert told["friends"] == []
        # The week counts a day once it is closed, and only who is ranked there.
        week = await get(http, f"{TOMORROW}/totals")
        assert (week["days"], week["lines"], week["streak"]) == (1, [], 1)
        await later(hub, clock)
        score = (await get(http, f"{TOMORROW}/table"))["own"]["percent"]
        for over, begins, ends in (("week", "23", "29"), ("month", "01", "30")):
            told = await get(other, f"{TOMORROW}/totals?over={over}")
            assert (told["begins"], told["ends"]) == (f"2026-11-{begins}", f"2026-11-{ends}")
            assert (told["ranked"], told["own"], told["streak"]) == (1, None, 1)
            line = {"place": 1, "name": "Ali", "face": None, "own": False, "days": 1}
            assert told["lines"] == [line | {"total": score, "average": score}]


async def test_each_is_given_one_of_several_instances(
    tmp_path: Path, clock: Clock, monkeypatch: Patch
) -> None:
    """Nobody chooses it, each is a day of its own, and the tables have all of them."""
    given: dict[str, int] = {}
    monkeypatch.setattr(days, "day_instance", lambda _, user, count: given[user] % count)
    monkeypatch.setattr(days, "FIELD", ("greedy",))  # one run each
    async with running(tmp_path, daily_instances=2) as app:
        hub: Hub = app.state.hub
        people = [await account(hub.accounts, name) for name in ("Ali", "Veli")]
        given |= {user: number for number, (user, _) in enumerate(people)}
        async with asking(app, people[1][1]) as veli:
            (today,) = await get(veli, "")
            assert today["next"]["date"] == OTHER
            answer = await veli.post(
                f"/api/days/{TODAY}/play", json=shared_by(7, today["next"]["digest"])
            )
            assert answer.json()["shared"]
    clock.now += 24 * HOUR
    async with running(tmp_path, daily_instances=1) as app:  # what was promised stays
        hub = app.state.hub
        async with asking(app, people[0][1]) as ali, asking(app, people[1][1]) as veli:
            promised = [await get(http, TOMORROW) for http in (ali, veli)]
            assert [day["date"] for day in promised] == [TOMORROW, OTHER]
            assert [day["mixed"] for day in promised] == [False, True]
            assert (await get(veli, ""))[0] == promised[1] == await get(veli, OTHER)
            assert await code(ali, f"/api/days/{OTHER}/play", "POST") == "no-day"
            one, two = [await begun(app, http, TOMORROW) for http in (ali, veli)]
            assert await begun(app, veli, OTHER) is two
            assert unwrap(one.state.day).date == TOMORROW
            assert (await veli.get(f"/api/tables/{two.state.table}")).json()["table"][
                "day"
            ] == OTHER
            await play(one)
            assert unwrap(one.state.deal).layout != unwrap(two.state.deal).layout
            await hub.matches.wait()
            assert (await get(ali, f"{TOMORROW}/table"))["ranked"] == 2
            for name in (TOMORROW, OTHER):
                assert await code(veli, f"/api/days/{name}/table") == "day-unplayed"
            # A guest who has begun another instance has a second try of the same day.
            guest, token = await hub.accounts.guest("Deli")
            given[guest.id] = 1
            async with asking(app, token) as deli:
                third = await begun(app, deli, TOMORROW)
                assert await code(deli, "/api/login", "POST", ALI) == "day-twice"
                await finish(hub, third)
                assert (await deli.post("/api/login", json=ALI)).is_success
            own = unwrap(await hub.days._kept.of([TOMORROW, OTHER], people[0][0])).id
            assert own == one.state.table
            await finish(hub, two)
            tables = [await get(http, f"{TOMORROW}/table") for http in (ali, veli)]
            assert tables[0]["ranked"] == 4
            for told, name in zip(tables, (TOMORROW, OTHER), strict=True):
                shares = [line["percent"] for line in told["lines"]]
                assert shares == sorted(shares, reverse=True)
                places = [line["place"] for line in told["lines"]]
                assert places == [1 + sum(other > one for other in shares) for one in shares]
                assert (told["date"], told["own"]["date"]) == (name, name)
                assert (await get(ali, name))["players"] == 2  # who was a guest, too, is one
            await later(hub, clock)
            tables = [await get(http, f"{TOMORROW}/table") for http in (ali, veli)]
            week = await get(ali, f"{OTHER}/totals")
            assert (week["days"], week["ranked"]) == (2, 2)
            assert {line["total"] for line in week["lines"]} == {
                told["own"]["percent"] for told in tables
            }
            lines = await logged(hub)
            for told in tables:
                name = told["date"]
                path = f"/api/matches/{name}_1-1"
                assert (await ali.get(path)).is_success
                record = parse_record((await ali.get(f"{path}/record")).text)
                assert {one.state for one in verify_bots(record)} == {State.PROVED}
                checks = (await evidence_of(ali, name, lines, record)).checks()
                assert checks.pop("mine") is State.UNKNOWN
                assert {*checks.values()} == {State.PROVED}, (name, checks)
            assert [day["date"] for day in await get(veli, "")] == ["2026-11-28"]
            async with listening(app) as url:
                told = await made_again(url, TOMORROW, f"{7:064x}")
    for number, (path, change, expected) in enumerate(UNTRUE):
        answers = copy.deepcopy(told)
        (found,) = [each for each in answers if re.fullmatch(path, each)][:1]
        change(answers[found])
        ended, said = again(answers, TOMORROW, f"{7:064x}", 1)
        assert ended == 1, (number, said)
        assert re.search(f"^WRONG: {expected}", said, re.MULTILINE), (number, said)
    assert again(told, TOMORROW, "00" * 32, 1)[0] == 1
    other = told | {
        "/api/days/2026-11-28/table?first=0": told[f"/api/days/{TOMORROW}/table?first=0"]
    }
    assert "WRONG: the table is that of" in again(other, "2026-11-28", f"{7:064x}")[1]
    for match, ended, expected in (
        (own, 1, f"^WRONG: match {own}-1: it is not there\n(.*\n)*1 wrong"),
        (f"{TOMORROW}_1", 0, f"^unknown: match {TOMORROW}_1-1(.*\n)*all of it is right, 1 unknown"),
    ):
        without = {path: one for path, one in told.items() if f"/{match}-1" not in path}
        found_so, said = again(without, TOMORROW, f"{7:064x}")
        assert found_so == ended
        assert re.search(expected, said, re.MULTILINE), said
    head = "/api/log/"
    hidden = told | {head: {"checkpoint": "\x1b[2J\r" + told[head]["checkpoint"]}}
    assert not re.search("\x1b|\r", again(hidden, TOMORROW, f"{7:064x}")[1])


async def made_again(url: str, date: str, mine: str) -> dict[str, Any]:
    """The answers by which a closed day is made again, by the documents alone."""
    words = [sys.executable, "-I", "-S", str(DAY_CHECK), url, date, "--mine", mine]
    child = await asyncio.create_subprocess_exec(*words, stdout=subprocess.PIPE)
    out, _ = await child.communicate()
    checker, answers = day_check(), dict[str, Any]()

    class Listener(checker.Server):  # type: ignore[misc, name-defined]
        def get(self, path: str) -> Any:
            return copy.deepcopy(answers.setdefault(path, super().get(path)))

    await asyncio.to_thread(checker.check, Listener(url), date, [mine], None)
    ended, said = again(answers, date, mine)
    assert (child.returncode, ended, out.decode()) == (0, 0, said), said
    for number, secret in enumerate(answers[f"/api/days/{date}"]["secrets"]):
        for seat in range(4):
            seed = bot_seed(bytes.fromhex(secret), f"day-{date}", 1, number, 0, seat)
            assert f"a bot in seat {seat} plays by {seed:064x}" in said
    return answers


def again(
    answers: dict[str, Any], date: str, mine: str, matches: int | None = None
) -> tuple[int, str]:
    """How the program ends, and what it says, where these are the server's answers."""

    class Answers:
        def get(self, path: str) -> Any:
            ended = {"lines": [], "ranked": 9, "spread": []} if "/table?" in path else []
            if "/matches/" in path and path not in answers:
                raise day_check().Refused(path, 404)
            return copy.deepcopy(answers.get(path, ended))

    with contextlib.redirect_stdout(io.StringIO()) as said:
        ended: int = day_check().check(Answers(), date, [mine], matches)
    return ended, said.getvalue()


def _swap(some: list[Any]) -> None:
    some[0], some[1] = some[1], some[0]


def _raise(some: list[int]) -> None:
    some[0] += 1


UNTRUE: list[tuple[str, Callable[[Any], object], str]] = [
    (f"/api/days/{OTHER}", lambda day: _swap(day["secrets"]), f"the secrets of {OTHER}"),
    (f"/api/days/{OTHER}", lambda day: day["bots"].__setitem__(1, "greedy/1"), "the day's digest"),
    (f"/api/days/{OTHER}/mix", lambda mix: mix["shares"].append("00" * 32), "the mix of 2"),
    (f"/api/days/{OTHER}/mix", lambda mix: mix.update(mix="00" * 32), "the mix of 1"),
    (f"/api/days/{OTHER}", lambda day: day.update(mixed=False), "the mix of 1"),
    (f"/api/days/{TOMORROW}", lambda day: day.update(mixed=True), "the mix of 0"),
    (".*/entries.*", list.pop, r"the \d+ lines of the log"),
    (".*/entries.*", _swap, r"the \d+ lines of the log"),
    (".*/entries.*", lambda lines: lines.append(lines[0]), r"the \d+ lines of the log"),
    (".*/entries.*", lambda lines: lines.remove(next(x for x in lines if f"{OTHER} " in x)),
     "the log promised"),
    (".*/table.*", lambda table: table.update(ranked=9), "the table has 9"),
    (".*/table.*", lambda table: table["spread"].append(table["spread"].pop(0) + 1), "the spread"),
    (".*/table.*", lambda table: table["lines"][1].update(place=9), "matchpoints"),
    (".*/table.*", lambda table: table["lines"][3]["matchpoints"].append(0), "matchpoints"),
    (".*/table.*", lambda table: table["lines"][0].update(percent=33.3), "matchpoints"),
    (".*/table.*", lambda table: table["lines"][2].update(total=0.5), "matchpoints"),
    (".*/table.*", lambda table: table["lines"].append(table["lines"][0]), "the table has"),
    (".*/table.*", lambda table: _raise(table["lines"][0]["points"]), "match(points| )"),
    (".*/table.*", lambda table: table["lines"][1].update(match=table["lines"][0]["match"]),
     "each match is there once"),
    (".*/table.*", lambda table: table["lines"][1].update(bot=17), "each match is there once"),
    (".*/table.*", lambda table: table["lines"][0].update(match="another-1"), "each match"),
    (".*/record", lambda told: told["rules"].update(open_points=1), "match .*: its deals or rules"),
    (".*_1-1/record", lambda told: told["deals"][0]["actors"].__setitem__(0, "person"),
     "match .*: no bot has played it"),
    (".*/record", lambda told: told["totals"].reverse(), "match "),
    (".*/record", lambda told: told["deals"].pop(), "match "),
    (".*/record", lambda told: _swap(told["deals"][1]["hands"]), "match "),
    (".*/record", lambda told: told["deals"][1]["actions"].pop(), "match "),
    (".*/record", lambda told: _swap(told["deals"][1]["actions"]), "match "),
    (".*/record", lambda told: told["deals"][2]["result"]["fines"].append(
        {"seat": 0, "rule": "P1", "points": 101}), "match "),
    (".*/record", lambda told: told["deals"][3]["fair"]["terms"].update(deals=5), "match "),
    (".*/record", lambda told: told.update(deals_agreed=3), "match "),
]  # fmt: skip
"""What a server may tell untruly of a day, where it does, and what is said of it."""


def shared_by(number: int, digest: str) -> dict[str, str]:
    return {"digest": digest, "value": f"{number:064x}"}


async def test_the_players_of_a_day_mix_the_deals_of_the_next(tmp_path: Path, clock: Clock) -> None:
    """Their list is closed in the log before the day begins, also where the server was down."""
    async with running(tmp_path) as app:
        hub: Hub = app.state.hub
        tokens = [await person(app, name) for name in ("Ali", "Veli", "Deli", "Geç")]
        async with asking(app, tokens[0]) as ali, asking(app, tokens[1]) as veli:
            (today,) = await get(ali, "")
            digest = today["next"]["digest"]
            assert today["next"]["date"] == TOMORROW
            assert f"day {TOMORROW} {digest}" in await logged(hub)
            path = f"/api/days/{TODAY}/play"
            for of in (today["digest"], digest):  # to another day; the try has begun
                answer = await veli.post(path, json=shared_by(2, of))
                assert not answer.json()["shared"]
            for number in (1, 1, 9):
                answer = await ali.post(path, json=shared_by(number, digest))
                assert answer.json()["shared"] is (number == 1)
            async with asking(app, tokens[2]) as deli:
                assert (await deli.post(path, json=shared_by(0, digest))).json()["shared"]
            wrong = {"digest": digest, "value": "0" * 63}
            assert await code(ali, path, "POST", wrong) == "bad-request"
            assert await code(ali, f"/api/days/{TOMORROW}/mix") == "no-day"
            told = await get(ali, f"{TODAY}/mix")  # nobody was asked the day before
            assert (told["shares"], today["mixed"]) == ([], False)
            assert (await get(ali, TODAY))["commitments"] == today["commitments"]
    clock.now += 23 * HOUR
    async with running(tmp_path) as app:
        hub = app.state.hub
        async with asking(app, tokens[0]) as ali, asking(app, tokens[3]) as late:
            day, _ = await get(late, "")
            assert (day["date"], day["digest"], day["mixed"]) == (TOMORROW, digest, True)
            told = await get(late, f"{TOMORROW}/mix")
            assert told["shares"] == [f"{number:064x}" for number in (0, 1)]
            # The same by the document alone.
            date = TOMORROW.encode()
            hashed = b"okey101 day mix 1" + len(date).to_bytes(8, "big") + date
            hashed += bytes.fromhex(digest) + (2).to_bytes(8, "big")
            hashed += b"".join(map(bytes.fromhex, told["shares"]))
            assert told["mix"] == hashlib.sha256(hashed).hexdigest()
            lines = await logged(hub)
            assert lines.index(f"mixed {TOMORROW} {told['mix']}") > lines.index(
                f"day {TOMORROW} {digest}"
            )
            path, given = f"/api/days/{TODAY}/play", shared_by(3, digest)
            assert await code(late, path, "POST", given) == "day-over"
            one, two = [await begun(app, http, TOMORROW) for http in (ali, late)]
            await play(one, 1)
            await play(two, 1)
            assert unwrap(one.state.deal).layout == unwrap(two.state.deal).layout
            await finish(hub, one)
            await later(hub, clock, 25)
            own = (await get(ali, f"{TOMORROW}/table"))["own"]
            for match in (own["match"], f"{TOMORROW}_1-1"):
                assert (await ali.get(f"/api/matches/{match}")).is_success
                record = await sound_record(ali, match, State.PROVED)
                fair = dict(unwrap(record.deals[0].fair))
                assert {*cast("list[str]", fair["randomness"])} == {told["mix"], ""}
            evidence = await evidence_of(
                ali, TOMORROW, await logged(hub), record, Share(digest, f"{1:064x}")
            )
            assert {*evidence.checks().values()} == {State.PROVED}
            mix, (first, second) = evidence.mix, evidence.lines
            other = msgspec.structs.replace
            secrets = unwrap(evidence.day.secrets)
            changed: dict[str, list[dict[str, Any]]] = {
                "promised": [{"absent": ["x"]}, {"lines": [first, first, second]}],
                "mixed": [
                    {"mix": other(mix, shares=mix.shares[:1])},
                    {"mix": other(mix, shares=mix.shares[::-1])},
                    {"mix": other(mix, shares=["no"])},
                    {"lines": [second, first]}, {"lines": [first, second, second]},
                    {"lines": [(9, first[1]), (3, second[1])]},
                ],
                "mine": [
                    {"mine": [Share(digest, f"{2:064x}")]},
                    {"mine": [Share("0" * 64, f"{1:064x}")]},  # given to another seal of that day
                ],
                "secrets": [
                    {"day": other(evidence.day, secrets=one)}
                    for one in (secrets[::-1], ["no hex", *secrets[1:]], ["00", *secrets[1:]])
                ],
                "deals": [
                    {"mix": other(mix, mix="0" * 64)},
                    {"day": other(evidence.day, digest="0" * 64)},
                ],
            }  # fmt: skip
            for check, changes in changed.items():
                for change in changes:
                    assert evidence._replace(**change).checks()[check] is State.DIFFERS, change


async def test_nobody_contributes_to_a_day_that_is_about_to_begin(
    tmp_path: Path, clock: Clock
) -> None:
    clock.now = begins_ms(TOMORROW) - 600_000 - 1
    async with running(tmp_path) as app:
        hub: Hub = app.state.hub
        async with asking(app, await person(app, "Ali")) as http:
            (day,) = await get(http, "")
            clock.now += 1
            answer = await http.post(
                f"/api/days/{TODAY}/play", json=shared_by(1, day["next"]["digest"])
            )
            assert not answer.json()["shared"]
            await hub.days.look()
            assert (await get(http, TODAY))["next"] is None
            nothing = day_mix(TOMORROW, day["next"]["digest"], ())
            assert f"mixed {TOMORROW} {nothing}" in await logged(hub)
            clock.now += 600_000
            assert not (await get(http, TOMORROW))["mixed"]


ALI = {"name": "Ali", "password": "correct horse", "bearer": True}
"""What one signs in with to :func:`ali_s_account`."""


async def ali_s_account(app: Litestar) -> Session:
    hub: Hub = app.state.hub
    session = unwrap(await hub.accounts.session(await person(app, "Ali")))
    await hub.accounts.upgrade(session, "Ali", "correct horse")
    return session


async def test_signing_in_takes_a_running_try_along(tmp_path: Path, clock: Clock) -> None:
    """Unless the account has one: then the guest's is finished first, which counts for nobody."""
    async with running(tmp_path) as app:
        hub: Hub = app.state.hub
        session = await ali_s_account(app)
        async with asking(app, await person(app, "Veli")) as guest:
            table = await begun(app, guest)
            await play(table, 1)
            answer = await guest.post("/api/login", json=ALI)
            assert answer.status_code == 200, answer.text
        async with asking(app, answer.json()["token"]) as http:
            assert (table.state.owner, table.state.stage) == (session.user.id, Stage.PLAYING)
            assert await begun(app, http) is table
        async with asking(app, await person(app, "Deli")) as guest:
            other = await begun(app, guest)
            assert await code(guest, "/api/login", "POST", ALI) == "day-twice"
            for each in (table, other):
                await finish(hub, each)
            token = (await guest.post("/api/login", json=ALI)).json()["token"]
        async with asking(app, token) as http:
            own = (await get(http, f"{TODAY}/table"))["own"]
            assert own["total"] == sum(own["points"])
            assert (await get(http, TODAY))["own"]["table"] == table.state.table
    async with running(tmp_path) as app, asking(app, token) as http:
        assert await code(http, f"/api/days/{TODAY}/play", "POST") == "day-played"


_MADE = st.tuples(st.booleans(), *[st.integers(-3, 3)] * 2)


@given(st.lists(_MADE, max_size=9), st.lists(_MADE, max_size=5))
def test_matchpoints_are_those_of_comparing_all(
    made: list[tuple[bool, int, int]], elsewhere: list[tuple[bool, int, int]]
) -> None:
    """Each is compared with who had the same deals, and all stand in one order."""
    tries = [Try(f"{n}", f"{n}", None, one[0], one[1:], TODAY) for n, one in enumerate(made)]
    others = [Try(f"x{n}", None, None, one[0], one[1:], OTHER) for n, one in enumerate(elsewhere)]
    board = Board(tries)
    boards = Boards({TODAY: board, OTHER: Board(others)})
    percent = {one: boards.line(one).percent for one in (*tries, *others)}
    ranked = [share for one, share in percent.items() if one.ranked]
    for one, share in percent.items():
        assert boards.line(one).place == 1 + sum(each > share for each in ranked)
    some = boards.some(2, 7)
    assert [percent[one] for one in some] == sorted(ranked, reverse=True)[2:9]
    assert boards.ranked == len(ranked)
    tenths = Counter(min(int(round(share, 1) // 10), 9) for share in ranked)
    assert boards.spread == [tenths[tenth] for tenth in range(10)]
    # The same by the document alone.
    lines = [boards.line(one) for one in boards.some(0, 100)]
    told = [
        {
            **line._asdict(), "points": line.made.points, "total": sum(unwrap(line.made.points)),
            "date": line.made.date, "ranked": line.made.ranked, "bot": None, "match": line.made.id,
        }
        for line in lines
    ]  # fmt: skip
    table = day_check().Table(told, len(ranked), boards.spread)
    table.check()
    assert not table.wrong
    assert [one.user for one in boards.of({"0", "1"})] == [
        one.user for one in board.ranked if one.user in ("0", "1")
    ]
    for one in tries:
        field = [other for other in tries if other.ranked and other is not one]
        line = board.line(one)
        for deal, mine in enumerate(unwrap(one.points) if board.ranked else ()):
            theirs = [unwrap(other.points)[deal] for other in field]
            better = sum((their > mine) + (their == mine) / 2 for their in theirs)
            assert line.matchpoints[deal] == pytest.approx(100 * better / max(len(field), 1))


def test_a_week_counts_the_tenths_that_a_day_shows() -> None:
    """0.05 is just above itself as a binary fraction, and ten times it is 0.5."""
    points = [(9, 9, 9, 9), (0, 0, 0, 9), *[(0, 0, 0, 0)] * 249]
    board = Board([Try(f"{n}", f"{n}", None, True, one, TODAY) for n, one in enumerate(points)])
    shown = {one.id: round(board.line(one).percent, 1) for one in board.ranked}
    assert shown["0"] == 0.1
    assert {one: tenths / 10 for one, tenths in days._scores(board).items()} == shown


async def test_a_challenge_is_four_deals_for_who_has_its_name(
    today: Day, clock: Clock, monkeypatch: Patch
) -> None:
    app, hub, _ = today
    people = [await person(app, name) for name in ("Ali", "Veli", "Deli")]
    async with asking(app, people[0]) as ali, asking(app, people[1]) as veli:
        assert await code(ali, "/api/days/", "POST") == "bad-request"
        assert await code(ali, "/api/days/", "POST", {"bot": "champion"}) == "bad-request"
        made = (await ali.post("/api/days/", json={"bot": "greedy"})).json()
        name = made["date"]
        assert (made["challenge"], made["state"], made["secrets"]) == (True, "open", None)
        assert made["bots"] == [None, *["greedy/1"] * 3]
        assert name not in (await veli.get("/api/days/")).text
        assert made["sender"] is None  # oneself
        theirs = await get(veli, name)
        assert theirs == made | {"sender": {"name": "Ali", "face": None}}
        page = (await veli.get(f"/c/{name}?l=tr")).text
        if "not built" not in page:
            assert '"og:title" content="Ali size meydan okuyor: Okey 101"' in page
        assert await code(veli, "/api/days/0123456789abcdef/play", "POST") == "no-day"
        whom = (await veli.get("/api/me")).json()["id"]
        await ali.post("/api/blocks", json={"user": whom})
        for path in ("", "/table"):
            assert await code(veli, f"/api/days/{name}{path}") == "no-day"
        assert await code(veli, f"/api/days/{name}/play", "POST") == "no-day"
        assert "Ali" not in (await veli.get(f"/c/{name}?l=tr")).text
        lines = await logged(hub)
        assert {f"challenge {made['digest']}", f"commitment {made['commitments'][3]}"} < {*lines}
        assert not any(name in line for line in lines)
        # One who has played is among bots, two are among themselves.
        one = await begun(app, ali, name)
        assert await begun(app, ali, name) is one
        assert await code(ali, f"/api/days/{name}/table") == "day-unplayed"
        await finish(hub, one)
        # Those of another version would play other deals than the person.
        with monkeypatch.context() as patch:
            patch.setattr(days, "BOTS", {"greedy": bot_info("greedy")._replace(version=99)})
            assert (await get(ali, f"{name}/table"))["ranked"] == 1
        assert (await get(ali, f"{name}/table"))["ranked"] == 5
        await ali.delete(f"/api/blocks/{whom}")
        assert await code(veli, f"/api/days/{name}/table") == "day-unplayed"
        other = await begun(app, veli, name)
        await ali.post("/api/blocks", json={"user": whom})
        await play(other)  # who has begun goes on
        await hub.matches.wait()
        told = await get(ali, f"{name}/table")
        assert {line["name"] for line in told["lines"]} == {"Ali", "Veli"}
        assert [line["percent"] for line in told["lines"]] == [50, 50]  # by the same bot
        assert told["own"]["match"] is None
        # Three days later it is opened, and who plays it has what it came to.
        async with asking(app, people[2]) as deli:
            clock.now += 72 * HOUR - 1
            third = await begun(app, deli, name)
            await play(third, 1)
            clock.now += 1
            await hub.days.look()
            assert await code(deli, f"/api/days/{name}/play", "POST") == "day-over"
            old = await get(deli, name)
            assert (old["state"], old["players"]) == ("closed", 2)
        own = (await get(ali, f"{name}/table"))["own"]
        assert old["digest"] == made["digest"]
        require_as_promised(await sound_record(ali, own["match"], State.UNKNOWN), old)


@pytest.mark.parametrize("many", [1, 1_000])
async def test_a_played_challenge_is_the_account_s_at_once(
    today: Day, clock: Clock, monkeypatch: Patch, many: int
) -> None:
    """Also in a table that was read before, of which only the latest tries are read again where
    they are many; a second try of one person stands there no more.
    """
    monkeypatch.setattr(days, "_MANY", many)
    app, hub, _ = today
    await ali_s_account(app)
    efe, _ = await hub.accounts.guest("Efe")
    name = (await hub.days.challenge("novice", efe.id)).date
    for user, token in [await hub.accounts.guest("Veli") for _ in range(2)]:
        for each in {efe.id, user.id}:
            await hub.accounts.days.begin(name, each, each, clock.now, ranked=True)
            await hub.accounts.days.finish(each, [0] * 4, clock.now)
        clock.now += 120_000
        async with asking(app, token) as guest:
            before = await get(guest, f"{name}/table")
            assert [line["own"] for line in before["lines"]].count(True) == 1
            answer = await guest.post("/api/login", json=ALI)
        async with asking(app, answer.json()["token"]) as http:
            told = await get(http, f"{name}/table")
        own = sorted((line["name"], line["own"]) for line in told["lines"])
        assert own == [("Ali", True), ("Efe", False)]


async def test_who_played_a_challenge_as_a_guest_too_is_one_person(
    today: Day, clock: Clock, monkeypatch: Patch
) -> None:
    """And has bots beside, as anybody who is alone there."""
    app, hub, _ = today
    monkeypatch.setattr(hub.days, "_beside", AsyncMock(return_value=[[0, 0, 0, 0]] * 4))
    ali = await ali_s_account(app)
    veli, token = await hub.accounts.guest("Veli")
    day = await hub.days.challenge("novice", ali.user.id)
    for user in (ali.user.id, veli.id):
        await hub.accounts.days.begin(day.date, user, user, clock.now, ranked=True)
        await hub.accounts.days.finish(user, [0, 0, 0, 0], clock.now)
    async with asking(app, token) as http:
        answer = await http.post("/api/login", json=ALI)
    async with asking(app, answer.json()["token"]) as http:
        assert (await get(http, day.date))["players"] == 1
        assert (await get(http, f"{day.date}/table"))["ranked"] == 5


async def test_a_try_is_the_account_s_where_a_node_hears_late_who_has_signed_in(today: Day) -> None:
    app, hub, _ = today
    ali, veli = [
        unwrap(await hub.accounts.session(await person(app, name))) for name in ("Ali", "Veli")
    ]
    await hub.accounts.upgrade(ali, "Ali", "correct horse")
    token = await person(app, "Efe")
    async with asking(app, token) as http:
        table = await begun(app, http)
    guest = unwrap(await hub.accounts.session(token))
    await hub.accounts.login("Ali", "correct horse", guest=guest)
    for user, place in ((None, None), (veli.user.id, None), (ali.user.id, 0)):
        await socket._take_try(hub, table, user)
        assert table.state.place_of(user or "") == place
    assert table.state.place_of(guest.user.id) is None


async def test_who_is_erased_keeps_a_line_without_a_name(tmp_path: Path, clock: Clock) -> None:
    """In a day that runs, in one that is closed, and in the week, for good and after a restart."""

    async def tables(app: Litestar, token: str) -> tuple[Any, list[Any], Any]:
        async with asking(app, token) as http:
            days = [await get(http, f"{date}/table") for date in (TODAY, TOMORROW)]
            assert [day["ranked"] for day in days] == [4, 4]
            lines = [
                (one["place"], one["name"], one["bot"], one["percent"], one["matchpoints"])
                for day in days for one in day["lines"]
            ]  # fmt: skip
            return [day["spread"] for day in days], lines, await get(http, f"{TOMORROW}/totals")

    def named(lines: list[Any], week: Any) -> list[str | None]:
        told = [name for _, name, bot, *_ in lines if bot is None]
        return told + [one["name"] for one in week["lines"]]

    async with running(tmp_path) as app:
        hub: Hub = app.state.hub
        people = [await account(hub.accounts, name) for name in ("Ali", "Veli", "Can")]
        ali, veli, can = (user for user, _ in people)
        token = people[1][1]
        kept = hub.accounts.days
        for at, date in enumerate((TODAY, TOMORROW)):
            clock.now = NOON + 24 * HOUR * at
            await hub.days.look()
            await kept.add_bots(date, [[50] * 4], clock.now)
            for points, user in enumerate((ali, veli, can)):
                await kept.begin(date, user, f"{user} {date}", clock.now, ranked=True)
                await kept.finish(f"{user} {date}", [points] * 4, clock.now)
        assert await kept.closed([TODAY, TOMORROW]) == (TODAY,)
        spread, lines, week = await tables(app, token)
        assert named(lines, week) == ["Ali", "Veli", "Can"] * 3
        for user in (ali, can):
            await erase_person(hub, user)
        after = await tables(app, token)
        assert named(*after[1:]) == [None, "Veli", None] * 3

        def unnamed(lines: list[Any]) -> list[Any]:
            return [(place, bot, *made) for place, _, bot, *made in lines]

        assert (after[0], unnamed(after[1])) == (spread, unnamed(lines))
        for line, before in zip(after[2]["lines"], week["lines"], strict=True):
            assert line | {"name": ""} == before | {"name": ""}
        clock.now += 200 * 24 * HOUR
        await hub.days.look()
        await hub.accounts.prune()
        _, lines, week = await tables(app, token)
        assert (lines, len(week["lines"])) == (after[1], 3)
    async with running(tmp_path) as app:
        assert (await tables(app, token))[1:] == (lines, week)


async def test_few_challenges_are_made_a_day(today: Day) -> None:
    http = today.http
    answers = [await http.post("/api/days/", json={}) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [201] * 5 + [429]
    assert await code(http, f"/api/days/{TODAY}/play", "POST") == ""


async def test_tries_keep_nobody_from_other_tables(tmp_path: Path, clock: Clock) -> None:
    """They can't be left, and wait for days: so they don't count as tables one has open.

    Of all, and of one address, as many tries as tables may be there.
    """
    most = {"max_tables": 2, "max_tables_per_user": 1, "max_tables_per_address": 2}
    async with running(tmp_path, **most) as app, asking(app, await person(app, "Ali")) as http:
        names = [(await http.post("/api/days/", json={})).json()["date"] for _ in range(2)]
        assert await code(http, "/api/play", "POST", {}) == ""
        assert await code(http, "/api/play", "POST", {}) == "too-many-tables"
        for name in names:
            await begun(app, http, name)
        assert await code(http, f"/api/days/{TODAY}/play", "POST") == "too-many-tables"
        assert (await get(http, TODAY))["own"] is None, "nothing has begun"
        for _ in range(2):
            async with asking(app, await person(app, "Veli")) as other:
                answer = await other.post("/api/play", json={})
        assert answer.json()["error"]["details"] == {"limit": "max-tables"}


UNTOLD = {("POST", "/api/admin/backup")}
"""What writes to any folder of this machine, where all is kept."""
OPERATORS = ("/metrics", "/readyz")
LATE = (
    "/api/me/account", "/api/login", "/api/logout", "/api/me/password", "/api/me/sessions",
    "/api/me", "/api/days/{date}/play", "/api/admin/users/{user_id}/erase",
)  # fmt: skip
"""What changes who asks, or begins one's own try, comes after all else."""
HEADS = r"[0-9A-Za-z+/=]{43,}"
"""What follows from the commitments."""
ALLOWED = {
    "GET /api/log": HEADS,
    "GET /api/log/inclusion": HEADS,
    "GET /api/log/consistency": HEADS,
    "POST /api/days": r'"[0-9a-f]{16}"|"[0-9a-f]{64}"',  # a challenge of one's own
    "POST /api/admin/users/{user_id}/reset-password": r'"code":"[^"]*"',
    "GET /api/admin/tables": r'"seq":\d+',
    "GET /api/admin/journal": r'"at":\d+',
    "GET /api/admin/users/{user_id}/export": r'"points":\[[-\d,]*\]',
    "socket": r'"at":\d+',
    "GET /metrics": r"(?m)^(process_|okey101_\w*(seconds|created|bytes|lag|build|looked|actions"
    r"|rows|snapshots|messages|commits)).*$",
}
"""What may differ in some answers: one's own chance and times, how many actions all tables have
seen, and for who runs the server what it keeps of a person.
"""


@dataclass
class World:
    """A server with a day that others play, the values that lead somewhere, and what is hidden."""

    app: Litestar
    document: Json
    real: dict[str, list[str]]
    viewers: dict[str, str | None]
    hidden: set[str]
    known: dict[str, str]
    held: list[object]
    """What holds a day in the server's memory."""

    def requests(self) -> Iterator[tuple[int, str, str, str, Any]]:
        """Every request there is: when it may come, its method, its template, its address, and its
        body. A parameter of a new name needs a value in ``real``.
        """
        for route in self.app.routes:
            if not isinstance(route, HTTPRoute):
                continue
            form = route.path_format
            for method in sorted(route.methods - {"OPTIONS"}):
                if (method, form) in UNTOLD:
                    continue
                operation = self.document["paths"].get(form, {}).get(method.lower(), {})
                asked = [one for one in operation.get("parameters", []) if one["in"] == "query"]
                queries = [("",)] + [
                    tuple(f"{one['name']}={value}" for value in self.values(one))
                    for one in asked
                    if one["required"] or one["name"] in self.real or "enum" in one["schema"]
                ]
                parts = re.findall(r"{(\w+)}", form)
                body = operation.get("requestBody", {}).get("content", {})
                schema = body.get("application/json", {}).get("schema")
                bodies = [None] if schema is None else self.samples(schema, self.document)
                late = LATE.index(form) if form in LATE else 0
                late = 0 if method == "GET" else 1 + late
                for values in itertools.product(*(self.real[name] for name in parts)):
                    path = form.format(**dict(zip(parts, values, strict=True)))
                    for query in itertools.product(*queries):
                        for sample in bodies:
                            yield late, method, form, f"{path}?{'&'.join(query[1:])}", sample

    def values(self, parameter: Json) -> list[str]:
        enum = parameter["schema"].get("enum")
        return [*enum] if enum else self.real[parameter["name"]]

    def samples(self, schema: Json, document: Json, name: str = "") -> list[Any]:
        if "$ref" in schema:
            found: Any = document
            for part in schema["$ref"].split("/")[1:]:
                found = found[part]
            return self.samples(found, document, name)
        for any_of in ("oneOf", "anyOf"):
            if any_of in schema:
                return [
                    one for each in schema[any_of] for one in self.samples(each, document, name)
                ]
        if name in self.real and schema.get("type") == "string":
            return self.real[name]
        if "enum" in schema:
            return [*schema["enum"]]
        if "const" in schema:
            return [schema["const"]]
        if "properties" in schema:
            first = {
                part: self.samples(each, document, part)[0]
                for part, each in schema["properties"].items()
            }
            return [{part: first[part] for part in schema.get("required", ())}, first]
        plain = {"integer": 1, "number": 1, "boolean": True, "array": [], "object": {}}
        return [plain.get(schema.get("type", ""), "Veli")]

    def told(self, text: str, operation: str = "") -> str:
        """An answer without what may differ."""
        for value, mark in self.known.items():
            text = text.replace(value, mark)
        return re.sub(ALLOWED[operation], "_", text) if operation in ALLOWED else text

    async def everything(self) -> AsyncIterator[tuple[str, str]]:
        """All that viewers are answered and told, each with what it answers."""
        requests = sorted(self.requests(), key=lambda one: one[0])
        messages = self.samples({"$ref": "#/$defs/ClientMessage"}, protocol_schema())
        texts = [json.dumps(one) for one in messages if one["type"] != "hello"]
        for late, group in itertools.groupby(requests, key=lambda one: one[0]):
            asked = [*group]
            for viewer, token in self.viewers.items():
                if late and token is None:
                    continue  # who has no session changes nothing
                async with asking(self.app, token) as http:
                    for _, method, form, path, body in asked:
                        if (viewer == "admin") != (form in OPERATORS or "/admin/" in form):
                            continue
                        answer = await http.request(method, path, json=body)
                        assert answer.status_code < 500, (method, path, answer.text)
                        text = f"{answer.status_code} {answer.text}"
                        what = self.told(f"{viewer}: {method} {path} {body}")
                        yield what, self.told(text, f"{method} {form}")
                for table in () if late else self.real["table_id"]:
                    for known in ({}, {"seq": 1, "head": f"0.{'0' * 32}"}):
                        said = await over_a_socket(self.app, table, token, texts, **known)
                        yield self.told(f"{viewer}: {table}"), self.told(repr(said), "socket")


async def world(app: Litestar, document: Json) -> World:
    """A day and a challenge that a friend has played, and another one plays."""
    hub: Hub = app.state.hub
    people = {}
    for name in ("Ali", "Veli", "Deli"):
        people[name] = await account(hub.accounts, name)
    ali, veli = people["Ali"][0], people["Veli"][0]
    for one, other in ((ali, veli), (veli, ali)):
        await hub.accounts.ties.befriend(one, other)
    await hub.accounts.change(ali, shown=True, public=True)
    finished = [play_deal("altinstar", ["steady", "novice"] * 2, seed=n) for n in range(2)]
    rules = finished[0].rules
    match = await save(
        hub.accounts, 1, MatchSeat(ali), MatchSeat(veli), *BOTS[:2], at=NOON, deals=2,
        record=record_of(rules, finished, deals_agreed=2).to_json().encode(),
        deeds=deeds_of(rules, finished),
    )  # fmt: skip
    review = reviewed((0, balance(10, 20, 30, 40)), (1, balance(1, 2, 3, 4)))
    await hub.accounts.save_review(match, 2, msgspec.json.encode(review), found_of(review))
    async with asking(app, people["Ali"][1]) as http, asking(app, people["Deli"][1]) as deli:
        name = (await http.post("/api/days/", json={"bot": "novice"})).json()["date"]
        waiting = (await http.post("/api/tables", json={"listed": True})).json()["id"]
        family = (await http.post("/api/families", json={"name": "Ev", "options": {}})).json()
        bot = (await http.post("/api/me/bots", json={"name": "Dayı"})).json()
        tables = [await begun(app, http, date) for date in (TODAY, name)]
        tables.append(await begun(app, deli))
        for table, turns in zip(tables, (10**6, 10**6, 5), strict=True):
            await play(table, turns)
        (mine,) = await hub.accounts.families.of(ali)
        await hub.accounts.families.come(mine.id, veli)
    await hub.matches.wait()
    await hub.public_log.publish()
    instances = [*instances_of(TODAY, 2), *instances_of(TOMORROW, 2)]
    found = [unwrap(await hub.days._kept.day(date)) for date in (*instances, name)]
    promised = [*map(days.Promised, found)]
    deals = [one.deal(number) for one in promised for number in range(4)]
    hidden = {str(deal.rack(seat)) for deal in deals for seat in range(4)}
    hidden |= {secret for one in found for secret in one.secrets}
    hidden |= {repr(bytes.fromhex(secret))[2:-1] for one in found for secret in one.secrets}
    known = {one.digest: "DIGEST" for one in found}
    known |= {day_mix(one.date, one.digest, ()): "MIX" for one in found}
    known |= {name: "CHALLENGE", tables[1].state.table: "TABLE"}
    known |= {text: "COMMITMENT" for one in promised for text in one.commitments}
    states = [table.state for table in tables]
    ids = [state.table for state in states]
    names = ["Ali", name]
    matches = [*(f"{one}-1" for one in ids), *(f"{date}_1-1" for date in (TODAY, name)), match]
    dates = [*instances[:3], name]
    return World(
        app, document,
        {
            "table_id": [ids[0], ids[2], waiting], "match_id": matches, "number": ["0"],
            "date": dates, "name": names, "user_id": [ali], "person": [ali], "user": [ali],
            "session_id": ["x"], "bot_id": [bot["id"]], "link": [family["link"]],
            "preset": ["altinstar"], "_": [matches[0], TODAY, name],
            "entry": [f"commitment {promised[0].commitments[0]}"], "old": ["1"], "size": ["2"],
            "password": ["correct horse"],
        },
        {
            "nobody": None, "friend": people["Veli"][1], "admin": hub.admin_token,
        },
        hidden, known, [*found, *promised, *states, *(state.day for state in states)],
    )  # fmt: skip


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
async def test_who_has_not_played_is_told_the_same_whatever_the_deals_are(
    tmp_path: Path, clock: Clock, monkeypatch: Patch, details: io.StringIO
) -> None:
    """Two servers that differ in their days' secrets, and so in all that others have played."""
    monkeypatch.setattr(Limiter, "take", lambda *_: 0.0)
    monkeypatch.setattr(logging.getLogger("httpx"), "disabled", True)
    said: list[dict[str, str]] = []
    document: Json = {}
    for name in ("a", "b"):
        chance, of_days = random.Random(1), random.Random(name)
        monkeypatch.setattr(secrets, "token_bytes", chance.randbytes)
        monkeypatch.setattr(secrets, "token_hex", lambda n, rng=chance: rng.randbytes(n).hex())
        monkeypatch.setattr(secrets, "choice", chance.choice)
        monkeypatch.setattr(secrets, "randbelow", chance.randrange)
        monkeypatch.setattr(
            secrets, "token_urlsafe", lambda n, rng=chance: f"{n}{rng.randbytes(n).hex()}"
        )
        monkeypatch.setattr(days, "new_secret", lambda rng=of_days: rng.randbytes(32).hex())
        async with running(tmp_path / name, bot_accounts="on", daily_instances=2) as app:
            document = document or json.loads(app.state.document())
            made = await world(app, document)
            found: dict[str, str] = {}
            async for what, told in made.everything():
                found[what] = found.get(what, "") + told
            said.append(found)
            text = "".join([*found.values(), details.getvalue()])
            # What a log or a fault could be made to write by a mistake.
            server = (one for one in gc.get_objects() if "okey101.server" in type(one).__module__)
            text += "".join(map(repr, (*server, *made.held)))
            assert not [word for word in made.hidden if word in text]
    one, other = said
    different = [what for what in one if one[what] != other.get(what)]
    assert not [(what, one[what], other.get(what)) for what in different]


class Typist(Console):
    """Somebody who gives a name, plays as ``greedy`` does, and stops after a while."""

    seats: ClassVar[list[daily.ServedSeat]] = []
    lines = 0
    stops: type[BaseException] = PlayerLeft

    def ask(self, prompt: str) -> str:
        if not Typist.lines:
            raise Typist.stops
        Typist.lines -= 1
        if "name" in prompt or "(y/n)" in prompt:
            return "Ali"
        view = view_of(self.seats[-1]._deal, self.seats[-1].me)
        return str(make_bot("greedy").choose(view, Options(view)))


class Seated(daily.ServedSeat):
    """A seat that the typist looks at."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        Typist.seats.append(self)


async def test_a_challenge_and_a_deal_of_ones_own_at_the_terminal(
    tmp_path: Path, monkeypatch: Patch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(daily, "Console", Typist)
    monkeypatch.setattr(daily, "ServedSeat", Seated)
    with LiveServer(daily="on", bot_delay_ms=0) as server:
        client = await Client.as_guest(server.url, "Ali")
        (tmp_path / "token").write_text(unwrap(client.token))

        async def said(*words: str, code: int = 0, lines: int = 1000) -> str:
            Typist.lines = lines
            file = ("--token-file", str(tmp_path / "token"))
            what = ["daily", words[0], server.url, *words[1:], *file, "--lang", "en"]
            assert await asyncio.to_thread(main, what) == code
            told = capsys.readouterr()
            return told.out + told.err

        link = (await said("challenge", "--bot", "greedy")).splitlines()[-1]
        assert link.startswith(f"{server.url}/c/")
        day = await client.day(link.rpartition("/")[2])
        assert (day.challenge, day.bots[1:]) == (True, ["greedy/1"] * 3)
        made = json.loads(await said("challenge", "--json"))
        assert made["link"] == f"{server.url}/c/{made['day']['date']}"

        table = await client.against_bots(deals=1, bot="random")
        async with client.join(table) as line:
            await play_at(line, "random")
        match = f"{table}-1"

        await soon(partial(is_kept, client, match))
        shown = await said("again", match, "--bot", "random")
        for part in ("Deal 1 of 1", "End of deal 1", "The match is over", "Then "):
            assert part in shown, shown
        seats, at = Typist.seats, 4
        for stops, ends in ((PlayerLeft, 0), (KeyboardInterrupt, 130)):
            monkeypatch.setattr(Typist, "stops", stops)
            shown = await said("again", match, "--from", str(at), lines=1, code=ends)
            assert "Deal 1 of 1" in shown
            again = unwrap(seats[-1]._again)
            assert (again["match"], again["deal"], again["at"]) == (match, 0, at)
            async with server.http() as http:  # the seat is given up
                left = f"/api/tables/{seats[-1]._line._at.id}"
                assert (await http.get(left, headers=client.headers)).status_code == 403
        assert "no deal 2" in await said("again", match, "--deal", "2", code=1)
        assert "no such match" in await said("again", "nowhere-1", code=1)
        for words, code in (
            (("again", match), "no-such-option"),
            (("again",), "missing-parameter"),
            (("challenge", "2026-11-27"), "extra-argument"),
            (("challenge", "--from", "1"), "bad-option"),
            (("play", "--bot", "greedy"), "bad-option"),
        ):
            assert f'"{code}"' in await said(*words, "--json", code=2)


async def test_a_day_that_is_opened_elsewhere_is_told_by_code_at_the_terminal(
    tmp_path: Path, monkeypatch: Patch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The line ends while somebody thinks about a move."""
    seats, token = list[daily.ServedSeat](), tmp_path / "token"
    monkeypatch.setattr(Typist, "seats", seats)

    class Elsewhere(Console):
        def ask(self, prompt: str) -> str:
            if not seats:
                return "Ali"
            asyncio.run(self._open())
            while seats[-1]._line._at._ended is None:
                time.sleep(0.01)
            time.sleep(0.1)
            view = view_of(seats[-1]._deal, seats[-1].me)
            return str(make_bot("greedy").choose(view, Options(view)))

        async def _open(self) -> None:
            client = Client(server.url, token.read_text())
            async with client.join(await client.play_day((await client.days())[0].date)):
                pass

    monkeypatch.setattr(daily, "Console", Elsewhere)
    monkeypatch.setattr(daily, "ServedSeat", Seated)
    with LiveServer(daily="on", bot_delay_ms=0) as server:
        words = ["daily", "play", server.url, "--token-file", str(token), "--lang", "en"]
        await soon(Client(server.url).days)  # a server that has just begun makes them first
        assert await asyncio.to_thread(run, words) == 0
    told = capsys.readouterr()
    assert "The same command goes on" in told.out
    assert told.err == "The table was opened elsewhere.\n"


async def test_nothing_that_a_server_tells_of_a_day_steers_the_terminal(
    tmp_path: Path, clock: Clock, monkeypatch: Patch, capsys: pytest.CaptureFixture[str]
) -> None:
    evil = "\x1b]0;owned\x07\x9b2J"
    async with running(tmp_path) as app, asking(app) as http:
        (day,) = await get(http, "")
    told = msgspec.convert(
        day | {"date": TODAY + evil, "digest": evil, "bots": [None, evil]}, DayAnswer
    )
    monkeypatch.setattr(daily, "_asked", AsyncMock(return_value=(told, None)))
    assert await asyncio.to_thread(run, ["daily", "http://x", "--lang", "en"]) == 0
    out = capsys.readouterr().out
    assert out.count("owned") == 3
    assert not {"\x1b", "\x07", "\x9b"} & {*out}


async def test_the_client_and_the_command_play_and_show_a_day(
    tmp_path: Path, monkeypatch: Patch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Begun at the terminal, gone on with by a program, ended at the terminal."""
    monkeypatch.setattr(daily, "Console", Typist)
    monkeypatch.setattr(daily, "ServedSeat", Seated)
    token = tmp_path / "token"
    with LiveServer(daily="on", bot_delay_ms=0) as server:
        words = ["daily", "play", server.url, "--token-file", str(token), "--lang", "en"]

        async def played(lines: int, code: int = 0) -> str:
            Typist.lines = lines
            assert await asyncio.to_thread(run, words) == code
            return capsys.readouterr().out

        assert await played(0, code=1) == "", "nobody gave a name: there is no try to go on with"
        with monkeypatch.context() as full:
            for at in ("pathlib.Path.write_text", "okey101.server.files.atomic_files._sync_file"):
                full.setattr(at, Mock(side_effect=OSError(ENOSPC, "No space left on device")))
            await played(1, code=1)
        assert not token.exists(), "without a token in it the file would be nobody's"
        stranger = Client(server.url)
        # Tomorrow's deals are promised after today's, and only then is there something to share:
        # not in the ten minutes before midnight.
        while not any(one.next for one in await stranger.days()):
            now = round(time.time() * 1000)
            if date_at(now) != date_at(now + 600_000):
                break
            await asyncio.sleep(0.05)
        assert "The same command goes on" in await played(6)
        assert token.stat().st_mode & 0o777 == 0o600
        client = Client(server.url, token.read_text())
        (day,) = [one for one in await client.days() if one.state == "open"]
        with pytest.raises(CommandRefused, match="all the deals first"):
            await client.day_table(day.date)
        table = await client.play_day(day.date)
        assert await client.play_day(day.date) == table
        own = (await client.day(day.date)).own
        assert own is not None
        assert (own.table, own.finished, own.ranked) == (table, False, False)
        bot = make_bot("greedy")
        async with client.join(table) as line:
            async for turn in line.turns():
                # A deal may end before five turns: then in the next one.
                if line.deal_number >= 2 and turn.view.public.turns > 4:
                    break
                await turn.act(bot.choose(turn.view, Options(turn.view)))
        shown = await played(1000)
        for part in (
            "Deal 4 of 4",
            "End of deal 4",
            "The match is over",
            f"The deals of {day.date}",
        ):
            assert part in shown, shown
        assert re.search(r"^\*.*Ali$", shown, re.MULTILINE)
        assert "The match is over" not in await played(1)
        while not (await client.day(day.date)).players:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        told = await client.day_table(day.date)
        assert told.own is not None
        assert (told.ranked, told.own.total) == (16, sum(told.own.points))
        totals = await client.day_totals(day.date)
        assert (totals.days, totals.lines, totals.own, totals.streak) == (0, [], None, 1)
        if day.next is not None:  # else it is about to begin
            (given,) = json.loads((tmp_path / "token.shares").read_text())
            assert (given["date"], given["share"]["digest"]) == (day.next.date, day.next.digest)
        words = ["daily", server.url, "--lang", "en"]
        for more, expected in (
            ((), (f"Committed, not mixed: {day.digest}", "Play all the deals first")),
            (("--over", "month"), (f"{day.date[:8]}01 to {day.date[:8]}", "0 closed days")),
        ):
            assert await asyncio.to_thread(run, [*words, *more]) == 0
            shown = capsys.readouterr().out
            assert all(part in shown for part in expected), shown
        server.stop()
        server.start()  # a head is made at once
        printed = ""
        while "+ The list" not in printed:
            capsys.readouterr()
            command = ["daily", "verify", server.url, "--lang", "en"]
            assert await asyncio.to_thread(run, command) in (0, 1, 3)
            printed = capsys.readouterr().out
        for part in ("committed, not mixed.", "+ The public log", "? No contribution", "? A match"):
            assert part in printed
        auditor = Auditor(server.url)
        while True:
            with contextlib.suppress(CommandRefused):
                await auditor.follow()
                break
        assert auditor.memory.counts["day"] >= 2
        assert await auditor.missing([f"day {day.date} {day.digest}"]) == []
