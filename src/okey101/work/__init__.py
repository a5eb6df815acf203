"""Work in other processes, which end with the one that wants it, however that one ends.

:class:`Workers` starts processes of :mod:`okey101.work.__main__` and hands them jobs: functions of
modules with their arguments. Jobs and answers are pickled, and come from one's own package alone.
"""

from __future__ import annotations

import contextlib
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event, Lock
from typing import IO, Any, Final, Literal, NamedTuple, TypeVar, TypeVarTuple

__all__ = ["Answer", "Caller", "Setup", "WorkerEnded", "Workers", "receive", "send"]

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_HEAD: Final = 8


class WorkerEnded(Exception):
    """A process has ended before its job was done."""


class Setup(NamedTuple):
    """The first message to a process: what makes it find the same modules, and its niceness."""

    path: list[str]
    main: str | None
    """The file of the script that runs, whose classes belong to ``__main__``."""
    nice: int


class Answer(NamedTuple):
    """A message of a process: how far its job is, its result, or what it raised."""

    kind: Literal["progress", "result", "error"]
    value: Any

    def __repr__(self) -> str:
        return f"<Answer {self.kind}>"


class Caller:
    """Whoever wants a job done, as the job sees them: its function's first argument."""

    def __init__(self, target: IO[bytes]) -> None:
        self._target = target
        self.stopping = Event()
        """Set where the job should end early with what it has."""

    def tell(self, progress: object) -> None:
        """Say how far the job is."""
        self.answer(Answer("progress", progress))

    def answer(self, answer: Answer) -> None:
        """Send a message; nothing of it is sent where it can't be pickled."""
        send(self._target, pickle.dumps(answer, pickle.HIGHEST_PROTOCOL))


class Workers:
    """Processes that do jobs, started when there is work for them; used from any thread.

    A process that has ended is replaced when the next job comes.
    """

    def __init__(
        self,
        most: int,
        prepare: Callable[[Caller], object] | None = None,
        *,
        nice: int = 0,
        stderr: int | None = subprocess.DEVNULL,
        on_progress: Callable[[Any], object] = lambda _: None,
    ) -> None:
        """At most so many processes, each of which does ``prepare`` before anything else.

        ``on_progress`` hears in some thread what a job tells, ``nice`` is added to the processes'
        niceness, and ``stderr`` is where they write what they print, as for a subprocess.
        """
        self._prepare = prepare
        self._nice = nice
        self._stderr = stderr
        self._on_progress = on_progress
        self._most = most
        self._threads = ThreadPoolExecutor(most, thread_name_prefix="okey101-work")
        self._lock = Lock()
        self._idle: list[_Process] = []
        self._all: set[_Process] = set()
        self._stopped = False
        self._closed = False

    def submit(self, function: Callable[[Caller, *Ts], T], *args: *Ts) -> Future[T]:
        """Have a function of a module done with arguments that can be pickled.

        The future raises what the function raises, :class:`WorkerEnded` where its process ends
        first, and OSError where none can be started. One that is cancelled first is left out.
        """
        return self._threads.submit(self._do, function, args)

    def start(self) -> list[Future[None]]:
        """Start all processes; each future is done once one of them is ready."""
        return [self.submit(_nothing) for _ in range(self._most)]

    def stop(self) -> None:
        """Ask the jobs that have begun, and all later ones, to end early with what they have."""
        with self._lock:
            self._stopped = True
            for process in self._all:
                process.stop()

    def close(self) -> None:
        """End all processes at once, whatever they do, and wait until they have ended."""
        with self._lock:
            self._closed = True
            for process in self._all:
                process.kill()
        self._threads.shutdown(cancel_futures=True)
        for process in [*self._all]:
            self._drop(process)

    def _do(self, function: Callable[..., T], args: object) -> T:
        process = self._taken()
        try:
            answer = process.ask((function, args), self._on_progress)
        except BaseException:
            self._drop(process)
            raise
        with self._lock:
            self._idle.append(process)
        if answer.kind == "error":
            raise answer.value
        result: T = answer.value
        return result

    def _taken(self) -> _Process:
        """A process that has nothing to do; a new one where there is none."""
        with self._lock:
            if self._closed:
                raise WorkerEnded
            if self._idle:
                return self._idle.pop()
            process = _Process(self._stderr)
            self._all.add(process)
            if self._stopped:
                process.stop()
        try:
            process.begin(self._nice, self._prepare)
        except BaseException:
            self._drop(process)
            raise
        return process

    def _drop(self, process: _Process) -> None:
        with self._lock:
            self._all.discard(process)
        process.end()


def _nothing(_: Caller) -> None:
    """The job of a process that is only to be ready."""


class _Process:
    """A process as its parent sees it; the end of its input is its end."""

    def __init__(self, stderr: int | None) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "okey101.work"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            start_new_session=True,  # our Ctrl-C is not theirs
        )
        self._writing = Lock()

    def begin(self, nice: int, prepare: Callable[[Caller], object] | None) -> None:
        """Wait until it is ready; what ``prepare`` raises is raised."""
        main = getattr(sys.modules["__main__"], "__file__", None)
        self._send(pickle.dumps(Setup(sys.path, main, nice)))
        if prepare is not None:
            answer = self.ask((prepare, ()), lambda _: None)
            if answer.kind == "error":
                raise answer.value

    def ask(self, job: object, on_progress: Callable[[Any], object]) -> Answer:
        """Its result or its error; WorkerEnded where it has neither."""
        data = pickle.dumps(job, pickle.HIGHEST_PROTOCOL)
        self._send(data)
        while (answer := self._heard()).kind == "progress":
            on_progress(answer.value)
        return answer

    def stop(self) -> None:
        """Ask its jobs to end early."""
        with contextlib.suppress(WorkerEnded):
            self._send(b"")

    def _send(self, data: bytes) -> None:
        assert self._process.stdin is not None
        try:
            with self._writing:
                send(self._process.stdin, data)
        except OSError:
            raise WorkerEnded from None

    def _heard(self) -> Answer:
        assert self._process.stdout is not None
        try:
            data = receive(self._process.stdout)
        except (OSError, EOFError):
            raise WorkerEnded from None
        answer: Answer = pickle.loads(data)
        return answer

    def kill(self) -> None:
        """Have it end now."""
        self._process.kill()

    def end(self) -> None:
        """Kill it and let go of it."""
        self._process.kill()
        with contextlib.suppress(OSError), self._process:
            pass


def send(target: IO[bytes], data: bytes) -> None:
    """Write a message after its length."""
    target.write(len(data).to_bytes(_HEAD) + data)
    target.flush()


def receive(source: IO[bytes]) -> bytes:
    """Read a message; EOFError where there is none, or not all of it."""
    head = source.read(_HEAD)
    data = source.read(int.from_bytes(head))
    if len(head) < _HEAD or len(data) < int.from_bytes(head):
        raise EOFError
    return data
