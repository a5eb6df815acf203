"""Answers over HTTP of which a part is missing: the line broke, and the request is sent again."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from okey101.client import http_calls
from okey101.client.http_calls import Calls
from okey101.errors import OkeyError

WHOLE = b'HTTP/1.1 200 OK\r\nContent-Length: 7\r\nConnection: close\r\n\r\n{"a":1}'
BROKEN = [
    b"",
    b"HTTP/1.1 200 OK\r\nContent-Le",
    b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n",
    b'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n{"a"',
    b'HTTP/1.1 404 Not Found\r\nContent-Length: 90\r\n\r\n{"ok"',
    b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{"a',
]


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_calls, "_PAUSE_S", 0)


async def asked(answers: Sequence[bytes]) -> tuple[object, int]:
    """What a call comes to where these are the answers, and how often it was sent."""
    left = list(answers)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(left.pop(0))
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        found = await Calls(f"http://127.0.0.1:{port}").call("GET", "/", dict[str, int])
    return found, len(answers) - len(left)


@pytest.mark.parametrize("broken", BROKEN)
def test_a_part_of_an_answer_is_asked_for_again(broken: bytes) -> None:
    assert asyncio.run(asked([broken, broken, WHOLE])) == ({"a": 1}, 3)


def test_a_line_that_always_breaks_is_no_server() -> None:
    with pytest.raises(OkeyError) as caught:
        asyncio.run(asked([BROKEN[3]] * 5))
    assert caught.value.code == "no-server"


def test_a_whole_answer_of_another_program_is_told_at_once() -> None:
    with pytest.raises(OkeyError) as caught:
        asyncio.run(asked([b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", WHOLE]))
    assert caught.value.code == "not-okey101"
