"""A small client written by hand, whole or with one fault planted."""

import asyncio
import json
import random
import secrets
from itertools import count

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from server.clients import simple_choice
from server.contributions import Contributions
from server.live import Json, Person
from server.model import Model

FOUND = {
    "acts-twice": ("ack-not-awaited", "ack-late"),
    "counts-rids-anew": ("rid-reused", "action-lost"),
    "forgets": ("move-sent-twice", "action-lost"),
    "forgets-seq": ("seq-not-resumed", "message-halved"),
    "hammers": ("no-back-off", "handshakes-refused"),
    "new-rid": ("move-sent-twice", "action-lost"),
    "on-ack": ("stale-options", "event-late"),
    "returns-after-replaced": ("back-after-replaced", "replaced"),
    "sends-nonsense": ("bad-message", "event-again"),
    "stops-at-unknown": ("unknown-not-ignored", "unknown-message"),
    "token-in-address": ("token-in-address", "unknown-name"),
}
"""What is found of each planted fault, and the trial that shows it."""
KNOWN = {"view", "event", "resumed", "ack", "error", "presence", "bye", "muted", "pong", "notice"}


class Natural:
    """Plays a match: keeps the view, answers each of its turns, and comes back.

    ``fault`` is one of :data:`FOUND`, or empty for none. It ends when the match is over or the
    server has closed the line for good.
    """

    def __init__(self, url: str, table: str, person: Person, fault: str = "") -> None:
        self.fault = fault
        self.model = Model()
        self.ended: bool = False
        self._address = url.replace("http", "ws", 1) + f"/ws/{table}"
        if fault == "token-in-address":
            self._address += f"?token={person.token}"
        self._headers = person.headers
        self._mark = secrets.token_hex(4)
        self._rids = count(1)
        self._pending: Json | None = None
        self._row = 0
        self._random = random.Random(1)
        self._given = Contributions(self._random)
        self._steps: set[str] = set()

    async def play(self) -> None:
        tries = 0
        while tries <= 20 and not self.ended:
            if self.fault == "counts-rids-anew":
                self._mark, self._rids = "mine", count(1)
            try:
                async with connect(
                    self._address, additional_headers=self._headers, compression=None, proxy=None,
                    close_timeout=1, ping_interval=None,
                ) as socket:  # fmt: skip
                    tries = 0
                    await self._session(socket)
            except ConnectionClosed as closed:
                code = closed.rcvd.code if closed.rcvd is not None else 1006
                if code >= 4000 and self.fault != "returns-after-replaced":
                    return
            except (OSError, EOFError, InvalidHandshake, TimeoutError):
                pass
            tries += 1
            await asyncio.sleep(0 if self.fault == "hammers" else 0.3 * tries)

    async def _session(self, socket: ClientConnection) -> None:
        hello: Json = {"type": "hello", "options": True}
        if self.model.seq >= 0 and self.fault != "forgets-seq":
            hello |= {"seq": self.model.seq}
            hello |= {} if self.model.head is None else {"head": self.model.head}
        else:
            self.model = Model()
        await socket.send(json.dumps(hello))
        fresh = True
        async for text in socket:
            message = json.loads(text)
            if message["type"] not in KNOWN and self.fault == "stops-at-unknown":
                raise EOFError(message["type"])
            if message["type"] == "event" and message["seq"] <= self.model.seq:
                continue
            self.model.take(message)
            if message["type"] in ("view", "resumed") and fresh:
                fresh = False
                await self._again(socket)
            elif message["type"] in ("ack", "error"):
                await self._answered(socket, message)
            if self.model.stage == "over":
                self.ended = True
                return
            await self._next(socket)

    async def _again(self, socket: ClientConnection) -> None:
        pending = self._pending
        if pending is None:
            return
        if self.fault in ("forgets", "counts-rids-anew"):
            self._pending = None
        elif self.fault == "new-rid":
            self._pending = pending | {"rid": self._rid()}
            await socket.send(json.dumps(self._pending))
        else:
            await socket.send(json.dumps(pending))

    async def _answered(self, socket: ClientConnection, message: Json) -> None:
        if self._pending is None or message["rid"] != self._pending["rid"]:
            return
        self._pending = None
        if message["type"] == "ack" and message["seq"] is not None:
            # The options that it has are those from before its own move.
            self._row = 0 if self.fault == "on-ack" else message["seq"]
            if self.fault == "on-ack" and self.model.options is not None:
                await self._act(socket, self.model.options)

    async def _next(self, socket: ClientConnection) -> None:
        if self.model.stage == "dealing" and self.model.seat is not None:
            step = self._given.step(self.model.table, self.model.seat)
            if step is not None and str(step) not in self._steps:
                self._steps.add(str(step))
                kind = step.pop("kind")
                await socket.send(json.dumps({"type": kind, "rid": self._rid()} | step))
                await socket.send(json.dumps({"type": "ready", "rid": self._rid()}))
        elif self.model.options is not None and self._pending is None:
            if self._row <= self.model.seq:
                await self._act(socket, self.model.options)

    async def _act(self, socket: ClientConnection, options: Json) -> None:
        assert self.model.deal is not None
        number, turn = self.model.deal["number"], self.model.deal["turns"]
        action = simple_choice({**options, "take": False}, self._random)
        act = {"type": "act", "action": action, "deal": number, "turn": turn}
        act |= {"rid": self._rid()}
        self._pending = act
        if self.fault == "sends-nonsense":
            await socket.send(json.dumps(act | {"rid": self._rid(), "colour": "red"}))
        await socket.send(json.dumps(act))
        if self.fault == "acts-twice":
            await socket.send(json.dumps(act | {"rid": self._rid()}))

    def _rid(self) -> str:
        return f"{self._mark}-{next(self._rids)}"
