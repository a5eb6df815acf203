"""Connections that can't be held open for free: uvicorn's protocols with the bounds they lack.

A client that sends half a request, or that does not read what it is sent, costs a bounded piece of
memory for a bounded time, and is then cut off.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections import deque
from collections.abc import Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State
from websockets.streams import StreamReader

from okey101.server.close_codes import CLOSE_POLICY
from okey101.server.gc_tuning import step
from okey101.server.heartbeat import SETTLE_S, Heartbeat
from okey101.server.limits import Bucket
from okey101.server.places import ConnectionPlaces

try:
    from websockets.speedups import apply_mask
except ImportError:  # where it was not compiled
    from websockets.utils import apply_mask

if TYPE_CHECKING:
    from types import GeneratorType

    from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
    from uvicorn.protocols.http.httptools_impl import RequestResponseCycle
    from websockets.frames import Frame
    from websockets.http11 import Request
    from websockets.server import ServerProtocol

__all__ = ["ABORT", "RECEIVE", "SEND", "Http", "WebSocket"]

ABORT: Final = "okey101.abort"
"""The extension of a WebSocket's scope with the function that drops the connection at once."""
SEND: Final = "okey101.send"
"""The extension with the function that sends texts at once, or says that it would have to wait."""

RECEIVE: Final = "okey101.receive"
"""The extension with the function that waits for the next message, past the framework's own."""

_REQUEST_S: Final = 30.0
"""How long a whole request may take to arrive."""
_STALL_S: Final = 10.0
"""How long a client may read nothing of what was sent to it."""
_LINGER_S: Final = 5.0
"""How long the client of a closed connection may read nothing of its last bytes."""
_MOST_UNREAD: Final = 1024 * 1024
_SEND_BUFFER: Final = 64 * 1024
"""What the system may hold of what is sent; by default it takes megabytes for each connection."""
_MOST_HEAD: Final = 64 * 1024
_CONTROL_RATE: Final = 10.0
_CONTROL_BURST: Final = 100


class _Patience:
    """Drops a connection if what was begun does not end in time, which the process's pauses are not
    part of.
    """

    __slots__ = ("_abort", "_heart", "_lost", "_seconds", "_timer")

    def __init__(self, seconds: float, abort: Callable[[], None], heart: Heartbeat) -> None:
        self._seconds = seconds
        self._abort = abort
        self._heart = heart
        self._lost = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Begin to wait, unless it has begun."""
        if self._timer is None:
            self._lost = self._heart.lost
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._seconds, self._look)

    def end(self) -> None:
        """What it waited for has come."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        loop = asyncio.get_running_loop()
        left, self._lost = self._heart.lost_since(self._lost, loop.time())
        if left:
            self._timer = loop.call_later(min(left, self._seconds), self._look)
        else:
            self._over()

    def _over(self) -> None:
        self._timer = None
        self._abort()


class _Reading(_Patience):
    """Drops a connection whose client reads nothing of what it was sent; a slow reader has time.

    The system takes more from the buffer once a third of its own is free, so that a client has to
    read some 20 kB each time.
    """

    __slots__ = ("_left", "_unread")

    def __init__(self, seconds: float, transport: asyncio.Transport, heart: Heartbeat) -> None:
        super().__init__(seconds, transport.abort, heart)
        self._unread = transport.get_write_buffer_size
        self._left = 0

    def begin(self) -> None:
        """Begin to wait, unless it has begun."""
        if self._timer is None:
            self._left = self._unread()
        super().begin()

    def _over(self) -> None:
        if self._unread() >= self._left:
            super()._over()
        else:
            self._timer = None
            self.begin()


class _Wire:
    """A transport that keeps no connection open for a client who does not read."""

    def __init__(
        self, transport: asyncio.Transport, heart: Heartbeat, leave: Callable[[], None]
    ) -> None:
        """``leave`` gives the connection's place back once it is gone."""
        self._transport = transport
        self._leave = leave
        self._linger = _Reading(_LINGER_S, transport, heart)
        self._lost = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Send, or drop the connection where too much is unread already.

        What is written to a lost connection is lost; a transport of uvloop would raise.
        """
        if self._lost:
            return
        if self._transport.get_write_buffer_size() > _MOST_UNREAD:
            self._transport.abort()
            return
        self._transport.write(data)

    @property
    def write_now(self) -> Callable[[bytes], None]:
        """Sends without looking; for those who know that nothing is unread and nobody gone."""
        return self._transport.write

    def close(self) -> None:
        """Close once all is sent, or once the client has read nothing for a moment."""
        self._transport.close()
        if not self._lost:
            self._linger.begin()

    def lost(self) -> None:
        """The connection is gone: nothing is left to wait for."""
        if not self._lost:
            self._leave()
        self._lost = True
        self._linger.end()


def _nothing() -> None:
    return None


def _peer(transport: asyncio.Transport) -> str:
    """The address of the other end, empty where it has none."""
    name = transport.get_extra_info("peername")
    return str(name[0]) if isinstance(name, tuple | list) and name else ""


class Http(HttpToolsProtocol):
    """HTTP/1.1 with bounds on the size of a request's head, on its time, and on unread answers."""

    heart = Heartbeat()
    """Of the process; one that was never started knows of no pause."""
    places: ConnectionPlaces | None = None
    """How many connections there may be; None for any number."""
    _refused = False
    _wire: _Wire
    _request: _Patience
    _unread: _Patience
    _head = _lines = 0
    _in_head = True
    _in_request = True
    _upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a new connection, unless its address, or everybody, has too many."""
        leave = _nothing if self.places is None else self.places.enter(_peer(transport))
        if leave is None:
            self._refused = True
            transport.abort()
            return
        self._wire = _Wire(transport, self.heart, leave)
        self._request = _Patience(_REQUEST_S, transport.abort, self.heart)
        self._unread = _Reading(_STALL_S, transport, self.heart)
        self._request.begin()
        super().connection_made(cast("asyncio.Transport", self._wire))
        _bound_buffer(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of everything that waits."""
        if self._refused:
            return
        self._request.end()
        self._unread.end()
        super().connection_lost(exc)
        self._wire.lost()

    def data_received(self, data: bytes) -> None:
        """Read on; the time for a request begins with its first byte and is not prolonged."""
        if self._refused:
            return
        if self._in_head:
            self._head += len(data)
            if self._head > _MOST_HEAD + len(data):
                self.send_400_response("The head of the request is too long.")
                return
        super().data_received(data)
        if self._upgraded:
            return
        # Between two requests uvicorn counts the time, but no longer once a blank line came.
        uncounted = self.timeout_keep_alive_task is None
        if self._in_request or (self.cycle.response_complete and uncounted):
            self._request.begin()
        else:
            self._request.end()

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over."""
        self._upgraded = True
        self._request.end()
        self._unread.end()
        super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]  # it points back, for the collector to find

    def shutdown(self) -> None:
        """Close once all whole requests are answered; one that is incomplete is dropped."""
        self.drop_unfinished()
        super().shutdown()

    def drop_unfinished(self) -> None:
        """Close the connection if the application waits for the rest of a request's body."""
        cycle = cast("RequestResponseCycle | None", self.cycle)
        if cycle is not None and cycle.more_body and not cycle.response_started:
            self.transport.close()

    def on_message_begin(self) -> None:
        """A request begins."""
        self._in_head = self._in_request = True
        self._head = self._lines = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Take a part of the address."""
        if len(self.url) + len(url) > _MOST_HEAD:
            raise ValueError("the address is too long")
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header; those after the body are dropped, as the head can't grow any more."""
        if self._in_head:
            self._lines += len(name) + len(value)
            if self._lines > _MOST_HEAD:
                raise ValueError("the head is too long")
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The head is complete, and the application is asked."""
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request is complete."""
        self._in_request = False
        super().on_message_complete()

    def pause_writing(self) -> None:
        """Much is unread."""
        super().pause_writing()
        self._unread.begin()

    def resume_writing(self) -> None:
        """It was read."""
        super().resume_writing()
        self._unread.end()


def _bound_buffer(transport: asyncio.Transport) -> None:
    """Let the system hold little of what is sent, so that it shows who reads."""
    with contextlib.suppress(OSError):  # the client has already gone
        one = transport.get_extra_info("socket")
        one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)


def _frame(text: bytes) -> bytes:
    """A whole text message of a server, as the WebSocket protocol writes it."""
    size = len(text)
    if size < 126:
        return b"\x81%c%b" % (size, text)
    if size < 65_536:
        return b"\x81\x7e%b%b" % (size.to_bytes(2), text)
    return b"\x81\x7f%b%b" % (size.to_bytes(8), text)


def _short_text(data: bytes) -> str | None:
    """The message of a single short frame with text, as clients send nearly all of theirs.

    None for anything else, whatever may be wrong with it.
    """
    if len(data) < 7 or data[0] != 0x81 or data[1] != len(data) + 122 or data[1] > 0xFD:
        return None
    try:
        return apply_mask(data[6:], data[2:6]).decode()
    except UnicodeDecodeError:
        return None


_BETWEEN: Final = StreamReader.at_eof.__code__


def _between_frames(conn: ServerProtocol) -> bool:
    """Whether a protocol has read whole frames: its parser asks whether anything follows."""
    waiting = cast("GeneratorType[None, None, None]", conn.parser)
    while (inner := waiting.gi_yieldfrom) is not None:
        waiting = cast("GeneratorType[None, None, None]", inner)
    return waiting.gi_code is _BETWEEN


class _Inbox:
    """What the application has still to read; for one reader. A queue of asyncio costs twice."""

    __slots__ = ("_events", "_loop", "_reader")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._events: deque[ASGIReceiveEvent] = deque()
        self._loop = loop
        self._reader: asyncio.Future[None] | None = None

    def put_nowait(self, event: ASGIReceiveEvent) -> None:
        """Take one more."""
        self._events.append(event)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    @property
    def awaited(self) -> bool:
        """Whether somebody waits for the next one, and nothing is there yet."""
        return self._reader is not None and not self._events

    def empty(self) -> bool:
        """Whether nothing is there."""
        return not self._events

    async def get(self) -> ASGIReceiveEvent:
        """The next one; a reader that is cancelled loses none."""
        while not self._events:
            self._reader = self._loop.create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        return self._events.popleft()


class WebSocket(WebSocketsSansIOProtocol):
    """WebSocket with bounds on unread messages and on control frames."""

    heart = Heartbeat()
    """Of the process; one that was never started knows of no pause."""
    _lost = 0.0
    """What was lost before the last ping."""
    _whole = False
    """Whether what was read ended with a frame, and the next one begins a message."""
    _unread: _Patience
    _controls: Bucket
    _inbox: _Inbox
    _write: Callable[[bytes], None]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a connection over from HTTP."""
        wire = cast("asyncio.Transport", transport)
        self._unread = _Patience(_STALL_S, wire.abort, self.heart)
        self._controls = Bucket(_CONTROL_RATE, _CONTROL_BURST, monotonic)
        self._inbox = _Inbox(self.loop)
        self.queue = cast("asyncio.Queue[ASGIReceiveEvent]", self._inbox)
        self._write = wire.write_now if isinstance(wire, _Wire) else wire.write
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of everything that waits."""
        self._unread.end()
        super().connection_lost(exc)
        transport: object = self.transport
        if isinstance(transport, _Wire):
            transport.lost()

    def data_received(self, data: bytes) -> None:
        """Read on; a handshake that can't be read is answered, and the connection closed."""
        step()
        if self._whole and self.conn.state is State.OPEN and not self.close_sent:
            text = _short_text(data)
            if text is not None:
                self._hand_over({"type": "websocket.receive", "text": text})
                return
        super().data_received(data)
        self._whole = not self.frames and _between_frames(self.conn)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            self.handshake_initiated = self.handshake_complete = self.close_sent = True
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()

    def handle_connect(self, event: Request) -> None:
        """Ask the application, which may drop the connection by an extension of the scope."""
        super().handle_connect(event)
        if not self.close_sent:
            extensions = cast("dict[str, object]", self.scope.get("extensions"))
            extensions[ABORT] = {"abort": self.transport.abort}
            extensions[SEND] = {"send": self.send_now}
            extensions[RECEIVE] = {"receive": self.receive}

    async def run_asgi(self) -> None:
        """Run the application, and let go of what would keep this object until it is collected."""
        await super().run_asgi()
        cast("dict[str, object]", self.scope.get("extensions")).clear()

    async def send(self, message: ASGISendEvent) -> None:
        """Send; a handshake that was refused in words is complete, which uvicorn calls a fault."""
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True

    def send_now(self, texts: Sequence[bytes]) -> bool:
        """Send texts, in UTF-8, a frame each; False where that would have to wait, or is too late.

        The way through the application costs several times what this does, for every event and
        every seat. Nothing of a frame depends on those before it, as nothing is compressed.
        """
        if self.disconnected or self.close_sent or self.conn.state is not State.OPEN:
            return False
        if not self.writable.is_set():
            return False
        self._write(_frame(texts[0]) if len(texts) == 1 else b"".join(map(_frame, texts)))
        return True

    def handle_cont(self, event: Frame) -> None:
        """Take a part of a message; empty ones cost no bytes and so would have no bound."""
        if event.data or event.fin:
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Pass a message on, unless the last word was said; one that is not UTF-8 closes."""
        data, self.frames = b"".join(self.frames), []
        if self.close_sent:
            return
        if self.curr_msg_data_type == "bytes":
            self._hand_over({"type": "websocket.receive", "bytes": data})
            return
        try:
            self._hand_over({"type": "websocket.receive", "text": data.decode()})
        except UnicodeDecodeError:
            self._fail(1007, "not UTF-8")

    def _hand_over(self, event: ASGIReceiveEvent) -> None:
        """Give the application a message; where it is busy, no more are read until it has it."""
        awaited = self._inbox.awaited
        self._inbox.put_nowait(event)
        if not awaited and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def _fail(self, code: int, reason: str) -> None:
        self.conn.fail(code, reason)
        self.handle_parser_exception()

    def handle_ping(self) -> None:
        """Answer, unless there are too many."""
        if self._may_control():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Take an answer, unless there are too many."""
        if self._may_control():
            super().handle_pong(event)

    def send_keepalive_ping(self) -> None:
        """Ask whether anybody is there."""
        self._lost = self.heart.lost
        super().send_keepalive_ping()

    def keepalive_timeout(self) -> None:
        """Close, unless it was this process that was silent: the answer may wait to be read."""
        left, self._lost = self.heart.lost_since(self._lost, self.loop.time())
        if left:
            again = max(left, SETTLE_S)
            self.pong_timer = self.loop.call_later(again, self.keepalive_timeout)
        else:
            super().keepalive_timeout()

    def _may_control(self) -> bool:
        if self.close_sent:
            return False
        if not self._controls.take():
            return True
        self._fail(CLOSE_POLICY, "too many control frames")
        return False

    def pause_writing(self) -> None:
        """Much is unread."""
        super().pause_writing()
        self._unread.begin()

    def resume_writing(self) -> None:
        """It was read."""
        super().resume_writing()
        self._unread.end()
