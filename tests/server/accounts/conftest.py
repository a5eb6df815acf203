"""Accounts that a test has for itself, and the clock they go by."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from okey101.server.people import Accounts
from server.accounts.people import Clock, with_accounts


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def accounts(tmp_path: Path, clock: Clock) -> AbstractAsyncContextManager[Accounts]:
    return with_accounts(tmp_path, clock=clock)
