"""Clients that speak to the server byte by byte, so that they can break every rule."""

import asyncio
import base64
import contextlib
import os
import socket
import struct
from collections.abc import Mapping
from itertools import cycle
from operator import xor
from typing import NamedTuple, Self

import httpx

from server.live import LiveServer, Person, guest

CONT, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
PATIENCE_S = 60.0


class Frame(NamedTuple):
    opcode: int
    data: bytes

    @property
    def code(self) -> int:
        """The code of a close frame; 1005 where it has none."""
        return struct.unpack("!H", self.data[:2])[0] if len(self.data) > 1 else 1005


class Answer(NamedTuple):
    """The head of an HTTP answer and its body, as long as it is said to be."""

    status: int
    headers: httpx.Headers
    body: bytes


def frame(
    opcode: int, data: bytes, *, fin: bool = True, masked: bool = True, bits: int = 0,
    length: int | None = None,
) -> bytes:  # fmt: skip
    """A frame of a client; ``length`` lies about how long it is, ``bits`` are reserved ones."""
    told = len(data) if length is None else length
    head = bytes([(fin << 7) | (bits << 4) | opcode])
    mark = masked << 7
    if told < 126:
        head += bytes([mark | told])
    elif told < 1 << 16:
        head += struct.pack("!BH", mark | 126, told)
    else:
        head += struct.pack("!BQ", mark | 127, told)
    if not masked:
        return head + data
    mask = os.urandom(4)
    return head + mask + bytes(map(xor, data, cycle(mask)))


async def somebody(server: LiveServer) -> tuple[Person, str]:
    """A guest who owns a table, and its id."""
    async with server.http() as http:
        me = await guest(http)
        made = await http.post("/api/tables", json={}, headers=me.headers)
        return me, made.json()["id"]


class Raw:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def open(cls, server: LiveServer, *, receive_buffer: int | None = None) -> Self:
        """Connect; a small ``receive_buffer`` makes the server notice early what is unread."""
        one = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if receive_buffer is not None:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        one.setblocking(False)
        try:
            await asyncio.get_running_loop().sock_connect(one, ("127.0.0.1", server.port))
            return cls(*await asyncio.open_connection(sock=one, limit=2**20))
        except BaseException:
            one.close()
            raise

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.transport.abort()
        with contextlib.suppress(OSError):
            await self.writer.wait_closed()

    async def send(self, data: bytes) -> bool:
        """Send; False where the other end is gone."""
        try:
            self.writer.write(data)
            await self.writer.drain()
        except OSError:
            return False
        return True

    async def request(self, head: str, body: bytes = b"") -> Answer:
        """Send a request (its lines without the last blank one) and read the answer."""
        await self.send(head.replace("\n", "\r\n").encode("latin-1") + b"\r\n\r\n" + body)
        return await self.answer(bodiless=head.startswith("HEAD"))

    async def answer(self, *, bodiless: bool = False) -> Answer:
        """Read an answer; IncompleteReadError or OSError where the connection ends before."""
        async with asyncio.timeout(PATIENCE_S):
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            first, *lines = head.split("\r\n")[:-2]
            pairs = [(name, value.strip()) for name, _, value in (x.partition(":") for x in lines)]
            headers = httpx.Headers(pairs)
            length = 0 if bodiless else int(headers.get("content-length", "0"))
            return Answer(int(first.split()[1]), headers, await self.reader.readexactly(length))

    async def upgrade(self, path: str, headers: Mapping[str, str] | None = None) -> Answer:
        key = base64.b64encode(os.urandom(16)).decode()
        wanted = {
            "Host": "127.0.0.1", "Upgrade": "websocket", "Connection": "Upgrade",
            "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13",
        }  # fmt: skip
        lines = [f"{name}: {value}" for name, value in (wanted | dict(headers or {})).items()]
        return await self.request("\n".join([f"GET {path} HTTP/1.1", *lines]))

    async def frame(self) -> Frame:
        """Read a frame; IncompleteReadError or OSError where the connection ends before."""
        async with asyncio.timeout(PATIENCE_S):
            first, length = await self.reader.readexactly(2)
            if length == 126:
                (length,) = struct.unpack("!H", await self.reader.readexactly(2))
            elif length == 127:
                (length,) = struct.unpack("!Q", await self.reader.readexactly(8))
            return Frame(first & 15, await self.reader.readexactly(length))

    async def end(self) -> tuple[list[bytes], int]:
        """All texts up to the close frame, and its code; 1006 where there is none."""
        texts: list[bytes] = []
        while True:
            try:
                got = await self.frame()
            except (asyncio.IncompleteReadError, OSError):
                return texts, 1006
            if got.opcode == CLOSE:
                return texts, got.code
            if got.opcode == TEXT:
                texts.append(got.data)

    async def gone(self) -> None:
        """Wait until the server has dropped the connection."""
        async with asyncio.timeout(PATIENCE_S):
            with contextlib.suppress(OSError):
                while await self.reader.read(2**16):
                    pass
