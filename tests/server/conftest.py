"""Clients of the server that the tests of a folder or a module have."""

from __future__ import annotations

import httpx
import pytest

from server.live import LiveServer


@pytest.fixture
def http(server: LiveServer) -> httpx.AsyncClient:
    return server.http()


@pytest.fixture
def admin(server: LiveServer) -> httpx.AsyncClient:
    """With the token of the administrator."""
    return server.admin()
