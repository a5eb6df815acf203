"""Files of somebody else in the server's folder, as a backup has that was restored as root."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

from okey101.errors import OkeyError

__all__ = ["require_own"]

_FILES: Final = (
    "log.sqlite", "log.sqlite-wal", "log.sqlite-shm", "accounts.sqlite", "accounts.sqlite-wal",
    "accounts.sqlite-shm", "log.mark", "log.lost", "heads.key", "admin.token", "admin-trail.jsonl",
)  # fmt: skip


def require_own(folder: Path) -> None:
    """Refuse a folder that is somebody else's, or that holds such a file, and that we can't use.

    OkeyError ``foreign-owner`` with the owner and with the user that this process runs as; a folder
    or file that isn't there is none of our business. Systems without owners are left alone.
    """
    if sys.platform == "win32":
        return
    user = os.geteuid()
    for path in (folder, *(folder / name for name in _FILES)):
        try:
            owner = path.stat().st_uid
        except OSError:
            continue
        if owner == user or _usable(path):
            continue
        whose, who = _name(owner), _name(user)
        message = (
            f"{path} belongs to {whose}, and this process runs as {who}; "
            f"after a restore hand the folder over: chown -R {who} {folder}"
        )
        raise OkeyError(
            "foreign-owner", message, path=str(path), owner=whose, user=who, folder=str(folder)
        )


def _usable(path: Path) -> bool:
    """Whether this process may read and write a file, or use a folder."""
    wanted = os.R_OK | os.W_OK | (os.X_OK if path.is_dir() else 0)
    return os.access(path, wanted)


def _name(number: int) -> str:
    """A user's name, or the number where nobody has it."""
    import pwd

    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)
