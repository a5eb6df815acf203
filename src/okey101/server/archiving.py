"""Has closed tables leave the log, slowly: nobody who plays should feel it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Final

from okey101.server.clock import utc_ms
from okey101.server.logs import logger
from okey101.server.store import StoreError

__all__ = ["archive"]

_LEAST_PAUSE_S: Final = 0.05
_SHARE: Final = 9
"""How many times as long as a step the pause after it is."""
_IDLE_S: Final = 30.0
_AGAIN_S: Final = 60.0
_DAY_MS: Final = 86_400_000

_log: Final = logger(__name__)


async def archive(
    step: Callable[[int | None], Awaitable[bool]], days: int, idle_s: float = _IDLE_S
) -> None:
    """Archive closed tables until cancelled, and delete them ``days`` after their end; 0: never."""
    failed = False
    while True:
        begun = monotonic()
        try:
            more = await step(utc_ms() - days * _DAY_MS if days else None)
        except StoreError as error:
            if not failed:  # the tables stay in the log, where nothing happens to them
                _log.error("archive-failed", why=type(error.__cause__ or error).__name__)
            failed = True
            await asyncio.sleep(_AGAIN_S)
            continue
        if failed:
            failed = False
            _log.warning("archive-works-again")
        pause = max((monotonic() - begun) * _SHARE, _LEAST_PAUSE_S)
        await asyncio.sleep(pause if more else idle_s)
