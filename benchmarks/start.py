"""How long a start takes with much play behind it, and how long the loop stands still meanwhile.

``python -m benchmarks.start [ROWS ...]`` writes a log of 1,000 tables that are open, with 100 rows
each and snapshots as play leaves them, and so many rows of tables that are closed, starts
``okey101 serve`` on it, and asks until it is ready. By default with no other rows, 200,000 and 10
million; the first of them a second time without snapshots, so that all rows of the open tables are
replayed, the last a second time without open tables. Then one table with a long match is loaded
both ways.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import cast

import httpx

from benchmarks.measure import table
from okey101.server.protocol import TableOptions, checked_options
from okey101.server.store import Row, SqliteStore
from okey101.server.store.base import link_of
from okey101.server.store.file import open_log
from okey101.server.store.mark import MarkFile, mark_path
from okey101.server.store.snapshots import Snapshot
from okey101.server.store.sqlite import keep_snapshot
from okey101.server.tables import log_entries as log
from okey101.server.tables.clocks import rest_of_turn
from okey101.server.tables.dependencies import Dependencies
from okey101.server.tables.reduce import applied, create, reduce
from okey101.server.tables.rows import LeftBehind, SteadyTexts, row_of
from okey101.server.tables.snapshots import EVERY, TableSnapshot, decode_start, encode_start
from okey101.server.tables.state import Stage, TableState
from okey101.server.tables.table import Table

__all__ = [
    "Outcome",
    "closed_tables",
    "long_match",
    "measure",
    "open_table",
    "played",
    "report",
    "snapshot_of",
    "write_log",
]

ROOT = Path(__file__).resolve().parents[1]
SIZES = (0, 200_000, 10_000_000)
OPEN = 1_000
EACH = 100
A_MATCH = 400
TEXT = """## Start

`okey101 serve` on a log with 1,000 open tables of 100 rows each, and rows of closed tables that
have not left for the archive yet. The last snapshot of a table is 0 to 31 rows old, as play leaves
them; without any, as after an upgrade, all rows of the open tables are replayed. The file is in the
cache of the system. Empty: the same with no log at all. Listening: the first answer of `/livez`.
Ready: `/readyz` has 200, all tables are loaded; processor: what it took of one until then, which a
busy machine changes less. The pause is the longest of the event loop in that
time."""


@dataclass
class Outcome:
    """One start; times in seconds."""

    what: str
    rows: int
    size: int
    """Bytes of the log."""
    listening: float
    ready: float
    worked: float
    """On the processor."""
    pause: float


def open_table(name: str, rows: int, now_ms: int) -> Iterator[tuple[Row, TableSnapshot]]:
    """The rows of a table whose owner can't decide, each with what a snapshot would hold."""
    options, text, left = checked_options(TableOptions()), SteadyTexts(), LeftBehind()
    created = log.Created(user=f"u_{name}", options=options)
    state, entry = create(name, created, now_ms), cast("log.Entry", created)
    for number in range(1, rows + 1):
        row = row_of(state, entry, text)
        yield row, _start(state, row, left)
        ready = log.ReadySet(user=f"u_{name}", on=number % 2 == 0, rid=f"r{number}")
        sat = log.Sat(user=f"u_{name}", seat=0)
        entry = sat if state.seat_of(f"u_{name}") is None else ready
        before, state = state, reduce(state, entry, now_ms)
        left.take(before, state, entry)


def _start(state: TableState, row: Row, left: LeftBehind) -> TableSnapshot:
    return TableSnapshot(
        state=state, state_hash=row.state_hash, shown=state, shown_head=None,
        left=deepcopy(left),
    )  # fmt: skip


def snapshot_of(start: TableSnapshot) -> Snapshot:
    made = encode_start(start)
    assert made is not None
    return made


def played(
    name: str, options: TableOptions, *others: str, now_ms: int = 1_700_000_000_000
) -> Iterator[tuple[Row, TableSnapshot]]:
    """The rows of a match in which everybody plays the fallback, as :func:`open_table` has them.

    ``others`` sit at the owner's table.
    """
    text, left = SteadyTexts(), LeftBehind()
    created = log.Created(user=f"u_{name}", options=options)
    state, entry = create(name, created, now_ms), cast("log.Entry", created)
    sitting = [log.Sat(user=user, seat=seat) for seat, user in enumerate(others, 1)]
    while True:
        row = row_of(state, entry, text)
        yield row, _start(state, row, left)
        if state.stage is Stage.WAITING:
            started = log.Started(user=f"u_{name}", secret="5e" * 32)
            entry = sitting.pop() if sitting else started
        elif state.stage is Stage.DEALING:
            entry = log.Dealt() if state.shown else log.CommitmentsShown()
        else:
            assert state.deal is not None
            turn = state.deal.turn
            entry = log.Acted(
                seat=turn, actions=rest_of_turn(state.deal), user=state.seats[turn].user,
                by="user" if state.seats[turn].human else "clock",
            )  # fmt: skip
        now_ms += 1_000
        before = state
        entry, state = applied(state, entry, now_ms, lambda: "5e" * 32)
        left.take(before, state, entry)


def long_match(name: str, deals: int) -> tuple[list[Row], Snapshot]:
    """A match of so many deals in which everybody plays the fallback, in the middle of the last.

    With a snapshot of the longest ago that play leaves.
    """
    options = checked_options(
        TableOptions(deals=deals, clock=0, bots=(None, "steady", "steady", "steady"))
    )
    rows: list[Row] = []
    starts: list[TableSnapshot] = []
    for row, start in played(name, options):
        rows.append(row)
        starts = [*starts[-EVERY:], start]
        state = start.state
        last = state.stage is Stage.PLAYING and len(state.played) == deals - 1
        if last and state.deal is not None and state.deal.public.turns > 12:
            break
    return rows, snapshot_of(starts[0])


def closed_tables(rows: int, a_match: int = A_MATCH) -> Iterator[Row]:
    """Rows of tables that are closed, as long as those of play."""
    entry = b'{"kind":"act","seat":1,"actions":["draw","discard K5"],"user":"u_somebody","rid":"r"}'
    for number in range(rows):
        of, seq = divmod(number, a_match)
        last = seq == a_match - 1 or number == rows - 1
        yield Row(f"old{of:09}", seq + 1, 1_700_000_000_000 + of, entry, 1, "3:" + "0" * 16, last)


def write_log(path: Path, history: int, tables: int = OPEN, each: int = EACH) -> int:
    """Write such a log; how many rows it has."""
    now_ms = round(time.time() * 1000)
    asyncio.run(SqliteStore.open(path).close())
    conn = open_log(path)
    conn.execute("PRAGMA synchronous = OFF")
    links: dict[str, bytes] = {}

    def linked(rows: Iterable[Row]) -> Iterator[tuple[object, ...]]:
        for row in rows:
            link = links[row.table] = link_of(links.pop(row.table, b""), row)
            if row.last:
                del links[row.table]
            yield (*row, link)

    insert = "INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    conn.execute("BEGIN")
    conn.executemany(insert, linked(closed_tables(history)))
    kept: list[Snapshot] = []
    for number in range(tables):
        made = [*open_table(f"t{number:011}", each, now_ms)]
        conn.executemany(insert, linked(row for row, _ in made))
        if each > EVERY:
            kept.append(snapshot_of(made[-1 - number % EVERY][1]))
    conn.execute("COMMIT")
    for snapshot in kept:
        assert keep_snapshot(conn, snapshot)
    conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    conn.close()
    # Without a mark the log would count as one that may lack rows.
    mark = MarkFile(mark_path(path))
    mark.write(history + tables * each, [])
    mark.close()
    return history + tables * each


def measure(
    history: int, tables: int = OPEN, each: int = EACH, *, without: bool = False
) -> list[Outcome]:
    """Start a server on a new log, and stop it when it is ready; again ``without`` snapshots."""
    with tempfile.TemporaryDirectory(prefix="okey101-start-") as name:
        folder = Path(name)
        found = [] if history else [_started(folder, "empty", 0, 0)]
        rows = write_log(folder / "log.sqlite", history, tables, each)
        found.append(_started(folder, "" if tables else "no open table", rows, tables))
        if without:
            with contextlib.closing(open_log(folder / "log.sqlite")) as conn:
                conn.executescript("DELETE FROM snapshot; DELETE FROM snapshot_part")
            found.append(_started(folder, "without snapshots", rows, tables))
        return found


def _started(folder: Path, what: str, rows: int, tables: int) -> Outcome:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    log_file = folder / "log.sqlite"
    size = log_file.stat().st_size if rows else 0
    started = time.perf_counter()
    server = subprocess.Popen(
        [sys.executable, "-m", "okey101", "serve", "--port", str(port)],
        cwd=ROOT,
        env=os.environ | {"OKEY101_DATA": str(folder), "OKEY101_MAX_TABLES": "100000"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        url = f"http://127.0.0.1:{port}"
        listening = _until(f"{url}/livez", server) - started
        ready = _until(f"{url}/readyz", server) - started
        figures = httpx.get(f"{url}/metrics").text
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()
    worst = re.search(r"^okey101_loop_lag_worst_seconds (\S+)", figures, re.MULTILINE)
    loaded = re.search(r'^okey101_tables{stage="waiting"} (\S+)', figures, re.MULTILINE)
    worked = re.search(r"^process_cpu_seconds_total (\S+)", figures, re.MULTILINE)
    assert worst is not None
    assert worked is not None
    assert float(loaded[1] if loaded else 0) == tables, figures
    return Outcome(what, rows, size, listening, ready, float(worked[1]), float(worst[1]))


def _until(url: str, server: subprocess.Popen[bytes]) -> float:
    with httpx.Client() as http:
        while True:
            with contextlib.suppress(httpx.HTTPError):
                if http.get(url).status_code == 200:
                    return time.perf_counter()
            assert server.poll() is None
            time.sleep(0.1)


async def _loads(rows: list[Row], snapshot: Snapshot) -> tuple[float, float]:
    """Seconds to load a table from a snapshot, the median of some, and from all its rows."""
    sys.path.insert(0, str(ROOT / "tests"))
    from server.store.memory import MemoryStore

    deps = Dependencies(store=MemoryStore(), now_ms=lambda: rows[-1].at_ms)

    async def timed(kept: Snapshot | None) -> float:
        begun = time.perf_counter()
        start = None if kept is None else decode_start(kept)
        left = rows if start is None else rows[start.state.seq :]
        table = await Table.load(rows[0].table, deps, left, start)
        took = time.perf_counter() - begun
        assert table is not None
        assert table.frozen is None
        await table.stop()
        return took

    for row in rows:
        await deps.store.append(row)
    whole = await timed(None)
    return median([await timed(snapshot) for _ in range(9)]), whole


def _long_tables() -> str:
    lines: list[list[str]] = []
    for deals in (1, 10, 100):
        rows, snapshot = long_match("long", deals)
        quick, whole = asyncio.run(_loads(rows, snapshot))
        lines.append(
            [f"{deals}", f"{len(rows):,}", f"**{quick * 1000:.0f} ms**", f"{whole * 1000:,.0f} ms"]
        )
    head = ["deals", "rows", "from a snapshot", "from all rows"]
    return (
        "One table in the last deal of a match, loaded from a snapshot and up to 32 rows after it, "
        f"and from all its rows:\n\n{table(head, lines)}"
    )


def report(sizes: tuple[int, ...] = SIZES) -> str:
    """The section of the results."""
    found = [one for size in sizes for one in measure(size, without=size == sizes[0])]
    found += measure(sizes[-1], tables=0)
    rows = [
        [f"{o.rows:,}", o.what, f"{o.size / 1e6:,.0f} MB", f"{o.listening:.1f} s",
         f"**{o.ready:.1f} s**", f"{o.worked:.1f} s", f"{o.pause * 1000:.0f} ms"]
        for o in found
    ]  # fmt: skip
    head = ["rows", "", "log", "listening after", "ready after", "processor", "longest pause"]
    aims = "Aims: ready within 5 s, no pause above 50 ms, a table within 50 ms."
    return f"{TEXT}\n\n{table(head, rows)}\n\n{_long_tables()}\n\n{aims}"


if __name__ == "__main__":
    print(report(tuple(map(int, sys.argv[1:])) or SIZES))
