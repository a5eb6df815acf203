"""Allowances: how often one may ask, log in or try, and that costly work waits its turn."""

import asyncio
import contextlib
import json
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect

from okey101.server.net.limits import Caller
from okey101.server.people.allowances import Allowances
from okey101.server.settings import load_settings
from server.accounts.people import BOTS, save, with_accounts
from server.clients import Client, Gone, Refused
from server.live import Http, LiveServer, Person, changed, guest
from server.web.parties import PASSWORD, account, code_of, command, guests, new_table
from server.web.test_resume import from_address


def wait_of(answer: httpx.Response, limit: str | None = None) -> int:
    """After how many seconds a request may be tried again that this limit has refused."""
    assert code_of(answer, 429) == "rate-limited"
    seconds = int(answer.headers["retry-after"])
    details = answer.json()["error"]["details"]
    assert details["seconds"] == seconds
    assert limit in (None, details["limit"])
    return seconds


async def test_guests_and_logins(strict: LiveServer) -> None:
    """Only so many from one address; another address is not held up."""
    async with from_address(strict, 11) as http:
        await guests(http, 4)
        assert (
            1
            <= wait_of(await http.post("/api/guests", json={"name": "Ali"}), "guests-per-minute")
            <= 60
        )
        body = {"name": "Kimse Yok", "password": "a long password"}
        for _ in range(3):
            assert code_of(await http.post("/api/login", json=body), 401) == "bad-login"
        assert 1 <= wait_of(await http.post("/api/login", json=body), "logins-per-minute") <= 60
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
        assert answer.json()["error"]["details"] == {"limit": "max-tables-per-user"}
        answer = await http.post("/api/play", json={}, headers=who.headers)
        assert 1 <= wait_of(answer, "tables-per-minute") <= 60


async def statuses(http: Http, path: str, count: int) -> list[int]:
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
    more: dict[str, Any] = {"max_tables_per_address": 2, "max_seats_per_user": 2}
    with LiveServer(trusted_proxies="127.0.0.1", **more) as server:
        async with from_address(server, 21) as here, from_address(server, 22) as there:
            people = await guests(here, 3)
            tables = [await new_table(here, who) for who in people[:2]]
            answer = await here.post("/api/play", json={}, headers=people[2].headers)
            assert code_of(answer, 429) == "too-many-tables"
            assert answer.json()["error"]["details"] == {"limit": "max-tables-per-address"}
            await new_table(there, people[2])
            async with server.admin() as admin:
                await admin.post(f"/api/admin/tables/{tables[0]}/close")
            mine = people[2].headers
            once = mine | {"Idempotency-Key": "last"}
            posts = (here.post("/api/tables", json={}, headers=once) for _ in range(3))
            assert len({answer.json()["id"] for answer in await asyncio.gather(*posts)}) == 1
            # Nor does anybody keep the seats of any number of tables.
            sit = {"type": "sit", "rid": "s"}
            host = await account(there, "Sahip")
            made = {"name": "Ev", "options": {}}
            family = await there.post("/api/families", json=made, headers=host.headers)
            for path, body in (
                (f"/api/tables/{tables[1]}/commands", sit),
                ("/api/quick", {}),
                (f"/api/families/{family.json()['link']}/sit", {}),
            ):
                answer = await there.post(path, json=body, headers=mine)
                assert code_of(answer, 409) == "too-many-seats", path


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
                told = json.loads(await socket.recv())
                assert (told["type"], told["code"]) == ("error", "rate-limited")
                assert told["details"]["limit"] == "handshakes-per-second"
                assert told["details"]["seconds"] > 900
                await socket.wait_closed()
                assert (socket.close_code, socket.close_reason) == (1013, "rate-limited")


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

            async def ready(n: int) -> int:
                answer = await command(http, who, table, "ready", rid=f"r{n}", on=n % 2 == 0)
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


LOGIN_BURST = 4


def from_home(server: LiveServer, number: int) -> Http:
    return server.http(headers={"X-Forwarded-For": f"198.51.{number // 250}.{number % 250}"})


async def tried(http: Http, name: str, password: str = "a wrong password") -> str:
    """What becomes of a try: ``ok``, or the code of the refusal."""
    answer = await http.post("/api/login", json={"name": name, "password": password})
    return "ok" if answer.status_code == 200 else str(answer.json()["error"]["code"])


async def test_an_account_tried_from_many_addresses_lets_its_owner_in() -> None:
    """The browser of its owner is not concerned, and no other account is."""
    with LiveServer(
        logins_per_minute=0.1, login_burst=LOGIN_BURST, trusted_proxies="127.0.0.1"
    ) as server:
        async with from_home(server, 1) as owner, from_home(server, 2) as other:
            for http, name in ((owner, "Ayşe"), (other, "Fatma")):
                await http.post("/api/guests", json={"name": "Biri"})
                body = {"name": name, "password": PASSWORD}
                assert (await http.post("/api/me/account", json=body)).status_code == 200
                await http.post("/api/logout", json={})

            async def flood(number: int) -> list[str]:
                async with from_home(server, 100 + number) as http:
                    return [await tried(http, "AYŞE") for _ in range(2)]

            found = await asyncio.gather(*(flood(n) for n in range(20)))
            codes = [code for some in found for code in some]
            assert set(codes) <= {"bad-login", "rate-limited", "accounts-busy"}
            assert codes.count("bad-login") <= 2 * LOGIN_BURST
            async with from_home(server, 50) as stranger:
                assert await tried(stranger, "Ayşe", PASSWORD) == "rate-limited"
                assert await tried(stranger, "Fatma", PASSWORD) == "ok"
                stranger.cookies.set("okey101-device", f"{'0' * 32}.{'0' * 64}")  # made up
                assert await tried(stranger, "Ayşe", PASSWORD) == "rate-limited"
            assert await tried(owner, "ayşe", PASSWORD) == "ok"
            # Several people may share a browser; each has an allowance there.
            assert await tried(owner, "Fatma", PASSWORD) == "ok"
            assert await tried(owner, "Ayşe", PASSWORD) == "ok"
            assert "rate-limited" in [await tried(owner, "Ayşe") for _ in range(LOGIN_BURST + 1)]
            # Nor does who has a session guess the password with it, from wherever.
            token, codes = owner.cookies["okey101"], list[str]()
            for number in range(2 * LOGIN_BURST + 1):
                async with from_home(server, 200 + number) as http:
                    http.cookies.set("okey101", token)
                    wrong = {"old": "a wrong password", "new": "another password"}
                    codes.append(code_of(await http.put("/api/me/password", json=wrong)))
            assert codes == ["wrong-password"] * 2 * LOGIN_BURST + ["rate-limited"]


def test_a_network_of_many_homes_has_an_allowance_of_a_few() -> None:
    allowances = Allowances(load_settings({"login_burst": LOGIN_BURST}))
    homes = [f"2001:db8:aaaa:{n:x}::1" for n in range(100)]
    waits = [allowances.network_logins.take(Caller(home, False).network) for home in homes]
    assert waits.count(0.0) == 4 * LOGIN_BURST


SLOW = changed("slow")
RECORD = Path(__file__).parents[2] / "game" / "golden" / "altinstar.okey.json"


async def test_while_accounts_are_busy_or_slow(tmp_path: Path) -> None:
    """Of exports one for each person runs, two in all, and not many in a row."""
    with LiveServer(tmp_path, program=SLOW) as server:

        async def export(who: Person) -> httpx.Response:
            async with server.http(who) as http:
                return await http.get("/api/me/export")

        async with server.http() as http:
            people = await guests(http, 3)
            table = await new_table(http, people[0])
            slow = tmp_path / "slow"
            slow.touch()
            running = [asyncio.create_task(export(who)) for who in people[:2]]
            await asyncio.sleep(1)
            for who in (people[0], people[2]):
                assert code_of(await export(who), 503) == "accounts-busy"
            assert (await http.get("/api/me", headers=people[0].headers)).status_code == 200
            slow.unlink()
            for task, who in zip(running, people, strict=False):
                assert (await task).json()["users"]["id"] == who.id
            assert (await export(people[2])).status_code == 200
            codes = [(await export(people[0])).status_code for _ in range(4)]
            assert codes == [200] * 3 + [429]
        # A handshake is closed with a code that brings a page back, not as somebody banned is.
        (tmp_path / "busy").touch()
        address = f"{server.url.replace('http', 'ws')}/ws/{table}"
        headers = people[0].headers
        async with connect(address, additional_headers=headers, proxy=None) as socket:
            await socket.wait_closed()
            assert (socket.close_code, socket.close_reason) == (1013, "accounts-busy")


async def test_of_a_long_match_only_the_deal_is_read(tmp_path: Path) -> None:
    """Deals that can't be read cost the others nothing."""
    record = json.loads(RECORD.read_text("utf-8"))
    record["deals"][1:] = [{"unreadable": number} for number in range(99)]
    async with with_accounts(tmp_path) as accounts:
        data = json.dumps(record).encode()
        await save(accounts, 1, *BOTS, table_id="long", deals=100, record=data)
    with LiveServer(tmp_path) as server:
        address = "/api/matches/long-1"
        async with server.http() as http:
            first = await http.get(f"{address}/deals/0")
            assert first.status_code == 200, first.text
            assert first.json()["players"] == ["bot:random"] * 4
            assert len(first.json()["steps"]) > 10
            assert code_of(await http.get(f"{address}/deals/100"), 404) == "no-deal-number"
            assert len((await http.get(f"{address}/record")).json()["deals"]) == 100
