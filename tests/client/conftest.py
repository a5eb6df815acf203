"""A server for the tests of a module."""

from collections.abc import Iterator

import pytest

from cli.conftest import run  # noqa: F401  # a fixture
from server.live import LiveServer


@pytest.fixture(scope="module")
def server() -> Iterator[LiveServer]:
    with LiveServer() as running:
        yield running
        running.assert_clean()
