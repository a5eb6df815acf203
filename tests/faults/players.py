"""Scripted people who play on through every failure of their server, and note what they see."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from faults.audit import Mark, Seen, difference
from server.clients import simple_choice
from server.contributions import Contributions
from server.live import Json, Person
from server.model import Model

REPLACED = 4001
_LATER = ("store-failed", "draining", "rate-limited", "accounts-failed", "accounts-busy")
"""Refusals after which the same command is sent again."""
_LOOK_S = 1.0
_QUIET_S = 5.0
"""After so long a player asks whether the server still listens."""
_PATIENCE_S = 20.0
_SILENCE_S = 60.0


@dataclass
class Notes:
    """What all players of a server were told."""

    acknowledged: dict[Mark, int] = field(default_factory=dict)
    refused: dict[Mark, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    up: asyncio.Event = field(default_factory=asyncio.Event)
    """Whether the server takes connections."""


class _Begin(Exception):
    """What was told does not follow from what is known; begin with a fresh view."""


class Player:
    """One person, or with none a spectator, at one table.

    It connects again with the last seq after every loss, sends the command that was not answered
    once more with the same ``rid``, and now and then asks for a fresh view and compares. It is
    ``done`` when a match is over and ``again`` refuses another.
    """

    def __init__(
        self, notes: Notes, url: str, table: str, person: Person | None, rng: random.Random,
        *, seat: int | None = None, options: bool = False,
        again: Callable[[Player], bool] = lambda _: False,
    ) -> None:  # fmt: skip
        self.notes = notes
        self.table = table
        self.person = person
        self.model = Model()
        self.done = asyncio.Event()
        self.offline = asyncio.Event()
        self.offline.set()
        self.stays_away = 0.0
        """For how many seconds it will not come back after the next loss."""
        self._address = url.replace("http", "ws", 1) + f"/ws/{table}"
        self._random = rng
        self._contributions = Contributions(rng)
        self._seat = seat
        self._options = options
        self._again = again
        self._pending: Json | None = None
        self._copies = 0
        self._blocked = -1
        self._reach = 0
        self._rids = 0
        self._look = False
        self._caught_up = False
        """Whether this connection has told all that was missed."""
        self._asked: str | None = None
        """The unanswered command for which the server was pinged."""

    @property
    def who(self) -> str:
        return f"{self.person.name if self.person else 'a spectator'} at {self.table}"

    @property
    def seen(self) -> Seen:
        user = None if self.person is None else self.person.id
        return Seen(self.who, self.table, user, replace(self.model))

    def problem(self, text: str) -> None:
        self.notes.problems.append(f"{self.who}: {text}")

    # The connection ---------------------------------------------------------------------------

    async def run(self) -> None:
        while not self.done.is_set():
            await self.notes.up.wait()
            pause, self.stays_away = self.stays_away, 0.0
            await asyncio.sleep(pause + self._random.random() * 0.1)
            try:
                await self._session()
            except _Begin:
                self.model = Model()
            except (OSError, WebSocketException, TimeoutError):
                self.notes.counts["connections lost"] += 1
            finally:
                self.offline.set()

    async def _session(self) -> None:
        self.offline.clear()
        known = self.model.seq if self.model.seq >= 0 else None
        socket = await self._connect(known)
        try:
            self._copies = self._reach = 0
            self._caught_up = False
            if self._pending is not None:
                self.notes.counts["commands sent again"] += 1
                await self._send(socket, self._pending)
            await self._converse(socket)
            while not self.done.is_set():
                socket = await self._compare(socket)
                await self._converse(socket)
        finally:
            await socket.close()

    async def _connect(self, seq: int | None) -> ClientConnection:
        headers = {} if self.person is None else self.person.headers
        socket = await connect(
            self._address, additional_headers=headers, compression=None, proxy=None,
            max_size=None, ping_interval=None, open_timeout=_PATIENCE_S, close_timeout=1,
        )  # fmt: skip
        self.notes.counts["connections"] += 1
        hello: Json = {"type": "hello", "options": self._options}
        await socket.send(json.dumps(hello if seq is None else hello | {"seq": seq}))
        return socket

    async def _converse(self, socket: ClientConnection) -> None:
        """Listen and play; returns when it is done, or wants a fresh view."""
        quiet = 0.0
        self._asked = None
        while not self.done.is_set():
            try:
                async with asyncio.timeout(_LOOK_S):
                    text = await socket.recv()
            except TimeoutError:
                quiet += _LOOK_S
                self._blocked = -1
                if self._pending is not None and quiet >= _QUIET_S and self._asked is None:
                    self._asked = self._pending["rid"]
                    await socket.send(json.dumps({"type": "ping", "n": 0}))
                if self._asked is not None and quiet >= _SILENCE_S:
                    self.problem(f"nothing comes for {quiet:.0f} s, not even to a ping")
                    raise
            else:
                quiet = 0.0
                message = json.loads(text)
                self._take(message)
                if message["type"] == "pong":
                    await self._answered(socket)
            if self._look and self._pending is None:
                return
            await self._act(socket)

    async def _answered(self, socket: ClientConnection) -> None:
        """A pong: messages are taken one after the other, so all before it are answered."""
        if self._pending is not None and self._pending["rid"] == self._asked:
            self.problem(f"no answer to {self._pending['type']}")
            await self._send(socket, self._pending)
        self._asked = None

    async def _compare(self, socket: ClientConnection) -> ClientConnection:
        """Take a second socket with a fresh view, which must be what the first one told."""
        self._look = False
        fresh = await self._connect(None)
        try:
            first = json.loads(await fresh.recv())
            model = Model()
            if first["type"] == "view":
                model.take(first)
            else:  # it is refused for now, and the first one still served
                self._take(first)
            if model.seat is None:  # whoever has lost the seat only watches, by any sockets
                await fresh.close()
                return socket
            rest = asyncio.create_task(self._drained(socket))
            await asyncio.wait(
                (rest, gone := asyncio.create_task(fresh.wait_closed())),
                return_when=asyncio.FIRST_COMPLETED,
            )
            if not rest.done():  # its node let go of the table: the first one is still served
                rest.cancel()
                await asyncio.gather(rest, return_exceptions=True)
                return socket
            gone.cancel()
            rest.result()
            if socket.close_code == REPLACED:
                self.notes.counts["fresh views compared"] += 1
                if not self.model.same(model):
                    self.problem(
                        f"knows another row than is shown: {difference(self.model, model)}"
                    )
            self._take(first)
        except BaseException:
            await fresh.close()
            raise
        return fresh

    async def _drained(self, socket: ClientConnection) -> None:
        """Take what comes on a socket until it is closed."""
        with contextlib.suppress(ConnectionClosed):
            async for text in socket:
                self._take(json.loads(text))

    # What is heard ----------------------------------------------------------------------------

    def _take(self, message: Json) -> None:
        kind, known = message["type"], self.model.seq
        match kind:
            case "ack":
                self._acked(message)
            case "error":
                self._refused(message)
            case "view" if message["seq"] < known:
                at = f"{time.monotonic():.2f}"
                self.problem(f"was at row {known}, and at {at} is shown row {message['seq']}: lost")
            case "frozen":
                self.problem("the table is frozen")
            case _:
                pass
        try:
            self.model.take(message)
        except AssertionError as error:
            self.problem(f"a gap: {error}")
            raise _Begin from None
        self._caught_up = self._caught_up or kind in ("view", "resumed")
        self.notes.counts[f"{kind}s" if kind in ("view", "event") else kind] += 1
        if self._caught_up:  # else perhaps somebody has the seat by now
            self._count_tiles()
        if kind == "event" and self.model.seat is not None:
            ended = message["what"]["kind"] == "act" and self.model.stage != "playing"
            self._look = self._look or ended or self._random.random() < 0.02
        if self.model.stage == "over" and not self._again(self):
            self.done.set()

    def _count_tiles(self) -> None:
        """Hands, table, discards, stock and indicator are all the tiles there are."""
        deal, you = self.model.deal, self.model.you
        if deal is None:
            return
        groups = sum(len(group["tiles"].split()) for group in deal["groups"])
        open_ = groups + sum(len(pile.split()) for pile in deal["discards"])
        indicator = not deal["must_finish"]
        if sum(deal["sizes"]) + open_ + deal["stock"] + indicator != 106:
            self.problem(f"row {self.model.seq} does not have 106 tiles")
        if you is not None and len(you["hand"].split()) != deal["sizes"][you["seat"]]:
            self.problem(f"row {self.model.seq}: the own hand has another size")

    def _acked(self, message: Json) -> None:
        mark, seq = self._mark(message["rid"]), message["seq"]
        if self.notes.acknowledged.setdefault(mark, seq) != seq:
            self.problem(f"{mark.rid} is row {self.notes.acknowledged[mark]} and row {seq}")
        self.notes.refused.pop(mark, None)
        if self._pending is not None and self._pending["rid"] == mark.rid:
            self._pending = None
            self._reach = seq  # the next one is chosen when the event is here

    def _refused(self, message: Json) -> None:
        pending, code = self._pending, message["code"]
        if message["rid"] is None:
            if code not in _LATER:
                self.problem(f"is told {code}: lost")
            if code in ("no-table", "table-closed"):
                self.done.set()
            return
        if pending is None or pending["rid"] != message["rid"]:  # the second copy of a command
            if self._mark(message["rid"]) in self.notes.acknowledged and code not in _LATER:
                self.problem(f"{message['rid']} is acknowledged, and then refused: {code}")
            return
        self._copies -= 1
        if code in _LATER:
            self.notes.counts[code] += 1
            self._blocked = self.model.seq
            self._asked = None
            return
        if self._copies <= 0:
            mark = self._mark(message["rid"])
            self.notes.counts["commands refused"] += 1
            self.notes.refused[mark] = code
            self._pending = None
            self._blocked = self.model.seq
            # Perhaps a stand-in has begun the turn, and what it took has to be used, or put back.
            self._options = self._look = True

    def _mark(self, rid: str) -> Mark:
        assert self.person is not None
        return Mark(self.table, self.person.id, rid)

    # What is said -----------------------------------------------------------------------------

    async def _send(self, socket: ClientConnection, message: Json) -> None:
        self._copies += 1
        await socket.send(json.dumps(message))

    async def _act(self, socket: ClientConnection) -> None:
        """Send the next command, now and then twice."""
        seq = self.model.seq
        if self.person is None or self.done.is_set() or not self._caught_up:
            return
        if seq == self._blocked or seq < self._reach:
            return
        if self._pending is not None:
            if self._copies <= 0:
                await self._send(socket, self._pending)
            return
        wish = self._wish()
        if wish is None:
            return
        self._rids += 1
        self._copies = 0
        self._pending = {"rid": f"{id(self):x}-{self._rids}"} | wish
        self.notes.counts["commands"] += 1
        await self._send(socket, self._pending)
        if self._random.random() < 0.1:
            self.notes.counts["commands sent twice"] += 1
            await self._send(socket, self._pending)

    def _wish(self) -> Json | None:
        model = self.model
        match model.stage:
            case "waiting":
                return self._arrive()
            case "dealing" if model.seat is not None:
                step = self._contributions.step(model.table, model.seat)
                if step is not None:
                    return {"type": step.pop("kind")} | step
                ready = model.table["seats"][model.seat]["ready"]
                return None if ready else {"type": "ready"}
            case "playing" if model.seat is not None and model.deal is not None:
                if model.deal["turn"] != model.seat or model.table["seats"][model.seat]["away"]:
                    return None
                return {"type": "act", "action": self._action(model.deal)}
            case "over" if model.seat is not None:
                wants = model.table["seats"][model.seat]["rematch"]
                return None if wants else {"type": "rematch"}
        return None

    def _arrive(self) -> Json | None:
        if self.model.seat is None:
            return {"type": "sit", "seat": self._seat}
        seats = self.model.table["seats"]
        mine = seats[self.model.seat]
        if not mine["ready"]:
            return {"type": "ready"}
        if mine["owner"] and all(seat["bot"] or seat.get("ready") for seat in seats):
            return {"type": "start"}
        return None

    def _action(self, deal: Json) -> str:
        if self.model.options is not None:
            return simple_choice(self.model.options, self._random)
        if deal["phase"] in ("draw", "must-draw"):
            return "draw"
        if deal["phase"] != "play":
            return "pass"
        you = self.model.you or {}
        return f"discard {you['drawn'] or self._random.choice(you['hand'].split())}"
