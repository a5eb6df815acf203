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
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any


def binaries() -> Path | None:
    """The folder of PostgreSQL's newest programs, where there are any."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: int(p.parts[-3]))
    on_path = shutil.which("initdb")
    return found[-1].parent if found else (Path(on_path).resolve().parent if on_path else None)


class Postgres:
    """A server that runs; its data lie in memory where the machine has a place for that."""

    def __init__(self, root: Path, programs: Path) -> None:
        self._data = root / "data"
        self._programs = programs
        # PostgreSQL does not run as root.
        self._user: dict[str, Any] = (
            {"user": "postgres", "group": "postgres"} if os.getuid() == 0 else {}
        )
        self._process: subprocess.Popen[bytes] | None = None
        self._made = 0
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            self.port = one.getsockname()[1]
        if self._user:
            os.chown(root, pwd.getpwnam("postgres").pw_uid, -1)
        words = [
            "initdb",
            "-D",
            str(self._data),
            "-U",
            "okey101",
            "-A",
            "trust",
            "--no-sync",
            "-E",
            "UTF8",
        ]
        self._run(*words, "--no-locale")

    def _run(self, name: str, *words: str) -> None:
        subprocess.run(
            [self._programs / name, *words], check=True, capture_output=True, cwd="/", **self._user
        )

    def start(self) -> None:
        """Start it, and wait until it answers."""
        words = ["-D", str(self._data), "-p", str(self.port), "-k", str(self._data)]
        settings = ["-c", "listen_addresses=127.0.0.1", "-c", "max_connections=40"]
        self._process = subprocess.Popen(
            [self._programs / "postgres", *words, *settings],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", **self._user,
        )  # fmt: skip
        until = time.monotonic() + 30
        while time.monotonic() < until:
            with suppress(subprocess.CalledProcessError):
                self._run("pg_isready", "-h", "127.0.0.1", "-p", str(self.port))
                return
            time.sleep(0.05)
        raise TimeoutError("PostgreSQL does not answer")

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it: politely by default, at once by SIGQUIT."""
        assert self._process is not None
        self._process.send_signal(how)
        self._process.wait(30)

    def database(self) -> str:
        """The address of a new, empty database."""
        self._made += 1
        name = f"tests_{self._made}"
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "okey101", name)
        return f"postgresql://okey101@127.0.0.1:{self.port}/{name}"


@contextmanager
def running(programs: Path) -> Iterator[Postgres]:
    """A server for as long as the block runs, by the programs in a folder."""
    shm = Path("/dev/shm")
    with tempfile.TemporaryDirectory(
        prefix="okey101-pg-", dir=shm if shm.is_dir() else None
    ) as root:
        made = Postgres(Path(root), programs)
        made.start()
        try:
            yield made
        finally:
            made.stop()
