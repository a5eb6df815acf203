"""The file from which an arena goes on: a line of JSON for each chunk, appended and never changed.

The first line says what is played. Each line ends in a check, which is made from it and from the
check before it; so a damaged line, a missing one and one from elsewhere are all found. What a
crash left of the last line is cut off.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, Final

from okey101.errors import OkeyError
from okey101.server.files.atomic_files import take
from okey101.sim.arena.chunks import ArenaPlan, Chunk

FORMAT: Final = "okey101-arena/1"


class Ledger:
    """An open file of chunks; nobody else can have it open."""

    def __init__(self, path: Path, identity: Mapping[str, object], plan: ArenaPlan) -> None:
        """Open it, or begin it where there is none.

        OkeyError ``arena-file-other`` where something else is played in it, ``arena-file-damaged``,
        ``arena-file-busy`` where another process has it open; OSError.
        """
        self.path = path
        self.chunks: list[Chunk] = []
        """What is in it."""
        self._check = ""
        self._file = path.open("a+b")
        try:
            _lock(self._file, path)
            self._read(identity, plan)
        except BaseException:
            self._file.close()
            raise

    def _read(self, identity: Mapping[str, object], plan: ArenaPlan) -> None:
        self._file.seek(0)
        good = 0
        begun = b'{"format":"%s"' % FORMAT.encode()
        head = self._file.read(len(begun))
        if not begun.startswith(head):
            raise self._damaged(1)  # somebody else's file is not cut off, nor read to its end
        lines = (head + self._file.read()).split(b"\n")
        # What follows the last line feed is empty, or what a crash left of a line.
        for number, line in enumerate(lines[:-1], 1):
            data = self._checked(line, number)
            if number == 1:
                self._compare(data, identity)
            else:
                self._add(data, plan, number)
            good += len(line) + 1
        self._file.truncate(good)
        if not good:
            self._write({"format": FORMAT, "job": dict(identity)})

    def _checked(self, line: bytes, number: int) -> dict[str, object]:
        body, mark, check = line.rpartition(b' "check": "')
        found = hashlib.sha256(self._check.encode() + body).hexdigest()[:32]
        if not mark or check != f'{found}"}}'.encode():
            raise self._damaged(number)
        try:
            data = json.loads(line)
        except ValueError:
            raise self._damaged(number) from None
        self._check = found
        return data if isinstance(data, dict) else {}

    def _compare(self, data: Mapping[str, object], identity: Mapping[str, object]) -> None:
        job = data.get("job")
        if data.get("format") != FORMAT or not isinstance(job, dict):
            raise self._damaged(1)
        plain = json.loads(json.dumps(dict(identity)))
        differ = sorted(
            name for name in plain.keys() | job.keys() if plain.get(name) != job.get(name)
        )
        if differ:
            message = f"{self.path} is of another arena: {', '.join(differ)}"
            raise OkeyError(
                "arena-file-other", message, file=str(self.path), what=", ".join(differ)
            )

    def _add(self, data: Mapping[str, object], plan: ArenaPlan, number: int) -> None:
        try:
            chunk = Chunk.from_dict(data, plan)
        except ValueError:
            raise self._damaged(number) from None
        end = chunk.first + chunk.deals
        if any(c.first < end and chunk.first < c.first + c.deals for c in self.chunks):
            raise self._damaged(number)
        self.chunks.append(chunk)

    def _damaged(self, line: int) -> OkeyError:
        message = f"line {line} of {self.path} is damaged"
        return OkeyError("arena-file-damaged", message, file=str(self.path), line=line)

    def append(self, chunk: Chunk) -> None:
        """Write a chunk, and be sure that it is on the disk; OSError."""
        self._write(chunk.to_dict())
        self.chunks.append(chunk)

    def _write(self, data: Mapping[str, object]) -> None:
        body = json.dumps(data, separators=(",", ":")).encode()[:-1] + b","
        self._check = hashlib.sha256(self._check.encode() + body).hexdigest()[:32]
        self._file.write(body + f' "check": "{self._check}"}}\n'.encode())
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


def _lock(file: BinaryIO, path: Path) -> None:
    try:
        take(file.fileno())
    except OSError:
        message = f"another process has {path} open"
        raise OkeyError("arena-file-busy", message, file=str(path)) from None
