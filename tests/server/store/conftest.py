"""A log on a disk that a test has for itself."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from okey101.server.store.sqlite import SqliteStore
from server.store.memory import with_store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.sqlite"


@pytest.fixture
def store(path: Path) -> AbstractAsyncContextManager[SqliteStore]:
    return with_store(path)
