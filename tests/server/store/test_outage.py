"""A store that can't write: a line when it begins, one at its end, and every failure counted."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from okey101.server.ops.outages import Outage
from okey101.server.store import Row, SqliteStore, StoreError
from server.store.stores import with_store


def row(table: str, seq: int, *, entry: bytes = b"{}") -> Row:
    return Row(table, seq, seq, entry, 1, f"hash-{seq}")


def full() -> sqlite3.Error:
    error = sqlite3.OperationalError("database or disk is full: /var/lib/okey101/log.sqlite")
    error.sqlite_errorname = "SQLITE_FULL"
    return error


def test_an_outage_has_two_lines_however_often_it_fails() -> None:
    now = [100.0]
    outage = Outage("log.sqlite", lambda: now[0])
    with capture_logs() as lines:
        outage.ended()
        for _ in range(5):
            outage.failed(full())
            now[0] += 2.5
        outage.ended()
        outage.ended()
    assert lines == [
        {
            "event": "store-failing",
            "log_level": "error",
            "file": "log.sqlite",
            "reason": "SQLITE_FULL",
        },
        {
            "event": "store-works-again",
            "log_level": "warning",
            "file": "log.sqlite",
            "reason": "SQLITE_FULL",
            "failed": 5,
            "seconds": 12.5,
        },
    ]


def test_a_second_outage_is_told_and_counted_anew() -> None:
    outage = Outage("log.sqlite", lambda: 0.0)
    with capture_logs() as lines:
        for times in (2, 1):
            for _ in range(times):
                outage.failed(sqlite3.ProgrammingError("odd"))
            outage.ended()
    assert [(line["event"], line.get("failed"), line.get("reason")) for line in lines] == [
        ("store-failing", None, "ProgrammingError"),
        ("store-works-again", 2, "ProgrammingError"),
        ("store-failing", None, "ProgrammingError"),
        ("store-works-again", 1, "ProgrammingError"),
    ]


@asynccontextmanager
async def opened(tmp_path: Path, heard: list[int]) -> AsyncIterator[SqliteStore]:
    told = {"on_commit": lambda rows, _: heard.append(rows)}
    async with with_store(tmp_path / "log.sqlite", **told) as store:
        yield store


async def test_a_full_disk_is_told_once_and_every_failed_commit_counted(tmp_path: Path) -> None:
    heard: list[int] = []

    with capture_logs() as lines:
        async with opened(tmp_path, heard) as store:

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
    assert str(tmp_path) not in str(lines)


async def test_conflicts_are_no_failures(tmp_path: Path) -> None:
    heard: list[int] = []

    with capture_logs() as lines:
        async with opened(tmp_path, heard) as store:
            offers = [store.append(row("a", seq)) for seq in (1, 1, 3)]
            await asyncio.gather(*offers, return_exceptions=True)
            await asyncio.gather(store.append(row("a", 9)), return_exceptions=True)
    assert 0 not in heard
    assert lines == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
async def test_a_store_that_stops_by_itself_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with capture_logs() as lines:
        async with opened(tmp_path, []) as store:

            def fault(*_: object) -> None:
                raise RuntimeError("a fault")

            monkeypatch.setattr(store, "_judge", fault)
            with pytest.raises(StoreError):
                await store.append(row("a", 1))
    assert [(line["event"], line["log_level"]) for line in lines] == [("store-stopped", "critical")]
