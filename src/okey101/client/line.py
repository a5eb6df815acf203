"""The socket of a table: it comes back by itself, and sends again what got no answer.

What holds, whatever the line does: a command is sent again under its own ``rid`` until it is
answered, so it is done once; a command of the running game counts as answered only once the event
of its row was taken in, so whoever waits for it sees what came of it; an action that was meant for
a deal which is no more is not sent again.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import ssl as tls
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from itertools import count
from time import monotonic
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, InvalidURI, WebSocketException

from okey101.client.errors import CommandRefused, Ended, ended, refusal
from okey101.client.model import Gap, Model, ReadMessage, read_known
from okey101.server.errors import SERVER_CODES
from okey101.server.net import close_codes as codes
from okey101.server.protocol.client_messages import Act, Command, Hello, Ping
from okey101.server.protocol.server_messages import (
    Ack,
    Answer,
    Bye,
    Error,
    Event,
    Resumed,
    ViewMessage,
)

_FINAL: Final = {
    codes.CLOSE_UNSUPPORTED: "binary", codes.CLOSE_POLICY: "refused",
    codes.CLOSE_TOO_LARGE: "too-large", codes.CLOSE_REPLACED: "replaced",
    codes.CLOSE_GONE: "table-closed", codes.CLOSE_KICKED: "kicked",
    codes.CLOSE_UNSEEN: "spectators-off", codes.CLOSE_SIGNED_OUT: "unauthorised",
}  # fmt: skip
"""Closes after which one does not come back the same way, and what to call them without a word."""
_LATER: Final = ("store-failed", "draining", "accounts-busy")
"""Refusals after which the same command is sent again."""
_LATER_S: Final = 1.0
_MOST_BYTES: Final = 16 * 2**20


class Pace(NamedTuple):
    """How patient a line is, in seconds.

    The wait before a line is opened again grows from ``first`` to ``longest``. After ``idle``
    without a word the server is asked for one. After ``silent`` the line is given up. After
    ``patience`` without a line that works your program is told (``no-server``).
    """

    first: float = 0.4
    longest: float = 8.0
    idle: float = 5.0
    silent: float = 20.0
    patience: float = 300.0


@dataclass(eq=False, slots=True)
class _Unanswered:
    """A command without its answer; ``era`` is that of the model an action was chosen from."""

    text: str
    done: asyncio.Future[Ack | Answer]
    ordered: bool
    era: int | None
    answer: Ack | None = None
    due: float = 0.0
    sent: bool = False


class LastingLine:
    """One person's socket at one table, opened again and again."""

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        ssl: tls.SSLContext | None,
        *,
        options: bool,
        pace: Pace,
    ) -> None:
        self.shown = Model()
        """All that is shown: ``shown.table["seats"]``.

        Its attributes ``table``, ``deal``, ``you`` and ``here`` are plain data in the names of the
        protocol, and ``seq`` is the last row.
        """
        self.lines = 0
        """How often the line was opened."""
        self.sent_again = 0
        """How many commands were sent once more, under their own ``rid``."""
        self._url = url
        self._headers = dict(headers)
        self._options = options
        self._pace = pace
        self._ssl = ssl
        self._ended: Ended | None = None
        self._waiting: dict[str, _Unanswered] = {}
        self._not_before = 0.0
        """When the server has said that it listens again."""
        self._mark = secrets.token_hex(4)
        self._count = count(1)
        self._socket: ClientConnection | None = None
        self._up = False
        self._tries = 0
        self._failed = 0
        self._works_at = monotonic()
        self._last_word = ""
        self._why = ""

    def rid(self) -> str:
        """A mark for a command, which no other of this person has."""
        return f"{self._mark}-{next(self._count)}"

    async def command(self, command: Command, *, ordered: bool = False) -> Ack | Answer:
        """Send any command of the protocol, marked by :meth:`rid`, and return its answer.

        It is sent as often as it takes. With ``ordered`` its outcome is shown before this returns.
        CommandRefused, also with ``bad-message`` for what the server can't read; Ended.
        """
        if self._ended is not None:
            raise self._ended
        future: asyncio.Future[Ack | Answer] = asyncio.get_running_loop().create_future()
        era = self.shown.era if isinstance(command, Act) else None
        text = msgspec.json.encode(command).decode()
        waiting = self._waiting[command.rid] = _Unanswered(text, future, ordered, era)
        try:
            if self._up and self._socket is not None:
                await self._send(self._socket, waiting)
            return await future
        finally:
            self._waiting.pop(command.rid, None)

    async def _keep_open(self) -> None:
        """Keep the line open until it is over for good."""
        self._works_at = monotonic()
        try:
            while True:
                try:
                    await self._session()
                except Gap:
                    self.shown.seq = None  # hello without seq is answered by a fresh view
                except (OSError, TimeoutError, WebSocketException, msgspec.MsgspecError) as error:
                    self._why = str(error) or type(error).__name__
                finally:
                    self._up, self._socket = False, None
                if monotonic() - self._works_at > self._pace.patience:
                    raise ended("no-server", address=self._url, reason=self._why)
                await asyncio.sleep(self._pause())
        except Ended as over:
            self._give_up(over)
        except asyncio.CancelledError:
            self._give_up(ended("line-closed"))
            raise
        except Exception as error:
            failed = ended("line-failed", reason=str(error) or type(error).__name__)
            failed.__cause__ = error
            self._give_up(failed)
            raise

    def _give_up(self, why: Ended) -> None:
        self._end(why)
        for waiting in self._waiting.values():
            if not waiting.done.done():
                waiting.done.set_exception(why)
                waiting.done.exception()  # whoever asked may have gone while it was sent

    def _end(self, why: Ended) -> None:
        self._ended = self._ended or why

    def _pause(self) -> float:
        self._tries += 1
        wait = min(self._pace.first * 2.0 ** min(self._tries - 1, 64), self._pace.longest)
        told = min(self._not_before - monotonic(), self._pace.patience)
        return max(wait * (0.75 + random.random() / 2), told)

    # A socket ---------------------------------------------------------------------------------

    async def _session(self) -> None:
        """Open a socket and listen to it until it closes; Ended where that is for good."""
        try:
            socket = await connect(
                self._url,
                additional_headers=self._headers,
                ssl=self._ssl,
                proxy=None if is_here(self._url) else True,
                max_size=_MOST_BYTES,
                ping_interval=None,  # the protocol has its own
                open_timeout=self._pace.silent,
                close_timeout=1,
            )
        except InvalidURI as error:
            raise ended("bad-address", address=self._url) from error
        except InvalidStatus as error:
            status = error.response.status_code
            if status in (401, 403, 404):
                raise ended("was-refused", status=status) from error
            raise
        async with socket:
            self._socket, self._last_word = socket, ""
            head = None if self.shown.seq is None else self.shown.head
            hello = Hello(seq=self.shown.seq, head=head, options=self._options)
            try:
                await socket.send(msgspec.json.encode(hello).decode())
                await self._listen(socket)
            except ConnectionClosed:
                self._closed(socket)

    async def _listen(self, socket: ClientConnection) -> None:
        quiet_since = asked = monotonic()
        while True:
            now = monotonic()
            dues = [waiting.due - now for waiting in self._open() if waiting.due]
            try:
                async with asyncio.timeout(max(0.01, min([self._pace.idle, *dues]))):
                    text = await socket.recv()
            except TimeoutError:
                now = monotonic()
                if now - quiet_since > self._pace.silent:
                    raise
                if now - max(quiet_since, asked) >= self._pace.idle:
                    asked = now
                    await socket.send(msgspec.json.encode(Ping()).decode())
                await self._send_due(socket)
                continue
            quiet_since = monotonic()
            heard = read_known(text)
            if heard is not None:
                self._take(heard)
                await self._send_due(socket)

    async def _send_due(self, socket: ClientConnection) -> None:
        now = monotonic()
        for waiting in self._open():
            if waiting.due and waiting.due <= now:
                waiting.due = 0.0
                await self._send(socket, waiting)

    async def _send(self, socket: ClientConnection, waiting: _Unanswered) -> None:
        self.sent_again += waiting.sent
        waiting.sent = True
        with suppress(ConnectionClosed):  # it is sent again over the next one
            await socket.send(waiting.text)

    def _closed(self, socket: ClientConnection) -> None:
        """What a close means: nothing to do but to come back, or the end."""
        code = socket.close_code or 1006
        reason = socket.close_reason or self._last_word
        self._why = reason or f"close code {code}"
        if code in _FINAL:
            word = reason or _FINAL[code]
            _, sentence = SERVER_CODES.get(word, (0, ""))
            sentence = sentence if "{" not in sentence else ""
            raise Ended(word, sentence or f"the server has ended the line: {word}", code)
        if code == codes.CLOSE_FAILED and reason == "internal":  # else it was silent for too long
            self._failed += 1
            if self._failed > 1:
                raise Ended("internal", "the server has failed twice", code)
        if code == codes.CLOSE_CROWDED:
            self._tries = max(self._tries, 3)

    # Messages ---------------------------------------------------------------------------------

    def _take(self, heard: ReadMessage) -> None:
        """Take a message in; over a new socket all that has no answer is due again."""
        message = heard.message
        self.shown.take(heard)
        match message:
            case ViewMessage() | Resumed() if not self._up:
                self._up, self._tries, self._works_at = True, 0, monotonic()
                self.lines += 1
                for waiting in self._open():
                    if self._past(waiting):
                        waiting.done.set_exception(refusal("turn-over"))
                    else:
                        waiting.due = monotonic()
            case Event() if not self._open():
                self._failed = 0
            case Ack() | Answer():
                self._answered(message)
            case Error():
                self._refused(message)
            case Bye():
                self._last_word = message.code
            case _:
                pass
        self._settle()
        self._heard(heard)

    def _heard(self, heard: ReadMessage) -> None:
        """What a message means beyond the line; it was taken in."""

    def _open(self) -> list[_Unanswered]:
        """The commands that nothing was said of yet."""
        found = self._waiting.values()
        return [one for one in found if one.answer is None and not one.done.done()]

    def _past(self, waiting: _Unanswered) -> bool:
        """Whether an action was chosen for what is no more."""
        return waiting.era not in (None, self.shown.era)

    def _answered(self, message: Ack | Answer) -> None:
        waiting = self._waiting.get(message.rid)
        if waiting is None or waiting.done.done():
            return
        self._failed = 0
        if isinstance(message, Ack) and waiting.ordered and message.seq is not None:
            waiting.answer = message
        else:
            waiting.done.set_result(message)

    def _settle(self) -> None:
        """Let those go whose events are here."""
        seq = self.shown.seq
        for waiting in self._waiting.values():
            answer = waiting.answer
            if answer is None or waiting.done.done():
                continue
            if seq is not None and answer.seq is not None and seq >= answer.seq:
                waiting.done.set_result(answer)
            elif self._past(waiting):
                waiting.done.set_exception(refusal("turn-over"))

    def _refused(self, message: Error) -> None:
        if message.rid is None and message.code == "rate-limited":
            # It was told too much at once, and has not read it, or takes no socket yet.
            self._not_before = monotonic() + float(message.details.get("seconds", _LATER_S))
            for unread in self._open():
                unread.due = self._not_before
        elif message.rid is None:
            self._last_word = message.code
        elif (waiting := self._waiting.get(message.rid)) is None or waiting.done.done():
            pass
        elif message.code in _LATER:
            waiting.due = monotonic() + _LATER_S
        else:
            error = CommandRefused(message.code, message.message, message.rule)
            error.details = {n: value for n, value in message.details.items() if n.isidentifier()}
            waiting.done.set_exception(error)


def is_here(url: str) -> bool:
    """Whether an address is of this machine, which no proxy leads to.

    >>> is_here("ws://127.0.0.1:8101/ws/a"), is_here("wss://okey.example/ws/a")
    (True, False)
    """
    name = urlsplit(url).hostname or ""
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"
