"""The server's folder: its files, the administrator's token, and where a running one listens."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final, Self

from okey101.errors import OkeyError
from okey101.server.files.atomic_files import create, replace

# Files of somebody else in the server's folder, as a backup has that was restored as root.

_FILES: Final = (
    *(f"log.sqlite{side}" for side in ("", "-wal", "-shm")),
    "log.mark", "log.lost", "log.erased", "heads.key", "push.key", "public-log.key", "admin.token",
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


def as_owner_of(folder: Path, paths: Iterable[Path]) -> None:
    """Give files the owner of their folder, where this process may, and nobody else any right."""
    for path in paths:
        path.chmod(0o700 if path.is_dir() else 0o600)
        if sys.platform != "win32" and os.geteuid() == 0:
            owner = folder.stat()
            os.chown(path, owner.st_uid, owner.st_gid)


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


_TOKEN_BYTES = 32
_TOKEN_LENGTHS = range(32, 257)
_OTHERS = 0o077
"""What nobody but the owner may do with the token, as ssh has it for keys."""


def default_folder(environ: Mapping[str, str]) -> Path:
    """Where the server keeps its files unless told otherwise: the user's data folder."""
    base = environ.get("XDG_DATA_HOME", "")
    root = Path(base) if base and Path(base).is_absolute() else Path.home() / ".local" / "share"
    return root / "okey101"


@dataclass(frozen=True, slots=True)
class Running:
    """What ``server.json`` says: an address on this machine, the process, the version."""

    url: str
    pid: int
    version: str


@dataclass(frozen=True, slots=True, repr=False)
class Keys:
    """What only the server knows, each of 32 bytes."""

    server: bytes
    """What ids and marks of browsers are made with."""
    heads: bytes
    """What seals the rows that clients show when they come back."""
    push: bytes
    """What push services know the server by."""
    log: tuple[str, bytes]
    """The name of the public log, and the key that signs its heads."""

    @property
    def devices(self) -> bytes:
        """What marks the browsers that an account knows."""
        return sha256(b"device " + self.server).digest()

    def written(self) -> dict[str, str]:
        """As text, by name."""
        name, key = self.log
        return {
            "server": self.server.hex(), "heads": self.heads.hex(), "push": self.push.hex(),
            "log": f"{name} {key.hex()}",
        }  # fmt: skip

    @classmethod
    def read(cls, texts: Mapping[str, str]) -> Self:
        """What :meth:`written` wrote."""
        name, _, key = texts["log"].rpartition(" ")
        return cls(
            bytes.fromhex(texts["server"]),
            bytes.fromhex(texts["heads"]),
            bytes.fromhex(texts["push"]),
            (name, bytes.fromhex(key)),
        )


@dataclass(frozen=True, slots=True)
class Folder:
    """The paths in a server's folder."""

    path: Path

    @property
    def log(self) -> Path:
        """The log of all tables, and beside it people and finished matches."""
        return self.path / "log.sqlite"

    @property
    def token_file(self) -> Path:
        """The administrator's token."""
        return self.path / "admin.token"

    @property
    def server_file(self) -> Path:
        """Where the running server listens."""
        return self.path / "server.json"

    def admin_token(self) -> str:
        """The token of the administrator, made on first use; for the owner of the folder alone.

        OkeyError ``bad-admin-token`` for a file that holds none, ``open-admin-token`` for one that
        others may read, ``store-unwritable`` where it can't be read or made.
        """
        try:
            if not self.token_file.exists():
                create(self.token_file, f"{secrets.token_urlsafe(_TOKEN_BYTES)}\n".encode())
            mode = self.token_file.stat().st_mode
            token = self.token_file.read_text(encoding="ascii").strip()
        except OSError as error:
            raise _unwritable(self.token_file, error) from None
        except ValueError:
            token, mode = "", 0
        if os.name == "posix" and mode & _OTHERS:
            message = f"others may read {self.token_file}; delete it and start again"
            raise OkeyError("open-admin-token", message, path=str(self.token_file))
        if len(token) not in _TOKEN_LENGTHS or not token.isprintable() or " " in token:
            message = f"{self.token_file} holds no token; delete it and start again"
            raise OkeyError("bad-admin-token", message, path=str(self.token_file))
        return token

    def keys(self) -> Keys:
        """The server's keys, new ones where there are none: what is used is to be kept.

        OkeyError as :meth:`admin_token`, ``store-unwritable`` where one can't be read.
        """
        return Keys(
            server=sha256(self.admin_token().encode()).digest(),
            heads=self._key("heads.key")[1],
            push=self._key("push.key")[1],
            log=self._key("public-log.key", f"okey101/{secrets.token_hex(8)} "),
        )

    def _key(self, name: str, words: str = "") -> tuple[str, bytes]:
        """What stands before a key in its file, and the key of 32 bytes."""
        path = self.path / name
        new = f"{words}{secrets.token_hex(_TOKEN_BYTES)}"
        try:
            text = path.read_text(encoding="ascii") if path.exists() else new
            before, _, key = text.strip().rpartition(" ")
            found = bytes.fromhex(key)
        except OSError as error:
            raise _unwritable(path, error) from None
        except ValueError:
            before, found = "", b""
        if len(found) != _TOKEN_BYTES or bool(before) != bool(words):
            raise _unwritable(path, ValueError("it holds no key; delete it and start again"))
        return before, found

    def keep(self, keys: Keys) -> None:
        """Write keys that have no file yet; OkeyError ``store-unwritable`` where that fails."""
        texts = keys.written()
        for name, of in (("heads.key", "heads"), ("push.key", "push"), ("public-log.key", "log")):
            path = self.path / name
            try:
                if not path.exists():
                    create(path, f"{texts[of]}\n".encode())
            except OSError as error:
                raise _unwritable(path, error) from None

    def announce(self, running: Running) -> None:
        """Write ``server.json``; OkeyError ``store-unwritable`` where that fails."""
        try:
            replace(self.server_file, json.dumps(asdict(running)).encode() + b"\n")
        except OSError as error:
            raise _unwritable(self.server_file, error) from None

    def running(self) -> Running | None:
        """Who announced itself here; None for nobody, or for a process that has ended.

        PermissionError where the folder is somebody else's: one may run there.
        """
        try:
            data = json.loads(self.server_file.read_text(encoding="utf-8"))
            found = Running(str(data["url"]), int(data["pid"]), str(data["version"]))
        except PermissionError:
            raise
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return found if _alive(found.pid) else None

    def retract(self) -> None:
        """Remove ``server.json`` if it is this process's."""
        found = self.running()
        if found is not None and found.pid == os.getpid():
            self.server_file.unlink(missing_ok=True)


def require_folder(path: Path) -> Callable[[], None]:
    """Have a folder that this process can write to, made for its user alone where there was none.

    Returns what removes the folders that were made, as far as they are empty. OSError where that
    fails; then nothing is left behind.
    """
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    made: list[Path] = []

    def remove() -> None:
        with contextlib.suppress(OSError):
            for folder in reversed(made):
                folder.rmdir()

    try:
        for folder in reversed(missing):
            with contextlib.suppress(FileExistsError):  # somebody else has made it meanwhile
                folder.mkdir(mode=0o700 if folder == path else 0o777)
                made.append(folder)
        path.mkdir(exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError:
        remove()
        raise
    return remove


def open_folder(path: Path) -> Folder:
    """The folder, made for its owner alone if it is missing.

    OkeyError ``foreign-owner`` where it, or a file in it, is another user's, and
    ``store-unwritable`` where no file can be made in it.
    """
    require_own(path)
    try:
        require_folder(path)
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None
    return Folder(path)


def _unwritable(path: Path, error: Exception) -> OkeyError:
    reason = getattr(error, "strerror", None) or type(error).__name__
    message = f"nothing can be kept in {path}: {reason}"
    return OkeyError("store-unwritable", message, path=str(path), reason=reason)


def _alive(pid: int) -> bool:
    if pid <= 0:
        return False
    if os.name == "nt":  # there, signal 0 would end the process
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass
    return True
