"""Players for a server to be measured, in their own process.

``python -m benchmarks.server_load URLS PIDS KIND TABLES [AWAY]`` seats four guests at each table,
plays when a line on stdin says so, and answers every line with a line of JSON. It reads no more of
a message than it needs: what it costs is taken from the same two cores.

Several nodes, with commas between them, get an equal number of tables each. AWAY is the share of
the sockets that come to another node than the one that keeps their table, 0 without it.

Lines: ``open`` (make the tables, start the matches), ``flat SECONDS`` (every table's next command
follows at once), ``pace SECONDS RATE TABLES`` (RATE commands a second at each of the first TABLES,
at random times; waiting counts from when a command was due) and ``end``.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import random
import resource
import secrets
import sys
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, TypeVar, cast
from urllib.parse import urlsplit

import httpx
import msgspec
import uvloop

from benchmarks.measure import quantile
from okey101.game.fair.rounds import seat_commitment

__all__: list[str] = []

EVENT: Final = b'{"type":"event","seq":'
YOU: Final = b',"you":{'
AT_ONCE: Final = 8
TRIES: Final = 20
TICKS: Final = os.sysconf("SC_CLK_TCK")
T = TypeVar("T")
OPTIONS: Final = {"clock": 600, "deals": 100, "rules": {"preset": "wiki"}}


# What is read of a message.


class _Deal(msgspec.Struct):
    turn: int | None = None
    phase: str | None = None


class _Promise(msgspec.Struct):
    value: str
    match: int
    deal: int
    round: int


class _Table(msgspec.Struct):
    stage: str | None = None
    commitment: _Promise | None = None


class _You(msgspec.Struct):
    hand: str = ""
    drawn: str | None = None


class _What(msgspec.Struct):
    kind: str


class _Event(msgspec.Struct):
    what: _What
    table: _Table | None = None
    deal: _Deal | None = None


_read_event = msgspec.json.Decoder(_Event).decode
_read_you = msgspec.json.Decoder(_You).decode


class Usage(NamedTuple):
    """What the server has used so far: seconds of processor, and bytes of memory now."""

    cpu: float
    rss: int

    @classmethod
    def of(cls, *pids: int) -> Usage:
        """As Linux counts it, all threads of all processes together."""
        ticks = pages = 0
        for pid in pids:
            stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(stat[11]) + int(stat[12])
            pages += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return cls(ticks / TICKS, pages * resource.getpagesize())


class Socket(asyncio.Protocol):
    """A WebSocket of a player: frames in one piece, a mask of zeros."""

    def __init__(self, heard: Callable[[bytes], None]) -> None:
        loop = asyncio.get_running_loop()
        self.opened: asyncio.Future[None] = loop.create_future()
        self.greeted: asyncio.Future[None] = loop.create_future()
        """Done when the first message has come."""
        self.done = False
        self.size = 0
        self._heard = heard
        self._rest = b""
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's own kind

    def ask(self, path: str, host: str, token: str) -> None:
        """Begin the handshake."""
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: {host}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            f"Authorization: Bearer {token}",
        ]
        self._transport.write("\r\n".join([*lines, "", ""]).encode())

    def data_received(self, data: bytes) -> None:
        if self._rest:
            data = self._rest + data
        at = 0
        if not self.opened.done():
            end = data.find(b"\r\n\r\n")
            if end < 0:
                self._rest = data
                return
            if not data.startswith(b"HTTP/1.1 101"):
                raise SystemExit(f"refused: {data[:80]!r}")
            self.opened.set_result(None)
            at = end + 4
        size = len(data)
        while size - at >= 2:
            length = data[at + 1]
            begin = at + 2
            if length == 126:
                begin = at + 4
                length = int.from_bytes(data[at + 2 : begin])
            elif length == 127:
                begin = at + 10
                length = int.from_bytes(data[at + 2 : begin])
            if size - begin < length:
                break
            self._frame(data[at], data[begin : begin + length])
            at = begin + length
        self._rest = data[at:]

    def _frame(self, kind: int, payload: bytes) -> None:
        if kind == 0x81:
            if not self.greeted.done():
                self.greeted.set_result(None)
            self._heard(payload)
        elif kind == 0x89:
            self._transport.write(b"\x8a%c\0\0\0\0%b" % (0x80 | len(payload), payload))
        elif kind == 0x88 and not self.done:
            raise SystemExit(f"closed by the server: {payload!r}")

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.done:
            raise SystemExit(f"lost: {exc!r}")

    def say(self, payload: bytes) -> None:
        """Send a message of less than 64 kB."""
        length = len(payload)
        head = b"\x81%c" % (0x80 | length) if length < 126 else b"\x81\xfe%b" % length.to_bytes(2)
        self._transport.write(b"%b\0\0\0\0%b" % (head, payload))

    def close(self) -> None:
        """Go without a word."""
        self.done = True
        self._transport.close()


class Board:
    """Four players at a table, who do the simplest thing that is legal, one at a time."""

    def __init__(self, load: Load) -> None:
        self.id = ""
        self.tokens: list[str] = ["", "", "", ""]
        self.sockets: list[Socket] = []
        self._load = load
        self._script: deque[tuple[int, bytes]] = deque()
        self._copies: dict[int, int] = {}
        self._rid = 0
        self._kind = ""
        """The mark of the command that is on its way; empty for none."""
        self._since = 0.0
        self._due: deque[float] = deque()
        self._begun = False
        self._match = False
        self._turn = 0
        self._phase = ""
        self._stage = "waiting"
        self._hands = [_You(), _You(), _You(), _You()]
        self._given: list[bytes] = []
        """What the seats have committed themselves to."""

    # What to do ------------------------------------------------------------------------------

    def begin(self) -> None:
        """From a new table to the first turn."""
        if self._load.kind == "echo":
            return
        self._begun = True
        self._script += [(seat, b'"type":"sit","seat":%d' % seat) for seat in (1, 2, 3)]
        self._script += [(seat, b'"type":"ready"') for seat in (1, 2, 3)]
        self._script.append((0, b'"type":"start"'))
        self._go(time.perf_counter())

    def due(self, at: float) -> None:
        """A command is due."""
        if self._kind or not self._ready:
            self._due.append(at)
        else:
            self._go(at)

    @property
    def busy(self) -> bool:
        """Whether a command is on its way, or the tiles are being dealt."""
        return bool(self._kind or self._script or (self._begun and not self._ready))

    @property
    def _ready(self) -> bool:
        return self._load.kind == "echo" or bool(self._script) or self._stage == "playing"

    def _next(self) -> tuple[int, bytes]:
        if self._script:
            return self._script.popleft()
        if self._load.kind == "echo":
            self._turn = (self._turn + 1) % 4
            return self._turn, b'"type":"act","action":"draw"'
        seat = self._turn
        if self._phase in ("draw", "must-draw"):
            return seat, b'"type":"act","action":"draw"'
        if self._phase == "play":
            own = self._hands[seat]
            tile = own.drawn or own.hand.partition(" ")[0]
            return seat, b'"type":"act","action":"discard %b"' % tile.encode()
        return seat, b'"type":"act","action":"pass"'

    def _go(self, since: float) -> None:
        seat, command = self._next()
        self._rid += 1
        self._kind = command[8 : command.index(b'"', 8)].decode()
        self._since = since
        self.sockets[seat].say(b'{%b,"rid":"%d"}' % (command, self._rid))

    # What is heard ---------------------------------------------------------------------------

    def listener(self, seat: int) -> Callable[[bytes], None]:
        """What to do with a message to a seat."""

        def heard(data: bytes) -> None:
            if data.startswith(EVENT):
                self._event(seat, data)
            elif data.startswith((b'{"type":"error"', b'{"type":"bye"')):
                raise SystemExit(f"table {self.id}, {self._kind}: {data.decode()}")

        return heard

    def _event(self, seat: int, data: bytes) -> None:
        self._load.messages += 1
        self._load.bytes += len(data)
        seq = int(data[len(EVENT) : data.index(b",", len(EVENT))])
        at = data.rfind(YOU)
        if at > 0:
            self._hands[seat] = _read_you(data[at + len(YOU) - 1 : -1])
        copies = self._copies.get(seq, 0) + 1
        if copies < 4:
            self._copies[seq] = copies
            return
        del self._copies[seq]
        kind = self._learn(data)
        if kind != self._kind and kind not in ("show", "deal", "pause"):
            raise SystemExit(f"table {self.id}: {kind} came, not {self._kind}")
        self._told(kind)

    def _learn(self, data: bytes) -> str:
        event = _read_event(data)
        if event.deal is not None:
            if event.deal.turn is not None:
                self._turn = event.deal.turn
            if event.deal.phase is not None:
                self._phase = event.deal.phase
        if event.table is not None and event.table.stage is not None:
            self._stage = event.table.stage
            if self._stage == "dealing" and event.table.commitment is not None:
                self._commit(event.table.commitment)
        if event.what.kind == "show":
            reveals = [
                b'"type":"reveal","random":"%b"' % given.hex().encode() for given in self._given
            ]
            self._script += list(enumerate(reveals))
        return event.what.kind

    def _commit(self, of: _Promise) -> None:
        self._given = [secrets.token_bytes(16) for _ in range(4)]
        for seat, given in enumerate(self._given):
            promise = seat_commitment(given, of.value, self.id, of.match, of.deal, of.round, seat)
            self._script.append((seat, b'"type":"commit","commitment":"%b"' % promise.encode()))
        if self._match:
            self._script += [(seat, b'"type":"ready"') for seat in range(4)]
        self._match = True

    def _told(self, kind: str) -> None:
        """Everybody has heard of an event."""
        load = self._load
        if kind == self._kind:
            load.told(time.perf_counter() - self._since)
            self._kind = ""
        if self._kind or not self._ready:
            return
        if load.flat or (self._script and not load.pacing):
            self._go(time.perf_counter())
        elif self._due:
            self._go(self._due.popleft())

    def settle(self) -> None:
        """Nothing is due any more but the rest of what a deal begins with."""
        self._due.clear()
        if self._script and not self._kind:
            self._go(time.perf_counter())


class Load:
    """All tables of a server, or of the nodes of one."""

    def __init__(
        self, urls: list[str], pids: list[int], kind: str, tables: int, away: float = 0.0
    ) -> None:
        self.kind = kind
        self.flat = False
        self.pacing = False
        self.messages = 0
        self.bytes = 0
        self._urls = urls
        self._pids = pids
        self._away = away
        self._times: list[float] = []
        self._boards = [Board(self) for _ in range(tables)]
        self._rng = random.Random(7)

    def told(self, seconds: float) -> None:
        """A command reached all four seats that many seconds after it was sent or due."""
        self._times.append(seconds)

    # Opening ---------------------------------------------------------------------------------

    async def open(self) -> dict[str, float]:
        """Make people and tables, connect them, and play up to the first turn."""
        start = Usage.of(*self._pids)
        if self.kind == "echo":
            for number, board in enumerate(self._boards):
                board.id = f"table{number}"
        else:
            limits = httpx.Limits(max_connections=AT_ONCE)
            async with httpx.AsyncClient(limits=limits, timeout=60) as http:
                await _each(enumerate(self._boards), lambda one: self._make(http, *one))
        made = Usage.of(*self._pids)
        await _each(enumerate(self._boards), lambda one: self._connect(*one))
        await self._quiet()
        connected = Usage.of(*self._pids)
        for board in self._boards:
            board.begin()
        await self._quiet()
        began = Usage.of(*self._pids)
        return {
            "rss_start": start.rss,
            "rss_tables": made.rss,
            "rss_sockets": connected.rss,
            "rss_playing": began.rss,
            "open_cpu": began.cpu - start.cpu,
        }

    def _node(self, number: int, seat: int | None = None) -> str:
        """The node that keeps a table, or the one that a seat's socket comes to."""
        nodes = len(self._urls)
        socket = 4 * number + (seat or 0)
        if seat is not None and int((socket + 1) * self._away) > int(socket * self._away):
            number += 1 + socket % (nodes - 1)
        return self._urls[number % nodes]

    async def _make(self, http: httpx.AsyncClient, number: int, board: Board) -> None:
        url = self._node(number)
        for seat in range(4):
            guest = {"name": f"Guest {seat}", "bearer": True}
            board.tokens[seat] = (await self._post(http, f"{url}/api/guests", guest))["token"]
        bearer = {"Authorization": f"Bearer {board.tokens[0]}"}
        board.id = (await self._post(http, f"{url}/api/tables", OPTIONS, bearer))["id"]

    async def _post(
        self, http: httpx.AsyncClient, url: str, body: object, headers: dict[str, str] | None = None
    ) -> dict[str, str]:
        """What is answered, asked again where a node is late on a busy machine."""
        for _ in range(TRIES):
            answer = await http.post(url, json=body, headers=headers)
            if answer.status_code != 503:
                break
            print(f"  asked again: {answer.text}", file=sys.stderr, flush=True)
            await asyncio.sleep(0.5)
        found: dict[str, str] = answer.raise_for_status().json()
        return found

    async def _connect(self, number: int, board: Board) -> None:
        for seat in range(4):
            address = urlsplit(self._node(number, seat))
            loop = asyncio.get_running_loop()
            made = partial(Socket, board.listener(seat))
            host, port = str(address.hostname), address.port or 0
            _, socket = await loop.create_connection(made, host, port)
            socket.ask(f"/ws/{board.id}", address.netloc, board.tokens[seat])
            await socket.opened
            board.sockets.append(socket)
            if self.kind != "echo":
                socket.say(b'{"type":"hello"}')
                await socket.greeted  # what happens before is in its view, and no event

    async def _quiet(self) -> None:
        """Until nothing is on its way and all tiles are dealt."""
        await asyncio.sleep(0.1)
        while any(board.busy for board in self._boards):  # noqa: ASYNC110
            await asyncio.sleep(0.05)

    # Playing ---------------------------------------------------------------------------------

    async def run(
        self, seconds: float, rate: float | None = None, tables: int | None = None
    ) -> dict[str, float]:
        """Play for some seconds, ``rate`` commands a second at each of some tables, or flat out."""
        times = self._times = list[float]()
        self.messages = self.bytes = 0
        before, own, start = Usage.of(*self._pids), time.process_time(), time.perf_counter()
        if rate is None:
            self.flat = True
            for board in self._boards:
                board.due(start)
            await asyncio.sleep(seconds)
        else:
            self.pacing = True
            await self._pace(self._boards[:tables], seconds, rate)
        await self._something(before, times)
        after, wall = Usage.of(*self._pids), time.perf_counter() - start
        own = time.process_time() - own
        events, messages, size = len(times), self.messages, self.bytes
        found = sorted(times)
        self.flat = self.pacing = False
        for board in self._boards:
            board.settle()
        self._times = []
        await self._quiet()
        return {
            "events": events,
            "cpu": after.cpu - before.cpu,
            "wall": wall,
            "load": own / wall,
            "p50": quantile(found, 0.5),
            "p99": quantile(found, 0.99),
            "worst": found[-1],
            "bytes": size / messages,
            "rss": after.rss,
        }

    async def _something(self, before: Usage, times: list[float]) -> None:
        """Until there is something to tell: on a busy machine a moment may pass without it."""
        while not times or (self.flat and Usage.of(*self._pids).cpu <= before.cpu):  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    async def _pace(self, boards: list[Board], seconds: float, rate: float) -> None:
        """Every table at times of its own, evenly at random around its pace."""
        loop = asyncio.get_running_loop()
        end = time.perf_counter() + seconds

        def ring(board: Board, at: float) -> None:
            if at < end:
                board.due(at)
                wait(board, at + self._rng.uniform(0.5, 1.5) / rate)

        def wait(board: Board, at: float) -> None:
            loop.call_later(max(0.0, at - time.perf_counter()), ring, board, at)

        now = time.perf_counter()
        for board in boards:
            wait(board, now + self._rng.uniform(0, 1) / rate)
        await asyncio.sleep(seconds)

    def close(self) -> None:
        """Close every socket."""
        for board in self._boards:
            for socket in board.sockets:
                socket.close()


async def _each(ones: Iterable[T], work: Callable[[T], Awaitable[None]]) -> None:
    waiting = iter(ones)

    async def some() -> None:
        for one in waiting:
            await work(one)

    await asyncio.gather(*(some() for _ in range(AT_ONCE)))


async def _serve(load: Load) -> None:
    while line := (await asyncio.to_thread(sys.stdin.readline)).split():
        match line:
            case ["open"]:
                found = await load.open()
            case ["flat", seconds]:
                found = await load.run(float(seconds))
            case ["pace", seconds, rate, tables]:
                found = await load.run(float(seconds), float(rate), int(tables))
            case _:
                break
        print(json.dumps(found), flush=True)
    load.close()
    await asyncio.sleep(0.2)


def main() -> None:
    """Do as stdin says."""
    urls, pids, kind, tables, *away = sys.argv[1:]

    async def run() -> None:
        nodes = [*map(int, pids.split(","))]
        await _serve(Load(urls.split(","), nodes, kind, int(tables), *map(float, away)))

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run())


if __name__ == "__main__":
    main()
