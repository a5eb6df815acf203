"""A file of lines that only grows, through to the disk and within bounds: its owner's alone."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

__all__ = ["LineFile"]

_MOST_BYTES: Final = 2**20
"""Then the file becomes the old one, and the old one goes."""


class LineFile:
    """``NAME.jsonl`` in a folder, and ``NAME.old.jsonl`` before it."""

    def __init__(self, folder: Path, name: str) -> None:
        self.path = folder / f"{name}.jsonl"
        self._old = folder / f"{name}.old.jsonl"
        self._lock = threading.Lock()

    def add(self, line: bytes) -> None:
        """Write a line without its end; OSError where that is not possible."""
        with self._lock:
            self._write(line + b"\n")

    def newest(self) -> Iterator[bytes]:
        """The lines that are kept, the newest first; OSError where they can't be read."""
        for path in (self.path, self._old):
            try:
                lines = path.read_bytes().splitlines()
            except FileNotFoundError:
                continue
            yield from reversed(lines)

    def _write(self, line: bytes) -> None:
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        file = os.open(self.path, flags, 0o600)
        try:
            size = os.fstat(file).st_size
            if size == 0:
                self._hand_over(file)
            else:
                os.lseek(file, -1, os.SEEK_END)
                line = line if os.read(file, 1) == b"\n" else b"\n" + line
            os.write(file, line)
            os.fsync(file)
        finally:
            os.close(file)
        if size + len(line) > _MOST_BYTES:
            self.path.replace(self._old)

    def _hand_over(self, file: int) -> None:
        """Give a new file to the folder's owner, whose server could not write root's."""
        if os.name == "posix" and os.geteuid() == 0:
            owner = self.path.parent.stat()
            os.fchown(file, owner.st_uid, owner.st_gid)
