"""Logs of tests: in memory with hooks, or on a disk, opened for a while; and rows for them."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, Literal

from okey101.server.store.base import Head, Row, StoreError, conflict_of
from okey101.server.store.snapshots import KEPT_SNAPSHOTS, Found, Snapshot
from okey101.server.store.sqlite import SqliteStore
from okey101.server.store.statements import Store

Step = Literal["append", "appended", "read", "running"]


class MemoryStore(Store):
    """Keeps the rows in lists; what is appended is gone with the process.

    ``delay`` is awaited with the name of each step, so that a simulated loop can reorder: before a
    row is stored (``append``) and before its caller hears of it (``appended``), ``read`` and
    ``running``. Without it every step gives way to the loop once.
    """

    def __init__(self, delay: Callable[[Step], Awaitable[object]] | None = None) -> None:
        super().__init__(Path("memory"), "memory")
        self.delay = delay
        self.log: list[Row] = []
        """Every row, in the order in which they were stored."""
        self.kept: dict[str, list[Snapshot]] = {}
        """The snapshots of each table, newest first."""
        self._tables: dict[str, list[Row]] = {}
        self._failures: list[bool] = []
        """Of the next appends that fail, whether their rows are stored all the same."""

    def fail_next(self, n: int = 1, *, stored: bool = False) -> None:
        """Let the next ``n`` appends raise a StoreError.

        With ``stored`` the row is in the log all the same, as after a commit whose answer was lost.
        """
        self._failures += [stored] * n

    async def append(self, row: Row) -> None:
        await self._step("append")
        failure = self._failures.pop(0) if self._failures else None
        if failure is not False:
            self._put(row)
        await self._step("appended")
        if failure is not None:
            raise StoreError("the store fails as asked")

    async def read(self, table: str, after: int = 0, most: int | None = None) -> list[Row]:
        await self._step("read")
        return self._tables.get(table, [])[max(after, 0) :][:most]

    async def keep(self, snapshot: Snapshot) -> bool:
        await self._step("read")
        row = self._tables.get(snapshot.table, [])[snapshot.seq - 1 : snapshot.seq]
        if not row or row[0].state_hash != snapshot.state_hash:
            return False
        older = [kept for kept in self.kept.get(snapshot.table, []) if kept.seq < snapshot.seq]
        self.kept[snapshot.table] = [snapshot, *older[: KEPT_SNAPSHOTS - 1]]
        return True

    async def snapshots(self, table: str) -> Found:
        await self._step("read")
        return Found([*self.kept.get(table, [])], {})

    async def closed(self, table: str) -> bool:
        await self._step("read")
        rows = self._tables.get(table, [])
        return bool(rows) and rows[-1].last

    async def running(self) -> list[str]:
        await self._step("running")
        first = [rows[0] for rows in self._tables.values() if not rows[-1].last]
        return [row.table for row in sorted(first, key=lambda row: (row.at_ms, row.table))]

    async def close(self) -> None:
        self._closing = True

    def _put(self, row: Row) -> None:
        rows = self._tables.get(row.table, [])
        conflict = conflict_of(row, Head(rows[-1].seq, rows[-1].last) if rows else Head())
        if conflict is not None:
            raise conflict
        self._tables.setdefault(row.table, rows).append(row)
        self.log.append(row)

    async def _step(self, step: Step) -> None:
        if self._closing and step != "appended":
            raise StoreError("the store is closed")
        await (asyncio.sleep(0) if self.delay is None else self.delay(step))


def row(table: str, seq: int, *, last: bool = False, entry: bytes = b"{}") -> Row:
    return Row(table, seq, seq, entry, 1, f"hash-{seq}", last)


@asynccontextmanager
async def with_store(path: Path, **named: Any) -> AsyncIterator[SqliteStore]:
    store = SqliteStore.open(path, **named)
    try:
        yield store
    finally:
        await store.close()


async def append(
    path: Path, *tables: str, until: int, first: int = 1, entry: bytes = b"{}"
) -> None:
    """Open a log, append rows to tables in turn, and close it."""
    async with with_store(path) as store:
        for seq in range(first, until + 1):
            await asyncio.gather(*(store.append(row(t, seq, entry=entry)) for t in tables))


def changed(path: Path, *statements: str) -> int:
    """Change a log that nobody has open; how many rows the last statement has changed."""
    with closing(sqlite3.connect(path)) as conn, conn:
        return [conn.execute(statement).rowcount for statement in statements][-1]
