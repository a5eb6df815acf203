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
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple

from okey101.server.files.atomic_files import open_private, sync, sync_folder, take
from okey101.server.store.base import LINK_BYTES

_SIZE: Final = 512 * 1024
_SLOT: Final = 64
_MAGIC: Final = b"okm1"
_FRONT: Final = struct.Struct(">4sIQQB16s")
"""Magic, length with the digest, number, position, whether all ends are in it, digest before."""
_END: Final = struct.Struct(">HQ")
_DIGEST: Final = 16
_MOST: Final = 64 * 1024
"""A batch of more bytes is marked without the ends of its tables."""


class TableEnd(NamedTuple):
    """The last row that a batch wrote for a table, with its link of the chain."""

    table: str
    seq: int
    link: bytes


class Mark(NamedTuple):
    """One batch: its number, and the place of its last row in the log.

    ``ends`` is None where they were too many to be kept.
    """

    number: int
    position: int
    ends: tuple[TableEnd, ...] | None
    before: bytes
    digest: bytes

    def of_tables(self) -> Mark:
        """The mark without what is beside the tables."""
        return self._replace(ends=self.ends and tuple(end for end in self.ends if end.table))


class MarkFile:
    """The ring of marks in a file of fixed size; for one thread."""

    def __init__(self, path: Path) -> None:
        """Open the file, made where there is none, and take it for this process.

        OSError where that fails, BlockingIOError where another process has it.
        """
        self.path = path
        self._file = _opened(path)
        found = {mark.number: (mark, at) for mark, at in _marks_in(path.read_bytes())}
        self.history = _without_gap({number: mark for number, (mark, _) in found.items()})
        """The marks that were there when the file was opened, the newest first."""
        self._newest: Mark | None = None
        self._at = 0
        if self.history:
            self._newest = self.history[0]
            self._at = _after(found[self._newest.number][1], self._newest)

    @property
    def newest(self) -> Mark | None:
        """The last mark; None for a file that never had one."""
        return self._newest

    def write(self, position: int, ends: Iterable[TableEnd]) -> None:
        """Mark a batch whose last row is at ``position``; it is on the disk when this returns.

        OSError where that isn't certain.
        """
        last = self._newest
        number, before = (1, bytes(_DIGEST)) if last is None else (last.number + 1, last.digest)
        mark, data = _encoded(number, position, tuple(ends), before)
        size = len(data) + -len(data) % _SLOT
        at = self._at if self._at + size <= _SIZE else 0
        _write_through(self._file, data, at)
        self._at = at + size
        self._newest = mark

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)


def marks_in(path: Path) -> list[Mark]:
    """The marks of a file that may be in use, the newest first; none where there is no file."""
    try:
        found = {mark.number: mark for mark, _ in _marks_in(path.read_bytes())}
    except FileNotFoundError:
        return []
    return _without_gap(found)


def _without_gap(found: Mapping[int, Mark]) -> list[Mark]:
    """The newest marks, newest first, as long as each follows the one before."""
    marks: list[Mark] = []
    number = max(found, default=0)
    while (mark := found.get(number)) is not None:
        if marks and mark.digest != marks[-1].before:
            break
        marks.append(mark)
        number -= 1
    return marks


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


def _encoded(
    number: int, position: int, ends: tuple[TableEnd, ...], before: bytes
) -> tuple[Mark, bytes]:
    kept: tuple[TableEnd, ...] | None = ends
    parts: list[bytes] = []
    for end in ends:
        name = end.table.encode()
        parts += (_END.pack(len(name) & 0xFFFF, end.seq), name, end.link)
    body = b"".join(parts)
    if len(body) > _MOST or any(len(end.table) > 255 for end in ends):
        kept, body = None, b""
    length = _FRONT.size + len(body) + _DIGEST
    data = _FRONT.pack(_MAGIC, length, number, position, kept is not None, before) + body
    digest = _digest(data)
    return Mark(number, position, kept, before, digest), data + digest


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=_DIGEST, person=b"okey101 mark").digest()


def _after(at: int, mark: Mark) -> int:
    """Where the next mark belongs."""
    _, data = _encoded(mark.number, mark.position, mark.ends or (), mark.before)
    return at + len(data) + -len(data) % _SLOT


def _marks_in(data: bytes) -> Iterable[tuple[Mark, int]]:
    """Every whole mark, with its place."""
    at = data.find(_MAGIC)
    while at >= 0:
        mark = _decoded(data, at) if at % _SLOT == 0 else None
        if mark is not None:
            yield mark, at
        at = data.find(_MAGIC, at + 1)


def _decoded(data: bytes, at: int) -> Mark | None:
    """The mark at a place; None for one that was written in part, or written over."""
    if at + _FRONT.size > len(data):
        return None
    _, length, number, position, whole, before = _FRONT.unpack_from(data, at)
    end = at + length - _DIGEST
    if length < _FRONT.size + _DIGEST or end + _DIGEST > len(data):
        return None
    digest = data[end : end + _DIGEST]
    if _digest(data[at:end]) != digest:
        return None
    ends: list[TableEnd] = []
    place = at + _FRONT.size
    while place < end:
        size, seq = _END.unpack_from(data, place)
        place += _END.size
        name = data[place : place + size].decode()
        place += size
        ends.append(TableEnd(name, seq, data[place : place + LINK_BYTES]))
        place += LINK_BYTES
    return Mark(number, position, tuple(ends) if whole else None, before, digest)
