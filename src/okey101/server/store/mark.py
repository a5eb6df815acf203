"""The mark: a small file beside the log that says how far the log reached.

A batch of rows is committed, then marked here, then acknowledged. So the log may be ahead of the
mark (a crash between the two), never behind it: a mark ahead of its log means that acknowledged
rows have vanished. Each mark has a digest of itself and of the mark before it, and the file keeps
the latest ones in a ring, so that the tables whose rows are gone can be named.
"""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from okey101.server.files.atomic_files import contents, open_private, sync, sync_folder, take
from okey101.server.store.base import LINK_BYTES, digest_of

_SIZE: Final = 512 * 1024
_SLOT: Final = 64
_MAGIC: Final = b"okm1"
_FRONT: Final = struct.Struct(f">4sI{LINK_BYTES}s")
"""Magic, length of what follows, and its digest."""
_MOST: Final = 64 * 1024
"""A batch of more bytes is marked without the ends of its tables."""


class TableEnd(NamedTuple):
    """The last row that a batch wrote for a table, with its link of the chain."""

    table: str
    seq: int
    link: bytes


class Mark(NamedTuple):
    """One batch: its number, and the place of its last row in the log.

    ``ends`` is None where they were too many to be kept, ``before`` the digest of the mark before.
    """

    number: int
    position: int
    ends: tuple[TableEnd, ...] | None
    before: bytes

    @property
    def body(self) -> bytes:
        """The mark as bytes."""
        return msgspec.msgpack.encode(self)

    def of_tables(self) -> Mark:
        """The mark without what is beside the tables."""
        return self._replace(ends=self.ends and tuple(end for end in self.ends if end.table))


_MARK: Final = msgspec.msgpack.Decoder(Mark)


class MarkFile:
    """The ring of marks in a file of fixed size; for one thread."""

    def __init__(self, path: Path) -> None:
        """Open the file, made where there is none, and take it for this process.

        OSError where that fails, BlockingIOError where another process has it.
        """
        self.path = path
        self._file = _opened(path)
        found = _marks_in(path.read_bytes())
        self.history = [mark for mark, _ in found]
        """The marks that were there when the file was opened, the newest first."""
        self._newest: Mark | None = None
        self._at = 0
        if found:
            self._newest, self._at = found[0]

    def write(self, position: int, ends: Iterable[TableEnd]) -> None:
        """Mark a batch whose last row is at ``position``; it is on the disk when this returns.

        OSError where that isn't certain.
        """
        last = self._newest
        number, before = (
            (1, b"") if last is None else (last.number + 1, digest_of("mark", last.body))
        )
        mark = Mark(number, position, tuple(ends), before)
        if len(body := mark.body) > _MOST:
            mark = mark._replace(ends=None)
            body = mark.body
        data = _FRONT.pack(_MAGIC, len(body), digest_of("mark", body)) + body
        at = self._at if _after(self._at + len(data)) <= _SIZE else 0
        _write_through(self._file, data, at)
        self._at, self._newest = _after(at + len(data)), mark

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)


def marks_in(path: Path) -> list[Mark]:
    """The marks of a file that may be in use, the newest first; none where there is no file."""
    return [mark for mark, _ in _marks_in(contents(path))]


def mark_path(log: Path) -> Path:
    """Where the mark of a log is."""
    return log.with_suffix(".mark")


def _opened(path: Path) -> int:
    file = open_private(path, os.O_DSYNC if _AT_ONCE else 0)
    try:
        take(file)
        size = os.fstat(file).st_size
        if size < _SIZE:
            # Written once in full: later marks only replace bytes, which costs the disk least.
            os.lseek(file, size, os.SEEK_SET)
            os.write(file, bytes(_SIZE - size))
            sync(file)
            sync_folder(path.parent)
    except BaseException:
        os.close(file)
        raise
    return file


_AT_ONCE: Final = hasattr(os, "O_DSYNC") and sys.platform != "darwin"
"""Whether a write waits for the disk by itself: one call less in which the thread has to let go of
the interpreter."""


def _write_through(file: int, data: bytes, at: int) -> None:
    if hasattr(os, "pwrite"):
        written = os.pwrite(file, data, at)
    else:
        os.lseek(file, at, os.SEEK_SET)
        written = os.write(file, data)
    if written != len(data):
        raise OSError("the mark was written in part")
    if not _AT_ONCE:
        sync(file)


def _after(end: int) -> int:
    """Where the next mark belongs."""
    return end + -end % _SLOT


def _marks_in(data: bytes) -> list[tuple[Mark, int]]:
    """The newest marks, newest first, as long as each follows the one before.

    Each with where the next belongs. One that was written in part, or written over, is none.
    """
    found: dict[int, tuple[Mark, int]] = {}
    at = data.find(_MAGIC)
    while 0 <= at < len(data) - _FRONT.size:
        _, length, digest = _FRONT.unpack_from(data, at)
        end = at + _FRONT.size + length
        body = data[at + _FRONT.size : end]
        if at % _SLOT == 0 and end <= len(data) and digest_of("mark", body) == digest:
            mark = _MARK.decode(body)
            found[mark.number] = mark, _after(end)
        at = data.find(_MAGIC, at + 1)
    marks: list[tuple[Mark, int]] = []
    number = max(found, default=0)
    while number in found:
        mark, _ = found[number]
        if marks and digest_of("mark", mark.body) != marks[-1][0].before:
            break
        marks.append(found[number])
        number -= 1
    return marks
