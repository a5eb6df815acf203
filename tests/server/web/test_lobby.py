"""Before and between matches: lists, seats, bots, rematches, strangers who meet."""

import asyncio
from pathlib import Path
from typing import Any

import httpx

from conftest import unwrap
from okey101.server.hub import Hub
from okey101.server.ops.journal import Report
from server.accounts.people import PASSWORD, account
from server.clients import Client, all_play
from server.live import Http, Json, LiveServer, Person, asking, guest, in_process
from server.web import parties


async def listing(server: LiveServer) -> dict[str, Json]:
    async with server.http() as http:
        answer = await http.get("/api/tables")
    assert answer.status_code == 200
    return {line["id"]: line for line in answer.json()}


def names(client: Client) -> list[str | None]:
    return [seat["bot"] or seat["name"] for seat in client.model.table["seats"]]


async def test_listed_and_private_tables(server: LiveServer, http: Http) -> None:
    """Only listed ones are in the list, those that wait first; who knows the id sees both."""
    people = await parties.guests(http, 2)
    rules = parties.rule_choice("pagat", 2)
    async with (
        parties.started(server, people, rules=rules, listed=True) as running,
        parties.seated(server, people[:1], listed=True, bots=[None, "steady"]) as waiting,
    ):
        hidden = await parties.new_table(http, people[0])
        found = await listing(server)
        assert hidden not in found
        ids = list(found)
        assert ids.index(waiting[0].table) < ids.index(running[0].table)
        line = found[waiting[0].table]
        assert line["seats"] == ["Oyuncu 0", "bot:steady", None, None]
        assert (line["free"], line["stage"], line["counted"]) == (2, "waiting", 0)
        assert found[running[0].table]["options"]["rules"]["preset"] == "pagat"
        shown = (await http.get(f"/api/tables/{hidden}")).json()
        assert shown["seat"] is None
        assert shown["table"]["id"] == hidden
        mine = await http.get(f"/api/tables/{hidden}", headers=people[0].headers)
        assert mine.json()["seat"] == 0
        me = (await http.get("/api/me", headers=people[0].headers)).json()
        assert {hidden, waiting[0].table, running[0].table} <= set(me["tables"])
    assert parties.code_of(await http.get("/api/tables/nothere"), 404) == "no-table"


async def test_one_call_to_play(server: LiveServer, http: Http) -> None:
    """Seated, the bots there, and the match begun; every option is looked at."""
    rules = parties.rule_choice("pagat", 3)
    # Two deals, as a bot may end one before anybody else has had a turn.
    async with parties.solo(server, rules=rules, deals=2, bot="greedy", assisted=False) as client:
        assert client.model.stage == "dealing"
        assert names(client) == ["Ali", "greedy", "greedy"]
        options = client.model.table["options"]
        assert options["clock"] == 0
        assert options["listed"] is False
        await client.play_on(lambda c: c.model.options is not None)
        assert client.model.options is not None
        assert not {"melds", "lays", "swaps"} & client.model.options.keys()
        assert "melds" not in client.model.options["opening"]
        await client.play_on()
    bad: list[tuple[Json, str]] = [
        ({"bot": "deep-thought"}, "unknown-bot"),
        ({"rules": {"preset": "nope"}}, "unknown-preset"),
        ({"rules": {"open_points": "x"}}, "bad-value"),
        ({"clock": 3}, "bad-options"),
        ({"deals": 0}, "bad-request"),
        ({"deal": 3}, "bad-request"),
    ]
    for body, code in bad:
        headers = parties.person_of(client).headers
        assert (
            parties.code_of(await http.post("/api/play", json=body, headers=headers), 400) == code
        )
    assert parties.code_of(await http.post("/api/play", json={}), 401) == "unauthorised"


async def test_refused_actions_name_the_rule(server: LiveServer, http: Http) -> None:
    """An illegal action has code and rule id, over the socket and over HTTP; nothing changes."""
    async with parties.duel(server) as clients:
        await all_play(clients, parties.playing)
        turn = unwrap(clients[0].model.deal_turn)
        mover, other = clients[turn], clients[1 - turn]
        seq = mover.model.seq
        cases = [
            (other, "draw", "not-your-turn", "rule"),
            (mover, "discard", "", None),
            (mover, "fly R9", "", None),
            (mover, "draw", "", "rule"),
        ]
        for number, (client, action, code, rule) in enumerate(cases):
            who, rid = parties.person_of(client), f"r{number}"
            answer = await parties.command(http, who, mover.table, "act", rid=rid, action=action)
            found = parties.code_of(answer, 409 if rule else 400)
            assert found == code or not code
            assert bool(answer.json()["error"]["rule"]) == bool(rule)
            assert await parties.refused(client.command("act", action=action)) == found
        view = await http.get(
            f"/api/tables/{mover.table}", headers=parties.person_of(mover).headers
        )
        assert view.json()["seq"] == seq


async def play(http: Http, who: Person, key: str | None) -> httpx.Response:
    headers = who.headers if key is None else who.headers | {"Idempotency-Key": key}
    return await http.post("/api/play", json={"deals": 2}, headers=headers)


async def test_the_same_key_gives_the_same_table(http: Http) -> None:
    """For the same person; another key, another person, or none, gives another table."""
    one, other = await parties.guests(http, 2)
    first = (await play(http, one, "k1")).json()
    again = await play(http, one, "k1")
    assert again.status_code == 201
    assert again.json()["table"] == first["table"]
    tables = {first["table"]}
    for who, key in ((one, "k2"), (one, None), (one, None), (other, "k1")):
        tables.add((await play(http, who, key)).json()["table"])
    assert len(tables) == 5
    assert len((await http.get("/api/me", headers=one.headers)).json()["tables"]) == 4


async def test_many_at_once_make_one(server: LiveServer, http: Http) -> None:
    """Whichever comes first makes the table, and the match begins once."""
    who = await guest(http, "Sabırsız")
    answers = await asyncio.gather(*(play(http, who, "now") for _ in range(8)))
    assert {answer.status_code for answer in answers} == {201}
    (table,) = {answer.json()["table"] for answer in answers}
    async with Client(server, table, who) as client:
        await client.play_on(lambda c: c.model.stage == "playing")
        assert client.model.table["match"] == 1
    headers = who.headers | {"Idempotency-Key": "masa"}
    made = await asyncio.gather(
        *(http.post("/api/tables", json={}, headers=headers) for _ in range(8))
    )
    assert len({answer.json()["id"] for answer in made}) == 1
    for bad in ("", "x" * 65, "a\tb", "a table"):
        headers["Idempotency-Key"] = bad
        answer = await http.post("/api/tables", json={}, headers=headers)
        assert parties.code_of(answer, 400) == "bad-request"
        assert "regex" not in answer.text


async def test_a_resent_request_costs_no_allowance(strict: LiveServer) -> None:
    """Two tables are the most; asking for the first again is no third."""
    async with strict.http() as http:
        http.headers["X-Forwarded-For"] = "192.0.2.77"
        who = await guest(http, "Israrcı")
        first = (await play(http, who, "k")).json()["table"]
        await parties.new_table(http, who)
        for _ in range(5):
            assert (await play(http, who, "k")).json()["table"] == first
        assert parties.code_of(await play(http, who, "l"), 429) == "too-many-tables"


async def test_only_the_server_opens_quick_tables(http: Http) -> None:
    who = await guest(http)
    answer = await http.post("/api/tables", json={"quick": 8}, headers=who.headers)
    assert parties.code_of(answer, 400) == "bad-options"
    assert parties.code_of(await http.post("/api/quick"), 401) == "unauthorised"


async def test_who_is_reported_and_by_whom(server: LiveServer, http: Http) -> None:
    """People of one's own table, not bots; one of them once, and not many."""
    people = await parties.guests(http, 3)
    bots = [None, None, None, "steady"]
    async with parties.seated(server, people[:2], bots=bots) as (first, _):
        path = f"/api/tables/{first.table}/reports"

        async def tell(who: Person | None, seat: int, reason: str = "name") -> Any:
            headers = {} if who is None else who.headers
            body = {"seat": seat, "reason": reason}
            return await http.post(path, json=body, headers=headers)

        assert parties.code_of(await tell(None, 0), 401) == "unauthorised"
        assert parties.code_of(await tell(people[2], 0), 403) == "not-seated"
        assert parties.code_of(await tell(people[0], 0), 404) == "no-seat"
        assert parties.code_of(await tell(people[0], 3), 404) == "no-seat"
        assert parties.code_of(await tell(people[0], 1, "rude words"), 400) == "bad-request"
        assert (await tell(people[0], 1, "together")).status_code == 204
        again = await tell(people[0], 1)
        assert parties.code_of(again, 429) == "rate-limited"
        assert again.json()["error"]["details"]["seconds"] > 3600
    async with server.admin() as admin:
        found = (await admin.get("/api/admin/reports")).json()
    one = next(one for one in found if one["by"] == people[0].id)
    assert (one["of"], one["of_name"], one["reason"], one["settled"]) == (
        people[1].id, "Oyuncu 1", "together", False,
    )  # fmt: skip
    assert parties.code_of(await http.get("/api/admin/reports"), 403) == "not-allowed"


async def test_who_was_reported_as_a_guest_is_the_account_by_now(tmp_path: Path) -> None:
    """Muted as that, and the account's data have the report."""
    async with in_process(tmp_path) as app:
        hub: Hub = app.state.hub
        user, _ = await account(hub.accounts, "Ali")
        guest, token = await hub.accounts.guest("Misafir")
        other, _ = await hub.accounts.guest("Veli")
        reports = [
            Report(at=at, by=other.id, of=of, reason="name", table="t", match=1, deal=0)
            for at, of in enumerate((guest.id, user), 1)
        ]
        for one in reports:
            await hub.reports.add(one)
        session = await hub.accounts.session(token)
        _, token = await hub.accounts.login("Ali", PASSWORD, guest=session)
        async with asking(app, hub.admin_token) as admin, asking(app, token) as http:
            for settled in (False, True):
                found = (await admin.get("/api/admin/reports")).json()
                assert [(one["of"], one["settled"]) for one in found] == [(user, settled)] * 2
                answer = await admin.post(f"/api/admin/users/{found[-1]['of']}/mute", json={})
                assert answer.status_code == 204, answer.text
            kept = (await http.get("/api/me/export")).json()["reports"]
            assert [one["made"] for one in kept] == [False] * 2


async def test_a_moderator_settles_reports_in_a_browser(server: LiveServer, http: Http) -> None:
    """By the session's cookie, from the server's own page alone; what was told later waits."""
    people = await parties.guests(http, 3)
    mod = await parties.account(http, "Bekçi")
    async with parties.seated(server, people) as (first, *_), server.admin() as admin:
        assert (await admin.post(f"/api/admin/users/{mod.id}/appoint")).status_code == 200
        path, of = f"/api/tables/{first.table}/reports", people[1].id

        async def tell(who: Person) -> None:
            told = {"seat": 1, "reason": "phrases"}
            assert (await http.post(path, json=told, headers=who.headers)).status_code == 204

        async def waiting() -> list[str]:
            found = (await admin.get("/api/admin/reports")).json()
            return [one["by"] for one in found if one["of"] == of and not one["settled"]]

        await tell(people[0])
        async with server.http() as browser:
            browser.cookies.set("okey101", mod.token)
            me = (await browser.get("/api/me")).json()
            assert (me["id"], me["moderator"]) == (mod.id, True)
            assert (await browser.get("/api/admin/reports")).status_code == 200
            deed = f"/api/admin/users/{of}/settle"
            strange = {"Origin": "https://elsewhere.example"}
            assert parties.code_of(await browser.post(deed, headers=strange), 403) == "origin"
            assert await waiting() == [people[0].id]
            assert (await browser.post(deed)).status_code == 204
            assert await waiting() == []
            await tell(people[2])
            assert await waiting() == [people[2].id]
            nobody = "/api/admin/users/u_none/settle"
            assert parties.code_of(await browser.post(nobody), 404) == "no-user"


async def test_what_the_lobby_shows_of_tables(server: LiveServer, http: Http) -> None:
    """A felt where the deal may be watched; no tables of bots alone, nor of those who left."""
    people = await parties.guests(http, 2)
    rules = parties.rule_choice("altinstar", 2)
    alone = await parties.new_table(
        http, people[0], rules=rules, bots=["greedy"] * 2, listed=True, spectators="live"
    )
    assert (await parties.command(http, people[0], alone, "start")).is_success
    assert alone not in await listing(server)
    options: dict[str, Any] = {"rules": rules, "clock": 0, "listed": True}
    for spectators, shown in (("live", True), ("turn", True), ("deal", False)):
        async with parties.started(server, people, spectators=spectators, **options) as clients:
            await all_play(clients, parties.playing)
            line = (await listing(server))[clients[0].table]
            assert (line["felt"] is not None) is shown
            deal = unwrap(clients[0].model.deal)
            if shown:
                assert line["felt"]["sizes"] == deal["sizes"]
                assert line["felt"]["tops"] == [None, None]
            for client in clients:
                await client.command("leave")
            assert clients[0].table not in await listing(server)
