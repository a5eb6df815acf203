"""The kernel's tests, run as written or compiled."""

from __future__ import annotations

import os

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """As written, NumPy tells of sums that wrap around; compiled code is meant to wrap."""
    if os.environ.get("NUMBA_DISABLE_JIT") == "1":
        for item in items:
            if "kernel" in item.path.parts:
                item.add_marker(pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning"))
