"""The tables' log: what a store promises, one embedded in a file, and one in PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from okey101.server.store.base import Conflict, Row, StoreError
from okey101.server.store.sqlite import SqliteStore
from okey101.server.store.statements import Store

if TYPE_CHECKING:  # which needs an extra of its own
    from pydantic import SecretStr

    from okey101.server.store.postgres import PostgresStore

__all__ = [
    "AnyStore",
    "Conflict",
    "Row",
    "SqliteStore",
    "Store",
    "StoreError",
    "open_store",
]

AnyStore: TypeAlias = "SqliteStore | PostgresStore"


async def open_store(
    database: SecretStr | None, path: Path, *, on_commit: Callable[[int, float], None], shared: bool
) -> AnyStore:
    """The store in the file at ``path``, or in a database by its address; OkeyError of either."""
    if database is None:
        return await asyncio.to_thread(SqliteStore.open, path, on_commit=on_commit, shared=shared)
    from okey101.server.store.postgres import PostgresStore

    url = database.get_secret_value()
    return await PostgresStore.open(url, path, on_commit=on_commit, shared=True)
