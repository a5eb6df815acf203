"""Compiling the kernel ahead of its use, in a thread of its own and never on an event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from okey101.errors import OkeyError

try:
    import fcntl
except ImportError:  # Windows: processes that begin together compile together
    fcntl = None  # type: ignore[assignment]

__all__ = ["is_warm", "need_warm", "warm"]

_lock: Final = threading.Lock()
_done: Final = threading.Event()
_threads: list[threading.Thread] = []


def warm() -> threading.Thread:
    """Compile the kernel, or load what was compiled before, in a thread, and return that thread.

    ``warm().join()`` waits for it: a minute at most where nothing is cached, else seconds. Calling
    it again gives the same thread.
    """
    with _lock:
        if not _threads:
            thread = threading.Thread(target=_compile, name="okey101-kernel", daemon=True)
            _threads.append(thread)
            thread.start()
        return _threads[0]


def is_warm() -> bool:
    """Whether everything is compiled, so that no call waits for it."""
    return _done.is_set()


def need_warm() -> None:
    """Wait until the kernel is compiled; OkeyError ``kernel-cold`` on an event loop.

    There a wait would stop everybody: call :func:`warm` before, and wait for its thread elsewhere.
    """
    if _done.is_set():
        return
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        warm().join()
        if not _done.is_set():
            _compile()  # raises what went wrong in the thread
        return
    raise OkeyError(
        "kernel-cold", "the kernel is not compiled yet; call okey101.kernel.warm() beforehand"
    )


def _compile() -> None:
    """Call every function that is called from Python, each with the types it always gets."""
    from okey101.kernel.compiling import cache_folder
    from okey101.kernel.entries import call_all

    with _alone(cache_folder()):
        call_all()
    _done.set()


@contextmanager
def _alone(folder: Path | None) -> Generator[None]:
    """One process compiles, and the others that use the folder then read what it wrote."""
    if folder is None or fcntl is None:
        yield
        return
    try:
        file = (folder / "compiling.lock").open("w", encoding="ascii")
    except OSError:
        yield
        return
    with file:
        with suppress(OSError):  # some network folders know no locks
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
