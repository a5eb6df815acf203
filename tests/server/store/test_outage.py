"""A store that can't write: a line when it begins, one at its end, and every failure counted."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from okey101.server.ops.outages import Outage
from okey101.server.store import StoreError
from server.store.stores import row, with_store


def full() -> sqlite3.Error:
    error = sqlite3.OperationalError("database or disk is full: /var/lib/okey101/log.sqlite")
    error.sqlite_errorname = "SQLITE_FULL"
    return error


def test_an_outage_has_two_lines_however_often_it_fails_and_the_next_is_counted_anew() -> None:
    now = [100.0]
    outage = Outage("log.sqlite", lambda: now[0])
    with capture_logs() as lines:
        outage.ended()
        for _ in range(5):
            outage.failed(full())
            now[0] += 2.5
        outage.ended()
        outage.ended()
        outage.failed(sqlite3.ProgrammingError("odd"))
        outage.ended()
    assert [(line.pop("event"), line.pop("log_level"), line.pop("reason")) for line in lines] == [
        ("store-failing", "error", "SQLITE_FULL"),
        ("store-works-again", "warning", "SQLITE_FULL"),
        ("store-failing", "error", "ProgrammingError"),
        ("store-works-again", "warning", "ProgrammingError"),
    ]
    file = {"file": "log.sqlite"}
    ends = [file | {"failed": 5, "seconds": 12.5}, file | {"failed": 1, "seconds": 0.0}]
    assert lines == [file, ends[0], file, ends[1]]


async def test_a_full_disk_is_told_once_and_every_failed_commit_counted(path: Path) -> None:
    heard: list[int] = []
    with capture_logs() as lines:
        async with with_store(path, on_commit=lambda rows, _: heard.append(rows)) as store:

            async def pragma(text: str) -> int:
                return await store._ask(lambda c: int(c.execute(f"PRAGMA {text}").fetchone()[0]))

            await store.append(row("a", 1))
            await pragma(f"max_page_count = {await pragma('page_count')}")
            for _ in range(4):
                with pytest.raises(StoreError):
                    await store.append(row("a", 2, entry=b"x" * 50_000))
            await pragma("max_page_count = 1000000")
            await store.append(row("a", 2))
            await asyncio.sleep(0)
    assert heard == [1, 0, 0, 0, 0, 1]
    assert [(line["event"], line.get("reason"), line.get("failed")) for line in lines] == [
        ("store-failing", "SQLITE_FULL", None),
        ("store-works-again", "SQLITE_FULL", 4),
    ]
    assert str(path.parent) not in str(lines)


async def test_conflicts_are_no_failures(path: Path) -> None:
    heard: list[int] = []
    with capture_logs() as lines:
        async with with_store(path, on_commit=lambda rows, _: heard.append(rows)) as store:
            offers = [store.append(row("a", seq)) for seq in (1, 1, 3)]
            await asyncio.gather(*offers, return_exceptions=True)
            await asyncio.gather(store.append(row("a", 9)), return_exceptions=True)
    assert 0 not in heard
    assert lines == []
