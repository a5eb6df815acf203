"""For commands that take long: a bar with the time left, and Ctrl-C that loses nothing."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Collection, Generator
from contextlib import AbstractContextManager, contextmanager
from time import monotonic
from types import FrameType
from typing import Any, Final, Self

import click

from okey101.bots.registry import SEARCHERS
from okey101.cli.output import Output

_NOTE_S: Final = 30.0
"""Where there is no terminal, a line on stderr after so many seconds."""


@contextmanager
def _handling(handler: Any, *numbers: int) -> Generator[None]:
    """Signals are handled like this meanwhile; outside the main thread nothing changes."""
    here = threading.current_thread() is threading.main_thread()
    before = {number: signal.signal(number, handler) for number in numbers if here}
    try:
        yield
    finally:
        for number, was in before.items():
            signal.signal(number, was)


@contextmanager
def stopping() -> Generator[Callable[[], bool]]:
    """Ctrl-C asks for an end once, and what this gives tells so; pressed again, it interrupts."""
    asked = threading.Event()

    def ask(number: int, frame: FrameType | None) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()

    with _handling(ask, signal.SIGINT):
        yield asked.is_set


def terminable() -> AbstractContextManager[None]:
    """SIGTERM ends what is done within as Ctrl-C does, so that nothing half made is left."""
    return _handling(lambda *_: signal.raise_signal(signal.SIGINT), signal.SIGTERM)


def unstoppable() -> AbstractContextManager[None]:
    """Signals that would end this process wait for what is done within, and are forgotten then."""
    hang_up = getattr(signal, "SIGHUP", signal.SIGTERM)
    return _handling(signal.SIG_IGN, *{signal.SIGINT, signal.SIGTERM, hang_up})


class Bar:
    """How far the work is, and the time left: a bar on terminals, else a line now and then.

    It ends with the block; it begins once the ``total`` is known.
    """

    def __init__(self, output: Output, label: str, total: int = 0, done: int = 0) -> None:
        self._output, self._label = output, label
        self._first = self._done = done
        self._bar: Any = None
        self._begin(total)

    def _begin(self, total: int) -> None:
        self._total = total
        self._began = self._told = monotonic()
        there = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        if total and there and not self._output.as_json:
            self._bar = click.progressbar(
                length=total, label=self._label, file=sys.stderr, show_eta=True, show_pos=True
            )
            self._bar.__enter__()
            self._bar.update(self._done)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.__exit__(None, None, None)

    def add(self, count: int, total: int = 0) -> None:
        """Tell that so many more are done, of a total that may be known only now."""
        if total and not self._total:
            self._begin(total)
        self._done = min(self._total, self._done + count)
        now = monotonic()
        if self._bar is not None:
            self._bar.update(self._done - self._bar.pos)
        elif now - self._told >= _NOTE_S and self._done < self._total:
            self._told = now
            rate = (self._done - self._first) / (now - self._began)
            left = round((self._total - self._done) / rate) if rate else 0
            told = {"done": self._done, "total": self._total, "minutes": -(-left // 60)}
            self._output.note(self._output.texts("progress-left", **told))


# Compiling the kernel: ``okey101 warm``, and what other commands say before they wait for it ------


def warm_up(output: Output) -> int:
    """Compile the kernel, unless that was done before; returns the exit code 0."""
    from okey101.kernel.compiling import cache_folder

    began = monotonic()
    compiled = ready(output)
    seconds = round(monotonic() - began)
    folder = None if (kept := cache_folder()) is None else str(kept)
    texts = output.texts
    what = "nowhere" if folder is None else "now" if compiled else "before"
    return output.tell(
        {"compiled": compiled, "seconds": seconds, "folder": folder},
        lambda: [texts("warm-done", what=what, seconds=seconds, folder=folder or "")],
    )


def ready(output: Output, bots: Collection[str] | None = None) -> bool:
    """Compile the kernel where no process did before, and say so first; whether it had to be.

    Where ``bots`` are named, only if one of them needs it. Raises ModuleNotFoundError, which
    begins with ``missing-extra``, without the extra ``sim``.
    """
    if bots is not None and SEARCHERS.keys().isdisjoint(bots):
        return False
    from okey101.kernel.warming import LOG, is_cached, need_warm

    if is_cached():
        return False
    if not output.as_json:
        output.note(output.texts("warm-compiling"))
    LOG.disabled = True  # it would say the same
    need_warm()
    return True
