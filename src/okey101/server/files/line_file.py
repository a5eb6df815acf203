"""A file of lines that only grows, through to the disk and within bounds: its owner's alone."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Generic, TypeVar

import msgspec

from okey101.server.files.atomic_files import open_private, sync

_MOST_BYTES: Final = 2**20
"""Then the file becomes the old one, and the old one goes."""


T = TypeVar("T", bound=msgspec.Struct)


class LineFile(Generic[T]):
    """``NAME.jsonl`` in a folder, and ``NAME.old.jsonl`` before it: a struct a line."""

    def __init__(self, folder: Path, name: str, kind: type[T]) -> None:
        self._kind = kind
        self.path = folder / f"{name}.jsonl"
        self._old = folder / f"{name}.old.jsonl"
        self._lock = threading.Lock()

    def add(self, entry: T) -> None:
        """Write a line; OSError where that is not possible."""
        with self._lock:
            self._write(msgspec.json.encode(entry) + b"\n")

    def last(self, count: int) -> list[T]:
        """The last lines, the newest first; OSError where they can't be read.

        One that makes no sense is left out.
        """
        found: list[T] = []
        for line in self._newest():
            if len(found) == count:
                break
            with suppress(msgspec.DecodeError):  # half a line, of a power cut
                found.append(msgspec.json.decode(line, type=self._kind))
        return found

    def _newest(self) -> Iterator[bytes]:
        for path in (self.path, self._old):
            try:
                lines = path.read_bytes().splitlines()
            except FileNotFoundError:
                continue
            yield from reversed(lines)

    def _write(self, line: bytes) -> None:
        file = open_private(self.path, os.O_APPEND | getattr(os, "O_NOFOLLOW", 0))
        try:
            size = os.fstat(file).st_size
            if size == 0:
                self._hand_over(file)
            else:
                os.lseek(file, -1, os.SEEK_END)
                line = line if os.read(file, 1) == b"\n" else b"\n" + line
            os.write(file, line)
            sync(file)
        finally:
            os.close(file)
        if size + len(line) > _MOST_BYTES:
            self.path.replace(self._old)

    def _hand_over(self, file: int) -> None:
        """Give a new file to the folder's owner, whose server could not write root's."""
        if os.name == "posix" and os.geteuid() == 0:
            owner = self.path.parent.stat()
            os.fchown(file, owner.st_uid, owner.st_gid)
