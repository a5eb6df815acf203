"""The line that is made bad on purpose: it cuts, delays, repeats and adds, one thing at a time."""

from __future__ import annotations

import asyncio
import random
import ssl as tls
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any, Final, Self
from urllib.parse import parse_qs, urlsplit

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.http11 import Request, Response

from okey101.client.calls import parts_of
from okey101.client.check.watch import TRIALS, CheckReport, Patience, Sent, Watch
from okey101.client.line import is_here
from okey101.client.model import Json

_HEAD_MAX: Final = 65_536
_TIMEOUT_S: Final = 30.0
_AWAY: Final = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_REFUSED_LINES: Final = 3
_TOO_SOON_S: Final = 0.5
"""So long the first three tries of a client that pauses between them take at least."""
_LOOK_S: Final = 0.25
_MOST_BYTES: Final = 16 * 2**20
_OURS: Final = ("authorization", "cookie", "user-agent")


class CheckingProxy:
    """An endpoint in front of a server; clients that play there are put through :data:`TRIALS`.

    Each of the ``trials`` is made ``rounds`` times, in a random order by ``seed``, at actions that
    the client sends; between two of them an action goes through as usual. ``report`` has what was
    found, and :attr:`done` is set when all was tried, or a match has ended and nobody goes on.
    """

    def __init__(
        self,
        url: str,
        *,
        port: int = 0,
        seed: int = 0,
        rounds: int = 2,
        patience: Patience | None = None,
        trials: Sequence[str] = TRIALS,
    ) -> None:
        """OkeyError ``bad-address`` for what is no address of a server; port 0 is any."""
        self._port = port
        self._server = parts_of(url)
        self.url = ""
        """Where clients connect to."""
        self.report = CheckReport()
        self.done = asyncio.Event()
        self.last = "replaced" in trials
        """Whether the line is closed for good in the end."""
        self._to = self._server.geturl().rstrip("/").replace("http", "ws", 1)
        self._origin = f"{self._server.scheme}://{self._server.netloc}"
        self.patience = patience or Patience()
        chance, rest = random.Random(seed), [trial for trial in trials if trial != "replaced"]
        self.plan: list[str] = []
        """The trials that are still to be made; one that could not be is put back."""
        for _ in range(rounds):
            chance.shuffle(rest)
            self.plan += rest
        self.total = len(self.plan) + self.last
        self.refuse = 0
        """How many of the next handshakes are broken off."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._watches: dict[tuple[str, str], Watch] = {}
        self._lines: dict[Watch, _CheckedLine] = {}
        self._refusing: list[float] = []
        self._actions = 0
        self._replaced_at: float | None = None
        self._quiet_since = monotonic()

    @property
    def made(self) -> int:
        """How many trials were made."""
        return self.report.tried.total()

    async def __aenter__(self) -> Self:
        """Listen on this machine; OSError where the port is taken."""
        self._door = await asyncio.start_server(
            self._serve, "127.0.0.1", self._port, limit=_HEAD_MAX, start_serving=False
        )
        self.url = f"http://127.0.0.1:{_port(self._door)}"
        self._inner = await serve(
            self._talk, "127.0.0.1", 0, compression=None, max_size=_MOST_BYTES,
            ping_interval=None, close_timeout=1, process_request=self._reach,
        )  # fmt: skip
        await self._door.start_serving()
        self._tasks.add(asyncio.create_task(self._look()))
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close everything."""
        self._door.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._inner.close()
        await self._inner.wait_closed()

    # The door: HTTP goes straight to the server, sockets to the judge --------------------------

    async def _serve(self, near: asyncio.StreamReader, to_near: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                await self._pass_on(near, to_near)
        finally:
            to_near.transport.abort()

    async def _pass_on(self, near: asyncio.StreamReader, to_near: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(_TIMEOUT_S):
            head = await near.readuntil(b"\r\n\r\n")
        first, *lines = head[:-4].decode("latin-1").split("\r\n")
        fields = {name.strip().lower(): value.strip() for name, _, value in
                  (line.partition(":") for line in lines)}  # fmt: skip
        if fields.get("upgrade", "").lower() == "websocket":
            if len(words := first.split(" ")) == 3 and self._admits(words[1]):
                far = await asyncio.open_connection("127.0.0.1", _port(self._inner))
                await _joined(near, to_near, head, *far)
            return
        kept = [line for line in lines if line.partition(":")[0].strip().lower()
                not in ("host", "connection", "origin", "referer", "keep-alive")]  # fmt: skip
        if origin := fields.get("origin"):
            kept.append(f"Origin: {self._origin if origin == self.url else origin}")
        kept += [f"Host: {self._server.netloc}", "Connection: close"]  # one request a connection
        secure = self._server.scheme == "https"
        port, context = self._server.port, tls.create_default_context() if secure else None
        port = port or (443 if secure else 80)
        try:
            far = await asyncio.open_connection(self._server.hostname, port, ssl=context)
        except OSError:
            to_near.write(_AWAY)
            await to_near.drain()
        else:
            head = "\r\n".join([first, *kept, "", ""]).encode("latin-1")
            await _joined(near, to_near, head, *far)
        to_near.close()
        await to_near.wait_closed()

    # Handshakes -------------------------------------------------------------------------------

    def _admits(self, path: str) -> bool:
        """Whether a handshake is passed on; those of a trial are broken off."""
        now = monotonic()
        if self._replaced_at is not None:
            if now - self._replaced_at < self.patience.replaced:
                self.report.add("back-after-replaced", f"after {now - self._replaced_at:.1f} s")
            return False
        if not self.refuse:
            return True
        self.refuse -= 1
        for watch in self._watches.values():
            watch.knocked()
        self._refusing.append(now)
        if not self.refuse:
            took = now - self._refusing[0]
            self.report.tried["handshakes-refused"] += 1
            if took < _TOO_SOON_S:
                self.report.add("no-back-off", f"{len(self._refusing)} tries in {took:.2f} s")
            self._refusing.clear()
        return False

    async def _reach(self, near: ServerConnection, request: Request) -> Response | None:
        """Connect to the server first: what it answers to the handshake is the answer."""
        query = parse_qs(urlsplit(request.path).query)
        bearer = request.headers.get("Authorization", "").removeprefix("Bearer ")
        values = {value for values in query.values() for value in values}
        if any("token" in name.lower() for name in query) or (bearer and bearer in values):
            self.report.add("token-in-address", urlsplit(request.path).path)
        origin = request.headers.get("Origin")
        try:
            far = await connect(
                self._to + request.path,
                additional_headers=Headers(
                    [(n, v) for n, v in request.headers.raw_items() if n.lower() in _OURS]
                ),
                origin=self._origin if origin == self.url else origin,  # type: ignore[arg-type]
                user_agent_header=None,
                compression=None,
                proxy=None if is_here(self._to) else True,
                max_size=_MOST_BYTES,
                ping_interval=None,
                close_timeout=1,
            )
        except InvalidStatus as error:
            return near.respond(error.response.status_code, "refused by the server\n")
        except (OSError, WebSocketException):
            return near.respond(502, "the server does not answer\n")
        near.far = far  # type: ignore[attr-defined]
        near.who = bearer or request.headers.get("Cookie", "")  # type: ignore[attr-defined]
        return None

    async def _talk(self, near: ServerConnection) -> None:
        assert near.request is not None
        key = urlsplit(near.request.path).path, str(getattr(near, "who", ""))
        watch = self._watches.get(key)
        if watch is None:
            watch = self._watches[key] = Watch(self.report, self.patience)
        far: ClientConnection = near.far  # type: ignore[attr-defined]
        line = _CheckedLine(self, watch, near, far)
        self._lines[watch] = line
        watch.opened()
        try:
            await line.run()
        finally:
            if self._lines.get(watch) is line:
                del self._lines[watch]
            far.transport.abort()

    # Trials -----------------------------------------------------------------------------------

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_S)
            now = monotonic()
            for watch in self._watches.values():
                watch.look()
            if self._replaced_at is not None:
                if now - self._replaced_at > self.patience.replaced:
                    self.done.set()
                continue
            playing = [watch for watch in self._watches.values() if watch.acts]
            if self._lines or not playing:
                self._quiet_since = now
            quiet = now - self._quiet_since
            if not self.plan and not self.last and self._made_all():
                self.done.set()
            elif not self.plan and self.last and self._lines and await self._replace():
                self._replaced_at = monotonic()
            if playing and quiet > (2 if all(w.over for w in playing) else self.patience.back):
                self.done.set()

    def _made_all(self) -> bool:
        """Whether all trials are behind, and two more actions were sent."""
        if self.made < self.total:
            self._actions = self.report.actions
        return self.made >= self.total and self.report.actions >= self._actions + 2

    async def _replace(self) -> bool:
        """The last trial: say that another line has the seat, to whoever plays."""
        for watch, line in list(self._lines.items()):
            if watch.acts and not watch.over and not watch.waiting and not line.busy:
                self.report.tried["replaced"] += 1
                await line.say_replaced()
                return True
        return False


def _port(server: Server | asyncio.Server) -> int:
    port: int = next(iter(server.sockets)).getsockname()[1]
    return port


async def _joined(
    near: asyncio.StreamReader, to_near: asyncio.StreamWriter, head: bytes,
    far: asyncio.StreamReader, to_far: asyncio.StreamWriter,
) -> None:  # fmt: skip
    """Pass on what was read, and all that comes from either end until one has no more."""
    to_far.write(head)
    try:
        await _until_one_ends(_pour(near, to_far), _pour(far, to_near))
    finally:
        to_far.transport.abort()


async def _pour(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while chunk := await source.read(65_536):
            target.write(chunk)
            await target.drain()


async def _until_one_ends(*works: Coroutine[Any, Any, None]) -> None:
    ways = [asyncio.create_task(work) for work in works]
    try:
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)


class _CheckedLine:
    """One connection of a client, and the one to the server that belongs to it."""

    def __init__(
        self, proxy: CheckingProxy, watch: Watch, near: ServerConnection, far: ClientConnection
    ) -> None:
        self.busy = False
        self._proxy = proxy
        self._watch = watch
        self._near = near
        self._far = far
        self._trial = ""
        self._rid = ""
        self._held = False
        """Whether an action was answered whose event is to come late."""
        self._fresh = watch.last_trial == "fresh-view"
        self._ended = False

    async def run(self) -> None:
        """Pass messages on until one of both is gone."""
        await _until_one_ends(self._up(), self._down())

    async def say_replaced(self) -> None:
        """Close as a server does where the person has come over another line."""
        self._ended = True
        self._watch.last_trial = "replaced"
        with suppress(ConnectionClosed):
            await self._near.send('{"type":"bye","code":"replaced"}')
        await self._near.close(4001, "replaced")

    def _cut(self) -> None:
        """Break the connection without a word."""
        self._ended = True
        self._watch.cut()
        self._near.transport.abort()

    # From the client --------------------------------------------------------------------------

    async def _up(self) -> None:
        try:
            async for text in self._near:
                sent = self._watch.said(text)
                if sent is not None and sent.is_act and not self._trial:
                    due = self._watch.acts % 2 == 1 and self._proxy.plan
                    self._trial = self._proxy.plan.pop(0) if due else ""
                    self._rid = sent.rid
                    self._watch.last_trial = self._trial or self._watch.last_trial
                    if self._trial and not await self._begin(sent):
                        return
                await self._far.send(self._without_seq(text))
        except ConnectionClosed:
            pass
        if not self._ended:
            self._ended = True
            self._watch.dropped()

    def _without_seq(self, text: str | bytes) -> str | bytes:
        """The client's hello, in a trial as if it had seen nothing."""
        if not self._fresh:
            return text
        self._fresh = False
        with suppress(ValueError):
            body: Json = msgspec.json.decode(text, type=Json)
            if body.get("type") == "hello":
                return msgspec.json.encode(
                    {name: value for name, value in body.items() if name not in ("seq", "head")}
                ).decode()
        return text

    async def _begin(self, sent: Sent) -> bool:
        """Begin a trial at an action; returns whether the action is passed on."""
        self.busy = True
        match self._trial:
            case "action-lost" | "fresh-view":
                self._cut()
                self._made()
                return False
            case "handshakes-refused":
                self._proxy.refuse = _REFUSED_LINES
                self._cut()
                return False
            case "unknown-message":
                odd = {"type": "okey101-check", "note": f"made up before {sent.rid}", "n": [1]}
                await self._near.send(msgspec.json.encode(odd).decode())
                self._made()
            case _:
                pass
        return True

    def _made(self) -> None:
        """The running trial was made, and is over."""
        self._proxy.report.tried[self._trial] += 1
        self._over()

    def _over(self) -> None:
        self._trial, self.busy = "", self._ended  # a line that was cut takes no other trial

    # From the server --------------------------------------------------------------------------

    async def _down(self) -> None:
        with suppress(ConnectionClosed):
            async for text in self._far:
                if self._trial and await self._in_trial(text):
                    if self._ended:
                        return
                    continue
                await self._tell(text)
        if not self._ended:
            self._ended = True
            if (self._far.close_code or 1006) < 4000:
                self._watch.cut()
            code = self._far.close_code or 1011
            if code in (1005, 1006):
                self._near.transport.abort()
            else:
                await self._near.close(code, self._far.close_reason or "")

    async def _tell(self, text: str | bytes) -> None:
        self._watch.told(text)
        await self._near.send(text)

    async def _in_trial(self, text: str | bytes) -> bool:
        """What a running trial does to a message; returns whether it has dealt with it."""
        body: Any = msgspec.json.decode(text)
        kind = body.get("type")
        answer = kind in ("ack", "error") and body.get("rid") == self._rid
        if answer and kind == "error":
            self._proxy.plan.append(self._trial)  # nothing came of the action
            self._over()
            return False
        event = kind == "event"
        if (self._trial == "ack-late" and answer) or (self._held and event):
            await asyncio.sleep(self._proxy.patience.hold)
            self._held = False
            self._made()
            return False
        match self._trial:
            case "event-late" if answer:
                self._held = True
                return False
            case "ack-lost" if answer:
                self._cut()
            case "message-halved" if event:
                await self._half(text)
            case "event-again" if event:
                await self._tell(text)
                await self._near.send(text)
            case "unknown-name" if event:
                self._watch.told(text)
                newer = body | {"okey101_check": {"made": "up"}}
                newer["what"] = body["what"] | {"okey101_check": 1}
                await self._near.send(msgspec.json.encode(newer).decode())
            case _:
                return False
        self._made()
        return True

    async def _half(self, text: str | bytes) -> None:
        """The first half of a frame, and then nothing."""
        data = text.encode() if isinstance(text, str) else text
        size = len(data)
        head = bytes([0x81, size]) if size < 126 else b"\x81\x7e" + size.to_bytes(2, "big")
        if size < 65_536:
            self._near.transport.write(head + data[: size // 2])
            await asyncio.sleep(0.05)
        self._cut()
