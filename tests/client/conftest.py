"""A server for the tests of a module."""

from cli.conftest import run  # noqa: F401  # a fixture
from server.live import served

server = served()
