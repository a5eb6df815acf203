"""Expensive requests are served one at a time, and cost others little."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import httpx
from websockets.asyncio.client import connect

from okey101.server.people import Accounts, MatchSeat
from server.live import LiveServer, Person, guest
from server.web.parties import code_of, guests, new_table

SLOW = (sys.executable, str(Path(__file__).parents[1] / "slow_child.py"))
RECORD = Path(__file__).parents[2] / "game" / "golden" / "altinstar.okey.json"
AT_ONCE = 40
"""How many deals and records one address may ask for at once."""


async def test_a_handshake_while_the_accounts_are_busy(tmp_path: Path) -> None:
    """Closed with a code that brings a page back, not refused like somebody banned."""
    with LiveServer(tmp_path, program=SLOW) as server:
        async with server.http() as http:
            who = await guest(http)
            table = await new_table(http, who)
        (tmp_path / "busy").touch()
        address = f"{server.url.replace('http', 'ws')}/ws/{table}"
        async with connect(address, additional_headers=who.headers, proxy=None) as socket:
            await socket.wait_closed()
            assert (socket.close_code, socket.close_reason) == (1013, "accounts-busy")


async def test_exports_are_few_at_a_time(tmp_path: Path) -> None:
    """One for each person, two in all, and not many in a row."""
    with LiveServer(tmp_path, program=SLOW) as server:

        async def export(who: Person) -> httpx.Response:
            async with server.http(who) as http:
                return await http.get("/api/me/export")

        async with server.http() as http:
            people = await guests(http, 3)
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


async def test_of_a_long_match_only_the_deal_is_read(tmp_path: Path) -> None:
    """Deals that can't be read cost the others nothing, and an address asks for only so many."""
    record = json.loads(RECORD.read_text("utf-8"))
    record["deals"][1:] = [{"unreadable": number} for number in range(99)]
    accounts = await Accounts.open(tmp_path / "accounts.sqlite")
    await accounts.save_match(
        table_id="long", number=1, finished_ms=1, preset="altinstar", deals=100,
        seats=[MatchSeat(bot="random")] * 4, totals=[0] * 4, record=json.dumps(record).encode(),
    )  # fmt: skip
    await accounts.close()
    with LiveServer(tmp_path) as server:
        address = "/api/matches/long-1"
        async with server.http() as http:
            first = await http.get(f"{address}/deals/0")
            assert first.status_code == 200, first.text
            assert first.json()["players"] == ["bot:random"] * 4
            assert len(first.json()["steps"]) > 10
            assert code_of(await http.get(f"{address}/deals/100"), 404) == "no-deal-number"
            assert len((await http.get(f"{address}/record")).json()["deals"]) == 100
            many = (http.get(f"{address}/deals/0") for _ in range(2 * AT_ONCE))
            codes = [answer.status_code for answer in await asyncio.gather(*many)]
            assert 0 < codes.count(429) <= AT_ONCE + 2
            assert {*codes} == {200, 429}
        server.assert_clean()
