"""The garbage collector and the event loop: set for many sockets, and watched for pauses."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Generator
from contextlib import contextmanager
from time import perf_counter
from typing import Final

__all__ = ["THRESHOLDS", "freeze", "tune", "watch_lag", "watch_pauses"]

THRESHOLDS: Final = (500, 4, 30_000)
"""With the defaults, a full collection stops 8,000 sockets for more than half a second.

It can be rare, since what comes and goes (sockets, requests, commands) leaves next to nothing that
only a collection finds. The first two rounds are kept short by being many: what counts towards a
round are new objects less those let go of, and a table that plays lets go of as many as it makes,
so that a round looks at several times its number.
"""

Observe = Callable[[float], None]
"""Takes a number of seconds."""


def tune() -> None:
    """Collect rarely: thousands of sockets are long-lived objects that no round will free."""
    gc.set_threshold(*THRESHOLDS)


def freeze() -> None:
    """Take everything alive out of what is collected; to be called once the server stands."""
    gc.collect()
    gc.freeze()


@contextmanager
def watch_pauses(observe: Observe) -> Generator[None]:
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


async def watch_lag(observe: Observe, interval: float = 0.5) -> None:
    """Hand over how late the event loop wakes a sleeper, every ``interval`` seconds, for ever."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + interval
        await asyncio.sleep(interval)
        observe(max(0.0, loop.time() - due))
