"""A start reads no more of a long log than of a short one; the rest is looked at while it runs."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import structlog.testing
from benchmarks.start import write_log

from conftest import Patch, Size
from okey101.server.store.file import open_log
from okey101.server.store.mark import mark_path
from okey101.server.store.scrubber import LogScan
from server.store.memory import append, changed, row, with_store


def written(path: Path, tables: int, each: int) -> None:
    entry = b'{"much":"' + b"x" * 80 + b'"}'
    asyncio.run(append(path, *(f"t{n}" for n in range(tables)), until=each, entry=entry))


def walked(path: Path, rows_a_step: int = 7) -> LogScan:
    walk = LogScan(rows_a_step)
    with closing(open_log(path)) as conn:
        while not walk.over:
            walk.step(conn)
    return walk


def test_a_file_that_leads_in_a_circle_is_damaged(path: Path, monkeypatch: Patch) -> None:
    """A scan of such a file never came to its end."""
    written(path, 1, 3)
    scrubber = "okey101.server.store.scrubber"
    monkeypatch.setattr(f"{scrubber}.sealed_in", lambda _: {"users": ["name"]})
    circle = "SELECT 2, 1 WHERE ? >= 0 AND ? > 0"
    monkeypatch.setattr(f"{scrubber}.look_at_seals", lambda *_: circle)
    walk = walked(path)
    assert walk.damaged
    assert walk.problems == ["a row can't be read: row 2 comes after row 2"]


def work_of_a_start(path: Path, monkeypatch: Patch) -> int:
    """How many instructions SQLite goes through until a log is open and its tables are known."""
    done = 0
    connect: Callable[..., sqlite3.Connection] = sqlite3.connect

    def counted(*given: Any, **named: Any) -> sqlite3.Connection:
        def one() -> int:
            nonlocal done
            done += 1
            return 0

        conn = connect(*given, **named)
        conn.set_progress_handler(one, 1)
        return conn

    async def start() -> None:
        async with with_store(path) as store:
            assert len(await store.running()) == 5

    with monkeypatch.context() as patch:
        patch.setattr("okey101.server.store.file.sqlite3.connect", counted)
        asyncio.run(start())
    return done


def test_a_start_reads_as_much_of_a_long_log(path: Path, monkeypatch: Patch) -> None:
    """With its mark, and without, when the ends of all tables are looked up."""
    written(path, 5, 100)
    short = work_of_a_start(path, monkeypatch)
    mark_path(path).unlink()
    unmarked = work_of_a_start(path, monkeypatch)
    changed(
        path,
        "WITH RECURSIVE n(i) AS (VALUES (101) UNION ALL SELECT i + 1 FROM n WHERE i < 4000) "
        "INSERT INTO log SELECT 't' || t.value, i, i, x'7b7d', 1, 'h', 0, x'00' "
        "FROM n, json_each('[0,1,2,3,4]') AS t",
    )
    mark_path(path).unlink()
    again = work_of_a_start(path, monkeypatch), work_of_a_start(path, monkeypatch)
    assert again[0] < unmarked * 1.2
    assert again[1] < short * 1.2


def test_a_start_does_not_read_what_is_closed(path: Path, monkeypatch: Patch, size: Size) -> None:
    rows = write_log(path, size(60_000, long=10_000_000), tables=5, each=5)
    assert work_of_a_start(path, monkeypatch) < rows / 4


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE log SET entry = x'00' WHERE table_id = 't3' AND seq = 4", "row 4 does not follow"),
        ("UPDATE log SET chain = x'00' WHERE table_id = 't3' AND seq = 1", "row 1 does not follow"),
        ("DELETE FROM log WHERE table_id = 't3' AND seq = 5", "row 6 follows no row 5"),
        ("DELETE FROM log WHERE table_id = 't3' AND seq = 1", "row 2 follows no row 1"),
        ("UPDATE log SET at_ms = 9 WHERE table_id = 't3' AND seq = 4", "row 4 does not follow"),
        ("UPDATE log SET last = 1 WHERE table_id = 't3' AND seq = 8", "row 8 does not follow"),
    ],
)
def test_a_changed_row_is_found(path: Path, statement: str, told: str) -> None:
    written(path, 6, 10)
    changed(path, statement)
    for rows_a_step in (1, 1_000):
        walk = walked(path, rows_a_step)
        assert len(walk.problems) == 1
        assert walk.problems[0].startswith(f"table t3: {told}")
        assert not walk.damaged


def test_a_row_that_no_row_can_be_is_found(path: Path) -> None:
    """A flipped bit in the head of a record makes a number NULL."""
    written(path, 2, 3)
    changed(
        path,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET sql = "
        "replace(replace(sql, 'seq INTEGER NOT NULL', 'seq INTEGER'), ' STRICT', '') "
        "WHERE name = 'log'",
    )
    changed(path, "UPDATE log SET seq = NULL WHERE table_id = 't1' AND seq = 2")
    walk = walked(path)
    assert walk.damaged
    assert walk.problems


async def test_damage_in_the_middle_is_told_while_the_server_runs(path: Path) -> None:
    """The end is read at the start, so a log is opened whose middle can't be read any more."""
    await asyncio.to_thread(written, path, 40, 50)
    data = bytearray(path.read_bytes())
    leaves = [at for at in range(0, len(data), 4096) if data[at] == 13]  # of the tree
    middle = leaves[len(leaves) // 2]
    data[middle : middle + 200] = b"\xa5" * 200
    path.write_bytes(data)
    figures: list[tuple[int, ...]] = []
    async with with_store(path) as store:
        walk = LogScan()
        with structlog.testing.capture_logs() as lines:
            await walk.run(store.look, lambda *told: figures.append(told), 0.0)
    assert walk.damaged
    assert figures[-1] == (-1, 1)
    assert [line["event"] for line in lines if line["event"].startswith("log-")] == ["log-unsound"]


async def test_rows_come_in_between(path: Path) -> None:
    await asyncio.to_thread(written, path, 3, 100)
    walk, seq = LogScan(10), 100
    async with with_store(path) as store:
        while not walk.over:
            await store.look(walk)
            seq += 1
            await store.append(row("t1", seq))
    assert (walk.rows, walk.problems) == (300, [])
