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
from okey101.server.files.atomic_files import open_private, sync, sync_folder
from okey101.server.ops.logs import logger
from okey101.server.store.file import COLUMNS, Linked, ends_of
from okey101.server.store.lost import Shortfall, add_finding, findings_in, missing, unmarked
from okey101.server.store.mark import MarkFile, TableEnd, mark_path

LinkedRow: TypeAlias = tuple[str, int, int, bytes, int, str, bool, bytes]
"""A row with its link."""
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
        self._file = open_private(path)
        try:
            end, self._last = _last_frame(self._file)
            os.ftruncate(self._file, end)  # what was written in part was not acknowledged
            os.lseek(self._file, end, os.SEEK_SET)
            sync(self._file)
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
        sync(self._file)
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


# What is written beside the log after each commit: the mark, and the mirror if there is one.


# Rows lie in the order in which they came, and nothing removes the last.
_TAIL: Final = "SELECT coalesce(max(rowid), 0) FROM log"

_log = logger(__name__)


class LogCopies:
    """The mark and the mirror of one log; for its thread."""

    def __init__(self, log: Path, mirror: Path | None, when: MirrorWhen) -> None:
        self.findings: list[Shortfall] = []
        """What was known to be missing when the log was opened."""
        self._path = log
        self._mirror_path = mirror
        self._when: MirrorWhen = when
        self._mirror: Mirror | None = None
        self._mirror_fails = False
        self._marks: MarkFile | None = None
        self._due: tuple[int, list[TableEnd]] | None = None
        """What is committed and not yet marked: nobody hears of it before."""
        self._unmirrored: tuple[int, list[Linked]] | None = None

    def open(self, conn: sqlite3.Connection) -> None:
        """Open what is not open yet.

        OkeyError ``mirror-differs`` where the mirror has rows that the log lacks, and
        ``store-unwritable``.
        """
        if self._mirror is None and self._mirror_path is not None:
            self._mirror = self._open_mirror(conn, self._mirror_path)
        if self._marks is None:
            self._marks = self._open_marks(conn)

    def close(self) -> None:
        """Let go of the files."""
        for file in (self._marks, self._mirror):
            if file is not None:
                file.close()

    def committed(self, position: int, rows: list[Linked]) -> None:
        """Mark a batch, and mirror it if that comes first; OSError where that fails."""
        self._due = position, ends_of(rows)
        self._unmirrored = position, rows
        self.catch_up()

    def left(self, position: int, end: TableEnd) -> None:
        """Mark that a table leaves the log; OSError where that fails."""
        self._due = position, [end]
        self.catch_up()

    def _open_mirror(self, conn: sqlite3.Connection, path: Path) -> Mirror:
        """The mirror, with everything the log has by now."""
        try:
            mirror = Mirror(path, self._when)
            mirror.require_same(conn, conn.execute(_TAIL).fetchone()[0])
            mirror.follow(conn)
        except OSError as error:
            message = f"{path} can't be written: {error}"
            raise OkeyError("store-unwritable", message, path=str(path)) from None
        return mirror

    def _open_marks(self, conn: sqlite3.Connection) -> MarkFile:
        """The mark, compared with the log's end; what it knows and the log lacks is kept."""
        path = mark_path(self._path)
        try:
            marks = MarkFile(path)
            (position,) = conn.execute(_TAIL).fetchone()
            found = missing(conn, marks.history, position)
            if marks.newest is None and position:
                found = unmarked(conn)
            if found is not None:
                add_finding(self._path, found)  # before the mark says that all is as it should be
            if found is not None or (marks.newest is None and position):
                marks.write(position, [])
            self.findings = findings_in(self._path)
        except OSError as error:
            message = f"{path} can't be written: {error}"
            raise OkeyError("store-unwritable", message, path=str(path)) from None
        return marks

    def catch_up(self) -> None:
        """Mark what is committed and not marked yet; OSError where that fails."""
        if self._unmirrored is not None and self._when == "before":
            if self._mirror is not None:
                self._mirror.append(*self._unmirrored)
            self._unmirrored = None
        # After the mirror: a mark that were ahead of it would have a restore from it throw deals
        # away for rows that nobody had heard of.
        if self._due is not None:
            assert self._marks is not None
            self._marks.write(*self._due)
            self._due = None

    def later(self, conn: sqlite3.Connection) -> None:
        """Mirror what was acknowledged; where that fails, with the next batch."""
        if self._mirror is None or self._unmirrored is None:
            return
        try:
            if self._mirror_fails:
                self._mirror.follow(conn)
            else:
                self._mirror.append(*self._unmirrored)
        except (OSError, sqlite3.Error) as error:
            if not self._mirror_fails:
                _log.error("mirror-failing", reason=type(error).__name__)
            self._mirror_fails = True
        else:
            if self._mirror_fails:
                _log.warning("mirror-works-again")
            self._mirror_fails = False
        self._unmirrored = None
