"""The time of day, as logs and accounts keep it."""

from __future__ import annotations

import time


def utc_ms() -> int:
    """The time of day, UTC in milliseconds."""
    return time.time_ns() // 1_000_000
