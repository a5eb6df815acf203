"""A database for each test, and a connection beside those of the servers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import asyncpg
import pytest

from postgres import Postgres


@pytest.fixture
def url(postgres: Postgres) -> str:
    """The address of an empty database."""
    return postgres.database()


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection of somebody else to a database."""
    conn = await asyncpg.connect(url)
    try:
        yield conn
    finally:
        await conn.close()


@pytest.fixture
def conn(url: str) -> AbstractAsyncContextManager[asyncpg.Connection]:
    """Such a connection to the test's own database."""
    return connected(url)
