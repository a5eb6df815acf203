"""What comes and goes leaves nothing for the collector, whose rounds stop everybody."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

from server.clients import Client
from server.live import LiveServer
from server.web.parties import guests, new_table

CHILD = Path(__file__).with_name("garbage_child.py")
_TIMES = 8


async def garbage(server: LiveServer) -> int:
    """The objects that only a collection finds, since the last time."""
    before = len(server.events)
    server.signal(signal.SIGUSR1)
    async with asyncio.timeout(30):
        while len(server.events) == before:  # noqa: ASYNC110  # the log is a file
            await asyncio.sleep(0.05)
    return int(server.events[-1]["objects"])


async def test_sockets_and_requests_leave_none() -> None:
    """Sockets that are closed or broken off, and connections for one request each."""
    with LiveServer(program=[sys.executable, str(CHILD)], log_level="warning") as server:
        async with server.http() as http:
            people = await guests(http, 2)
            table = await new_table(http, people[0], spectators="live")

        async def visit() -> None:
            for who in (*people, None):
                async with Client(server, table, who) as client:
                    await client.send({"type": "ping", "n": 1})
                    await client.until(lambda c: bool(c.seen("pong")))
                async with Client(server, table, who) as client:
                    await client.drop()
            async with server.http(people[0]) as http:
                assert (await http.get("/api/me")).status_code == 200

        await visit()
        await asyncio.sleep(0.5)
        await garbage(server)
        for _ in range(_TIMES):
            await visit()
        await asyncio.sleep(0.5)
        assert await garbage(server) < 5 * _TIMES
