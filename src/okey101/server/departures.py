"""Who left quick tables that are closed by now: kept in a file, which outlives a restart."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from okey101.server.atomic_files import temporary
from okey101.server.logs import logger

__all__ = ["Departures", "Times"]

Times: TypeAlias = Mapping[str, list[int]]
"""When people left, in UTC milliseconds, by the ids of the people."""
_FILE: Final = "quick-left.json"

_log = logger(__name__)


class Departures:
    """``quick-left.json`` in a server's folder; without it somebody waits less, and no more."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / _FILE
        self._lock = threading.Lock()
        self._latest: bytes = b""

    def read(self) -> dict[str, list[int]]:
        """What is kept; nothing where there is no such file, or none that can be read."""
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=dict[str, list[int]])
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.DecodeError) as error:
            _log.warning("departures-unread", reason=type(error).__name__)
            return {}

    def note(self, times: Times) -> None:
        """What :meth:`write` is to write from now on."""
        self._latest = msgspec.json.encode(times)

    def write(self) -> None:
        """Replace the file by what was noted last; a failure is logged."""
        with self._lock:
            part = temporary(self.path, ".new-")
            try:
                file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                try:
                    os.write(file, self._latest)
                finally:
                    os.close(file)
                part.replace(self.path)
            except OSError as error:
                part.unlink(missing_ok=True)
                _log.warning("departures-unwritten", reason=type(error).__name__)
