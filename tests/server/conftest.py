"""Clients of the server that the tests of a folder or a module have, and what it logs."""

import io
import logging
from collections.abc import Iterator
from typing import Literal

import pytest
import structlog

from okey101.server.ops.logs import configure_logs
from server.live import Http, LiveServer


@pytest.fixture
def http(server: LiveServer) -> Http:
    return server.http()


@pytest.fixture
def admin(server: LiveServer) -> Http:
    return server.admin()


def heard(level: Literal["debug", "info"]) -> Iterator[io.StringIO]:
    """Where logs go, as JSON at a level; logging is as before afterwards."""
    root = logging.getLogger()
    handlers, before = list(root.handlers), root.level
    out = io.StringIO()
    configure_logs(level, "json", out)
    yield out
    root.handlers[:] = handlers
    root.setLevel(before)
    structlog.reset_defaults()
    for name in ("uvicorn", "uvicorn.error", "uvicorn.asgi", "asyncio", "sqlalchemy"):
        logging.getLogger(name).setLevel(logging.NOTSET)
    logging.getLogger("uvicorn.access").propagate = True
    logging.getLogger("uvicorn.error").filters.clear()


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    """What the server logs by default."""
    yield from heard("info")


@pytest.fixture
def details() -> Iterator[io.StringIO]:
    """What the server logs, down to the last detail."""
    yield from heard("debug")
