"""Sockets that break, people who go away, a process that stood still: nothing is missed."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

import pytest

from conftest import Size, unwrap
from okey101.game import parse_record
from okey101.game.record.verification import Verification, verify_record
from server.clients import Client, Gone, all_play, patient_choice, simple_choice
from server.live import Http, Json, LiveServer
from server.web.parties import (
    KEEN,
    duel,
    guests,
    listed_when_saved,
    person_of,
    playing,
    rule_choice,
    solo,
    started,
)


def third_on_turn(client: Client) -> bool:
    """The moment when seat 2 is to act, or the deal is over."""
    return client.model.stage != "playing" or client.model.deal_turn == 2


def seqs(client: Client) -> list[int]:
    return [event["seq"] for event in client.seen("event")]


async def test_what_was_missed_comes_exactly(server: LiveServer) -> None:
    """From the last seq on each event once, then ``resumed``, and no view."""
    async with server.http() as http:
        people = await guests(http, 3)
    rules = rule_choice("altinstar", 3)
    async with started(server, people, rules=rules, deals=3, clock=0) as clients:
        first, second, third = clients
        await all_play(clients, lambda c: len(c.model.deal_actions) >= 8, patient_choice)
        await third.drop()
        left_at = third.model.seq
        assert third.close_code == 1006
        # The others go on until it is the third one's turn.
        await asyncio.gather(first.play_on(third_on_turn), second.play_on(third_on_turn))
        await first.until(lambda c: not c.model.here[2])
        now = max(first.model.seq, second.model.seq)
        await third.connect(left_at)
        await third.until(lambda c: c.model.seq >= now)
        assert seqs(third) == list(range(left_at + 1, now + 1))
        assert not third.seen("view")
        (resumed,) = third.seen("resumed")
        assert resumed["seq"] == now
        assert resumed["here"] == [True, True, True]
        assert third.model.options is not None
        await first.until(lambda c: c.model.here[2])
        await all_play(clients)
        assert first.model.totals == third.model.totals


async def test_who_breaks_off_costs_the_others_nothing(server: LiveServer, size: Size) -> None:
    """Sockets that break while an event is told: everybody else hears of it, and plays on."""
    async with duel(server, spectators="live", deals=size(1, long=11)) as clients:
        table, done = clients[0].table, False

        async def break_off() -> None:
            while not done:
                crowd = [Client(server, table) for _ in range(8)]
                await asyncio.gather(*(one.connect() for one in crowd))
                await asyncio.gather(*(one.drop() for one in crowd))

        crowds = [asyncio.create_task(break_off()) for _ in range(3)]
        try:
            await all_play(clients)
        finally:
            done = True
            await asyncio.gather(*crowds)
        for client in clients:
            assert not client.closed
            assert seqs(client) == sorted(set(seqs(client)))


async def test_the_newest_socket_wins(server: LiveServer) -> None:
    """The older one is told and closed; its commands go nowhere, and the newer one plays."""
    async with solo(server, deals=1) as older, Client(server, older.table, older.person) as newer:
        await older.until(lambda c: c.closed)
        assert older.close_code == 4001
        assert older.messages[-1] == {"type": "bye", "code": "replaced"}
        with pytest.raises(Gone):
            await older.command("commit", commitment="00" * 32)
        await newer.play_on()
        assert all(newer.model.here)


RULES = rule_choice("altinstar", 2, **KEEN)


def away(client: Client, seat: int) -> bool:
    return bool(client.model.table["seats"][seat]["away"])


def from_address(server: LiveServer, number: int) -> Http:
    """A client that the server sees at an address of its own."""
    return server.http(headers={"X-Forwarded-For": f"198.51.100.{number}"})


async def proved(http: Http, line: Json) -> Verification:
    """The record of a match in somebody's history, which proves itself."""
    record = parse_record((await http.get(f"/api/matches/{line['id']}/record")).text)
    checked = verify_record(record)
    assert checked.errors == ()
    return checked


async def test_all_are_away_and_the_match_ends(strict: LiveServer) -> None:
    """Bots play it to the end; it is in everybody's history, and proves itself."""
    async with from_address(strict, 2) as http:
        async with duel(strict, http, rules=RULES, deals=2) as clients:
            await all_play(clients, playing)
        for client in clients:
            (line,) = await listed_when_saved(http, person_of(client))
            assert line["table"] == client.table
            assert line["seats"] == ["Oyuncu 0", "Oyuncu 1"]
        # Nobody was there to contribute to the second deal.
        assert [deal.given for deal in (await proved(http, line)).deals] == [(0, 1), ()]


PROGRAM = (sys.executable, str(Path(__file__).parents[1] / "restless_child.py"))
CLOCK_S, STOPPED_S = 5, 5.5


def my_turn(client: Client) -> bool:
    model = client.model
    return playing(client) and model.options is not None and model.deal_turn == model.seat


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGSTOP")
async def test_a_stopped_process_charges_nobody_and_drops_nobody() -> None:
    """Both the clock of the turn and the ping's time are over when the process goes on."""
    with LiveServer(program=PROGRAM) as server:
        rules = rule_choice("altinstar", 2)
        async with solo(server, rules=rules, clock=CLOCK_S, deals=1) as client:
            await client.play_on(my_turn)
            await asyncio.sleep(0.6)  # a ping may be on its way
            server.signal(signal.SIGSTOP)
            action = simple_choice(unwrap(client.model.options), client.random)
            acting = asyncio.create_task(client.command("act", action=action))
            await asyncio.sleep(STOPPED_S)
            server.signal(signal.SIGCONT)
            assert await acting
            await asyncio.sleep(1.2)
            assert not client.closed
            what = [message["what"] for message in client.seen("event")]
            assert not [w for w in what if w.get("by") == "clock"]
            assert [e["event"] for e in server.events].count("process-paused") == 1
