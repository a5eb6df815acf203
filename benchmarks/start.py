"""How long a start takes with much play behind it, and how long the loop stands still meanwhile.

``python -m benchmarks.start [ROWS ...]`` writes a log of 1,000 tables that are open, with 100 rows
each that have to be replayed, and so many rows of tables that are closed, starts ``okey101 serve``
on it, and asks until it is ready. By default with no other rows, 200,000 and 10 million.
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
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx

from benchmarks.measure import table
from okey101.server.protocol import TableOptions, checked_options
from okey101.server.store import Row, SqliteStore
from okey101.server.store.chain import START, link_of
from okey101.server.store.file import open_log
from okey101.server.store.mark import mark_path
from okey101.server.tables import log_entries as log
from okey101.server.tables.reduce import create, reduce
from okey101.server.tables.state_hash import SteadyTexts
from okey101.server.tables.table_rows import row_of

__all__ = ["Outcome", "closed_tables", "measure", "open_table", "report", "write_log"]

ROOT = Path(__file__).resolve().parents[1]
SIZES = (0, 200_000, 10_000_000)
OPEN = 1_000
EACH = 100
A_MATCH = 400
TEXT = """## Start

`okey101 serve` on a log with 1,000 open tables of 100 rows each, and rows of closed tables that
have not left for the archive yet: the worst there is, as after an upgrade. The file is in the cache
of the system. Listening: the first answer of `/livez`. Ready: `/readyz` has 200, all tables are
loaded. The pause is the longest of the event loop in that time."""


@dataclass
class Outcome:
    """One start; times in seconds."""

    rows: int
    size: int
    """Bytes of the log."""
    listening: float
    ready: float
    pause: float


def open_table(name: str, rows: int, now_ms: int) -> Iterator[Row]:
    """The rows of a table whose owner can't decide."""
    options, text = checked_options(TableOptions()), SteadyTexts()
    created = log.Created(user=f"u_{name}", options=options)
    state = create(name, created, now_ms)
    yield row_of(state, created, text)
    for number in range(1, rows):
        ready = log.ReadySet(user=f"u_{name}", on=number % 2 == 0, rid=f"r{number}")
        sat = log.Sat(user=f"u_{name}", seat=0)
        entry = sat if state.seat_of(f"u_{name}") is None else ready
        state = reduce(state, entry, now_ms)
        yield row_of(state, entry, text)


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

    def linked(rows: Iterator[Row]) -> Iterator[tuple[object, ...]]:
        for row in rows:
            link = links[row.table] = link_of(links.pop(row.table, START), row)
            if row.last:
                del links[row.table]
            yield (*row, link)

    insert = "INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    conn.execute("BEGIN")
    conn.executemany(insert, linked(closed_tables(history)))
    for number in range(tables):
        conn.executemany(insert, linked(open_table(f"t{number:011}", each, now_ms)))
    conn.execute("COMMIT")
    conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    conn.close()
    # The mark of the empty log is behind this one, which is nothing wrong.
    assert mark_path(path).exists()
    return history + tables * each


def measure(history: int, tables: int = OPEN, each: int = EACH) -> Outcome:
    """Start a server on a new log, and stop it when it is ready."""
    with tempfile.TemporaryDirectory(prefix="okey101-start-") as folder:
        path = Path(folder) / "log.sqlite"
        rows = write_log(path, history, tables, each)
        size = path.stat().st_size
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
        started = time.perf_counter()
        server = subprocess.Popen(
            [sys.executable, "-m", "okey101", "serve", "--port", str(port)],
            cwd=ROOT,
            env=os.environ | {"OKEY101_DATA": folder, "OKEY101_MAX_TABLES": "100000"},
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
    assert worst is not None
    assert loaded is not None
    assert float(loaded[1]) == tables, loaded[1]
    return Outcome(rows, size, listening, ready, float(worst[1]))


def _until(url: str, server: subprocess.Popen[bytes]) -> float:
    with httpx.Client() as http:
        while True:
            with contextlib.suppress(httpx.HTTPError):
                if http.get(url).status_code == 200:
                    return time.perf_counter()
            assert server.poll() is None
            time.sleep(0.1)


def report(sizes: tuple[int, ...] = SIZES) -> str:
    """The section of the results."""
    found = [measure(size) for size in sizes]
    rows = [
        [f"{o.rows:,}", f"{o.size / 1e6:,.0f} MB", f"{o.listening:.1f} s", f"**{o.ready:.1f} s**",
         f"{o.pause * 1000:.0f} ms"]
        for o in found
    ]  # fmt: skip
    head = ["rows", "log", "listening after", "ready after", "longest pause"]
    return f"{TEXT}\n\n{table(head, rows)}\n\nAims: ready within 5 s, no pause above 50 ms."


if __name__ == "__main__":
    print(report(tuple(map(int, sys.argv[1:])) or SIZES))
