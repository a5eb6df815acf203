"""What is one in a cluster: limits of a person, keys of requests, seats, invitations, deeds."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from time import monotonic
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock, MagicMock

import pytest

from cluster.conftest import Nodes, connected, two_nodes
from conftest import Patch, raises_code, soon
from okey101.game import record_of
from okey101.server.cluster import membership
from okey101.server.cluster.links import Node
from okey101.server.cluster.nodes import Cluster
from okey101.server.files.data_dir import Folder
from okey101.server.hub import Hub
from okey101.server.net.close_codes import CLOSE_SIGNED_OUT
from okey101.server.people.models import MatchSeat
from okey101.server.protocol import TableOptions, checked_options
from okey101.server.settings import load_settings
from okey101.server.store import StoreError
from okey101.server.store.postgres import PostgresStore
from postgres import Postgres
from review.test_analysis import deal_with, played_on
from server.accounts.people import people_of, save
from server.clients import Client
from server.live import PATIENCE_S, Http, Json, LiveServer, Person, guest, in_process
from server.web.parties import PASSWORD, account, code_of, new_table


@pytest.fixture(scope="module")
def address(postgres: Postgres) -> str:
    return postgres.database()


@pytest.fixture(scope="module")
def nodes(address: str) -> Iterator[Nodes]:
    """Two nodes on one database, for all tests: none kills them."""
    rules: dict[str, object] = {
        "bot_accounts": "on",
        "bot_tables": 2,
        "daily": "on",
        "daily_instances": 2,
    }
    with two_nodes(address, max_tables_per_user=3, **rules) as both:
        yield both


async def newcomer(nodes: Nodes, name: str = "Ali") -> Person:
    async with nodes[0].http() as http:
        return await guest(http, name)


async def test_an_allowance_of_a_person_is_one_at_all_nodes(nodes: Nodes, address: str) -> None:
    """Six changes of a name at once, wherever they are asked for."""
    me = await newcomer(nodes)
    for n in range(12):  # six of each node would be twelve
        async with nodes[n % 2].http(me) as http:
            answer = await http.patch("/api/me", json={"name": f"Ali {n}"})
        if not answer.is_success:
            break
    assert (n >= 6, code_of(answer, 429)) == (True, "rate-limited")  # or more, after a while
    assert 1 <= int(answer.headers["Retry-After"]) <= 10
    # Where the database's clock goes back by an hour, nobody waits for that hour.
    async with connected(address) as db:
        await db.execute("UPDATE allowances SET whole_at = whole_at + interval '1 hour'")
    async with nodes[0].http(me) as http:
        assert (await http.patch("/api/me", json={"name": "Ali 8"})).is_success


async def test_a_day_is_one_at_all_nodes_and_so_is_a_try_of_it(nodes: Nodes) -> None:
    me = await newcomer(nodes)
    async with nodes[0].http(me) as one, nodes[1].http(me) as two:

        async def days(http: Http) -> list[Json]:
            found: list[Json] = (await http.get("/api/days/")).json()
            return found

        async def made() -> bool:
            return bool(await days(one)) and bool(await days(two))

        await soon(made, 90)  # whoever made it second asks again
        assert [day["digest"] for day in await days(one)] == [
            day["digest"] for day in await days(two)
        ]
        path = f"/api/days/{(await days(one))[0]['date']}/play"
        begun = await asyncio.gather(*(http.post(path) for http in (one, two, one, two)))
        assert {answer.status_code for answer in begun} == {200}, [one.text for one in begun]
        (table,) = {answer.json()["table"] for answer in begun}
        for http in (one, two):
            (own, *_) = await days(http)
            assert own["own"]["table"] == table
            assert code_of(await http.get(path.replace("/play", "/table"))) == "day-unplayed"
        assert (await one.get("/api/ladder")).json() == (await two.get("/api/ladder")).json()
        who = await account(two, "Hesaplı Kişi")
        body = {"name": who.name, "password": PASSWORD, "bearer": True}
        assert (await one.post("/api/login", json=body)).is_success  # the try goes along
    async with nodes[0].http(who) as one, nodes[1].http(who) as two:

        async def seated() -> bool:
            answer = await two.get(f"/api/tables/{table}")
            return answer.is_success and answer.json()["seat"] == 0

        await soon(seated)
        begun = await asyncio.gather(*(http.post(path) for http in (one, two)))
        assert [answer.json()["table"] for answer in begun] == [table, table]


async def test_friends_see_each_other_at_all_nodes(nodes: Nodes) -> None:
    """Asked at one node and agreed to at the other; who is at the second is told of at both."""
    one, two = nodes
    me, friend = await newcomer(nodes), await newcomer(nodes, "Veli")
    async with one.http(me) as here, two.http(me) as there, two.http(friend) as theirs:
        await here.post("/api/friends", json={"user": friend.id})
        await theirs.post("/api/friends", json={"user": me.id})
        await theirs.patch("/api/me", json={"shown": True})
        table = (await theirs.post("/api/play", json={"bot": "novice"})).json()["table"]
        async with Client(two, table, friend):
            for http in (here, there):

                async def is_here(http: Http = http) -> bool:
                    (known,) = (await http.get("/api/friends")).json()["friends"]
                    return bool(known["here"])

                await soon(is_here)


async def test_tables_of_a_person_count_at_all_nodes(nodes: Nodes) -> None:
    me = await newcomer(nodes)
    async with nodes[0].http(me) as one, nodes[1].http(me) as two:

        async def opened(http: Http) -> str:
            answer = await http.post("/api/tables", json={})
            return str(answer.json()["id"]) if answer.is_success else code_of(answer)

        both = await asyncio.gather(*(opened(http) for http in (one, two) * 3))
        assert sorted(both).count("too-many-tables") == 3
        assert await opened(two) == "too-many-tables"
        day = (await two.get("/api/days/")).json()[0]["date"]
        assert (await two.post(f"/api/days/{day}/play")).is_success, "a try is none of them"
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


async def test_a_bot_sits_at_so_many_tables_of_all_nodes(nodes: Nodes) -> None:
    """Also where it asks at both at the same moment."""
    async with nodes[0].http() as one, nodes[1].http() as two:
        owner = await account(one, "Sahip")
        bot = (await one.post("/api/me/bots", json={"name": "Hasty"}, headers=owner.headers)).json()
        mine, paths = {"Authorization": f"Bearer {bot['token']}"}, list[tuple[Http, str]]()
        for http in (one, one, two, one, two):
            host = await account(http, f"Ev sahibi {len(paths)}")
            table = await new_table(http, host, clock=30)
            path = f"/api/tables/{table}"
            answer = await http.post(
                f"{path}/invitations", json={"bot": bot["id"], "seat": 1}, headers=host.headers
            )
            assert answer.is_success, answer.text
            paths.append((http, f"{path}/commands"))
        sit = {"type": "sit", "rid": "s"}
        first, *asked = (http.post(path, json=sit, headers=mine) for http, path in paths)
        assert (await first).is_success
        codes = sorted(answer.status_code for answer in await asyncio.gather(*asked))
        assert codes == [200] + [409] * 3


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
    async with connected(address) as conn:
        kept = "SELECT count(*) = 0 FROM owners WHERE table_id = $1"
        await soon(lambda: conn.fetchval(kept, table))


async def test_what_is_nobody_s_id_is_asked_for_at_all_nodes(nodes: Nodes) -> None:
    """Nodes ask each other about several people at once, with commas between them."""
    async with nodes[0].admin() as admin:
        assert code_of(await admin.get("/api/admin/users/u_a,u_b/export"), 404) == "no-user"


async def test_what_was_refused_leaves_nothing_behind(nodes: Nodes, address: str) -> None:
    me = await newcomer(nodes)
    async with nodes[1].http(me, headers={"Idempotency-Key": "refused"}) as http:
        assert (await http.post("/api/tables", json={"deals": 10_000})).status_code == 400
    kept = "SELECT count(*) = 0 FROM owners WHERE table_id NOT IN (SELECT table_id FROM log)"
    async with connected(address) as conn:
        await soon(lambda: conn.fetchval(kept))


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
            assert (await admin.post(f"/api/admin/users/{who.id}/reset-password")).is_success
            await client.until(lambda c: c.closed)
            assert client.close_code == CLOSE_SIGNED_OUT
        assert code_of(await http.get("/api/me", headers=who.headers)) == "unauthorised"
        assert (await admin.post(f"/api/admin/users/{who.id}/erase")).is_success

        async def gone() -> bool:
            seats = (await http.get(at, headers=other.headers)).json()["table"]["seats"]
            return "Nermin" not in str(seats) and who.id not in str(seats)

        await soon(gone)


async def test_each_node_tells_of_itself_and_any_of_all(nodes: Nodes) -> None:
    one, two = nodes
    me = await newcomer(nodes)
    async with one.http(me) as here, two.http(me) as there, two.admin() as admin:
        table = (await here.post("/api/tables", json={})).json()["id"]
        assert (await there.get(f"/api/tables/{table}")).is_success  # carried
        assert (await there.get("/readyz?cluster")).json() == {"nodes": 2, "ready": 2}
        assert (await there.get("/readyz")).json().keys() >= {"node", "log", "open"}
        told = (await admin.get("/api/admin/nodes")).json()
        assert [node["name"] for node in told] == ["two", "one"]
        assert all(all(node["checks"].values()) for node in told)
        assert told[1]["tables"] >= 1
        for node in nodes:

            async def both(node: LiveServer = node) -> bool:
                return (await node.figures())["okey101_nodes"] == 2

            await soon(both)  # the next sign of life tells how many there are
            figures = await node.figures()
            assert figures["okey101_node_silent_seconds"] < 3
            assert figures["okey101_node_messages_total"] > 0
            assert figures["okey101_node_bytes_total"] > 0
            assert "okey101_node_tables_taken_total" in figures


@pytest.fixture
def apart(postgres: Postgres) -> str:
    """A database of its own: the servers on the other one take what has no owner, too."""
    return postgres.database()


@asynccontextmanager
async def asking(address: str, tmp_path: Path) -> AsyncIterator[list[Cluster]]:
    """What two nodes ask before they begin a review, without their servers."""
    async with AsyncExitStack() as stack:
        found: list[Cluster] = []
        store = await PostgresStore.open(address, tmp_path / "log", shared=True)
        stack.push_async_callback(store.close)
        settings = load_settings({"database": address})
        for name in ("three", "four"):
            one, _ = await Cluster.open(settings, Folder(tmp_path).keys(), store)
            stack.push_async_callback(one.close)
            await one.membership.join(Node(one.membership.id, name, ""), [], reviews=False)
            found.append(one)
        yield found


async def test_a_sign_of_life_on_its_way_keeps_the_tables_or_comes_too_late(
    apart: str, tmp_path: Path
) -> None:
    """Whoever takes tables looks at a node as it is then, and one that was late is another one."""
    expired = "UPDATE nodes SET until = clock_timestamp() - interval '1 s' WHERE id = $1"
    async with asking(apart, tmp_path) as claims, AsyncExitStack() as stack:
        one, other = (cluster.membership for cluster in claims)
        was, lost = one.id, list[set[str]]()
        one._on_kept = lost.append
        assert await one.claim("table", "ada")
        conn, late = [await stack.enter_async_context(connected(apart)) for _ in range(2)]
        await conn.execute(expired, was)
        assert await other.take_all() == [], "its own first sign of life is still to come"
        await other._beat()
        async with late.transaction():
            await late.execute(expired.replace("-", "+"), was)
            assert await other.take_all() == []
        assert await other.take_all() == []
        await one._beat()
        assert (one.id, lost) == (was, [])
        await conn.execute(expired, was)
        assert "table" in await other.take_all()
        await one._beat()
        assert one.id != was
        assert lost == [set()]


@pytest.mark.parametrize("hours", [1, -1])
async def test_no_node_is_gone_by_a_clock_that_jumps(
    postgres: Postgres, tmp_path: Path, hours: int
) -> None:
    """One that is gone is found so all the same, once the others could say that they live."""
    address = postgres.database()
    postgres.own_clock()
    async with asking(address, tmp_path) as claims:
        one, other = (cluster.membership for cluster in claims)
        await one._beat()
        await other._beat()
        assert await one.claim("table", "ada")
        postgres.jump(hours)
        assert await other.take_all() == [], "before it knows of the jump"
        await other._beat()
        assert await other.take_all() == [], "before the other node knows"
        await one._beat()
        assert await other.take_all() == []
        found, until = list[str](), monotonic() + 2 * membership.LEASE_S
        while not found and monotonic() < until:
            await asyncio.sleep(0.1)
            await other._beat()
            found = await other.take_all()
        assert found == ["table"]


async def test_a_start_waits_longer_for_the_database_than_a_sign_of_life(
    apart: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(membership, "_ANSWER_S", 1.0)
    lock = f"({membership._LOCK})"
    waits = """
        SELECT 1 FROM pg_stat_activity
        WHERE wait_event = 'advisory' AND query_start < clock_timestamp() - interval '1.1 s'
    """
    store = await PostgresStore.open(apart, tmp_path / "log", shared=True)
    settings = load_settings({"database": apart})
    async with connected(apart) as conn, AsyncExitStack() as stack:
        stack.push_async_callback(store.close)
        await conn.execute(f"SELECT pg_advisory_lock{lock}")
        opening = asyncio.create_task(Cluster.open(settings, Folder(tmp_path).keys(), store))
        await soon(lambda: opening.done() or conn.fetchval(waits), PATIENCE_S)
        await conn.execute(f"SELECT pg_advisory_unlock{lock}")
        opened, _ = await opening
        await opened.close()


async def test_tables_that_were_taken_without_an_answer_are_known_all_the_same(
    apart: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    async with asking(apart, tmp_path) as claims:
        one, other = (cluster.membership for cluster in claims)
        assert await one.claim("unanswered", "ada")
        await one.leave()
        heard = set[str]()
        other._on_taken = heard.update
        take = other.take_all

        async def lost() -> list[str]:
            monkeypatch.setattr(other, "take_all", take)
            await take()
            raise StoreError("no answer")

        monkeypatch.setattr(other, "take_all", lost)
        running = asyncio.create_task(other.run())

        await soon(lambda: "unanswered" in heard)
        running.cancel()


async def test_a_table_that_was_taken_just_now_is_kept(apart: str, tmp_path: Path) -> None:
    """Whoever asks before the node has heard of its own statement is not told of no table."""
    heard: list[str] = []
    tables: Any = SimpleNamespace(has=lambda _: False, expect=heard.extend)
    async with asking(apart, tmp_path) as claims:
        one = claims[0]
        one._parts = cast("Any", SimpleNamespace(tables=tables))
        assert await one.membership.claim("just-now", "ada")
        assert await one._is_kept("just-now")
        assert heard == ["just-now"]


async def test_nobody_catches_up_before_the_tables_of_a_node_that_is_gone_are_taken(
    apart: str, tmp_path: Path
) -> None:
    """A node whose own signs of life come late takes none: their people had second quick tables."""
    heard: list[str] = []
    async with asking(apart, tmp_path) as claims, connected(apart) as conn:
        one, other = claims
        other._parts = cast("Any", SimpleNamespace(tables=SimpleNamespace(expect=heard.extend)))
        assert await one.membership.claim("quick", "ada")
        await conn.execute(
            "UPDATE nodes SET until = clock_timestamp() - interval '1 s' WHERE id = $1",
            one.membership.id,
        )
        for _ in range(2):
            with raises_code("store-failed"):
                await other.catch_up()
        assert heard == []
        await other.membership._beat()
        await other.catch_up()
        assert heard == ["quick"]


async def test_a_node_that_cannot_join_says_what_is_not_there() -> None:
    node, error = MagicMock(), StoreError("the database failed: TimeoutError")
    node._settings, node._store.running = load_settings(), AsyncMock(side_effect=error)
    node._links.listen = AsyncMock(return_value=1)
    with raises_code("store-unreachable"):
        await Cluster.join(node, node, node)


async def test_a_review_is_claimed_once_and_so_many_by_a_person(
    address: str, tmp_path: Path
) -> None:
    async with asking(address, tmp_path) as claims:
        three, four = claims
        tried = await asyncio.gather(
            *(one.claim("m", "ada", 5) for one in claims * 3), return_exceptions=True
        )
        assert tried.count(True) == 3  # of one node, which may ask again
        assert all(found is True or getattr(found, "code", "") == "draining" for found in tried)
        mine, other = (three, four) if tried[0] is True else (four, three)
        for n in range(4):
            assert await claims[n % 2].claim(f"m{n}", "ada", 5)
        assert not await other.claim("one too many", "ada", 5)
        assert await other.claim("of another", "berk", 5)
        assert await mine.claim("strength", "", None)
        assert await mine.claim("strength", "", None)  # each time anew
        with raises_code("draining"):
            await other.claim("strength", "", None)
        await mine.let_go("m", failed=True)  # whoever asks hears of it where it failed
        with raises_code("draining"):
            await other.claim("m", "ada", 5)
        assert await other.claim("in its place", "ada", 5)
        async with connected(address) as conn:
            await conn.execute("DELETE FROM nodes WHERE id = $1", mine.membership.id)
        assert await other.claim("m", "berk", 5)
        await other.membership.leave()


async def test_what_an_erased_person_had_begun_elsewhere_keeps_no_seat(
    nodes: Nodes, address: str, tmp_path: Path
) -> None:
    """Another node was at it when the seats were given up."""
    me = await newcomer(nodes)
    async with in_process(tmp_path, database=address) as app, nodes[0].http(me) as http:
        hub: Hub = app.state.hub
        await hub.names.learn([me.id])
        with hub.in_flight.begun(me.id):
            assert (await http.delete("/api/me")).is_success
            await soon(lambda: hub.names.name(me.id) is None)
            table = await hub.tables.create(me.id, checked_options(TableOptions()))
        await soon(lambda: table.state.place_of(me.id) is None, 5)


async def test_a_match_that_ended_just_now_is_found_at_all_nodes(
    nodes: Nodes, address: str, tmp_path: Path
) -> None:
    """It is kept a moment later, by the node of its table."""
    async with in_process(tmp_path, database=address) as app, nodes[0].http() as http:
        hub: Hub = app.state.hub

        async def later() -> None:
            await asyncio.sleep(0.2)
            await save(hub.accounts, 7, *[MatchSeat(bot="greedy")] * 4, table_id="ended")

        vars(hub.matches)["_saves"]["ended"] = {asyncio.create_task(later())}
        assert (await http.get("/api/matches/ended-7")).status_code == 200


async def test_a_match_is_reviewed_by_one_node_and_found_at_all(
    nodes: Nodes, address: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """The last test here: a review goes on while others run, and is waited for in the long form."""
    deal = played_on(deal_with("R1 R2 R7 R9 Y1 Y4 Y6 Y9 Y11 B2 *", 1), first="discard *")
    me = await newcomer(nodes)
    store = await PostgresStore.open(address, tmp_path / "log", shared=True)
    record = record_of(deal.rules, [deal]).to_json().encode()
    seats = MatchSeat(me.id), *[MatchSeat(bot="greedy")] * 3
    async with people_of(store, alone=False) as accounts:
        match = await save(accounts, 1, *seats, record=record)
    path = f"/api/matches/{match}/review"
    async with AsyncExitStack() as stack:
        one, two = [await stack.enter_async_context(node.http(me)) for node in nodes]
        conn = await stack.enter_async_context(connected(address))
        asked = await asyncio.gather(*(http.post(path) for http in (one, two) * 2))
        assert {answer.status_code for answer in asked} <= {200, 503}  # at the very same moment
        for http in (one, two):
            assert (await http.post(path)).json()["state"] in ("waiting", "working")
            assert (await http.get(path)).json()["state"] in ("waiting", "working")
        reviewing = "SELECT count(*) FROM reviewing WHERE match_id = $1"
        assert await conn.fetchval(reviewing, match) == 1
        if not request.config.getoption("--long"):
            return

        async def made() -> bool:
            await asyncio.sleep(0.2)  # a client may look five times a second, not more
            return bool((await one.get(path)).json()["state"] == "done")

        await soon(made, 5 * PATIENCE_S)
        assert (await one.get(path)).json() == (await two.post(path)).json()
        assert await conn.fetchval(reviewing, match) == 0
