"""Signing in, leaving or being banned leaves nothing behind, whatever else is asked meanwhile."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from conftest import unwrap
from okey101.server.hub import Hub
from okey101.server.net.close_codes import CLOSE_SIGNED_OUT
from okey101.server.people import persons
from okey101.server.people.models import UserRow
from okey101.server.people.persons import new_token
from okey101.server.protocol.options import checked_options
from okey101.server.web import socket
from okey101.server.web.auth import session_of
from server.live import Http, Json, Person, guest
from server.server_stories import table_options
from server.test_hub import Player, opened
from server.web.parties import PASSWORD, account, code_of, new_table


async def tables_of(http: Http, who: Person) -> list[str]:
    found: list[str] = (await http.get("/api/me", headers=who.headers)).json()["tables"]
    return found


async def login_of(http: Http, name: str) -> Json:
    await account(http, name)
    return {"name": name, "password": PASSWORD, "bearer": True}


async def test_a_wrong_password_costs_no_seat(http: Http, admin: Http) -> None:
    who = await guest(http, "Şifresiz")
    body = await login_of(http, "Şifreli")
    table = await new_table(http, who)
    wrong = body | {"password": "yanlış parola"}
    answer = await http.post("/api/login", json=wrong, headers=who.headers)
    assert code_of(answer, 401) == "bad-login"
    assert await tables_of(http, who) == [table]
    mine = Person("", "", (await http.post("/api/login", json=body)).json()["token"])
    user = (await http.get("/api/me", headers=mine.headers)).json()["id"]
    await admin.post(f"/api/admin/users/{user}/ban", json={})
    assert code_of(await http.post("/api/login", json=body, headers=who.headers), 403) == "banned"
    assert await tables_of(http, who) == [table]
    await admin.post(f"/api/admin/users/{user}/unban", json={})
    assert (await http.post("/api/login", json=body, headers=who.headers)).status_code == 200
    shown = (await http.get(f"/api/tables/{table}", headers=mine.headers)).json()
    assert [seat["name"] for seat in shown["table"]["seats"]] == [None] * 4


async def test_a_name_and_a_language_change_together_or_not_at_all(http: Http) -> None:
    who = await guest(http, "Eski Ad", "tr")
    table = await new_table(http, who)
    for bad in ({"name": "Yeni Ad", "language": "!!!"}, {"name": "", "language": "en"}):
        assert (await http.patch("/api/me", json=bad, headers=who.headers)).status_code == 400
        found = (await http.get("/api/me", headers=who.headers)).json()
        assert (found["name"], found["language"]) == ("Eski Ad", "tr")
    both = {"name": "Yeni Ad", "language": "en"}
    assert (await http.patch("/api/me", json=both, headers=who.headers)).status_code == 200
    shown = (await http.get(f"/api/tables/{table}", headers=who.headers)).json()
    assert shown["table"]["seats"][0]["name"] == "Yeni Ad"
    await http.patch("/api/me", json=both, headers=who.headers)
    again = (await http.get(f"/api/tables/{table}", headers=who.headers)).json()
    assert again["seq"] == shown["seq"]  # the same name is no row


async def test_a_guest_who_signs_in_begins_nothing_meanwhile(http: Http) -> None:
    """Either the match is there first and the login is refused, or there is no match."""
    body = await login_of(http, "Giren")
    for number in range(6):
        who = await guest(http, f"Aceleci {number}")

        async def late(who: Person = who, wait: float = number * 0.01) -> httpx.Response:
            await asyncio.sleep(wait)
            return await http.post("/api/play", json={"deals": 1}, headers=who.headers)

        login, play = await asyncio.gather(
            http.post("/api/login", json=body, headers=who.headers), late()
        )
        if play.status_code == 201:
            assert code_of(login, 409) == "in-match"
            table = play.json()["table"]
            assert await tables_of(http, who) == [table]
        else:
            assert login.status_code == 200
            assert play.json()["error"]["code"] in ("accounts-busy", "unauthorised")


async def test_nobody_is_left_at_a_table_who_is_deleted_or_banned(http: Http, admin: Http) -> None:
    for number in range(16):
        who = await guest(http, f"Giden {number}")

        async def make(who: Person = who, wait: float = number * 0.001) -> httpx.Response:
            await asyncio.sleep(wait)
            return await http.post("/api/tables", json={}, headers=who.headers)

        if number % 2:
            ends = http.delete("/api/me", headers=who.headers)
        else:
            ends = admin.post(f"/api/admin/users/{who.id}/ban", json={})
        ended, made = await asyncio.gather(ends, make())
        assert ended.status_code == 204
        codes = ("accounts-busy", "unauthorised", "banned")
        assert made.status_code == 201 or made.json()["error"]["code"] in codes
        for table in (await admin.get("/api/admin/tables")).json():
            assert who.id not in [seat["user"] for seat in table["seats"]]


async def another_session(hub: Hub, user: str) -> str:
    token = new_token()

    def add(db: Any) -> None:
        persons.add_session(db, db.get(UserRow, user), token, "", hub.accounts._now())

    await hub.accounts._run(add)
    return token


class Hasty:
    """A socket whose hello came right behind the handshake."""

    def __init__(self, token: str) -> None:
        self.headers = {"authorization": f"Bearer {token}"}
        self.scope: Json = {"extensions": {}}
        self.cookies: dict[str, str] = {}
        self.sent: list[Json] = []
        self._events = iter([{"type": "websocket.receive", "text": '{"type": "hello"}'}])

    async def receive(self) -> Json:
        return next(self._events, {"type": "websocket.disconnect"})

    async def send(self, message: Json) -> None:
        self.sent.append(message)


@pytest.mark.parametrize("late", ["muted_by", "get"])
async def test_who_is_shut_out_before_hello_takes_no_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, late: str
) -> None:
    """The seat stays with the socket of the session that goes on."""
    async with opened(tmp_path) as hub:
        user, _ = await hub.accounts.guest("Ali")
        other = await another_session(hub, user.id)
        ended = unwrap(await session_of(hub, other))
        table = await hub.tables.create(user.id, checked_options(table_options()))
        good = Player(user.id)
        table.attach(good)
        where: Any = {"muted_by": hub.accounts, "get": hub.tables}[late]
        real = getattr(where, late)

        async def slow(asked: str) -> object:
            await hub.accounts.end_session(user.id, ended.id)
            hub.connections.close(user.id, CLOSE_SIGNED_OUT, "signed-out", only=ended.id)
            return await real(asked)

        monkeypatch.setattr(where, late, slow)
        hasty = Hasty(other)
        await socket._serve(cast("Any", hasty), hub, ended, "here", table.state.table)
        assert table.audience.seated[user.id] is good
        bye, close = hasty.sent
        assert json.loads(bye["text"]) == {"type": "bye", "code": "signed-out"}
        assert close["code"] == CLOSE_SIGNED_OUT
