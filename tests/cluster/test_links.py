"""A link between two nodes: what is carried on it, and what its end does to that."""

import asyncio
import json
import random
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from socket import create_server
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import asyncpg
import pytest
import structlog.testing

from conftest import Patch, soon
from faults.cluster_storm import Wire
from okey101.server.cluster import links, membership
from okey101.server.cluster.links import (
    App,
    Link,
    LinkBroken,
    Links,
    Node,
    NotReached,
    Stream,
    Traffic,
)
from okey101.server.cluster.membership import Membership
from okey101.server.cluster.nodes import Cluster
from okey101.server.net.close_codes import CLOSE_RESTART
from okey101.server.net.websocket import SEND

REQUEST: dict[str, Any] = {
    "type": "http", "method": "GET", "path": "/", "headers": [], "client": None, "server": None,
}  # fmt: skip


SOCKET = REQUEST | {"type": "websocket"}


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


async def test_texts_reach_a_client_in_order_at_once_or_once_it_takes_them() -> None:
    """Those that have to wait go through the stream's task, and no later one overtakes them."""
    turns = random.Random(7)
    heard: list[int] = []
    at_once, later = 0, 0

    async def app(scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})
        for number in range(300):
            text = str(number).encode()
            assert scope["extensions"][SEND]["send"]([text])
            for _ in range(turns.randrange(3)):
                await asyncio.sleep(0.0005)

    def now(texts: list[bytes]) -> bool:
        nonlocal at_once
        if taken := turns.random() < 0.7:
            at_once += 1
            heard.extend(map(int, texts))
        return taken

    async def send(message: Any) -> None:
        nonlocal later
        await asyncio.sleep(0.001)
        if message["type"] == "websocket.send":
            later += 1
            heard.append(int(message["text"]))

    async with linked(app) as (asks, _, node):
        scope = SOCKET | {"extensions": {SEND: {"send": now}}}
        await asks.relay(node, scope, never, send)
    assert heard == [*range(300)]
    assert min(at_once, later) > 10


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
    send = AsyncMock(side_effect=lambda _: came.set())
    with structlog.testing.capture_logs() as lines:
        async with linked(app) as (asks, _answers, node):
            asked = asyncio.create_task(asks.relay(node, REQUEST, never, send))
            await came.wait()
            await asks.close(0)
            await ended.wait()
            await asyncio.gather(asked, return_exceptions=True)
    assert [line["event"] for line in lines] == []


@pytest.mark.parametrize("size", [1, 256 * 1024, 5 * 2**20 + 1])
async def test_an_answer_may_be_longer_than_a_frame(size: int) -> None:
    """It comes in pieces, and the link is there for others afterwards."""
    whole = random.Random(1).randbytes(size)

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": whole})

    async with linked(app) as (asks, _, node):
        for _ in range(2):
            came: list[Any] = []
            await asks.relay(node, REQUEST, never, AsyncMock(side_effect=came.append))
            assert b"".join(message.get("body", b"") for message in came) == whole
            more = [message.get("more_body", False) for message in came[1:]]
            assert more == [True] * (len(more) - 1) + [False]


async def test_part_of_an_answer_is_none() -> None:
    """The link was lost before the rest: what came of it can't be read."""

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b'["a', "more_body": True})

    async with linked(app) as (asks, _, node):
        cluster: Any = SimpleNamespace(_links=asks)
        assert await Cluster._asked(cluster, node, REQUEST, admin=False) == b""


async def test_who_does_not_read_holds_back_who_sends_and_nobody_else() -> None:
    """Both ways no more is on its way than a window and what was being sent."""
    told, taken, reads = 0, 0, asyncio.Event()
    text, most = "x" * 10_000, 2 * vars(links)["_WINDOW"]

    async def app(scope: Any, receive: Any, send: Any) -> None:
        nonlocal told
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"at once"})
            return
        while told < 200:
            await send({"type": "websocket.send", "text": text})
            told += 1
        for _ in range(200):
            await receive()

    heard: list[Any] = []

    async def slow(message: Any) -> None:
        await reads.wait()
        heard.append(message)

    async def talks() -> dict[str, Any]:
        nonlocal taken
        if taken == 200:
            await asyncio.Future()
        taken += 1
        return {"type": "websocket.receive", "text": text}

    async with linked(app) as (asks, answers, node):
        slowly = asyncio.create_task(asks.relay(node, SOCKET, talks, slow))
        (there,) = await _streams(answers)
        (here,) = await _streams(asks)
        await soon(lambda: not vars(there)["_writable"].is_set())
        await soon(lambda: not vars(here)["_writable"].is_set())
        assert 10 < told < most // len(text)
        assert 10 < taken < most // len(text)
        assert not there.send_now([b"later"])
        other: list[Any] = []
        await asks.relay(node, REQUEST, never, AsyncMock(side_effect=other.append))
        assert other[-1]["body"] == b"at once"
        assert len(heard) == 0
        reads.set()
        await slowly
        assert (told, taken, len(heard)) == (200, 200, 200)


async def _streams(of: Links) -> list[Stream]:
    def found() -> list[Stream]:
        both = [*vars(of)["_from"], *vars(of)["_to"].values()]
        return [stream for link in both for stream in vars(link)["_streams"].values()]

    await soon(lambda: bool(found()))
    return found()


async def test_a_node_that_says_nothing_is_let_go_and_found_again(monkeypatch: Patch) -> None:
    """The network between them swallows everything, and tells neither."""
    monkeypatch.setattr(links, "_PING_S", 0.05)
    monkeypatch.setattr(links, "_SILENCE_S", 0.5)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})
        await receive()

    async with linked(app) as (asks, _, node):
        between = Wire(lambda: [int(node.address.rpartition(":")[2])], random.Random())
        await between.listen()
        via = node._replace(address=f"127.0.0.1:{between.port}")
        ends = list[dict[str, Any]]()
        send = AsyncMock(side_effect=ends.append)
        with structlog.testing.capture_logs() as lines:
            first = asyncio.create_task(asks.relay(via, SOCKET, never, send))
            await soon(lambda: bool(ends))
            between.hang()
            await first
            assert [one["type"] for one in ends] == ["websocket.accept", "websocket.close"]
            assert ends[1]["code"] == CLOSE_RESTART
            between.heal()
            again = asyncio.create_task(asks.relay(via, SOCKET, never, send))
            await soon(lambda: len(ends) == 3)
            assert ends[2]["type"] == "websocket.accept"
        assert {line["event"] for line in lines} == {"link-silent"}
        again.cancel()
        await between.close()


# What it costs ------------------------------------------------------------------------------------


async def test_all_who_ask_a_node_that_does_not_answer_wait_together(monkeypatch: Patch) -> None:
    """As where its machine is gone: nothing refuses a connection then."""
    monkeypatch.setattr(links, "_HELLO_S", 0.2)
    asks = Links(bytes(32))
    nobody: Any = never
    with create_server(("127.0.0.1", 0)) as deaf:
        node = Node("b", "b", f"127.0.0.1:{deaf.getsockname()[1]}")
        tries = (asks.relay(node, REQUEST, never, nobody) for _ in range(20))
        async with asyncio.timeout(2):
            found = await asyncio.gather(*tries, return_exceptions=True)
    assert {type(one) for one in found} == {NotReached}
    await asks.close(0)


def _nothing(_: object) -> None:
    """Nobody listens."""


def _link(app: Any = None) -> tuple[Link, list[bytes]]:
    """A link, and what it writes, call by call."""
    calls: list[bytes] = []
    transport: Any = SimpleNamespace(
        write=calls.append, abort=lambda: None, resume_reading=lambda: None
    )
    link = Link(app, Traffic())
    link.connection_made(transport)
    return link, calls


async def test_frames_of_a_moment_are_one_write() -> None:
    link, calls = _link()
    streams = [link.open({"type": "websocket", "path": f"/ws/{n}"}) for n in range(4)]
    for stream in streams:
        assert stream.send_now([b"told"])
    assert calls == []
    await asyncio.sleep(0)
    assert len(calls) == 1
    streams[0].end()
    link.drop()
    assert len(calls) == 2  # what was said before the end is not lost


async def test_a_link_reads_frames_in_any_pieces() -> None:
    sender, calls = _link()
    stream = sender.open({"type": "websocket", "path": "/ws/t", "client": None, "server": None,
                          "headers": []})  # fmt: skip
    texts = [f"text {n}".encode() * n for n in range(1, 40)]
    for text in texts:
        assert stream.send_now([text])
    await asyncio.sleep(0)
    (sent,) = calls
    heard: list[bytes] = []
    whole = asyncio.Event()

    async def app(_: object, receive: Any, __: object) -> None:
        while len(heard) < len(texts):
            heard.extend((await receive())["texts"])
        whole.set()

    link, grants = _link(app)
    reading = asyncio.create_task(link.run())
    for at in range(0, len(sent), 7):
        link.data_received(sent[at : at + 7])
        await asyncio.sleep(0)
    await whole.wait()
    link.connection_lost(None)
    await reading
    assert heard == texts
    assert sum(map(len, grants)) < len(sent) / 10  # what was taken is told seldom


async def test_a_look_for_lost_tables_reads_none_that_a_node_keeps(
    url: str, conn: asyncpg.Connection
) -> None:
    one = Membership(url, "0", on_taken=_nothing, on_kept=_nothing, on_news=_nothing)
    try:
        await one.open({})
        await one.join(Node(one.id, "", "127.0.0.1:1"), ["lost-1", "lost-2"], reviews=False)
        await conn.execute(
            "INSERT INTO owners (table_id, node) SELECT 'table' || n, $1 "
            "FROM generate_series(1, 5000) AS n", one.id,
        )  # fmt: skip
        assert sorted(await one.take_all()) == ["lost-1", "lost-2"]
        await conn.execute("VACUUM ANALYZE owners")
        sql = f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {vars(membership)['_TAKE']}"
        (plan,) = json.loads(await conn.fetchval(sql.replace("$1", f"'{one.id}'")))
        assert plan["Plan"]["Shared Hit Blocks"] + plan["Plan"]["Shared Read Blocks"] < 30
    finally:
        await one.close()
