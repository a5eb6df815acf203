"""Sockets that break, people who go away, a process that stood still or drains: nothing is lost."""

import asyncio
import signal
import sys

import pytest

from conftest import Size, unwrap
from okey101 import RULES_VERSION, __version__
from okey101.game import parse_record
from okey101.game.record.verification import Verification, verify_record
from server.clients import Client, Gone, all_play, over, patient_choice, simple_choice
from server.live import Http, Json, LiveServer, changed
from server.web import parties


def third_on_turn(client: Client) -> bool:
    """The moment when seat 2 is to act, or the deal is over."""
    return client.model.stage != "playing" or client.model.deal_turn == 2


def seqs(client: Client) -> list[int]:
    return [event["seq"] for event in client.seen("event")]


async def test_what_was_missed_comes_exactly(server: LiveServer) -> None:
    """From the last seq on each event once, then ``resumed``, and no view."""
    async with server.http() as http:
        people = await parties.guests(http, 3)
    rules = parties.short_rules(3)
    async with parties.started(server, people, rules=rules, deals=1, clock=0) as clients:
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
    rules = parties.short_rules()
    async with parties.duel(
        server, spectators="live", deals=size(1, long=11), rules=rules
    ) as clients:
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
    async with (
        parties.solo(server, deals=1, rules=parties.short_rules()) as older,
        Client(server, older.table, older.person) as newer,
    ):
        await older.until(lambda c: c.closed)
        assert older.close_code == 4001
        assert older.messages[-1] == {"type": "bye", "code": "replaced"}
        with pytest.raises(Gone):
            await older.command("commit", commitment="00" * 32)
        await newer.play_on()
        assert all(newer.model.here)


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
        async with parties.duel(strict, http, rules=parties.short_rules(), deals=2) as clients:
            await all_play(clients, parties.playing)
        for client in clients:
            (line,) = await parties.listed_when_saved(http, parties.person_of(client))
            assert line["table"] == client.table
            assert line["seats"] == ["Oyuncu 0", "Oyuncu 1"]
        # Nobody was there to contribute to the second deal.
        assert [deal.given for deal in (await proved(http, line)).deals] == [(0, 1), ()]


PROGRAM = changed("restless")
CLOCK_S, STOPPED_S = 5, 5.5


def my_turn(client: Client) -> bool:
    model = client.model
    return parties.playing(client) and model.options is not None and model.deal_turn == model.seat


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGSTOP")
async def test_a_stopped_process_charges_nobody_and_drops_nobody() -> None:
    """Both the clock of the turn and the ping's time are over when the process goes on."""
    with LiveServer(program=PROGRAM) as server:
        rules = parties.rule_choice("altinstar", 2)
        async with parties.solo(server, rules=rules, clock=CLOCK_S, deals=1) as client:
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


async def test_health_and_version(http: Http) -> None:
    answer = await http.get("/livez")
    assert (answer.status_code, answer.text) == (200, "ok\n")
    answer = await http.get("/readyz")
    assert answer.status_code == 200
    names = ("log", "tables", "open", "whole")
    assert answer.json() == dict.fromkeys(names, True)
    found = (await http.get("/version")).json()
    assert found == {"version": __version__, "rules_version": RULES_VERSION, "protocol": 1}
    assert "/api/tables" in (await http.get("/api/schema/openapi.json")).json()["paths"]
    assert parties.code_of(await http.get("/api/nothing"), 404) == "not-found"
    browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    lost = await http.get("/nothing/at/all", headers=browser)
    page = await http.get("/rules", headers=browser)
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    if page.status_code == 200:  # it is built
        assert (lost.status_code, lost.content) == (404, page.content)
    for path in ("/api/nothing", "/assets/nothing.js", "/t/../api/nothing"):
        assert parties.code_of(await http.get(path, headers=browser), 404) == "not-found"
    assert parties.code_of(await http.post("/nothing", headers=browser), 404) == "not-found"
    assert parties.code_of(await http.put("/api/tables", json={}), 405) == "method-not-allowed"


OTHER_SPELLINGS = ("/metrics/", "/metrics%2f", "/metrics%2F", "/%6detrics")
"""Of a path that proxies are told to hide by its name."""


async def test_metrics(server: LiveServer, strict: LiveServer) -> None:
    """Figures that move with play; for the bearer of the token alone, where one is set."""

    def value(text: str, name: str) -> float:
        found = [line.split()[-1] for line in text.splitlines() if line.startswith(name)]
        return sum(map(float, found))

    async with server.http() as http:
        before = (await http.get("/metrics")).text
        async with parties.solo(
            server, deals=1, bot="greedy", rules=parties.short_rules()
        ) as client:
            await client.play_on()
            after = (await http.get("/metrics")).text
        acts = 'okey101_commands_total{outcome="ok",type="act"}'
        assert value(after, acts) > value(before, acts)
        assert value(after, "okey101_sockets") >= 1
        assert value(after, "okey101_frozen_tables") == 0
        assert client.table not in after
        assert parties.person_of(client).id not in after
    async with strict.http() as http:
        assert parties.code_of(await http.get("/metrics"), 403) == "not-allowed"
        headers = {"Authorization": "Bearer figures for me"}
        assert (await http.get("/metrics", headers=headers)).status_code == 200
        for path in OTHER_SPELLINGS:
            assert (await http.get(path, headers=headers)).status_code == 404, path


async def test_draining_loses_nothing() -> None:
    """SIGTERM in the middle of play: all are told, and go on after the restart where they were."""
    with LiveServer() as server:
        async with server.http() as http:
            people = await parties.guests(http, 4)
        async with (
            parties.started(server, people, deals=2, clock=0) as clients,
            Client(server, clients[0].table) as watcher,
        ):
            acked: list[int] = []
            tasks = [asyncio.create_task(play_noting(client, acked)) for client in clients]
            await clients[0].until(lambda c: len(c.model.deal_actions) > 15)
            assert (await asyncio.to_thread(server.stop)) == 0
            await asyncio.gather(*tasks, return_exceptions=True)
            await watcher.until(lambda c: c.closed)
            for client in (*clients, watcher):
                assert client.closed
                assert client.messages[-1] == {"type": "bye", "code": "server-restarting"}
                assert client.close_code == 1012
            await asyncio.to_thread(server.start)
            await resume(clients, max(acked))
            await watcher.connect()
            await all_play(clients)
            await watcher.until(over)
            assert watcher.model.totals == clients[0].model.totals
        async with server.http() as http:
            assert len(await parties.listed_when_saved(http, people[3])) == 1


async def play_noting(client: Client, acked: list[int]) -> None:
    """Play on until the socket ends, and note the seq of every ack."""
    try:
        await client.play_on()
    except Gone:
        pass
    finally:
        acked += [ack["seq"] for ack in client.seen("ack") if ack["seq"] is not None]


async def resume(clients: list[Client], least: int) -> None:
    """Come back with the last seq, and send again what was not answered, with the same mark."""
    for client in clients:
        left_at = client.model.seq
        await client.connect(left_at)
        assert client.seen("resumed")
        assert not client.seen("view")
        assert client.model.seq >= least
        seqs = [event["seq"] for event in client.seen("event")]
        assert seqs[: client.model.seq - left_at] == list(range(left_at + 1, client.model.seq + 1))
        for message in list(client.unanswered.values()):
            again = dict(message)
            await client.command(again.pop("type"), **again)


async def test_a_fault_ends_the_socket_and_is_logged_without_its_text() -> None:
    """Whatever fails behind a socket: the log tells where, and the client that it was no fault
    of its own."""
    with LiveServer(program=changed("failing"), faulty=True) as server:
        async with parties.solo(server, rules=parties.rule_choice("altinstar", 2)) as client:
            await client.play_on(lambda c: c.model.options is not None)
            with pytest.raises(Gone):
                await client.ask("options")
            assert client.close_code == 1011
            assert client.messages[-1] == {"type": "bye", "code": "internal"}
            (found,) = [e for e in server.events if e.get("event") == "socket-failed"]
            assert found["trace"][0] == "KeyError"
            assert unwrap(client.model.you)["hand"] not in server.log
            await client.connect()
            assert client.model.options is not None
