"""Several nodes on one database are one server: whoever comes to either plays at any table."""

import asyncio
import contextlib
import json
import signal
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake, InvalidStatus

import okey101.client
from cluster.conftest import Nodes, connected, two_nodes
from conftest import soon, unwrap
from okey101.game.fair.transparency import Head, is_extended
from okey101.server.files.data_dir import Folder
from okey101.server.protocol import TableOptions
from okey101.server.store.postgres import PostgresStore
from okey101.server.store.public_log import LogKey, PublicLog
from postgres import Postgres
from server.clients import Client, Gone
from server.live import LiveServer, Person, changed, guest
from server.push_service import HOST, Browser, fake_service
from server.web.parties import account


@pytest.fixture
def nodes(url: str) -> Iterator[Nodes]:
    with two_nodes(url) as both:
        yield both


@pytest.fixture(scope="module")
def calm(postgres: Postgres) -> Iterator[Nodes]:
    """Two for all tests that let both of them be."""
    with two_nodes(postgres.database()) as both:
        yield both


async def _table(node: LiveServer, **options: object) -> tuple[str, Person]:
    """A table with a person, and a bot in each other seat, whose match has begun."""
    async with node.http() as http:
        me = await guest(http)
        made = await http.post("/api/play", json={"bot": "novice", **options}, headers=me.headers)
        assert made.is_success, made.text
        return made.json()["table"], me


async def test_a_table_is_played_from_either_node(calm: Nodes) -> None:
    one, two = calm
    table, me = await _table(one)
    async with Client(two, table, me) as client:
        await client.until(lambda c: c.model.deal is not None)
        assert unwrap(client.model.you)["hand"]
    async with two.http(me) as http:
        assert (await http.get(f"/api/tables/{table}")).json()["seat"] == 0
        assert (await http.get("/api/tables/nosuchtable1")).json()["error"]["code"] == "no-table"
    with pytest.raises(InvalidStatus, match="403"):  # it failed, as a request is reviewed elsewhere
        await connect(f"{one.url.replace('http', 'ws')}/api/matches/nosuchmatch/review")


async def _played_on(client: Client, patience: float) -> None:
    """Come back as often as need be, and make a move; AssertionError where that takes longer."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    before = client.model.seq
    while client.model.seq <= before + 1:
        assert loop.time() < began + patience
        with contextlib.suppress(Gone, OSError, InvalidHandshake):
            if client.closed or client.socket is None:
                await client.resume()
            await client.play_on(lambda c: c.model.seq > before + 1)
        await asyncio.sleep(0.05)


async def test_the_tables_of_a_dead_node_go_on_elsewhere(nodes: Nodes) -> None:
    """Who comes meanwhile waits for its heir: once, and not again and again."""
    one, two = nodes
    table, me = await _table(one, clock=30)
    async with Client(two, table, me) as client:  # carried to the first node
        await client.until(lambda c: c.model.deal is not None)
        told = client.model.seq
        await asyncio.to_thread(one.kill)
        await client.until(lambda c: c.closed)
        await client.connect()
        await client.until(lambda c: c.model.deal is not None)
        assert not client.closed
        await _played_on(client, 20)  # a lease is 3 s; how long it takes is measured elsewhere
        assert client.model.seq > told
    async with two.http(me) as http:
        events = (await http.get(f"/api/tables/{table}")).json()
        assert events["seat"] == 0
    one.start()  # it comes back as another one, and carries to the second node
    async with Client(one, table, me) as client:
        await _played_on(client, 20)


async def _asked(node: LiveServer, path: str) -> asyncio.Task[bytes]:
    """A request that lies before a node when this returns; its answer's body."""
    url = httpx.URL(node.url)
    reader, writer = await asyncio.open_connection(url.host, url.port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {url.host}\r\nConnection: close\r\n\r\n".encode())
    await writer.drain()

    async def body() -> bytes:
        found = await reader.read()
        writer.close()
        return found.partition(b"\r\n\r\n")[2]

    return asyncio.create_task(body())


async def test_a_node_that_was_paused_writes_nothing_and_lets_go(nodes: Nodes) -> None:
    one, two = nodes
    async with one.http() as http:
        me = await guest(http)
        bots = [None, "novice", "novice", "novice"]
        wanted = {"bots": bots, "clock": 30, "spectators": "live"}
        made = await http.post("/api/tables", json=wanted, headers=me.headers)
        table, path = made.json()["id"], f"/api/tables/{made.json()['id']}"
        begin = {"type": "start", "rid": "start"}
        assert (await http.post(f"{path}/commands", json=begin, headers=me.headers)).is_success
    async with Client(one, table, me) as there, Client(two, table, me) as client:
        await client.until(lambda c: c.model.deal is not None)
        one.signal(signal.SIGSTOP)
        await _played_on(client, 30)
        shown = json.loads(await (await _asked(two, path)))["seq"]
        asked = [await _asked(one, path) for _ in range(10)]  # of nobody known: at once
        one.signal(signal.SIGCONT)
        for answer in asked:  # whatever it hears first, it shows nobody what was before
            told = json.loads(await answer)
            assert told.get("seq", shown) >= shown, told
        await there.until(lambda c: c.closed)
        await _played_on(client, 20)
        await there.connect()
        assert there.model.seq >= client.model.seq
    assert any(event.get("event") == "node-late" for event in one.events)


async def test_a_node_that_stops_hands_its_tables_over(nodes: Nodes) -> None:
    one, two = nodes
    table, me = await _table(one, clock=30)
    async with Client(two, table, me) as client:
        await client.until(lambda c: c.model.deal is not None)
        stopping = asyncio.create_task(asyncio.to_thread(one.stop))
        await client.until(lambda c: c.closed)
        assert client.close_code == 1012
        await _played_on(client, 20)
        assert await stopping == 0
    one.start()


async def test_who_is_sent_away_at_one_node_is_at_the_other(calm: Nodes) -> None:
    one, two = calm
    table, me = await _table(one)
    async with Client(two, table, me) as client, one.admin() as admin:
        banned = await admin.post(f"/api/admin/users/{me.id}/ban", json={})
        assert banned.is_success, banned.text
        await client.until(lambda c: c.closed, 3)
        assert client.close_code == 4003
    async with two.http(me) as http:
        assert (await http.get("/api/me")).json()["error"]["code"] == "banned"
        async with two.admin() as admin:
            await admin.post(f"/api/admin/tables/{table}/close")
        assert (await http.get(f"/api/tables/{table}")).json()["error"]["code"] == "banned"


async def test_strangers_at_two_nodes_meet_at_a_quick_table(calm: Nodes) -> None:
    tables = []
    for node, name, end in zip(calm, ("Ece", "Can"), ("", "/"), strict=True):
        async with node.http() as http:
            person = await guest(http, name)
            answer = await http.post(f"/api/quick{end}", headers=person.headers)
            assert answer.is_success, answer.text
            tables.append(answer.json()["table"])
            for each in calm:
                async with each.http(person) as mine:
                    for path in ("/api/me", "/api/session"):
                        shown = (await mine.get(path)).json()
                        assert shown.get("user", shown)["tables"] == [tables[-1]], path
    assert len({*tables}) == 1


async def test_nobody_has_two_quick_tables_when_the_eldest_node_is_gone(
    nodes: Nodes, url: str
) -> None:
    one, two = nodes
    with LiveServer(database=url, node_name="three", first_deal_wait_s=0) as three:
        async with one.http() as http:  # not before: whoever isn't there soon loses the seat
            me = await guest(http)
            table = (await http.post("/api/quick", headers=me.headers)).json()["table"]
        await asyncio.to_thread(one.kill)
        async with asyncio.timeout(20), AsyncExitStack() as stack:
            left = [await stack.enter_async_context(node.http(me)) for node in (two, three)]
            while left:
                answer = await left[0].post("/api/quick")
                if answer.is_success:
                    assert answer.json()["table"] == table
                    left.pop(0)
                else:
                    assert answer.status_code == 503, answer.text


async def test_lists_have_the_tables_of_all_nodes(calm: Nodes) -> None:
    made = []
    for node in calm:
        async with node.http() as http:
            person = await guest(http)
            answer = await http.post("/api/tables", json={"listed": True}, headers=person.headers)
            made.append(answer.json()["id"])
    for node in calm:
        async with node.admin() as http:
            for path in ("/api/tables", "/api/admin/tables"):
                ids = [one["id"] for one in (await http.get(path)).json()]
                assert sorted({*made} & {*ids}) == sorted(made)
                assert len({*ids}) == len(ids)
    async with calm[0].http() as http:
        assert (await http.get("/api/admin/tables")).status_code == 403


async def test_nobody_without_the_key_is_listened_to(calm: Nodes) -> None:
    async with connected(str(calm[0].settings["database"])) as conn:
        address = await conn.fetchval("SELECT address FROM nodes WHERE name = 'one'")
    host, _, port = address.rpartition(":")
    for said in (b"", b"x" * 16, b"x" * 48, b"GET / HTTP/1.1\r\n\r\n" * 9):
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(said)
        async with asyncio.timeout(10):
            while await reader.read(1000):
                pass
        writer.close()
    await _table(calm[0])


def test_each_folder_has_the_keys_of_all(calm: Nodes) -> None:
    """Whichever of them is served alone later, the log has the key that its readers know."""
    for name in ("heads.key", "push.key", "public-log.key"):
        assert len({(node.data / name).read_bytes() for node in calm}) == 1


async def test_the_public_log_is_one_whoever_writes_it(url: str, tmp_path: Path) -> None:
    key = Folder(tmp_path).keys().log
    async with AsyncExitStack() as stack:
        logs: list[PublicLog] = []
        for name in ("one", "two"):
            store = await PostgresStore.open(url, tmp_path / name, shared=True)
            stack.push_async_callback(store.close)
            logs.append(PublicLog(store, LogKey(*key), lambda: 0, alone=False))
            running = asyncio.create_task(logs[-1].run())
            stack.callback(running.cancel)
        told = [f"match {n:064x}" for n in range(60)]
        await asyncio.gather(*(logs[n % 2].add(entry) for n, entry in enumerate(told)))
        seen: list[Head] = []
        for one in (logs[0], logs[1], logs[0]):
            await one.add(f"thrown {len(seen):064x}")
            await one.publish()
            first, second = [(await log.newest()).head for log in logs]
            assert first == second
            for old in seen:
                assert is_extended(old, first, await logs[1].consistency(old.size, first.size))
            seen.append(first)
        assert seen[-1].size == len(told) + 3
        assert {*told} <= {*await logs[1].entries(0, 100)}


async def test_a_browser_is_told_once_whichever_node_it_comes_to(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All nodes have one key, and together keep to one message an hour."""
    browser = Browser("yenge")
    async with fake_service(tmp_path) as fake:
        monkeypatch.setenv("FAKE_PUSH", f"{fake.port} {fake.certificate}")
        with two_nodes(url, program=changed("pushing"), push_hosts=HOST) as (one, two):
            async with one.http() as here, two.http() as there:
                told, *waiting = [await account(here, f"Yenge {n}") for n in range(5)]
                keys = [
                    (await http.get("/api/me/push", headers=told.headers)).json()["key"]
                    for http in (here, there)
                ]
                assert keys[0] == keys[1]
                links = []
                for who in waiting:
                    mine = okey101.client.Client(one.url, who.token)
                    hers = okey101.client.Client(two.url, told.token)
                    made = await mine.make_family("Bizimkiler", TableOptions())
                    table = await hers.sit_with_family(made.link)
                    leave = {"type": "leave", "rid": "l"}
                    path = f"/api/tables/{table}/commands"
                    await there.post(path, json=leave, headers=told.headers)
                    body, path = {"told": True}, f"/api/families/{made.link}/told"
                    await there.put(path, json=body, headers=told.headers)
                    links.append(made.link)
                await there.put("/api/me/push", json=browser.body(), headers=told.headers)
                fake.sent.clear()
                await asyncio.gather(
                    *(
                        okey101.client.Client(node.url, who.token).sit_with_family(link)
                        for node, who, link in zip((one, two) * 2, waiting, links, strict=True)
                    )
                )
                await soon(lambda: fake.sent)
    # Both nodes have ended, and with them whatever was still to be told.
    (sent,) = fake.sent
    assert keys[0] in sent.headers["authorization"]
    assert browser.read(sent.body)["link"] in links


async def test_a_family_sits_at_one_table_whichever_node_it_comes_to(calm: Nodes) -> None:
    """So it is told who waits, friends who are invited too, and a block holds at each node."""
    one, two = calm
    async with one.http() as here, two.http() as there:
        owner, other, friend = [await account(here, name) for name in ("Hala", "Dayı", "Teyze")]
        client = {who.id: okey101.client.Client(node.url, who.token) for node, who in (
            (one, owner), (two, other), (two, friend)
        )}  # fmt: skip
        mine, theirs, hers = client.values()
        made = await mine.make_family("Bizimkiler", TableOptions())
        table = await mine.sit_with_family(made.link)
        assert await theirs.sit_with_family(made.link) == table
        assert [one.name for one in (await hers.family(made.link)).regulars] == ["Hala", "Dayı"]
        assert {*(await hers.family(made.link)).sits} == {"Hala", "Dayı"}
        leave = {"type": "leave", "rid": "l"}
        await there.post(f"/api/tables/{table}/commands", json=leave, headers=other.headers)
        assert [one.by.name for one in await theirs.waiting()] == ["Hala"]
        for who, whom in ((owner, friend), (friend, owner)):
            await client[who.id].befriend(whom.id)
        await mine.call(table, friend.id)

        async def told() -> bool:
            return [(one.table, one.by.name) for one in await hers.waiting()] == [(table, "Hala")]

        await soon(told)
        await mine.block(other.id)
        for http in (here, there):
            for path in (f"/api/tables/{table}", f"/api/families/{made.link}"):
                answer = await http.get(path, headers=other.headers)
                assert answer.status_code == 404, answer.text
        assert await theirs.waiting() == []
