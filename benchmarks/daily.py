"""A day that 10,000 people have played: how long its table takes, and what tables feel of it.

``python -m benchmarks.daily FOLDER`` is the server: its day has that many tries that were finished
in the hours before, and one more every other second, of a new person or of whoever has begun one
over HTTP.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import httpx
from sqlalchemy import select
from sqlalchemy.orm import Session as Db

from benchmarks.measure import median, quantile, table
from benchmarks.server import asked, process
from benchmarks.server_child import LIMITS
from okey101.server import hub
from okey101.server.net.binding import Listening
from okey101.server.people.day_tries import DEALS, date_at
from okey101.server.people.days import Days
from okey101.server.people.models import TryRow, UserRow
from okey101.server.people.persons import new_id
from okey101.server.serve import run
from okey101.server.settings import load_settings
from okey101.server.web.app import create_app

__all__ = ["report"]

PEOPLE = 10_000
TABLES = 200
PACE = 0.4
"""Commands a second at each table."""
ASKED = 5.0
"""How often a second somebody looks at the table of the day: 10,000 people in half an hour."""
EVERY_S = 2.0
"""How often one more has played the day: 10,000 people in five hours and a half."""
SECONDS = 20.0
ROUNDS = 3
AIM_S = 0.1
_AT_ONCE = 500
_HOURS_MS = 20_000_000
_POINTS = (-101, 7, 16, 24, 38, 52, 77, 101, 202, 202, 202, 404)


class _Played(Days):
    """The days of a server that many people play at."""

    async def run(self) -> None:
        """Have the day played by many, then by one more again and again."""
        await self.look()
        await self._have_field(await self.day(date_at(self._now())))
        for _ in range(PEOPLE // _AT_ONCE):
            await self._accounts.days._run(self._more(_AT_ONCE, over_ms=_HOURS_MS))
        async with asyncio.TaskGroup() as group:
            group.create_task(super().run())
            while True:
                await asyncio.sleep(EVERY_S)
                await self._accounts.days._run(self._more(1))

    def _more(self, count: int, over_ms: int = 1):  # type: ignore[no-untyped-def]
        now = self._now()
        date = date_at(now)

        def points() -> tuple[int, ...]:
            return (*random.choices(_POINTS, k=DEALS),)

        def work(db: Db) -> None:
            begun = db.scalars(select(TryRow).where(TryRow.points.is_(None))).all()
            for row in begun:
                row.points, row.finished_ms = points(), now
            for _ in range(count - len(begun)):
                user = new_id("u")
                person = UserRow(
                    id=user, name="Oyuncu", name_key="oyuncu", created_ms=now, seen_ms=now,
                    language="tr", settings="{}",
                )  # fmt: skip
                db.add(person)
                db.flush()
                db.add(
                    TryRow(
                        id=user, date=date, user_id=user, ranked=1, begun_ms=now, points=points(),
                        finished_ms=now - random.randrange(over_ms),
                    )
                )  # fmt: skip

        return work


def _serve(folder: str) -> int:
    vars(hub)["Days"] = _Played

    def announce(at: Listening) -> None:
        print(json.dumps({"url": at.local, "pid": os.getpid()}), flush=True)

    given: dict[str, object] = {"data": folder, "port": 0, "log_level": "warning", **LIMITS}
    return run(load_settings(given | {"trusted_proxies": "127.0.0.1"}), create_app, announce)


class _Round(NamedTuple):
    """Some seconds of play: what the tables felt, and how long the day's table took."""

    p50: float
    p99: float
    worst: float
    cpu: float
    looks: list[float]


@contextmanager
def _server() -> Iterator[tuple[str, int]]:
    with (
        tempfile.TemporaryDirectory() as folder,
        process("benchmarks.daily", folder) as server,
    ):
        assert server.stdout is not None
        at = json.loads(server.stdout.readline())
        yield at["url"], at["pid"]


class _Visitor:
    """Somebody who has played the day, seen at a new address each time."""

    def __init__(self, url: str) -> None:
        self.http = httpx.AsyncClient(base_url=url, timeout=60)
        self._seen = 0

    async def come(self) -> float:
        """Begin a try, which is finished at once; how long the first look at the table took."""
        days = list[Any]()
        while not days or days[0]["players"] < PEOPLE:
            await asyncio.sleep(0.5)
            days = await self._ask("GET", "/api/days/")
        self.date = days[0]["date"]
        answer = await self._ask("POST", "/api/guests", json={"name": "Bakan", "bearer": True})
        self.http.headers["Authorization"] = f"Bearer {answer['token']}"
        await self._ask("POST", f"/api/days/{self.date}/play")
        while not (await self._ask("GET", f"/api/days/{self.date}"))["own"]["finished"]:  # noqa: ASYNC110
            await asyncio.sleep(0.5)
        return await self.look()

    async def look(self) -> float:
        began = time.perf_counter()
        found = await self._ask("GET", f"/api/days/{self.date}/table")
        took = time.perf_counter() - began
        assert found["ranked"] >= PEOPLE
        assert found["own"]["place"] > 0
        return took

    async def look_on(self, seconds: float) -> list[float]:
        """Look at the table so often for some seconds."""
        end = time.perf_counter() + seconds
        found = []
        while (now := time.perf_counter()) < end:
            found.append(await self.look())
            await asyncio.sleep(max(0.0, now + 1 / ASKED - time.perf_counter()))
        return found

    async def _ask(self, method: str, path: str, **more: object):  # type: ignore[no-untyped-def]
        self._seen += 1
        place = f"10.{self._seen >> 16 & 255}.{self._seen >> 8 & 255}.{self._seen & 255}"
        answer = await self.http.request(method, path, headers={"X-Forwarded-For": place}, **more)  # type: ignore[arg-type]
        return answer.raise_for_status().json()


async def _measured(url: str, pid: int) -> tuple[float, list[_Round], list[_Round]]:
    visitor = _Visitor(url)
    first = await visitor.come()
    alone: list[_Round] = []
    beside: list[_Round] = []
    with process("benchmarks.server_load", url, pid, "durable", TABLES) as load:
        await asyncio.to_thread(asked, load, "open")
        for number in range(2 * ROUNDS):
            pace = asyncio.to_thread(asked, load, "pace", SECONDS, PACE, TABLES)
            looks = visitor.look_on(SECONDS) if number % 2 else asyncio.sleep(0, [])
            run, seen = await asyncio.gather(pace, looks)
            made = _Round(run["p50"], run["p99"], run["worst"], run["cpu"] / run["wall"], seen)
            (beside if number % 2 else alone).append(made)
            print(f"  round {number + 1} of {2 * ROUNDS}", file=sys.stderr, flush=True)
    await visitor.http.aclose()
    return first, alone, beside


def report() -> str:
    """The section of results.md."""
    with _server() as (url, pid):
        first, alone, beside = asyncio.run(_measured(url, pid))
    looks = [one for run in beside for one in run.looks]

    def row(name: str, runs: list[_Round]) -> list[str]:
        told = [
            _ms(median([run.p50 for run in runs])),
            _ms(median([run.p99 for run in runs])),
        ]
        worst = _ms(max(run.worst for run in runs))
        return [name, *told, worst, f"{median([run.cpu for run in runs]):.0%}"]

    tables = table(
        ("", "p50 ms", "p99 ms", "worst ms", "processor"),
        [row("nobody looks", alone), row(f"{ASKED:g} looks a second", beside)],
    )
    verdict = "reached" if quantile(looks, 0.99) <= AIM_S else "not reached"
    return f"""## A day that many play

One server whose day {PEOPLE:,} people have played, and one more every {EVERY_S:g} s, beside
{TABLES} tables of four at {PACE:g} commands a second each. The table of the day is asked for
over HTTP by somebody who has played: the hundred best, the friends, the own place. Rounds of
{SECONDS:g} s in turn.

| the table of the day | ms |
| --- | --- |
| the first time, with every try to read | {_ms(first)} |
| median of {len(looks)} | {_ms(median(looks))} |
| p99 | **{_ms(quantile(looks, 0.99))}** |
| worst | {_ms(max(looks))} |

From a command at a table until all four know of it:

{tables}

Aim: the table of the day in {1000 * AIM_S:.0f} ms, {verdict}; tables as without it.
"""


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:,.1f}"


if __name__ == "__main__":
    sys.exit(_serve(*sys.argv[1:]))
