"""Files that only their owner reads, whole or absent, and forced to the disk: made here alone."""

from __future__ import annotations

import contextlib
import glob
import os
import shutil
import sys
from pathlib import Path
from typing import Final

from okey101.errors import OkeyError

_CHECK: Final = ".check-"
"""Part of the names of copies that are made only to be checked."""
PART: Final = ".part-"
"""Part of the names of files that are not whole yet."""

_SPARE_BYTES: Final = 64 * 2**20


def require_room(target: Path, size: int) -> None:
    """Refuse a copy of so many bytes that would leave too little room on the disk.

    OkeyError ``store-no-space``; OSError where there is no such folder. A full disk would stop the
    server itself.
    """
    if shutil.disk_usage(target.parent).free < size + size // 8 + _SPARE_BYTES:
        message = f"{target} would leave too little room on the disk"
        raise OkeyError("store-no-space", message, path=str(target))


def open_private(path: Path, flags: int = 0) -> int:
    """A descriptor to read and write by, of a file that is made for its owner alone if missing."""
    flags |= os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    return os.open(path, flags, 0o600)


def take(file: int) -> None:
    """Keep other processes from taking an open file too; BlockingIOError where one has it."""
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def make_private(path: Path, data: bytes = b"") -> None:
    """Make a file that only its owner reads; FileExistsError where there is one."""
    with open(open_private(path, os.O_EXCL), "wb") as file:
        file.write(data)


def ensure_private(path: Path) -> None:
    """Make an empty file that only its owner reads where there is none, its name on the disk.

    An existing file is left closed: closing it here would drop the locks that another connection
    of this process has on it.
    """
    with contextlib.suppress(FileExistsError):
        make_private(path)
        sync_folder(path.parent)


def contents(path: Path) -> bytes:
    """What a file holds; nothing for none. OSError."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def create(path: Path, data: bytes) -> None:
    """Make a whole file, or leave the one that somebody else made at the same time; OSError."""
    part = temporary(path, PART)
    try:
        make_private(part, data)
        with contextlib.suppress(FileExistsError):
            publish(part, path)
    finally:
        part.unlink(missing_ok=True)


def replace(path: Path, data: bytes) -> None:
    """Put a whole file, forced to the disk, in the place of what is there, if anything; OSError."""
    part = temporary(path, PART)
    try:
        make_private(part, data)
        _sync_file(part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def append(path: Path, data: bytes) -> None:
    """Add to a private file, made where there is none, forced to the disk; OSError."""
    file = open_private(path, os.O_APPEND)
    try:
        left = memoryview(data)
        while left:  # a disk may take a part
            left = left[os.write(file, left) :]
        sync(file)
    finally:
        os.close(file)
    sync_folder(path.parent)


def publish(part: Path, path: Path) -> None:
    """Force a finished copy to the disk and give it its name.

    FileExistsError where the name is taken by now.
    """
    _sync_file(part)
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:
        # Some disks have no hard links; there the check and the renaming are two steps.
        if path.exists():
            raise FileExistsError(path) from None
        part.rename(path)
    else:
        part.unlink()
    sync_folder(path.parent)


def temporary(path: Path, mark: str = _CHECK) -> Path:
    """A new name beside a file."""
    return path.with_name(f"{path.name}{mark}{os.urandom(6).hex()}")


def remove_temporary(path: Path, mark: str = _CHECK) -> None:
    """Remove what killed programs left under such names."""
    for leftover in path.parent.glob(f"{glob.escape(path.name)}{mark}*"):
        with contextlib.suppress(OSError):
            leftover.unlink()


def sync(file: int) -> None:
    """Force an open file to the disk."""
    if sys.platform == "darwin":
        import fcntl

        fcntl.fcntl(file, fcntl.F_FULLFSYNC)  # fsync alone stops at the drive's cache
    else:
        os.fsync(file)


def _sync_file(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR)
    try:
        sync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Force a folder's names to the disk, where the system can open a folder."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
