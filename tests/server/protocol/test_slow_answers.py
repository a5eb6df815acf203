"""A large answer reaches whoever reads on, however slowly."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from conftest import Patch
from okey101.server.net import heartbeat, transport
from server.live import listening

SIZE = 8_000_000
"""More than the buffers of both sides hold."""
PATIENCE_S = 0.4


async def large(scope: Any, _receive: Any, send: Any) -> None:
    """An application with one large answer."""
    assert scope["type"] == "http"
    length = [(b"content-length", b"%d" % SIZE)]
    await send({"type": "http.response.start", "status": 200, "headers": length})
    await send({"type": "http.response.body", "body": b"x" * SIZE})


@contextlib.asynccontextmanager
async def asked(url: str, headers: str) -> AsyncGenerator[socket.socket]:
    """A connection with a small buffer that has asked for the answer."""
    loop = asyncio.get_running_loop()
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
        one.setblocking(False)
        await loop.sock_connect(one, ("127.0.0.1", int(url.rpartition(":")[2])))
        await loop.sock_sendall(one, f"GET / HTTP/1.1\r\nHost: x\r\n{headers}\r\n".encode())
        yield one


async def read(one: socket.socket, pause_s: float) -> int:
    """How many bytes come, a few at a time, until all are there or no more follow."""
    loop = asyncio.get_running_loop()
    got = 0
    with contextlib.suppress(ConnectionError):
        while got < SIZE and (data := await loop.sock_recv(one, 16_384)):
            got += len(data)
            await asyncio.sleep(pause_s)
    return got


@pytest.mark.parametrize("headers", ["", "Connection: close\r\n"])
async def test_who_reads_slowly_gets_all(headers: str, monkeypatch: Patch) -> None:
    monkeypatch.setattr(heartbeat, "_STALL_S", PATIENCE_S)
    monkeypatch.setattr(heartbeat, "_LINGER_S", PATIENCE_S)
    async with listening(large, http=transport.Http) as url, asked(url, headers) as one:
        began = asyncio.get_running_loop().time()
        assert await asyncio.wait_for(read(one, 0.005), 60) >= SIZE
        assert asyncio.get_running_loop().time() - began > 2 * PATIENCE_S
