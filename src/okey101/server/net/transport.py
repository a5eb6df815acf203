"""Connections that can't be held open for free: uvicorn's HTTP with the bounds it lacks.

Only what asyncio and the parser (httptools) call is overridden. WebSockets are in
:mod:`okey101.server.net.websocket`.
"""

from __future__ import annotations

import asyncio
from typing import Final, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from okey101.server.net.heartbeat import Deadline, Heartbeat, Wire
from okey101.server.net.limits import ConnectionPlaces

_REQUEST_S: Final = 30.0
"""How long a whole request may take to arrive."""
_MOST_HEAD: Final = 64 * 1024
_MALFORMED: Final = b"\0"
"""What no head of a request may hold: the parser refuses it, and the answer is 400."""


class Http(HttpToolsProtocol):
    """HTTP/1.1 with bounds on the size of a request's head, on its time, and on unread answers."""

    heart = Heartbeat()
    """Of the process; one that was never started knows of no pause."""
    places: ConnectionPlaces | None = None
    """How many connections there may be; None for any number."""
    _wire: Wire | None = None
    _request: Deadline
    _head = _lines = 0
    _in_head = True
    _in_body = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a new connection, unless its address, or everybody, has too many."""
        name = transport.get_extra_info("peername")
        peer = str(name[0]) if isinstance(name, tuple | list) and name else ""
        leave = (lambda: None) if self.places is None else self.places.enter(peer)
        if leave is None:
            transport.abort()
            return
        self._wire = Wire(transport, self.heart, leave)
        self._request = Deadline(_REQUEST_S, self._late, self.heart)
        self._request.begin()
        super().connection_made(cast("asyncio.Transport", self._wire))

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of everything that waits."""
        if self._wire is not None:
            self._request.drop()
            super().connection_lost(exc)
            self._wire.lost()

    def data_received(self, data: bytes) -> None:
        """Read on; the time for a request begins with its first byte and is not prolonged.

        Blank lines between two requests count as the next one.
        """
        if self._wire is None:
            return
        self._request.begin()
        if self._in_head:
            self._head += len(data)
            if self._head > _MOST_HEAD + len(data):
                data = _MALFORMED
        super().data_received(data)
        if self._wire.get_protocol() is not self:  # it is a WebSocket now
            self._request.drop()
            super().connection_lost(ConnectionResetError())

    def _late(self) -> None:
        if self._in_head or self._in_body:
            self.abort()
        else:
            self.shutdown()

    def shutdown(self) -> None:
        """Close once all whole requests are answered; one that is incomplete is dropped."""
        self.drop_unfinished()
        super().shutdown()

    def drop_unfinished(self) -> None:
        """Close the connection if the rest of a request's body is still to come."""
        if self._wire is not None and self._in_body:
            self._wire.close()

    def abort(self) -> None:
        """Drop the connection at once."""
        if self._wire is not None:
            self._wire.abort()

    def on_message_begin(self) -> None:
        """A request begins."""
        self._request.begin()
        self._in_head = True
        self._head = self._lines = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Take a part of the address."""
        self._count(url)
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header; those after the body are dropped, as the head can't grow any more."""
        if self._in_head:
            self._count(name + value)
            super().on_header(name, value)

    def _count(self, part: bytes) -> None:
        self._lines += len(part)
        if self._lines > _MOST_HEAD:
            raise ValueError("the head is too long")

    def on_headers_complete(self) -> None:
        """The head is complete, and the application is asked."""
        self._in_head, self._in_body = False, True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request is complete."""
        self._in_body = False
        self._request.end()
        super().on_message_complete()

    def pause_writing(self) -> None:
        """Much is unread."""
        super().pause_writing()
        if self._wire is not None:
            self._wire.pause()

    def resume_writing(self) -> None:
        """It was read."""
        super().resume_writing()
        if self._wire is not None:
            self._wire.resume()
