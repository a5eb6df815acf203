"""Floods of passwords: accounts and networks have allowances, and known browsers their own."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from okey101.server.net.limits import network_key
from okey101.server.people.allowances import Allowances
from okey101.server.settings import load_settings
from server.live import LiveServer, guest
from server.web.parties import PASSWORD, code_of

BURST = 4


def from_home(server: LiveServer, number: int) -> httpx.AsyncClient:
    """A client at an address of its own, that is of another network each time."""
    return server.http(headers={"X-Forwarded-For": f"198.51.{number // 250}.{number % 250}"})


async def tried(http: httpx.AsyncClient, name: str, password: str = "a wrong password") -> str:
    """What becomes of a try: ``ok``, or the code of the refusal."""
    answer = await http.post("/api/login", json={"name": name, "password": password})
    return "ok" if answer.status_code == 200 else str(answer.json()["error"]["code"])


async def test_an_account_tried_from_many_addresses_lets_its_owner_in() -> None:
    """The browser of its owner is not concerned, and no other account is."""
    with LiveServer(
        logins_per_minute=0.1, login_burst=BURST, trusted_proxies="127.0.0.1"
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
            assert codes.count("bad-login") <= 2 * BURST
            async with from_home(server, 50) as stranger:
                assert await tried(stranger, "Ayşe", PASSWORD) == "rate-limited"
                assert await tried(stranger, "Fatma", PASSWORD) == "ok"
            assert await tried(owner, "ayşe", PASSWORD) == "ok"
            # Several people may share a browser; each has an allowance there.
            assert await tried(owner, "Fatma", PASSWORD) == "ok"
            assert await tried(owner, "Ayşe", PASSWORD) == "ok"
            assert "rate-limited" in [await tried(owner, "Ayşe") for _ in range(BURST + 1)]


async def test_a_made_up_device_is_unknown() -> None:
    with LiveServer(logins_per_minute=0.1, login_burst=1) as server:
        async with server.http() as http:
            await guest(http)
            assert await tried(http, "Kimse") == "bad-login"
            http.cookies.set("okey101-device", f"{'0' * 32}.{'0' * 64}")
            answer = await http.post("/api/login", json={"name": "Kimse", "password": PASSWORD})
            assert code_of(answer, 429) == "rate-limited"


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("2001:db8:aaaa:1::1", "2001:db8:aaaa::/48"),
        ("[2001:db8:aaaa:ffff::2]:443", "2001:db8:aaaa::/48"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("192.0.2.7", "192.0.2.7"),
        ("nonsense", "unknown"),
    ],
)
def test_networks(address: str, network: str) -> None:
    assert network_key(address) == network


def test_a_network_of_many_homes_has_an_allowance_of_a_few() -> None:
    allowances = Allowances(load_settings({"login_burst": BURST}))
    homes = [f"2001:db8:aaaa:{n:x}::1" for n in range(100)]
    waits = [allowances.network_logins.take(network_key(home)) for home in homes]
    assert waits.count(0.0) == 4 * BURST
