"""PostgreSQL, for all tests of a process; each has a database of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import postgres as databases


@pytest.fixture(scope="session")
def postgres() -> Iterator[databases.Postgres]:
    with databases.running() as one:
        yield one


@pytest.fixture
def url(postgres: databases.Postgres) -> str:
    """The address of an empty database."""
    return postgres.database()
