"""Files that are whole or absent: written under another name, forced to the disk, then renamed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

from okey101.errors import OkeyError

__all__ = ["CHECK_MARK", "publish", "require_room", "sync_folder", "temporary"]

CHECK_MARK: Final = ".check-"
"""Part of the names of copies that are made only to be checked."""

_SPARE_BYTES: Final = 64 * 2**20


def require_room(target: Path, size: int) -> None:
    """Refuse a copy of so many bytes that would leave too little room on the disk.

    OkeyError ``store-no-space``; OSError where there is no such folder. A full disk would stop the
    server itself.
    """
    if shutil.disk_usage(target.parent).free < size + size // 8 + _SPARE_BYTES:
        message = f"{target} would leave too little room on the disk"
        raise OkeyError("store-no-space", message, path=str(target))


def publish(part: Path, path: Path) -> None:
    """Force a finished copy to the disk and give it its name.

    FileExistsError where the name is taken by now.
    """
    _sync(part)
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


def temporary(path: Path, mark: str = CHECK_MARK) -> Path:
    """A new name beside a file."""
    return path.with_name(f"{path.name}{mark}{os.urandom(6).hex()}")


def _sync(path: Path) -> None:
    """Force a file to the disk."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
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
