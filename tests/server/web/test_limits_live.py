"""Allowances: how often one may ask, how much one may open, and what is said beyond that."""

from __future__ import annotations

import asyncio
import contextlib

import httpx
from websockets.asyncio.client import connect

from server.clients import Client, Gone, Refused
from server.live import LiveServer, Person, guest
from server.web.parties import code_of, guests, new_table
from server.web.test_absence import from_address


def wait_of(answer: httpx.Response) -> int:
    """After how many seconds a limited request may be tried again."""
    assert code_of(answer, 429) == "rate-limited"
    seconds = int(answer.headers["retry-after"])
    assert answer.json()["error"]["details"]["seconds"] == seconds
    return seconds


async def test_guests_and_logins(strict: LiveServer) -> None:
    """Only so many from one address; another address is not held up."""
    async with from_address(strict, 11) as http:
        await guests(http, 4)
        answer = await http.post("/api/guests", json={"name": "Ali"})
        assert 1 <= wait_of(answer) <= 60
        body = {"name": "Kimse Yok", "password": "a long password"}
        for _ in range(3):
            assert code_of(await http.post("/api/login", json=body), 401) == "bad-login"
        assert 1 <= wait_of(await http.post("/api/login", json=body)) <= 60
    async with from_address(strict, 12) as http:
        await guest(http)
        assert code_of(await http.post("/api/login", json=body), 401) == "bad-login"
    async with strict.http(headers={"X-Forwarded-For": "203.0.113.9, 198.51.100.11"}) as http:
        wait_of(await http.post("/api/guests", json={"name": "Ali"}))


async def test_tables(strict: LiveServer) -> None:
    """Only so many open ones for each person, and only so many new ones in a given time."""
    async with from_address(strict, 13) as http:
        who = await guest(http)
        for _ in range(2):
            await new_table(http, who)
        answer = await http.post("/api/tables", json={}, headers=who.headers)
        assert code_of(answer, 429) == "too-many-tables"
        answer = await http.post("/api/play", json={}, headers=who.headers)
        assert 1 <= wait_of(answer) <= 60


async def statuses(http: httpx.AsyncClient, path: str, count: int) -> list[int]:
    """What many requests at once are answered with."""
    answers = await asyncio.gather(*(http.get(path) for _ in range(count)))
    return [answer.status_code for answer in answers]


async def test_requests(strict: LiveServer) -> None:
    """Beyond the allowance of an address nothing is answered but health."""
    async with from_address(strict, 14) as http:
        answers = [await http.get("/api/tables") for _ in range(45)]
        codes = [answer.status_code for answer in answers]
        assert codes[:40] == [200] * 40
        assert 429 in codes
        wait_of(answers[codes.index(429)])
        for path in ("/version", "/nothing", "/api/nothing", "/ws/nothing"):
            assert 429 in await statuses(http, path, 12), path
        assert 429 in await statuses(http, "/metrics", 90)
        for _ in range(3):
            assert (await http.get("/livez")).status_code == 200


async def test_tables_of_an_address() -> None:
    """Whoever opens them, only so many are open at a time; other addresses have their own."""
    with LiveServer(trusted_proxies="127.0.0.1", max_tables_per_address=2) as server:
        async with from_address(server, 21) as here, from_address(server, 22) as there:
            people = await guests(here, 3)
            tables = [await new_table(here, who) for who in people[:2]]
            answer = await here.post("/api/play", json={}, headers=people[2].headers)
            assert code_of(answer, 429) == "too-many-tables"
            await new_table(there, people[2])
            async with server.admin() as admin:
                await admin.post(f"/api/admin/tables/{tables[0]}/close")
            await new_table(here, people[2])
        server.assert_clean()


async def test_handshakes_of_an_address() -> None:
    """Beyond the allowance a socket is closed before anything is looked up, to come back later."""
    with LiveServer(handshakes_per_second=0.001, handshake_burst=3) as server:
        async with server.http() as http:
            who = await guest(http)
            table = await new_table(http, who)
        for _ in range(3):
            async with Client(server, table, who) as client:
                assert client.shown
        address = f"{server.url.replace('http', 'ws')}/ws/{table}"
        for headers in (who.headers, {"Authorization": "Bearer nobody"}, {}):
            async with connect(address, additional_headers=headers, proxy=None) as socket:
                await socket.wait_closed()
                assert (socket.close_code, socket.close_reason) == (1013, "rate-limited")
        server.assert_clean()


async def test_a_new_socket_brings_no_new_allowance(strict: LiveServer) -> None:
    """Messages and phrases are counted by person, those of onlookers by address."""

    async def pongs(table: str, who: Person | None) -> int:
        async with Client(strict, table, who) as client:
            with contextlib.suppress(Gone):
                for number in range(150):
                    await client.send({"type": "ping", "n": number})
            await client.until(lambda c: c.closed or len(c.seen("pong")) >= 150)
            return len(client.seen("pong"))

    async def phrases(table: str, who: Person) -> int:
        said = 0
        for _ in range(3):
            async with Client(strict, table, who) as client:
                for _ in range(2):
                    with contextlib.suppress(Refused):
                        await client.command("say", phrase="hurry")
                        said += 1
        return said

    async with from_address(strict, 17) as http:
        first, second = await guests(http, 2)
        table = await new_table(http, first, spectators="live")
    assert await phrases(table, first) in (4, 5)
    for who in (second, None):
        assert await pongs(table, who) == 150
        assert await pongs(table, who) < 150


# One allowance by whatever road ----------------------------------------------------------------


BURST = 8


async def test_commands_over_http_and_over_sockets_count_together() -> None:
    """It was 50 rows a second over HTTP, as long as one liked."""
    with LiveServer(message_burst=BURST, messages_per_second=0.01) as server:
        async with server.http() as http:
            who, other = await guest(http, "Ali"), await guest(http, "Can")
            table = await new_table(http, who)  # the first of them
            url = f"/api/tables/{table}/commands"

            async def ready(n: int) -> int:
                body = {"type": "ready", "rid": f"r{n}", "on": n % 2 == 0}
                answer = await http.post(url, json=body, headers=who.headers)
                if answer.status_code != 200:
                    assert code_of(answer, 429) == "rate-limited"
                return answer.status_code

            codes = [await ready(n) for n in range(BURST + 4)]
            assert codes == [200] * (BURST - 1) + [429] * 5
            async with Client(server, table, who) as client:
                await client.send({"type": "ready", "rid": "s1"})
                await client.until(lambda c: bool(c.seen("error")))
                assert client.seen("error")[0]["code"] == "rate-limited"
            answer = await http.post("/api/play", json={}, headers=who.headers)
            assert code_of(answer, 429) == "rate-limited"
            async with Client(server, table, other) as client:
                await client.do("sit")
            seen = (await http.get(f"/api/tables/{table}", headers=other.headers)).json()
            assert seen["seq"] <= BURST + 2
