"""What the administrator may do, with the token in the server's folder."""

import asyncio
import time
from pathlib import Path

from conftest import unwrap
from okey101.server.tables.dependencies import Dependencies
from okey101.server.tables.table import Table
from server.accounts.people import with_accounts
from server.clients import Client, all_play, answered
from server.live import Http, LiveServer, Person, guest
from server.store.memory import with_store
from server.web.parties import (
    account,
    against_bots,
    code_of,
    command,
    duel,
    listed_when_saved,
    new_table,
    person_of,
    playing,
    short_rules,
)
from server.web.test_people import closed


async def test_tables_close_and_kick(server: LiveServer, http: Http, admin: Http) -> None:
    """The list names who sits, and no tile; a kick is from one table, closing is for all."""
    async with (
        duel(server) as (first, second),
        against_bots(server, http, person_of(second)) as elsewhere,
        Client(server, first.table) as watcher,
    ):
        people = [person_of(first), person_of(second)]
        await all_play((first, second), playing)
        lines = (await admin.get("/api/admin/tables")).json()
        (line,) = [line for line in lines if line["id"] == first.table]
        assert line == {
            "id": first.table, "stage": "playing", "seq": first.model.seq, "match": 1,
            "deal": 0, "sockets": 3, "frozen": None,
            "seats": [
                {"user": people[0].id, "name": "Oyuncu 0", "bot": None, "face": None},
                {"user": people[1].id, "name": "Oyuncu 1", "bot": None, "face": None},
            ],
        }  # fmt: skip
        address = f"/api/admin/tables/{first.table}"
        assert (await admin.post(f"{address}/kick", json={"seat": 1})).status_code == 204
        await closed(second, 4003, "kicked")
        await second.connect()
        await closed(second, 4003, "kicked")
        assert code_of(await command(http, people[1], second.table, "sit", seat=1), 403) == "kicked"
        await first.until(lambda c: c.model.table["seats"][1]["bot"] == "steady")
        assert not elsewhere.closed
        assert code_of(await admin.post(f"{address}/kick", json={"seat": 1}), 404) == "no-seat"
        assert (await admin.post(f"{address}/close")).status_code == 204
        for client in (first, watcher):
            await closed(client, 4002, "table-closed")
        assert code_of(await http.get(f"/api/tables/{first.table}"), 404) == "no-table"
        assert code_of(await admin.post(f"{address}/close"), 404) == "no-table"
        await first.connect()
        await closed(first, 4002, "no-table")


async def test_ban_and_unban(server: LiveServer, http: Http, admin: Http) -> None:
    """Sockets close, bots go on, and nothing opens until the ban ends."""
    async with (
        duel(server, deals=1, rules=short_rules()) as (first, second),
        Client(server, first.table, person_of(second)) as spare,
    ):
        bad = person_of(second)
        await second.until(lambda c: c.closed)
        await all_play((first, spare), playing)
        address = f"/api/admin/users/{bad.id}"
        body = {"until_ms": None, "reason": "kaba"}
        assert (await admin.post(f"{address}/ban", json=body)).status_code == 204
        await closed(spare, 4003, "banned")
        await first.play_on()
        assert first.model.table["seats"][1]["bot"] == "steady"
        answer = await http.get("/api/me", headers=bad.headers)
        assert code_of(answer, 403) == "banned"
        assert answer.json()["error"]["details"]["reason"] == "kaba"
        for way, path in (("GET", "/api/session"), ("POST", "/api/guests")):
            json = {"name": "Bir Başkası"} if way == "POST" else None
            answer = await http.request(way, path, json=json, headers=bad.headers)
            assert code_of(answer, 403) == "banned"
        (found,) = [
            u for u in (await admin.get("/api/admin/users?limit=200")).json()
            if u["id"] == bad.id
        ]  # fmt: skip
        assert found["ban_reason"] == "kaba"
        assert (await admin.post(f"{address}/unban")).status_code == 204
        assert (await http.get("/api/me", headers=bad.headers)).status_code == 200
        for bad_time in (-1, -(2**63) - 1, 1.5, "x"):
            answer = await admin.post(f"{address}/ban", json={"until_ms": bad_time})
            assert code_of(answer, 400) == "bad-request"
        past = {"until_ms": int(time.time() * 1000) - 1000}
        await admin.post(f"{address}/ban", json=past)
        assert (await http.get("/api/me", headers=bad.headers)).status_code == 200
    assert code_of(await admin.post("/api/admin/users/u_nobody/ban", json={}), 404) == "no-user"


async def test_a_moderator_s_token_ends_with_its_sockets(
    server: LiveServer, http: Http, admin: Http
) -> None:
    """With another token, and when the moderator is dismissed; the person's own go on."""
    who = await account(http, "Hakem")
    address, table = f"/api/admin/users/{who.id}", await new_table(http, who)
    token = (await admin.post(f"{address}/appoint")).json()["token"]
    async with Client(server, await new_table(http, who), who) as own:
        for what, code in (("appoint", 200), ("dismiss", 204)):
            async with Client(server, table, Person(who.id, who.name, token)) as client:
                answer = await admin.post(f"{address}/{what}")
                assert answer.status_code == code
                await closed(client, 4401, "signed-out")
            token = answer.json()["token"] if code == 200 else ""
        await answered(own)


async def test_users(http: Http, admin: Http) -> None:
    """People by name, a page at a time; no token and no password."""
    for name in ("Zeynepçik Bir", "Zeynepçik İki", "Zeynepçik Üç"):
        await guest(http, name)
    params: dict[str, str | int] = {"search": "ZEYNEPÇİK", "limit": 2}
    first = (await admin.get("/api/admin/users", params=params)).json()
    rest = (await admin.get("/api/admin/users", params=params | {"offset": 2})).json()
    assert sorted(user["name"] for user in first + rest) == [
        "Zeynepçik Bir", "Zeynepçik Üç", "Zeynepçik İki",
    ]  # fmt: skip
    assert len(first) == 2
    assert (await admin.get("/api/admin/users", params={"search": "%"})).json() == []
    assert set(first[0]) == {
        "id", "name", "face", "account", "language", "created_ms", "seen_ms", "banned_until",
        "ban_reason", "muted_until", "moderator", "shown", "listed", "public", "weighed", "deleted",
        "owner",
    }  # fmt: skip


async def test_backup_and_check_in_play(
    server: LiveServer, tmp_path: Path, http: Http, admin: Http
) -> None:
    """The copies open by themselves, every table in them replays, and nothing is overwritten."""
    who = await guest(http, "Yedekli")
    rules = short_rules()
    async with against_bots(server, http, who, deals=1, bot="greedy", rules=rules) as client:
        await client.play_on()
    await listed_when_saved(http, who)
    async with duel(server, deals=3) as clients:
        tasks = [
            asyncio.create_task(c.play_on(lambda c: c.model.seq > 150 or c.model.stage == "over"))
            for c in clients
        ]
        await clients[0].until(lambda c: c.model.stage == "playing")
        acked = clients[0].model.seq
        answer = await admin.post("/api/admin/backup", json={"folder": str(tmp_path)})
        assert answer.status_code == 200, answer.text
        await asyncio.gather(*tasks)
        for folder, code in ((tmp_path, "backup-exists"), (Path("relative"), "bad-folder"),
                             (tmp_path / "\0", "bad-folder"),
                             (tmp_path / "log.sqlite" / "x", "folder-failed")):  # fmt: skip
            answer = await admin.post("/api/admin/backup", json={"folder": str(folder)})
            status = 409 if code == "backup-exists" else 400
            assert code_of(answer, status) == code
        checked = (await admin.post("/api/admin/check")).json()
        assert (checked["ok"], checked["problems"]) == (True, [])
        await replays(tmp_path, clients[0].table, acked)
        async with with_accounts(tmp_path) as accounts:
            assert [m.preset for m in await accounts.matches(who.id)] == ["altinstar"]


async def replays(folder: Path, table: str, least: int) -> None:
    """A copied log has at least what was acknowledged before, and replays to its hashes."""
    async with with_store(folder / "log.sqlite") as store:
        assert await store.check() == []  # by SQLite too
        assert len(await store.read(table)) >= least
        deps = Dependencies(store=store, now_ms=lambda: 0)
        for one in await store.running():
            loaded = unwrap(await Table.load(one, deps))
            assert loaded.frozen is None
            await loaded.stop()


async def test_a_kick_where_nobody_may_watch(server: LiveServer, admin: Http) -> None:
    """Somebody sent away hears that, and not that the table can't be watched."""
    async with duel(server, spectators="off") as clients:
        await all_play(clients, playing)
        address = f"/api/admin/tables/{clients[0].table}/kick"
        assert (await admin.post(address, json={"seat": 1})).status_code == 204
        await closed(clients[1], 4003, "kicked")


async def test_whatever_is_done_leaves_a_trail(server: LiveServer, tmp_path: Path) -> None:
    """Every address that does something, whether it succeeds or not; nothing that only shows."""
    headers = {"X-Forwarded-For": "198.51.100.77"}
    async with server.http() as http, server.admin() as admin:
        document = (await http.get("/api/schema/openapi.json")).json()
        doing = [
            path
            for path, item in document["paths"].items()
            if path.startswith("/api/admin/") and "post" in item
        ]
        bodies = {
            "kick": {"seat": 1}, "ban": {}, "mute": {},
            "backup": {"folder": str(tmp_path / "copy")},
        }  # fmt: skip
        found: dict[str, object] = {}
        for path in doing:
            what = path.rpartition("/")[2] + ("-bot" if "{bot_id}" in path else "")
            address = path.format(table_id="t_none", user_id="u_none", bot_id="u_none")
            await admin.post(address, json=bodies.get(what), headers=headers)
            last = (await admin.get("/api/admin/journal?limit=1")).json()[0]
            assert (last["what"], last["address"]) == (what, "198.51.100.77")
            assert last["who"].startswith("admin:")
            assert server.admin_token not in str(last)
            found[what] = (last["of"], last["outcome"])
        assert found.items() >= {
            "close": ("t_none", "no-table"), "kick": ("t_none", "no-table"),
            "ban": ("u_none", "no-user"), "unban": ("u_none", "no-user"),
            "mute": ("u_none", "no-user"), "appoint": ("u_none", "no-user"),
            "backup": (str(tmp_path / "copy"), "done"), "check": ("", "done"),
        }.items()  # fmt: skip
        journal = (await admin.get("/api/admin/journal?limit=1000")).json()
        assert [entry["what"] for entry in journal if entry["who"] == "server"][-1:] == ["start"]
        assert code_of(await http.get("/api/admin/journal"), 403) == "not-allowed"
    logged = [line for line in server.events if line["event"] == "admin-action"]
    assert {line["what"] for line in logged} >= found.keys()
    assert [line for line in server.events if line["event"] == "admin-refused"]
