"""A server's memory over an hour of play: ``python -m benchmarks.memory [TABLES] [MINUTES]``."""

from __future__ import annotations

import asyncio
import math
import sys
import time
from typing import Final

import httpx

from benchmarks.measure import median, table
from benchmarks.overload import client, crowd, metrics, rss, served

__all__ = ["AIM", "measure", "report"]

AIM: Final = 0.05
BOT: Final = "novice"
DEALS: Final = 2
EVERY_S: Final = 10.0
PARTS: Final = 10
SETTINGS: Final[dict[str, object]] = {
    "max_lag_ms": 60_000, "max_bot_wait_s": 86_400, "bot_delay_ms": 2_500, "idle_close_s": 150,
}  # fmt: skip
TEXT: Final = """## Memory

`okey101 serve` on one core with {tables:,} tables of four bots (`{bot}`, a move every 2.5 s) that
play matches of {deals} deals; a table that was played to its end, or has run for ten minutes, is
closed, and another one opened in its place. The time begins once as many tables were closed as are
open. The memory is the server's, without the process in which bots think; each row is the median of
a tenth of the time, looked at several times a minute."""


def measure(tables: int, minutes: float) -> list[tuple[float, float, float]]:
    """At each look: the rows stored and tables closed so far, and the memory in MB."""
    with served(**SETTINGS) as (url, pid):
        return asyncio.run(_watched(url, pid, tables, minutes))


async def _watched(
    url: str, pid: int, tables: int, minutes: float
) -> list[tuple[float, float, float]]:
    found: list[tuple[float, float, float]] = []
    opened, until = 0, math.inf
    async with client(url) as http:
        while time.monotonic() < until:
            here = await _here(http)
            opened += (await crowd(http, tables - here, bot=BOT, deals=DEALS))[0]
            await asyncio.sleep(EVERY_S)
            closed = opened - await _here(http)
            look = ((await metrics(http))["okey101_log_rows_total"], closed, rss(pid))
            print(*(f"{figure:,.0f}" for figure in look), file=sys.stderr, flush=True)
            if closed >= tables:
                found.append(look)
                until = min(until, time.monotonic() + 60 * minutes)
    return found


async def _here(http: httpx.AsyncClient) -> int:
    """How many tables the server has."""
    counted = (await metrics(http)).items()
    return round(sum(n for name, n in counted if name.startswith("okey101_tables{")))


def report(tables: int = 1_000, minutes: float = 60.0) -> str:
    """The section of the results."""
    found = measure(tables, minutes)
    each = len(found) // PARTS
    parts = [found[n * each : (n + 1) * each] for n in range(PARTS)]
    sizes = [median([size for *_, size in part]) for part in parts]
    told = [
        [f"{(n + 1) * minutes / PARTS:.0f}", *(f"{n:,.0f}" for n in part[-1][:2]), f"{size:.1f} MB"]
        for n, (part, size) in enumerate(zip(parts, sizes, strict=True))
    ]
    growth = sizes[-1] / sizes[0] - 1
    verdict = "reached" if growth <= AIM else "not reached"
    return (
        f"{TEXT.format(tables=tables, bot=BOT, deals=DEALS)}\n\n"
        f"{table(['minutes', 'rows', 'tables closed', 'memory'], told)}\n\n"
        f"From the first tenth to the last: {growth:+.1%}. Aim: at most {AIM:.0%}, {verdict}."
    )


if __name__ == "__main__":
    print(report(*(int(word) for word in sys.argv[1:3])))
