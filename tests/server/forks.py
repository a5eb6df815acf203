"""Servers that begin with their modules loaded: forks of a process that has done nothing else.

Loading is most of what a server's start costs, and a run of all tests starts more than a hundred.
From its first line on a fork does what ``python -m okey101`` or the given file does, with
arguments, settings and files of its own; passwords alone are hashed at less cost, and what an
application has of every server is made before.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
import weakref
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import IO, Any, TypeAlias

from argon2 import PasswordHasher

QUICK = partial(PasswordHasher, time_cost=1, memory_cost=64, parallelism=1)
_SRC = Path(__file__).resolve().parents[2] / "src"
_MOST = 65_536
_LOADED = (
    "okey101.cli.app",
    "okey101.cli.serve",
    "okey101.server.serve",
    "okey101.server.web.app",
    # What these load only when an application is made and begins.
    "anyio._backends._asyncio",
    "encodings.ascii",
    "encodings.idna",
    "litestar._kwargs",
    "litestar.exceptions.responses",
    "litestar.middleware._internal.exceptions",
    "litestar.middleware.allowed_hosts",
    "litestar.middleware.csrf",
    "litestar.middleware.response_cache",
    "litestar.plugins.attrs",
    "litestar.plugins.pydantic",
    "pydantic.networks",
    "uvicorn.lifespan.off",
    "uvloop",
)


class Fork:
    """A forked server, to be handled as a Popen is."""

    def __init__(self, parent: _Parent, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._parent = parent
        self._handle = os.pidfd_open(pid)
        weakref.finalize(self, os.close, self._handle)
        self._lock = threading.Lock()

    def poll(self) -> int | None:
        """The exit code, minus the signal's number where one ended it; None while it runs."""
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; TimeoutExpired."""
        code = self._ended(None if timeout is None else timeout * 1000)
        if code is None:
            assert timeout is not None
            raise subprocess.TimeoutExpired("okey101", timeout)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _ended(self, milliseconds: float | None) -> int | None:
        ended = select.poll()
        ended.register(self._handle, select.POLLIN)
        if self.returncode is None and ended.poll(milliseconds):
            with self._lock:
                if self.returncode is None:
                    self.returncode = self._parent.code_of(self.pid)
        return self.returncode


Process: TypeAlias = "subprocess.Popen[bytes] | Fork"


def begin(
    program: Sequence[str],
    environ: Mapping[str, str],
    out: IO[bytes],
    errors: IO[bytes],
    *,
    fresh: bool = False,
) -> Process:
    """Start a command line in an environment, with what it prints going to two files.

    With ``fresh``, for what is not Python, and where a process that is no child can't be held, it
    is a process as any other.
    """
    if fresh or program[0] != sys.executable or not hasattr(os, "pidfd_open"):
        return subprocess.Popen(program, stdout=out, stderr=errors, env=environ)
    # A library to be loaded before all others is loaded before what is forked.
    parent = _parent_of(os.getpid(), environ.get("LD_PRELOAD", ""))
    return Fork(parent, parent.fork(program[1:], environ, out, errors))


def as_new(made: Any, kind: Any, *, state: Any, lifespan: Any, **parts: Any) -> Any:
    """An application that was made before, with the state and the lifespan of another one.

    To make its routes is most of what a start takes; without the site's pages all have the same.
    """
    if made is None or state.docs_policy is not None:
        return kind(state=state, lifespan=lifespan, **parts)
    made.state, made._lifespan_managers[:1] = state, lifespan
    return made


class _Parent:
    """The process that is forked; it ends with this one."""

    def __init__(self, library: str) -> None:
        self._words, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._lock = threading.Lock()
        environ = {k: v for k, v in os.environ.items() if not k.startswith("OKEY101_")}
        environ |= {"PYTHONPATH": str(_SRC), "PYTHONIOENCODING": "utf-8", "LC_ALL": "C.UTF-8"}
        environ["LD_PRELOAD"] = library
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", __file__, str(theirs.fileno())],
                env=environ,
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )

    def fork(self, words: Sequence[str], environ: Mapping[str, str], *files: IO[bytes]) -> int:
        request = json.dumps([[*words], {**environ}, str(Path.cwd())]).encode()
        with self._lock:
            socket.send_fds(self._words, [request], [file.fileno() for file in files])
            return self._answer()

    def code_of(self, pid: int) -> int:
        with self._lock:
            self._words.send(str(pid).encode())
            return self._answer()

    def _answer(self) -> int:
        answer = self._words.recv(_MOST)
        assert answer, "the process that is forked for servers has ended"
        return int(answer)

    def end(self) -> None:
        self._words.close()
        self._process.wait()


@cache
def _parent_of(_pid: int, library: str) -> _Parent:  # a fork of the tests' process needs its own
    parent = _Parent(library)
    atexit.register(parent.end)
    return parent


# In the process that is forked ------------------------------------------------------------------


def _serve_forks(words: socket.socket) -> tuple[list[str], dict[str, str], str, list[int]]:
    """Fork, and tell of ends, until nobody asks; in each fork returns what it was given."""
    while True:
        request, files, _, _ = socket.recv_fds(words, _MOST, 2)
        if not request:
            os._exit(0)
        asked: Any = json.loads(request)
        if isinstance(asked, int):
            _, status = os.waitpid(asked, 0)
            words.send(str(os.waitstatus_to_exitcode(status)).encode())
            continue
        pid = os.fork()
        if pid == 0:
            return *asked, files
        words.send(str(pid).encode())
        for file in files:
            os.close(file)


def _main() -> None:
    for name in _LOADED:
        __import__(name)
    sys.modules["okey101.solver.tables"].load_tables()
    settings = sys.modules["okey101.server.settings"].load_settings({"data": Path("nowhere")})
    app = sys.modules["okey101.server.web.app"].__dict__
    app["_Application"] = partial(as_new, app["create_app"](settings), app["_Application"])
    # A password's hash costs a quarter of a second on purpose, in hundreds of tests for nothing.
    sys.modules["okey101.server.people.passwords"].__dict__["PasswordHasher"] = QUICK
    gc.collect()
    gc.freeze()  # no fork looks through all of this again, which would copy every page of it
    with socket.socket(fileno=int(sys.argv[1])) as words:
        program, environ, folder, files = _serve_forks(words)
    for number, file in enumerate(files, 1):
        os.dup2(file, number)
        os.close(file)
    os.environ.clear()
    os.environ.update(environ)
    os.chdir(folder)
    by_name = program[0] == "-m"
    sys.argv[:] = program[by_name:]
    run = runpy.run_module if by_name else runpy.run_path
    run(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    _main()
