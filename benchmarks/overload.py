"""A server with more bots than its core can play: how long a ping takes meanwhile.

``python -m benchmarks.overload [TABLES] [SECONDS]`` starts ``okey101 serve`` on one core, opens
that many tables against bots, leaves them all to the bots, and then measures what somebody who
plays there feels: the time from a ping to its pong. It does so twice, with tables refused by the
loop's lag as by default, and with all of them admitted.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect

from benchmarks.measure import quantile, table

__all__ = ["AIM_S", "client", "crowd", "measure", "metrics", "report", "rows", "rss", "served"]

ROOT = Path(__file__).resolve().parents[1]
AIM_S = 0.1
WIDE = 1_000_000
LIMITS: dict[str, object] = {
    "max_tables": WIDE, "max_tables_per_address": WIDE, "max_tables_per_user": WIDE,
    "max_connections_per_address": WIDE,
    "messages_per_second": 100_000, "message_burst": WIDE, "requests_per_second": WIDE,
    "request_burst": WIDE, "guests_per_minute": WIDE, "guest_burst": WIDE,
    "tables_per_minute": WIDE, "table_burst": WIDE, "absence_s": 1, "first_deal_wait_s": 1,
    "deal_pause_s": 1, "log_format": "json",
}  # fmt: skip
"""Everything comes from one address, and bots play for whoever has gone at once."""
TEXT = """## Overload

`okey101 serve`, and all it starts, on one core; tables of four bots, opened as fast as the server
answers, one person among them who sends pings. Tables are refused as by default (by the loop's
lag, and where bots wait for ten seconds), or all admitted; the bots become slower, the pings do
not. The memory is the server's, without the process in which bots think. Before bots had turns,
2,000 tables of them gave a p95 of 5.8 s."""
WARM_S = 10.0
EVERY_S = 0.05


@dataclass
class Outcome:
    """What one server did."""

    wanted: int
    admitted: int
    refused: int
    pings: list[float]
    rows: float
    """Rows stored a second."""
    rss: float
    """Memory of the server, in MB."""


def measure(tables: int = 2_000, seconds: float = 20.0) -> dict[str, Outcome]:
    """Both runs, by their names."""
    return {
        "refused as by default": _run(tables, seconds),
        "all admitted": _run(tables, seconds, max_lag_ms=60_000, max_bot_wait_s=86_400),
    }


def report(tables: int = 2_000, seconds: float = 20.0) -> str:
    """The section of the results."""
    outcomes = measure(tables, seconds)
    rows = [
        [
            name, f"{one.admitted:,} of {one.wanted:,}",
            f"{1000 * quantile(one.pings, 0.5):.1f} ms",
            f"**{1000 * quantile(one.pings, 0.95):.1f} ms**", f"{1000 * max(one.pings):.0f} ms",
            f"{one.rows:,.0f}", f"{one.rss:,.0f} MB",
        ]
        for name, one in outcomes.items()
    ]  # fmt: skip
    head = ["tables", "open", "ping p50", "ping p95", "worst", "rows a second", "memory"]
    reached = all(quantile(one.pings, 0.95) < AIM_S for one in outcomes.values())
    verdict = "reached" if reached else "not reached"
    return f"{TEXT}\n\n{table(head, rows)}\n\nAim: p95 below {1000 * AIM_S:.0f} ms, {verdict}."


def _run(tables: int, seconds: float, **settings: object) -> Outcome:
    with served(**settings) as (url, pid):
        return asyncio.run(_story(url, pid, tables, seconds))


@contextmanager
def served(**settings: object) -> Iterator[tuple[str, int]]:
    """A server on one core, with these limits and settings: its address and its process."""
    with tempfile.TemporaryDirectory(prefix="okey101-overload-") as folder:
        environ = {k: v for k, v in os.environ.items() if not k.startswith("OKEY101_")}
        environ["PYTHONPATH"] = str(ROOT / "src")
        for name, value in {**LIMITS, **settings}.items():
            environ[f"OKEY101_{name.upper()}"] = str(value)
        cores = sorted(os.sched_getaffinity(0))
        words = [sys.executable, "-m", "okey101", "serve", "--data", folder, "--port", "0"]
        os.sched_setaffinity(0, cores[:1])  # whatever it starts inherits this
        with subprocess.Popen(
            [*words, "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environ
        ) as server:
            try:
                assert server.stdout is not None
                url = json.loads(server.stdout.readline())["url"]
                os.sched_setaffinity(0, cores[1:] or cores)
                yield url, server.pid
            finally:
                os.sched_setaffinity(0, cores)
                server.send_signal(signal.SIGKILL)


async def _story(url: str, pid: int, tables: int, seconds: float) -> Outcome:
    async with client(url) as http:
        me = await _guest(http)
        mine = (await _play(http, me))["table"]
        admitted, refused = await crowd(http, tables)
        await asyncio.sleep(WARM_S)
        before, began = await rows(http), time.perf_counter()
        pings = await _pings(url, me, mine, seconds)
        rate = (await rows(http) - before) / (time.perf_counter() - began)
        return Outcome(tables, admitted, refused, pings, rate, rss(pid))


def client(url: str) -> httpx.AsyncClient:
    """What asks a server that may be busy."""
    limits = httpx.Limits(max_connections=16)
    return httpx.AsyncClient(base_url=url, timeout=120, limits=limits)


async def crowd(http: httpx.AsyncClient, tables: int, **wishes: object) -> tuple[int, int]:
    """Open tables and leave them to their bots: how many there are, and how many were refused."""
    who: dict[str, str] = {}
    admitted = refused = 0
    for n in range(tables):
        if n % 50 == 0:
            who = await _guest(http)
        if "table" in await _play(http, who, **wishes):
            admitted += 1
        else:
            refused += 1
            if refused >= 100:
                break
            await asyncio.sleep(0.05)
    return admitted, refused


async def _guest(http: httpx.AsyncClient) -> dict[str, str]:
    answer = await http.post("/api/guests", json={"name": "Ali", "bearer": True})
    return {"Authorization": f"Bearer {answer.json()['token']}"}


async def _play(http: httpx.AsyncClient, who: dict[str, str], **wishes: object) -> dict[str, Any]:
    wanted = {"bot": "steady", "deals": 100} | wishes
    answer = await http.post("/api/play", json=wanted, headers=who)
    found: dict[str, Any] = answer.json()
    return found


async def rows(http: httpx.AsyncClient) -> float:
    """How many rows the server has stored."""
    return (await metrics(http))["okey101_log_rows_total"]


async def metrics(http: httpx.AsyncClient) -> dict[str, float]:
    """What the server counts, by name and labels."""
    lines = (await http.get("/metrics")).text.splitlines()
    pairs = (line.rpartition(" ") for line in lines if not line.startswith("#"))
    return {name: float(value) for name, _, value in pairs}


async def _pings(url: str, who: dict[str, str], table_id: str, seconds: float) -> list[float]:
    """The times from pings to their pongs, each sent when the one before was answered."""
    found: list[float] = []
    address = f"{url.replace('http', 'ws', 1)}/ws/{table_id}"
    async with connect(
        address, additional_headers=who, proxy=None, compression=None, open_timeout=120
    ) as socket:
        await socket.send('{"type":"hello"}')
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            began = time.perf_counter()
            await socket.send('{"type":"ping","n":1}')
            while '"type":"pong"' not in str(await socket.recv()):
                pass
            found.append(time.perf_counter() - began)
            await asyncio.sleep(EVERY_S)
    return found


def rss(pid: int) -> float:
    """The memory of a process, in MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    print(report(*(int(word) for word in sys.argv[1:3])))
