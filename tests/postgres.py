"""A PostgreSQL of the tests' own, on a free port, with databases that are empty."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from copy import copy
from pathlib import Path
from typing import Any


def binaries() -> Path | None:
    """The folder of PostgreSQL's newest programs, where there are any."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: int(p.parts[-3]))
    on_path = shutil.which("initdb")
    return found[-1].parent if found else (Path(on_path).resolve().parent if on_path else None)


class Postgres:
    """A server that runs, with its data in a folder, for so many connections.

    With :meth:`follow` it has a standby, which confirms each commit; :meth:`fail_over` then makes
    the standby the primary, under this object: its port and its data are the standby's from there.
    """

    def __init__(self, root: Path, programs: Path, connections: int = 40) -> None:
        self._connections = connections
        self._root = root
        self._data = root / "data"
        self._programs = programs
        # PostgreSQL does not run as root.
        self._user: dict[str, Any] = (
            {"user": "postgres", "group": "postgres"} if os.getuid() == 0 else {}
        )
        self._process: subprocess.Popen[bytes] | None = None
        self.made = 0
        """How many databases were made: the last is ``tests_`` and this."""
        self.port = free_port()
        self.standby: Postgres | None = None
        if self._user:
            os.chown(root, pwd.getpwnam("postgres").pw_uid, -1)

    def make(self) -> None:
        """Make an empty place for its data."""
        words = ["-U", "okey101", "-A", "trust", "--no-sync", "-E", "UTF8", "--no-locale"]
        self._run("initdb", "-D", str(self._data), *words)

    def _run(self, name: str, *words: str) -> str:
        done: subprocess.CompletedProcess[str] = subprocess.run(
            [self._programs / name, *words],
            check=True, capture_output=True, cwd="/", text=True, **self._user,
        )  # fmt: skip
        return done.stdout

    def _asked(self, name: str, *words: str) -> str:
        return self._run(name, "-h", "127.0.0.1", "-p", str(self.port), *words)

    def do(self, *statements: str) -> str:
        """Do statements, each in a transaction of its own; returns what they find."""
        words = [word for one in statements for word in ("-c", one)]
        return self._asked("psql", "-U", "okey101", "-d", "postgres", "-qtA", *words)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        words = ["-D", str(self._data), "-p", str(self.port), "-k", str(self._data)]
        settings = ["listen_addresses=127.0.0.1", f"max_connections={self._connections}"]
        words += [word for one in settings for word in ("-c", one)]
        self._process = subprocess.Popen(
            [self._programs / "postgres", *words],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", **self._user,
        )  # fmt: skip
        until = time.monotonic() + 30
        while time.monotonic() < until:
            with suppress(subprocess.CalledProcessError):
                self._asked("pg_isready")
                return
            time.sleep(0.05)
        raise TimeoutError("PostgreSQL does not answer")

    @property
    def pid(self) -> int:
        """Its first process, the parent of all others."""
        assert self._process is not None
        return self._process.pid

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it: politely by default, at once by SIGQUIT; nothing where it does not run."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(30)
            self._process = None

    def kill(self) -> None:
        """SIGKILL to all its processes."""
        assert self._process is not None
        pid = self._process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
        self._process.kill()
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(int(child), signal.SIGKILL)
        self._process.wait()
        self._process = None

    def fill(self) -> None:
        """Leave no room on its disk, which has to be its own."""
        assert self._root.is_mount()
        with (self._root / "filler").open("ab") as file:
            while room := os.statvfs(self._root).f_bavail:
                with suppress(OSError):  # it may have taken some of that meanwhile
                    size = room * os.statvfs(self._root).f_bsize
                    os.posix_fallocate(file.fileno(), os.fstat(file.fileno()).st_size, size)

    def empty(self) -> None:
        """Take back what fills its disk, and start it where it has ended for want of room."""
        (self._root / "filler").unlink()
        if self._process is not None and self._process.poll() is not None:
            self.start()

    def database(self) -> str:
        """The address of a new, empty database; with a standby it has both hosts."""
        self.made += 1
        name = f"tests_{self.made}"
        self._asked("createdb", "-U", "okey101", name)
        there = f"SELECT 1 FROM pg_database WHERE datname = '{name}'"
        while self.standby is not None and not self.standby.do(there):
            time.sleep(0.05)  # it has what was done, and has yet to do it too
        ports = [self.port, *([self.standby.port] if self.standby else [])]
        hosts = ",".join(f"127.0.0.1:{port}" for port in ports)
        return f"postgresql://okey101@{hosts}/{name}"

    def own_clock(self) -> None:
        """Give the database made last a clock of its own, which :meth:`jump` sets."""
        self.do(rf"\c tests_{self.made}", "CREATE SCHEMA clock",
                "CREATE TABLE clock.ahead AS SELECT interval '0' AS by",
                "CREATE FUNCTION clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS "
                "'SELECT pg_catalog.clock_timestamp() + by FROM clock.ahead'",
                f"ALTER DATABASE tests_{self.made} SET search_path = public, clock, pg_catalog",
                )  # fmt: skip

    def jump(self, hours: int) -> None:
        """Set that clock ahead, or back where the hours are negative."""
        self.do(rf"\c tests_{self.made}", f"UPDATE clock.ahead SET by = by + interval '{hours} h'")

    def follow(self) -> None:
        """Begin a standby, without which nothing is acknowledged from now on."""
        root = self._root / f"standby-{free_port()}"
        root.mkdir()
        made = Postgres(root, self._programs)
        words = ["-U", "okey101", "-D", str(made._data), "-R", "-c", "fast", "--no-sync"]
        self._asked("pg_basebackup", *words)
        # What the primary was told after its own standby was made must not bind the copy.
        with (made._data / "postgresql.auto.conf").open("a") as file:
            file.write("synchronous_standby_names = ''\n")
        made.start()
        self.standby = made
        self.confirmed_by("*")

    def confirmed_by(self, standbys: str) -> None:
        """Say which standbys have to confirm a commit, and wait until they have confirmed all.

        ``*`` is any, nothing none.
        """
        self.do(f"ALTER SYSTEM SET synchronous_standby_names = '{standbys}'",
                "SELECT pg_reload_conf()")  # fmt: skip
        asked = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
        while standbys and not self.do(asked):
            time.sleep(0.05)
        self.do("SELECT pg_logical_emit_message(true, '', '')")

    def fail_over(self) -> Postgres:
        """Kill the primary, and have its standby take its place; returns what was killed.

        From then on no standby has to confirm; :meth:`follow` makes the next one. A standby that
        does not run is started once the primary is gone, and has what it had before.
        """
        standby = self.standby
        assert standby is not None
        self.kill()
        old = copy(self)
        if standby._process is None:
            standby.start()
        standby.do("SELECT pg_promote()")
        self._data, self.port, self._process = standby._data, standby.port, standby._process
        self.standby = None
        return old


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@contextmanager
def running(
    programs: Path, *, on_disk: bool = False, connections: int = 40, room: str = ""
) -> Iterator[Postgres]:
    """A server for as long as the block runs, by the programs in a folder.

    Its data lie in memory where the machine has a place for that, unless they are to be on disk;
    with so much ``room``, as mount has it, on a disk of its own, which only root can make.
    """
    shm = Path("/dev/shm")
    where = shm if shm.is_dir() and not on_disk else None
    with tempfile.TemporaryDirectory(prefix="okey101-pg-", dir=where) as root, ExitStack() as ends:
        if room:
            mount = ["mount", "-t", "tmpfs", "-o", f"size={room}", "none", root]
            subprocess.run(mount, check=True)
            ends.callback(subprocess.run, ["umount", "-l", root], check=True)
        made = Postgres(Path(root), programs, connections)
        made.make()
        made.start()
        try:
            yield made
        finally:
            made.stop()
            if made.standby is not None:
                made.standby.stop()
