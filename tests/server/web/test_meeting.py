"""Strangers over HTTP: a quick table for everybody, reports, and what the lobby shows of tables."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx

from okey101.server.tables.quick import QUICK_S
from server.clients import Client, all_play
from server.live import LiveServer, Person, guest
from server.web.parties import (
    code_of,
    guests,
    new_table,
    newcomer,
    playing,
    rule_choice,
    seated,
    started,
)


async def press(server: LiveServer, who: Person) -> str:
    async with server.http(who) as http:
        answer = await http.post("/api/quick")
    assert answer.status_code == 200, answer.text
    return str(answer.json()["table"])


async def lines(server: LiveServer) -> dict[str, Any]:
    async with server.http() as http:
        return {line["id"]: line for line in (await http.get("/api/tables")).json()}


async def test_two_strangers_meet_and_a_third_takes_a_bots_seat(server: LiveServer) -> None:
    """Who plays is told for each seat, bots as bots; onlookers are one turn behind."""
    people = [await newcomer(server, name) for name in ("Ali", "Veli", "Can")]
    first, second = await asyncio.gather(*(press(server, who) for who in people[:2]))
    assert first == second
    async with (
        Client(server, first, people[0]) as ali,
        Client(server, first, people[1]) as veli,
    ):
        table = ali.model.table
        assert table["options"]["quick"] == QUICK_S
        assert table["stage"] == "waiting"
        assert 0 < table["deadline"] - ali.model.at <= 1000 * QUICK_S
        await all_play((ali, veli), playing)
        seats = {s["name"]: s["bot"] for s in ali.model.table["seats"]}
        assert seats == {"Ali": None, "Veli": None, None: "steady"}
        assert (await press(server, people[2])) == first
        async with Client(server, first, people[2]) as can:
            assert can.model.you is None
            assert can.model.seq <= ali.model.seq
            await ali.until(lambda c: c.model.table["seats"][2].get("coming") == "Can")
            line = (await lines(server))[first]
            assert line["felt"]["sizes"]
            assert set(line["felt"]) == {
                "groups", "sizes", "tops", "turn", "stock", "indicator"
            }  # fmt: skip


async def test_only_the_server_opens_quick_tables(http: httpx.AsyncClient) -> None:
    who = await guest(http)
    answer = await http.post("/api/tables", json={"quick": 8}, headers=who.headers)
    assert code_of(answer, 400) == "bad-options"
    assert code_of(await http.post("/api/quick"), 401) == "unauthorised"


async def test_who_is_reported_and_by_whom(server: LiveServer, http: httpx.AsyncClient) -> None:
    """People of one's own table, not bots; one of them once, and not many."""
    people = await guests(http, 3)
    bots = [None, None, None, "steady"]
    async with seated(server, people[:2], bots=bots) as (first, _):
        path = f"/api/tables/{first.table}/reports"

        async def tell(who: Person | None, seat: int, reason: str = "name") -> Any:
            headers = {} if who is None else who.headers
            body = {"seat": seat, "reason": reason}
            return await http.post(path, json=body, headers=headers)

        assert code_of(await tell(None, 0), 401) == "unauthorised"
        assert code_of(await tell(people[2], 0), 403) == "not-seated"
        assert code_of(await tell(people[0], 0), 404) == "no-seat"
        assert code_of(await tell(people[0], 3), 404) == "no-seat"
        assert code_of(await tell(people[0], 1, "rude words"), 400) == "bad-request"
        assert (await tell(people[0], 1, "together")).status_code == 204
        again = await tell(people[0], 1)
        assert code_of(again, 429) == "rate-limited"
        assert again.json()["error"]["details"]["seconds"] > 3600
    async with server.admin() as admin:
        found = (await admin.get("/api/admin/reports")).json()
    one = next(one for one in found if one["by"] == people[0].id)
    assert (one["of"], one["of_name"], one["reason"]) == (
        people[1].id, "Oyuncu 1", "together",
    )  # fmt: skip
    assert code_of(await http.get("/api/admin/reports"), 403) == "not-allowed"


async def test_what_the_lobby_shows_of_tables(server: LiveServer, http: httpx.AsyncClient) -> None:
    """A felt where the deal may be watched; no tables of bots alone, nor of those who left."""
    people = await guests(http, 2)
    rules = rule_choice("altinstar", 2)
    alone = await new_table(
        http, people[0], rules=rules, bots=["greedy"] * 2, listed=True, spectators="live"
    )
    start = {"type": "start", "rid": "1"}
    path = f"/api/tables/{alone}/commands"
    assert (await http.post(path, json=start, headers=people[0].headers)).is_success
    assert alone not in await lines(server)
    options: dict[str, Any] = {"rules": rules, "clock": 0, "listed": True}
    for spectators, shown in (("live", True), ("turn", True), ("deal", False)):
        async with started(server, people, spectators=spectators, **options) as clients:
            await all_play(clients, playing)
            line = (await lines(server))[clients[0].table]
            assert (line["felt"] is not None) is shown
            deal = clients[0].model.deal
            assert deal is not None
            if shown:
                assert line["felt"]["sizes"] == deal["sizes"]
                assert line["felt"]["tops"] == [None, None]
            for client in clients:
                await client.command("leave")
            assert clients[0].table not in await lines(server)
