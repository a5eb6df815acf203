"""A log on a disk, opened for a while; and rows for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from okey101.server.store.base import Row
from okey101.server.store.sqlite import SqliteStore


def row(table: str, seq: int, *, last: bool = False, entry: bytes = b"{}") -> Row:
    return Row(table, seq, seq, entry, 1, f"hash-{seq}", last)


@asynccontextmanager
async def with_store(path: Path, **named: Any) -> AsyncIterator[SqliteStore]:
    store = SqliteStore.open(path, **named)
    try:
        yield store
    finally:
        await store.close()


async def append(path: Path, *tables: str, until: int, first: int = 1, **named: Any) -> None:
    """Open a log, append rows to tables in turn, and close it."""
    async with with_store(path, **named) as store:
        for seq in range(first, until + 1):
            await asyncio.gather(*(store.append(row(table, seq)) for table in tables))
