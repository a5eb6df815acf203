"""Who was erased, by hashes of random ids, beside the file and in each backup of it.

A backup from before an erasure has the person still; whoever puts it back erases again.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from okey101.server.files.atomic_files import append


def erased_path(log: Path) -> Path:
    """Where the hashes are kept of those who were erased from a file."""
    return log.with_suffix(".erased")


def erasure_of(user: str) -> str:
    """What is kept of an erased id."""
    return sha256(b"okey101 erased" + user.encode()).hexdigest()


def erased_in(log: Path) -> set[str]:
    """The hashes beside a file; none where nobody was erased. OSError."""
    try:
        return {*erased_path(log).read_text("ascii", "replace").split()}
    except FileNotFoundError:
        return set()


def note_erased(log: Path, hashes: Iterable[str]) -> None:
    """Keep hashes that are not there yet, forced to the disk; OSError."""
    new = {*hashes} - erased_in(log)
    lines = "".join(f"\n{one}" for one in sorted(new))  # whatever a power cut left of the last one
    if lines:
        append(erased_path(log), f"{lines}\n".encode())
