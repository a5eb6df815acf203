"""A process that does jobs: ``python -m okey101.work``, started by :class:`okey101.work.Workers`.

It reads messages from its input and ends with it, even in the middle of a job: nobody has to look
after it, however its parent ends.
"""

from __future__ import annotations

import contextlib
import io
import os
import pickle
import runpy
import signal
import sys
from functools import cache
from queue import SimpleQueue
from threading import Thread
from typing import IO, Any, Final

from okey101.work import Answer, Caller, Setup, receive

_SCRIPT: Final = "__okey101_work__"
_script = cache(runpy.run_path)


class _Jobs(pickle.Unpickler):
    """Reads a job; what its parent's script defines is found in that script."""

    def __init__(self, data: bytes, main: str | None) -> None:
        super().__init__(io.BytesIO(data))
        self._main = main

    def find_class(self, module: str, name: str) -> Any:
        """A class or a function by its name."""
        if module == "__main__" and self._main is not None:
            return _script(self._main, run_name=_SCRIPT)[name]
        return super().find_class(module, name)


def _do(data: bytes, main: str | None, caller: Caller) -> None:
    """Do a job and answer; whatever it raises, the process goes on."""
    try:
        function, args = _Jobs(data, main).load()
        caller.answer(Answer("result", function(caller, *args)))
    except BaseException as error:  # noqa: BLE001  # its parent is told
        caller.answer(Answer("error", _sendable(error)))


def _sendable(error: BaseException) -> Exception:
    """The error, or another that names its kind where it can't be pickled."""
    with contextlib.suppress(Exception):
        if isinstance(error, Exception):
            pickle.loads(pickle.dumps(error))
            return error
    return RuntimeError(type(error).__name__)


def _listen(source: IO[bytes], jobs: SimpleQueue[bytes], caller: Caller) -> None:
    """Pass on what comes; an empty message asks for an early end, and no more for one at once."""
    try:
        while True:
            if data := receive(source):
                jobs.put(data)
            else:
                caller.stopping.set()
    finally:
        os._exit(0)


def main() -> None:
    """Step back behind the parent, and do its jobs until it has gone."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # the parent ends it
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    # What a job reads or prints is no message.
    source, target = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    jobs, caller = SimpleQueue[bytes](), Caller(target)
    Thread(target=_listen, args=(source, jobs, caller), daemon=True).start()
    setup: Setup = pickle.loads(jobs.get())
    sys.path[:] = setup.path
    with contextlib.suppress(OSError, AttributeError):
        os.nice(setup.nice)
    with contextlib.suppress(OSError):  # the parent has gone
        while True:
            _do(jobs.get(), setup.main, caller)


if __name__ == "__main__":
    main()
