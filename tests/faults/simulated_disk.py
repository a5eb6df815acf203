"""A disk that loses what was not synced, tears, refuses, hangs and lies, below the real store.

SQLite's own VFS for Unix does the work, in a folder of this machine; one of ours above it, in the
very library that ``sqlite3`` uses, sees every write, sync and name. The same is seen of the mark
and of all other files by way of ``os``. So the code that is tried is the code that serves, with the
locks, the file sizes and the order of calls that it has there. What lies on the disk is kept beside
that: a power cut leaves what was synced, and any part of what was not.
"""

import contextlib
import ctypes
import errno
import os
import random
import sqlite3
import stat
from collections import Counter
from collections.abc import Callable, Generator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, Protocol
from unittest import mock

_SECTOR: Final = 512
_OK, _IOERR, _FULL = 0, 10, 13
_IOERR_WRITE, _IOERR_FSYNC, _IOERR_TRUNCATE, _IOERR_DELETE, _CANTOPEN = 778, 1034, 1546, 2570, 14
_OPEN_CREATE, _OPEN_MAIN = 0x4, 0x100
_SEED_RANDOM: Final = 28
"""SQLite's test control that seeds what it draws at random."""


class Killed(BaseException):
    """The simulated process has ended: nothing that it still does has any effect."""


class Sleeper(Protocol):
    """Whoever lets time go by for the thread that calls."""

    def __call__(self, seconds: float) -> None:
        """Let some seconds go by."""


class _File:
    """What was synced of a file, and what was written since, in order; None cuts it to a size."""

    def __init__(self) -> None:
        self.synced = bytearray()
        self.written: list[tuple[int, bytes | None]] = []
        self.lied = False
        """Whether it was said since that all is on the disk, and was not so."""

    def settle(self) -> None:
        self.lied = False
        for at, data in self.written:
            _put(self.synced, at, data)
        self.written.clear()

    def after_a_cut(self, rng: random.Random) -> bytes:
        """What is found after a power cut: any sectors of what was written, or none."""
        left, share = bytearray(self.synced), rng.choice((0.0, 0.5, 0.9, 1.0))
        for at, data in self.written:
            if data is None:
                if rng.random() < share:
                    _put(left, at, None)
                continue
            start = at
            while start < at + len(data):
                end = min(start - start % _SECTOR + _SECTOR, at + len(data))
                if rng.random() < share:
                    torn = rng.randint(0, end - start) if rng.random() < 0.1 else end - start
                    _put(left, start, data[start - at : start - at + torn])
                start = end
        return bytes(left)


def _put(content: bytearray, at: int, data: bytes | None) -> None:
    if data is None:
        del content[at:]
        return
    if len(content) < at:
        content.extend(bytes(at - len(content)))
    content[at : at + len(data)] = data


class Disk:
    """One folder on a disk; what happens to it follows from the generator and from ``faults``."""

    def __init__(self, root: Path, rng: random.Random, sleep: Sleeper) -> None:
        self.root = root
        self.random = rng
        self.dead = False
        """Whether the process that uses it has ended."""
        self.kill_at: int | None = None
        """The step at which the process ends."""
        self.steps = 0
        self.faults: dict[str, float] = {}
        """How likely a step meets ``error``, ``full``, ``short``, ``slow`` or ``lie``."""
        self.met: Counter[str] = Counter()
        self.forgot: set[str] = set()
        """The names of files about which it had lied before a power cut took what they had."""
        self._sleep = sleep
        self._names: dict[str, _File] = {}
        self._kept: dict[str, _File] = {}
        """The names that are on the disk."""
        self._names_lied = False
        self._renamed: list[dict[str, _File | None]] = []
        """How names have changed since, one step each."""
        self._open: dict[int, tuple[str, int, int]] = {}
        """By descriptor: the path, the flags, and the number of the file."""
        self._inside = f"{root}{os.sep}"

    # What a process does ----------------------------------------------------------------------

    def step(self, what: str) -> str:
        """Come to the next step of the process; which fault it meets, if any.

        ``killed`` where the process ends with this step, ``dead`` where it has ended.
        """
        if self.over():
            return "dead"
        self.steps += 1
        if self.kill_at is not None and self.steps >= self.kill_at:
            self.dead = True
            return "killed"
        for fault, chance in self.faults.items():
            if what in _MEETS[fault] and self.random.random() < chance:
                self.met[fault] += 1
                if fault != "slow":
                    return fault
                with contextlib.suppress(Killed):
                    self._sleep(self.random.choice((0.2, 2.0, 8.0)))
                if self.over():
                    return "dead"
        return ""

    def over(self) -> bool:
        return self.dead

    def has(self, path: object) -> bool:
        return isinstance(path, str | os.PathLike) and os.fspath(path).startswith(self._inside)

    def file(self, path: str) -> _File:
        """The file of a name, one that came without our seeing it as all unsynced."""
        found = self._names.get(path)
        if found is None:
            found = _File()
            with contextlib.suppress(FileNotFoundError), _REAL["io.open"](path, "rb") as there:
                if content := there.read():
                    found.written.append((0, content))
            self.name({path: found})
        return found

    def name(self, change: Mapping[str, _File | None]) -> None:
        self._renamed.append(dict(change))
        _rename(self._names, change)

    def sync_names(self) -> None:
        """Have all names on the disk."""
        self._kept = dict(self._names)
        self._names_lied = False
        self._renamed.clear()

    def refuse_sync(self, file: _File) -> None:
        """A sync fails: the system forgets that some of what was written is not on the disk."""
        file.written = [one for one in file.written if self.random.random() < 0.5]

    # What happens to it -----------------------------------------------------------------------

    def revive(self) -> None:
        """Be used by the next process."""
        self.dead = False
        self.steps, self.kill_at = 0, None
        for fd, (_, _, number) in self._open.items():  # which the system closes with the process
            with contextlib.suppress(OSError):
                if os.fstat(fd).st_ino == number:
                    _REAL["os.close"](fd)
        self._open.clear()

    def cut(self) -> None:
        """The power goes: what was not synced is there in part, or not at all."""
        rng = self.random
        self.forgot |= {path for path, file in self._names.items() if file.lied}
        if self._names_lied:
            self.forgot |= {path for change in self._renamed for path in change}
        for change in self._renamed[: rng.randint(0, len(self._renamed))]:
            _rename(self._kept, change)
        contents = {id(file): file.after_a_cut(rng) for file in self._kept.values()}
        for there in self.paths():
            _REAL["os.unlink"](there)
        self._names.clear()
        found: dict[int, _File] = {}
        for path, file in self._kept.items():
            content = contents[id(file)]
            _filled(path, content)
            new = found.setdefault(id(file), _File())
            new.synced = bytearray(content)
            self._names[path] = new
        self.sync_names()

    def alter(self, path: Path, change: Callable[[bytearray], None]) -> None:
        """Damage a file where it lies."""
        file = self.file(str(path))
        file.settle()
        content = bytearray(path.read_bytes())
        change(content)
        file.synced = bytearray(content)
        _filled(str(path), bytes(content))

    def paths(self) -> list[Path]:
        return sorted(path for path in self.root.rglob("*") if path.is_file())

    # By way of os -----------------------------------------------------------------------------

    def _check(self, what: str) -> str:
        fault = self.step(what)
        if fault in ("dead", "killed"):
            raise Killed
        if fault in ("error", "full"):
            raise _refusal(fault)
        return fault

    def _os_open(self, path: Any, flags: int, *args: Any, **more: Any) -> int:
        name = os.fspath(path)
        inside = self.has(path) or name == str(self.root)
        if not inside or flags & os.O_TMPFILE == os.O_TMPFILE:
            fd = int(_REAL["os.open"](path, flags, *args, **more))
            self._open.pop(fd, None)
            return fd
        self._check("open" if flags & os.O_CREAT else "look")
        new = flags & os.O_CREAT and not Path(name).exists()
        fd = int(_REAL["os.open"](path, flags, *args, **more))
        self._open[fd] = name, flags, os.fstat(fd).st_ino
        if new:
            self.name({name: _File()})
        return fd

    def _os_close(self, fd: int) -> None:
        self._open.pop(fd, None)
        _REAL["os.close"](fd)

    def _write(self, fd: int, data: bytes, at: int | None) -> int:
        known = self._open.get(fd)
        if known is None:
            real = _REAL["os.write"](fd, data) if at is None else _REAL["os.pwrite"](fd, data, at)
            return int(real)
        path, flags, _ = known
        file, at_once = self.file(path), bool(flags & os.O_DSYNC)
        fault = self.step("write")
        if fault == "dead":
            raise Killed
        if fault in ("error", "full"):
            raise _refusal(fault)
        if data and fault in ("short", "killed"):
            data = data[: self.random.randint(0, len(data) - 1)]
        where = os.fstat(fd).st_size if flags & os.O_APPEND else os.lseek(fd, 0, os.SEEK_CUR)
        where = at if at is not None else where
        real = _REAL["os.write"](fd, data) if at is None else _REAL["os.pwrite"](fd, data, at)
        file.written.append((where, bytes(data)))
        if fault == "killed":
            raise Killed
        if at_once and fault == "lie":
            file.lied = True
        elif at_once:
            file.settle()
        return int(real)

    def _os_fsync(self, fd: int) -> None:
        known = self._open.get(fd)
        if known is None:
            _REAL["os.fsync"](fd)
            return
        path, *_ = known
        folder = stat.S_ISDIR(os.fstat(fd).st_mode)
        file = None if folder else self._seen(path, fd)
        try:
            fault = self._check("sync")
        except OSError:
            if file is not None:
                self.refuse_sync(file)
            raise
        if file is None and fault == "lie":
            self._names_lied = True
        elif file is None:
            self.sync_names()
        elif fault == "lie":
            file.lied = True
        else:
            file.settle()

    def _seen(self, path: str, fd: int) -> _File:
        """The file, with what was written past us."""
        file = self.file(path)
        content = os.pread(fd, os.fstat(fd).st_size, 0)
        now = bytearray(file.synced)
        for at, data in file.written:
            _put(now, at, data)
        if bytes(now) != content:
            file.written += [(0, content), (len(content), None)]
        return file

    def _renaming(self, what: str, old: Any, new: Any, **_: object) -> None:
        if not self.has(old):
            _REAL[what](old, new)
            return
        self._check("name")
        _REAL[what](old, new)
        source, target = os.fspath(old), os.fspath(new)
        file = self.file(source)
        self.name({target: file} if what == "os.link" else {source: None, target: file})

    def _os_unlink(self, path: Any, **more: Any) -> None:
        if self.has(path):
            self._check("name")
        _REAL["os.unlink"](path, **more)
        if self.has(path):
            self.name({os.fspath(path): None})

    @contextlib.contextmanager
    def used(self) -> Generator[None]:
        """Have everything in this process that concerns the folder happen on this disk."""
        parts: dict[str, Any] = {
            "os.open": self._os_open,
            "os.close": self._os_close,
            "os.write": lambda fd, data: self._write(fd, data, None),
            "os.pwrite": self._write,
            "os.fsync": self._os_fsync,
            "os.unlink": self._os_unlink,
        } | {how: partial(self._renaming, how) for how in ("os.link", "os.rename", "os.replace")}
        with contextlib.ExitStack() as stack:
            stack.enter_context(_vfs().used_for(self))
            for name, part in parts.items():
                stack.enter_context(mock.patch(name, part))
            yield


_MEETS: Final = {
    "error": frozenset({"write", "sync", "open", "name"}),
    "full": frozenset({"write", "open"}),
    "short": frozenset({"write"}),
    "slow": frozenset({"sync"}),
    "lie": frozenset({"sync", "write"}),
}
_REAL: Final[dict[str, Any]] = {
    f"os.{name}": getattr(os, name)
    for name in (
        "open", "close", "write", "pwrite", "fsync", "link", "rename", "replace", "unlink",
    )
} | {"io.open": open}  # fmt: skip


def _filled(path: str, content: bytes) -> None:
    fd = _REAL["os.open"](path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with _REAL["io.open"](fd, "wb") as there:
        there.write(content)


def _refusal(fault: str) -> OSError:
    return OSError(errno.EIO if fault == "error" else errno.ENOSPC, "simulated")


def _rename(names: dict[str, _File], change: Mapping[str, _File | None]) -> None:
    for path, file in change.items():
        if file is None:
            names.pop(path, None)
        else:
            names[path] = file


# SQLite's side ------------------------------------------------------------------------------------

_int, _long, _void = ctypes.c_int, ctypes.c_int64, ctypes.c_void_p
_CLOSE = ctypes.CFUNCTYPE(_int, _void)
_WRITE = ctypes.CFUNCTYPE(_int, _void, _void, _int, _long)
_TRUNCATE = ctypes.CFUNCTYPE(_int, _void, _long)
_SYNC = ctypes.CFUNCTYPE(_int, _void, _int)
_OPEN = ctypes.CFUNCTYPE(_int, _void, _void, _void, _int, _void)
_DELETE = ctypes.CFUNCTYPE(_int, _void, ctypes.c_char_p, _int)


class _Methods(ctypes.Structure):
    """SQLite's ``sqlite3_io_methods``; those that are not ours stay plain addresses."""

    _fields_ = [
        ("version", _int), ("close", _CLOSE), ("read", _void), ("write", _WRITE),
        ("truncate", _TRUNCATE), ("sync", _SYNC), *[(f"other{n}", _void) for n in range(13)],
    ]  # fmt: skip


class _VfsStruct(ctypes.Structure):
    """SQLite's ``sqlite3_vfs``."""

    _fields_ = [
        ("version", _int), ("size", _int), ("longest", _int), ("next", _void),
        ("name", ctypes.c_char_p), ("data", _void), ("open", _OPEN), ("delete", _DELETE),
        *[(f"other{n}", _void) for n in range(14)],
    ]  # fmt: skip


def _library() -> ctypes.CDLL:
    """The very library that ``sqlite3`` uses."""
    import _sqlite3

    sqlite3.connect(":memory:").close()
    for name in ("libsqlite3.so.0", _sqlite3.__file__):
        with contextlib.suppress(OSError, AttributeError):
            found = ctypes.CDLL(name)
            found.sqlite3_vfs_find.restype = _void
            found.sqlite3_libversion.restype = ctypes.c_char_p
            if found.sqlite3_libversion().decode() == sqlite3.sqlite_version:
                return found
    raise OSError("sqlite3 uses a library that can't be reached")


class _Vfs:
    """The VFS above that for Unix; a file's memory is the other's, with methods of ours in it.

    There is one for the whole process, since a connection may be closed late.
    """

    def __init__(self) -> None:
        self.disk: Disk | None = None
        """The disk that files are opened on now."""
        self._library = _library()
        self._below = _VfsStruct.from_address(self._library.sqlite3_vfs_find(b"unix"))
        self._own = _VfsStruct.from_buffer_copy(self._below)
        self._own.name = b"okey101-simulated"
        self._own.open, self._own.delete = _OPEN(self._opened), _DELETE(self._deleted)
        self._files: dict[int, tuple[Disk, str, _Methods]] = {}
        """By the address of their memory: where they lie, and the other's methods."""
        self._new: set[int] = set()
        """Journals whose name may not be on the disk yet."""
        self._methods: dict[int, tuple[_Methods, _Methods]] = {}
        """Ours and the other's, by the address of the other's."""
        self._library.sqlite3_vfs_register(ctypes.byref(self._own), 1)

    @contextlib.contextmanager
    def used_for(self, disk: Disk) -> Generator[None]:
        """Have the files of a disk opened on it, and what SQLite draws follow from its seed."""
        seed = disk.random.randrange(1, 2**31)
        self._library.sqlite3_test_control(_int(_SEED_RANDOM), _int(seed), _void(None))
        self.disk = disk
        try:
            yield
        finally:
            self.disk = None

    def _opened(self, _: int, name: int | None, file: int, flags: int, out: int) -> int:
        path = "" if name is None else ctypes.string_at(name).decode()
        below = ctypes.addressof(self._below)
        disk = self.disk
        if disk is None or not disk.has(path):
            return int(self._below.open(below, name, file, flags, out))
        new = not Path(path).exists()
        if disk.step("open" if new else "look"):
            _void.from_address(file).value = None
            return _CANTOPEN
        code = int(self._below.open(below, name, file, flags, out))
        if code != _OK:
            return code
        disk.file(path)
        at = _void.from_address(file).value
        assert at is not None
        if at not in self._methods:
            theirs = _Methods.from_address(at)
            own = _Methods.from_buffer_copy(theirs)
            own.close, own.write = _CLOSE(self._closed), _WRITE(self._written)
            own.truncate, own.sync = _TRUNCATE(self._truncated), _SYNC(self._synced)
            self._methods[at] = own, theirs
        own, theirs = self._methods[at]
        self._files[file] = disk, path, theirs
        if flags & _OPEN_CREATE and not flags & _OPEN_MAIN:  # whether or not it was there
            self._new.add(file)
        _void.from_address(file).value = ctypes.addressof(own)
        return code

    def _closed(self, file: int) -> int:
        self._new.discard(file)
        _, _, theirs = self._files.pop(file)
        return int(theirs.close(file))

    def _written(self, file: int, data: int, count: int, at: int) -> int:
        disk, path, theirs = self._files[file]
        fault = disk.step("write")
        if fault in ("dead", "error", "full"):
            return _FULL if fault == "full" else _IOERR_WRITE
        if fault in ("killed", "short"):
            count = disk.random.randint(0, count - 1)
        code = int(theirs.write(file, data, count, at)) if count else _OK
        if code == _OK:
            disk.file(path).written.append((at, ctypes.string_at(data, count)))
        return _IOERR_WRITE if fault in ("killed", "short") else code

    def _truncated(self, file: int, size: int) -> int:
        disk, path, theirs = self._files[file]
        if disk.step("write") not in ("", "lie"):
            return _IOERR_TRUNCATE
        code = int(theirs.truncate(file, size))
        if code == _OK:
            disk.file(path).written.append((size, None))
        return code

    def _synced(self, file: int, flags: int) -> int:
        disk, path, _ = self._files[file]
        fault = disk.step("sync")
        if fault in ("dead", "killed", "error"):
            if fault == "error":
                disk.refuse_sync(disk.file(path))
            return _IOERR_FSYNC
        if fault == "lie":
            disk.file(path).lied = True
            return _OK
        disk.file(path).settle()
        if file in self._new:  # as the VFS for Unix does for journals
            disk.sync_names()
            self._new.discard(file)
        return _OK

    def _deleted(self, _: int, name: bytes, sync: int) -> int:
        path, below, disk = name.decode(), ctypes.addressof(self._below), self.disk
        if disk is None or not disk.has(path):
            return int(self._below.delete(below, name, sync))
        if disk.step("name"):
            return _IOERR_DELETE
        there = Path(path).exists()
        code = int(self._below.delete(below, name, 0))
        if there and code == _OK:
            disk.name({path: None})
            if sync and disk.step("sync") == "":
                disk.sync_names()
        return code


_vfs: Final = cache(_Vfs)
