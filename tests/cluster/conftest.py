"""A database for each test, and a connection beside those of the servers."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from typing import Any

import asyncpg
import pytest

from cli.conftest import run  # noqa: F401  # a fixture
from postgres import Postgres
from server.live import LiveServer


@pytest.fixture
def url(postgres: Postgres) -> str:
    return postgres.database()


Nodes = tuple[LiveServer, LiveServer]


@contextmanager
def two_nodes(url: str, **settings: object) -> Iterator[Nodes]:
    how: dict[str, Any] = settings | {"database": url, "first_deal_wait_s": 0}
    with LiveServer(node_name="one", **how) as one, LiveServer(node_name="two", **how) as two:
        yield one, two


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[asyncpg.Connection]:
    conn = await asyncpg.connect(url)
    try:
        yield conn
    finally:
        await conn.close()


@pytest.fixture
def conn(url: str) -> AbstractAsyncContextManager[asyncpg.Connection]:
    """Such a connection to the test's own database."""
    return connected(url)
