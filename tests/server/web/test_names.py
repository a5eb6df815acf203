"""Somebody who changes his name is shown by the new one at once, wherever he sits."""

from __future__ import annotations

import asyncio

from server.clients import Client
from server.live import LiveServer
from server.web.parties import code_of, guests, rule_choice, run, seated, started


def test_a_new_name_is_told_at_once(server: LiveServer) -> None:
    """To the others, to onlookers, and to those who come back; the same name changes nothing."""

    async def story() -> None:
        async with server.http() as http:
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

    run(story())


def test_the_name_of_a_new_account_is_told(server: LiveServer) -> None:
    """A guest in a running match becomes an account."""

    async def story() -> None:
        async with server.http() as http:
            people = await guests(http, 2)
            rules = rule_choice("altinstar", 2)
            async with started(server, people, rules=rules, clock=0) as (first, second):
                await asyncio.gather(
                    *(c.play_on(lambda c: c.model.stage == "playing") for c in (first, second))
                )
                body = {"name": "Hesaplı Kişi", "password": "uzun bir parola"}
                answer = await http.post("/api/me/account", json=body, headers=people[0].headers)
                assert answer.status_code == 200
                await second.until(lambda c: c.model.table["seats"][0]["name"] == "Hesaplı Kişi")

    run(story())


def test_names_change_now_and_then(server: LiveServer) -> None:
    """Each is a row of the log, and keeps the bots waiting."""

    async def story() -> None:
        async with server.http() as http:
            (who,) = await guests(http, 1)
            codes = []
            for n in range(8):
                body = {"name": f"Bukalemun {n}"}
                codes.append(await http.patch("/api/me", json=body, headers=who.headers))
            assert [code.status_code for code in codes[:6]] == [200] * 6
            assert code_of(codes[-1], 429) == "rate-limited"

    run(story())
