"""Snapshots in the log's file: found where they agree with the rows, gone with the table."""

import asyncio
import random
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from faults.simulated_disk import Disk
from okey101.server.store.base import digest_of
from okey101.server.store.file import open_log
from okey101.server.store.snapshots import Found, Snapshot, part_name, snapshots_in
from okey101.server.store.sqlite import keep_snapshot
from server.store.memory import append, row, with_store


def snapshot(table: str, seq: int, *parts: bytes) -> Snapshot:
    kept = {part_name(part): part for part in parts}
    return Snapshot(table, seq, "1", f"hash-{seq}", b"body %d" % seq, kept)


@contextmanager
def opened(path: Path, rows: int = 0) -> Iterator[sqlite3.Connection]:
    """The log with so many rows of a table."""
    asyncio.run(append(path, "t", until=rows))
    with closing(open_log(path)) as conn:
        yield conn


def parts_in(conn: sqlite3.Connection) -> set[bytes]:
    return {data for (data,) in conn.execute("SELECT data FROM snapshot_part")}


def test_two_are_kept_with_the_parts_they_need(path: Path) -> None:
    """None of a row that is another or isn't there."""
    with opened(path, 9) as conn:
        assert not keep_snapshot(conn, snapshot("t", 10))
        assert not keep_snapshot(conn, snapshot("another", 1))
        assert not keep_snapshot(conn, snapshot("t", 3)._replace(state_hash="hash-2"))
        assert snapshots_in(conn, "t") == Found([], {})
        assert keep_snapshot(conn, snapshot("t", 2, b"a"))
        assert keep_snapshot(conn, snapshot("t", 4, b"a", b"b"))
        assert snapshots_in(conn, "t").snapshots == [
            snapshot("t", 4, b"a", b"b"), snapshot("t", 2, b"a")
        ]  # fmt: skip
        assert keep_snapshot(conn, snapshot("t", 6, b"c"))
        assert [kept.seq for kept in snapshots_in(conn, "t").snapshots] == [6, 4]
        assert parts_in(conn) == {b"a", b"b", b"c"}
        assert keep_snapshot(conn, snapshot("t", 8))
        assert parts_in(conn) == {b"c"}
        # One of an earlier row says that those of later ones are of another story.
        assert keep_snapshot(conn, snapshot("t", 5))
        assert [kept.seq for kept in snapshots_in(conn, "t").snapshots] == [5]
        assert keep_snapshot(conn, snapshot("t", 5, b"d"))
        assert snapshots_in(conn, "t") == Found([snapshot("t", 5, b"d")], {})


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="SQLite's VFS for Unix")
def test_one_is_on_the_disk_before_the_next_rows_are_written(path: Path) -> None:
    """A sync that fails later takes what is not: the rows behind it would be lost with it."""
    disk = Disk(path.parent, random.Random(1), lambda _: None)
    with disk.used(), opened(path, 3) as conn:
        assert keep_snapshot(conn, snapshot("t", 2, b"a"))
        wal = disk.file(f"{path}-wal")
        assert (len(wal.synced) > 0, wal.written) == (True, [])


HARM = {
    "body": ("UPDATE snapshot SET body = x'00'", "damaged"),
    "state": ("UPDATE snapshot SET state_hash = 'hash-2'", "head-differs"),
    "version": ("UPDATE snapshot SET version = '2'", "damaged"),
    "seq": ("UPDATE snapshot SET seq = 2", "head-differs"),
    "chain": ("UPDATE snapshot SET chain = x'00'", "head-differs"),
    "row": ("UPDATE log SET chain = x'00' WHERE seq = 3", "head-differs"),
    "rows": ("DELETE FROM log WHERE seq >= 3", "head-differs"),
    "no parts": ("DELETE FROM snapshot_part", "damaged"),
    "parts": ("UPDATE snapshot_part SET data = x'00'", "damaged"),
    "names": ("UPDATE snapshot SET parts = x''", "damaged"),
    "note": ("UPDATE log SET entry = x'00' WHERE table_id = ''", "damaged"),
    "no note": ("DELETE FROM log WHERE table_id = ''", "damaged"),
}


@pytest.mark.parametrize("what", HARM)
def test_what_does_not_agree_with_the_rows_is_refused(path: Path, what: str) -> None:
    """A log that lost its end is one of them: its snapshots may be ahead of it."""
    sql, why = HARM[what]
    with opened(path, 3) as conn:
        keep_snapshot(conn, snapshot("t", 3, b"a"))
        conn.execute(sql)
        found = snapshots_in(conn, "t")
        assert found.snapshots == []
        assert [*found.refused.values()] == [why]


async def test_who_forges_a_snapshot_breaks_the_chain(path: Path) -> None:
    """With its digest, which is a row of the log."""
    async with with_store(path) as store:
        for seq in (1, 2):
            await store.append(row("t", seq))
            await store.keep(snapshot("t", seq))
        assert await store.check() == []
    with closing(sqlite3.connect(path)) as conn, conn:
        conn.execute("UPDATE snapshot SET body = x'00' WHERE seq = 1")
        (*values, _) = conn.execute(
            "SELECT table_id, 1, version, state_hash, chain, body, parts, 0 FROM snapshot"
        ).fetchone()
        conn.execute(
            "UPDATE log SET entry = ? WHERE table_id = '' AND seq = 1",
            (digest_of("snapshot", *values),),
        )
    async with with_store(path) as store:
        assert len((await store.snapshots("t")).snapshots) == 2
        wrong = ["table : row 1 does not follow the one before (chain)"]
        assert await store.check() == wrong


class Cut:
    """A connection that fails at its nth statement of a kind that writes."""

    def __init__(self, conn: sqlite3.Connection, nth: int) -> None:
        self._conn = conn
        self._left = nth

    def __getattr__(self, name: str) -> Any:
        return getattr(self._conn, name)

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        self._count(sql)
        return self._conn.execute(sql, *values)

    def executemany(self, sql: str, *values: Any) -> sqlite3.Cursor:
        self._count(sql)
        return self._conn.executemany(sql, *values)

    def _count(self, sql: str) -> None:
        if not sql.startswith(("SELECT", "PRAGMA", "ROLLBACK")):
            self._left -= 1
            if self._left == 0:
                raise sqlite3.OperationalError("disk I/O error")


def test_whatever_fails_in_between_leaves_the_ones_before(path: Path) -> None:
    with opened(path, 9) as conn:
        keep_snapshot(conn, snapshot("t", 3, b"a"))
        before = snapshots_in(conn, "t")
        failed = 0
        while True:
            cut = cast("sqlite3.Connection", Cut(conn, failed + 1))
            try:
                keep_snapshot(cut, snapshot("t", 6, b"b"))
            except sqlite3.OperationalError:
                failed += 1
                assert not conn.in_transaction
                assert snapshots_in(conn, "t") == before
                assert conn.execute("PRAGMA synchronous").fetchone() == (2,)
            else:
                break
        assert failed == 7
        assert [kept.seq for kept in snapshots_in(conn, "t").snapshots] == [6, 3]


async def test_a_store_keeps_them_beside_its_rows(path: Path) -> None:
    async with with_store(path) as store:
        for seq in range(1, 6):
            await store.append(row("t", seq))
            assert await store.keep(snapshot("t", seq, b"a"))
        assert not await store.keep(snapshot("t", 9))
        assert [row.seq for row in await store.read("t", 2, 1)] == [3]
        assert [row.seq for row in await store.read("t", 2)] == [3, 4, 5]
        found = await store.snapshots("t")
        assert found == Found([snapshot("t", 5, b"a"), snapshot("t", 4, b"a")], {})
        assert await store.snapshots("another") == Found([], {})
        assert await store.check() == []
    async with with_store(path) as store:
        await store.append(row("t", 6))
        assert [kept.seq for kept in (await store.snapshots("t")).snapshots] == [5, 4]
    assert path.stat().st_mode & 0o777 == 0o600


async def test_they_leave_with_their_table(path: Path) -> None:
    async with with_store(path) as store:
        for table in "ab":
            await store.append(row(table, 1))
            await store.keep(snapshot(table, 1, b"part"))
        await store.append(row("a", 2, last=True))
        await store.append(row("b", 2))
        while await store.archive():
            pass
        assert await store.closed("a")
        assert await store.snapshots("a") == Found([], {})
        assert len((await store.snapshots("b")).snapshots) == 1
    with closing(sqlite3.connect(path)) as conn:
        assert conn.execute("SELECT DISTINCT table_id FROM snapshot_part").fetchall() == [("b",)]
