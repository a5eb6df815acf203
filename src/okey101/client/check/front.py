"""The door of the checking proxy: HTTP goes straight to the server, sockets to the judge."""

from __future__ import annotations

import asyncio
import ssl as tls
from collections.abc import Callable
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

__all__ = ["Front"]

_HEAD_MAX: Final = 65_536
_TIMEOUT_S: Final = 30.0
_AWAY: Final = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Front:
    """Reads the head of each connection and passes it on; ``admits`` may refuse a socket."""

    def __init__(self, url: str, inner: Callable[[], int], admits: Callable[[str], bool]) -> None:
        parts = urlsplit(url)
        self._secure = parts.scheme == "https"
        self._host = parts.hostname or ""
        self._port = parts.port or (443 if self._secure else 80)
        self._netloc = parts.netloc
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._inner = inner
        self._admits = admits
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.url = ""

    async def start(self, port: int = 0) -> None:
        """Listen on this machine alone."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", port, limit=_HEAD_MAX)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def stop(self) -> None:
        """Close the door, and all that goes through it."""
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, near: asyncio.StreamReader, to_near: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                await self._pass_on(near, to_near)
        finally:
            to_near.transport.abort()

    async def _pass_on(self, near: asyncio.StreamReader, to_near: asyncio.StreamWriter) -> None:
        while True:
            async with asyncio.timeout(_TIMEOUT_S):
                head = await near.readuntil(b"\r\n\r\n")
            first, *lines = head[:-4].decode("latin-1").split("\r\n")
            fields = {name.strip().lower(): value.strip() for name, _, value in
                      (line.partition(":") for line in lines)}  # fmt: skip
            if fields.get("upgrade", "").lower() == "websocket":
                words = first.split(" ")
                if len(words) == 3 and self._admits(words[1]):
                    await self._to_inner(head, near, to_near)
                return
            if not await self._over_http(first, lines, fields, near, to_near):
                return

    async def _to_inner(
        self, head: bytes, near: asyncio.StreamReader, to_near: asyncio.StreamWriter
    ) -> None:
        far, to_far = await asyncio.open_connection("127.0.0.1", self._inner())
        to_far.write(head)
        ways = [
            asyncio.create_task(_pour(near, to_far)), asyncio.create_task(_pour(far, to_near)),
        ]  # fmt: skip
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            if ways[1].done():  # its last words may still be on their way
                with suppress(OSError):
                    await to_near.drain()
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            to_far.transport.abort()
            if ways[1].cancelled() or not to_near.transport.get_write_buffer_size():
                to_near.transport.abort()

    async def _over_http(
        self,
        first: str,
        lines: list[str],
        fields: dict[str, str],
        near: asyncio.StreamReader,
        to_near: asyncio.StreamWriter,
    ) -> bool:
        """Pass on a request and its answer; returns whether the connection stays open."""
        body = b""
        if fields.get("transfer-encoding"):
            to_near.write(b"HTTP/1.1 411 Length Required\r\nContent-Length: 0\r\n\r\n")
            return False
        if length := fields.get("content-length", ""):
            body = await near.readexactly(min(int(length), 2**24))
        kept = [line for line in lines if line.partition(":")[0].strip().lower()
                not in ("host", "connection", "origin", "referer", "keep-alive")]  # fmt: skip
        if fields.get("origin") == self.url:
            kept.append(f"Origin: {self._origin}")
        elif "origin" in fields:
            kept.append(f"Origin: {fields['origin']}")
        kept += [f"Host: {self._netloc}", "Connection: close"]
        context = tls.create_default_context() if self._secure else None
        try:
            far, to_far = await asyncio.open_connection(self._host, self._port, ssl=context)
        except OSError:
            to_near.write(_AWAY)
            await to_near.drain()
            return False
        try:
            to_far.write("\r\n".join([first, *kept, "", ""]).encode("latin-1") + body)
            await to_far.drain()
            await _pour(far, to_near)
        finally:
            to_far.transport.abort()
        to_near.write_eof()
        return False


async def _pour(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while chunk := await source.read(65_536):
            target.write(chunk)
            await target.drain()
