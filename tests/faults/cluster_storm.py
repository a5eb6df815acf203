"""Tables on several nodes whose nodes, links and database fail, one fault after the other.

Players come by a proxy that knows no table: each connection goes to any node that listens. Each
node reaches the database, and is reached by the others, through a wire of its own that can be cut
off, or left hanging. Afterwards the log is played through against what everybody was told.
"""

import asyncio
import contextlib
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from functools import partial
from signal import SIGCONT, SIGQUIT, SIGSTOP
from types import SimpleNamespace
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit, urlunsplit

import httpx

from faults.audit import Audit, copy_database
from faults.storm import SETTINGS, Storm, insisted
from faults.tally import Outcome, Tally, asked, go_on
from postgres import Postgres, binaries, free_port, running
from server.live import Json, LiveServer

_SECONDS = (4.0, 7.0)
"""How long what is paused or cut stays so: longer than any lease."""
_GO_ON_S = 60.0
"""After so long a table that has not moved is one that did not go on."""


Flow: TypeAlias = Callable[
    [asyncio.StreamReader, asyncio.StreamWriter], Coroutine[None, None, None]
]


class Wire:
    """A TCP proxy to any of some ports, which can refuse, or hang without a word."""

    def __init__(self, targets: Callable[[], Sequence[int]], rng: random.Random) -> None:
        self.targets = targets
        self._random = rng
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._server: asyncio.Server | None = None
        self.refuses = False
        self.port = 0

    async def listen(self) -> None:
        self._server = await asyncio.start_server(self._came, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def hang(self) -> None:
        """Pass nothing on, and say nothing."""
        self._flowing.clear()

    def cut(self) -> None:
        """Break what is open, and take nothing."""
        self.refuses = True
        for writer in self._open:
            writer.transport.abort()

    def heal(self) -> None:
        self.refuses = False
        self._flowing.set()

    async def _came(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ports = [*self.targets()]
        self._random.shuffle(ports)
        self._open.add(writer)
        try:
            for port in [] if self.refuses else ports:
                try:
                    there, back = await asyncio.open_connection("127.0.0.1", port)
                except OSError:
                    continue
                self._open.add(back)
                up, down = self.flows()
                both = [
                    asyncio.create_task(up(reader, back)),
                    asyncio.create_task(down(there, writer)),
                ]
                self._tasks.update(both)
                try:
                    await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    for task in both:
                        task.cancel()
                    self._tasks.difference_update(both)
                    back.transport.abort()
                    self._open.discard(back)
                return
        finally:
            writer.transport.abort()
            self._open.discard(writer)

    def flows(self) -> tuple[Flow, Flow]:
        """What a connection passes on: from who has come, and back."""
        return self._flow, self._flow

    async def _flow(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(2**16):
                await self._flowing.wait()
                writer.write(data)
                await writer.drain()


@dataclass
class ClusterTally:
    """What a storm came to."""

    faults: Counter[str] = field(default_factory=Counter)
    acknowledged: int = 0
    rows: int = 0
    matches: int = 0
    tables: int = 0
    compared: int = 0
    worst_wait: float = 0.0
    waits: list[float] = field(default_factory=list)
    """For each fault the seconds until the last of the tables had moved on."""
    problems: list[str] = field(default_factory=list)


@dataclass
class Member:
    """A node, and the wires to its database and to it."""

    node: LiveServer
    database: Wire
    links: Wire
    up: bool = True


_Fault: TypeAlias = Callable[[Member, float, Postgres], Coroutine[None, None, None]]


class ClusterStorm(Storm):
    """A storm over several nodes."""

    def __init__(
        self, members: list[Member], front: Wire, tables: int, seed: int, deals: int
    ) -> None:
        url = f"http://127.0.0.1:{front.port}"
        http = partial(httpx.AsyncClient, base_url=url, trust_env=False)
        server: Any = SimpleNamespace(url=url, http=http)
        super().__init__(server, tables, seed, deals)
        self.members = members
        self.cluster = ClusterTally()

    async def administer(self, method: str, path: str, body: Json | None = None) -> httpx.Response:
        """Ask any node that is up, with its own token."""

        async def once() -> httpx.Response:
            one = self._random.choice([member for member in self.members if member.up])
            async with one.node.admin() as http:
                return await http.request(method, path, json=body, timeout=10)

        return await insisted(once, _GO_ON_S)

    async def strike(self, fault: str, database: Postgres) -> None:
        """Let something fail for a while, and wait until every table has moved on."""
        one = self._random.choice(self.members)
        seconds = self._random.uniform(*_SECONDS)
        before = {party.table: max(p.model.seq for p in party.players)
                  for party in self.parties.values()}  # fmt: skip
        began = time.monotonic()
        healing = asyncio.create_task(_FAULTS[fault](one, seconds, database))
        self.cluster.faults[fault] += 1
        late = set(before)
        while late and time.monotonic() < began + _GO_ON_S:
            await asyncio.sleep(0.05)
            late = {table for table in late if not self._moved(table, before[table])}
        wait = time.monotonic() - began
        self.cluster.waits.append(wait)
        for table in late:
            self.notes.problems.append(f"{table} did not go on after {fault}")
        await healing

    def _moved(self, table: str, seq: int) -> bool:
        party = self.parties.get(table)
        return party is None or any(p.model.seq > seq or p.done.is_set() for p in party.players)

    async def weather(self, faults: Sequence[str], database: Postgres, url: str) -> ClusterTally:
        """Play through faults, let everything end, and compare."""
        async with self.kept() as keepers:
            while len(self.parties) < self._tables:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
            for fault in faults:
                await asyncio.sleep(self._random.uniform(0.2, 1.0))
                await self.strike(fault, database)
                self.failed(keepers)
            await self.ended(keepers)
        for member in self.members:
            if await asyncio.to_thread(member.node.stop) != 0:
                self.notes.problems.append("a node did not stop as it should")
            for event in member.node.events:
                if event.get("event") in ("table-frozen", "task-failed", "relayed-failed"):
                    self.notes.problems.append(f"a node logs {event}")
        data = self.members[0].node.data
        await asyncio.to_thread(copy_database, _through(url, database.port), data)
        audit = Audit(self.names)
        audit.read(data)
        audit.check(self.notes.acknowledged, self.notes.refused, self.closed)
        tally = self.cluster
        tally.acknowledged, tally.rows = len(self.notes.acknowledged), audit.rows
        tally.matches, tally.tables = len(audit.matches), self.tally.tables
        tally.compared = self.notes.counts["fresh views compared"]
        tally.worst_wait = max(tally.waits, default=0.0)
        tally.problems = [*dict.fromkeys([*self.notes.problems, *audit.problems])]
        return tally


async def _killed(member: Member, seconds: float, _: Postgres) -> None:
    member.up = False
    await asyncio.to_thread(member.node.kill)
    await asyncio.sleep(seconds)
    await asyncio.to_thread(member.node.start)
    member.up = True


async def _paused(member: Member, seconds: float, _: Postgres) -> None:
    member.up = False
    member.node.signal(SIGSTOP)
    await asyncio.sleep(seconds)
    member.node.signal(SIGCONT)
    member.up = True


async def _drained(member: Member, _seconds: float, _: Postgres) -> None:
    member.up = False
    await asyncio.to_thread(member.node.stop)
    await asyncio.to_thread(member.node.start)
    member.up = True


def _wire(which: str, how: str) -> _Fault:
    async def fault(member: Member, seconds: float, _: Postgres) -> None:
        wire: Wire = getattr(member, which)
        getattr(wire, how)()
        await asyncio.sleep(seconds)
        wire.heal()

    return fault


async def _restarted(_member: Member, _seconds: float, database: Postgres) -> None:
    await asyncio.to_thread(database.stop)
    await asyncio.to_thread(database.start)


async def _crashed(_member: Member, seconds: float, database: Postgres) -> None:
    await asyncio.to_thread(database.stop, SIGQUIT)
    await asyncio.sleep(seconds / 4)
    await asyncio.to_thread(database.start)


async def _failed_over(_member: Member, _seconds: float, database: Postgres) -> None:
    """A standby that confirms each commit takes its place, at the address that nodes know."""
    await asyncio.to_thread(database.follow)
    await asyncio.to_thread(database.fail_over)


_FAULTS: dict[str, _Fault] = {
    "node killed": _killed,
    "node paused": _paused,
    "node drained": _drained,
    "link cut": _wire("links", "cut"),
    "link hangs": _wire("links", "hang"),
    "database cut off from a node": _wire("database", "cut"),
    "database hangs for a node": _wire("database", "hang"),
    "database restarted": _restarted,
    "database crashed": _crashed,
    "database failed over": _failed_over,
}
FAULTS: tuple[str, ...] = tuple(_FAULTS)


def _through(url: str, port: int) -> str:
    """The same database by another port of this machine."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=f"{parts.username}@127.0.0.1:{port}"))


def storm(
    database: Postgres, faults: Sequence[str], *, nodes: int = 2, tables: int = 4, deals: int = 2,
    seed: int = 101, program: Sequence[str] | None = None, direct: bool = False,
    **settings: object,
) -> ClusterTally:  # fmt: skip
    """A storm on new nodes, perhaps of another program, and an empty database.

    Nodes that reach it ``direct`` know all its hosts, and no wire to it can be cut.
    """

    async def run() -> ClusterTally:
        rng = random.Random(seed)
        url = database.database()
        members: list[Member] = []
        async with contextlib.AsyncExitStack() as stack:
            for number in range(nodes):
                to_database, links = Wire(lambda: [database.port], rng), Wire(list, rng)
                for wire in (to_database, links):
                    await wire.listen()
                    stack.push_async_callback(wire.close)
                merged: dict[str, Any] = SETTINGS | settings
                port = free_port()
                links.targets = partial(list, (port,))
                there = url if direct else _through(url, to_database.port)
                node = LiveServer(
                    None, program=program, database=there,
                    node_name=f"node-{number}",
                    node_listen=f"127.0.0.1:{port}", node_address=f"127.0.0.1:{links.port}",
                    **merged,
                )  # fmt: skip
                await asyncio.to_thread(node.__enter__)
                stack.callback(node.__exit__, None, None, None)
                members.append(Member(node, to_database, links))
            front = Wire(lambda: [m.node.port for m in members if m.up], rng)
            await front.listen()
            stack.push_async_callback(front.close)
            made = ClusterStorm(members, front, tables, seed, deals)
            return await made.weather(faults, database, url)

    return asyncio.run(run())


# Many storms --------------------------------------------------------------------------------------

_WITHIN_S: Final = (1, 3, 6, 10, 30)


def _weathered(number: int) -> Outcome:
    """One storm by its number: each fault once, in an order of its own, on two or three nodes."""
    faults = random.Random(number).sample(FAULTS, len(FAULTS))
    programs = binaries()
    assert programs is not None, "PostgreSQL is missing"
    with running(programs) as database:
        found = storm(database, faults, nodes=2 + number % 2, seed=number)
    counts = {f"fault: {kind}": count for kind, count in found.faults.items()}
    for wait in found.waits:
        limit = next((f"{one} s" for one in _WITHIN_S if wait <= one), "a minute, or never")
        counts[f"all tables went on within {limit}"] = (
            counts.get(f"all tables went on within {limit}", 0) + 1
        )
    for what in ("acknowledged", "rows", "matches", "tables", "compared"):
        counts[what] = getattr(found, what)
    return Outcome(counts, found.problems)


_PAGE: Final = """\
# Faults of a cluster

{faults:,} faults in {storms:,} storms. In each storm two or three nodes share one PostgreSQL, and
people play at four tables by script, through a proxy that knows no table. Nodes are killed,
stopped longer than any lease and continued, and drained; the wires between nodes, and from a node
to the database, are cut or left hanging; the database is restarted, killed, or killed with its
synchronous standby in its place. After each fault every table has to go on. At the end the log is
played through by another program: each acknowledged command stands there once and in its place, no
row that was told is missing, and every fresh view was what had been told before.

Made by `cd tests && ../.venv/bin/python -m faults.cluster_storm --many 112 --write
../benchmarks/cluster.md`, which goes on where it stopped, in {hours:.1f} hours, at {made}. One
storm again: `python -m faults.cluster_storm --one 7`.

| what | how often |
| --- | ---: |
{rows}| **storms in which something was wrong** | **{problems}** |

{lines}"""


def _page(tally: Tally) -> str:
    rows = "".join(f"| {what} | {count:,} |\n" for what, count in sorted(tally.counts.items()))
    faults = sum(count for what, count in tally.counts.items() if what.startswith("fault: "))
    return _PAGE.format(
        faults=faults, storms=tally.done, rows=rows, problems=len(tally.problems),
        hours=tally.seconds / 3600, made=", ".join(tally.revisions), lines=tally.told("storm"),
    )  # fmt: skip


def main() -> int:
    """Go through many storms, or once more through one; 1 where something was wrong."""
    args = asked(main.__doc__).parse_args()
    if args.one is not None:
        found = _weathered(args.one)
        print("\n".join(found.problems) or found.counts)
        return bool(found.problems)
    return go_on(_weathered, args, _page)


if __name__ == "__main__":
    sys.exit(main())
