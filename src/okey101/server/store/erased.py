"""Who was erased, by hashes of random ids, beside the file and in each backup of it.

A backup from before an erasure has the person still; the next start erases again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from string import hexdigits

from okey101.server.files.atomic_files import append, contents, replace


def erased_path(log: Path) -> Path:
    """Where the hashes are kept of those who were erased from a file."""
    return log.with_suffix(".erased")


def erasure_of(user: str) -> str:
    """What is kept of an erased id."""
    return sha256(b"okey101 erased" + user.encode()).hexdigest()


def _checked(one: str) -> str:
    """A line of the list: a hash, and what tells whether it is whole."""
    return one + sha256(one.encode()).hexdigest()[:8]


def _lines(log: Path) -> list[str]:
    text = contents(erased_path(log)).decode("ascii", "replace")
    # By their ends alone: a disk that makes a space of a digit has torn no line.
    return [line for line in text.split("\n") if line]


def erased_in(log: Path) -> set[str]:
    """The hashes beside a file; none where nobody was erased. OSError."""
    return {line[:-8] for line in _lines(log) if line == _checked(line[:-8])}


def mend_erased(log: Path, tell: Callable[[], None]) -> None:
    """Leave out what a disk has made of lines, once that is told; OSError.

    A line that a power cut tore is shorter, and nobody was told that it is there.
    """
    lines, found = _lines(log), erased_in(log)
    whole = len(_checked(erasure_of("")))
    if any(
        line[:-8] not in found and (len(line) >= whole or not {*line} <= {*hexdigits})
        for line in lines
    ):
        tell()
        replace(erased_path(log), "".join(f"{_checked(one)}\n" for one in sorted(found)).encode())


def note_erased(log: Path, hashes: Iterable[str]) -> set[str]:
    """Keep hashes that are not there yet, forced to the disk; all that are there then. OSError."""
    there = erased_in(log)
    new = {*hashes} - there
    if new:  # on lines of their own, whatever a power cut left of the last one
        lines = "".join(f"\n{_checked(one)}" for one in sorted(new))
        append(erased_path(log), f"{lines}\n".encode())
    return there | new
