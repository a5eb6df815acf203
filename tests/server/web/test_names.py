"""Somebody who changes his name is shown by the new one at once, wherever he sits."""

from __future__ import annotations

import httpx

from server.clients import Client, all_play
from server.live import LiveServer
from server.web.parties import code_of, guests, playing, rule_choice, seated, started


async def test_a_new_name_is_told_at_once(server: LiveServer, http: httpx.AsyncClient) -> None:
    """To the others, to onlookers, and to those who come back; the same name changes nothing."""
    people = await guests(http, 2)
    rules = rule_choice("altinstar", 2)
    async with (
        seated(server, people, rules=rules, spectators="live") as (first, second),
        Client(server, first.table) as watcher,
    ):
        seq = second.model.seq
        await second.drop()
        body = {"name": "Çınar Altı"}
        for _ in range(2):
            answer = await http.patch("/api/me", json=body, headers=people[0].headers)
            assert answer.json()["name"] == "Çınar Altı"
        await second.connect(seq)
        for client in (first, watcher, second):
            await client.until(lambda c: c.model.table["seats"][0]["name"] == "Çınar Altı")
            assert client.model.seq == seq + 1
        (event,) = second.seen("event")
        assert event["what"] == {"kind": "rename", "seat": 0}
        assert set(event["table"]) == {"seats"}


async def test_the_name_of_a_new_account_is_told(
    server: LiveServer, http: httpx.AsyncClient
) -> None:
    """A guest in a running match becomes an account."""
    people = await guests(http, 2)
    rules = rule_choice("altinstar", 2)
    async with started(server, people, rules=rules, clock=0) as (first, second):
        await all_play((first, second), playing)
        body = {"name": "Hesaplı Kişi", "password": "uzun bir parola"}
        answer = await http.post("/api/me/account", json=body, headers=people[0].headers)
        assert answer.status_code == 200
        await second.until(lambda c: c.model.table["seats"][0]["name"] == "Hesaplı Kişi")


async def test_names_change_now_and_then(http: httpx.AsyncClient) -> None:
    """Each is a row of the log, and keeps the bots waiting."""
    (who,) = await guests(http, 1)
    codes = []
    for n in range(8):
        body = {"name": f"Bukalemun {n}"}
        codes.append(await http.patch("/api/me", json=body, headers=who.headers))
    assert [code.status_code for code in codes[:6]] == [200] * 6
    assert code_of(codes[-1], 429) == "rate-limited"
