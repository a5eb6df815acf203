"""The garbage collector: set for many sockets, and watched for pauses."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Generator
from contextlib import contextmanager
from itertools import count
from time import perf_counter
from typing import Final

THRESHOLDS: Final = (5_000, 2, 150_000)
"""With the defaults, a full collection stops 8,000 sockets for more than half a second."""
_EVERY: Final = 100
_QUIET: Final = 200
_WORTH: Final = 400_000
_OVERDUE: Final = 60_000_000


def tune() -> None:
    """Collect rarely: thousands of sockets are long-lived objects that no round will free."""
    gc.set_threshold(*THRESHOLDS)


def freeze(*, collect: bool = True) -> None:
    """Take everything alive out of what is collected; to be called once the server is up.

    A full collection first takes some tenths of a second: not while tables are being loaded.
    """
    if collect:
        gc.collect()
    gc.freeze()


_happened: Final = count(1)


def step() -> None:
    """Something happened; each 100th time what lives is set aside, and looked at no more.

    What comes and goes (sockets, requests, commands) leaves next to nothing that only a collection
    finds, and nearly everything that lives when one comes is replaced by the next event of its
    table: looking at it was a twentieth of what an event cost. There is one count for the whole
    process, as there is one collector.
    """
    if next(_happened) % _EVERY == 0:
        gc.freeze()


async def sweep(sockets: Callable[[], int], interval: float = 60.0) -> None:
    """Collect in full when few would notice; looks every ``interval`` seconds, forever.

    ``sockets`` says how many are open. With up to 200 it takes about a tenth of a second; at least
    400,000 things must have happened since the last time. A server that is never quiet is stopped
    for it all the same, after more than a day with 1,000 tables.
    """
    before = next(_happened)
    while True:
        await asyncio.sleep(interval)
        happened = next(_happened)
        if happened - before >= (_WORTH if sockets() <= _QUIET else _OVERDUE):
            gc.unfreeze()
            freeze()
            before = happened


@contextmanager
def watch_pauses(observe: Callable[[float], None]) -> Generator[None]:
    """Hand the seconds of every collection to ``observe`` for as long as the block runs."""
    began = 0.0

    def seen(phase: str, _: dict[str, int]) -> None:
        nonlocal began
        if phase == "start":
            began = perf_counter()
        elif began:
            observe(perf_counter() - began)
            began = 0.0

    gc.callbacks.append(seen)
    try:
        yield
    finally:
        gc.callbacks.remove(seen)
