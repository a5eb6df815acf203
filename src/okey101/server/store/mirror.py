"""A second copy of the log on another disk: a file to which every batch is appended, and forced.

The file holds frames, each with the rows of a batch and a digest: one written in part shows. Its
length stands at a frame's end as well: the last frame is found without reading the others.
"""

from __future__ import annotations

import os
import sqlite3
import struct
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from okey101.errors import OkeyError
from okey101.server.atomic_files import sync_folder
from okey101.server.store.file import COLUMNS

__all__ = ["Frame", "LinkedRow", "Mirror", "MirrorWhen", "frames_in"]

LinkedRow: TypeAlias = tuple[str, int, int, bytes, int, str, bool, bytes | None]
"""A row with its link, which rows from before there were links lack."""
MirrorWhen: TypeAlias = Literal["before", "after"]
"""Whether a batch is mirrored before it is acknowledged, or after it."""

_Read: TypeAlias = Callable[[int], bytes]

_MAGIC: Final = b"okr1"
_FRONT: Final = struct.Struct(">4sIQ?")
"""Magic, length of the rows, place of the last row in the log, mirrored before acknowledgement."""
_DIGEST: Final = 16
_BACK: Final = struct.Struct(f">{_DIGEST}sI")
"""Digest, and length of the whole frame."""
_AT_ONCE: Final = 500
_AFTER: Final = f"SELECT rowid, {COLUMNS} FROM log WHERE rowid > ? ORDER BY rowid LIMIT {_AT_ONCE}"
_AT: Final = "SELECT table_id, seq, chain FROM log WHERE rowid = ?"

_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(list[LinkedRow]).decode


class Frame(NamedTuple):
    """Rows that follow each other; ``position`` is the place of the last one in the log."""

    position: int
    first: bool
    """Whether it was mirrored before it was acknowledged."""
    rows: Sequence[LinkedRow]


class Mirror:
    """The mirror of one log; for one thread."""

    def __init__(self, path: Path, when: MirrorWhen) -> None:
        """Open the file, made where there is none; OSError where that fails."""
        self.path = path
        self.when = when
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        self._file = os.open(path, flags, 0o600)
        try:
            end, self._last = _last_frame(self._file)
            os.ftruncate(self._file, end)  # what was written in part was not acknowledged
            os.lseek(self._file, end, os.SEEK_SET)
            os.fsync(self._file)
            sync_folder(path.parent)
        except BaseException:
            os.close(self._file)
            raise
        self._end = end
        self.position = 0 if self._last is None else self._last.position
        """The place of the last row that is mirrored."""

    def require_same(self, conn: sqlite3.Connection, end: int) -> None:
        """OkeyError ``mirror-differs`` where the log, with its last row at ``end``, isn't ours.

        It lacks rows, then, or another log stands in its place.
        """
        if self._last is None:
            return
        table, seq, *_, link = self._last.rows[-1]
        same = self.position <= end and conn.execute(_AT, (self.position,)).fetchone()
        if not same or same != (table, seq, link):
            message = (
                f"the mirror {self.path} has rows that the log lacks; "
                "bring them back with okey101 admin restore, or give another path"
            )
            raise OkeyError("mirror-differs", message, path=str(self.path))

    def append(self, position: int, rows: Sequence[LinkedRow]) -> None:
        """Add a batch; it is on the disk when this returns. OSError where that isn't certain."""
        body = _encode(rows)
        data = _FRONT.pack(_MAGIC, len(body), position, self.when == "before") + body
        whole = data + _BACK.pack(_digest(data), len(data) + _BACK.size)
        os.lseek(self._file, self._end, os.SEEK_SET)
        if os.write(self._file, whole) != len(whole):
            raise OSError("the mirror was written in part")
        os.fsync(self._file)
        self._end += len(whole)
        self.position = position

    def follow(self, conn: sqlite3.Connection) -> None:
        """Add all rows of the log that are not mirrored yet; OSError and sqlite3.Error."""
        while found := conn.execute(_AFTER, (self.position,)).fetchall():
            # Rows that have left the log leave gaps, and a frame has rows without any.
            run: list[LinkedRow] = []
            for row, after in zip(found, (*found[1:], (None,)), strict=True):
                run.append((*row[1:7], bool(row[7]), row[8]))
                if after[0] != row[0] + 1:
                    self.append(row[0], run)
                    run = []

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)


def frames_in(path: Path) -> Iterator[Frame]:
    """Every whole frame, up to one that was written in part. OSError where it can't be read."""
    with path.open("rb") as file:
        while (frame := _read(file.read)) is not None:
            yield frame


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=_DIGEST, person=b"okey101 mirror").digest()


def _read(read: _Read) -> Frame | None:
    front = read(_FRONT.size)
    if len(front) < _FRONT.size:
        return None
    magic, length, position, first = _FRONT.unpack(front)
    if magic != _MAGIC:
        return None
    body, back = read(length), read(_BACK.size)
    if len(back) < _BACK.size or _BACK.unpack(back)[0] != _digest(front + body):
        return None
    return Frame(position, first, _decode(body))


def _last_frame(file: int) -> tuple[int, Frame | None]:
    """Where the last whole frame ends, and the frame."""
    size = os.fstat(file).st_size
    if size >= _BACK.size:
        os.lseek(file, size - _BACK.size, os.SEEK_SET)
        length = _BACK.unpack(os.read(file, _BACK.size))[1]
        if _FRONT.size + _BACK.size <= length <= size:
            os.lseek(file, size - length, os.SEEK_SET)
            frame = _read(lambda count: _all_of(file, count))
            if frame is not None and os.lseek(file, 0, os.SEEK_CUR) == size:
                return size, frame
    # The last one was written in part: only from the beginning is it known where it begins.
    os.lseek(file, 0, os.SEEK_SET)
    end, last = 0, None
    while (frame := _read(lambda count: _all_of(file, count))) is not None:
        end, last = os.lseek(file, 0, os.SEEK_CUR), frame
    return end, last


def _all_of(file: int, count: int) -> bytes:
    parts: list[bytes] = []
    while count and (part := os.read(file, count)):
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
