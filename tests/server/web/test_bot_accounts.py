"""Programs that play by accounts of their own: made, labelled, invited, bounded, and shut out."""

import asyncio

import pytest

from conftest import only_long, raises_code
from okey101.bots import LEVELS
from okey101.client import Client as Program, CommandRefused, Ended, Pace
from server.clients import Client
from server.live import Http, Json, LiveServer, Person, guest, served
from server.web.parties import account, against_bots, code_of, command, listed_when_saved
from server.web.test_resume import from_address

QUICK = Pace(first=0.05, longest=0.2)


server = served(bot_accounts="on", bot_tables=2, bot_messages_per_second=50, first_deal_wait_s=1)


async def bot_of(http: Http, who: Person, name: str) -> Json:
    answer = await http.post("/api/me/bots", json={"name": name}, headers=who.headers)
    assert answer.status_code == 201, answer.text
    made: Json = answer.json()
    return made


async def table_of(http: Http, who: Person, **options: object) -> str:
    wanted = {"deals": 1, "clock": 5, "bots": [None, None, "random", "random"]} | options
    answer = await http.post("/api/tables", json=wanted, headers=who.headers)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


async def of_owner(
    http: Http, server: LiveServer, name: str, bot: str
) -> tuple[Person, Json, Program]:
    who = await account(http, name)
    made = await bot_of(http, who, bot)
    return who, made, Program(server.url, made["token"])


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def test_a_token_is_shown_once_hashed_and_revoked(server: LiveServer, http: Http) -> None:
    who = await account(http, "Ayla")
    bot = await bot_of(http, who, "Careful")
    token = bot["token"]
    assert bot["name"] == "Careful (bot, Ayla)"
    (listed,) = (await http.get("/api/me/bots", headers=who.headers)).json()
    assert listed["token"] is None
    kept = b"".join(path.read_bytes() for path in server.data.iterdir() if path.is_file())
    assert bot["id"].encode() in kept
    assert token.encode() not in kept
    assert (await http.get("/api/me", headers=bearer(token))).json()["id"] == bot["id"]
    path = f"/api/me/bots/{bot['id']}"
    other = (await http.post(f"{path}/token", headers=who.headers)).json()["token"]
    assert (await http.get("/api/me", headers=bearer(token))).status_code == 401
    assert (await http.get("/api/me", headers=bearer(other))).status_code == 200
    stranger = await account(http, "Berk")
    assert code_of(await http.delete(path, headers=stranger.headers)) == "no-user"
    assert (await http.delete(path, headers=who.headers)).status_code == 204
    assert (await http.get("/api/me", headers=bearer(other))).status_code == 401


async def test_a_bot_says_whose_it_is_by_the_name_that_one_has_now(
    server: LiveServer, http: Http
) -> None:
    """At its tables and to itself: its owner's old name may be somebody else's by then."""
    who, bot, _ = await of_owner(http, server, "Eski Ad", "Sadik")
    mine = bearer(bot["token"])
    table = (await http.post("/api/play", json={"bot": "random"}, headers=mine)).json()["table"]
    answer = await http.patch("/api/me", json={"name": "Taze Ad"}, headers=who.headers)
    assert answer.status_code == 200, answer.text
    assert (await http.get("/api/me", headers=mine)).json()["name"] == "Sadik (bot, Taze Ad)"
    shown = (await http.get(f"/api/tables/{table}", headers=mine)).json()["table"]
    assert shown["seats"][0]["name"] == "Sadik (bot, Taze Ad)"


async def test_only_accounts_have_bots_and_bots_are_no_people(http: Http) -> None:
    visitor = await guest(http, "Visitor")
    answer = await http.post("/api/me/bots", json={"name": "Mine"}, headers=visitor.headers)
    assert code_of(answer) == "not-account"
    who = await account(http, "Cansu")
    mine = bearer((await bot_of(http, who, "Mine one"))["token"])
    secret = {"name": "Mine one", "password": "a long one of mine"}
    for method, path, body in (
        ("POST", "/api/me/bots", {"name": "Its own"}),
        ("POST", "/api/me/account", secret),
        ("PATCH", "/api/me", {"name": "Nobodys"}),
        ("POST", "/api/quick", None),
    ):
        answer = await http.request(method, path, json=body, headers=mine)
        assert code_of(answer) == "not-for-bots", path
    for number in range(9):
        await bot_of(http, who, f"Number {number}")
    answer = await http.post("/api/me/bots", json={"name": "Eleven"}, headers=who.headers)
    assert code_of(answer) == "too-many-bots"


async def invite(http: Http, who: Person, table: str, bot: str, seat: int = 1) -> str:
    """Invite a bot by its id or name; returns the code of a refusal."""
    answer = await http.post(
        f"/api/tables/{table}/invitations", json={"bot": bot, "seat": seat}, headers=who.headers
    )
    return "" if answer.status_code == 204 else code_of(answer)


async def answers(http: Http, who: Person, table: str) -> list[tuple[str, int, str]]:
    """Whom a table's owner has invited: name, seat and what came of it."""
    found = await http.get(f"/api/tables/{table}/invitations", headers=who.headers)
    assert found.status_code == 200, found.text
    return [(one["name"], one["seat"], one["answer"]) for one in found.json()]


async def test_a_bot_is_invited_by_its_name_and_answers(server: LiveServer, http: Http) -> None:
    who, other = await account(http, "Jale"), await account(http, "Kerem")
    mine = await bot_of(http, who, "Çevik")
    again = await http.post("/api/me/bots", json={"name": "cevik"}, headers=who.headers)
    assert code_of(again) == "name-taken"  # of one owner each name once
    theirs = await bot_of(http, other, "Cevik")
    table = await table_of(http, who)
    assert await invite(http, who, table, "Nobody") == "no-bot-account"
    assert await invite(http, who, table, who.id) == "no-bot-account"
    assert await invite(http, who, table, "\ud800".encode("utf-8", "replace").decode()) == (
        "no-bot-account"
    )
    assert await invite(http, who, table, "çevik") == "several-bots"
    assert await invite(http, who, table, "Çevik (bot, Berk)") == "no-bot-account"
    assert await invite(http, who, table, "ÇEVİK (bot, jale)") == ""
    assert await invite(http, who, table, "Cevik (bot, Kerem)") == ""
    assert await invite(http, who, table, theirs["id"], 0) == "seat-taken"
    expected = [("Çevik (bot, Jale)", 1, "none"), ("Cevik (bot, Kerem)", 1, "none")]
    assert await answers(http, who, table) == expected
    path = f"/api/tables/{table}/invitations"
    assert code_of(await http.get(path, headers=other.headers)) == "not-owner"
    assert code_of(await http.get(path, headers=bearer(mine["token"]))) == "not-for-bots"

    stranger = Program(server.url, theirs["token"])
    (found,) = await stranger.invitations()
    assert (found.table, found.seat) == (table, 1)
    await stranger.decline(table)
    await stranger.decline(table)  # an answer that got lost is asked for again
    assert await stranger.invitations() == []
    assert (await answers(http, who, table))[1][2] == "refused"
    async with stranger.join(table, pace=QUICK) as at:
        with raises_code("not-invited", CommandRefused):
            await at.sit()
    with raises_code("not-invited", CommandRefused):
        await stranger.decline("nowhere")

    async with Program(server.url, mine["token"]).join(table, pace=QUICK) as at:
        await at.sit()
        assert (await answers(http, who, table))[0][2] == "came"
        assert await invite(http, who, table, mine["id"]) == "bot-is-here"
        assert (await command(http, who, table, "kick", seat=1)).status_code == 200
    assert await invite(http, who, table, mine["id"]) == "bot-kicked"


async def test_invitations_survive_a_restart() -> None:
    """Each that was acknowledged counts afterwards, however the server ended."""
    with LiveServer(bot_accounts="on", bots="zeki=exec:true; careful=mybot:Careful") as server:
        async with server.http() as http, server.admin() as admin:
            told = {"levels": [*LEVELS], "others": ["zeki", "careful"], "accounts": True}
            assert (await http.get("/api/bots")).json() == told
            who = await account(http, "Melis")
            bot = await bot_of(http, who, "Patient")
            once = who.headers | {"Idempotency-Key": "once"}
            first = (await http.post("/api/play", json={}, headers=once)).json()["table"]
            tables = [await table_of(http, who) for _ in range(4)]
            for table in tables:
                assert await invite(http, who, table, "Patient") == ""
            program = Program(server.url, bot["token"])
            await program.decline(tables[1])
            path = f"/api/tables/{tables[2]}/invitations/{bot['id']}"
            assert (await http.delete(path, headers=who.headers)).status_code == 204
            assert code_of(await http.delete(path, headers=who.headers)) == "not-invited"
            assert (await admin.post(f"/api/admin/tables/{tables[3]}/close")).status_code == 204
        server.restart(kill=True)
        async with server.http() as http:
            assert [one.table for one in await program.invitations()] == [tables[0]]
            assert await answers(http, who, tables[1]) == [("Patient (bot, Melis)", 1, "refused")]
            assert await answers(http, who, tables[2]) == []
            async with program.join(tables[0], pace=QUICK) as at:
                await at.sit()
                assert at.seat == 1
            kept = (await http.get("/api/me/export", headers=bearer(bot["token"]))).json()
            assert [one["refused"] for one in kept["invitations"]] == [False, True]
            # A request whose answer was lost may be sent again as well.
            again = await http.post("/api/play", json={}, headers=once)
            assert again.json()["table"] == first


async def test_a_server_without_bot_accounts_says_so(strict: LiveServer) -> None:
    async with from_address(strict, 31) as http:
        found = {"levels": [*LEVELS], "others": [], "accounts": False}
        assert (await http.get("/api/bots")).json() == found
        who = await account(http, "Deniz")
        answer = await http.post("/api/me/bots", json={"name": "Mine"}, headers=who.headers)
        assert code_of(answer, 403) == "bots-not-allowed"


async def test_a_ban_is_for_a_person_s_bots_too(
    server: LiveServer, http: Http, admin: Http
) -> None:
    who, bot, program = await of_owner(http, server, "Nazan", "Goes along")
    table = await program.against_bots(deals=1, bot="random")
    async with program.join(table, pace=QUICK) as at:
        path = f"/api/admin/users/{who.id}"
        assert (await admin.post(f"{path}/ban", json={})).status_code == 204
        with raises_code("banned", Ended):
            await at.until(lambda: False)
    assert code_of(await http.get("/api/me", headers=bearer(bot["token"]))) == "banned"
    host = await account(http, "Orhan")
    assert await invite(http, host, await table_of(http, host), bot["id"]) == "no-bot-account"
    assert (await admin.post(f"{path}/unban")).status_code == 204
    assert (await http.get("/api/me", headers=bearer(bot["token"]))).status_code == 200


async def test_the_administrator_sees_and_ends_bots(
    server: LiveServer, http: Http, admin: Http
) -> None:
    who, bot, program = await of_owner(http, server, "Pelin", "Watched")
    table = await program.against_bots(deals=1, bot="random")
    for search in ("watch", bot["id"], who.id):
        (line,) = (await admin.get("/api/admin/bots", params={"search": search})).json()
        assert line["name"] == "Watched (bot, Pelin)"
        assert (line["owner"], line["token"]) == (who.id, True)
        assert line["tables"] == [table]
        assert bot["token"] not in str(line)
    path = f"/api/admin/bots/{bot['id']}"
    async with program.join(table, pace=QUICK) as at:
        assert (await admin.post(f"{path}/revoke")).status_code == 204
        with pytest.raises(Ended):
            await at.until(lambda: False)
    assert (await http.get("/api/me", headers=bearer(bot["token"]))).status_code == 401
    (line,) = (await admin.get("/api/admin/bots", params={"search": "watch"})).json()
    assert line["token"] is False
    again = await http.post(f"/api/me/bots/{bot['id']}/token", headers=who.headers)
    token = again.json()["token"]
    assert (await http.get("/api/me", headers=bearer(token))).status_code == 200
    assert (await admin.post(f"{path}/remove")).status_code == 204
    assert (await http.get("/api/me", headers=bearer(token))).status_code == 401
    assert (await admin.get("/api/admin/bots", params={"search": "watch"})).json() == []
    for entry in ("revoke", "remove"):
        for nobody in ("b_nobody", who.id, bot["id"]):
            assert code_of(await admin.post(f"/api/admin/bots/{nobody}/{entry}"), 404) == "no-user"
    done = [line["what"] for line in (await admin.get("/api/admin/journal")).json()]
    assert {"revoke-bot", "remove-bot"} <= {*done}


async def test_a_bot_needs_a_clock_and_has_so_many_tables(server: LiveServer, http: Http) -> None:
    who = await account(http, "Gizem")
    bot = await bot_of(http, who, "Busy one")
    player = Person(bot["id"], "", bot["token"])
    async with against_bots(server, http, player, deals=1, bot="random") as client:
        await client.play_on(lambda c: c.model.stage == "over")
        (match,) = await listed_when_saved(http, player)
        await client.do("leave")
    still = await table_of(http, who, clock=0)
    assert await invite(http, who, still, bot["id"]) == "bot-needs-clock"
    mine = bearer(bot["token"])
    for number in range(3):
        answer = await http.post("/api/play", json={"bot": "random"}, headers=mine)
        if number < 2:
            assert answer.status_code == 201
    assert code_of(answer) == "too-many-seats"
    deal = f"/api/matches/{match['id']}/deals/0/again"
    answer = await http.post(deal, json={"at": 0, "bot": "random"}, headers=mine)
    assert code_of(answer) == "too-many-seats"
    hasty = await bot_of(http, who, "Hasty one")
    tables = [await table_of(http, who) for _ in range(4)]
    for table in tables:
        assert await invite(http, who, table, hasty["id"]) == ""
    sit, its = {"type": "sit", "rid": "s"}, bearer(hasty["token"])
    asked = (http.post(f"/api/tables/{one}/commands", json=sit, headers=its) for one in tables)
    assert sorted(one.status_code for one in await asyncio.gather(*asked)) == [200, 200, 409, 409]


@pytest.mark.parametrize("fault", ["illegal", *only_long("silent", "gone")])
async def test_a_failing_bot_costs_its_seat_alone(
    server: LiveServer, fault: str, http: Http
) -> None:
    """The clock plays for it, then a stand-in; the match goes to its end."""
    who = await account(http, f"Host {fault}")
    bot = await bot_of(http, who, f"Fails {fault}")
    table = await table_of(http, who)
    assert await invite(http, who, table, bot["id"]) == ""
    failing = Person(bot["id"], "", bot["token"])
    async with Client(server, table, who) as host:
        program = await Client(server, table, failing).connect()
        await program.command("sit")
        await program.command("ready")
        await host.command("start")
        if fault == "gone":
            await program.drop()
        playing = asyncio.create_task(host.play_on(lambda c: c.model.stage == "over"))
        while not playing.done():
            await asyncio.sleep(0.1)
            if fault == "illegal" and program.model.options is not None:
                await program.send({"type": "act", "rid": "x", "action": "discard *"})
        await playing
        await program.close()


async def test_what_a_bot_says_is_bounded_on_its_own() -> None:
    with LiveServer(bot_accounts="on", bot_messages_per_second=0.1) as server:
        async with server.http() as http:
            who = await account(http, "Hale")
            mine = bearer((await bot_of(http, who, "Talker"))["token"])

            async def commands(headers: dict[str, str]) -> str:
                answer = await http.post("/api/play", json={"bot": "random"}, headers=headers)
                return f"/api/tables/{answer.json()['table']}/commands"

            path = await commands(mine)
            answers = [
                await http.post(path, json={"type": "resume", "rid": f"r{n}"}, headers=mine)
                for n in range(30)
            ]
            assert code_of(answers[-1]) == "rate-limited"
            path = await commands(who.headers)
            for n in range(30):
                body = {"type": "resume", "rid": f"r{n}"}
                assert code_of(await http.post(path, json=body, headers=who.headers)) == "no-bot"


async def test_a_bot_is_shut_out_with_its_owner(server: LiveServer, http: Http) -> None:
    who, bot, program = await of_owner(http, server, "Irem", "Orphan")
    table = await program.against_bots(deals=1, bot="random")
    async with program.join(table, pace=QUICK) as at:
        assert (await http.delete("/api/me", headers=who.headers)).status_code == 204
        with pytest.raises(Ended) as caught:
            await at.until(lambda: False)
        assert caught.value.code in ("deleted", "table-closed")
    assert (await http.get("/api/me", headers=bearer(bot["token"]))).status_code == 401
