"""What is one in a cluster: limits of a person, keys of requests, seats, invitations, deeds."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack

import asyncpg
import pytest

from okey101.server.net.close_codes import CLOSE_SIGNED_OUT
from postgres import Postgres
from server.clients import Client
from server.live import Http, LiveServer, Person, guest
from server.web.parties import account, code_of

Nodes = tuple[LiveServer, LiveServer]


@pytest.fixture(scope="module")
def address(postgres: Postgres) -> str:
    return postgres.database()


@pytest.fixture(scope="module")
def nodes(address: str) -> Iterator[Nodes]:
    """Two nodes on one database, for all tests: none kills them."""
    with ExitStack() as stack:
        first, second = (
            stack.enter_context(
                LiveServer(
                    database=address, node_name=name, first_deal_wait_s=0, bot_accounts="on",
                    max_tables_per_user=3, bot_tables=2,
                )
            )
            for name in ("one", "two")
        )  # fmt: skip
        yield first, second
        for node in (first, second):
            node.assert_clean()


async def newcomer(nodes: Nodes, name: str = "Ali") -> Person:
    async with nodes[0].http() as http:
        return await guest(http, name)


async def soon(found: Callable[[], Awaitable[bool]], seconds: float = 20) -> None:
    """Wait until something is so; TimeoutError. How long it takes is measured elsewhere."""
    async with asyncio.timeout(seconds):
        while not await found():  # noqa: ASYNC110  # nothing tells
            await asyncio.sleep(0.05)


async def test_an_allowance_of_a_person_is_one_at_all_nodes(nodes: Nodes) -> None:
    """Six changes of a name at once, wherever they are asked for."""
    me = await newcomer(nodes)
    codes: list[str] = []
    for n in range(8):
        async with nodes[n % 2].http(me) as http:
            answer = await http.patch("/api/me", json={"name": f"Ali {n}"})
            codes.append("" if answer.is_success else code_of(answer, 429))
    assert codes == [*[""] * 6, *["rate-limited"] * 2]
    assert 1 <= int(answer.headers["Retry-After"]) <= 10


async def test_tables_of_a_person_count_at_all_nodes(nodes: Nodes) -> None:
    me = await newcomer(nodes)
    async with nodes[0].http(me) as one, nodes[1].http(me) as two:

        async def opened(http: Http) -> str:
            answer = await http.post("/api/tables", json={})
            return str(answer.json()["id"]) if answer.is_success else code_of(answer)

        both = await asyncio.gather(*(opened(http) for http in (one, two) * 3))
        assert sorted(both).count("too-many-tables") == 3
        assert await opened(two) == "too-many-tables"
        left = next(table for table in both if table != "too-many-tables")
        answer = await two.post(
            f"/api/tables/{left}/commands", json={"type": "leave", "rid": "away"}
        )
        assert answer.is_success, answer.text
        for http in (one, two):
            found = await opened(http)
            if found != "too-many-tables":
                break
        assert found not in {*both, "too-many-tables"}


async def test_a_key_gives_the_first_answer_at_any_node(nodes: Nodes) -> None:
    me = await newcomer(nodes)
    for path, body in (("/api/tables", {"listed": False}), ("/api/play", {"bot": "novice"})):
        tables = set[str]()
        for _ in range(2):

            async def asked(node: LiveServer, path: str = path, body: object = body) -> str:
                async with node.http(me, headers={"Idempotency-Key": path}) as h:
                    answer = await h.post(path, json=body)
                    assert answer.is_success, answer.text
                    found = answer.json()
                    return str(found.get("table") or found["id"])

            tables |= {*await asyncio.gather(*map(asked, nodes * 2))}
        assert len(tables) == 1, path


async def test_a_key_of_a_closed_table_says_so_at_any_node(nodes: Nodes, address: str) -> None:
    me = await newcomer(nodes)
    key = {"Idempotency-Key": "closed"}
    async with nodes[0].http(me, headers=key) as http:
        table = (await http.post("/api/tables", json={})).json()["id"]
    async with nodes[0].admin() as admin:
        assert (await admin.post(f"/api/admin/tables/{table}/close")).is_success
    for node in reversed(nodes):
        async with node.http(me, headers=key) as http:
            assert code_of(await http.post("/api/tables", json={})) == "table-closed"
    async with nodes[1].http(me) as http:
        assert code_of(await http.get(f"/api/tables/{table}")) == "no-table"
    conn = await asyncpg.connect(address)

    async def nobodys() -> bool:
        return not await conn.fetchval("SELECT count(*) FROM owners WHERE table_id = $1", table)

    await soon(nobodys)
    await conn.close()


async def test_what_was_refused_leaves_nothing_behind(nodes: Nodes, address: str) -> None:
    me = await newcomer(nodes)
    async with nodes[1].http(me, headers={"Idempotency-Key": "refused"}) as http:
        answer = await http.post("/api/tables", json={"deals": 10_000})
        assert answer.status_code == 400
    conn = await asyncpg.connect(address)
    kept = "SELECT count(*) FROM owners WHERE table_id NOT IN (SELECT table_id FROM log)"
    assert await conn.fetchval(kept) == 0
    await conn.close()


async def test_a_bot_is_invited_at_one_node_and_declines_at_another(nodes: Nodes) -> None:
    one, two = nodes
    async with one.http() as http:
        who = await account(http, "Jale")
        made = (await http.post("/api/me/bots", json={"name": "Çevik"}, headers=who.headers)).json()
        body = {"clock": 30, "bots": [None, None, "random", "random"]}
        table = (await http.post("/api/tables", json=body, headers=who.headers)).json()["id"]
        path = f"/api/tables/{table}/invitations"
        wanted = {"bot": made["id"], "seat": 1}
        assert (await http.post(path, json=wanted, headers=who.headers)).is_success
        bot = Person(made["id"], "Çevik", made["token"])
        async with two.http(bot) as mine:

            async def told() -> bool:
                found = (await mine.get("/api/me/invitations")).json()
                return [one["table"] for one in found] == [table]

            await soon(told)
            assert (await mine.delete(f"/api/me/invitations/{table}")).is_success

        async def refused() -> bool:
            (found,) = (await http.get(path, headers=who.headers)).json()
            return bool(found["answer"] == "refused")

        await soon(refused)
        assert (await http.post(path, json=wanted, headers=who.headers)).is_success
        async with two.http(bot) as mine:
            sit = {"type": "sit", "rid": "sit", "seat": 1}
            answer = await mine.post(f"/api/tables/{table}/commands", json=sit)
            assert answer.is_success, answer.text
            listed = await mine.get("/api/me/bots", headers=who.headers)
            assert [one["tables"] for one in listed.json()] == [[table]]


async def test_who_is_erased_or_has_a_new_password_is_gone_at_all_nodes(nodes: Nodes) -> None:
    one, two = nodes
    async with two.http() as http:
        who = await account(http, "Nermin")
        body = {"bots": [None, None, "random", "random"]}
        table = (await http.post("/api/tables", json=body, headers=who.headers)).json()["id"]
        other = await guest(http, "Osman")
        sit = {"type": "sit", "rid": "sit", "seat": 1}
        at = f"/api/tables/{table}"
        assert (await http.post(f"{at}/commands", json=sit, headers=other.headers)).is_success
    async with one.admin() as admin, two.http() as http:
        shown = (await admin.get("/api/admin/users/Nermin")).json()
        assert shown["tables"] == [table]
        kept = (await admin.get(f"/api/admin/users/{who.id}/export")).json()
        assert kept["tables"] == [table]
        async with Client(two, table, who) as client:
            code = await admin.post(f"/api/admin/users/{who.id}/reset-password")
            assert code.is_success
            await client.until(lambda c: c.closed)
            assert client.close_code == CLOSE_SIGNED_OUT
        assert code_of(await http.get("/api/me", headers=who.headers)) == "unauthorised"
        assert (await admin.post(f"/api/admin/users/{who.id}/erase")).is_success

        async def gone() -> bool:
            seats = (await http.get(at, headers=other.headers)).json()["table"]["seats"]
            return "Nermin" not in str(seats) and who.id not in str(seats)

        await soon(gone)
