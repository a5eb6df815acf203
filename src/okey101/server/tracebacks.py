"""Where an error came from, without its text: that may name tiles nobody has seen."""

from __future__ import annotations

import traceback
from pathlib import Path

__all__ = ["trace_of"]

_MOST = 12


def trace_of(error: BaseException) -> list[str]:
    """The error's type and the last calls that led to it, as file, line and function."""
    calls = traceback.extract_tb(error.__traceback__)[-_MOST:]
    return [
        type(error).__name__,
        *(f"{Path(call.filename).name}:{call.lineno} {call.name}" for call in calls),
    ]
