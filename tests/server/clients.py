"""People who play at the tables of a live server over real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import secrets
from collections.abc import Callable, Iterable
from typing import Self, TypeAlias

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from conftest import unwrap
from server.contributions import Contributions
from server.live import PATIENCE_S, Json, LiveServer, Person
from server.model import Model

Chooser: TypeAlias = Callable[[Json, random.Random], str]
"""From the options of one's turn to an action in the notation."""


class Refused(Exception):
    """The server's error to a command."""

    def __init__(self, message: Json) -> None:
        super().__init__(f"{message['code']}: {message['message']} {message['details']}")
        self.code: str = message["code"]
        self.rule: str | None = message["rule"]
        self.details: Json = message["details"]


class Gone(Exception):
    """The socket closed before the answer came."""


def simple_choice(options: Json, rng: random.Random) -> str:
    """A quick player who opens when it can and gets rid of what it can."""
    if options["draw"]:
        # Without help it would not know how to use what it took.
        taken = options["take"] and "melds" in options and rng.random() < 0.3
        return "take" if taken else "draw"
    if options["pass"]:
        # Who is not told the melds would not know how to use it.
        taken = options["take"] and "melds" in options and rng.random() < 0.5
        return "take" if taken else "pass"
    opening = options["opening"]
    for name in ("melds", "pairs"):
        if opening.get(name):
            return str(opening[name])
    for name in ("swaps", "melds", "lays"):
        if options.get(name):
            return str(rng.choice(options[name]))
    if options["discards"]:
        least = min(d["points"] for d in options["discards"])
        free = [d["tile"] for d in options["discards"] if d["points"] == least]
        return f"discard {rng.choice(free)}"
    return "return"


def patient_choice(options: Json, rng: random.Random) -> str:
    """Draws and throws alone: where a test wants a deal that has begun, it does not end early.

    Two who open at once may both do so with pairs, which ends a deal of two in one of 150 before
    its tenth action (O7).
    """
    return simple_choice({**options, "take": False, "opening": {}}, rng)


def over(client: Client) -> bool:
    return client.model.stage == "over"


class Client:
    """A player, or with no person a spectator, at one table over a socket.

    ``messages`` has all that came over the present socket. The model, the commands without an
    answer (``unanswered``, by rid), the ``contributions`` and the commitments by match, deal and
    round (``promises``) stay when it connects again.
    """

    def __init__(
        self, server: LiveServer, table: str, person: Person | None = None, *, seed: int = 0
    ) -> None:
        self.server = server
        self.table = table
        self.person = person
        self.random = random.Random(seed)
        self.model = Model()
        self.messages: list[Json] = []
        self.unanswered: dict[str, Json] = {}
        self.contributions = Contributions(self.random)
        self.promises: dict[tuple[int, int, int], str] = {}
        self.socket: ClientConnection | None = None
        self.close_code: int | None = None
        self._mark = secrets.token_hex(4)
        self._count = 0
        self._answers: dict[str, asyncio.Future[Json]] = {}
        self._news: asyncio.Event = asyncio.Event()
        self._reader: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        return await self.connect()

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    # The socket -------------------------------------------------------------------------------

    async def connect(self, seq: int | None = None, *, options: bool = True) -> Self:
        """Open a socket, say hello, and wait for the table or for the end.

        With ``seq`` only what is missing since is asked for; the model has to be of that seq.
        """
        await self.close()
        self.messages.clear()
        self.close_code = None
        address = self.server.url.replace("http", "ws", 1) + f"/ws/{self.table}"
        headers = {} if self.person is None else self.person.headers
        self.socket = await connect(
            address, additional_headers=headers, compression=None, proxy=None, max_size=None,
            open_timeout=PATIENCE_S,
        )  # fmt: skip
        self._reader = asyncio.create_task(self._read(self.socket))
        hello: Json = {"type": "hello", "options": options}
        with contextlib.suppress(Gone):
            if seq is not None:
                hello |= {"seq": seq}
                hello |= {} if self.model.head is None else {"head": self.model.head}
            await self.send(hello)
        await self.until(lambda c: c.closed or c.shown)
        return self

    async def resume(self) -> Self:
        """Open a new socket where the old one stopped: until it is closed events still come."""
        await self.close()
        return await self.connect(self.model.seq)

    async def close(self) -> None:
        if self.socket is not None:
            await self.socket.close()
        if self._reader is not None:
            await self._reader
        self.socket = self._reader = None

    async def drop(self) -> None:
        """Break the connection without a word."""
        unwrap(self.socket).transport.abort()
        await self.close()

    @property
    def closed(self) -> bool:
        return self.close_code is not None

    @property
    def shown(self) -> bool:
        return any(message["type"] in ("view", "resumed") for message in self.messages)

    def seen(self, kind: str) -> list[Json]:
        return [message for message in self.messages if message["type"] == kind]

    async def _read(self, socket: ClientConnection) -> None:
        try:
            async for text in socket:
                self._take(json.loads(text))
        except ConnectionClosed:
            pass
        finally:
            self.close_code = socket.close_code or 1006
            for waiting in self._answers.values():
                if not waiting.done():
                    waiting.set_exception(Gone())
            self._news.set()

    def _take(self, message: Json) -> None:
        self.messages.append(message)
        self.model.take(message)
        if (promise := self.model.table.get("commitment")) is not None:
            where = promise["match"], promise["deal"], promise["round"]
            assert self.promises.setdefault(where, promise["value"]) == promise["value"]
        if message["type"] in ("ack", "error", "answer") and message["rid"] is not None:
            self.unanswered.pop(message["rid"], None)
            waiting = self._answers.get(message["rid"])
            if waiting is not None and not waiting.done():
                waiting.set_result(message)
        self._news.set()

    # Words ------------------------------------------------------------------------------------

    async def send(self, message: Json | str | bytes) -> None:
        """Send anything; Gone where the socket is closed."""
        data = json.dumps(message) if isinstance(message, dict) else message
        try:
            await unwrap(self.socket).send(data)
        except ConnectionClosed:
            raise Gone from None

    async def command(self, kind: str, *, rid: str | None = None, **fields: object) -> int | None:
        """Send a command and wait for its ack; returns the seq of the ack.

        Raises Refused, and Gone where the socket closes before the answer.
        """
        answer = await self.request(kind, rid, **fields)
        seq: int | None = answer["seq"]
        return seq

    async def do(self, kind: str, **fields: object) -> int:
        """Send a command of the log, and wait until the model has it; returns its seq.

        Raises Refused and Gone. Somebody who leaves falls back to what spectators see, which needs
        another way to wait.
        """
        seq = await self.command(kind, **fields)  # type: ignore[arg-type]
        assert seq is not None
        await self._reach(seq, lambda _: False)
        return seq

    async def request(self, kind: str, rid: str | None = None, /, **fields: object) -> Json:
        """Send a message that is answered and wait for the answer, as it is."""
        if rid is None:
            self._count += 1
            rid = f"{self._mark}-{self._count}"
        message = {"type": kind, "rid": rid} | fields
        self.unanswered[rid] = message
        waiting: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._answers[rid] = waiting
        try:
            if self.closed:
                raise Gone
            await self.send(message)
            async with asyncio.timeout(PATIENCE_S):
                answer = await waiting
        finally:
            del self._answers[rid]
            if not waiting.done():
                waiting.cancel()
            elif not waiting.cancelled():
                waiting.exception()  # retrieved, so that asyncio does not warn
        if answer["type"] == "error":
            raise Refused(answer)
        return answer

    async def ask(self, what: str, **fields: object) -> Json:
        return await self.request("ask", None, what=what, **fields)

    async def until(self, reached: Callable[[Client], bool], patience: float = PATIENCE_S) -> None:
        """Wait until something holds, looking after every message; AssertionError."""
        try:
            async with asyncio.timeout(patience):
                while not reached(self):
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            lately = [(m["type"], m.get("seq"), m.get("what")) for m in self.messages[-5:]]
            raise AssertionError(
                f"nothing came for {patience} s: {self.model}\nlast {lately}\n"
                f"closed {self.close_code}, unanswered {self.unanswered}\n"
                f"log of the server: {self.server.log[-2000:]}"
            ) from None

    # Play -------------------------------------------------------------------------------------

    async def play_on(
        self, until: Callable[[Client], bool] = over, choose: Chooser = simple_choice
    ) -> None:
        """Play one's seat until something holds, or the socket is closed (Gone).

        The own randomness is given before each deal, and the seat is ready for the next at once.
        """
        while not until(self):
            if self.closed:
                raise Gone
            seq, step = self.model.seq, self._step(choose)
            if step is None:
                await self._reach(seq + 1, until)
                continue
            try:
                acked = await self.command(**step) or seq
            except Refused:
                # Somebody else, or the clock, was faster; without news it is a real refusal.
                if self.model.seq == seq:
                    raise
            else:
                await self._reach(acked, until)

    async def _reach(self, seq: int, or_else: Callable[[Client], bool]) -> None:
        await self.until(lambda c: c.closed or c.model.seq >= seq or or_else(c))

    def _step(self, choose: Chooser) -> Json | None:
        """The next command of a willing player; None to wait."""
        model = self.model
        seat = model.seat
        if seat is None:
            return None
        mine = model.table["seats"][seat]
        if mine["away"]:
            return {"kind": "resume"}
        if model.stage == "dealing":
            step = self.contributions.step(model.table, seat)
            if step is not None:
                return step
            return None if mine["ready"] else {"kind": "ready"}
        if model.options is not None and model.stage == "playing":
            return {"kind": "act", "action": choose(model.options, self.random)}
        return None


async def answered(client: Client) -> None:
    count = len(client.seen("pong"))
    await client.send({"type": "ping", "n": count})
    await client.until(lambda c: c.closed or len(c.seen("pong")) > count)
    assert not client.closed


async def all_play(
    clients: Iterable[Client],
    until: Callable[[Client], bool] = over,
    choose: Chooser = simple_choice,
) -> None:
    await asyncio.gather(*(client.play_on(until, choose) for client in clients))
