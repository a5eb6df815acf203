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
"""With the defaults, a full collection stops 8,000 sockets for more than half a second.

It can be rare, since what comes and goes (sockets, requests, commands) leaves next to nothing that
only a collection finds: :func:`sweep` begins it while it is short. By itself it comes only on a
server that is never quiet, after more than a day with 1,000 tables.

Shorter rounds look at more in all: nearly everything that lives when one comes would have been
replaced by the next event of its table. Longer ones stop everybody for longer: with 1,250 tables
the second kind sees what some 800 events have made.
"""
_EVERY: Final = 400
_SECOND: Final = 2
_QUIET: Final = 200
_WORTH: Final = 500


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
    """Something happened; each 400th time begins a short round, each 800th a longer one.

    The interpreter begins a round by the number of new objects less those freed. A table that
    plays, and a socket that is only pinged, free as many as they make: without these rounds the
    first one would come when all of them have new objects. There is one count for the whole
    process, as there is one collector.
    """
    number = next(_happened)
    if number % _EVERY == 0:
        gc.collect(0 if number % (_SECOND * _EVERY) else 1)


async def sweep(sockets: Callable[[], int], interval: float = 60.0) -> None:
    """Collect in full when few would notice; looks every ``interval`` seconds, forever.

    ``sockets`` says how many are open. With up to 200 it takes about a hundredth of a second; at
    least 1,000 rounds of the second generation must have passed since the last time.
    """
    while True:
        await asyncio.sleep(interval)
        if gc.get_count()[2] >= _WORTH and sockets() <= _QUIET:
            gc.collect()


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
