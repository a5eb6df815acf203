"""People who sit down together at a table of a live server."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx

from conftest import unwrap
from server.clients import Client, Refused
from server.live import PATIENCE_S, Http, Json, LiveServer, Person, guest

KEEN: dict[str, Any] = {"open_points": 51, "open_pairs": 4}
"""Rule changes that let hands open often, so that short matches have everything in them."""
PASSWORD = "uzun bir parola"


def rule_choice(
    preset: str, players: int = 4, *, teams: bool = False, **changes: object
) -> dict[str, object]:
    return {"preset": preset, "players": players, "teams": teams} | changes


def short_rules(players: int = 2) -> dict[str, object]:
    """For matches that only have to end: few tiles are drawn in them."""
    return rule_choice("altinstar", players, **KEEN)


async def guests(http: Http, count: int) -> list[Person]:
    return [await guest(http, f"Oyuncu {n}") for n in range(count)]


async def newcomer(server: LiveServer, name: str = "Ali") -> Person:
    async with server.http() as http:
        return await guest(http, name)


async def account(http: Http, name: str) -> Person:
    """Somebody new with a password; the token is of the session after the upgrade."""
    who = await guest(http, name)
    body = {"name": name, "password": PASSWORD, "bearer": True}
    answer = await http.post("/api/me/account", json=body, headers=who.headers)
    assert answer.status_code == 200, answer.text
    return Person(answer.json()["id"], name, answer.json()["token"])


async def new_table(http: Http, owner: Person, **options: object) -> str:
    answer = await http.post("/api/tables", json=options, headers=owner.headers)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


@asynccontextmanager
async def seated(
    server: LiveServer, people: list[Person], *, seed: int = 0, **options: object
) -> AsyncIterator[list[Client]]:
    """Everybody at a new table of the first one's, connected and ready; not yet begun."""
    async with server.http() as http, AsyncExitStack() as open_sockets:
        table = await new_table(http, people[0], **options)
        clients = [Client(server, table, who, seed=seed + n) for n, who in enumerate(people)]
        for client in clients:
            await open_sockets.enter_async_context(client)
            if client is not clients[0]:
                await client.do("sit")
                await client.do("ready")
        yield clients


@asynccontextmanager
async def started(
    server: LiveServer, people: list[Person], *, seed: int = 0, **options: object
) -> AsyncIterator[list[Client]]:
    async with seated(server, people, seed=seed, **options) as clients:
        await clients[0].do("start")
        yield clients


@asynccontextmanager
async def against_bots(
    server: LiveServer, http: Http, who: Person, *, seed: int = 0, **options: object
) -> AsyncIterator[Client]:
    answer = await http.post("/api/play", json=options, headers=who.headers)
    assert answer.status_code == 201, answer.text
    async with Client(server, answer.json()["table"], who, seed=seed) as client:
        yield client


@asynccontextmanager
async def duel(
    server: LiveServer, http: Http | None = None, **options: Any
) -> AsyncIterator[list[Client]]:
    """Two new people at a table of two without a clock, and the match has begun.

    With ``http`` they come from its address.
    """
    if http is None:
        async with server.http() as own:
            people = await guests(own, 2)
    else:
        people = await guests(http, 2)
    wanted: dict[str, Any] = {"rules": rule_choice("altinstar", 2), "clock": 0} | options
    async with started(server, people, **wanted) as clients:
        yield clients


@asynccontextmanager
async def solo(
    server: LiveServer, who: Person | None = None, **options: Any
) -> AsyncIterator[Client]:
    async with server.http() as http, AsyncExitStack() as match:
        who = who or await guest(http)
        yield await match.enter_async_context(against_bots(server, http, who, **options))


@asynccontextmanager
async def in_match(
    server: LiveServer, until: Callable[[Client], bool], who: Person | None = None, deals: int = 1
) -> AsyncIterator[Client]:
    async with solo(server, who, deals=deals, bot="greedy") as client:
        await client.play_on(until)
        yield client


def person_of(client: Client) -> Person:
    return unwrap(client.person)


def playing(client: Client) -> bool:
    return client.model.stage == "playing"


async def refused(asked: Awaitable[object]) -> str:
    try:
        await asked
    except Refused as error:
        return error.code
    raise AssertionError("it was accepted")


def code_of(answer: httpx.Response, status: int | None = None) -> str:
    """The code of an error over HTTP, of this status; it has exactly the form of all errors."""
    assert status in (None, answer.status_code), answer.text
    body = answer.json()
    assert body["ok"] is False
    assert [*body] == ["ok", "error"]
    assert [*body["error"]] == ["code", "message", "rule", "details"]
    return str(body["error"]["code"])


async def command(
    http: Http, who: Person, table: str, kind: str, **fields: object
) -> httpx.Response:
    """A command over HTTP; its mark is its kind where none is given."""
    body = {"type": kind, "rid": kind} | fields
    return await http.post(f"/api/tables/{table}/commands", json=body, headers=who.headers)


async def listed_when_saved(
    http: Http, who: Person, ready: Callable[[list[Json]], bool] = bool
) -> list[Json]:
    """The person's finished matches, once they are saved; that comes a moment after the end."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            answer = await http.get("/api/matches/?limit=100", headers=who.headers)
            # Asked too often, on a slow machine: that is no list of matches.
            found: list[Json] = answer.json() if answer.status_code == 200 else []
            if ready(found):
                return found
            await asyncio.sleep(0.1)
