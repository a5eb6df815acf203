"""People who go away: a bot plays for them, and they take the seat back when they return."""

from __future__ import annotations

import asyncio

import httpx

from okey101.game import parse_record
from okey101.game.record.verification import Verification, verify_record
from server.clients import Client, all_play
from server.live import Json, LiveServer
from server.web.parties import (
    KEEN,
    code_of,
    duel,
    listed_when_saved,
    person_of,
    playing,
    post,
    rule_choice,
)

RULES = rule_choice("altinstar", 2, **KEEN)


def away(client: Client, seat: int) -> bool:
    """Whether a bot plays for the person in a seat."""
    return bool(client.model.table["seats"][seat]["away"])


def from_address(server: LiveServer, number: int) -> httpx.AsyncClient:
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
            answer = await post(http, second, "act", "1", action="draw")
            assert code_of(answer, 409) == "bot-plays"
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


async def proved(http: httpx.AsyncClient, line: Json) -> Verification:
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
        answer = await post(http, second, "resume", "0")
        assert code_of(answer, 409) == "no-bot"
        await asyncio.gather(first.play_on(playing), second.play_on(playing))
        await second.drop()
        await first.play_on(lambda c: away(c, 1))
        answer = await post(http, second, "resume", "1")
        assert answer.status_code == 200, answer.text
        await first.until(lambda c: c.model.seq >= answer.json()["seq"])
        await first.play_on(lambda c: away(c, 1))
