"""Nodes on one PostgreSQL, beside a server with a file of its own; what all of them cost.

Each node is held to a share of a core by a quota, so that one machine can show what several do;
PostgreSQL and the players have what is left. ``python -m benchmarks.cluster FILE`` measures in a
size that only shows that it works, and writes the figures to FILE. What is measured is kept in
``cluster_costs.json``, from which :mod:`benchmarks.sizing` computes how far it carries.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

import asyncpg

from benchmarks.measure import machine, median, table
from benchmarks.server import asked, process
from benchmarks.start import long_match
from okey101.server.cluster.links import Node
from okey101.server.cluster.membership import Membership
from okey101.server.store import Row, SqliteStore
from okey101.server.store.postgres import PostgresStore
from okey101.server.store.public_log import append as log_publicly
from okey101.server.tables.log_entries import read_entry
from okey101.server.tables.match_record import match_record
from okey101.server.tables.reduce import applied
from okey101.server.tables.rows import read_first

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))
from postgres import Postgres, binaries, running

__all__ = ["COSTS", "SETUPS", "SHORT", "Plan", "measure", "report", "told_of"]

COSTS: Final = Path(__file__).with_name("cluster_costs.json")
TICKS: Final = os.sysconf("SC_CLK_TCK")
PERIOD_US: Final = 10_000


class Setup(NamedTuple):
    """So many nodes, 0 for a server with a file of its own."""

    nodes: int
    away: float
    """The share of sockets that come to another node than the one that keeps their table."""


SETUPS: Final = {
    "SQLite": Setup(0, 0),
    "one node": Setup(1, 0),
    "two nodes": Setup(2, 1 / 2),
    "three nodes": Setup(3, 2 / 3),
    "two nodes, no socket relayed": Setup(2, 0),
    "two nodes, every socket relayed": Setup(2, 1),
}


@dataclass(frozen=True)
class Plan:
    """How much is measured; times in seconds."""

    tables: int = 30
    """For each node."""
    quota: float = 0.4
    """The share of a core that a node has."""
    pace: float = 0.4
    """Commands a second at a table: people who draw and discard within five seconds."""
    rounds: int = 3
    seconds: float = 4.0
    paced_seconds: float = 10.0
    rows: int = 30_000
    """What the stores alone are given."""
    entries: int = 3_000
    owned: tuple[int, ...] = (0, 10_000, 100_000)
    beats: int = 20


SHORT: Final = Plan(
    tables=20, rounds=1, seconds=1.0, paced_seconds=2.0, rows=4_000, entries=300,
    owned=(0, 1_000), beats=5,
)  # fmt: skip


# The machine --------------------------------------------------------------------------------------


@contextmanager
def quota(share: float) -> Iterator[Path]:
    """A group of processes that may use so much of a core together; give it their numbers."""
    root = Path("/sys/fs/cgroup")
    old = (root / "cpu" / "cpu.cfs_quota_us").exists()
    group = Path(tempfile.mkdtemp(prefix="okey101-bench-", dir=root / "cpu" if old else root))
    try:
        limit = round(PERIOD_US * share)
        if old:
            (group / "cpu.cfs_period_us").write_text(str(PERIOD_US))
            (group / "cpu.cfs_quota_us").write_text(str(limit))
        else:
            (group / "cpu.max").write_text(f"{limit} {PERIOD_US}")
        yield group / "cgroup.procs"
    finally:
        while (group / "cgroup.procs").read_text():
            time.sleep(0.05)  # whoever ended is still leaving
        group.rmdir()


def family_cpu(pid: int) -> float:
    """Seconds of processor that a process and its children have used, those that ended too."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            words = stat.read_text("ascii", "replace").rpartition(")")[2].split()
            mine = int(stat.parent.name) == pid
            if mine or int(words[1]) == pid:
                ticks += sum(map(int, words[11:15] if mine else words[11:13]))
    return ticks / TICKS


def told(url: str, sql: str) -> Any:
    """The first value that a statement finds."""

    async def work() -> Any:
        conn = await asyncpg.connect(url)
        try:
            return await conn.fetchval(sql)
        finally:
            await conn.close()

    return asyncio.run(work())


_ROWS: Final = "SELECT (SELECT count(*) FROM log) + (SELECT count(*) FROM archive)"
_COMMITS: Final = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
_WAL: Final = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint"
_CONNECTIONS: Final = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
_BYTES: Final = "SELECT pg_database_size(current_database())"


# Nodes and their players --------------------------------------------------------------------------


@dataclass
class Contestant:
    """The nodes of a setup, with their players and what came of it."""

    setup: Setup
    tables: int
    load: subprocess.Popen[str]
    url: str | None
    """The database; None for a file."""
    postgres: Postgres
    opened: dict[str, float] = field(default_factory=dict)
    flat: list[dict[str, float]] = field(default_factory=list)
    paced: list[dict[str, float]] = field(default_factory=list)

    def run(self, *words: object) -> dict[str, float]:
        """Have the players play, and look at the database before and after."""
        if self.url is None:
            return asked(self.load, *words)
        before, cpu = [told(self.url, sql) for sql in (_ROWS, _WAL)], family_cpu(self.postgres.pid)
        run = asked(self.load, *words)
        cpu = family_cpu(self.postgres.pid) - cpu
        rows, wal = (
            told(self.url, sql) - was for sql, was in zip((_ROWS, _WAL), before, strict=True)
        )
        return run | {"rows": rows, "database_cpu": cpu, "wal": wal}


@contextmanager
def _servers(kind: str, number: int, plan: Plan, *more: str) -> Iterator[list[dict[str, Any]]]:
    """Where so many servers listen, and their groups, in which they are from :func:`_hold` on."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        groups = [stack.enter_context(quota(plan.quota)) for _ in range(number)]
        words = [[kind, str(Path(folder, str(n))), *more] for n in range(number)]
        begun = [stack.enter_context(process("benchmarks.server_child", *each)) for each in words]
        at = []
        for server, group, each in zip(begun, groups, words, strict=True):
            assert server.stdout is not None
            at.append(json.loads(server.stdout.readline()) | {"group": group, "data": each[1]})
        yield at


def _hold(servers: Sequence[dict[str, Any]]) -> None:
    for server in servers:
        server["group"].write_text(str(server["pid"]))


@contextmanager
def _contestant(
    setup: Setup, plan: Plan, servers: Sequence[dict[str, Any]], url: str | None, postgres: Postgres
) -> Iterator[Contestant]:
    some = servers[: max(1, setup.nodes)]
    urls, pids = (",".join(str(one[name]) for one in some) for name in ("url", "pid"))
    tables = plan.tables * len(some)
    words = urls, pids, "durable", tables, setup.away
    with process("benchmarks.server_load", *words) as load:
        made = Contestant(setup, tables, load, url, postgres)
        made.opened = asked(load, "open")
        yield made
        with contextlib.suppress(BrokenPipeError):
            assert load.stdin is not None
            print("end", file=load.stdin, flush=True)
        load.wait(60)


def _disk(url: str | None, data: str) -> dict[str, float]:
    """How many rows there are, and what they take with all that hangs on them."""
    if url is not None:
        found = {"rows": told(url, _ROWS), "bytes": told(url, _BYTES)}
        return found | {"connections": told(url, _CONNECTIONS) - 1}
    # The server holds the lock on the file: a copy of it is read.
    with tempfile.TemporaryDirectory() as other:
        for path in Path(data).glob("log.sqlite*"):
            Path(other, path.name).write_bytes(path.read_bytes())
        with contextlib.closing(sqlite3.connect(Path(other, "log.sqlite"))) as conn:
            (rows,) = conn.execute("SELECT count(*) FROM log WHERE table_id <> ''").fetchone()
            (size,) = conn.execute(
                "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
            ).fetchone()
    return {"rows": rows, "bytes": size, "connections": 0}


def _rss(servers: Sequence[dict[str, Any]]) -> int:
    return sum(
        int(Path(f"/proc/{one['pid']}/statm").read_text("ascii").split()[1]) for one in servers
    ) * os.sysconf("SC_PAGE_SIZE")


def _say(text: str) -> None:
    print(f"  {text}", file=sys.stderr, flush=True)


def contest(plan: Plan, postgres: Postgres) -> tuple[dict[str, Contestant], dict[str, Any]]:
    """All setups, round by round in turn; and what each kind of server holds and writes."""
    found: dict[str, Contestant] = {}
    held: dict[str, Any] = {}
    most = max(setup.nodes for setup in SETUPS.values())
    url = postgres.database()
    with ExitStack() as stack:
        servers = {
            None: stack.enter_context(_servers("durable", 1, plan)),
            url: stack.enter_context(_servers("node", most, plan, url)),
        }
        start = {where: _rss(some) for where, some in servers.items()}
        for name, setup in SETUPS.items():
            where = url if setup.nodes else None
            made = _contestant(setup, plan, servers[where], where, postgres)
            found[name] = stack.enter_context(made)
            _say(f"{name}: {found[name].tables} tables")
        began = {where: _disk(where, some[0]["data"]) for where, some in servers.items()}
        for some in servers.values():
            _hold(some)
        for number in range(plan.rounds + 1):
            for one in found.values():
                run = one.run("flat", plan.seconds)
                if number:  # before that it warms up
                    one.flat.append(run)
            _say(f"round {number} of {plan.rounds}")
        for one in found.values():
            one.paced.append(one.run("pace", plan.paced_seconds, plan.pace, one.tables))
        _say(f"{plan.tables} tables a node at {plan.pace} commands a second")
        for where, some in servers.items():
            disk = _disk(where, some[0]["data"])
            sockets = sum(4 * one.tables for one in found.values() if one.url == where)
            held["PostgreSQL" if where else "SQLite"] = {
                "start": start[where] / len(some),
                "socket": (_rss(some) - start[where]) / sockets,
                "row": (disk["bytes"] - began[where]["bytes"])
                / (disk["rows"] - began[where]["rows"]),
                "connections": disk["connections"] / len(some),
            }
    return found, held


# The store alone ----------------------------------------------------------------------------------

_ENTRY: Final = json.dumps({
    "kind": "act", "seat": 2, "user": "u_ri4zqrlnoncgjwl36omh76bjzy", "rid": "7f3a-12",
    "digest": 7312864, "by": "user", "actions": ["discard R10"],
}).encode()  # fmt: skip
AnyStore = PostgresStore | SqliteStore


def _row(name: str, seq: int, *, last: bool = False) -> Row:
    return Row(name, seq, 1_700_000_000_000 + seq, _ENTRY, 1, "1:0123456789abcdef", last)


async def _appended(
    store: AnyStore, tables: int, each: int, *, first: int = 1, last: bool = False
) -> None:
    """So many tables at a time whose next row follows as soon as one is durable."""

    async def one(number: int) -> None:
        for seq in range(first, first + each):
            row = _row(f"t{last}{number}", seq, last=last and seq == first + each - 1)
            await store.append(row)

    await asyncio.gather(*map(one, range(tables)))


@asynccontextmanager
async def _store(postgres: Postgres | None, folder: str) -> AsyncIterator[AnyStore]:
    path = Path(folder, "log.sqlite")
    store: AnyStore
    if postgres is None:
        store = SqliteStore.open(path)
    else:
        store = await PostgresStore.open(postgres.database(), path, shared=True)
    try:
        yield store
    finally:
        await store.close()


async def _timed(
    postgres: Postgres | None, work: Callable[[], Awaitable[object]]
) -> dict[str, float]:
    own, began = time.process_time(), time.perf_counter()
    cpu = family_cpu(postgres.pid) if postgres else 0.0
    await work()
    found = {"wall": time.perf_counter() - began, "cpu": time.process_time() - own}
    return found | {"database_cpu": family_cpu(postgres.pid) - cpu if postgres else 0.0}


async def _alone(plan: Plan, postgres: Postgres) -> dict[str, Any]:
    """Rows by how many tables wait at a time, and what is done in one place of a database."""
    found: dict[str, Any] = {"rows": []}
    for name, where in (("SQLite", None), ("PostgreSQL", postgres)):
        for tables in (1, 16, 64, 256, 1_000):
            each = max(1, min(plan.rows, 400 * tables) // tables)
            with tempfile.TemporaryDirectory() as folder:
                async with _store(where, folder) as store:
                    await _appended(store, tables, 1)  # where new tables end has to be looked up
                    batches: list[int] = []
                    store._on_commit = lambda rows, _: batches.append(rows)  # noqa: B023
                    run = await _timed(where, lambda: _appended(store, tables, each, first=2))  # noqa: B023
            run |= {"rows": tables * each, "tables": tables, "batches": len(batches)}
            found["rows"].append(run | {"store": name})
    with tempfile.TemporaryDirectory() as folder:
        async with _store(postgres, folder) as store:
            await _public(store, plan.entries // 10)  # some that are there
            run = await _timed(postgres, lambda: _public(store, plan.entries))
            found["public"] = run | {"entries": plan.entries}
            rows = plan.rows // 4
            await _appended(store, max(1, rows // 400), 400, last=True)
            run = await _timed(postgres, lambda: _archived(store))
            found["archive"] = run | {"rows": rows // 400 * 400}
    found["record"] = _record_bytes()
    found["beats"] = [await _beats(postgres, owned, plan.beats) for owned in plan.owned]
    return found


def _record_bytes(deals: int = 5) -> float:
    """What a finished match takes for each deal, as it is kept."""
    rows, _ = long_match("match", deals + 1)
    state = read_first(rows[0])
    for row in rows[1:]:
        _, state = applied(state, read_entry(row.entry), row.at_ms)
    return len(zlib.compress(json.dumps(match_record(state).to_dict()).encode())) / deals


async def _public(store: AnyStore, entries: int, at_once: int = 100) -> None:
    mark = time.monotonic_ns()
    for first in range(0, entries, at_once):
        some = [f"commitment {mark:032x}{n:032x}" for n in range(first, first + at_once)]
        await log_publicly(store, some, 1_700_000_000_000)


async def _archived(store: AnyStore) -> None:
    while await store.archive():
        pass


async def _beats(postgres: Postgres, owned: int, beats: int) -> dict[str, float]:
    """What a sign of life and a look for tables without a node cost, with so many tables."""
    url = postgres.database()

    def nothing(_: object) -> None: ...

    one = Membership(url, "0", on_taken=nothing, on_kept=nothing, on_news=nothing)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(one.close)
        await one.open({})
        await one.join(Node(one.id, "", "127.0.0.1:1"), [], reviews=False)
        conn = await asyncpg.connect(url)
        stack.push_async_callback(conn.close)
        await conn.execute(
            "INSERT INTO owners (table_id, node) SELECT 'table' || n, $1 "
            "FROM generate_series(1, $2) AS n", one.id, owned,
        )  # fmt: skip
        await conn.execute("ANALYZE owners")

        async def work() -> None:
            for _ in range(beats):
                await one._beat()
                await one.take_all()

        await work()
        run = await _timed(postgres, work)
    return run | {"beats": beats, "owned": owned}


# What is kept and told ----------------------------------------------------------------------------


def _median(runs: Sequence[dict[str, float]], name: str) -> float:
    return median([run[name] for run in runs])


def _ratio(runs: Sequence[dict[str, float]], over: str, under: str) -> float:
    return median([run[over] / run[under] for run in runs])


def _figures(one: Contestant, plan: Plan) -> dict[str, float]:
    """A setup in figures: times in seconds, processor by event, bytes by row and socket."""
    nodes = max(1, one.setup.nodes)
    found = {
        "nodes": one.setup.nodes,
        "away": one.setup.away,
        "events": _ratio(one.flat, "events", "wall"),
        "event_cpu": _ratio(one.flat, "cpu", "events"),
        "used": median([run["cpu"] / run["wall"] / plan.quota / nodes for run in one.flat]),
        "load": _median(one.flat, "load"),
        "p50": _median(one.flat, "p50"),
        "p99": _median(one.flat, "p99"),
        "paced_events": _ratio(one.paced, "events", "wall"),
        "paced_event_cpu": _ratio(one.paced, "cpu", "events"),
        "paced_p50": _median(one.paced, "p50"),
        "paced_p99": _median(one.paced, "p99"),
    }
    if one.url is not None:
        found |= {
            "row_cpu": _ratio(one.flat, "database_cpu", "rows"),
            "paced_row_cpu": _ratio(one.paced, "database_cpu", "rows"),
            "wal": _ratio(one.flat, "wal", "rows"),
        }
    return found


def measure(plan: Plan) -> dict[str, Any]:
    """Everything, by name."""
    programs = binaries()
    assert programs is not None, "PostgreSQL is missing: make databases"
    with running(programs, on_disk=True, connections=500) as postgres:
        load = os.getloadavg()[0]
        alone = asyncio.run(_alone(plan, postgres))
        _say("the stores alone")
        found, held = contest(plan, postgres)
    return {
        "machine": machine(),
        "busy": load,
        "quota": plan.quota,
        "pace": plan.pace,
        "tables": plan.tables,
        "setups": {name: _figures(one, plan) for name, one in found.items()},
        "held": held,
        "alone": alone,
    }


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:,.1f}"


def _us(seconds: float) -> str:
    return f"{1e6 * seconds:,.0f}"


def told_of(found: dict[str, Any]) -> str:
    """The section of the results."""
    setups, alone = found["setups"], found["alone"]
    single = setups["one node"]
    flat = [
        [
            name, f"{run['away']:.0%}", f"{run['events']:,.0f}",
            f"{run['events'] / single['events']:.2f}", f"{1 / run['event_cpu']:,.0f}",
            _us(run["event_cpu"]), _us(run.get("row_cpu", 0)) if run["nodes"] else "-",
            _ms(run["p50"]), _ms(run["p99"]), f"{run['used']:.0%}",
        ]
        for name, run in setups.items()
    ]  # fmt: skip
    paced = [
        [
            name, f"{run['paced_events']:,.0f}", _us(run["paced_event_cpu"]),
            _us(run["paced_row_cpu"]) if run["nodes"] else "-", _ms(run["paced_p50"]),
            _ms(run["paced_p99"]),
        ]
        for name, run in setups.items()
    ]  # fmt: skip
    rows = [
        [
            run["store"], f"{run['tables']:,}", f"{run['rows'] / run['wall']:,.0f}",
            f"{run['rows'] / run['batches']:,.0f}", _us(run["cpu"] / run["rows"]),
            _us(run["database_cpu"] / run["rows"]) if run["store"] != "SQLite" else "-",
        ]
        for run in alone["rows"]
    ]  # fmt: skip
    kept = [
        [
            name, f"{one['start'] / 1e6:,.0f}", f"{one['socket'] / 1e3:,.0f}",
            f"{one['row']:,.0f}", f"{one['connections']:.0f}" if one["connections"] else "-",
        ]
        for name, one in found["held"].items()
    ]  # fmt: skip
    best = {
        name: max(run["rows"] / run["wall"] for run in alone["rows"] if run["store"] == name)
        for name in ("SQLite", "PostgreSQL")
    }
    public, archive = alone["public"], alone["archive"]
    beats = ", ".join(
        f"{_ms(run['database_cpu'] / run['beats'])} with {run['owned']:,} tables"
        for run in alone["beats"]
    )
    aims = [
        ["events of two nodes for one node's", "1.6",
         f"{setups['two nodes']['events'] / single['events']:.2f}"],
        ["the same by processor time of the nodes", "1.6",
         f"{2 * single['event_cpu'] / setups['two nodes']['event_cpu']:.2f}"],
        *([f"durable rows a second, {name}", "10,000", f"{rate:,.0f}"]
          for name, rate in best.items()),
    ]  # fmt: skip
    return f"""## Nodes of a cluster

For each node {found["tables"]:,} tables of four people over WebSockets; three nodes on one
PostgreSQL, of which one, two or all are played on, share the machine with it and the players. Each
node, and the server with SQLite, is held to {found["quota"]:.0%} of a core by a quota of the kernel
(cgroup); the database is on the disk, with `fsync`. An event is one accepted command told to all
four seats, after its row is durable. Of the sockets of several nodes a share comes to another node
than the one that keeps their table, as by a proxy that knows no table; what they say and hear is
relayed. The load of the machine was {found["busy"]:.1f} before it began: times on the clock are
those of a busy machine, processor time is changed less. *Used* is how much of their quotas the
nodes came to use.

Flat out, the next command of a table following at once; medians of rounds in turn. Processor in
microseconds, of all nodes by event, and of PostgreSQL by row.

{
        table(
            (
                "",
                "relayed",
                "events / s",
                "of one node",
                "events / cpu-s",
                "µs each",
                "PostgreSQL µs",
                "p50 ms",
                "p99 ms",
                "used",
            ),
            flat,
        )
    }

At the pace of people, {found["pace"]} commands a second at each table:

{
        table(
            ("", "events / s", "µs each", "PostgreSQL µs", "p50 ms", "p99 ms"),
            paced,
        )
    }

What a server holds and writes: memory with nobody there, and for each socket with its share of the
table; the disk for each row with all that hangs on it; connections to the database.

{table(("with", "MB at the start", "kB a socket", "bytes a row", "connections"), kept)}

The store alone, so many tables at a time whose next row follows when one is durable:

{table(("store", "tables", "rows / s", "rows / commit", "µs a row", "PostgreSQL µs"), rows)}

What a database does in one place, for all nodes: {public["entries"] / public["wall"]:,.0f} entries
of the public log a second ({_us(public["database_cpu"] / public["entries"])} µs of PostgreSQL
each); {archive["rows"] / archive["wall"]:,.0f} rows a second into the archive
({_us(archive["database_cpu"] / archive["rows"])} µs each). A node's sign of life, and its look for
tables that nobody keeps, take milliseconds of PostgreSQL: {beats}.

{table(("figure", "aim", "measured"), aims)}
"""


def report() -> str:
    """The section of the results; the figures are kept for :mod:`benchmarks.sizing`."""
    found = measure(Plan())
    COSTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return told_of(found)


if __name__ == "__main__":
    quick = measure(SHORT)
    Path(sys.argv[1]).write_text(json.dumps(quick, indent=1), encoding="utf-8")
    print(told_of(quick))
