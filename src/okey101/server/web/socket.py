"""The WebSocket of a table: one message after the other, each answered."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, cast

from litestar import WebSocket, websocket

from okey101.errors import OkeyError
from okey101.server.errors import error_body, refuse
from okey101.server.hub import Hub
from okey101.server.net import close_codes as codes
from okey101.server.net.websocket import ABORT, RECEIVE, SEND
from okey101.server.ops.gc_tuning import step
from okey101.server.ops.logs import logger, trace_of
from okey101.server.people.models import Session
from okey101.server.protocol import client_messages as ask
from okey101.server.protocol.bot_labels import require_person
from okey101.server.tables import serialise
from okey101.server.tables.broadcast import slow_notice
from okey101.server.tables.queries import answer, hint
from okey101.server.tables.table import Table
from okey101.server.web import auth

# Messages on their way to one socket: bounded, so that a slow reader costs nobody else.

_MOST_MESSAGES: Final = 1024
_MOST_BYTES: Final = 512 * 1024
_CLOSING_S: Final = 2.0

_log = logger(__name__)


class Outbox:
    """What is still to be sent to a socket, in order, and how it is to be closed.

    One task writes. More than 1,024 waiting messages, or 512 kB, mean that nobody reads: nothing
    more is sent, and the socket is closed with 1013, or dropped if even that can't be sent.
    """

    def __init__(
        self,
        send: Callable[[str], Awaitable[None]],
        close: Callable[[int, str], Awaitable[None]],
        on_overflow: Callable[[], None],
        abort: Callable[[], None],
        send_now: Callable[[Sequence[bytes]], bool],
    ) -> None:
        """``send`` and ``close`` may wait for the other end; ``abort`` drops the connection.

        ``send_now`` takes messages if they need not wait and says whether it did.
        """
        self._send = send
        self._close = close
        self._on_overflow = on_overflow
        self._abort = abort
        self._send_now = send_now
        self._held: tuple[bytes, ...] = ()
        """What goes out together with the next message, in one write."""
        self._sending = False
        """Whether messages wait, or one that waited is on its way."""
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self._wake = asyncio.Event()
        self._end: tuple[int, str] | None = None
        self._writer = asyncio.get_running_loop().create_task(self._write())

    def hold(self, data: bytes) -> None:
        """Take a message that the next one follows at once; :meth:`flush` sends it if none does."""
        self.flush()
        self._held = (data,)

    def flush(self) -> None:
        """Send what is held."""
        if self._held:
            (data,), self._held = self._held, ()
            self.put(data)

    def put(self, data: bytes) -> None:
        """Take a message to be sent; never waits."""
        messages: tuple[bytes, ...] = (data,)
        if self._held:
            messages, self._held = (*self._held, data), ()
        if self._end is not None:
            return
        if not self._sending:
            try:
                if self._send_now(messages):
                    return
            except Exception:  # noqa: BLE001  # a fault of one socket must not cost the others
                pass
        self._sending = True
        self._waiting.extend(messages)
        self._bytes += sum(map(len, messages))
        if len(self._waiting) > _MOST_MESSAGES or self._bytes > _MOST_BYTES:
            self._on_overflow()
            self._waiting.clear()
            self._writer.cancel()
            self._end = (codes.CLOSE_CROWDED, "slow-reader")
            self._writer = asyncio.get_running_loop().create_task(self._finish())
            return
        self._wake.set()

    @property
    def ending(self) -> bool:
        """Whether nothing more is taken, since the socket is being closed."""
        return self._end is not None

    def end(self, code: int, reason: str) -> None:
        """Send what waits, then close; never waits. Only the first call counts."""
        self.flush()
        if self._end is None:
            self._end = (code, reason)
            self._wake.set()

    async def _write(self) -> None:
        while True:
            while self._waiting:
                data = self._waiting.popleft()
                self._bytes -= len(data)
                try:
                    await self._send(data.decode())
                except Exception:  # noqa: BLE001  # the other end is gone, however it shows
                    self._waiting.clear()
                    self._end = self._end or (1006, "gone")
                    return
            self._sending = False
            if self._end is not None:
                await self._finish()
                return
            self._wake.clear()
            await self._wake.wait()

    async def _finish(self) -> None:
        assert self._end is not None
        try:
            async with asyncio.timeout(_CLOSING_S):
                await self._close(*self._end)
        except Exception:  # noqa: BLE001  # gone already, or it does not read the last word either
            self._abort()

    async def stop(self) -> None:
        """The socket is gone: let go of the writer, giving it a moment for the last word."""
        if self._end is None:
            self._writer.cancel()
        await asyncio.wait([self._writer], timeout=_CLOSING_S)
        if not self._writer.done():
            self._abort()
            self._writer.cancel()
            await asyncio.wait([self._writer])
        if not self._writer.cancelled() and self._writer.exception() is not None:
            _log.error("outbox-failed", exc_info=self._writer.exception())
        self._end = self._end or (1006, "gone")
        del self._writer  # it points back, and would have to wait for the garbage collector


_MOST_WARNINGS: Final = 20
"""Messages beyond the allowance that are answered before the socket is closed."""
_CLOSES: Final = {
    "draining": codes.CLOSE_RESTART,
    "kicked": codes.CLOSE_KICKED,
    "no-table": codes.CLOSE_GONE,
    "table-closed": codes.CLOSE_GONE,
    "log-truncated": codes.CLOSE_GONE,
    "banned": codes.CLOSE_KICKED,
    "unauthorised": codes.CLOSE_SIGNED_OUT,
    "store-failed": codes.CLOSE_CROWDED,
    "accounts-busy": codes.CLOSE_CROWDED,
    "accounts-failed": codes.CLOSE_CROWDED,
    "table-frozen": codes.CLOSE_CROWDED,
    "binary": codes.CLOSE_UNSUPPORTED,
    "hello-first": codes.CLOSE_POLICY,
    "spectators-off": codes.CLOSE_POLICY,
}

_LATER: Final = frozenset({"rate-limited", "too-many-sockets", "accounts-busy", "accounts-failed"})
"""Reasons to refuse a handshake that pass by themselves."""

_Socket = WebSocket[Any, Any, Any]


class _Viewer:
    """A socket as its table sees it."""

    def __init__(self, session: Session | None, outbox: Outbox, address: str) -> None:
        self.session = None if session is None else session.id
        self.user = None if session is None else session.user.id
        self.address = address
        self.options = False
        self.muted: set[str] = set()
        self.outbox = outbox
        self.send = outbox.put

    def say(self, message: dict[str, object]) -> None:
        """Send a message that is not yet encoded."""
        self.outbox.put(serialise.encode(message))

    def refuse(self, error: OkeyError, rid: str | None = None) -> None:
        """Tell of an error."""
        self.say({"type": "error", "rid": rid} | error_body(error))

    def close(self, code: int, reason: str) -> None:
        self.say({"type": "bye", "code": reason})
        self.outbox.end(code, reason)

    def close_for(self, error: OkeyError) -> None:
        """Close for an error that was told."""
        reason = codes.RESTARTING if error.code == "draining" else error.code
        self.close(_CLOSES.get(error.code, codes.CLOSE_POLICY), reason)


@websocket("/ws/{table_id:str}")
async def play(socket: _Socket, table_id: str) -> None:
    """Play at a table, or watch it; the messages are in the protocol's document."""
    hub: Hub = socket.app.state.hub
    try:
        await _admit(socket, hub, auth.caller_of(socket.scope, hub).key, table_id)
    except OkeyError as error:
        if error.code in _LATER:
            # A browser tells its page nothing of a refused handshake, only of what comes after it.
            await socket.accept()
            told = {"type": "error", "rid": None} | error_body(error)
            await socket.send_text(serialise.encode(told).decode())
            await socket.close(codes.CLOSE_CROWDED, error.code)
        else:
            await socket.close(codes.CLOSE_POLICY)  # before it is accepted: HTTP 403
    finally:
        step()
        # The framework's wrappers point back to the socket: thousands of them would wait for a
        # collection that stops everybody.
        del socket.receive, socket.send


async def _admit(socket: _Socket, hub: Hub, address: str, table_id: str) -> None:
    """Take a socket and serve it; OkeyError, before it is accepted, where that isn't possible."""
    auth.require_origin(socket, hub)
    # Before the session costs a look into the accounts.
    auth.limit(hub.allowances.handshakes, address)
    closings = hub.connections.closings
    session = await auth.session_of(hub, auth.token_of(socket, hub))
    if not hub.allowances.sockets.enter(address):
        full = hub.allowances.sockets.taken >= hub.allowances.sockets.total
        refuse("too-many-sockets", limit="max-sockets" if full else "max-sockets-per-address")
    try:
        await socket.accept()
        await _serve(socket, hub, session, closings, address, table_id)
    finally:
        hub.allowances.sockets.leave(address)


async def _serve(
    socket: _Socket, hub: Hub, session: Session | None, closings: int, address: str, table_id: str
) -> None:
    user = None if session is None else session.user.id
    raw_send = socket.send

    async def send(text: str) -> None:
        await raw_send({"type": "websocket.send", "text": text, "bytes": None})

    async def close(code: int, reason: str) -> None:
        await raw_send({"type": "websocket.close", "code": code, "reason": reason})

    abort = _extension(socket, ABORT, "abort", lambda: None)
    send_now = _extension(socket, SEND, "send", lambda _: False)
    outbox = Outbox(send, close, hub.metrics.overflow, abort, send_now)
    viewer = _Viewer(session, outbox, address)
    table: Table | None = None
    hub.connections.enter(viewer)
    try:
        await _still(socket, hub, session, closings)
        if user is not None:
            viewer.muted.update((await hub.accounts.ties.shunned(user)).muted)
        first = await _first(socket, hub)
        if first is None:
            return
        viewer.options = first.options
        found = await _table(hub, table_id, first)
        await hub.accounts.require_let_in(user, found)
        await found.catch_up(first.seq, first.head)
        await _take_try(hub, found, user)
        if outbox.ending:
            return  # shut out meanwhile: the person's other sockets keep the seat
        table = found
        table.attach(viewer, first.seq, first.head)
        if hub.slow_store.told:
            viewer.say(slow_notice(slow=True))
        # In its own task: what it waits for need not pass through the framework's ten frames.
        talk = _Conversation(socket, hub, table, viewer, user or address)
        await asyncio.create_task(talk.run())
    except OkeyError as error:
        viewer.refuse(error)
        viewer.close_for(error)
    except TimeoutError:
        viewer.close(codes.CLOSE_SILENT, "hello-timeout")
    except Exception as error:  # noqa: BLE001  # the framework would end it without a word
        _log.error("socket-failed", trace=trace_of(error))
        viewer.close(codes.CLOSE_FAILED, "internal")
    finally:
        hub.connections.leave(viewer)
        if table is not None:
            table.detach(viewer)
        await outbox.stop()


async def _table(hub: Hub, table: str, first: ask.Hello) -> Table:
    """The table; OkeyError as :meth:`Tables.get`, ``log-truncated`` for one the log has lost."""
    try:
        return await hub.tables.get(table)
    except OkeyError as error:
        if error.code != "no-table" or first.seq is None or first.head is None:
            raise
        await hub.tables.require_never_told(table, first.seq, first.head)
        raise


async def _take_try(hub: Hub, table: Table, user: str | None) -> None:
    """Give an account the try that it began as a guest, where another node is still to tell that.

    It would be an onlooker here, and a day's tables have none.
    """
    if user is not None and table.state.day is not None and table.state.place_of(user) is None:
        for one, now in (await hub.accounts.merged(table.state.people)).items():
            if now == user:
                await table.remove(one, user)


async def _still(socket: _Socket, hub: Hub, session: Session | None, closings: int) -> None:
    """Check the session of a socket again now that it will be closed when the session ends.

    Nothing can have happened to it where nobody's sockets had to be closed since. A program that
    sends a token means to be somebody; a browser's cookie may be an old one.
    """
    if session is None:
        ended = auth.bearer_in(socket.headers) is not None
    else:
        since = hub.connections.closings != closings
        ended = since and await auth.session_of(hub, auth.token_of(socket, hub)) is None
    if ended:
        refuse("unauthorised")


def _extension(socket: _Socket, place: str, name: str, default: Callable[..., Any]) -> Any:
    """What the server that carries a connection can do for it; the default where it can't."""
    extensions = cast("Mapping[str, Any]", socket.scope.get("extensions") or {})
    return extensions.get(place, {}).get(name, default)


async def _text(receive: Callable[[], Awaitable[Any]]) -> str | None:
    """The next message, None at the end; OkeyError ``binary`` for one that is no text."""
    event = await receive()
    if event["type"] != "websocket.receive":
        return None
    text: str | None = event.get("text")
    if text is None:
        refuse("binary")
    return text


async def _first(socket: _Socket, hub: Hub) -> ask.Hello | None:
    """The first message; TimeoutError where it takes too long, pauses of the process not counted.

    None where the socket closes before; OkeyError ``hello-first`` for another message.
    """
    loop, heart, left = asyncio.get_running_loop(), hub.heart, hub.settings.hello_timeout_s
    lost = heart.lost
    while True:
        try:
            async with asyncio.timeout(left):
                text = await _text(socket.receive)
            break
        except TimeoutError:
            left, lost = heart.lost_since(lost, loop.time())
            if not left:
                raise
    if text is None:
        return None
    message = ask.read_message(text)
    if not isinstance(message, ask.Hello):
        refuse("hello-first")
    return message


class _Conversation:
    """What follows hello, until the socket closes."""

    def __init__(self, socket: _Socket, hub: Hub, table: Table, viewer: _Viewer, who: str) -> None:
        """``who`` is whose allowances count: a person, or the address of somebody unknown."""
        # Past the framework's wrapper, where the server has a way.
        self._receive = _extension(socket, RECEIVE, "receive", socket.receive)
        self._hub = hub
        self._table = table
        self._viewer = viewer
        self._who = who
        self._spoken = hub.allowances.spoken(who)
        self._warnings = 0

    async def run(self) -> None:
        """Answer messages one after the other until the end; OkeyError where it ends early."""
        while (text := await _text(self._receive)) is not None:
            if self._viewer.outbox.ending:
                return  # what comes after the last word is not for us
            if wait := self._spoken.take(self._who):  # said a few times before it closes
                self._warnings += 1
                error = auth.over(self._spoken, wait)
                if self._warnings > _MOST_WARNINGS:
                    raise error
                self._viewer.refuse(error)
                continue
            rid = None
            began = time.perf_counter()
            kind, outcome = "unreadable", "ok"
            try:
                message = ask.read_message(text)
                kind = str(message.__struct_config__.tag)
                rid = getattr(message, "rid", None)
                if isinstance(message, ask.Logged):
                    await self._command(message)
                else:
                    await self._answer(message)
            except OkeyError as error:
                outcome = error.code
                self._viewer.refuse(error, rid or ask.rid_in(text))
                if error.code in ("draining", "table-closed"):
                    self._viewer.close_for(error)
            self._hub.metrics.command(kind, outcome, time.perf_counter() - began)

    async def _answer(self, message: ask.AnyMessage) -> None:
        viewer = self._viewer
        match message:
            case ask.Ping():
                viewer.say({"type": "pong", "n": message.n, "at": int(time.time() * 1000)})
            case ask.Say():
                await self._say(message)
            case ask.Mute() | ask.Block():
                await self._shun(message)
            case ask.Ask():
                state, user = self._table.state, viewer.user
                if message.what == "hint":
                    auth.limit(self._hub.allowances.hints, self._user())
                    found = await hint(state, user, self._hub.bots)
                else:
                    found = answer(state, user, message)
                viewer.say({"type": "answer", "rid": message.rid, "what": message.what} | found)
            case _:
                refuse("bad-message", reason="hello is said once")

    async def _command(self, message: ask.Logged) -> None:
        """Do what the table's log keeps; its digest is of what came in."""
        digest = ask.digest_of(message)
        user, outbox = self._user(), self._viewer.outbox

        def ack(seq: int) -> None:
            outbox.hold(serialise.encode({"type": "ack", "rid": message.rid, "seq": seq}))

        in_flight = self._hub.in_flight
        in_flight.begin(user)
        try:
            if isinstance(message, ask.Sit):
                await auth.sit_down(self._hub, user, message, self._table, ack, digest)
            else:
                await self._table.command(user, message, ack, digest)
        finally:
            in_flight.end(user)
            outbox.flush()  # where no event followed at once

    def _user(self) -> str:
        if self._viewer.user is None:
            refuse("unauthorised")
        return self._viewer.user

    async def _say(self, message: ask.Say) -> None:
        if message.phrase not in ask.PHRASES:
            refuse("no-phrase")
        user = self._user()
        await self._hub.accounts.require_heard(user)
        auth.limit(self._hub.allowances.phrases, user)
        self._table.audience.say(user, message.phrase, message.to)
        self._viewer.say({"type": "ack", "rid": message.rid, "seq": None})

    async def _shun(self, message: ask.Mute | ask.Block) -> None:
        user, other = self._user(), self._table.person(message.seat, self._viewer)
        ties = self._hub.accounts.ties
        if isinstance(message, ask.Block):
            require_person(user)
            await ties.shun(user, other, "block")
        elif message.on:
            await ties.shun(user, other, "mute")
        else:
            await ties.unshun(user, other, "mute")
        self._viewer.muted = {*(await ties.shunned(user)).muted}
        # It holds at all tables: whoever comes back knows of it.
        self._hub.connections.close(user, codes.RESTARTING, keep=self._viewer)
        self._table.audience.tell_muted(self._viewer)
        self._viewer.say({"type": "ack", "rid": message.rid, "seq": None})
