"""Only one process at a time plays on in a saved match."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Self

__all__ = ["Lock", "LockTaken"]


class LockTaken(Exception):
    """Another process has the file."""


class Lock:
    """Held inside the ``with`` block; the system frees it when the process dies."""

    def __init__(self, path: Path) -> None:
        """``path`` is the file to guard; the lock is a hidden file beside it."""
        self._path = path.with_name(f".{path.name}.lock")
        self._handle = -1

    def __enter__(self) -> Self:
        """Raises LockTaken, and OSError where no file can be made."""
        self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        if os.name == "nt":  # no such locks there: the last writer wins
            return self
        import fcntl

        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._handle)
            raise LockTaken from None
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._path.unlink(missing_ok=True)
        os.close(self._handle)
