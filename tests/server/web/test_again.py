"""Requests that are sent again with the same key, since no answer came, make one table."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx

from server.clients import Client
from server.live import LiveServer, Person, guest
from server.web.parties import code_of, guests, new_table


async def play(http: httpx.AsyncClient, who: Person, key: str | None) -> httpx.Response:
    """Sit down against bots, with a key."""
    headers = who.headers if key is None else who.headers | {"Idempotency-Key": key}
    return await http.post("/api/play", json={"deals": 2}, headers=headers)


async def test_the_same_key_gives_the_same_table(http: httpx.AsyncClient) -> None:
    """For the same person; another key, another person, or none, gives another table."""
    one, other = await guests(http, 2)
    first = (await play(http, one, "k1")).json()
    again = await play(http, one, "k1")
    assert again.status_code == 201
    assert again.json()["table"] == first["table"]
    tables = {first["table"]}
    for who, key in ((one, "k2"), (one, None), (one, None), (other, "k1")):
        tables.add((await play(http, who, key)).json()["table"])
    assert len(tables) == 5
    found = (await http.get("/api/me", headers=one.headers)).json()["tables"]
    assert len(found) == 4


async def test_many_at_once_make_one(server: LiveServer, http: httpx.AsyncClient) -> None:
    """Whichever comes first makes the table, and the match begins once."""
    who = await guest(http, "Sabırsız")
    answers = await asyncio.gather(*(play(http, who, "now") for _ in range(8)))
    assert {answer.status_code for answer in answers} == {201}
    (table,) = {answer.json()["table"] for answer in answers}
    async with Client(server, table, who) as client:
        await client.play_on(lambda c: c.model.stage == "playing")
        assert client.model.table["match"] == 1
    headers = who.headers | {"Idempotency-Key": "a table"}
    made = await asyncio.gather(
        *(http.post("/api/tables", json={}, headers=headers) for _ in range(8))
    )
    assert code_of(made[0], 400) == "bad-request"  # no blanks in a key
    headers["Idempotency-Key"] = "masa"
    made = await asyncio.gather(
        *(http.post("/api/tables", json={}, headers=headers) for _ in range(8))
    )
    assert len({answer.json()["id"] for answer in made}) == 1
    for bad in ("", "x" * 65, "a\tb"):
        headers["Idempotency-Key"] = bad
        answer = await http.post("/api/tables", json={}, headers=headers)
        assert code_of(answer, 400) == "bad-request"


async def test_a_table_that_is_closed_is_not_made_again(
    http: httpx.AsyncClient, admin: httpx.AsyncClient
) -> None:
    """The key stands for the table it made."""
    who = await guest(http, "Geç Kalan")
    table = (await play(http, who, "old")).json()["table"]
    assert (await admin.post(f"/api/admin/tables/{table}/close")).status_code == 204
    assert code_of(await play(http, who, "old"), 410) == "table-closed"


async def test_a_resent_request_costs_no_allowance(strict: LiveServer) -> None:
    """Two tables are the most; asking for the first again is no third."""
    async with strict.http() as http:
        http.headers["X-Forwarded-For"] = "192.0.2.77"
        who = await guest(http, "Israrcı")
        first = (await play(http, who, "k")).json()["table"]
        await new_table(http, who)
        for _ in range(5):
            assert (await play(http, who, "k")).json()["table"] == first
        assert code_of(await play(http, who, "l"), 429) == "too-many-tables"


async def test_after_a_restart_as_before(tmp_path: Path) -> None:
    """The server may fall between the request and its answer."""

    async def made(server: LiveServer, who: Person | None) -> tuple[Person, str]:
        async with server.http() as http:
            who = who or await guest(http, "Kesintili")
            return who, (await play(http, who, "once")).json()["table"]

    with LiveServer(data=tmp_path) as server:
        who, table = await made(server, None)
    with LiveServer(data=tmp_path) as server:
        assert await made(server, who) == (who, table)
