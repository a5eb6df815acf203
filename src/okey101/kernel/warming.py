"""Compiling the kernel ahead of its use, in a thread of its own and never on an event loop."""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from okey101.errors import OkeyError, needs

try:
    import fcntl
except ImportError:  # Windows: processes that begin together compile together
    fcntl = None  # type: ignore[assignment]

with needs("okey101.kernel", "Numba and NumPy", "sim"):
    for _name in ("numba", "numpy"):
        if find_spec(_name) is None:
            raise ModuleNotFoundError(name=_name)

LOG: Final = logging.getLogger("okey101.kernel")
"""Where a process that compiles says so: it takes a minute."""
_lock: Final = threading.Lock()
_done: Final = threading.Event()
_threads: list[threading.Thread] = []
_STAYS: Final = 100_000
"""What compiling makes stays: to look so often for what does not would take a tenth of the time."""
_MARK: Final = "compiled"
"""The file that says that everything is in the folder."""


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


def is_cached() -> bool:
    """Whether a process on this machine compiled everything, so that it loads within seconds."""
    from okey101.kernel.compiling import cache_folder

    folder = cache_folder()
    return folder is not None and (folder / _MARK).exists()


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
    """Compile all that is called from Python, each function for the types it always gets."""
    for name in ("beliefs", "envs", "worlds"):  # which load all the others
        import_module(f"okey101.kernel.{name}")
    from okey101.kernel.compiling import cache_folder, compile_entries
    from okey101.kernel.solver import tables

    folder = cache_folder()
    with _alone(folder):
        if not is_cached():
            LOG.warning("compiling, once on this machine: about a minute (okey101 warm does it)")
        thresholds = gc.get_threshold()
        gc.set_threshold(_STAYS)
        unpacking = threading.Thread(target=tables, name="okey101-tables", daemon=True)
        unpacking.start()
        try:
            compile_entries()
        finally:
            gc.set_threshold(*thresholds)
        unpacking.join()
        tables()
        if folder is not None:
            with suppress(OSError):
                (folder / _MARK).touch()
    _done.set()


@contextmanager
def _alone(folder: Path | None) -> Generator[None]:
    """One process compiles, and the others that use the folder then read what it wrote."""
    with ExitStack() as held:
        if folder is not None and fcntl is not None:
            with suppress(OSError):  # nowhere to write, or a network folder that knows no locks
                file = (folder / "compiling.lock").open("w", encoding="ascii")
                fcntl.flock(held.enter_context(file), fcntl.LOCK_EX)
        yield
