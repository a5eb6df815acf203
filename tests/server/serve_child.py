"""A server with a small application: ``serve_child.py MODE FOLDER PORT [--json]``.

It prints what happens to the application, a word a line. ``MODE`` is ``well``, ``slow`` (draining
never ends), ``broken`` (draining fails), ``late`` (the start takes a second), ``loading`` (loading
the application never ends), ``refused`` and ``crash`` (the start fails). ``POST`` waits for its
body, and ``/stuck`` is never answered.
"""

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any
from unittest import mock

from okey101.cli.output import Failure, Output
from okey101.cli.serve import serve_tables
from okey101.errors import OkeyError
from okey101.server.net.heartbeat import Heartbeat
from okey101.server.ops.metrics import Metrics
from okey101.server.settings import Settings


def say(*words: object) -> None:
    print(*words, flush=True)


class App:
    """Answers every request with its path's name, and every socket with what it is sent."""

    def __init__(self, mode: str) -> None:
        self.mode = mode
        self.state = SimpleNamespace(
            drain=self.drain, metrics=Metrics(), heart=Heartbeat(), stuck=lambda: False
        )

    async def drain(self, _shut: object) -> None:
        say("drain")
        if self.mode == "slow":
            await asyncio.sleep(3600)
        if self.mode == "broken":
            raise ZeroDivisionError("no")
        await asyncio.sleep(0)
        say("drained")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await getattr(self, scope["type"])(scope, receive, send)

    @asynccontextmanager
    async def lifespan(self) -> AsyncIterator[None]:
        if self.mode == "refused":
            raise OkeyError("store-in-use", "x is in use", path="x")
        if self.mode == "crash":
            raise ZeroDivisionError("no")
        if self.mode == "late":
            say("starting")
            await asyncio.sleep(1)
        say("up")
        yield
        say("down")

    async def http(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["path"] == "/stuck":
            say("stuck")
            await asyncio.sleep(3600)
        more = scope["method"] == "POST"
        while more:
            more = (await receive()).get("more_body", False)
        body = self.state.metrics.render() if scope["path"] == "/metrics" else b"hello"
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": body})

    async def websocket(self, _: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": message["text"]})


def main(mode: str, folder: str, port: str, *more: str) -> int:
    def factory(_: Settings) -> Any:
        if mode == "loading":
            say("loading")
            while True:  # a signal right before a long sleep would not end it
                time.sleep(0.05)
        return App(mode)

    output = Output("en", as_json="--json" in more)
    try:
        with mock.patch("okey101.cli.serve._whole_server", factory):
            return serve_tables(output, port=int(port), data=folder)
    except Failure as failure:
        return output.report(failure)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
