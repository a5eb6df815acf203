"""People over HTTP: accounts, sessions, cookies, what they say, and what a deletion leaves."""

import asyncio
import json
from http.cookies import Morsel, SimpleCookie
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect

import okey101.client
from conftest import unwrap
from okey101.cli.app import run
from okey101.server.hub import Hub
from server.clients import Client, all_play, answered
from server.live import Http, Json, LiveServer, Person, asking, guest, in_process
from server.web.parties import (
    PASSWORD,
    account,
    against_bots,
    code_of,
    command,
    duel,
    guests,
    listed_when_saved,
    new_table,
    person_of,
    playing,
    refused,
    rule_choice,
    seated,
    short_rules,
    started,
)

HTTPS = {"X-Forwarded-Proto": "https"}


def morsel(answer: httpx.Response) -> Morsel[str]:
    (found,) = SimpleCookie(answer.headers["set-cookie"]).values()
    return found


async def login(http: Http, name: str, **more: Any) -> httpx.Response:
    body = {"name": name, "password": PASSWORD, "bearer": True}
    return await http.post("/api/login", json=body, **more)


async def me(http: Http, who: Person) -> httpx.Response:
    return await http.get("/api/me", headers=who.headers)


async def test_a_guest(http: Http) -> None:
    """A name is enough; without a session there is nobody."""
    assert code_of(await http.get("/api/me"), 401) == "unauthorised"
    nobody = (await http.get("/api/session")).json()
    assert (nobody["user"], nobody["proposed"][:8]) == (None, "Misafir ")
    who = await guest(http, "  Çağrı   Ağır ", "tr")
    assert who.name == "Çağrı Ağır"
    found = (await me(http, who)).json()
    assert found == {
        "id": who.id, "name": "Çağrı Ağır", "face": None, "account": False, "language": "tr",
        "tables": [], "moderator": False, "shown": False, "listed": True, "public": False,
        "weighed": True, "token": None,
    }  # fmt: skip
    whoami = await http.get("/api/session", headers=who.headers)
    assert whoami.json() == {"user": found, "notice": False, "proposed": None}
    assert "set-cookie" not in whoami.headers
    bad: list[tuple[Json, int, str]] = [
        ({"name": "x"}, 400, "name-too-short"),
        ({"name": "bot:steady"}, 400, "name-bad-character"),
        ({"name": "Ali\u202e"}, 400, "name-bad-character"),
        ({"name": "A" * 201}, 400, "name-too-long"),
        ({"name": "Ali", "language": "?" * 201}, 400, "bad-language"),
        ({"name": "Ali", "admin": True}, 400, "bad-request"),
        ({}, 400, "bad-request"),
    ]
    for body, status, code in bad:
        assert code_of(await http.post("/api/guests", json=body), status) == code
    wrong = Person(who.id, who.name, who.token[:-1] + ("x" if who.token[-1] != "x" else "y"))
    assert code_of(await me(http, wrong), 401) == "unauthorised"


async def test_cookies_over_http_and_https(server: LiveServer) -> None:
    """Plainly named on a home network; ``__Host-`` and Secure where the proxy spoke https."""
    async with server.http() as http:
        plain = await http.post("/api/guests", json={"name": "Ali"})
        cookie = morsel(plain)
        assert cookie.key == "okey101"
        assert not cookie["secure"]
        safe = await http.post("/api/guests", json={"name": "Veli"}, headers=HTTPS)
        secure = morsel(safe)
        assert secure.key == "__Host-okey101"
        assert secure["secure"]
        for one in (cookie, secure):
            assert one["httponly"]
            assert (one["samesite"], one["path"], one["domain"]) == ("lax", "/", "")
            assert int(one["max-age"]) == 180 * 24 * 3600
        # Nothing but the cookie holds the token.
        assert plain.json()["token"] is None
        assert cookie.value not in plain.text
    async with server.http() as http:
        for shown, headers, name in (
            (cookie, {}, "Ali"), (secure, HTTPS, "Veli"), (secure, {}, None),
            (cookie, HTTPS, None),
        ):  # fmt: skip
            pair = {"Cookie": f"{shown.key}={shown.value}"}
            answer = await http.get("/api/me", headers=headers | pair)
            if name is None:
                assert code_of(answer, 401) == "unauthorised"
            else:
                assert answer.json()["name"] == name
                # Whoever comes back has it for as long anew, as the session lasts.
                answer = await http.get("/api/session", headers=headers | pair)
                assert morsel(answer) == shown
        pair = {"Cookie": f"{secure.key}={secure.value}"}
        ended = morsel(await http.post("/api/logout", headers=HTTPS | pair))
        assert (ended.key, ended.value, ended["max-age"]) == ("__Host-okey101", "", "0")
        assert ended["secure"]
        assert code_of(await http.get("/api/me", headers=HTTPS | pair), 401) == "unauthorised"


async def test_from_guest_to_account(server: LiveServer, http: Http) -> None:
    """The games stay, the session is a new one, and the old token is dead."""
    who = await guest(http, "Yeni Hesap")
    rules = short_rules()
    async with against_bots(server, http, who, deals=1, bot="greedy", rules=rules) as client:
        await client.play_on()
    await listed_when_saved(http, who)
    body = {"name": "Yeni Hesap", "password": PASSWORD, "bearer": True}
    for password, code in (("kisa", "password-too-short"), ("x" * 1001, "password-too-long")):
        wrong = body | {"password": password}
        answer = await http.post("/api/me/account", json=wrong, headers=who.headers)
        assert code_of(answer, 400) == code
    answer = await http.post("/api/me/account", json=body, headers=who.headers)
    found = answer.json()
    assert (found["id"], found["account"]) == (who.id, True)
    assert found["token"] != who.token
    assert code_of(await me(http, who), 401) == "unauthorised"
    now = Person(who.id, who.name, found["token"])
    assert len(await listed_when_saved(http, now)) == 1
    answer = await http.post("/api/me/account", json=body, headers=now.headers)
    assert code_of(answer, 409) == "already-account"
    answer = await http.post("/api/guests", json={"name": "yenı hesap"})
    assert code_of(answer, 409) == "name-taken"
    assert answer.json()["error"]["details"]


async def test_other_nodes_close_no_socket_of_a_new_account(tmp_path: Path) -> None:
    """They hear of the change after its answer, and may have one of the new session by then."""
    told: list[Any] = []
    async with in_process(tmp_path) as app:
        hub: Hub = app.state.hub
        hub.connections.on_close = lambda *_, **which: told.append(which["but"])
        _, token = await hub.accounts.guest("Ali")
        async with asking(app, token) as http:
            body = {"name": "Ali", "password": PASSWORD, "bearer": True}
            answer = await http.post("/api/me/account", json=body)
        session = await hub.accounts.session(answer.json()["token"])
        assert told == [[unwrap(session).id]]


async def test_login(http: Http) -> None:
    """However the name is written; what is wrong about a login is not told."""
    who = await account(http, "Giren Çıkan")
    body = {"name": "giren çıkan", "password": PASSWORD, "bearer": True}
    answer = await http.post("/api/login", json=body)
    second = Person(who.id, who.name, answer.json()["token"])
    assert (await me(http, second)).status_code == 200
    wrong = {"password": "falsch falsch"}, {"name": "Kimse Yok"}, {"password": "x" * 1001}
    answers = [await http.post("/api/login", json=body | one) for one in wrong]
    assert [code_of(answer, 401) for answer in answers] == ["bad-login"] * 3
    assert len({answer.text for answer in answers}) == 1


async def test_sessions_are_listed_and_end_with_sockets(server: LiveServer, http: Http) -> None:
    """Ending a session closes its sockets, and no others."""
    first = await account(http, "Çok Oturum")
    tokens = [(await login(http, "Çok Oturum")).json()["token"] for _ in range(3)]
    others = [Person(first.id, first.name, token) for token in tokens]
    second, third, fourth = others
    listed = (await http.get("/api/me/sessions", headers=second.headers)).json()
    assert len(listed) == 4
    assert [line["current"] for line in listed].count(True) == 1
    assert set(listed[0]) == {
        "id", "created_ms", "seen_ms", "expires_ms", "agent", "current",
    }  # fmt: skip
    (current,) = [line["id"] for line in listed if line["current"]]
    tables = [await new_table(http, first) for _ in range(4)]
    sockets = [
        Client(server, table, who) for table, who in zip(tables, (first, *others), strict=True)
    ]
    for socket in sockets:
        await socket.connect()
    done = await http.delete(f"/api/me/sessions/{current}", headers=first.headers)
    assert done.status_code == 204
    await closed(sockets[1], 4401, "signed-out")
    assert code_of(await me(http, second), 401) == "unauthorised"
    done = await http.delete("/api/me/sessions/s_nothing", headers=first.headers)
    assert code_of(done, 401) == "no-session"
    await http.post("/api/logout", headers=third.headers)
    await closed(sockets[2], 4401, "signed-out")
    await answered(sockets[0])
    await answered(sockets[3])
    assert (await http.delete("/api/me/sessions", headers=first.headers)).status_code == 204
    await closed(sockets[3], 4401, "signed-out")
    assert code_of(await me(http, fourth), 401) == "unauthorised"
    await answered(sockets[0])
    assert len((await http.get("/api/me/sessions", headers=first.headers)).json()) == 1
    # A new password ends the others too.
    token = (await login(http, "Çok Oturum")).json()["token"]
    async with Client(server, tables[1], Person(first.id, "", token)) as late:
        change = {"old": PASSWORD, "new": "baska bir parola"}
        await http.put("/api/me/password", json=change, headers=first.headers)
        await closed(late, 4401, "signed-out")
    await answered(sockets[0])
    for socket in sockets:
        await socket.close()


async def test_a_session_ends_under_its_sockets(server: LiveServer, http: Http) -> None:
    """At the upgrade, at a login as somebody else, and for a socket that has not said hello."""
    who = await guest(http, "Oturum Sonu")
    table = await new_table(http, who)
    address = f"{server.url.replace('http', 'ws')}/ws/{table}"
    silent = await connect(address, additional_headers=who.headers, proxy=None)
    async with Client(server, table, who) as client:
        body = {"name": who.name, "password": PASSWORD, "bearer": True}
        answer = await http.post("/api/me/account", json=body, headers=who.headers)
        await closed(client, 4401, "session-changed")
        assert json.loads(await silent.recv()) == {"type": "bye", "code": "session-changed"}
        await silent.wait_closed()
        assert silent.close_code == 4401
        later = Client(server, table, Person(who.id, who.name, answer.json()["token"]))
        later.model = client.model
        await later.connect(client.model.seq)
        assert later.seen("resumed")
        assert later.model.seat == 0
        await later.close()
    other = await guest(http)
    async with Client(server, table, other) as watcher:
        await login(http, who.name, headers=other.headers)
        await closed(watcher, 4401, "session-changed")


async def closed(client: Client, code: int, reason: str) -> None:
    await client.until(lambda c: c.closed)
    assert client.messages[-1] == {"type": "bye", "code": reason}
    assert client.close_code == code


async def test_export_and_delete(server: LiveServer, http: Http) -> None:
    """All that is kept is handed out; after deletion the name is nowhere, the seat remains."""
    friend = await guest(http, "Kalan")
    who = await account(http, "Giden Kişi")
    rules = short_rules()
    async with started(server, [friend, who], rules=rules, deals=1, clock=0) as clients:
        await all_play(clients)
    (game,) = await listed_when_saved(http, who)
    assert await friends(http, friend) == {"met": [("Giden Kişi", False)]}
    for one, other in ((friend, who), (who, friend)):
        await befriend(http, one, user=other.id)
    assert await friends(http, friend) == {"friends": [("Giden Kişi", False)]}
    async with (
        started(server, [friend, who], rules=rules, clock=0, listed=True) as (stays, goes),
        Client(server, stays.table, await guest(http)),
    ):
        exported = (await http.get("/api/me/export", headers=who.headers)).json()
        assert goes.table in exported["tables"]
        assert exported["users"]["name"] == "Giden Kişi"
        assert [match["near"] for match in exported["match_seats"]] == [[True]]
        assert [tie["to"] for tie in exported["ties"]] == [friend.id]
        assert who.token not in str(exported)
        assert "argon2" not in str(exported)
        assert (await http.delete("/api/me", headers=who.headers)).status_code == 204
        await closed(goes, 4401, "deleted")
        assert code_of(await me(http, who), 401) == "unauthorised"
        await stays.until(lambda c: c.model.table["seats"][1]["bot"] is not None)
        texts = [
            (await http.get(address, headers=friend.headers)).text
            for address in (
                "/api/tables", f"/api/tables/{stays.table}", "/api/matches/",
                f"/api/matches/{game['id']}", f"/api/matches/{game['id']}/record",
                f"/api/matches/{game['id']}/deals/0",
                f"/api/tables/{stays.table}/record", "/api/friends",
            )
        ]  # fmt: skip
        assert all("Giden" not in text for text in texts)
        line = (await http.get(f"/api/matches/{game['id']}")).json()
        assert line["seats"] == ["Kalan", None]
        await stays.connect()
        assert "Giden" not in str(stays.messages)
    # The name is free again, and the password opens nothing.
    body = {"name": "Giden Kişi", "password": PASSWORD}
    assert code_of(await http.post("/api/login", json=body), 401) == "bad-login"
    await guest(http, "Giden Kişi")


async def test_a_table_of_the_past_forgets_the_name(server: LiveServer, http: Http) -> None:
    """Where a deleted person sat at a table that still shows the match, nobody reads the name."""
    async with duel(server, deals=1, rules=short_rules()) as (stays, goes):
        await all_play((stays, goes))
        await http.delete("/api/me", headers=person_of(goes).headers)
        await stays.until(lambda c: c.model.table["seats"][1]["name"] is None)
        headers = person_of(stays).headers
        answer = await http.get(f"/api/tables/{stays.table}/record", headers=headers)
        assert "Oyuncu 1" not in answer.text
        assert answer.json()["deals"]
        assert await refused(stays.command("mute", seat=1)) == "no-seat"


async def test_a_session_too_many_ends_the_oldest(server: LiveServer, http: Http) -> None:
    """At most 20 run; whoever sits behind the one that is pushed out is told."""
    who = await account(http, "Yirmi Oturum")
    table = await new_table(http, who)
    async with Client(server, table, who) as client:
        for n in range(20):
            head = {"X-Forwarded-For": f"192.0.2.{100 + n}"}
            assert not client.closed, n
            assert (await login(http, "Yirmi Oturum", headers=head)).status_code == 200
        await client.until(lambda c: c.closed)
        assert client.close_code == 4401
    assert (await me(http, who)).status_code == 401


async def test_a_token_that_is_none_is_refused_at_a_table(server: LiveServer) -> None:
    """A program would not notice that it only watches; a browser's old cookie is another matter."""
    async with server.http() as http:
        who = (await guests(http, 1))[0]
        table = await new_table(http, who, spectators="live")
    client = Client(server, table, Person(who.id, who.name, who.token[:-4] + "AAAA"))
    await client.connect()
    await client.until(lambda c: c.closed)
    assert (client.close_code, client.seen("view")) == (4401, [])


async def test_a_chosen_face_is_seen_wherever_the_name_is(server: LiveServer, http: Http) -> None:
    """At the table at once, and in the list of tables; another's stays as it is."""
    people = await guests(http, 2)
    mine = people[0].headers
    rules = rule_choice("altinstar", 2)
    async with seated(server, people, rules=rules, listed=True) as (first, second):
        for face in (7, 24, -1, 2**40):
            answer = await http.patch("/api/me", json={"name": "Yok", "face": face}, headers=mine)
            assert code_of(answer, 400) == "bad-face"
            guest = {"name": "Yeni", "face": face, "bearer": True}
            assert code_of(await http.post("/api/guests", json=guest), 400) == "bad-face"
        assert (await http.post("/api/guests", json=guest | {"face": 12})).json()["face"] == 12
        assert (await me(http, people[0])).json()["face"] is None
        assert "face" not in second.model.table["seats"][0]
        assert (await http.patch("/api/me", json={"face": 23}, headers=mine)).json()["face"] == 23
        await second.until(lambda c: c.model.table["seats"][0].get("face") == 23)
        await http.patch("/api/me", json={"name": "Oyuncu 0", "face": 23}, headers=mine)
        shown = (await http.get(f"/api/tables/{first.table}", headers=mine)).json()
        assert shown["seq"] == second.model.seq, "what is the same is no row"
        assert "face" not in second.model.table["seats"][1]
        lines = (await http.get("/api/tables")).json()
        assert [line["faces"] for line in lines if line["id"] == first.table] == [[23, None]]
        exported = (await http.get("/api/me/export", headers=mine)).json()
        assert exported["users"]["face"] == 23


async def test_the_name_of_a_new_account_is_told(server: LiveServer, http: Http) -> None:
    """A guest in a running match becomes an account."""
    async with duel(server) as (first, second):
        await all_play((first, second), playing)
        body = {"name": "Hesaplı Kişi", "password": PASSWORD}
        answer = await http.post("/api/me/account", json=body, headers=person_of(first).headers)
        assert answer.status_code == 200
        await second.until(lambda c: c.model.table["seats"][0]["name"] == "Hesaplı Kişi")
        answer = await login(http, "Hesaplı Kişi", headers=person_of(second).headers)
        assert code_of(answer, 409) == "in-match"


async def heard(client: Client, count: int) -> list[tuple[int, str]]:
    """What a client has heard so far, once it is that much."""
    await client.until(lambda c: len(c.seen("said")) >= count)
    return [(said["seat"], said["phrase"]) for said in client.seen("said")]


async def test_phrases_and_mutes(server: LiveServer, http: Http) -> None:
    """Everybody hears them who wants to; a mute outlasts the connection."""
    people = await guests(http, 2)
    async with (
        seated(server, people, rules=rule_choice("altinstar", 2)) as (first, second),
        Client(server, first.table) as watcher,
    ):
        await first.command("say", phrase="hello")
        for client in (first, second, watcher):
            assert await heard(client, 1) == [(0, "hello")]
        await second.command("mute", seat=0)
        assert muted(second) == [[0]]
        await first.command("say", phrase="emoji-tea")
        await second.command("say", phrase="thanks")
        assert await heard(first, 3) == [(0, "hello"), (0, "emoji-tea"), (1, "thanks")]
        assert await heard(second, 2) == [(0, "hello"), (1, "thanks")]
        await second.connect()
        await first.command("say", phrase="hurry")
        assert muted(second) == [[0]]
        assert muted(first) == muted(watcher) == []
        await answered(second)
        assert second.seen("said") == []
        await second.command("mute", seat=0, on=False)
        assert muted(second) == [[0], []]
        await first.command("say", phrase="emoji-nazar", to=1)
        assert await heard(second, 1) == [(0, "emoji-nazar")]
        assert second.seen("said")[0]["to"] == 1
        assert await refused(second.command("say", phrase="emoji-tea", to=2)) == "no-seat"
        assert await refused(first.command("say", phrase="rude words")) == "no-phrase"
        assert await refused(first.command("mute", seat=0)) == "mute-self"
        assert await refused(first.command("mute", seat=3)) == "no-seat"
        assert await refused(watcher.command("say", phrase="hello")) == "unauthorised"
        assert await refused(watcher.command("mute", seat=0)) == "unauthorised"
    async with (
        seated(server, people[:1]) as (first,),
        Client(server, first.table, people[1]) as visitor,
    ):
        assert await refused(visitor.command("say", phrase="hello")) == "not-seated"


def muted(client: Client) -> list[list[int]]:
    """The seats it was told that it does not hear, each time."""
    return [message["seats"] for message in client.seen("muted")]


async def test_a_mute_holds_at_all_tables(server: LiveServer, http: Http) -> None:
    people = await guests(http, 2)
    table = await new_table(http, people[0])
    async with (
        seated(server, people) as (first, second),
        Client(server, table, people[0]) as elsewhere,
    ):
        await first.command("mute", seat=1)
        await elsewhere.until(lambda c: c.closed)
        assert (elsewhere.close_code, first.closed, second.closed) == (1012, False, False)


async def test_mutes_follow_the_person(server: LiveServer, http: Http) -> None:
    """Whoever is muted and sits down, or moves, is shown as muted there."""
    people = await guests(http, 2)
    async with seated(server, people) as (first, second):
        await first.command("mute", seat=1)
        await second.command("leave")
        await first.until(lambda c: muted(c) == [[1], []])
        await second.command("sit", seat=2)
        await first.until(lambda c: muted(c) == [[1], [], [2]])
        assert muted(second) == []


async def friends(http: Http, who: Person) -> dict[str, list[tuple[str | None, bool]]]:
    """The names of those around somebody, and whether they are here."""
    answer = await http.get("/api/friends", headers=who.headers)
    assert answer.status_code == 200, answer.text
    return {
        group: [(one["name"], one["here"]) for one in people]
        for group, people in answer.json().items()
        if people
    }


async def befriend(http: Http, who: Person, **whom: str) -> httpx.Response:
    return await http.post("/api/friends", headers=who.headers, json=whom)


async def test_friends_ask_and_agree(server: LiveServer, http: Http) -> None:
    """Who is here is told to friends alone, by those who want it told and have not muted them."""
    ali, veli = await account(http, "Dost Ali"), await guest(http, "Veli")
    stranger = await guest(http, "Can")
    client = okey101.client.Client(server.url, veli.token)
    for _ in range(2):
        await client.befriend(name="DOST ALI")
        assert [one.user for one in (await client.friends()).asked] == [ali.id]
        await client.part(ali.id)
        assert (await client.friends()).asked == []
    assert (await befriend(http, veli, name="DOST ALI")).status_code == 204
    assert await friends(http, veli) == {"asked": [("Dost Ali", False)]}
    assert await friends(http, ali) == {"asks": [("Veli", False)]}
    async with seated(server, [ali, veli]) as (first, _):
        shown = await http.patch("/api/me", headers=veli.headers, json={"shown": True})
        assert shown.json()["shown"]
        assert await friends(http, ali) == {"asks": [("Veli", False)]}
        assert (await befriend(http, ali, user=veli.id)).status_code == 204
        assert (await befriend(http, stranger, user=veli.id)).status_code == 204
        assert await friends(http, ali) == {"friends": [("Veli", True)]}
        assert await friends(http, veli) == {
            "friends": [("Dost Ali", False)],
            "asks": [("Can", False)],
        }
        assert await friends(http, stranger) == {"asked": [("Veli", False)]}
        await first.command("mute", seat=1)
        await http.patch("/api/me", headers=ali.headers, json={"shown": True})
        assert await friends(http, veli) == {
            "friends": [("Dost Ali", False)],
            "asks": [("Can", False)],
        }
    assert await friends(http, ali) == {"friends": [("Veli", False)]}
    for one, other in ((veli, ali), (veli, stranger)):
        gone = await http.delete(f"/api/friends/{other.id}", headers=one.headers)
        assert gone.status_code == 204
    # Whom somebody has muted asks in vain, and is not told.
    assert (await befriend(http, veli, user=ali.id)).status_code == 204
    assert await friends(http, veli) == {"asked": [("Dost Ali", False)]}
    assert await friends(http, ali) == await friends(http, stranger) == {}
    bad = [(ali.id, "friend-self", 400), ("u_x", "no-user", 404), ("x" * 201, "bad-request", 400)]
    for user, code, status in bad:
        assert code_of(await befriend(http, ali, user=user), status) == code
    for name in ("Can", "Nobody", ""):  # a guest's name belongs to nobody
        assert code_of(await befriend(http, ali, name=name), 404) == "no-user"


async def test_twins_of_a_block_and_of_an_absence(server: LiveServer, http: Http) -> None:
    """Whom somebody has blocked sees what an absence of that one would show, on every path."""
    host, away, other = await guests(http, 3)
    for one, to in ((host, away), (away, host)):
        await befriend(http, one, user=to.id)
    await http.patch("/api/me", headers=host.headers, json={"shown": True})

    async def seen(table: str) -> list[str]:
        """What the one sees, hears and is told, of a table in particular."""
        at, sit = f"/api/tables/{table}", {"type": "sit", "rid": "s"}
        answers = [await http.get(path, headers=away.headers) for path in (
            "/api/friends", "/api/me", "/api/tables", f"/t/{table}", at, f"{at}/record",
            f"{at}/invitations", "/api/me/invitations",
        )]  # fmt: skip
        answers += [await http.post(f"{at}{path}", json=body, headers=away.headers)
            for path, body in (
                ("/commands", sit), ("/commands", {"type": "ready", "rid": "r"}),
                ("/reports", {"seat": 0, "reason": "abuse"}),
                ("/invitations", {"bot": "x", "seat": 1}),
            )]  # fmt: skip
        answers.append(await befriend(http, away, user=host.id))
        socket = Client(server, table, away)
        await socket.connect()
        await socket.until(lambda c: c.closed or bool(c.seen("view")))
        told = [f"{one.status_code} {one.text.replace(table, 'T')}" for one in answers]
        # Tables of other tests come and go in the list of all.
        told[2] = json.dumps([one for one in answers[2].json() if one["id"] == table])
        await socket.close()
        return [*told, str(socket.close_code), str(socket.messages)]

    absent = await seen("x" * 12)
    for name in ("u_x", host.id):
        answer = await http.post("/api/blocks", json={"user": name}, headers=host.headers)
        assert answer.json()["error"]["code"] == ("no-user" if name == "u_x" else "mute-self")
    client = okey101.client.Client(server.url, host.token)
    await client.block(away.id)
    blocked = {"blocked": [("Oyuncu 1", False)]}
    assert await friends(http, host) == blocked
    async with seated(server, [host, other], listed=True, spectators="live") as (first, _):
        assert await seen(first.table) == absent
        await client.unblock(away.id)
        assert await friends(http, host) == {"friends": [("Oyuncu 1", False)]}
        await first.until(lambda c: c.closed)
        await first.connect()
        there = str(await seen(first.table))
        assert all(one in there for one in ("'view'", '"here":true', '"listed":true'))


async def test_who_blocks_hears_nothing_and_meets_at_no_quick_table(
    server: LiveServer, http: Http
) -> None:
    """Whoever sits at one table already stays there; a quick table is that of all who sit there."""
    host, away, other = await guests(http, 3)
    async with seated(server, [other, host, away]) as (third, first, second):
        # At the table by the seat, or anywhere by the id; then the sockets come anew.
        await first.command("block", seat=2)
        assert muted(first)[-1] == [2]
        assert [name for name, _ in (await friends(http, host))["blocked"]] == ["Oyuncu 1"]
        assert await refused(first.command("block", seat=1)) == "mute-self"
        await http.post("/api/blocks", json={"user": away.id}, headers=host.headers)
        await first.until(lambda c: c.closed)
        assert (first.close_code, second.closed) == (1012, False)
        await first.connect()
        await first.until(lambda c: muted(c) == [[2]])
        await first.command("mute", seat=2)
        await first.command("mute", seat=2, on=False)
        assert muted(first) == [[2]] * 3
        await second.command("say", phrase="hello")
        await third.command("say", phrase="thanks")
        assert await heard(first, 1) == [(0, "thanks")]
        assert await heard(second, 2) == [(2, "hello"), (0, "thanks")]
        await http.delete(f"/api/blocks/{away.id}", headers=host.headers)
        await first.until(lambda c: c.closed)
        await first.connect()
        await second.command("say", phrase="hello")
        assert await heard(first, 1) == [(2, "hello")]
        await http.post("/api/blocks", json={"user": away.id}, headers=host.headers)

    async def quick(who: Person) -> str:
        answer = await http.post("/api/quick", headers=who.headers)
        return str(answer.json()["table"])

    for one, to in ((host, away), (away, host)):
        table = await quick(one)
        assert await quick(to) != table
        if one == host:
            lines = (await http.get("/api/tables", headers=to.headers)).json()
            assert table not in [line["id"] for line in lines]
            assert code_of(await command(http, to, table, "sit"), 404) == "no-table"
        for who in (host, away):
            for line in (await me(http, who)).json()["tables"]:
                await command(http, who, line, "leave", rid=f"l{line}")


async def test_a_friend_is_called_to_a_table(server: LiveServer, http: Http) -> None:
    """Here or not, for as long as who calls sits there; whoever is blocked calls in vain."""
    host, friend, stranger = await guests(http, 3)
    await befriend(http, host, user=friend.id)
    await befriend(http, friend, user=host.id)
    at = okey101.client.Client(server.url, host.token)
    to = okey101.client.Client(server.url, friend.token)

    async def called() -> list[tuple[str, str | None]]:
        return [(one.table, one.by.name) for one in await to.waiting()]

    table = await new_table(http, host)
    path = f"/api/tables/{table}/invitations"
    for who, whom, code in (
        (stranger, friend, "not-seated"), (host, stranger, "not-friend"), (host, host, "not-friend")
    ):  # fmt: skip
        answer = await http.put(f"{path}/{whom.id}", headers=who.headers)
        assert code_of(answer, 403) == code
    for _ in range(2):
        await at.call(table, friend.id)
    assert await called() == [(table, "Oyuncu 0")]
    assert (await http.get(path, headers=host.headers)).json() == []
    assert (await http.get("/api/me/invitations", headers=friend.headers)).json() == []
    for one, other in ((to, host), (at, friend)):
        await one.block(other.id)
        if one is to:  # who calls hears nothing of it
            await at.call(table, friend.id)
        assert await called() == []
        await one.unblock(other.id)
        assert await called() == [(table, "Oyuncu 0")]
    kept = (await http.get("/api/me/export", headers=host.headers)).json()["invitations"]
    assert [(one["table"], one["sent"], one["seat"]) for one in kept] == [(table, True, None)]
    await command(http, friend, table, "sit")
    assert await called() == []
    # Whoever sits there may call friends, not the owner alone.
    await befriend(http, friend, user=stranger.id)
    await befriend(http, stranger, user=friend.id)
    await to.call(table, stranger.id)
    theirs = await okey101.client.Client(server.url, stranger.token).waiting()
    assert [(one.table, one.by.name) for one in theirs] == [(table, "Oyuncu 1")]
    second = await new_table(http, host)
    await at.call(second, friend.id)
    await to.decline(second)
    await at.call(second, friend.id)  # who has said no is not called there again
    assert await called() == []
    codes = [await http.put(f"{path}/{friend.id}", headers=host.headers) for _ in range(20)]
    assert code_of(codes[-1], 429) == "rate-limited"
    assert codes[-1].json()["error"]["details"]["limit"] == "invitations"


async def test_a_family_has_one_link_and_adds_up_its_matches(
    server: LiveServer, http: Http
) -> None:
    owner, regular = await account(http, "Hatice Nine"), await account(http, "Kerem Dede")
    visitor = await guest(http, "Komşu Ali")
    mine, theirs, theirs_too = (
        okey101.client.Client(server.url, one.token) for one in (owner, regular, visitor)
    )
    options = {"rules": short_rules(), "clock": 0, "deals": 1}
    body: Json = {"name": "Bizim Aile", "options": options | {"bots": [None, "greedy"]}}
    answer = await http.post("/api/families", json=body, headers=visitor.headers)
    assert code_of(answer, 409) == "not-account"
    made = (await http.post("/api/families", json=body, headers=owner.headers)).json()
    link = made["link"]
    assert (made["own"], made["options"]["bots"]) == (True, [None, "greedy"])
    # Whoever comes by the link sits in a bot's place, and an account is a regular from then on.
    table = await mine.sit_with_family(link)
    assert await mine.sit_with_family(link) == table
    assert await theirs.waiting() == []
    both = await asyncio.gather(*(theirs.sit_with_family(link) for _ in range(2)))  # two devices
    assert both == [table, table]
    full = await http.post(f"/api/families/{link}/sit", headers=visitor.headers)
    assert code_of(full, 409) == "table-full"
    async with Client(server, table, owner) as first, Client(server, table, regular) as second:
        await second.do("ready")
        await first.do("start")
        await all_play((first, second))
        await listed_when_saved(http, owner)
        for client in (first, second):
            await client.do("leave")
    found = await theirs.family(link)
    assert [(one.name, one.here) for one in found.regulars] == [
        ("Hatice Nine", False), ("Kerem Dede", False),
    ]  # fmt: skip
    assert found.week == found.year
    assert [one.matches for one in found.year] == [1, 1]
    (line,) = [one for one in found.year if one.own]
    match = (await http.get("/api/matches/", headers=regular.headers)).json()[0]
    assert sum(one.won for one in found.year) == match["places"].count(1)  # both, where none opens
    assert line.points == match["totals"][match["seats"].index("Kerem Dede")]
    # Somebody sits there again: the regulars are told, and nobody else.
    again = await mine.sit_with_family(link)
    assert [(one.by.name, one.family, one.name) for one in await theirs.waiting()] == [
        ("Hatice Nine", link, "Bizim Aile")
    ]
    assert await theirs_too.waiting() == await mine.waiting() == []
    await mine.block(regular.id)
    assert await theirs.families() == []
    assert await theirs.waiting() == []
    for path in ("", "/sit"):
        way = "POST" if path else "GET"
        answer = await http.request(way, f"/api/families/{link}{path}", headers=regular.headers)
        assert code_of(answer, 404) == "no-family"
    answer = await http.get(f"/api/tables/{again}", headers=regular.headers)
    assert code_of(answer, 404) == "no-table"
    await mine.unblock(regular.id)
    # What the owner alone may do.
    for way, path, sent in (
        ("PATCH", "", {"fresh": True}), ("DELETE", "", None),
        ("DELETE", f"/regulars/{owner.id}", None),
    ):  # fmt: skip
        address = f"/api/families/{link}{path}"
        answer = await http.request(way, address, json=sent, headers=regular.headers)
        assert code_of(answer, 403) == "not-family-owner"
    fresh = await mine.change_family(link, name="Aile Masası", fresh=True)
    assert (fresh.name, fresh.link != link) == ("Aile Masası", True)
    assert code_of(await http.get(f"/api/families/{link}"), 404) == "no-family"
    await mine.leave_family(fresh.link, regular.id)
    await mine.leave_family(fresh.link, owner.id)
    assert [one.name for one in (await mine.family(fresh.link)).regulars] == ["Hatice Nine"]
    exported = (await http.get("/api/me/export", headers=owner.headers)).json()
    assert [(one["name"], one["link"]) for one in exported["families"]] == [
        ("Aile Masası", fresh.link)
    ]
    assert (await http.delete("/api/me", headers=owner.headers)).status_code == 204
    assert code_of(await http.get(f"/api/families/{fresh.link}"), 404) == "no-family"


async def test_people_at_the_terminal(
    server: LiveServer, http: Http, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Friends are asked, blocked and let go by name; families and the ladder are shown."""
    her, him = await account(http, "Fikret Bey"), await account(http, "Sabiha Hanım")
    (tmp_path / "her").write_text(unwrap(her.token))

    async def said(command: str, *words: str, code: int = 0) -> str:
        token = () if command == "ladder" else ("--token-file", str(tmp_path / "her"))
        asked = [command, server.url, *words, *token, "--lang", "en"]
        assert await asyncio.to_thread(run, asked) == code
        told = capsys.readouterr()
        return told.out + told.err

    assert await asyncio.to_thread(run, ["friends", server.url, "--lang", "en"]) == 1
    assert "--token-file FILE" in capsys.readouterr().err
    assert "Nobody yet" in await said("friends")
    assert "You have asked\n  Sabiha Hanım  (" in await said("friends", "--ask", "Sabiha Hanım")
    await okey101.client.Client(server.url, him.token).befriend(her.id)
    assert "Your friends\n  Sabiha Hanım" in await said("friends")
    blocked = json.loads(await said("friends", "--block", him.id, "--json"))
    assert [one["name"] for one in blocked["blocked"]] == ["Sabiha Hanım"]
    assert blocked["friends"] == []
    assert "Your friends" in await said("friends", "--unblock", "Sabiha Hanım")
    assert "mean Sabiha Hanım" in await said("friends", "--part", "sabiha hanim", code=1)
    assert "no-user" in await said("friends", "--part", "Kimse", "--json", code=1)
    assert "Nobody yet" in await said("friends", "--part", "Sabiha Hanım")
    assert "None yet" in await said("families")
    mine = okey101.client.Client(server.url, her.token)
    family = await mine.make_family("Pazar Masası")
    assert f"{family.link}  Pazar Masası" in await said("families")
    shown = await said("families", f"{server.url}/f/{family.link}")
    assert "Pazar Masası\nNobody is at the table now.\nRegulars\n  Fikret Bey\n" in shown
    (line,) = json.loads(await said("families", "--json"))["families"]
    assert (line["link"], line["own"]) == (family.link, True)
    assert "no-family" in await said("families", "x", "--json", code=1)
    assert "Ladder 2020-1\nNobody has played" in await said("ladder", "2020-1")
    assert "no-season" in await said("ladder", "2020-5", "--json", code=1)
    assert "did you mean" in (await said("ladder", "--jsonn", code=2)).lower()


async def test_phrases_and_hints_are_rationed_and_phrases_can_be_off(
    server: LiveServer, http: Http
) -> None:
    """A handful at once; then one has to wait, and nobody hears what was refused.

    So with hints: each may cost a bot's whole thought.
    """
    people = await guests(http, 2)
    rules = rule_choice("altinstar", 2)
    async with seated(server, people, rules=rules) as (first, second):
        codes = [await refused(first.ask("hint")) for _ in range(7)]
        assert codes == ["not-playing"] * 6 + ["rate-limited"]
        assert await refused(second.ask("hint")) == "not-playing"
        for _ in range(4):
            await first.command("say", phrase="hello")
        assert await refused(first.command("say", phrase="hello")) == "rate-limited"
        assert len(await heard(second, 4)) == 4
        await answered(second)
        assert len(second.seen("said")) == 4
        await second.command("say", phrase="sorry")
    people = await guests(http, 2)  # the allowance is a person's, at all tables
    async with seated(server, people, rules=rules, phrases=False) as (first, _):
        assert await refused(first.command("say", phrase="hello")) == "phrases-off"
