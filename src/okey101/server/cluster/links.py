"""Requests and sockets carried from the node they came to, to the node that keeps their table.

From each node to each other goes one connection, which carries any number of streams: a stream is
one request or one WebSocket, as ASGI has them. The node it came to sends the scope, then both pass
messages on. Each direction of a stream has a window: who sends waits until the other end has passed
on what it got, so that a client that does not read is noticed by the node that keeps the table, as
on a socket of its own. Both ends prove that they know the nodes' key before anything else is read;
what follows is not encrypted, so that nodes talk over a private network.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import secrets
import struct
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from time import monotonic
from typing import Any, Final, NamedTuple, cast

import msgspec

from okey101.server.net.close_codes import CLOSE_RESTART, RESTARTING
from okey101.server.net.websocket import ABORT, RECEIVE, SEND
from okey101.server.ops.logs import logger, trace_of
from okey101.server.work.tasks import Gathered, Tasks

RELAYED: Final = "okey101.relayed"
"""The extension of a scope that another node has sent: it is not sent on.

``admin`` says whether the administrator's token was shown there.
"""
_TEXTS: Final = "okey101.texts"
"""The message of several texts at once."""
_WINDOW: Final = 256 * 1024
"""How many bytes of a stream may be on their way in one direction."""
_GRANT_FROM: Final = _WINDOW // 4
"""So many bytes that were passed on are told to the other end at once."""
_AT_ONCE: Final = 2**16
_MOST_FRAME: Final = 4 * 1024 * 1024
_HELLO_S: Final = 2.0
_PING_S: Final = 1.0
_SILENCE_S: Final = 3.0
"""A link is dropped on which nothing has come for so long."""
_NONCE_BYTES: Final = 16
_PASSED: Final = (
    "type", "http_version", "scheme", "server", "client", "method", "path", "raw_path",
    "query_string", "root_path", "headers", "subprotocols", "admin",
)  # fmt: skip

_HEAD: Final = struct.Struct("!IBI")
"""Of a frame: the number of its stream, what it is, and how many bytes follow."""
_OPEN, _MESSAGE, _GRANT, _END, _PING = range(5)

_log = logger(__name__)

Message = Mapping[str, Any]
App = Callable[[Any, Any, Any], Awaitable[None]]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]


class Node(NamedTuple):
    """One run of a server: its id, the name it was given, and where other nodes reach it."""

    id: str
    name: str
    address: str


@dataclass(slots=True)
class Traffic:
    """Messages that have come from other nodes or gone to them, and how many bytes they were."""

    messages: int = 0
    size: int = 0

    def one(self, size: int) -> None:
        """Count one more."""
        self.messages += 1
        self.size += size


class LinkBroken(OSError):
    """The other node can't be reached, or was lost."""


class NotReached(LinkBroken):
    """No link to the other node could be opened: nothing was asked of it."""


class Stream:
    """One request or socket on a link: messages both ways, as far as the other end takes them."""

    def __init__(self, link: Link, number: int) -> None:
        self._link = link
        self._number = number
        self._credit = _WINDOW
        self._passed = 0
        self._came: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._waits = False
        self._writable = asyncio.Event()
        self._writable.set()
        self.deliver: Callable[[Sequence[bytes]], bool] | None = None
        """Gives texts to a client at once, or says that they have to wait."""
        self.over = False

    async def send(self, message: Message) -> None:
        """Send a message once there is room for it; LinkBroken where the stream has ended.

        A long body goes in pieces.
        """
        body = message.get("body", b"")
        while len(body) > _WINDOW:
            await self.send({**message, "body": body[:_WINDOW], "more_body": True})
            body = body[_WINDOW:]
            message = {**message, "body": body}
        await self._writable.wait()
        if self.over:
            raise LinkBroken("the stream has ended")
        self._put(msgspec.msgpack.encode(message))

    def send_now(self, texts: Sequence[bytes]) -> bool:
        """Send texts, in UTF-8, for a WebSocket; False where that has to wait, or is too late."""
        if self.over or not self._writable.is_set():
            return False
        self._put(msgspec.msgpack.encode({"type": _TEXTS, "texts": texts}))
        return True

    def _put(self, data: bytes) -> None:
        self._link.traffic.one(len(data))
        self._credit -= len(data)
        if self._credit <= 0:
            self._writable.clear()
        self._link.write(self._number, _MESSAGE, data)

    async def receive(self) -> dict[str, Any] | None:
        """The next message; None at the end. A reader that is cancelled loses none."""
        while not self._came:
            if self.over:
                return None
            self._wake.clear()
            self._waits = True
            try:
                await self._wake.wait()
            finally:
                self._waits = False
        data = self._came.popleft()
        self._pass(len(data))
        found: dict[str, Any] = msgspec.msgpack.decode(data)
        return found

    def _pass(self, size: int) -> None:
        self._passed += size
        if self._passed >= _GRANT_FROM and not self.over:
            self._link.write(self._number, _GRANT, msgspec.msgpack.encode(self._passed))
            self._passed = 0

    def came(self, data: bytes) -> None:
        """A message came: the client has it at once, where no other one is on its way."""
        if self.deliver is not None and self._waits and not self._came:
            message = msgspec.msgpack.decode(data)
            if message["type"] == _TEXTS and self.deliver(message["texts"]):
                self._pass(len(data))
                return
        self._came.append(data)
        self._wake.set()

    def granted(self, size: int) -> None:
        """The other end has passed so many bytes on."""
        self._credit += size
        if self._credit > 0:
            self._writable.set()

    def ended(self) -> None:
        """The other end has ended it, or the link is lost."""
        self.over = True
        self._wake.set()
        self._writable.set()

    def end(self) -> None:
        """End it; calling it again does nothing."""
        if not self.over:
            self._link.write(self._number, _END)
        self._link.forget(self._number)
        self.ended()


class Link(asyncio.Protocol):
    """A connection to another node, whose streams this node opens, or answers."""

    transport: asyncio.Transport

    def __init__(
        self, app: App | None, traffic: Traffic, made: Callable[[Link], object] = lambda _: None
    ) -> None:
        """``app`` answers the streams that the other end opens; None where this end opens them.

        ``made`` hears of it once it is connected.
        """
        self._app, self.traffic, self._made = app, traffic, made
        self._rest = b""
        self._proven = False
        self._news = asyncio.Event()
        self._streams: dict[int, Stream] = {}
        self._numbers = count()
        self._tasks: set[asyncio.Task[None]] = set()
        self._heard = monotonic()
        self._frames: list[bytes] = []
        self.lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It is connected."""
        self.transport = cast("asyncio.Transport", transport)
        self._made(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """The other end has gone."""
        self.drop()

    def data_received(self, data: bytes) -> None:
        """Take what has come; before the other end has proved itself not much of it."""
        self._heard = monotonic()
        self._rest += data
        if self._proven:
            self._take_whole()
            return
        if len(self._rest) > _AT_ONCE:
            self.transport.pause_reading()
        self._news.set()

    async def exactly(self, size: int) -> bytes:
        """So many bytes of what the other end proves itself by; LinkBroken where it has gone."""
        while len(self._rest) < size:
            if self.lost:
                raise LinkBroken("the link is lost")
            self._news.clear()
            await self._news.wait()
        found, self._rest = self._rest[:size], self._rest[size:]
        return found

    def write(self, number: int, kind: int, data: bytes = b"") -> None:
        """Send a frame, with the others of this moment; on a lost link it is lost."""
        if self.lost:
            return
        if not self._frames:
            asyncio.get_running_loop().call_soon(self._flush)
        self._frames += (_HEAD.pack(number, kind, len(data)), data)

    def _flush(self) -> None:
        if self._frames and not self.lost:
            self.transport.write(b"".join(self._frames))
        self._frames.clear()

    def open(self, scope: Mapping[str, Any]) -> Stream:
        """Begin a stream by its scope; LinkBroken where the link is lost."""
        if self.lost:
            raise LinkBroken("the link is lost")
        number = next(self._numbers)
        stream = self._streams[number] = Stream(self, number)
        told = {name: scope[name] for name in _PASSED if name in scope}
        self.write(number, _OPEN, msgspec.msgpack.encode(told))
        return stream

    def forget(self, number: int) -> None:
        """Let go of a stream that has ended."""
        self._streams.pop(number, None)

    async def run(self) -> None:
        """Take frames until the link is lost; then all its streams have ended."""
        self._proven = True
        self.transport.resume_reading()
        self._take_whole()
        try:
            while not self.lost and monotonic() < self._heard + _SILENCE_S:
                self.write(0, _PING)
                self._news.clear()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_PING_S):
                        await self._news.wait()
            if not self.lost:
                _log.warning("link-silent")
        finally:
            self.drop()

    def _take_whole(self) -> None:
        try:
            self._rest = self._taken(self._rest)
        except (msgspec.MsgspecError, ValueError):
            self.drop()

    def _taken(self, data: bytes) -> bytes:
        """Take the frames that are whole; what is left of the last one. ValueError for none."""
        at = 0
        while len(data) >= at + _HEAD.size:
            number, kind, size = _HEAD.unpack_from(data, at)
            if size > _MOST_FRAME:
                raise ValueError("no frame")
            begin = at + _HEAD.size
            if len(data) < begin + size:
                break
            at = begin + size
            self._take(number, kind, data[begin:at])
        return data[at:]

    def _take(self, number: int, kind: int, data: bytes) -> None:
        if kind == _OPEN and self._app is not None and number not in self._streams:
            stream = self._streams[number] = Stream(self, number)
            task = asyncio.create_task(self._answer(stream, msgspec.msgpack.decode(data)))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            return
        found = self._streams.get(number)
        if found is None:
            return  # it has ended here, which the other end will hear
        if kind == _MESSAGE:
            self.traffic.one(len(data))
            found.came(data)
        elif kind == _GRANT:
            found.granted(msgspec.msgpack.decode(data, type=int))
        elif kind == _END:
            self.forget(number)
            found.ended()

    async def _answer(self, stream: Stream, told: dict[str, Any]) -> None:
        """Have the application answer a stream, as if its client had come here."""
        assert self._app is not None
        socket = told["type"] == "websocket"
        gone = {"type": "websocket.disconnect", "code": 1006} if socket else {
            "type": "http.disconnect"
        }  # fmt: skip

        async def receive() -> dict[str, Any]:
            return await stream.receive() or gone

        extensions: dict[str, Any] = {RELAYED: {"admin": told.pop("admin", False)}}
        if socket:
            extensions |= {
                "websocket.http.response": {},
                ABORT: {"abort": stream.end},
                SEND: {"send": stream.send_now},
                RECEIVE: {"receive": receive},
            }
        scope = told | {
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "client": tuple(told["client"] or ()) or None,
            "server": tuple(told["server"] or ()) or None,
            "headers": [(bytes(name), bytes(value)) for name, value in told["headers"]],
            "state": {},
            "extensions": extensions,
        }
        try:
            await self._app(scope, receive, stream.send)
        except Exception as error:  # noqa: BLE001  # one stream must not end the others
            # The other end is gone where the stream is, whatever the application made of that.
            if not (isinstance(error, OSError) or stream.over):
                _log.error("relayed-failed", trace=trace_of(error))
        finally:
            stream.end()
            extensions.clear()

    def drop(self) -> None:
        """Lose the link; calling it again does nothing."""
        if self.lost:
            return
        self._flush()
        self.lost = True
        self._news.set()
        self.transport.abort()
        streams, self._streams = self._streams, {}
        for stream in streams.values():
            stream.ended()

    async def drained(self, seconds: float) -> None:
        """Give the streams that this end answers a moment to end by themselves, then drop all."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)
        self.drop()


class Links:
    """The links of a node: those it has opened to others, and those that others have opened."""

    def __init__(self, key: bytes = b"") -> None:
        """``key`` is what only the nodes know."""
        self.key = key
        self.traffic = Traffic()
        self._app: App | None = None
        self._server: asyncio.Server | None = None
        self._to: dict[str, Link] = {}
        self._opening: dict[str, Gathered[None, Link]] = {}
        self._from: set[Link] = set()
        self._running = Tasks()
        self._carried = set[Stream]()
        """The sockets that this node carries to others."""

    async def listen(self, host: str, port: int, app: App) -> int:
        """Take links of others, whose streams ``app`` answers; returns the port. OSError."""
        self._app = app
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            lambda: Link(app, self.traffic, lambda link: self._running.spawn(self._let_in(link))),
            host,
            port,
        )
        found: int = self._server.sockets[0].getsockname()[1]
        return found

    async def close(self, seconds: float = 1.0) -> None:
        """Take no more links, and drop those there are once their streams have ended."""
        if self._server is not None:
            self._server.close()
        await asyncio.gather(*(link.drained(seconds) for link in [*self._from]))
        for link in self._to.values():
            link.drop()
        await self._running.cancel()

    async def relay(
        self, node: Node, scope: Mapping[str, Any], receive: Receive, send: Send
    ) -> None:
        """Have another node answer a request or a socket.

        LinkBroken where nothing of an answer has come; one that was begun is cut off.
        """
        link = await self._link_to(node)
        stream = link.open(scope)
        socket = scope["type"] == "websocket"
        if socket:
            self._carried.add(stream)
        now = stream.deliver = (scope.get("extensions") or {}).get(SEND, {}).get("send")
        up = asyncio.create_task(_pass_on(receive, stream))
        begun = False
        try:
            while (message := await stream.receive()) is not None:
                begun = True
                if message["type"] != _TEXTS:
                    await send(message)
                elif now is None or not now(message["texts"]):
                    for text in message["texts"]:
                        await send({"type": "websocket.send", "text": text.decode(), "bytes": None})
        finally:
            up.cancel()
            stream.end()
            parted = socket and stream not in self._carried
            self._carried.discard(stream)
        if not begun:
            raise LinkBroken("the other node is gone")
        if parted or (socket and link.lost):
            await send({"type": "websocket.close", "code": CLOSE_RESTART, "reason": RESTARTING})

    @property
    def carried(self) -> int:
        """How many sockets this node carries to others."""
        return len(self._carried)

    def part(self, most: int) -> None:
        """Send so many of them away: they come back by another node."""
        for stream in [*self._carried][:most]:
            self._carried.discard(stream)
            stream.end()

    async def _link_to(self, node: Node) -> Link:
        # Together: of a node whose machine is gone each would wait for its own time to be over.
        opening = self._opening.setdefault(node.id, Gathered(lambda _: self._opened(node)))
        link = self._to.get(node.id)
        return await opening.of() if link is None or link.lost else link

    async def _opened(self, node: Node) -> Link:
        link = self._to.get(node.id)
        if link is not None and not link.lost:
            return link
        host, _, port = node.address.rpartition(":")
        try:
            async with asyncio.timeout(_HELLO_S):
                _, link = await asyncio.get_running_loop().create_connection(
                    lambda: Link(None, self.traffic), host.strip("[]"), int(port)
                )
                try:
                    await self._prove(link)
                except BaseException:
                    link.drop()
                    raise
        except (OSError, ValueError) as error:
            _log.warning("node-unreachable", node=node.name, why=type(error).__name__)
            raise NotReached("the other node can't be reached") from None
        self._to[node.id] = link
        self._running.spawn(link.run())
        return link

    # Proofs ---------------------------------------------------------------------------------------

    async def _prove(self, link: Link) -> None:
        """Who dials shows that it knows the key, after the other end has."""
        mine = secrets.token_bytes(_NONCE_BYTES)
        link.transport.write(mine)
        theirs = await link.exactly(_NONCE_BYTES)
        shown = await link.exactly(sha256().digest_size)
        if not hmac.compare_digest(shown, self._proof(b"answers", mine, theirs)):
            raise ValueError("another key")
        link.transport.write(self._proof(b"asks", mine, theirs))

    async def _let_in(self, link: Link) -> None:
        try:
            async with asyncio.timeout(_HELLO_S):
                theirs = await link.exactly(_NONCE_BYTES)
                mine = secrets.token_bytes(_NONCE_BYTES)
                link.transport.write(mine + self._proof(b"answers", theirs, mine))
                shown = await link.exactly(sha256().digest_size)
        except OSError:
            link.drop()
            return
        if not hmac.compare_digest(shown, self._proof(b"asks", theirs, mine)):
            _log.warning("link-refused")
            link.drop()
            return
        self._from.add(link)
        try:
            await link.run()
        finally:
            self._from.discard(link)

    def _proof(self, who: bytes, asks: bytes, answers: bytes) -> bytes:
        return hmac.digest(self.key, b"okey101 link " + who + asks + answers, "sha256")


async def _pass_on(receive: Receive, stream: Stream) -> None:
    """Send what a client sends, until it has gone."""
    with contextlib.suppress(LinkBroken):
        while True:
            message = await receive()
            await stream.send(message)
            if message["type"].endswith(".disconnect"):
                return
