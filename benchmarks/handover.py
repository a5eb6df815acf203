"""How long people wait where a node of two hands its tables over, or is killed.

And how long its tables take alone, with nobody at them: ``--taken`` and how many.

PostgreSQL, two nodes and the people share the machine. Two people play at each table, at the pace
of people, from either node; all tables are kept by the one that is drained, then by the one that
is killed. Who loses the connection comes back at once, to any node that listens, and says again
what was not answered.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.request import urlopen

import httpx

from benchmarks.cluster import family_cpu
from benchmarks.measure import quantile, table
from benchmarks.server_load import Usage
from benchmarks.start import played, snapshot_of
from okey101.server.protocol import TableOptions, checked_options
from okey101.server.store.postgres import PostgresStore
from okey101.server.tables.snapshots import EVERY

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from faults.players import Notes, Player
from faults.storm import insisted
from postgres import Postgres, binaries, running
from server.live import LiveServer, Person, guest

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

__all__ = ["measure", "report"]

SIZES = (100, 1_000)
TAKEN = (100,)
EACH = 48
"""How many rows a table has that is taken over with nobody at it."""
TIMES = 3
LOOK_S = 0.2
"""How often it is asked how far they are, which costs the node some of the processor too."""
HEADS = "tables", "the node is", "away", "p99", "worst", "said", "p99", "worst", "processor"
TAKEN_HEADS = "tables", "taken", "kept", "processor", "of PostgreSQL"
AT_ONCE = 16
THINK_S = (4.0, 12.0)
SETTLED_S = 15.0
AFTER_S = 15.0
"""So long play is watched before and after a node ends."""
OPTIONS = {"rules": {"preset": "wiki", "players": 2}, "deals": 100, "clock": 120}
SETTINGS: dict[str, Any] = {
    "first_deal_wait_s": 60, "deal_pause_s": 1, "max_tables": 10_000, "drain_s": 20,
    "log_level": "warning",
}  # fmt: skip


@dataclass
class _Waits:
    """How long people waited, in seconds."""

    away: list[float] = field(default_factory=list)
    """From the loss of the connection until the table was shown again."""
    commands: list[float] = field(default_factory=list)
    """From saying something for the first time until it was acknowledged."""
    cpu: float = 0.0
    """What that took of the processor at the other node."""


class _Person(Player):
    """A player who thinks before each turn, and counts what waiting took."""

    def __init__(self, crowd: _Crowd, table: str, person: Person, seat: int) -> None:
        rng = random.Random(f"{table}{seat}")
        super().__init__(crowd.notes, "", table, person, rng, seat=seat)
        self._crowd = crowd
        self._due = 0.0
        self._lost: float | None = None
        self._said: tuple[str, float] = "", 0.0

    @property
    def back(self) -> bool:
        return self._lost is None and self.model.seq >= 0

    async def _session(self) -> None:
        try:
            await super()._session()
        finally:
            self._lost = self._lost or time.monotonic()

    async def _connect(self, seq: int | None) -> ClientConnection:
        port = self._random.choice(self._crowd.ports)
        self._address = f"ws://127.0.0.1:{port}/ws/{self.table}"
        return await super()._connect(seq)

    def _take(self, message: dict[str, Any]) -> None:
        super()._take(message)
        self._look = False
        if self._lost is not None and message["type"] in ("view", "resumed", "event"):
            self._crowd.waits.away.append(time.monotonic() - self._lost)
            self._lost = None

    def _wish(self) -> dict[str, Any] | None:
        wish = super()._wish()
        if wish is None or self.model.stage != "playing" or wish.get("action") != "draw":
            return wish
        if not self._due:
            self._due = time.monotonic() + self._random.uniform(*THINK_S)
        if time.monotonic() < self._due:
            return None
        self._due = 0.0
        return wish

    async def _send(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        if self._said[0] != message["rid"]:
            self._said = message["rid"], time.monotonic()
        await super()._send(socket, message)

    def _acked(self, message: dict[str, Any]) -> None:
        if message["rid"] == self._said[0]:
            self._crowd.waits.commands.append(time.monotonic() - self._said[1])
            self._said = "", 0.0
        super()._acked(message)


class _Crowd:
    """All people, and the nodes that they may come to."""

    def __init__(self, ports: list[int]) -> None:
        self.ports = ports
        self.notes = Notes()
        self.notes.up.set()
        self.waits = _Waits()
        self.people: list[_Person] = []

    async def open(self, node: LiveServer, tables: int) -> None:
        """Make tables at a node, whose matches have begun when this returns."""
        left = iter(range(tables))

        async def make(http: httpx.AsyncClient) -> None:
            for _ in left:
                two = [await guest(http, name) for name in ("Ece", "Can")]
                headers = two[0].headers
                ask = partial(http.post, "/api/tables", json=OPTIONS, headers=headers)
                name = (await insisted(ask)).raise_for_status().json()["id"]
                self.people += [_Person(self, name, one, seat) for seat, one in enumerate(two)]

        async with node.http() as http, asyncio.TaskGroup() as group:
            for _ in range(AT_ONCE):
                group.create_task(make(http))

    async def until(self, holds: Callable[[_Person], bool]) -> float:
        """Until it holds for all; how many seconds that took."""
        began = time.monotonic()
        while not all(map(holds, self.people)):
            if time.monotonic() > began + 300:
                raise TimeoutError(f"{sum(map(holds, self.people))} of {len(self.people)}")
            await asyncio.sleep(0.05)
        return time.monotonic() - began

    async def watched(
        self, node: LiveServer, other: LiveServer, end: Callable[[], object]
    ) -> _Waits:
        """What people waited while a node ended, and went on at the other.

        A proxy that asks each second sends nobody there from the next second on.
        """
        found = self.waits = _Waits()
        asyncio.get_running_loop().call_later(1, self.ports.remove, node.port)
        seqs = {one.table: one.model.seq for one in self.people}
        before = Usage.of(other.running.pid)
        ending = asyncio.create_task(asyncio.to_thread(end))
        await asyncio.sleep(1)
        await self.until(lambda one: one.back and len(found.away) >= len(self.people) / 2)
        found.cpu = Usage.of(other.running.pid).cpu - before.cpu
        await asyncio.sleep(AFTER_S)
        await self.until(lambda one: one.model.seq > seqs[one.table])
        await ending
        self.waits = _Waits()
        return found


async def _handed_over(database: Postgres, tables: int) -> dict[str, _Waits]:
    found: dict[str, _Waits] = {}
    with ExitStack() as stack:
        url = database.database()
        nodes = [LiveServer(None, database=url, node_name=n, **SETTINGS) for n in ("one", "two")]
        for node in nodes:
            await asyncio.to_thread(stack.enter_context, node)
        one, two = nodes
        crowd = _Crowd([one.port, two.port])
        await crowd.open(one, tables)
        _say(f"{tables} tables")
        async with asyncio.TaskGroup() as group:
            playing = [group.create_task(person.run()) for person in crowd.people]
            await crowd.until(lambda person: person.model.stage == "playing")
            crowd.waits = _Waits()
            await asyncio.sleep(SETTLED_S)
            found["nothing"] = crowd.waits
            _say("they play")
            found["drained"] = await crowd.watched(one, two, one.stop)
            _say("drained")
            await asyncio.to_thread(one.start)
            crowd.ports.append(one.port)
            await asyncio.sleep(SETTLED_S)
            found["killed"] = await crowd.watched(two, one, two.kill)
            for task in playing:
                task.cancel()
        if crowd.notes.problems:
            raise RuntimeError("\n".join(crowd.notes.problems[:20]))
    return found


class _Taken(NamedTuple):
    """How a node took the tables of one that was killed, in seconds since then."""

    owned: float
    """Until all were its own."""
    kept: float
    """Until all were in memory, and their clocks ran."""
    node: float
    """What that took of the processor."""
    postgres: float


async def _written(url: str, folder: Path, tables: int) -> None:
    """Tables of two people in their first deal, each with a snapshot of up to 31 rows ago."""
    options = checked_options(
        TableOptions(rules={"preset": "wiki", "players": 2}, deals=100, clock=600)
    )
    store = await PostgresStore.open(url, folder / "log")
    one_at_a_time = asyncio.Lock()

    async def write(number: int) -> None:
        name = f"t{number:011}"
        made = [*islice(played(name, options, f"u_{name}b"), EACH)]
        for row, _ in made:
            await store.append(row)
        async with one_at_a_time:
            assert await store.keep(snapshot_of(made[-1 - number % EVERY][1]))

    left = iter(range(tables))

    async def some() -> None:
        for number in left:
            await write(number)

    async with asyncio.TaskGroup() as group:
        for _ in range(AT_ONCE):
            group.create_task(some())
    await store.close()


def _figure(node: LiveServer, name: str) -> int:
    with urlopen(f"{node.url}/metrics") as answer:
        found = re.search(rf"^okey101_{name} (\S+)", answer.read().decode(), re.MULTILINE)
    return int(float(found[1])) if found else 0


def _taken_over(database: Postgres, tables: int) -> list[_Taken]:
    """Kill the node that keeps all tables, again and again; nobody is at them."""
    url, found = database.database(), list[_Taken]()
    settings = SETTINGS | {"absence_s": 3_600, "database": url}
    with TemporaryDirectory(prefix="okey101-taken-") as folder, ExitStack() as stack:
        asyncio.run(_written(url, Path(folder), tables))
        _say(f"{tables} tables are written")
        one, two = (LiveServer(None, node_name=n, **settings) for n in ("one", "two"))
        stack.enter_context(one)
        while _figure(one, 'tables{stage="playing"}') < tables:
            time.sleep(0.5)
        stack.enter_context(two)
        for _ in range(TIMES):
            time.sleep(AFTER_S)
            node, postgres = Usage.of(two.running.pid).cpu, family_cpu(database.pid)
            before = _figure(two, "node_tables_taken_total")
            began = time.monotonic()
            one.kill()
            while _figure(two, "node_tables_taken_total") - before < tables:
                time.sleep(LOOK_S)
            owned = time.monotonic() - began
            while _figure(two, 'tables{stage="playing"}') < tables:
                time.sleep(LOOK_S)
            kept = time.monotonic() - began
            node = Usage.of(two.running.pid).cpu - node
            found.append(_Taken(owned, kept, node, family_cpu(database.pid) - postgres))
            _say(" ".join(f"{each:.2f}" for each in found[-1]))
            one.start()
            one, two = two, one
    return found


def _say(text: str) -> None:
    print(f"  {text}", file=sys.stderr, flush=True)


def _row(tables: int, what: str, waits: _Waits) -> tuple[str, ...]:
    def told(seconds: Sequence[float]) -> tuple[str, ...]:
        if not seconds:
            return "-", "-", "-"
        return tuple(f"{quantile(seconds, q):.2f}" for q in (0.5, 0.99, 1.0))

    cpu = f"{waits.cpu:.1f}" if waits.cpu else "-"
    return (f"{tables:,}", what, *told(waits.away), *told(waits.commands), cpu)


def measure(sizes: Sequence[int] = SIZES) -> str:
    """Measure, and give the section of results.md."""
    programs = binaries()
    assert programs is not None, "PostgreSQL is missing"
    rows: list[tuple[str, ...]] = []
    for tables in sizes:
        with running(programs) as database:
            found = asyncio.run(_handed_over(database, tables))
        rows += [_row(tables, what, waits) for what, waits in found.items()]
        for row in rows[-len(found) :]:
            _say(" ".join(row))
    load = f"{max(os.getloadavg()):.0f}"
    return f"""## A node that ends

Two nodes on one PostgreSQL, and tables of two people who think for {THINK_S[0]:g} to
{THINK_S[1]:g} s before each turn; everything on this machine's two cores. All tables are kept by
the node that ends, and half of the people come by the other one. *Away* is from the loss of the
connection until the table is shown again, *said* from saying something until it is acknowledged,
for whatever was said then and up to {AFTER_S:g} s later. Nothing acknowledged was lost, or shown
otherwise afterwards. Seconds: median, 99th percentile, worst, and what the other node took of the
processor until everybody was back. The machine had other work: {load} processes wanted its two
cores on average.

{table(HEADS, rows)}

Aims: nobody waits longer than 2 s for a node that is drained, and 6 s for one that is killed, of
which 3 s are its lease.
"""


def measure_taken(sizes: Sequence[int] = TAKEN) -> str:
    """Measure tables that nobody is at, and give what the section tells of them."""
    programs = binaries()
    assert programs is not None, "PostgreSQL is missing"
    rows: list[tuple[str, ...]] = []
    for tables in sizes:
        with running(programs) as database:
            found = _taken_over(database, tables)
        rows.append((f"{tables:,}", *(f"{median(each):.1f}" for each in zip(*found, strict=True))))
    load = f"{max(os.getloadavg()):.0f}"
    return f"""Tables of a node that is killed, with nobody at them: {EACH} rows each, a snapshot
of 0 to {EVERY - 1} rows ago. Seconds until all are the other node's own, and until all are in its
memory with their clocks running; what that took of the processor; medians of {TIMES}. The machine
had other work: {load} processes wanted its two cores.

{table(TAKEN_HEADS, rows)}"""


def report() -> str:
    """The section of results.md."""
    return f"{measure()}\n{measure_taken()}\n"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--taken"]:
        print(measure_taken([int(word) for word in sys.argv[2:]] or TAKEN))
    else:
        print(measure([int(word) for word in sys.argv[1:]] or SIZES))
