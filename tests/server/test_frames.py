"""The short ways in and out of a WebSocket: which frames take them, and which are left alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import Any, cast
from unittest.mock import Mock

import pytest
from hypothesis import given, settings, strategies as st
from uvicorn.config import Config
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from okey101.server.net.heartbeat import Heartbeat, Wire
from okey101.server.net.websocket import WebSocket

SIZES = [0, 1, 125, 126, 65_535, 65_536, 100_000]


@pytest.mark.parametrize("sizes", [*([size] for size in SIZES), SIZES], ids=str)
def test_frames_are_those_of_the_library_in_one_write(sizes: list[int]) -> None:
    texts = [b"x" * size for size in sizes]
    sent, line = asyncio.run(_said(texts))
    assert sent
    frames = [bytes(Frame(Opcode.TEXT, text).serialize(mask=False)) for text in texts]
    assert line.written[-1] == b"".join(frames)


def test_nothing_is_written_that_would_wait_or_is_too_late() -> None:
    for late in ("pause_writing", "shutdown", "connection_lost"):
        sent, line = asyncio.run(_said([b"{}"], late))
        assert not sent
        assert b"\x81\x02{}" not in line.written


async def _said(texts: list[bytes], first: str = "") -> tuple[bool, Line]:
    """Whether texts are sent at once, after something else has happened, and what was written."""

    async def app(_scope: object, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await asyncio.Event().wait()

    async with _opened(app) as (socket, line):
        if first:
            getattr(socket, first)(*[None] * (first == "connection_lost"))
        return socket.send_now(texts), line


async def _two_turns() -> None:
    await asyncio.sleep(0)
    await asyncio.sleep(0)


@asynccontextmanager
async def _opened(app: Any) -> AsyncIterator[tuple[WebSocket, Line]]:
    """A WebSocket after its handshake, which is lost in the end."""
    config = Config(app, lifespan="off", log_config=None)
    config.load()
    state = ServerState()
    socket, line = WebSocket(config, state, {}), Line()
    socket.connection_made(cast("Any", Wire(line, Heartbeat(), lambda: None)))
    socket.data_received(HANDSHAKE)
    await _two_turns()
    yield socket, line
    for task in [*state.tasks]:
        task.cancel()
    socket.connection_lost(None)


# The way in ---------------------------------------------------------------------------------------


class Line(asyncio.Transport):
    def __init__(self) -> None:
        super().__init__({"socket": Mock()})
        self.reading = True
        self.written: list[bytes] = []

    def write(self, data: Any) -> None:
        self.written.append(data)

    def get_write_buffer_size(self) -> int:
        return 0

    def is_closing(self) -> bool:
        return False

    def close(self) -> None:
        pass

    abort = close

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True


HANDSHAKE = (
    b"GET /ws/t HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


async def _heard(pieces: list[bytes], *, busy: bool = False) -> tuple[list[Any], Line]:
    """What an application gets of pieces of bytes; one that is ``busy`` reads them at the end."""
    got: list[Any] = []
    begin = asyncio.Event()

    async def app(_scope: object, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        if busy:
            await begin.wait()
        while True:
            got.append(await receive())

    async with _opened(app) as (socket, line):
        for piece in pieces:
            socket.data_received(piece)
            if not busy:
                assert line.reading
                await _two_turns()
        begin.set()
        reading = line.reading
        await _two_turns()
        assert line.reading
    line.reading = reading
    return got, line


def _frame(opcode: Opcode, data: bytes, *, fin: bool = True) -> bytes:
    return bytes(Frame(opcode, data, fin).serialize(mask=True))


def _texts(got: list[Any]) -> list[str]:
    return [event["text"] for event in got if event["type"] == "websocket.receive"]


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_messages_are_the_same_however_the_bytes_are_cut(data: st.DataObject) -> None:
    """The short way in is for whole short frames alone; what surrounds them takes the long one."""
    said: list[str] = []
    stream: list[bytes] = []
    for text in data.draw(st.lists(st.text(max_size=70) | st.just("x" * 200), max_size=6)):
        said.append(text)
        raw = text.encode()
        if data.draw(st.booleans()):
            stream.append(_frame(Opcode.TEXT, raw))
        else:
            at = data.draw(st.integers(0, len(raw)))
            ping = _frame(Opcode.PING, b"ok")
            first = _frame(Opcode.TEXT, raw[:at], fin=False)
            stream += [first, ping, _frame(Opcode.CONT, raw[at:])]
    if data.draw(st.booleans()):
        pieces = stream
    else:
        whole = b"".join(stream)
        cuts = sorted(data.draw(st.sets(st.integers(0, len(whole)), max_size=8)) | {0, len(whole)})
        pieces = [whole[a:b] for a, b in pairwise(cuts)]
    got, _ = asyncio.run(_heard(pieces, busy=True))
    assert _texts(got) == said


def test_bytes_that_are_no_text_end_the_connection_at_once() -> None:
    for frames in ([b"\xff"], [b"good", b"\xff"], [b"x" * 200, b"\xff" * 200]):
        _, line = asyncio.run(_heard([_frame(Opcode.TEXT, data) for data in frames]))
        assert line.written[-1].startswith(b"\x88")
        assert line.written[-1][2:4] == (1007).to_bytes(2)


def test_nobody_is_read_on_from_while_the_application_is_busy() -> None:
    frames = [_frame(Opcode.TEXT, b"%d" % number) for number in range(5)]
    for busy in (False, True):
        got, line = asyncio.run(_heard(frames, busy=busy))
        assert _texts(got) == ["0", "1", "2", "3", "4"]
        assert line.reading is not busy
