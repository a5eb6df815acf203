"""A database for each test."""

from __future__ import annotations

import pytest

from postgres import Postgres


@pytest.fixture
def url(postgres: Postgres) -> str:
    """The address of an empty database."""
    return postgres.database()
