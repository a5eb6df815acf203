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
from server.model import Model
from server.web.parties import (
    KEEN,
    code_of,
    duel,
    guests,
    listed_when_saved,
    person_of,
    playing,
    post,
    refused,
    rule_choice,
    solo,
    started,
)


def third_on_turn(client: Client) -> bool:
    """The moment when seat 2 is to act, or the deal is over."""
    return client.model.stage != "playing" or client.model.deal_turn == 2


def seqs(client: Client) -> list[int]:
    """The seqs of the events that came over the present socket."""
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


async def test_nothing_missed_and_too_much_missed(server: LiveServer) -> None:
    """At the newest seq no view; from a seq of long ago, or of the future, a view."""
    async with solo(server, deals=20, bot="random") as client:
        await client.play_on(playing)
        await client.resume()
        *missed, last = [m["type"] for m in client.messages]
        assert last == "resumed" or "resumed" in missed
        assert not client.seen("view")
        assert set(missed) <= {"event", "resumed"}  # what the bots did on the way
        await client.play_on(lambda c: c.model.seq > 262)  # 256 are kept
        for seq in (1, client.model.seq + 50):
            await client.close()
            client.model = Model()
            await client.connect(seq)
            assert client.seen("view")
            assert not client.seen("resumed")
            await client.play_on(lambda c, at=client.model.seq: c.model.seq > at + 5)  # type: ignore[misc]


async def test_the_newest_socket_wins(server: LiveServer) -> None:
    """The older one is told and closed; its commands go nowhere, and the newer one plays."""
    async with (
        solo(server, deals=1) as older,
        Client(server, older.table, older.person) as newer,
    ):
        await older.until(lambda c: c.closed)
        assert older.close_code == 4001
        assert older.messages[-1] == {"type": "bye", "code": "replaced"}
        with pytest.raises(Gone):
            await older.command("commit", commitment="00" * 32)
        await newer.play_on()
        assert all(newer.model.here)


async def test_a_command_sent_again_is_applied_once(server: LiveServer, http: Http) -> None:
    """With the same mark: over the socket, over HTTP, after a reconnect; from others it is new."""
    async with duel(server) as (first, second):
        await first.until(lambda c: c.model.stage == "dealing")
        step = unwrap(first.contributions.step(first.model.table, 0))
        mine, other = str(step["commitment"]), "cd" * 32
        seq = await first.command("commit", rid="again", commitment=mine)
        assert await first.command("commit", rid="again", commitment=mine) == seq
        again = first.command("commit", rid="again", commitment=other)
        assert await refused(again) == "rid-used"
        answer = await post(http, first, "commit", "again", commitment=mine)
        assert answer.json() == {"table": first.table, "seq": seq}
        await first.drop()
        await first.resume()
        assert await first.command("commit", rid="again", commitment=mine) == seq
        # What was refused left no trace, so its mark can be used for something legal.
        refusal = await refused(first.command("commit", rid="x", commitment=mine))
        assert refusal == "already-committed"
        seq = await first.command("ready", rid="x")
        assert await first.command("ready", rid="x") == seq
        # The mark is a person's own.
        step = unwrap(second.contributions.step(first.model.table, 1))
        later = await second.command("commit", rid="again", commitment=step["commitment"])
        assert (later or 0) > (seq or 0)
        await asyncio.gather(first.play_on(playing), second.play_on(playing))
        assert await first.command("commit", rid="again", commitment=mine) is not None
        refusal = await refused(first.command("commit", rid="y", commitment=mine))
        assert refusal == "not-committing"


async def test_over_http_alone(server: LiveServer, http: Http) -> None:
    """A person without a socket can act; the others see it."""
    async with duel(server) as (first, second):
        await second.drop()
        await first.until(lambda c: c.model.stage == "dealing")
        step = unwrap(second.contributions.step(first.model.table, 1))
        answer = await post(http, second, "commit", "h1", commitment=step["commitment"])
        assert answer.status_code == 200
        await post(http, second, "ready", "h2")
        await first.play_on(lambda c: c.model.table["round"]["shown"])
        step = unwrap(second.contributions.step(first.model.table, 1))
        assert (await post(http, second, "reveal", "h1b", random=step["random"])).status_code == 200
        await first.play_on(playing)
        assert None not in first.model.table["round"]["randomness"]
        await second.connect()
        drawing = next(c for c in (first, second) if c.model.seat == c.model.deal_turn)
        discard = unwrap(drawing.model.options)
        tile = discard["discards"][0]["tile"]
        answer = await post(http, drawing, "act", "h3", action=f"discard {tile}")
        assert answer.status_code == 200, answer.text
        seq = answer.json()["seq"]
        for client in (first, second):
            await client.until(lambda c: c.model.seq >= seq)
            assert client.model.deal_actions == [f"{drawing.model.seat}: discard {tile}"]


async def test_questions_change_nothing(server: LiveServer) -> None:
    """Options, arrangements and checks are answered on and off turn."""
    async with duel(server) as clients:
        assert await refused(clients[0].ask("options")) == "not-playing"
        await all_play(clients, playing)
        seq = clients[0].model.seq
        for client in clients:
            turn = client.model.seat == client.model.deal_turn
            answer = await client.ask("options")
            assert answer["options"] == client.model.options
            assert (answer["options"] is not None) == turn
            hand = sorted(unwrap(client.model.you)["hand"].split())
            for aim in ("points", "tiles", "left", "pairs"):
                found = await client.ask("arrange", aim=aim)
                pieces = " ".join([*found["groups"], found["left"]]).split()
                assert sorted(piece if piece[0] != "*" else "*" for piece in pieces) == hand
                assert found["aim"] == aim
            found = await client.ask("check", action="draw")
            assert found["legal"] is False
            assert found["error"]["rule"]
            assert await refused(client.ask("check", action="discard ?")) != ""
        assert clients[0].model.seq == seq
        async with Client(server, clients[0].table) as watcher:
            assert await refused(watcher.ask("options")) == "not-seated"


async def test_ping(server: LiveServer) -> None:
    """A ping is answered with its number and the server's time, to spectators as well."""
    async with solo(server) as client, Client(server, client.table) as watcher:
        for one in (client, watcher):
            await one.send({"type": "ping", "n": 7})
            await one.until(lambda c: bool(c.seen("pong")))
            (pong,) = one.seen("pong")
            assert pong["n"] == 7
            assert abs(pong["at"] - client.model.at) < 3_600_000


RULES = rule_choice("altinstar", 2, **KEEN)


def away(client: Client, seat: int) -> bool:
    """Whether a bot plays for the person in a seat."""
    return bool(client.model.table["seats"][seat]["away"])


def from_address(server: LiveServer, number: int) -> Http:
    """A client that the server sees at an address of its own."""
    return server.http(headers={"X-Forwarded-For": f"198.51.100.{number}"})


async def test_a_bot_plays_until_the_owner_is_back(strict: LiveServer) -> None:
    """The others never wait for long; who comes back has the seat, its tiles and its turn."""
    async with from_address(strict, 1) as http:
        async with duel(strict, http, rules=RULES, deals=2) as (first, second):
            for client in (first, second):
                await client.command("ready")
            await asyncio.gather(first.play_on(playing), second.play_on(playing))
            await second.drop()
            await first.until(lambda c: not c.model.here[1])
            await first.play_on(lambda c: away(c, 1))
            what = [m["what"] for m in first.seen("event") if m["what"]["kind"] == "away"]
            assert what == [{"kind": "away", "seat": 1, "on": True, "why": "absent"}]
            assert first.model.table["seats"][1]["name"] == "Oyuncu 1"
            assert code_of(await post(http, second, "act", "1", action="draw"), 409) == "bot-plays"
            await first.play_on(bot_has_played)
            await second.resume()
            await second.until(lambda c: not away(c, 1))
            assert second.seen("resumed")
            await first.until(lambda c: not away(c, 1) and c.model.here[1])
            await asyncio.gather(first.play_on(), second.play_on())
            assert first.model.totals == second.model.totals
        (line,) = await listed_when_saved(http, person_of(second))
        assert line["seats"] == ["Oyuncu 0", "Oyuncu 1"]


def bot_has_played(client: Client) -> bool:
    """Whether a bot has acted, or the match is over."""
    done = [m for m in client.seen("event") if m["what"].get("by") == "bot"]
    return bool(done) or client.model.stage == "over"


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


async def test_the_seat_is_taken_back_over_http(strict: LiveServer) -> None:
    """Without a socket a person may ask for the seat, and is away again after a while."""
    async with from_address(strict, 3) as http, duel(strict, http) as (first, second):
        assert code_of(await post(http, second, "resume", "0"), 409) == "no-bot"
        await asyncio.gather(first.play_on(playing), second.play_on(playing))
        await second.drop()
        await first.play_on(lambda c: away(c, 1))
        answer = await post(http, second, "resume", "1")
        assert answer.status_code == 200, answer.text
        await first.until(lambda c: c.model.seq >= answer.json()["seq"])
        await first.play_on(lambda c: away(c, 1))


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
