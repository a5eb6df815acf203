"""The short way out of a WebSocket: the frames it writes, and when it leaves them alone."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from websockets.frames import Frame, Opcode
from websockets.protocol import State

from okey101.server.transport import WebSocket


class Carried:
    """Stands for a connection, as far as ``send_now`` looks at it."""

    def __init__(self) -> None:
        self.writable = asyncio.Event()
        self.writable.set()
        self.conn = self
        self.state = State.OPEN
        self.close_sent = self.disconnected = False
        self.transport = self
        self.written: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def send(self, data: bytes) -> bool:
        socket: Any = self
        return WebSocket.send_now(socket, [data])


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536, 100_000])
def test_frames_are_those_of_the_library(size: int) -> None:
    carried = Carried()
    data = b"x" * size
    assert carried.send(data)
    frame = Frame(Opcode.TEXT, data).serialize(mask=False)
    assert carried.written == [bytes(frame)]


def test_nothing_is_written_that_would_wait_or_is_too_late() -> None:
    paused, closing, closed, lost = Carried(), Carried(), Carried(), Carried()
    paused.writable.clear()
    closing.state = State.CLOSING
    closed.close_sent = True
    lost.disconnected = True
    for carried in (paused, closing, closed, lost):
        assert not carried.send(b"{}")
        assert carried.written == []


def test_several_texts_are_as_many_frames_in_one_write() -> None:
    carried = Carried()
    socket: Any = carried
    texts = [b"", b"x" * 125, b"y" * 126, b"z" * 70_000]
    assert WebSocket.send_now(socket, texts)
    frames = [bytes(Frame(Opcode.TEXT, text).serialize(mask=False)) for text in texts]
    assert carried.written == [b"".join(frames)]
