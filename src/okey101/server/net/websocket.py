"""WebSockets for uvicorn on the parser of ``websockets``, with the bounds that both lack.

Nothing is compressed: it would cost 33 kB a socket and two fifths of the speed.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from http import HTTPStatus
from time import monotonic
from typing import Any, Final, cast
from urllib.parse import unquote

from uvicorn import Config
from uvicorn.server import ServerState
from websockets.datastructures import Headers
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.utils import apply_mask

from okey101.server.net.close_codes import CLOSE_FAILED, CLOSE_POLICY, CLOSE_RESTART
from okey101.server.net.heartbeat import Deadline, Heartbeat, Wire
from okey101.server.net.limits import Bucket
from okey101.server.ops.gc_tuning import step

ABORT: Final = "okey101.abort"
"""The extension of a WebSocket's scope with the function that drops the connection at once."""
SEND: Final = "okey101.send"
"""The extension with the function that sends texts at once, or says that it would have to wait."""
RECEIVE: Final = "okey101.receive"
"""The extension with the function that waits for the next message, past the framework's own."""

_CONTROL_RATE: Final = 10.0
_CONTROL_BURST: Final = 100
_CLOSING_S: Final = 10.0
"""How long the other end may take to answer the close frame."""
_LOGGER: Final = logging.getLogger("uvicorn.error")


def _frame(text: bytes) -> bytes:
    """A whole text message, not masked (RFC 6455, 5.2); the library takes five times as long."""
    size = len(text)
    if size < 126:
        return b"\x81%c%b" % (size, text)
    if size <= 0xFFFF:
        return b"\x81\x7e" + size.to_bytes(2) + text
    return b"\x81\x7f" + size.to_bytes(8) + text


def _payload_at(data: bytes) -> int:
    """Where the payload of a frame begins, if these bytes are one whole masked frame; else 0."""
    if len(data) < 6 or not 0x80 <= data[1] < 0xFF:
        return 0
    at, size = (8, int.from_bytes(data[2:4])) if data[1] == 0xFE else (6, data[1] - 0x80)
    return at if len(data) == at + size else 0


class WebSocket(asyncio.Protocol):
    """The ASGI side of one WebSocket, with bounds on unread messages and on control frames."""

    heart = Heartbeat()
    """Of the process; one that was never started knows of no pause."""

    def __init__(
        self, config: Config, server_state: ServerState, app_state: dict[str, Any]
    ) -> None:
        """As uvicorn makes its protocols."""
        self._loop = asyncio.get_running_loop()
        self._config, self._server, self._state = config, server_state, app_state
        self._conn = ServerProtocol(max_size=config.ws_max_size, logger=_LOGGER)
        self._controls = Bucket(_CONTROL_RATE, _CONTROL_BURST, monotonic)
        self._next_ping: asyncio.TimerHandle | None = None
        self._silence = Deadline(config.ws_ping_timeout or 0.0, self._silent, self.heart)
        self._closing: asyncio.TimerHandle | None = None
        self._writable = asyncio.Event()
        self._writable.set()
        self._paused = self._ended = False
        self._events: deque[dict[str, Any]] = deque()
        """What the application has still to read."""
        self._reader: asyncio.Future[None] | None = None
        self._message = bytearray()
        self._is_text = True
        self._whole = False
        """Whether all reads since the handshake were whole messages: the parser has no part of one.
        """
        self._response: Response | None = None
        """The answer to the handshake, until it is given."""

    # What the connection brings -------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a connection over from HTTP."""
        self._wire = cast("Wire", transport)
        self._server.connections.add(cast("Any", self))

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of everything that waits."""
        self._ended = True
        self._server.connections.discard(cast("Any", self))
        self._silence.drop()
        for timer in (self._next_ping, self._closing):
            if timer is not None:
                timer.cancel()
        self._put({"type": "websocket.disconnect", "code": 1006})
        self._writable.set()
        self._wire.lost()

    def data_received(self, data: bytes) -> None:
        """Read on; what breaks the protocol, or is too long, is answered by the parser itself.

        A short text that comes alone, as nearly all do, needs no parser.
        """
        at = _payload_at(data)
        if at == 6 and data[0] == 0x81 and self._whole and self._conn.state is State.OPEN:
            self._hear(apply_mask(data[6:], data[2:6]), is_text=True)
            if self._ended:
                self._flush()
            return
        self._whole = self._whole and at > 0 and data[0] >= 0x80
        self._conn.receive_data(data)
        for event in self._conn.events_received():
            if isinstance(event, Request):
                self._ask(event)
            elif isinstance(event, Frame) and event.opcode is not Opcode.CLOSE:
                self._take(event)
        if self._conn.close_rcvd is not None or self._conn.parser_exc is not None:
            self._ended = True
            self._put({"type": "websocket.disconnect", "code": 1006})
        self._flush()

    def pause_writing(self) -> None:
        """Much is unread."""
        self._writable.clear()
        self._wire.pause()

    def resume_writing(self) -> None:
        """It was read."""
        self._writable.set()
        self._wire.resume()

    def shutdown(self) -> None:
        """Say that the server ends."""
        self._put({"type": "websocket.disconnect", "code": CLOSE_RESTART})
        if not self._ended and self._conn.state is State.OPEN:
            self._conn.send_close(CLOSE_RESTART)
            self._flush()
        self._ended = True
        self._wire.close()

    def abort(self) -> None:
        """Drop the connection at once."""
        self._wire.abort()

    def _flush(self) -> None:
        """Send what the parser wants sent; an empty piece says that nothing follows."""
        pieces = self._conn.data_to_send()
        if data := b"".join(pieces):
            self._wire.write(data)
        if pieces and not pieces[-1]:
            self._wire.close()

    def _take(self, frame: Frame) -> None:
        if self._ended:
            return
        if frame.opcode is Opcode.PING or frame.opcode is Opcode.PONG:
            step()
            if self._controls.take():
                self._fail(CLOSE_POLICY, "too many control frames")
            elif frame.opcode is Opcode.PONG:
                self._silence.end()
            return
        if frame.opcode is not Opcode.CONT:
            self._is_text = frame.opcode is Opcode.TEXT
        if not frame.fin or self._message:
            self._message += frame.data
            if not frame.fin:
                return
        data, self._message = bytes(self._message or frame.data), bytearray()
        self._hear(data, is_text=self._is_text)

    def _hear(self, data: bytes, *, is_text: bool) -> None:
        """Hand a whole message to the application."""
        if self._ended:
            return
        try:
            event = {"bytes": data} if not is_text else {"text": data.decode()}
        except UnicodeDecodeError:
            self._fail(1007, "not UTF-8")
            return
        awaited = self._reader is not None and not self._events
        self._put({"type": "websocket.receive", **event})
        if not awaited and not self._paused:  # no more are read until the application has it
            self._paused = True
            self._wire.pause_reading()

    def _fail(self, code: int, reason: str) -> None:
        self._ended = True
        self._conn.fail(code, reason)
        self._put({"type": "websocket.disconnect", "code": code, "reason": reason})

    def _put(self, event: dict[str, Any]) -> None:
        self._events.append(event)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    # Signs of life --------------------------------------------------------------------------------

    def _wait_to_ping(self) -> None:
        if self._config.ws_ping_interval:
            self._next_ping = self._loop.call_later(self._config.ws_ping_interval, self._ping)

    def _ping(self) -> None:
        if not self._ended:
            self._conn.send_ping(b"")
            self._flush()
            if self._config.ws_ping_timeout:
                self._silence.begin()
            self._wait_to_ping()

    def _silent(self) -> None:
        self._fail(CLOSE_FAILED, "keepalive ping timeout")
        self._flush()

    # What the application asks for ----------------------------------------------------------------

    def _ask(self, request: Request) -> None:
        """Ask the application, unless the handshake is none; uvicorn hands that over alone."""
        self._whole = True
        response = self._conn.accept(request)
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            self._conn.send_response(response)
            return
        self._response = response
        path, _, query = request.path.partition("?")
        root = self._config.root_path
        headers = request.headers.raw_items()
        scope = {
            "type": "websocket",
            "asgi": {"version": self._config.asgi_version, "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "wss" if self._wire.get_extra_info("sslcontext") else "ws",
            "server": self._wire.get_extra_info("sockname"),
            "client": self._wire.get_extra_info("peername"),
            "root_path": root,
            "path": root + unquote(path),
            "raw_path": (root + path).encode("ascii"),
            "query_string": query.encode("ascii"),
            "headers": [
                (name.lower().encode("ascii"), value.encode("latin-1", "surrogateescape"))
                for name, value in headers
            ],
            "subprotocols": [],
            "state": self._state.copy(),
            "extensions": {
                "websocket.http.response": {},
                ABORT: {"abort": self._wire.abort},
                SEND: {"send": self.send_now},
                RECEIVE: {"receive": self.receive},
            },
        }
        self._put({"type": "websocket.connect"})
        task = self._loop.create_task(self._run(scope))
        self._server.tasks.add(task)
        task.add_done_callback(self._server.tasks.discard)

    async def _run(self, scope: dict[str, Any]) -> None:
        """Run the application, and let go of what would keep this object until it is collected."""
        try:
            await cast("Any", self._config.loaded_app)(scope, self.receive, self.send)
        except OSError:
            pass  # the other end is gone
        except Exception:
            _LOGGER.exception("Exception in ASGI application\n")
        if self._response is not None:
            self._answer(self._conn.reject(HTTPStatus.INTERNAL_SERVER_ERROR, ""))
        if self._closing is None:
            self._wire.close()
        scope["extensions"].clear()

    async def receive(self) -> dict[str, Any]:
        """The next event; a reader that is cancelled loses none."""
        while not self._events:
            self._reader = self._loop.create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        event = self._events.popleft()
        if not self._events:
            self._read_on()
        return event

    def _read_on(self) -> None:
        if self._paused:
            self._paused = False
            self._wire.resume_reading()

    def send_now(self, texts: Sequence[bytes]) -> bool:
        """Send texts, in UTF-8, a frame each; False where that would have to wait, or is too late.

        The way through the application costs several times what this does, for every event and
        every seat. Nothing of a frame depends on those before it, as nothing is compressed.
        """
        if self._ended or not self._writable.is_set():
            return False
        self._wire.write_now(_frame(texts[0]) if len(texts) == 1 else b"".join(map(_frame, texts)))
        return True

    async def send(self, message: dict[str, Any]) -> None:
        """Do what the application says; OSError where the other end is gone."""
        await self._writable.wait()
        if self._ended:
            raise OSError("the WebSocket is closed")
        match message["type"]:
            case "websocket.send":
                if message.get("bytes") is not None:
                    self._conn.send_binary(message["bytes"])
                else:
                    self._conn.send_text(message["text"].encode())
                self._flush()
            case "websocket.close" if self._response is None:
                self._conn.send_close(message.get("code", 1000), message.get("reason") or "")
                self._ended = True
                self._flush()
                self._put({"type": "websocket.disconnect", "code": message.get("code", 1000)})
                self._read_on()
                self._closing = self._loop.call_later(_CLOSING_S, self._wire.close)
            case "websocket.close":
                self._answer(self._conn.reject(HTTPStatus.FORBIDDEN, ""))
            case "websocket.accept":
                assert self._response is not None
                self._answer(self._response, message.get("headers", ()))
                self._wait_to_ping()
            case "websocket.http.response.start":
                status = HTTPStatus(message["status"])
                self._response = Response(status, status.phrase, Headers(), b"")
                self._with(self._response, message["headers"])
            case "websocket.http.response.body":
                assert self._response is not None
                self._response.body = bytes(self._response.body or b"") + message["body"]
                if not message.get("more_body", False):
                    self._response.headers.setdefault("Connection", "close")
                    self._answer(self._response)
            case kind:
                raise RuntimeError(f"{kind} is no message of a WebSocket")

    @staticmethod
    def _with(response: Response, headers: Sequence[tuple[bytes, bytes]]) -> None:
        for name, value in headers:
            response.headers[name.decode("latin-1")] = value.decode("latin-1")

    def _answer(self, response: Response, headers: Sequence[tuple[bytes, bytes]] = ()) -> None:
        """Answer the handshake; all but an acceptance end the connection."""
        self._response = None
        if self._wire.is_closing():
            return
        self._with(response, headers)
        self._conn.send_response(response)
        self._flush()
        if self._conn.state is not State.OPEN:
            self._put({"type": "websocket.disconnect", "code": 1006})
            self._wire.close()
