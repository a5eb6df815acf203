"""Who left quick tables that are closed by now: kept in a file, which outlives a restart."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from okey101.server.files.atomic_files import replace
from okey101.server.ops.logs import logger
from okey101.server.ops.tasks import Tasks

Times: TypeAlias = Mapping[str, list[int]]
"""When people left, in UTC milliseconds, by the ids of the people."""
_FILE: Final = "quick-left.json"

_log = logger(__name__)


class Leavers:
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
            _log.warning("leavers-unread", reason=type(error).__name__)
            return {}

    def note(self, times: Times) -> None:
        """What :meth:`write` is to write from now on."""
        self._latest = msgspec.json.encode(times)

    def keep(self, times: Times, tasks: Tasks) -> None:
        """Note it, and write it beside the loop."""
        self.note(times)
        tasks.spawn(asyncio.to_thread(self.write))

    def write(self) -> None:
        """Replace the file by what was noted last; a failure is logged."""
        with self._lock:
            try:
                replace(self.path, self._latest, through=False)
            except OSError as error:
                _log.warning("leavers-unwritten", reason=type(error).__name__)
