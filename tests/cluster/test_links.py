"""A link between two nodes: what is carried on it, and what its end does to that."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import structlog.testing

from okey101.server.cluster.links import App, LinkBroken, Links, Node

REQUEST: dict[str, Any] = {
    "type": "http", "method": "GET", "path": "/", "headers": [], "client": None, "server": None,
}  # fmt: skip


@asynccontextmanager
async def linked(app: App) -> AsyncGenerator[tuple[Links, Links, Node]]:
    """Who asks, who answers by ``app``, and the address of the latter."""
    key = bytes(32)
    asks, answers = Links(key), Links(key)
    port = await answers.listen("127.0.0.1", 0, app)
    try:
        yield asks, answers, Node("b", "b", f"127.0.0.1:{port}")
    finally:
        await asks.close(0)
        await answers.close(0)


async def never() -> dict[str, Any]:
    await asyncio.Future()
    raise AssertionError


@pytest.mark.parametrize("wrapped", [True, False])
async def test_an_answer_that_is_cut_off_is_no_fault_of_the_application(wrapped: bool) -> None:
    """A framework may tell of the lost link by an error of its own, once it has begun to answer."""
    ended = asyncio.Event()

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        try:
            while True:
                await send({"type": "http.response.body", "body": b"x", "more_body": True})
                await asyncio.sleep(0)
        except LinkBroken as error:
            if wrapped:
                raise RuntimeError("after the response started") from error
            raise
        finally:
            ended.set()

    came = asyncio.Event()

    async def send(_: Any) -> None:
        came.set()

    with structlog.testing.capture_logs() as lines:
        async with linked(app) as (asks, _answers, node):
            asked = asyncio.create_task(asks.relay(node, REQUEST, never, send))
            await came.wait()
            await asks.close(0)
            await ended.wait()
            await asyncio.gather(asked, return_exceptions=True)
    assert [line["event"] for line in lines] == []
